// The replay page: reads the record, builds the parts and keeps them all at one time.
import { readReplay, RecordError, type Replay } from "./data";
import { byId, make } from "./dom";
import { Events } from "./events";
import { Graphs } from "./graphs";
import { readHash, writeHash } from "./hash";
import { showHeader } from "./header";
import { Help } from "./help";
import { installHook } from "./hook";
import { listenToKeys, type Action } from "./keys";
import { mainContact } from "./modes";
import { Options } from "./options";
import { Player } from "./player";
import { Readout } from "./readout";
import { kCameraModes, kToggles, Settings } from "./settings";
import { ThemeSwitch } from "./theme";
import { Timeline } from "./timeline";
import { Transport } from "./transport";
import { View } from "./view";

function firstSettings(replay: Replay): Settings {
  const settings = new Settings();
  settings.contact = mainContact(replay);
  settings.body = Math.max(0, replay.bodies.findIndex((body) => body.mass > 0));
  return settings;
}

function webglWorks(): boolean {
  try {
    return document.createElement("canvas").getContext("webgl2") !== null;
  } catch {
    return false;
  }
}

/** The view, or, where it cannot be, words that say why. */
function makeView(replay: Replay, timeline: Timeline, settings: Settings, theme: ThemeSwitch): View | null {
  if (webglWorks()) return new View(replay, timeline, settings, byId<HTMLCanvasElement>("view"), () => theme.colours);
  byId("view").hidden = byId("options").hidden = true;
  byId("no-view").hidden = false;
  byId("no-view").textContent = "This browser does not support WebGL 2, so the scene cannot be drawn. Graphs and events still work. " +
    "To see the scene, enable hardware acceleration in the browser settings, or open the page in another browser.";
  return null;
}

function keyTable(player: Player, timeline: Timeline, settings: Settings, theme: ThemeSwitch, help: Help, view: View | null,
  jump: (direction: 1 | -1) => void): Record<string, Action> {
  const leap = (timeline.end - timeline.start) / 20;
  const step = (direction: 1 | -1) => () => {
    player.pause();
    player.seek(timeline.frameTime(player.time, direction));
  };
  const camera = () => settings.set({ camera: kCameraModes[(kCameraModes.indexOf(settings.camera) + 1) % kCameraModes.length] });
  const cameras = view?.cameras;
  return {
    " ": () => player.toggle(),
    ArrowLeft: step(-1), ArrowRight: step(1),
    PageUp: () => player.seek(player.time - leap), PageDown: () => player.seek(player.time + leap),
    Home: () => player.seek(timeline.start), End: () => player.seek(timeline.end),
    n: () => jump(1), p: () => jump(-1),
    ",": () => player.changeSpeed(-1), ".": () => player.changeSpeed(1),
    l: () => player.setLoop(!player.loop),
    c: camera,
    m: () => theme.toggle(),
    "?": () => help.open(),
    r: () => cameras?.reset(settings, player.time),
    "Shift+ArrowLeft": () => cameras?.orbit(-0.12, 0), "Shift+ArrowRight": () => cameras?.orbit(0.12, 0),
    "Shift+ArrowUp": () => cameras?.orbit(0, 0.12), "Shift+ArrowDown": () => cameras?.orbit(0, -0.12),
    w: () => cameras?.pan(0, 0.03), s: () => cameras?.pan(0, -0.03), a: () => cameras?.pan(-0.03, 0), d: () => cameras?.pan(0.03, 0),
    "+": () => cameras?.zoom(0.9), "=": () => cameras?.zoom(0.9), "-": () => cameras?.zoom(1 / 0.9),
    ...Object.fromEntries(kToggles.map(({ id, key }) => [key, () => settings.flip(id)])),
  };
}

function start(replay: Replay) {
  const timeline = new Timeline(replay);
  const player = new Player(timeline);
  const settings = firstSettings(replay);
  const theme = new ThemeSwitch(document.documentElement, replay);
  const colours = () => theme.colours;
  const seek = (t: number) => player.seek(t);
  let changed = true;
  const change = () => { changed = true; };
  showHeader(replay);
  const help = new Help();
  const events = new Events(replay, byId("events-body"), seek, change);
  const jump = (direction: 1 | -1) => player.seek(events.next(player.time, direction) ?? player.time);
  const transport = new Transport(player, timeline, jump, colours);
  const readout = new Readout(replay, timeline, byId("readout"));
  const graphs = new Graphs(replay, byId("graphs-body"), settings, seek, colours, change);
  const view = makeView(replay, timeline, settings, theme);
  const options = view && new Options(byId("options-body"), settings, view.bodies, view.ghosts.autoStep, () => view.cameras.reset(settings, player.time));
  const hook = installHook(timeline, player, settings, events, graphs, view);

  if (view) settings.camera = view.cameras.firstMode;
  const timeGiven = readHash(player, settings, replay.bodies.length, replay.contacts.length);
  const paint = () => {
    view?.setTheme(theme.theme);
    graphs.draw();
    transport.drawMarks();
    byId("theme").textContent = theme.theme === "dark" ? "Light" : "Dark";
    change();
  };
  const apply = (what: string) => {
    if (what === "contact") graphs.setContact();
    if (view && (what === "camera" || what === "body")) view.cameras.setMode(settings.camera, settings.body, player.time);
    view?.apply();
    options?.show();
    change();
  };
  paint();
  apply("contact");
  view?.cameras.reset(settings, player.time);

  let save = 0;
  const saveLater = () => {
    window.clearTimeout(save);
    save = window.setTimeout(() => { if (!player.playing) writeHash(player, settings); }, 400);
  };
  player.onChange(() => { change(); saveLater(); });
  settings.onChange((what) => { apply(what); saveLater(); });
  window.addEventListener("hashchange", () => readHash(player, settings, replay.bodies.length, replay.contacts.length));
  theme.onChange(paint);
  byId("theme").addEventListener("click", () => theme.toggle());
  listenToKeys(keyTable(player, timeline, settings, theme, help, view, jump), () => help.isOpen);

  let last = performance.now();
  const tick = (now: number) => {
    player.advance(Math.min(0.25, Math.max(0, (now - last) / 1000)));
    last = now;
    if (changed) {
      changed = false;
      const place = timeline.locate(player.time);
      transport.show();
      events.show(player.time, player.playing);
      readout.show(place, settings, theme.colours);
      graphs.show(player.time, place);
      view?.show(player.time);
    }
    if (!view || view.tick(player.time)) {
      ++hook.drawn;
      hook.ready = true;
    }
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (!still && !timeGiven) player.play();
}

try {
  start(readReplay(document));
} catch (error) {
  byId("main").hidden = true;
  byId("notices").replaceChildren(make("p", { role: "alert" }, error instanceof Error ? error.message : String(error)));
  if (!(error instanceof RecordError)) throw error;
}
