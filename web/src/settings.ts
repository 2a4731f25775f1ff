// What is shown: the toggles of the view, the chosen contact and the camera; one place that all others listen to.

export const kToggles = [
  { id: "point", label: "Contact point", key: "o", on: true },
  { id: "traces", label: "Traces", key: "t", on: true },
  { id: "forces", label: "Forces", key: "f", on: true },
  { id: "cone", label: "Friction cone", key: "k", on: false },
  { id: "slip", label: "Slip velocity", key: "v", on: true },
  { id: "frame", label: "Contact frame", key: "e", on: false },
  { id: "ghosts", label: "Ghosts", key: "g", on: false },
  { id: "borders", label: "Patch borders", key: "b", on: false },
  { id: "lines", label: "Parameter lines", key: "i", on: false },
  { id: "glass", label: "See-through bodies", key: "x", on: false },
] as const;

export type Toggle = (typeof kToggles)[number]["id"];
export type CameraMode = "world" | "follow" | "fixed";
export const kCameraModes: CameraMode[] = ["world", "follow", "fixed"];

export class Settings {
  readonly on: Record<Toggle, boolean> = Object.fromEntries(kToggles.map(({ id, on }) => [id, on])) as Record<Toggle, boolean>;
  contact = 0;
  camera: CameraMode = "world";
  body = 0;             // that the camera looks at
  ghostStep = 0;        // s between ghosts, 0: chosen by the page
  private readonly listeners_: ((what: string) => void)[] = [];

  onChange(listener: (what: string) => void) { this.listeners_.push(listener); }

  flip(id: Toggle) { this.set({ on: { [id]: !this.on[id] } }); }

  /** Changes some and tells all. */
  set(change: Partial<Omit<Settings, "on">> & { on?: Partial<Record<Toggle, boolean>> }) {
    const { on, ...rest } = change;
    Object.assign(this.on, on);
    Object.assign(this, rest);
    for (const listener of this.listeners_) listener(on ? "on" : Object.keys(rest)[0]);
  }
}
