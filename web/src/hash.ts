// The state of the page in its address, as #t=1.5&camera=follow&on=ghosts,cone: to come back to, and to send.
import type { Player } from "./player";
import { kCameraModes, kToggles, type CameraMode, type Settings, type Toggle } from "./settings";

/** Applies what the address says; tells whether it names a time. */
export function readHash(player: Player, settings: Settings, bodies: number, contacts: number): boolean {
  const given = new URLSearchParams(location.hash.slice(1));
  const index = (name: string, count: number) => {
    const value = given.has(name) ? Number(given.get(name)) : NaN;
    return Number.isInteger(value) && value >= 0 && value < count ? value : null;
  };
  const on = given.get("on")?.split(",");
  if (on) settings.set({ on: Object.fromEntries(kToggles.map(({ id }) => [id, on.includes(id)])) as Record<Toggle, boolean> });
  const contact = index("contact", contacts);
  if (contact !== null) settings.set({ contact });
  const body = index("body", bodies);
  if (body !== null) settings.set({ body });
  const t = Number(given.get("t") ?? NaN);
  if (Number.isFinite(t)) player.seek(t);
  const camera = given.get("camera") as CameraMode | null;
  if (camera && kCameraModes.includes(camera)) settings.set({ camera });
  return Number.isFinite(t);
}

/** Writes the state into the address, without an entry in the history. */
export function writeHash(player: Player, settings: Settings) {
  const state = new URLSearchParams({ t: String(Number(player.time.toFixed(6))), camera: settings.camera, body: String(settings.body), contact: String(settings.contact) });
  const on = kToggles.filter(({ id }) => settings.on[id]).map(({ id }) => id);
  history.replaceState(null, "", `#${state}&on=${on.join(",")}`);
}
