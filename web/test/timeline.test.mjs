// Between frames: motion that the interpolation must meet exactly, and events that it must not cross.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const source = join(dirname(fileURLToPath(import.meta.url)), "../src/timeline.ts");
let folder;
let timeline;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "oloid-web-"));
  const outfile = join(folder, "timeline.mjs");
  await build({ entryPoints: [source], bundle: true, format: "esm", outfile, logLevel: "warning" });
  timeline = await import(pathToFileURL(outfile).href);
});
after(() => { if (folder) rmSync(folder, { recursive: true }); });

/** A record of one body from functions of time; a frame is [t, event_side] or t. */
function record(frames, { position, velocity = () => [0, 0, 0], turn = () => 0, rate = () => 0, events = [], contacts = [] }) {
  const rows = frames.map((frame) => (Array.isArray(frame) ? frame : [frame, 0]));
  const flat = (values) => Float32Array.from(rows.flatMap(([t, side]) => values(t, side)));
  return {
    frames: rows.length, t: Float64Array.from(rows, ([t]) => t), eventSide: Int8Array.from(rows, ([, side]) => side), events, contacts,
    bodies: [{
      name: "body", mass: 1, position: flat(position), velocity: flat(velocity),
      orientation: flat((t) => [Math.cos(turn(t) / 2), 0, 0, Math.sin(turn(t) / 2)]), angularVelocity: flat((t) => [0, 0, rate(t)]),
    }],
  };
}

function poseAt(replay, t) {
  const line = new timeline.Timeline(replay);
  return line.pose(replay.bodies[0], line.locate(t), timeline.newPose());
}

const near = (a, b, tolerance = 1e-6) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);

test("a cubic path is met between frames", () => {
  const replay = record([0, 0.5, 1], { position: (t) => [t ** 3, 2 * t - t * t, 1], velocity: (t) => [3 * t * t, 2 - 2 * t, 0] });
  for (const t of [0, 0.1, 0.49, 0.5, 0.77, 1]) {
    const { position } = poseAt(replay, t);
    near(position.x, t ** 3);
    near(position.y, 2 * t - t * t);
    near(position.z, 1);
  }
});

test("a steady turn is met, also one of more than half a turn between frames", () => {
  for (const rate of [2, 9, -9, 40]) {
    const replay = record([0, 0.5, 1], { position: () => [0, 0, 0], turn: (t) => rate * t, rate: () => rate });
    for (const t of [0.05, 0.25, 0.6, 0.99]) {
      const { orientation } = poseAt(replay, t);
      near(Math.abs(orientation.w * Math.cos(rate * t / 2) + orientation.z * Math.sin(rate * t / 2)), 1, 1e-5);
    }
  }
});

test("nothing is mixed across an event: before it the old motion, at it and after the new", () => {
  const bounce = (t, side) => (t < 1 || (t === 1 && side < 0) ? [1 - t, 0, 0] : [10 + t, 0, 0]);
  const speed = (t, side) => (t < 1 || (t === 1 && side < 0) ? [-1, 0, 0] : [1, 0, 0]);
  const replay = record([0, [1, -1], [1, 1], 2], { position: bounce, velocity: speed, events: [{ t: 1 }] });
  near(poseAt(replay, 1 - 1e-9).position.x, 0);
  near(poseAt(replay, 0.4).position.x, 0.6);
  near(poseAt(replay, 1).position.x, 11);
  near(poseAt(replay, 1.5).position.x, 11.5);
});

test("where the frames of an event were left out, the path is straight", () => {
  const replay = record([0, 1], { position: (t) => [t, 0, 0], velocity: (t) => [t === 0 ? -20 : 20, 0, 0], events: [{ t: 0.5 }] });
  near(poseAt(replay, 0.25).position.x, 0.25);
});

test("times beyond the record are its ends", () => {
  const replay = record([0, 1], { position: (t) => [t, 0, 0], velocity: () => [1, 0, 0] });
  near(poseAt(replay, -3).position.x, 0);
  near(poseAt(replay, 7).position.x, 1);
});

test("frames are stepped over, pairs of an event at once", () => {
  const line = new timeline.Timeline(record([0, [1, -1], [1, 1], 2], { position: () => [0, 0, 0] }));
  assert.equal(line.frameTime(0, 1), 1);
  assert.equal(line.frameTime(1, 1), 2);
  assert.equal(line.frameTime(2, 1), 2);
  assert.equal(line.frameTime(2, -1), 1);
  assert.equal(line.frameTime(1.5, -1), 1);
  assert.equal(line.frameTime(1, -1), 0);
  assert.equal(line.frameTime(0, -1), 0);
});

test("friction of a slip that turns stays at its limit", () => {
  const turned = (length) => Float32Array.from([0, 1, 2].flatMap((k) => [length(k) * Math.cos(1.4 * k), length(k) * Math.sin(1.4 * k), 0]));
  const contact = {
    a: 0, b: 0, mode: Int8Array.from([2, 2, 2]), gap: new Float32Array(3), pointA: new Float32Array(9), pointB: new Float32Array(9),
    normal: Float32Array.from([0, 0, 1, 0, 0, 1, 0, 0, 1]), slip: turned((k) => 1 + k), spin: new Float32Array(3),
    normalForce: Float32Array.from([2, 4, 6]), frictionForce: turned((k) => 0.5 * (2 + 2 * k)), moment: new Float32Array(9),
  };
  const line = new timeline.Timeline(record([0, 1, 2], { position: () => [0, 0, 0], contacts: [contact] }));
  for (const t of [0, 0.2, 0.5, 0.9, 1.3, 2]) {
    const at = line.contact(contact, line.locate(t), timeline.newContactState());
    near(at.frictionForce.length(), 0.5 * at.normalForce, 1e-5);
    near(at.slip.length(), 1 + t, 1e-5);
    near(Math.atan2(at.slip.y, at.slip.x), 1.4 * t > Math.PI ? 1.4 * t - 2 * Math.PI : 1.4 * t, 1e-5);
  }
});

test("a contact point goes along with its body, and the mode changes only at frames", () => {
  const three = (...values) => Float32Array.from(values.flat());
  const contact = {
    a: 0, b: 0, mode: Int8Array.from([3, 3, 0]), gap: Float32Array.from([0, 0, 0.1]), pointA: three([1, 0, 0], [0, 1, 0], [0, 1, 0]),
    pointB: three([1, 0, 0], [0, 1, 0], [0, 1, 0]), normal: three([0, 0, 1], [0, 0, 1], [0, 0, 1]), slip: new Float32Array(9), spin: new Float32Array(3),
    normalForce: Float32Array.from([2, 4, 0]), frictionForce: new Float32Array(9), moment: new Float32Array(9),
  };
  const replay = record([0, 1, 2], { position: () => [0, 0, 0], turn: (t) => Math.min(t, 1) * Math.PI / 2, rate: (t) => (t <= 1 ? Math.PI / 2 : 0), contacts: [contact] });
  const line = new timeline.Timeline(replay);
  const half = line.contact(contact, line.locate(0.5), timeline.newContactState());
  near(half.pointA.x, Math.SQRT1_2, 1e-5);
  near(half.pointA.y, Math.SQRT1_2, 1e-5);
  near(half.normalForce, 3);
  const later = line.contact(contact, line.locate(1.5), timeline.newContactState());
  assert.equal(later.mode, 3);
  near(later.normalForce, 4);
});
