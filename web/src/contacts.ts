// Overlays of contacts: point, frame, forces with the friction cone, slip, and the nearest points of the chosen one while it is apart.
import {
  BufferGeometry, Color, ConeGeometry, DoubleSide, Float32BufferAttribute, Group, LineBasicMaterial, LineSegments, Matrix4, Mesh,
  MeshBasicMaterial, Quaternion, SphereGeometry, Vector3,
} from "three";
import { Arrow, SeenThrough } from "./arrows";
import type { Contact, Replay } from "./data";
import type { Settings } from "./settings";
import type { Colours } from "./theme";
import { newContactState, newPose, type ContactState, type Place, type Timeline } from "./timeline";

const kSeparated = 0;

/** What all overlays share: sizes and materials. */
class Kit {
  readonly size: number;
  readonly unitForce: number;
  readonly unitSlip: number;
  readonly normal = new SeenThrough();
  readonly friction = new SeenThrough();
  readonly slip = new SeenThrough();
  readonly axes = [new SeenThrough(), new SeenThrough(), new SeenThrough()];
  readonly cone = new MeshBasicMaterial({ transparent: true, opacity: 0.13, side: DoubleSide, depthWrite: false, toneMapped: false });
  readonly apart = new LineBasicMaterial({ transparent: true, opacity: 0.8, depthTest: false });
  readonly apartPoint = new SeenThrough();
  readonly ball = new SphereGeometry(1, 24, 16);

  constructor(replay: Replay) {
    this.size = replay.length;
    this.unitForce = this.size * 0.85 / typical(replay.contacts.map((contact) => contact.normalForce), 1);
    this.unitSlip = this.size * 0.7 / typical(replay.contacts.map((contact) => contact.slip), 3);
  }

  paint(colours: Colours) {
    this.normal.colour = colours.lines.normalForce;
    this.friction.colour = colours.lines.friction;
    this.slip.colour = colours.lines.slip;
    this.cone.color.set(colours.lines.friction);
    this.apart.color.set(colours.lines.gap);
    this.apartPoint.colour = colours.lines.gap;
    this.axes.forEach((axis, k) => (axis.colour = colours.axes[k]));
  }

  /** Large values are drawn shorter than in proportion. */
  scaled(vector: Vector3, unit: number, to: Vector3): Vector3 {
    const length = vector.length() * unit;
    if (!(length > 0)) return to.set(0, 0, 0);
    const drawn = length <= this.size ? length : this.size * (1 + Math.log(length / this.size));
    return to.copy(vector).multiplyScalar((drawn / length) * unit);
  }
}

/** A size that nine in ten of the values that are not zero do not exceed; 1 if there are none. */
function typical(arrays: Float32Array[], width: 1 | 3): number {
  const sizes: number[] = [];
  for (const values of arrays) {
    const step = width * Math.max(1, Math.floor(values.length / width / 500));
    for (let k = 0; k + width <= values.length; k += step) {
      const size = width === 1 ? Math.abs(values[k]) : Math.hypot(values[k], values[k + 1], values[k + 2]);
      if (size > 0 && Number.isFinite(size)) sizes.push(size);
    }
  }
  sizes.sort((x, y) => x - y);
  return sizes[Math.floor(0.9 * sizes.length)] || 1;
}

class ContactOverlay {
  readonly group = new Group();
  private readonly point_: Mesh[];
  private readonly modeMaterial_ = new SeenThrough(1, 0.55);
  private readonly normal_: Arrow;
  private readonly friction_: Arrow;
  private readonly slip_: Arrow;
  private readonly frame_: Arrow[];
  private readonly cone_: Mesh | null = null;
  private readonly apart_ = new Group();
  private readonly apartLine_: LineSegments;
  private readonly apartPoints_: Mesh[][];
  private readonly v_ = new Vector3();
  private readonly q_ = new Quaternion();

  constructor(readonly contact: Contact, private readonly kit: Kit) {
    const size = kit.size;
    this.point_ = this.modeMaterial_.meshes(kit.ball);
    this.normal_ = new Arrow(kit.normal, 0.014 * size);
    this.friction_ = new Arrow(kit.friction, 0.017 * size);
    this.slip_ = new Arrow(kit.slip, 0.012 * size);
    this.frame_ = kit.axes.map((axis) => new Arrow(axis, 0.009 * size));
    for (const mesh of this.point_) mesh.scale.setScalar(0.038 * size);
    this.group.add(...this.point_, this.normal_.group, this.friction_.group, this.slip_.group, ...this.frame_.map((arrow) => arrow.group));
    if (typeof contact.friction === "number" && contact.friction > 0) {
      const cone = new ConeGeometry(contact.friction, 1, 48, 1, true).rotateX(Math.PI).translate(0, 0.5, 0);
      this.cone_ = new Mesh(cone, kit.cone);
      this.cone_.renderOrder = 8;
      this.group.add(this.cone_);
    }
    const line = new BufferGeometry().setAttribute("position", new Float32BufferAttribute([0, 0, 0, 0, 0, 0], 3));
    this.apartLine_ = new LineSegments(line, kit.apart);
    this.apartLine_.frustumCulled = false;
    this.apartPoints_ = [kit.apartPoint.meshes(kit.ball), kit.apartPoint.meshes(kit.ball)];
    for (const mesh of this.apartPoints_.flat()) mesh.scale.setScalar(0.024 * size);
    this.apart_.add(this.apartLine_, ...this.apartPoints_.flat());
    this.group.add(this.apart_);
  }

  show(state: ContactState, settings: Settings, chosen: boolean, colour: string, sideways: Vector3) {
    const { on } = settings;
    const touches = state.mode !== kSeparated;
    const known = Number.isFinite(state.pointA.x) && Number.isFinite(state.normal.x);
    this.group.visible = known && (touches || chosen);
    if (!this.group.visible) return;
    this.apart_.visible = !touches && on.point;
    if (this.apart_.visible) this.showApart_(state);
    const at = state.pointA;
    for (const mesh of this.point_) {
      mesh.visible = touches && on.point;
      mesh.position.copy(at);
    }
    this.modeMaterial_.colour = new Color(colour);
    const force = this.kit.scaled(this.v_.copy(state.normal).multiplyScalar(-state.normalForce), this.kit.unitForce, new Vector3());
    arrowIf(this.normal_, touches && on.forces, at, force);
    arrowIf(this.friction_, touches && on.forces, at, this.kit.scaled(state.frictionForce, this.kit.unitForce, this.v_));
    arrowIf(this.slip_, touches && on.slip, at, this.kit.scaled(state.slip, this.kit.unitSlip, this.v_));
    if (this.cone_) {
      this.cone_.visible = touches && on.cone;
      const height = Math.max(0.6 * this.kit.size, force.length());
      this.cone_.position.copy(at);
      this.cone_.quaternion.copy(this.q_.setFromUnitVectors(kUp, this.v_.copy(state.normal).negate()));
      this.cone_.scale.setScalar(height);
    }
    this.showFrame_(state, touches && on.frame, sideways);
  }

  /** Normal out of A, and along the surface: the first is where A's x axis (or y axis) points. */
  private showFrame_(state: ContactState, visible: boolean, sideways: Vector3) {
    const n = state.normal;
    const first = sideways.clone().addScaledVector(n, -sideways.dot(n)).normalize();
    const axes = [first, new Vector3().crossVectors(n, first), n.clone()];
    axes.forEach((axis, k) => arrowIf(this.frame_[k], visible, state.pointA, axis.multiplyScalar(0.5 * this.kit.size)));
  }

  private showApart_(state: ContactState) {
    const ends = this.apartLine_.geometry.getAttribute("position");
    ends.setXYZ(0, ...state.pointA.toArray());
    ends.setXYZ(1, ...state.pointB.toArray());
    ends.needsUpdate = true;
    for (const mesh of this.apartPoints_[0]) mesh.position.copy(state.pointA);
    for (const mesh of this.apartPoints_[1]) mesh.position.copy(state.pointB);
  }
}

const kUp = new Vector3(0, 1, 0);

function arrowIf(arrow: Arrow, visible: boolean, from: Vector3, vector: Vector3) {
  if (visible) arrow.show(from, vector);
  else arrow.group.visible = false;
}

export class Contacts {
  private readonly kit_: Kit;
  private readonly overlays_ = new Map<number, ContactOverlay>();
  private readonly state_ = newContactState();
  private readonly pose_ = newPose();
  private readonly matrix_ = new Matrix4();

  constructor(private readonly replay: Replay, private readonly timeline: Timeline, private readonly root: Group) {
    this.kit_ = new Kit(replay);
  }

  paint(colours: Colours) { this.kit_.paint(colours); }

  show(place: Place, settings: Settings, colours: Colours) {
    this.replay.contacts.forEach((contact, k) => {
      const chosen = k === settings.contact;
      const touches = contact.mode[place.i] !== kSeparated;
      let overlay = this.overlays_.get(k);
      if (!touches && !chosen) {
        if (overlay) overlay.group.visible = false;
        return;
      }
      if (!overlay) {
        overlay = new ContactOverlay(contact, this.kit_);
        this.overlays_.set(k, overlay);
        this.root.add(overlay.group);
      }
      const state = this.timeline.contact(contact, place, this.state_);
      overlay.show(state, settings, chosen, colours.modes[this.replay.modes[state.mode]] ?? colours.ink, this.sideways_(contact, place, state));
    });
  }

  private sideways_(contact: Contact, place: Place, state: ContactState): Vector3 {
    this.timeline.pose(this.replay.bodies[contact.a], place, this.pose_);
    this.matrix_.makeRotationFromQuaternion(this.pose_.orientation);
    const axis = new Vector3().setFromMatrixColumn(this.matrix_, 0);
    return Math.abs(axis.dot(state.normal)) < 0.95 ? axis : axis.setFromMatrixColumn(this.matrix_, 1);
  }
}
