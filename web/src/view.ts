// The three-dimensional view: stage, bodies, overlays and cameras, kept at one time and one theme.
import { Vector3, type Group } from "three";
import { Bodies } from "./bodies";
import { Cameras } from "./cameras";
import { Contacts } from "./contacts";
import type { Replay } from "./data";
import { byId } from "./dom";
import { Ghosts } from "./ghosts";
import type { Settings } from "./settings";
import { Stage } from "./stage";
import { newStrokeUniforms } from "./strokes";
import type { Colours, Theme } from "./theme";
import type { Timeline } from "./timeline";
import { Traces } from "./traces";
import { withUnit } from "./units";

/** Against gravity; z where there is none. */
export function upOf([x, y, z]: [number, number, number]): Vector3 {
  const up = new Vector3(-x, -y, -z);
  return up.length() > 0 ? up.normalize() : new Vector3(0, 0, 1);
}

export class View {
  readonly stage: Stage;
  readonly bodies: Bodies;
  readonly cameras: Cameras;
  readonly ghosts: Ghosts;
  private readonly contacts_: Contacts;
  private readonly traces_: Traces;
  private readonly strokes_ = newStrokeUniforms();

  constructor(private readonly replay: Replay, private readonly timeline: Timeline, private readonly settings: Settings,
    canvas: HTMLCanvasElement, private readonly colours: () => Colours) {
    this.stage = new Stage(canvas, upOf(replay.gravity));
    this.strokes_.uFade.value = 0.1 * (timeline.end - timeline.start) || 1;
    const root: Group = this.stage.root;
    this.bodies = new Bodies(replay, timeline, root, this.strokes_, this.stage.up);
    this.contacts_ = new Contacts(replay, timeline, root);
    this.traces_ = new Traces(replay, timeline, this.bodies, this.strokes_);
    this.ghosts = new Ghosts(timeline, this.bodies, root);
    this.cameras = new Cameras(this.stage, timeline, this.bodies, canvas);
    canvas.setAttribute("aria-label", `Three-dimensional view of ${replay.bodies.map((body) => body.name).join(", ")}. Shift and arrow keys orbit.`);
    canvas.setAttribute("role", "img");
    const step = this.cameras.gridStep;
    this.bodies.ground.uStep.value = step;
    byId("grid-note").textContent = this.bodies.hasGrid ? `grid ${withUnit(step, "m")}` : "";
    new ResizeObserver(() => {
      const [width, height] = this.stage.size;
      this.stage.resize(width, height);
      this.strokes_.uResolution.value.set(width, height);
    }).observe(canvas);
    this.stage.resize(...this.stage.size);
    this.strokes_.uResolution.value.set(...this.stage.size);
  }

  setTheme(theme: Theme) {
    const colours = this.colours();
    this.stage.setTheme(theme);
    this.bodies.paint(colours);
    this.contacts_.paint(colours);
    this.ghosts.paint(colours);
    const palette = this.strokes_.uPalette.value;
    this.replay.modes.forEach((name, k) => palette[k]?.set(colours.modes[name] ?? colours.ink));
    palette[palette.length - 1].set(colours.ink);
  }

  /** Takes over what is to be shown. */
  apply() {
    this.bodies.apply(this.settings);
    this.traces_.apply(this.settings);
  }

  show(t: number) {
    const place = this.timeline.locate(t);
    this.strokes_.uNow.value = t;
    this.bodies.place(place);
    this.contacts_.show(place, this.settings, this.colours());
    this.ghosts.show(t, this.settings, this.colours());
    this.light_();
    this.stage.invalidate();
  }

  /** Where a point of a body, given in its frame, is in the picture, px. */
  screen(body: number, point: Vector3): [number, number] {
    const { group } = this.bodies.views[body];
    group.updateWorldMatrix(true, false);
    const p = point.clone().applyMatrix4(group.matrixWorld).project(this.stage.camera);
    const [width, height] = this.stage.size;
    return [(0.5 + 0.5 * p.x) * width, (0.5 - 0.5 * p.y) * height];
  }

  /** Once for each picture of the screen: lets the camera glide, and draws if need be. */
  tick(t: number): boolean {
    this.cameras.controls.update();
    this.cameras.update(t);
    return this.stage.draw();
  }

  /** The shadow map covers the moving bodies that are near what we look at. */
  private light_() {
    const free = this.bodies.free.filter((view) => view.free);
    if (free.length === 0) return this.stage.lightOn(new Vector3(), 10 * this.replay.length);
    const centre = new Vector3();
    for (const view of free) centre.addScaledVector(view.pose.position, 1 / free.length);
    let radius = 0;
    for (const view of free) radius = Math.max(radius, view.pose.position.distanceTo(centre) + 1.6 * view.radius);
    this.stage.lightOn(centre, Math.min(radius, 40 * this.replay.length));
  }
}
