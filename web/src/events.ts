// The list of events: each is a button that jumps to its time; kinds can be chosen; the last one passed is marked.
import type { Event, Replay } from "./data";
import { byId, make } from "./dom";
import { clock } from "./units";

const kAll = "all";
const kMain = "main";

export class Events {
  jumps = 0;
  private readonly list_ = make("ol");
  private readonly rows_: { event: Event; button: HTMLButtonElement; item: HTMLLIElement }[];
  private current_ = -1;

  constructor(replay: Replay, parent: HTMLElement, private readonly seek: (t: number) => void, private readonly changed: () => void) {
    const kinds = new Map<string, number>();
    for (const event of replay.events) kinds.set(event.kind, (kinds.get(event.kind) ?? 0) + 1);
    this.rows_ = replay.events.map((event) => {
      const button = make("button", { type: "button", title: event.meaning },
        make("time", {}, `${clock(event.t, Math.min(1e-3, replay.outputDt))} s`), make("span", {}, event.text.replace("->", "→")));
      button.addEventListener("click", () => this.jump_(event));
      return { event, button, item: make("li", {}, button) };
    });
    this.list_.append(...this.rows_.map(({ item }) => item));
    this.list_.addEventListener("keydown", (event) => this.walk_(event));
    if (kinds.size > 1) {
      const main = replay.events.filter((event) => !event.quiet).length;
      const pick = make("select", { "aria-label": "Kind of event" },
        ...(main < replay.events.length ? [make("option", { value: kMain }, `without coordinate changes (${main})`)] : []),
        make("option", { value: kAll }, `all kinds (${replay.events.length})`),
        ...[...kinds].map(([kind, count]) => make("option", { value: kind }, `${kind.replaceAll("_", " ")} (${count})`)));
      const choose = () => {
        for (const { event, item } of this.rows_) item.hidden = !this.chosen_(event, pick.value);
        this.current_ = -1;
        this.changed();
      };
      pick.addEventListener("change", choose);
      for (const { event, item } of this.rows_) item.hidden = !this.chosen_(event, pick.value);
      parent.append(pick);
    }
    parent.append(replay.events.length > 0 ? this.list_ : make("p", {}, "none"));
    byId("events").querySelector("summary")?.append(make("small", {}, ` ${replay.events.length}`));
  }

  /** Those that the list shows now. */
  get listed(): Event[] { return this.rows_.filter(({ item }) => !item.hidden).map(({ event }) => event); }

  /** The time of the first listed event after t (direction 1) or of the last before (-1), or nothing. */
  next(t: number, direction: 1 | -1): number | undefined {
    const tiny = 1e-9 * Math.max(1, Math.abs(t));
    const ahead = this.listed.map((event) => (event.t - t) * direction).filter((distance) => distance > tiny);
    return ahead.length > 0 ? t + direction * Math.min(...ahead) : undefined;
  }

  /** Marks the last event at or before t. */
  show(t: number, quietly: boolean) {
    const tiny = 1e-9 * Math.max(1, Math.abs(t));
    let last = -1;
    this.rows_.forEach(({ event, item }, k) => { if (!item.hidden && event.t <= t + tiny) last = k; });
    if (last === this.current_) return;
    for (const { button } of this.rows_) button.removeAttribute("aria-current");
    this.current_ = last;
    const row = this.rows_[last];
    if (!row) return;
    row.button.setAttribute("aria-current", "true");
    if (!this.list_.contains(document.activeElement)) scrollWithin(this.list_, row.item);
    if (!quietly) byId("live").textContent = row.event.text;
  }

  private chosen_(event: Event, kind: string): boolean {
    return kind === kAll || (kind === kMain ? !event.quiet : event.kind === kind);
  }

  private jump_(event: Event) {
    ++this.jumps;
    this.seek(event.t);
  }

  private walk_(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const open = this.rows_.filter(({ item }) => !item.hidden);
    const at = open.findIndex(({ button }) => button === document.activeElement);
    open[Math.min(open.length - 1, Math.max(0, at + step))]?.button.focus();
    event.preventDefault();
    event.stopPropagation();
  }
}

function scrollWithin(list: HTMLElement, item: HTMLElement) {
  const top = item.offsetTop;
  if (top < list.scrollTop || top + item.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - 0.4 * list.clientHeight;
}
