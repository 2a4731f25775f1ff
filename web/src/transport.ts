// The bar of time: play, slider with marks of events, speed, loop.
import { byId, make } from "./dom";
import { kSpeeds, type Player } from "./player";
import type { Colours } from "./theme";
import type { Timeline } from "./timeline";
import { clock } from "./units";

const kThumb = 18;       // px, width of the slider's thumb: the ends of the track are half of it away from the ends of the slider

export class Transport {
  private readonly slider_ = byId<HTMLInputElement>("time");
  private readonly clock_ = byId("clock");
  private readonly play_ = byId("play");
  private readonly loop_ = byId("loop");
  private readonly speed_ = byId<HTMLSelectElement>("speed");
  private readonly marks_ = byId<HTMLCanvasElement>("marks");

  constructor(private readonly player: Player, private readonly timeline: Timeline, jump: (direction: 1 | -1) => void, private readonly colours: () => Colours) {
    this.slider_.min = String(timeline.start);
    this.slider_.max = String(timeline.end);
    this.slider_.addEventListener("input", () => player.seek(Number(this.slider_.value)));
    this.speed_.append(...kSpeeds.map((speed) => make("option", { value: speed }, `${speed} ×`)));
    this.speed_.addEventListener("change", () => player.setSpeed(Number(this.speed_.value)));
    this.play_.addEventListener("click", () => player.toggle());
    this.loop_.addEventListener("click", () => player.setLoop(!player.loop));
    byId("to-start").addEventListener("click", () => player.seek(timeline.start));
    byId("next-event").addEventListener("click", () => jump(1));
    byId("previous-event").addEventListener("click", () => jump(-1));
    new ResizeObserver(() => this.drawMarks()).observe(this.marks_);
    this.show();
  }

  show() {
    const { player, timeline } = this;
    const step = timeline.replay.outputDt;
    const text = clock(player.time, step);
    this.slider_.value = String(player.time);
    this.slider_.setAttribute("aria-valuetext", `${text} seconds of ${clock(timeline.end, step)}`);
    const share = (player.time - timeline.start) / Math.max(1e-12, timeline.end - timeline.start);
    this.slider_.style.setProperty("--share", String(share));
    this.clock_.textContent = `${text} s`;
    const label = player.playing ? "Pause" : "Play";
    if (this.play_.getAttribute("aria-label") !== label) {
      this.play_.setAttribute("aria-label", label);
      this.play_.classList.toggle("playing", player.playing);
    }
    this.loop_.setAttribute("aria-pressed", String(player.loop));
    this.speed_.value = String(player.speed);
  }

  drawMarks() {
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    const { clientWidth: width, clientHeight: height } = this.marks_;
    this.marks_.width = Math.round(width * ratio);
    this.marks_.height = Math.round(height * ratio);
    const context = this.marks_.getContext("2d");
    if (!context) return;
    const { start, end, replay } = this.timeline;
    context.fillStyle = this.colours().faint;
    for (const event of replay.events) {
      if (event.quiet) continue;
      const x = kThumb / 2 + ((event.t - start) / Math.max(1e-12, end - start)) * (width - kThumb);
      context.fillRect(Math.round(x * ratio) - 0.5, 0, ratio, this.marks_.height);
    }
  }
}
