// The clock of the page: the time shown, playing or not, speed and loop.
import type { Timeline } from "./timeline";

export const kSpeeds = [0.1, 0.2, 0.5, 1, 2, 5, 10];

type Listener = () => void;

export class Player {
  private time_: number;
  private playing_ = false;
  private speed_: number;
  private loop_ = false;
  private readonly listeners_: Listener[] = [];

  constructor(private readonly timeline: Timeline) {
    this.time_ = timeline.start;
    const shown = timeline.end - timeline.start;
    this.speed_ = [...kSpeeds].reverse().find((speed) => speed <= 1 && shown / speed >= 3) ?? kSpeeds[0];
  }

  get time() { return this.time_; }
  get playing() { return this.playing_; }
  get speed() { return this.speed_; }
  get loop() { return this.loop_; }

  onChange(listener: Listener) { this.listeners_.push(listener); }

  seek(t: number) {
    const to = Math.min(this.timeline.end, Math.max(this.timeline.start, t));
    if (!Number.isFinite(to) || to === this.time_) return;
    this.time_ = to;
    this.changed_();
  }

  play() {
    if (this.time_ >= this.timeline.end) this.time_ = this.timeline.start;
    this.playing_ = this.timeline.end > this.timeline.start;
    this.changed_();
  }

  pause() {
    this.playing_ = false;
    this.changed_();
  }

  toggle() { if (this.playing_) this.pause(); else this.play(); }

  setSpeed(speed: number) {
    this.speed_ = speed;
    this.changed_();
  }

  changeSpeed(by: 1 | -1) {
    const at = kSpeeds.indexOf(this.speed_);
    this.setSpeed(kSpeeds[Math.min(kSpeeds.length - 1, Math.max(0, at + by))]);
  }

  setLoop(loop: boolean) {
    this.loop_ = loop;
    this.changed_();
  }

  /** Lets real seconds pass. */
  advance(seconds: number) {
    if (!this.playing_) return;
    const { start, end } = this.timeline;
    let t = this.time_ + seconds * this.speed_;
    if (t >= end) {
      if (this.loop_) t = start + ((t - start) % (end - start));
      else {
        t = end;
        this.playing_ = false;
      }
    }
    this.time_ = t;
    this.changed_();
  }

  private changed_() { for (const listener of this.listeners_) listener(); }
}
