// One graph over time: lines, axes with units, a cursor at the time shown and the values there. A press sets the time.
import uPlot from "uplot";
import { make } from "./dom";
import type { Colours } from "./theme";
import { plain } from "./units";

export type Hue = "kinetic" | "potential" | "total" | "dissipated" | "work" | "normalForce" | "friction" | "slip" | "spin" | "gap" | "probe" | "error";

export interface Line { label: string; values: ArrayLike<number>; colour: Hue; dash?: number[] }

export interface GraphSpec { title: string; unit: string; note?: string; lines: Line[] }

export const kPlotLeft = 56;
export const kPlotRight = 18;
const kHeight = 104;

export class Graph {
  readonly element: HTMLElement;
  private readonly plotHome_ = make("div", { class: "plot" });
  private readonly cursor_ = make("div", { class: "now" });
  private readonly values_: HTMLElement[] = [];
  private readonly legend_ = make("p", { class: "legend" });
  private plot_: uPlot | null = null;

  constructor(private readonly t: Float64Array, private readonly spec: GraphSpec, private readonly seek: (t: number) => void) {
    const caption = make("figcaption", {}, make("b", {}, spec.title), spec.unit ? ` [${spec.unit}]` : "", spec.note ? ` ${spec.note}` : "");
    this.element = make("figure", { class: "graph" }, caption, this.legend_, this.plotHome_);
    this.plotHome_.setAttribute("role", "img");
    this.plotHome_.setAttribute("aria-label", `Graph of ${spec.title} over time`);
  }

  /** Draws anew, for a width and a theme. */
  draw(width: number, colours: Colours) {
    this.plot_?.destroy();
    const { lines } = this.spec;
    const axis = {
      stroke: colours.faint, font: "11px system-ui, sans-serif", grid: { stroke: colours.grid, width: 1 }, ticks: { stroke: colours.grid, width: 1, size: 4 },
    };
    const options: uPlot.Options = {
      width, height: kHeight, padding: [6, kPlotRight, 0, 0], legend: { show: false },
      cursor: { show: false },
      scales: { x: { time: false }, y: { range: yRange } },
      axes: [
        { ...axis, size: 20, gap: 2, values: (_, splits) => splits.map((v, k) => (k === splits.length - 1 ? `${plain(v)} s` : plain(v))) },
        { ...axis, size: kPlotLeft, gap: 4, space: 26, values: (_, splits) => splits.map((v) => plain(v, 4)) },
      ],
      series: [{}, ...lines.map((line) => ({
        label: line.label, stroke: colours.lines[line.colour], width: 1.5, points: { show: false }, spanGaps: false,
        ...(line.dash ? { dash: line.dash } : {}),
      }))],
    };
    const data = [this.t, ...lines.map((line) => Array.from(line.values, (v) => (Number.isFinite(v) ? v : null)))] as uPlot.AlignedData;
    this.plotHome_.replaceChildren();
    this.plot_ = new uPlot(options, data, this.plotHome_);
    this.plot_.over.append(this.cursor_);
    this.listen_(this.plot_);
    this.values_.length = 0;
    this.legend_.replaceChildren(...lines.map((line) => {
      const key = make("i", { style: `--colour:${colours.lines[line.colour]}`, class: line.dash ? "dashed" : "" });
      const value = make("span", { class: "value" });
      this.values_.push(value);
      return make("span", {}, key, lines.length > 1 ? `${line.label} ` : "", value);
    }));
  }

  show(t: number, frame: number, next: number, s: number) {
    if (!this.plot_) return;
    this.cursor_.style.transform = `translateX(${this.plot_.valToPos(t, "x").toFixed(2)}px)`;
    this.spec.lines.forEach((line, k) => {
      const [v, w] = [line.values[frame], line.values[next]];
      const value = s > 0 && Number.isFinite(w) ? v + s * (w - v) : v;
      this.values_[k].textContent = plain(value);
    });
  }

  get cursorPosition(): number { return this.plot_ ? new DOMMatrix(this.cursor_.style.transform).m41 : NaN; }

  private listen_(plot: uPlot) {
    const set = (event: PointerEvent) => this.seek(plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, "x"));
    plot.over.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      plot.over.setPointerCapture(event.pointerId);
      set(event);
    });
    plot.over.addEventListener("pointermove", (event) => { if (event.buttons & 1) set(event); });
  }
}

/** Room above and below; a constant gets a line in the middle. */
function yRange(_: uPlot, low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const spread = high - low;
  if (spread < 1e-7 * Math.max(Math.abs(low), Math.abs(high)) || spread === 0) {
    return low === 0 ? [0, 1] : [low - 0.1 * Math.abs(low), high + 0.1 * Math.abs(low)];
  }
  return [low - 0.08 * spread, high + 0.08 * spread];
}
