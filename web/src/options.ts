// The panel of the view: toggles of overlays, camera, ghosts.
import type { Bodies } from "./bodies";
import { make } from "./dom";
import { kCameraModes, kToggles, type CameraMode, type Settings } from "./settings";

const kCameraNames: Record<CameraMode, string> = { world: "world", follow: "follow body", fixed: "fixed on body" };
const kGhostSteps = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];

export class Options {
  private readonly boxes_ = new Map<string, HTMLInputElement>();
  private readonly camera_: HTMLSelectElement;
  private readonly body_: HTMLSelectElement;
  private readonly ghostStep_: HTMLSelectElement;

  constructor(parent: HTMLElement, private readonly settings: Settings, bodies: Bodies, autoGhostStep: number, resetView: () => void) {
    const has = { borders: bodies.views.some((view) => view.borders), lines: bodies.views.some((view) => view.lines) };
    const toggles = make("div", { class: "toggles" });
    for (const { id, label, key } of kToggles) {
      if ((id === "borders" || id === "lines") && !has[id]) continue;
      const box = make("input", { type: "checkbox", id: `show-${id}` });
      box.addEventListener("change", () => settings.set({ on: { [id]: box.checked } }));
      this.boxes_.set(id, box);
      toggles.append(make("label", { class: `toggle ${id}` }, box, make("span", {}, label), make("kbd", {}, key)));
    }
    this.camera_ = make("select", {}, ...kCameraModes.map((mode) => make("option", { value: mode }, kCameraNames[mode])));
    this.camera_.addEventListener("change", () => settings.set({ camera: this.camera_.value as CameraMode }));
    this.body_ = make("select", {}, ...bodies.views.map((view, k) => make("option", { value: k }, view.body.name)));
    this.body_.addEventListener("change", () => settings.set({ body: Number(this.body_.value) }));
    this.ghostStep_ = make("select", {}, make("option", { value: 0 }, `auto: ${autoGhostStep} s`),
      ...kGhostSteps.map((step) => make("option", { value: step }, `${step} s`)));
    this.ghostStep_.addEventListener("change", () => settings.set({ ghostStep: Number(this.ghostStep_.value) }));
    const reset = make("button", { type: "button", title: "Reset the view (r)" }, "Reset view");
    reset.addEventListener("click", resetView);
    parent.append(toggles,
      make("label", { class: "choice" }, "Ghosts every", this.ghostStep_),
      make("label", { class: "choice" }, "Camera", this.camera_),
      make("label", { class: "choice" }, "Body", this.body_), reset);
    this.show();
  }

  show() {
    for (const [id, box] of this.boxes_) box.checked = this.settings.on[id as keyof Settings["on"]];
    this.camera_.value = this.settings.camera;
    this.body_.value = String(this.settings.body);
    this.ghostStep_.value = String(this.settings.ghostStep);
  }
}
