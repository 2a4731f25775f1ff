// The help dialog: keys, mouse and touch.
import { byId, make } from "./dom";
import { kToggles } from "./settings";

const kKeys: [string[], string][] = [
  [["space"], "play, pause"],
  [["←", "→"], "one frame back, forward"],
  [["Page Up", "Page Down"], "a twentieth of the run back, forward"],
  [["Home", "End"], "to the start, to the end"],
  [["n", "p"], "next, previous event"],
  [[",", "."], "slower, faster"],
  [["l"], "loop"],
  [["c"], "camera: world, follow body, fixed on body"],
  [["Shift", "← → ↑ ↓"], "orbit"],
  [["w", "a", "s", "d"], "pan"],
  [["+", "−"], "zoom"],
  [["r"], "reset the view"],
  [["m"], "light or dark theme"],
  [["?"], "this help"],
];

export class Help {
  private readonly dialog_ = byId<HTMLDialogElement>("help");

  constructor() {
    const rows = (list: [string[], string][]) => make("table", {}, ...list.map(([keys, text]) =>
      make("tr", {}, make("th", { scope: "row" }, ...keys.flatMap((key) => [make("kbd", {}, key), " "])), make("td", {}, text))));
    const close = make("button", { type: "button", autofocus: true }, "Close");
    close.addEventListener("click", () => this.dialog_.close());
    this.dialog_.append(
      make("h2", {}, "Keys"),
      make("div", { class: "columns" }, rows(kKeys), rows(kToggles.map(({ key, label }) => [[key], label.toLowerCase()]))),
      make("h2", {}, "Mouse and touch"),
      make("p", {}, "Drag: orbit. Right button or two fingers: pan. Wheel or pinch: zoom. Click or drag in a graph: set the time. " +
        "Colours and hatching show the mode of a contact; dashed traces mark sliding."),
      close);
    byId("help-open").addEventListener("click", () => this.open());
    this.dialog_.addEventListener("click", (event) => { if (event.target === this.dialog_) this.dialog_.close(); });
  }

  get isOpen() { return this.dialog_.open; }
  open() { this.dialog_.showModal(); }
}
