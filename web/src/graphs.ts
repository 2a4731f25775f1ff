// All graphs of the page: energy, the chosen contact, probes; drawn when seen, redrawn on a new width, theme or contact.
import type { Replay } from "./data";
import { make } from "./dom";
import { Graph, kPlotLeft, kPlotRight, type GraphSpec, type Line } from "./graph";
import { ModeBand } from "./modeband";
import { contactName, everTouches, touchingTime } from "./modes";
import type { Settings } from "./settings";
import type { Colours } from "./theme";
import type { Place } from "./timeline";

export class Graphs {
  private readonly band_: ModeBand | null;
  private readonly fixed_: Graph[];
  private readonly probes_: Graph[];
  private ofContact_: Graph[] = [];
  private readonly home_ = make("div");
  private readonly pick_: HTMLSelectElement | null = null;
  private width_ = 0;

  constructor(private readonly replay: Replay, parent: HTMLElement, private readonly settings: Settings, private readonly seek: (t: number) => void,
    private readonly colours: () => Colours, private readonly redrawn: () => void) {
    const { energy, t, probes } = replay;
    const parts: Line[] = [
      { label: "kinetic", values: energy.kinetic, colour: "kinetic" },
      { label: "potential from the start", values: energy.potential, colour: "potential" },
      { label: "total", values: energy.total, colour: "total" },
    ];
    if (energy.dissipated.some((v) => v !== 0)) parts.push({ label: "dissipated", values: energy.dissipated, colour: "dissipated", dash: [6, 3] });
    if (energy.work.some((v) => v !== 0)) parts.push({ label: "work", values: energy.work, colour: "work", dash: [2, 3] });
    const graph = (spec: GraphSpec) => new Graph(t, spec, seek);
    this.fixed_ = [
      graph({ title: "energy", unit: "J", lines: parts }),
      graph({ title: "energy error", unit: "", note: "relative", lines: [{ label: "error", values: energy.error, colour: "error" }] }),
    ];
    this.probes_ = probes.map((probe) => graph({ title: probe.name, unit: probe.unit, note: `= ${probe.formula}`, lines: [{ label: probe.name, values: probe.values, colour: "probe" }] }));
    this.band_ = replay.contacts.length > 0 ? new ModeBand(replay, { left: kPlotLeft, right: kPlotRight }, settings, seek) : null;
    if (replay.contacts.length > 1) {
      this.pick_ = this.makePick_();
      parent.append(make("label", { class: "pick" }, "Contact ", this.pick_));
    }
    parent.append(this.home_);
    this.setContact();
    new ResizeObserver(([entry]) => {
      const width = Math.floor(entry.contentRect.width);
      if (width > 0 && width !== this.width_) {
        this.width_ = width;
        this.draw();
      }
    }).observe(this.home_);
  }

  /** Shows the graphs of the contact that is chosen now. */
  setContact() {
    if (this.pick_) this.pick_.value = String(this.settings.contact);
    const contact = this.replay.contacts[this.settings.contact];
    this.ofContact_ = contact ? this.contactSpecs_(this.settings.contact).map((spec) => new Graph(this.replay.t, spec, this.seek)) : [];
    const band = this.band_ ? [this.band_.element] : [];
    this.home_.replaceChildren(...band, this.fixed_[0].element, ...[...this.ofContact_, ...this.probes_, this.fixed_[1]].map((graph) => graph.element));
    this.draw();
  }

  draw() {
    if (this.width_ === 0) return;
    for (const graph of this.all_) graph.draw(this.width_, this.colours());
    this.band_?.draw(this.width_, this.colours());
    this.redrawn();
  }

  show(t: number, { i, j, s }: Place) { for (const graph of this.all_) graph.show(t, i, j, s); }

  get cursorPosition() { return this.fixed_[0].cursorPosition; }

  private get all_() { return [...this.fixed_, ...this.ofContact_, ...this.probes_]; }

  private contactSpecs_(k: number): GraphSpec[] {
    const contact = this.replay.contacts[k];
    const note = this.replay.contacts.length > 1 ? `of ${contactName(this.replay, k)}` : "";
    const touching = (values: (i: number) => number) => Float64Array.from(contact.mode, (mode, i) => (mode === 0 ? NaN : values(i)));
    const size = (v: Float32Array) => touching((i) => Math.hypot(v[3 * i], v[3 * i + 1], v[3 * i + 2]));
    const gap: GraphSpec = { title: "gap", unit: "m", note, lines: [{ label: "gap", values: contact.gap, colour: "gap" }] };
    if (!everTouches(contact)) return [gap];
    return [
      { title: "force", unit: "N", note, lines: [
        { label: "normal", values: touching((i) => contact.normalForce[i]), colour: "normalForce" },
        { label: "friction", values: size(contact.frictionForce), colour: "friction", dash: [6, 3] },
      ] },
      { title: "slip speed", unit: "m/s", note, lines: [{ label: "slip", values: size(contact.slip), colour: "slip" }] },
      { title: "spin", unit: "rad/s", note: `${note} about the normal into ${this.replay.bodies[contact.a].name}`, lines: [{ label: "spin", values: touching((i) => -contact.spin[i]), colour: "spin" }] },
      gap,
    ];
  }

  /** Contacts that touch longest come first. */
  private makePick_(): HTMLSelectElement {
    const order = this.replay.contacts.map((contact, k) => ({ k, time: touchingTime(contact, this.replay.t) })).sort((x, y) => y.time - x.time);
    const pick = make("select", {}, ...order.map(({ k }) =>
      make("option", { value: k }, `${contactName(this.replay, k)}${everTouches(this.replay.contacts[k]) ? "" : " (apart in all frames)"}`)));
    pick.addEventListener("change", () => this.settings.set({ contact: Number(pick.value) }));
    return pick;
  }
}
