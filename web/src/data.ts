// The record that the page carries: its JSON and the arrays of its blob. Format: ../README.md.

export interface Mesh { vertices: Float32Array; normals: Float32Array; triangles: Uint32Array; moved: number }
export interface Chains { points: Float32Array; starts: Uint32Array }

export interface Body {
  name: string;
  mass: number;
  position: Float32Array;
  orientation: Float32Array;
  velocity: Float32Array;
  angularVelocity: Float32Array;
  mesh: Mesh | null;
  borders: Chains | null;
  lines: Chains | null;
}

export type Friction = number | "unlimited" | null;

export interface Contact {
  a: number;
  b: number;
  friction: Friction;
  staticFriction: Friction;
  mode: Int8Array;
  gap: Float32Array;
  pointA: Float32Array;
  pointB: Float32Array;
  normal: Float32Array;
  slip: Float32Array;
  spin: Float32Array;
  normalForce: Float32Array;
  frictionForce: Float32Array;
  moment: Float32Array;
}

export interface Energy {
  kinetic: Float32Array;
  potential: Float32Array;
  dissipated: Float32Array;
  work: Float32Array;
  total: Float32Array;
  error: Float32Array;
}

export interface Probe { name: string; unit: string; formula: string; values: Float32Array }

export interface Event {
  t: number;
  kind: string;
  meaning: string;
  quiet: boolean;      // of coordinates and nearest points: nothing that one could see
  a: number;
  b: number;
  contact: number;
  before: string;
  after: string;
  value: number | null;
  probe: number;
  text: string;
}

export interface Summary {
  t_end: number;
  energy_max_relative_drift: number;
  max_gap_error: number;
  steps: number;
  wall_s: number;
}

export interface Replay {
  scene: string;
  about: string;
  oloid: string;
  duration: number;
  outputDt: number;
  gravity: [number, number, number];
  frames: number;
  framesRecorded: number;
  keptEvery: number;
  eventFramesDropped: number;
  eventsRecorded: number;
  contactsRecorded: number;
  complete: boolean;
  length: number;
  t: Float64Array;
  eventSide: Int8Array;
  bodies: Body[];
  contacts: Contact[];
  modes: string[];
  modeColours: { light: string[]; dark: string[] };      // in the order of modes
  energy: Energy;
  probes: Probe[];
  events: Event[];
  summary: Summary | null;
}

interface ArrayPlace { type: "f32" | "f64" | "i8" | "i32" | "u32"; offset: number; count: number }

/** The page carries no record, or none that can be read; the message is for people. */
export class RecordError extends Error {}

const kFormat = 1;
const kArrays = { f32: Float32Array, f64: Float64Array, i8: Int8Array, i32: Int32Array, u32: Uint32Array };

function decodeBase64(text: string): ArrayBuffer {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes.buffer;
}

const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Gives the JSON with every array place replaced by its array, and names of bodies and contacts in camelCase. */
function resolve(value: unknown, blob: ArrayBuffer, rename: boolean): unknown {
  if (Array.isArray(value)) return value.map((entry) => resolve(entry, blob, rename));
  if (value === null || typeof value !== "object") return value;
  const place = value as ArrayPlace;
  if (typeof place.offset === "number" && typeof place.count === "number" && place.type in kArrays) {
    return new kArrays[place.type](blob, place.offset, place.count);
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [
      rename ? camel(name) : name,
      name === "events" || name === "summary" ? entry : resolve(entry, blob, rename),
    ]),
  );
}

/** Reads the record of this page. Throws a RecordError if there is none that it understands. */
export function readReplay(page: Document): Replay {
  const text = (id: string) => page.getElementById(id)?.textContent?.trim() ?? "";
  const json = text("oloid-meta");
  if (!json.startsWith("{")) {
    throw new RecordError("This page contains no record. Make one that does with: oloid view run.h5");
  }
  let meta: { format?: number };
  try {
    meta = JSON.parse(json) as { format?: number };
  } catch {
    throw new RecordError("The record in this page is damaged: its JSON cannot be read. Make the page again with: oloid view run.h5");
  }
  if (meta.format !== kFormat) {
    throw new RecordError(`The record in this page has format ${meta.format}; this viewer reads format ${kFormat}.`);
  }
  try {
    return resolve(meta, decodeBase64(text("oloid-blob")), true) as Replay;
  } catch {
    throw new RecordError("The record in this page is damaged: its arrays cannot be read. Make the page again with: oloid view run.h5");
  }
}
