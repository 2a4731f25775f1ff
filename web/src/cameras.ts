// Where we look from: the first view, orbiting by mouse, touch and keys, and going along with a body.
import { Matrix4, Quaternion, Spherical, Vector3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Bodies } from "./bodies";
import type { CameraMode, Settings } from "./settings";
import type { Stage } from "./stage";
import { newPose, type Timeline } from "./timeline";
import { round125 } from "./units";

const kFarPath = 16;       // times the size of the bodies; a single body that goes farther is followed from the start

interface Framing { balls: { at: Vector3; radius: number }[]; centre: Vector3; radius: number; bodyRadius: number; along: Vector3 | null }

export class Cameras {
  readonly controls: OrbitControls;
  private mode_: CameraMode = "world";
  private body_ = 0;
  private readonly reference_ = newPose();     // of the body, when the camera began to go along with it
  private readonly pose_ = newPose();
  private readonly framing_: Framing;

  constructor(private readonly stage: Stage, private readonly timeline: Timeline, private readonly bodies: Bodies, canvas: HTMLElement) {
    this.framing_ = this.frame_();
    this.controls = new OrbitControls(stage.camera, canvas);
    this.controls.enableDamping = !window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.controls.dampingFactor = 0.12;
    this.controls.zoomToCursor = true;
    this.controls.minDistance = 0.6 * this.framing_.bodyRadius;
    this.controls.maxDistance = 400 * this.framing_.radius;
    this.controls.addEventListener("change", () => stage.invalidate());
  }

  /** How to begin: a lonely body that goes far is followed. */
  get firstMode(): CameraMode {
    return this.bodies.free.length === 1 && this.framing_.radius > kFarPath * this.framing_.bodyRadius ? "follow" : "world";
  }

  /** A step of the grid that suits what is seen first. */
  get gridStep(): number {
    const { radius, bodyRadius } = this.framing_;
    return round125(this.firstMode === "follow" ? 1.5 * bodyRadius : Math.max(bodyRadius, 0.4 * radius));
  }

  /** Looks at the moving bodies and their path, from the side of it and a little from above. */
  reset(settings: Settings, t: number) {
    const { balls, radius, bodyRadius, along } = this.framing_;
    const follows = settings.camera !== "world";
    const body = this.bodies.views[settings.body];
    const centre = follows ? this.timeline.pose(body.body, this.timeline.locate(t), this.pose_).position.clone() : this.framing_.centre.clone();
    const room = settings.camera === "fixed" ? 2 : Math.min(4, Math.max(2, radius / bodyRadius));
    const seen = follows ? [{ at: centre, radius: room * Math.min(body.radius, 3 * bodyRadius) }] : [...balls, { at: centre, radius: 1.45 * bodyRadius }];
    const curved = this.bodies.views.some((view) => !view.free && !view.flat && view.geometry);
    const elevation = (curved ? 36 : 28) * (Math.PI / 180);
    const up = this.stage.up;
    const side = along ? new Vector3().crossVectors(along, up).normalize() : horizontal(up);
    const turned = side.applyAxisAngle(up, along ? 0.35 : -0.6);
    if (along && turned.dot(horizontal(up)) < 0) turned.negate();
    const direction = turned.multiplyScalar(Math.cos(elevation)).addScaledVector(up, Math.sin(elevation));
    const { camera } = this.stage;
    this.stage.lightFrom(direction);
    const distance = 1.15 * this.reach_(seen, centre, direction);
    this.setMode("world", settings.body, t);
    this.controls.target.copy(centre);
    camera.position.copy(centre).addScaledVector(direction, distance);
    this.controls.update();
    this.setMode(settings.camera, settings.body, t);
  }

  /** How far from the centre, in the direction, the camera sees all balls. */
  private reach_(balls: Framing["balls"], centre: Vector3, direction: Vector3): number {
    const right = new Vector3().crossVectors(this.stage.up, direction).normalize();
    const upward = new Vector3().crossVectors(direction, right);
    const tall = (0.5 * this.stage.camera.fov * Math.PI) / 180;
    const wide = Math.atan(Math.tan(tall) * this.stage.camera.aspect);
    let reach = 0;
    for (const { at, radius } of balls) {
      const from = kScratch.subVectors(at, centre);
      const toward = from.dot(direction);
      const needs = (aside: number, half: number) => toward + Math.abs(aside) / Math.tan(half) + radius / Math.sin(half);
      reach = Math.max(reach, needs(from.dot(right), wide), needs(from.dot(upward), tall));
    }
    return reach;
  }

  /** Goes along with a body, or not, without a jump of the picture where that can be. */
  setMode(mode: CameraMode, body: number, t: number) {
    const before = this.rootMatrix_(t);
    this.mode_ = mode;
    this.body_ = body;
    this.timeline.pose(this.bodies.views[body].body, this.timeline.locate(t), this.reference_);
    const change = this.rootMatrix_(t).multiply(before.invert());
    this.stage.camera.position.applyMatrix4(change);
    this.controls.target.applyMatrix4(change);
    this.controls.update();
    this.update(t);
  }

  /** Moves the world so that the camera goes along; keeps near and far planes around what is seen. */
  update(t: number) {
    const { root, camera } = this.stage;
    root.matrix.copy(this.rootMatrix_(t));
    root.matrixWorldNeedsUpdate = true;
    const distance = camera.position.distanceTo(this.controls.target);
    camera.near = 0.02 * distance;
    camera.far = distance * 12 + 4 * this.framing_.radius;
    camera.updateProjectionMatrix();
    this.bodies.ground.uTarget.value.copy(this.controls.target);
    this.bodies.ground.uReach.value = Math.max(distance, 1.5 * Math.min(this.framing_.radius, distance * 2));
  }

  orbit(right: number, upward: number) {
    const offset = this.stage.camera.position.clone().sub(this.controls.target);
    const turn = new Quaternion().setFromUnitVectors(this.stage.up, new Vector3(0, 1, 0));
    const s = new Spherical().setFromVector3(offset.applyQuaternion(turn));
    s.theta += right;
    s.phi = Math.min(Math.PI - 0.02, Math.max(0.02, s.phi - upward));
    this.move_(offset.setFromSpherical(s).applyQuaternion(turn.invert()));
  }

  zoom(factor: number) {
    const offset = this.stage.camera.position.clone().sub(this.controls.target).multiplyScalar(factor);
    offset.clampLength(this.controls.minDistance, this.controls.maxDistance);
    this.move_(offset);
  }

  pan(right: number, upward: number) {
    const { camera } = this.stage;
    const reach = camera.position.distanceTo(this.controls.target);
    const shift = new Vector3(right, upward, 0).multiplyScalar(reach).applyQuaternion(camera.quaternion);
    camera.position.add(shift);
    this.controls.target.add(shift);
    this.controls.update();
    this.stage.invalidate();
  }

  private move_(offset: Vector3) {
    this.stage.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
    this.stage.invalidate();
  }

  private rootMatrix_(t: number): Matrix4 {
    const matrix = new Matrix4();
    if (this.mode_ === "world") return matrix;
    const pose = this.timeline.pose(this.bodies.views[this.body_].body, this.timeline.locate(t), this.pose_);
    if (this.mode_ === "follow") return matrix.makeTranslation(this.reference_.position.clone().sub(pose.position));
    const then = new Matrix4().compose(this.reference_.position, this.reference_.orientation, kOne);
    return then.multiply(matrix.compose(pose.position, pose.orientation, kOne).invert());
  }

  /** The ball that holds the path of the moving bodies, and the direction it mostly goes, if it has one. */
  private frame_(): Framing {
    const low = new Vector3(Infinity, Infinity, Infinity);
    const high = low.clone().negate();
    const { frames } = this.timeline.replay;
    const step = Math.max(1, Math.floor(frames / 400));
    let bodyRadius = 0;
    const mean = new Vector3();
    const balls: Framing["balls"] = [];
    for (const view of this.bodies.free) {
      bodyRadius = Math.max(bodyRadius, view.radius);
      for (let i = 0; i < frames; i += step) {
        const p = new Vector3().fromArray(view.body.position, 3 * i);
        balls.push({ at: p, radius: view.radius });
        mean.add(p);
        low.min(p.clone().subScalar(view.radius));
        high.max(p.clone().addScalar(view.radius));
      }
    }
    mean.divideScalar(Math.max(1, balls.length));
    const centre = low.clone().add(high).multiplyScalar(0.5);
    const radius = 0.5 * high.distanceTo(low) * 0.8;
    return { balls, centre, radius, bodyRadius, along: mainDirection(balls.map(({ at }) => at), mean, this.stage.up, bodyRadius) };
  }
}

const kOne = new Vector3(1, 1, 1);
const kScratch = new Vector3();

/** A horizontal direction: -y for z up, else any. */
function horizontal(up: Vector3): Vector3 {
  const guess = Math.abs(up.y) < 0.9 ? new Vector3(0, -1, 0) : new Vector3(0, 0, 1);
  return guess.addScaledVector(up, -guess.dot(up)).normalize();
}

/** The horizontal direction in which the points spread most, if clearly one. */
function mainDirection(points: Vector3[], mean: Vector3, up: Vector3, size: number): Vector3 | null {
  const e1 = horizontal(up);
  const e2 = new Vector3().crossVectors(up, e1);
  let [xx, xy, yy] = [0, 0, 0];
  for (const p of points) {
    const d = p.clone().sub(mean);
    const [x, y] = [d.dot(e1), d.dot(e2)];
    xx += x * x;
    xy += x * y;
    yy += y * y;
  }
  const n = Math.max(1, points.length);
  const angle = 0.5 * Math.atan2(2 * xy, xx - yy);
  const spread = Math.hypot(xx - yy, 2 * xy) / n;
  if (spread < 0.5 * size * size || spread < 0.6 * ((xx + yy) / n)) return null;
  return e1.multiplyScalar(Math.cos(angle)).addScaledVector(e2, Math.sin(angle));
}
