// The bodies of the scene as meshes, moved to where they are; their borders and parameter lines.
import {
  BackSide, Box3, BufferAttribute, BufferGeometry, FrontSide, Group, IcosahedronGeometry, Mesh, MeshBasicMaterial,
  MeshStandardMaterial, PlaneGeometry, Vector3,
} from "three";
import type { Body, Chains, Replay } from "./data";
import { bodyMaterial, groundMaterial, type GroundUniforms } from "./materials";
import type { Settings } from "./settings";
import { Strokes, type StrokeUniforms } from "./strokes";
import type { Colours } from "./theme";
import { newPose, type Place, type Pose, type Timeline } from "./timeline";

const kLineColour = 7;     // of the palette of strokes

export interface BodyView {
  body: Body;
  group: Group;
  pose: Pose;
  radius: number;          // of a ball about the centre of mass that holds it
  geometry: BufferGeometry | null;
  free: boolean;           // moves by itself
  flat: boolean;
  material: MeshStandardMaterial[];
  borders: Group | null;
  lines: Group | null;
}

export class Bodies {
  readonly views: BodyView[];
  readonly ground: GroundUniforms = {
    uTarget: { value: new Vector3() }, uReach: { value: 1 }, uStep: { value: 1 }, uGridTone: { value: 1 },
  };

  constructor(private readonly replay: Replay, private readonly timeline: Timeline, root: Group, strokes: StrokeUniforms,
    private readonly up: Vector3) {
    this.views = replay.bodies.map((body) => this.make_(body, strokes));
    for (const view of this.views) root.add(view.group);
  }

  get free() {
    const free = this.views.filter((view) => view.free);
    return free.length > 0 ? free : this.views;
  }

  get hasGrid() { return this.views.some((view) => !view.free && view.geometry); }

  place(place: Place) {
    for (const view of this.views) {
      this.timeline.pose(view.body, place, view.pose);
      view.group.position.copy(view.pose.position);
      view.group.quaternion.copy(view.pose.orientation);
    }
  }

  paint(colours: Colours) {
    let next = 0;
    this.ground.uGridTone.value = colours.gridTone;
    for (const view of this.views) {
      const colour = view.free ? colours.bodies[next++ % colours.bodies.length] : view.flat ? colours.ground : colours.fixed;
      for (const material of view.material) material.color.set(colour);
    }
  }

  apply(settings: Settings) {
    for (const view of this.views) {
      if (view.borders) view.borders.visible = settings.on.borders;
      if (view.lines) view.lines.visible = settings.on.lines;
      if (!view.free) continue;
      for (const material of view.material) {
        const glass = settings.on.glass;
        if (material.transparent !== glass) material.needsUpdate = true;
        material.transparent = glass;
        material.opacity = glass ? 0.32 : 1;
      }
    }
  }

  private make_(body: Body, strokes: StrokeUniforms): BodyView {
    const view: BodyView = {
      body, group: new Group(), pose: newPose(), radius: 0.5 * this.replay.length, geometry: null, free: body.mass > 0, flat: false,
      material: [], borders: null, lines: null,
    };
    if (body.mesh) {
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(body.mesh.vertices, 3));
      geometry.setAttribute("normal", new BufferAttribute(body.mesh.normals, 3));
      geometry.setIndex(new BufferAttribute(body.mesh.triangles, 1));
      geometry.computeBoundingBox();
      view.geometry = geometry;
      view.radius = farthest(body.mesh.vertices);
      if (view.free) this.addFree_(view, geometry);
      else this.addGround_(view, geometry, body);
    } else {
      const mark = new Mesh(new IcosahedronGeometry(0.35 * this.replay.length, 1), new MeshBasicMaterial({ color: "#888888", wireframe: true }));
      view.group.add(mark);
    }
    const look = { bias: 0.02 * this.replay.length, dash: 1, hidden: 0, opacity: 1 };
    view.borders = chains(body.borders, view.group, { ...look, width: 1.6 }, strokes);
    view.lines = chains(body.lines, view.group, { ...look, width: 0.9, opacity: 0.75 }, strokes);
    return view;
  }

  private addFree_(view: BodyView, geometry: BufferGeometry) {
    const material = bodyMaterial(geometry.boundingBox ?? new Box3());
    const mesh = new Mesh(geometry, material);
    mesh.castShadow = true;
    mesh.receiveShadow = true;
    view.material.push(material);
    view.group.add(mesh);
  }

  private addGround_(view: BodyView, geometry: BufferGeometry, body: Body) {
    const normal = commonNormal(body.mesh?.normals ?? new Float32Array());
    view.flat = normal !== null;
    const pose = this.timeline.pose(body, { i: 0, j: 0, s: 0 }, newPose());
    const toward = (normal ?? this.up.clone().applyQuaternion(pose.orientation.clone().invert())).clone();
    const [e1, e2] = gridDirections(toward);
    const endless = normal !== null && body.borders === null && view.radius > 10 * this.replay.length;
    const shape = endless && normal ? endlessPlane(geometry, normal, e1, e2, 60 * view.radius) : geometry;
    for (const side of [FrontSide, BackSide] as const) {
      const material = groundMaterial(side, e1, e2, this.ground);
      const mesh = new Mesh(shape, material);
      mesh.receiveShadow = side === FrontSide;
      mesh.renderOrder = side === FrontSide ? -1 : 4;
      view.material.push(material);
      view.group.add(mesh);
    }
  }
}

function farthest(vertices: Float32Array): number {
  let most = 0;
  for (let k = 0; k < vertices.length; k += 3) most = Math.max(most, Math.hypot(vertices[k], vertices[k + 1], vertices[k + 2]));
  return most;
}

/** The normal that all vertices share, or null: the body is not flat. */
function commonNormal(normals: Float32Array): Vector3 | null {
  if (normals.length === 0) return null;
  const first = new Vector3().fromArray(normals);
  for (let k = 3; k < normals.length; k += 3) {
    if (first.x * normals[k] + first.y * normals[k + 1] + first.z * normals[k + 2] < 1 - 1e-6) return null;
  }
  return first.normalize();
}

/** Two directions of the body at right angles to n and to each other, along its axes where that can be. */
function gridDirections(n: Vector3): [Vector3, Vector3] {
  const axes = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)];
  const axis = axes.reduce((best, next) => (Math.abs(next.dot(n)) < Math.abs(best.dot(n)) - 1e-3 ? next : best));
  const e1 = axis.addScaledVector(n, -axis.dot(n)).normalize();
  return [e1, new Vector3().crossVectors(n, e1)];
}

function endlessPlane(mesh: BufferGeometry, normal: Vector3, e1: Vector3, e2: Vector3, size: number): BufferGeometry {
  const centre = mesh.boundingBox?.getCenter(new Vector3()) ?? new Vector3();
  const plane = new PlaneGeometry(size, size);
  const position = plane.getAttribute("position");
  for (let k = 0; k < position.count; ++k) {
    const p = centre.clone().addScaledVector(e1, position.getX(k)).addScaledVector(e2, position.getY(k));
    position.setXYZ(k, p.x, p.y, p.z);
    plane.getAttribute("normal").setXYZ(k, normal.x, normal.y, normal.z);
  }
  return plane;
}

function chains(given: Chains | null, group: Group, look: { width: number; bias: number; dash: number; hidden: number; opacity: number },
  strokes: StrokeUniforms): Group | null {
  if (!given) return null;
  const { points: p, starts } = given;
  const lines = new Strokes();
  for (let c = 0; c + 1 < starts.length; ++c) {
    for (let k = 3 * starts[c]; k + 3 < 3 * starts[c + 1]; k += 3) {
      lines.add(p[k], p[k + 1], p[k + 2], p[k + 3], p[k + 4], p[k + 5], -1e30, -1e30, kLineColour, false);
    }
  }
  if (lines.empty) return null;
  const built = lines.build(look, strokes);
  built.visible = false;
  group.add(built);
  return built;
}
