// What holds at a time between frames: poses and contacts, interpolated, but never across an event.
import { Quaternion, Vector3 } from "three";
import type { Body, Contact, Replay } from "./data";

/** Between frames i and j, at the fraction s. */
export interface Place { i: number; j: number; s: number }

export interface Pose { position: Vector3; orientation: Quaternion }

export interface ContactState {
  mode: number;
  gap: number;
  pointA: Vector3;
  pointB: Vector3;
  normal: Vector3;
  slip: Vector3;
  spin: number;
  normalForce: number;
  frictionForce: Vector3;
}

export const newPose = (): Pose => ({ position: new Vector3(), orientation: new Quaternion() });

export const newContactState = (): ContactState => ({
  mode: 0, gap: NaN, pointA: new Vector3(), pointB: new Vector3(), normal: new Vector3(), slip: new Vector3(), spin: 0,
  normalForce: 0, frictionForce: new Vector3(),
});

const kSeparated = 0;

export class Timeline {
  readonly start: number;
  readonly end: number;
  private readonly eventInside_: Uint8Array;   // [i] = 1: an event between frames i and i + 1 has no frames of its own
  private readonly poses_ = [newPose(), newPose(), newPose()] as const;

  constructor(readonly replay: Replay) {
    const t = replay.t;
    this.start = t[0];
    this.end = t[t.length - 1];
    this.eventInside_ = new Uint8Array(t.length);
    for (const event of replay.events) {
      const { i, s } = this.locate(event.t);
      if (s > 1e-6 && s < 1 - 1e-6) this.eventInside_[i] = 1;
    }
  }

  /** Frame i is the last one at or before t, so at the time of an event it is the one after it. */
  locate(t: number): Place {
    const times = this.replay.t;
    let low = 0;
    let high = times.length;
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (times[middle] <= t) low = middle;
      else high = middle;
    }
    const i = low;
    const j = Math.min(i + 1, times.length - 1);
    const s = j > i ? Math.min(1, Math.max(0, (t - times[i]) / (times[j] - times[i]))) : 0;
    return { i, j, s };
  }

  /** The time of the next frame (direction 1) or of the one before (-1). */
  frameTime(t: number, direction: 1 | -1): number {
    const times = this.replay.t;
    let { i } = this.locate(t);
    if (direction < 0 && times[i] < t) return times[i];
    const from = times[i];
    while (i + direction >= 0 && i + direction < times.length && times[i] === from) i += direction;
    return times[i];
  }

  pose(body: Body, { i, j, s }: Place, out: Pose): Pose {
    const p = body.position;
    const q = body.orientation;
    out.orientation.set(q[4 * i + 1], q[4 * i + 2], q[4 * i + 3], q[4 * i]);
    if (s === 0 || i === j) {
      out.position.fromArray(p, 3 * i);
      return out;
    }
    const h = this.replay.t[j] - this.replay.t[i];
    const smooth = !this.eventInside_[i];
    for (let k = 0; k < 3; ++k) {
      const p0 = p[3 * i + k];
      const p1 = p[3 * j + k];
      out.position.setComponent(k, smooth ? hermite(p0, p1, body.velocity[3 * i + k], body.velocity[3 * j + k], h, s) : p0 + s * (p1 - p0));
    }
    this.turn_(body, i, j, s, h, out.orientation);
    return out;
  }

  /** Turns q, the orientation of frame i, towards that of frame j by s, the way round that the angular velocity says. */
  private turn_(body: Body, i: number, j: number, s: number, h: number, q: Quaternion): void {
    const o = body.orientation;
    const w = body.angularVelocity;
    const delta = kScratchQ.set(o[4 * j + 1], o[4 * j + 2], o[4 * j + 3], o[4 * j]).multiply(kInverse.copy(q).invert());
    if (delta.w < 0) delta.set(-delta.x, -delta.y, -delta.z, -delta.w);
    const sine = Math.hypot(delta.x, delta.y, delta.z);
    const mean = kScratch.set(w[3 * i] + w[3 * j], w[3 * i + 1] + w[3 * j + 1], w[3 * i + 2] + w[3 * j + 2]).multiplyScalar(0.5 * h);
    let angle = 2 * Math.atan2(sine, delta.w);
    const axis = sine > 1e-9 ? kAxis.set(delta.x, delta.y, delta.z).divideScalar(sine) : kAxis.copy(mean).normalize();
    const turns = Math.round((mean.dot(axis) - angle) / (2 * Math.PI));
    if (Number.isFinite(turns)) angle += 2 * Math.PI * turns;
    q.premultiply(kScratchQ.setFromAxisAngle(axis, s * angle));
  }

  /** Mode of frame i; the rest in between as long as the bodies stay in contact, the points fixed to their bodies. */
  contact(contact: Contact, place: Place, out: ContactState): ContactState {
    const { i, j } = place;
    out.mode = contact.mode[i];
    const stays = (out.mode === kSeparated) === (contact.mode[j] === kSeparated) && !this.eventInside_[i];
    const s = stays ? place.s : 0;
    const mix = (values: Float32Array) => (s === 0 ? values[i] : values[i] + s * (values[j] - values[i]));
    const mix3 = (values: Float32Array, to: Vector3) => {
      to.fromArray(values, 3 * i);
      if (s > 0) to.lerp(kScratch.fromArray(values, 3 * j), s);
      return to;
    };
    // Length and direction each by itself: friction stays at its limit while the slip turns.
    const turn3 = (values: Float32Array, to: Vector3) => {
      const next = kScratch.fromArray(values, 3 * j);
      const length = to.fromArray(values, 3 * i).length();
      const angle = to.angleTo(next);
      if (s === 0 || !(length > 0 && next.length() > 0)) return mix3(values, to);
      if (angle > kReversed) return s < 0.5 ? to : to.copy(next);
      const longer = 1 + s * (next.length() / length - 1);
      kAxis.crossVectors(to, next);
      if (kAxis.lengthSq() > 0) to.applyAxisAngle(kAxis.normalize(), s * angle);
      return to.multiplyScalar(longer);
    };
    out.gap = mix(contact.gap);
    out.spin = mix(contact.spin);
    out.normalForce = mix(contact.normalForce);
    turn3(contact.slip, out.slip);
    turn3(contact.frictionForce, out.frictionForce);
    mix3(contact.normal, out.normal).normalize();
    this.point_(contact.a, contact.pointA, { i, j, s: place.s }, stays, out.pointA);
    this.point_(contact.b, contact.pointB, { i, j, s: place.s }, stays, out.pointB);
    return out;
  }

  /** The point of a body at frame i, or between i and j, taken along with the body. */
  private point_(bodyIndex: number, points: Float32Array, place: Place, stays: boolean, out: Vector3): void {
    const body = this.replay.bodies[bodyIndex];
    const [at, then, now] = this.poses_;
    toBody(this.pose(body, { i: place.i, j: place.i, s: 0 }, at), out.fromArray(points, 3 * place.i));
    if (stays && place.s > 0) {
      toBody(this.pose(body, { i: place.j, j: place.j, s: 0 }, then), kScratch2.fromArray(points, 3 * place.j));
      out.lerp(kScratch2, place.s);
    }
    this.pose(body, place, now);
    out.applyQuaternion(now.orientation).add(now.position);
  }
}

const kScratch = new Vector3();
const kScratch2 = new Vector3();
const kReversed = 3;  // rad: no way round is nearer than the other
const kAxis = new Vector3();
const kScratchQ = new Quaternion();
const kInverse = new Quaternion();

/** Cubic from p0 to p1 with velocities v0, v1 at its ends, h apart. */
function hermite(p0: number, p1: number, v0: number, v1: number, h: number, s: number): number {
  const r = 1 - s;
  return r * r * (1 + 2 * s) * p0 + s * s * (3 - 2 * s) * p1 + h * s * r * (r * v0 - s * v1);
}

/** A point of the world, in the frame of a body. */
export function toBody(pose: Pose, point: Vector3): Vector3 {
  return point.sub(pose.position).applyQuaternion(kInverse.copy(pose.orientation).invert());
}
