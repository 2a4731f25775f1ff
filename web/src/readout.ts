// What the chosen contact does now, in words and numbers.
import type { Replay } from "./data";
import { make } from "./dom";
import { contactName, modeName, modeSwatch } from "./modes";
import type { Settings } from "./settings";
import type { Colours } from "./theme";
import { newContactState, type Place, type Timeline } from "./timeline";
import { withUnit } from "./units";

export class Readout {
  private readonly state_ = newContactState();
  private readonly head_ = make("p", { class: "mode" });
  private readonly numbers_ = make("dl");
  private shown_ = "";

  constructor(private readonly replay: Replay, private readonly timeline: Timeline, private readonly home: HTMLElement) {
    home.append(this.head_, this.numbers_);
  }

  show(place: Place, settings: Settings, colours: Colours) {
    const contact = this.replay.contacts[settings.contact];
    this.home.hidden = !contact;
    if (!contact) return;
    const state = this.timeline.contact(contact, place, this.state_);
    const name = this.replay.modes[state.mode];
    const key = `${name} ${settings.contact} ${colours.ink}`;
    if (key !== this.shown_) {
      this.shown_ = key;
      this.head_.replaceChildren(modeSwatch(name, colours), make("b", {}, modeName(name)), make("span", {}, contactName(this.replay, settings.contact)));
    }
    const entries: [string, string, string][] = state.mode === 0
      ? [["gap", withUnit(state.gap, "m"), colours.lines.gap]]
      : [
        ["normal force", withUnit(state.normalForce, "N"), colours.lines.normalForce],
        ["friction", frictionText(state.frictionForce.length(), state.normalForce, contact.friction), colours.lines.friction],
        ["slip", withUnit(state.slip.length(), "m/s"), colours.lines.slip],
        ["spin", withUnit(-state.spin, "rad/s"), "transparent"],
      ];
    this.numbers_.replaceChildren(...entries.map(([label, value, colour]) =>
      make("div", {}, make("i", { style: `--colour:${colour}` }), make("dt", {}, label), make("dd", {}, value))));
  }
}

function frictionText(friction: number, normal: number, coefficient: number | "unlimited" | null): string {
  const share = typeof coefficient === "number" && coefficient > 0 && normal > 0 ? ` (${Math.round((100 * friction) / (coefficient * normal))} % of µN)` : "";
  return withUnit(friction, "N") + share;
}
