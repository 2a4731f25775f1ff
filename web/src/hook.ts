// window.oloid, for tests that watch the page: the time, the poses and what was drawn. Not used by the page itself.
import { Matrix4, Vector3 } from "three";
import type { Events } from "./events";
import type { Graphs } from "./graphs";
import type { Player } from "./player";
import type { Settings } from "./settings";
import { newPose, type Timeline } from "./timeline";
import type { View } from "./view";

export interface Hook {
  ready: boolean;                          // the first picture is drawn
  drawn: number;                           // pictures drawn so far
  time: number;                            // s; may be set
  readonly start: number;
  readonly end: number;
  readonly playing: boolean;
  readonly speed: number;
  readonly loop: boolean;
  readonly eventJumps: number;             // how often a row of the event list was chosen
  readonly graphCursor: number;            // px, of the first graph
  readonly camera: string;
  readonly bodies: { name: string; mass: number }[];
  pose(body: number): number[];            // 4 × 4, column after column, at the time shown
  screen(body: number, x: number, y: number, z: number): number[];     // px, where a point of a body is in the picture
}

declare global {
  interface Window { oloid?: Hook }
}

export function installHook(timeline: Timeline, player: Player, settings: Settings, events: Events, graphs: Graphs, view: View | null): Hook {
  const hook: Hook = {
    ready: false,
    drawn: 0,
    get time() { return player.time; },
    set time(t: number) { player.seek(t); },
    get start() { return timeline.start; },
    get end() { return timeline.end; },
    get playing() { return player.playing; },
    get speed() { return player.speed; },
    get loop() { return player.loop; },
    get eventJumps() { return events.jumps; },
    get graphCursor() { return graphs.cursorPosition; },
    get camera() { return settings.camera; },
    get bodies() { return timeline.replay.bodies.map(({ name, mass }) => ({ name, mass })); },
    pose(body: number) {
      const { position, orientation } = timeline.pose(timeline.replay.bodies[body], timeline.locate(player.time), newPose());
      return new Matrix4().compose(position, orientation, new Vector3(1, 1, 1)).toArray();
    },
    screen: (body, x, y, z) => view?.screen(body, new Vector3(x, y, z)) ?? [],
  };
  window.oloid = hook;
  return hook;
}
