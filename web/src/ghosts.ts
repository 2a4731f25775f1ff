// The ghost trail: translucent copies of the moving bodies where they were a while ago, at evenly spaced times.
import { Box3, Mesh, type Group, type MeshStandardMaterial } from "three";
import type { Bodies, BodyView } from "./bodies";
import { bodyMaterial } from "./materials";
import type { Settings } from "./settings";
import type { Colours } from "./theme";
import { newPose, type Timeline } from "./timeline";
import { round125 } from "./units";

const kGhosts = 10;

export class Ghosts {
  readonly autoStep: number;
  private readonly meshes_: { view: BodyView; copies: Mesh[] }[] = [];
  private readonly materials_: MeshStandardMaterial[][] = [];
  private readonly pose_ = newPose();

  constructor(private readonly timeline: Timeline, private readonly bodies: Bodies, private readonly root: Group) {
    this.autoStep = this.step_();
  }

  paint(colours: Colours) {
    this.materials_.forEach((list, k) => list.forEach((material) => material.color.set(colours.bodies[k % colours.bodies.length])));
  }

  show(t: number, settings: Settings, colours: Colours) {
    if (!settings.on.ghosts) {
      for (const { copies } of this.meshes_) for (const copy of copies) copy.visible = false;
      return;
    }
    if (this.meshes_.length === 0) this.make_(colours);
    const step = settings.ghostStep > 0 ? settings.ghostStep : this.autoStep;
    const last = Math.ceil((t - this.timeline.start) / step - 1e-6) - 1;
    for (let g = 0; g < kGhosts; ++g) {
      const slot = (((last - g) % kGhosts) + kGhosts) % kGhosts;
      const at = this.timeline.start + (last - g) * step;
      const visible = last - g >= 0;
      const age = (t - at) / (kGhosts * step);
      const place = this.timeline.locate(at);
      this.meshes_.forEach(({ view, copies }, k) => {
        const copy = copies[slot];
        copy.visible = visible;
        if (!visible) return;
        this.timeline.pose(view.body, place, this.pose_);
        copy.position.copy(this.pose_.position);
        copy.quaternion.copy(this.pose_.orientation);
        this.materials_[k][slot].opacity = 0.34 * Math.max(0.06, 1 - age) ** 1.3;
        copy.renderOrder = 1 - g / (kGhosts + 1);
      });
    }
  }

  private make_(colours: Colours) {
    for (const view of this.bodies.views) {
      if (!view.free || !view.geometry) continue;
      const materials: MeshStandardMaterial[] = [];
      const copies: Mesh[] = [];
      for (let g = 0; g < kGhosts; ++g) {
        const material = bodyMaterial(view.geometry.boundingBox ?? new Box3());
        material.transparent = true;
        material.depthWrite = false;
        const copy = new Mesh(view.geometry, material);
        materials.push(material);
        copies.push(copy);
        this.root.add(copy);
      }
      this.meshes_.push({ view, copies });
      this.materials_.push(materials);
    }
    this.paint(colours);
  }

  /** So that neighbours are about a diameter apart, or turned by a quarter of a radian where bodies only turn. */
  private step_(): number {
    const { replay, start, end } = this.timeline;
    let path = 0;
    for (const view of this.bodies.views) {
      if (!view.free) continue;
      const p = view.body.position;
      const w = view.body.angularVelocity;
      let sum = 0;
      for (let i = 1; i < replay.frames; ++i) {
        const h = replay.t[i] - replay.t[i - 1];
        const travel = Math.hypot(p[3 * i] - p[3 * i - 3], p[3 * i + 1] - p[3 * i - 2], p[3 * i + 2] - p[3 * i - 1]) / view.radius;
        const turn = h * Math.hypot(w[3 * i], w[3 * i + 1], w[3 * i + 2]);
        sum += Math.max(0.45 * travel, turn * 0.25);
      }
      path = Math.max(path, sum);
    }
    const wanted = path > 0 ? (end - start) / path : (end - start) / 20;
    return round125(Math.min((end - start) / 8, Math.max(replay.outputDt, wanted)));
  }
}
