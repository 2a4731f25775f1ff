// The mode band: for each contact that ever touches, a strip of its modes over time. A click chooses contact and time.
import type { Replay } from "./data";
import { make } from "./dom";
import { contactName, modeFill, modeName, modeRuns, modeSwatch, type Run } from "./modes";
import type { Settings } from "./settings";
import type { Colours } from "./theme";

export interface PlotArea { left: number; right: number }      // margins in pixels, as in the graphs

const kMostRows = 24;

export class ModeBand {
  readonly element: HTMLElement;
  private readonly canvas_ = make("canvas", { role: "img" });
  private readonly legend_ = make("p", { class: "legend" });
  private readonly rows_: { contact: number; runs: Run[] }[];
  private readonly rowHeight_: number;      // px
  private readonly labelHeight_: number;    // above each row; 0: there is one contact only, or there are many

  constructor(private readonly replay: Replay, private readonly area: PlotArea, private readonly settings: Settings,
    private readonly seek: (t: number) => void) {
    const touching = replay.contacts.map((contact, k) => ({ contact: k, runs: modeRuns(contact, replay.t) }))
      .filter(({ runs }) => runs.some((run) => run.mode !== 0));
    this.rows_ = (touching.length > 0 ? touching : replay.contacts.slice(0, 1).map((contact, k) => ({ contact: k, runs: modeRuns(contact, replay.t) })))
      .slice(0, kMostRows);
    const many = this.rows_.length > 6;
    this.rowHeight_ = many ? 9 : 16;
    this.labelHeight_ = many || this.rows_.length < 2 ? 0 : 15;
    const more = touching.length > kMostRows ? `, the first ${kMostRows} of ${touching.length} contacts` : "";
    this.element = make("figure", { class: "graph" }, make("figcaption", {}, make("b", {}, "mode"), ` of contact${more}`), this.legend_, this.canvas_);
    this.canvas_.setAttribute("aria-label", this.describe_());
    this.canvas_.addEventListener("pointerdown", (event) => this.press_(event, true));
    this.canvas_.addEventListener("pointermove", (event) => { if (event.buttons & 1) this.press_(event, false); });
  }

  draw(width: number, colours: Colours) {
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    const height = this.rows_.length * this.pitch_;
    const { left, right } = this.area;
    this.canvas_.style.width = `${width}px`;
    this.canvas_.style.height = `${height}px`;
    this.canvas_.width = Math.round(width * ratio);
    this.canvas_.height = Math.round(height * ratio);
    const context = this.canvas_.getContext("2d");
    if (!context) return;
    const { t, modes } = this.replay;
    const [start, end] = [t[0], t[t.length - 1]];
    const x = (time: number) => ratio * (left + ((time - start) / Math.max(1e-12, end - start)) * (width - left - right));
    const fills = modes.map((name) => modeFill(name, colours, ratio));
    this.rows_.forEach(({ contact, runs }, row) => {
      const y = ratio * (row * this.pitch_ + this.labelHeight_);
      if (this.labelHeight_ > 0) {
        context.fillStyle = contact === this.settings.contact ? colours.ink : colours.faint;
        context.font = `${11 * ratio}px system-ui, sans-serif`;
        context.fillText(contactName(this.replay, contact), ratio * left, y - 3 * ratio, ratio * (width - left - right));
      }
      const high = ratio * this.rowHeight_;
      for (const run of runs) {
        const wide = Math.max(0.6 * ratio, x(run.to) - x(run.from));
        context.fillStyle = fills[run.mode];
        if (run.mode === 0) context.fillRect(x(run.from), y + 0.44 * high, wide, 0.12 * high);
        else context.fillRect(x(run.from), y, wide, high);
      }
      if (contact === this.settings.contact && this.rows_.length > 1) {
        context.fillStyle = colours.ink;
        context.beginPath();
        context.moveTo(ratio * (left - 10), y + 0.25 * high);
        context.lineTo(ratio * (left - 3), y + 0.5 * high);
        context.lineTo(ratio * (left - 10), y + 0.75 * high);
        context.fill();
      }
    });
    const seen = modes.filter((_, mode) => this.rows_.some(({ runs }) => runs.some((run) => run.mode === mode)));
    this.legend_.replaceChildren(...seen.map((name) => make("span", {}, modeSwatch(name, colours), modeName(name))));
  }

  private get pitch_() { return this.labelHeight_ + this.rowHeight_ + 2; }

  private describe_(): string {
    return this.rows_.map(({ contact, runs }) => {
      const parts = runs.slice(0, 12).map((run) => `${modeName(this.replay.modes[run.mode])} from ${run.from.toFixed(3)} s`);
      return `${contactName(this.replay, contact)}: ${parts.join(", ")}${runs.length > 12 ? " and so on" : ""}`;
    }).join("; ");
  }

  private press_(event: PointerEvent, choose: boolean) {
    const box = this.canvas_.getBoundingClientRect();
    const { t } = this.replay;
    const { left, right } = this.area;
    const share = (event.clientX - box.left - left) / (box.width - left - right);
    this.seek(t[0] + share * (t[t.length - 1] - t[0]));
    const row = this.rows_[Math.floor((event.clientY - box.top) / this.pitch_)];
    if (choose && row && row.contact !== this.settings.contact) this.settings.set({ contact: row.contact });
    if (choose) this.canvas_.setPointerCapture(event.pointerId);
  }
}
