// The head of the page: scene, summary numbers, and notices about what the page leaves out.
import type { Replay } from "./data";
import { byId, make } from "./dom";
import { plain, withUnit } from "./units";

export function showHeader(replay: Replay) {
  document.title = `${replay.scene} – oloid`;
  byId("scene").textContent = replay.scene;
  byId("about").textContent = replay.about;
  byId("about").title = replay.about;
  const { summary } = replay;
  const numbers: [string, string, string][] = summary
    ? [
      ["energy drift", plain(summary.energy_max_relative_drift, 2), "largest relative error of the energy balance"],
      ["gap error", withUnit(summary.max_gap_error, "m"), "largest gap between bodies in contact"],
      ["steps", plain(summary.steps, 6), `computed in ${withUnit(summary.wall_s, "s")}`],
    ]
    : [];
  byId("summary").replaceChildren(...numbers.map(([name, value, title]) => make("div", { title }, make("dt", {}, name), make("dd", {}, value))));
  byId("notices").replaceChildren(...notices(replay).map((text) => make("p", { role: "note" }, text)));
}

function notices(replay: Replay): string[] {
  const found: string[] = [];
  if (!replay.complete) found.push("The run did not finish; its last event may say why.");
  if (replay.keptEvery > 1) {
    found.push(`To keep the page small, it shows ${replay.frames} of ${replay.framesRecorded} recorded frames: ` +
      `every ${ordinal(replay.keptEvery)} of those at multiples of ${withUnit(replay.outputDt, "s")}. The record contains all of them.`);
  }
  if (replay.eventFramesDropped > 0) {
    found.push(`${replay.eventFramesDropped} frames just before and after events were omitted, so velocity jumps look rounded.`);
  }
  if (replay.eventsRecorded > replay.events.length) {
    found.push(`The list shows ${replay.events.length} of ${replay.eventsRecorded} events: the first ones and the last one.`);
  }
  if (replay.contactsRecorded > replay.contacts.length) {
    found.push(`Only the ${replay.contacts.length} of ${replay.contactsRecorded} pairs of bodies that ever touch are shown.`);
  }
  for (const { name, mesh } of replay.bodies) {
    if (!mesh) found.push(`The surface of ${name} has no triangles; a wireframe ball marks its position.`);
    if (mesh && mesh.moved > 0) found.push(`The surface of ${name} is drawn more coarsely than recorded: points are displaced by up to ${withUnit(mesh.moved, "m")}.`);
  }
  return found;
}

function ordinal(n: number): string {
  const tail = n % 100 > 10 && n % 100 < 14 ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th");
  return `${n}${tail}`;
}
