// The trace of the contact on both surfaces: where the touching points have been, in the frames of their bodies.
import { Group, Vector3 } from "three";
import type { Bodies } from "./bodies";
import type { Contact, Replay } from "./data";
import { everTouches } from "./modes";
import type { Settings } from "./settings";
import { dispose, Strokes, type StrokeUniforms } from "./strokes";
import { newPose, toBody, type Timeline } from "./timeline";

const kMany = 8;          // contacts that ever touch; above that only the chosen one leaves a trace
const kSeparated = 0;

export class Traces {
  private groups_: Group[] = [];
  private shown_ = "";

  constructor(private readonly replay: Replay, private readonly timeline: Timeline, private readonly bodies: Bodies,
    private readonly strokes: StrokeUniforms) {}

  apply(settings: Settings) {
    const touching = this.replay.contacts.map((_, k) => k).filter((k) => everTouches(this.replay.contacts[k]));
    const chosen = touching.length > kMany ? touching.filter((k) => k === settings.contact) : touching;
    const wanted = settings.on.traces ? chosen : [];
    const key = wanted.join();
    if (key === this.shown_) return;
    this.shown_ = key;
    for (const group of this.groups_) dispose(group);
    this.groups_ = [];
    for (const k of wanted) {
      const contact = this.replay.contacts[k];
      this.add_(contact, contact.a, contact.pointA, 1);
      this.add_(contact, contact.b, contact.pointB, -1);
    }
  }

  /** The trace on one body; outward: sign of the normal that points out of it. */
  private add_(contact: Contact, bodyIndex: number, points: Float32Array, outward: number) {
    const { t, length } = this.replay;
    const view = this.bodies.views[bodyIndex];
    const lift = 0.004 * length;
    const strokes = new Strokes();
    const local: Vector3[] = [];
    const pose = newPose();
    const at = (i: number) => {
      const p = new Vector3().fromArray(points, 3 * i);
      p.addScaledVector(new Vector3().fromArray(contact.normal, 3 * i), outward * lift);
      this.timeline.pose(view.body, { i, j: i, s: 0 }, pose);
      return toBody(pose, p);
    };
    const touches = (i: number) => i >= 0 && i < t.length && contact.mode[i] !== kSeparated && Number.isFinite(points[3 * i]);
    for (let i = 0; i < t.length; ++i) local.push(touches(i) ? at(i) : new Vector3(NaN));
    for (let i = 0; i + 1 < t.length; ++i) {
      if (!touches(i) || !touches(i + 1) || t[i + 1] === t[i]) continue;
      const before = i > 0 && touches(i - 1) && t[i - 1] < t[i] ? local[i - 1] : null;
      const after = i + 2 < t.length && touches(i + 2) && t[i + 2] > t[i + 1] ? local[i + 2] : null;
      curve(strokes, before, local[i], local[i + 1], after, t[i], t[i + 1], contact.mode[i], this.replay.modes[contact.mode[i]] === "sliding");
    }
    if (strokes.empty) return;
    const group = strokes.build({ width: 2.2, bias: 0.02 * length, dash: 0.12 * length, hidden: view.free ? 0.1 : 0.22, opacity: 1 }, this.strokes);
    view.group.add(group);
    this.groups_.push(group);
  }
}

/** From p to q, rounded by a Catmull-Rom spline where the trace turns. */
function curve(strokes: Strokes, before: Vector3 | null, p: Vector3, q: Vector3, after: Vector3 | null, tp: number, tq: number, mode: number,
  dashed: boolean) {
  const chord = kChord.subVectors(q, p);
  const length = chord.length();
  if (length < 1e-12) return;
  const into = before ? kInto.subVectors(q, before).multiplyScalar(0.5) : kInto.copy(chord);
  const out = after ? kOut.subVectors(after, p).multiplyScalar(0.5) : kOut.copy(chord);
  const jumps = into.length() > 3 * length || out.length() > 3 * length;
  const turn = jumps ? 0 : into.angleTo(chord) + out.angleTo(chord);
  const parts = Math.min(12, Math.max(1, Math.ceil(turn / 0.07)));
  let [x, y, z, time] = [p.x, p.y, p.z, tp];
  for (let k = 1; k <= parts; ++k) {
    const s = k / parts;
    const r = 1 - s;
    const point = parts === 1 ? q : kPoint.copy(p).multiplyScalar(r * r * (1 + 2 * s)).addScaledVector(q, s * s * (3 - 2 * s))
      .addScaledVector(into, s * r * r).addScaledVector(out, -s * s * r);
    const then = tp + s * (tq - tp);
    strokes.add(x, y, z, point.x, point.y, point.z, time, then, mode, dashed);
    [x, y, z, time] = [point.x, point.y, point.z, then];
  }
}

const kChord = new Vector3();
const kInto = new Vector3();
const kOut = new Vector3();
const kPoint = new Vector3();
