// Light and dark, and all colours that are not in the style sheet; those of modes come with the record. Okabe and Ito's, which the
// colour-blind can tell apart.
import type { Replay } from "./data";
import type { Hue } from "./graph";

export type Theme = "light" | "dark";

export interface Colours {
  ink: string;
  faint: string;
  grid: string;
  modes: Record<string, string>;
  axes: [string, string, string];            // of the contact frame: two along the surface, normal
  lines: Record<Hue, string>;
  bodies: string[];
  fixed: string;
  ground: string;
  gridTone: number;          // of the lines on the ground, whose own is 1
}

const kBodies = ["#3f79ad", "#d08a3e", "#3f9a80", "#b0708f", "#6fb1d6", "#b8a23c", "#a9593a"];

const kLight: Omit<Colours, "modes"> = {
  ink: "#20252b", faint: "#6a7077", grid: "#e4e1da",
  axes: ["#0072b2", "#009e73", "#20252b"],
  lines: {
    kinetic: "#0072b2", potential: "#d55e00", total: "#20252b", dissipated: "#b5478a", work: "#009e73", error: "#20252b", probe: "#0072b2",
    normalForce: "#20252b", friction: "#d98e00", slip: "#b5478a", spin: "#009e73", gap: "#6a7077",
  },
  bodies: kBodies, fixed: "#d6d6d3", ground: "#e2e2e0", gridTone: 0.66,
};

const kDark: Omit<Colours, "modes"> = {
  ink: "#e8e6e1", faint: "#9aa1a9", grid: "#2d333b",
  axes: ["#56b4e9", "#18c495", "#e8e6e1"],
  lines: {
    kinetic: "#56b4e9", potential: "#ff8533", total: "#e8e6e1", dissipated: "#e58fc0", work: "#18c495", error: "#e8e6e1", probe: "#56b4e9",
    normalForce: "#f4f2ee", friction: "#f0b429", slip: "#e58fc0", spin: "#18c495", gap: "#9aa1a9",
  },
  bodies: kBodies, fixed: "#6b727b", ground: "#444b54", gridTone: 2,
};

export class ThemeSwitch {
  private theme_: Theme;
  private chosen_ = false;
  private readonly listeners_: (() => void)[] = [];
  private readonly light_: Colours;
  private readonly dark_: Colours;

  constructor(private readonly root: HTMLElement, { modes, modeColours }: Replay) {
    const named = (colours: string[]) => Object.fromEntries(modes.map((name, k) => [name, colours[k]]));
    this.light_ = { ...kLight, modes: named(modeColours.light) };
    this.dark_ = { ...kDark, modes: named(modeColours.dark) };
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    this.theme_ = dark.matches ? "dark" : "light";
    root.dataset["theme"] = this.theme_;
    dark.addEventListener("change", () => { if (!this.chosen_) this.apply_(dark.matches ? "dark" : "light"); });
  }

  get theme() { return this.theme_; }
  get colours() { return this.theme_ === "dark" ? this.dark_ : this.light_; }

  onChange(listener: () => void) { this.listeners_.push(listener); }

  toggle() {
    this.chosen_ = true;
    this.apply_(this.theme_ === "dark" ? "light" : "dark");
  }

  private apply_(theme: Theme) {
    this.theme_ = theme;
    this.root.dataset["theme"] = theme;
    for (const listener of this.listeners_) listener();
  }
}
