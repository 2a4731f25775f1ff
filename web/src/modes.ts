// Modes of contact: runs of one mode in time, and swatches that differ by hatching as well as by colour.
import type { Contact, Replay } from "./data";
import type { Colours } from "./theme";

export interface Run { from: number; to: number; mode: number }

/** The times over which a contact stays in one mode. */
export function modeRuns(contact: Contact, t: Float64Array): Run[] {
  const runs: Run[] = [];
  for (let i = 0; i < t.length; ++i) {
    const last = runs[runs.length - 1];
    if (last && last.mode === contact.mode[i]) last.to = t[i];
    else {
      if (last) last.to = t[i];
      runs.push({ from: t[i], to: t[i], mode: contact.mode[i] });
    }
  }
  return runs;
}

export const modeName = (name: string) => name.replace("_", " ");

/** Whether the bodies touch at any frame. */
export const everTouches = (contact: Contact) => contact.mode.some((mode) => mode !== 0);

/** Seconds for which a contact is not separated. */
export function touchingTime(contact: Contact, t: Float64Array): number {
  return modeRuns(contact, t).reduce((sum, run) => sum + (run.mode === 0 ? 0 : run.to - run.from), 0);
}

/** The contact that touches longest; among those that only meet for an instant, the one with most events. */
export function mainContact(replay: Replay): number {
  const events = replay.contacts.map((_, k) => replay.events.filter((event) => event.contact === k).length);
  const times = replay.contacts.map((contact) => touchingTime(contact, replay.t));
  return replay.contacts.reduce((best, _, k) => (times[k] > times[best] || (times[k] === times[best] && events[k] > events[best]) ? k : best), 0);
}

export function contactName(replay: Replay, k: number): string {
  const { a, b } = replay.contacts[k];
  return `${replay.bodies[a].name} – ${replay.bodies[b].name}`;
}

type Hatch = (context: CanvasRenderingContext2D, size: number) => void;

const line = (context: CanvasRenderingContext2D, ax: number, ay: number, bx: number, by: number) => {
  context.moveTo(ax, ay);
  context.lineTo(bx, by);
};

const kHatches: Record<string, Hatch> = {
  separated: () => {},
  frictionless: (c, s) => { c.moveTo(s, s / 2); c.arc(s / 2, s / 2, s / 5, 0, 7); },
  sliding: (c, s) => { line(c, 0, s, s, 0); line(c, -s / 2, s / 2, s / 2, -s / 2); line(c, s / 2, s * 1.5, s * 1.5, s / 2); },
  rolling: () => {},
  no_spin: (c, s) => line(c, s / 2, 0, s / 2, s),
  spinning: (c, s) => { line(c, 0, 0, s, s); line(c, 0, s, s, 0); },
  rest: (c, s) => line(c, 0, s / 2, s, s / 2),
};

/** A filling for a mode in a canvas whose pixels are ratio times finer than those of the page. */
export function modeFill(name: string, colours: Colours, ratio: number): CanvasPattern | string {
  const colour = colours.modes[name] ?? colours.faint;
  const hatch = kHatches[name];
  if (!hatch || name === "separated" || name === "rolling") return colour;
  const size = Math.round(7 * ratio);
  const tile = document.createElement("canvas");
  tile.width = tile.height = size;
  const context = tile.getContext("2d");
  if (!context) return colour;
  context.fillStyle = colour;
  context.fillRect(0, 0, size, size);
  context.strokeStyle = "rgb(255 255 255 / 0.75)";
  if (name === "rest") context.strokeStyle = "rgb(128 128 128 / 0.9)";
  context.lineWidth = 1.3 * ratio;
  context.beginPath();
  hatch(context, size);
  context.stroke();
  return context.createPattern(tile, "repeat") ?? colour;
}

/** A small picture of a mode for legends. */
export function modeSwatch(name: string, colours: Colours): HTMLCanvasElement {
  const ratio = Math.min(2, window.devicePixelRatio || 1);
  const canvas = document.createElement("canvas");
  canvas.className = "swatch";
  canvas.width = 22 * ratio;
  canvas.height = 12 * ratio;
  canvas.setAttribute("aria-hidden", "true");
  const context = canvas.getContext("2d");
  if (context) {
    context.fillStyle = modeFill(name, colours, ratio);
    if (name === "separated") context.fillRect(0, canvas.height * 0.4, canvas.width, canvas.height * 0.2);
    else context.fillRect(0, 0, canvas.width, canvas.height);
  }
  return canvas;
}
