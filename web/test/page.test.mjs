// What all pages share, tried on the first: playing, keys, cameras, overlays, dark, phone, no WebGL, links with a time.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { launch, nameOf, open, pages, settle, shotPath, statistics, time } from "./pages.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());

const file = pages.find((page) => nameOf(page) === "rattleback") ?? pages[0];

async function withPage({ path = file, ...options }, use) {
  const { page, complaints } = await open(browser, path, options);
  try {
    await use(page);
    assert.deepEqual(complaints, []);
  } finally {
    await page.close();
  }
}

test("plays by itself unless motion is to be reduced, and pauses", () => withPage({ reducedMotion: "no-preference" }, async (page) => {
  await page.waitForFunction(() => window.oloid.playing && window.oloid.time > window.oloid.start);
  await page.keyboard.press(" ");
  await settle(page);
  assert.equal(await page.evaluate(() => window.oloid.playing), false);
  const paused = await time(page);
  await settle(page);
  assert.equal(await time(page), paused);
}));

test("plays at the chosen speed and loops", () => withPage({}, async (page) => {
  await page.locator("#speed").selectOption("10");
  assert.equal(await page.evaluate(() => window.oloid.speed), 10);
  await page.locator("#loop").click();
  await page.locator("#time").focus();
  await page.keyboard.press("End");
  await page.keyboard.press("PageUp");
  await page.locator("#play").click();
  await page.waitForFunction(() => window.oloid.time < window.oloid.start + 0.5 * (window.oloid.end - window.oloid.start), null, { timeout: 20000 });
  assert.equal(await page.evaluate(() => window.oloid.playing && window.oloid.loop), true);
}));

test("cameras: world stands, follow keeps its body in place, fixed keeps all of it in place", () => withPage({}, async (page) => {
  const body = await page.evaluate(() => Math.max(0, window.oloid.bodies.findIndex(({ mass }) => mass > 0)));
  await page.locator("#options summary").click();
  const drift = async (mode) => {
    await page.locator("label:has-text('Camera') select").selectOption(mode);
    await page.locator("#view").focus();
    const seen = [];
    for (const key of ["Home", "PageDown", "PageDown", "PageDown"]) {
      await page.keyboard.press(key);
      await settle(page);
      seen.push(await page.evaluate((k) => [...window.oloid.screen(k, 0, 0, 0), ...window.oloid.screen(k, 0.05, 0, 0)], body));
    }
    const from = (k, l) => Math.max(...seen.map((at) => Math.hypot(at[k] - seen[0][k], at[l] - seen[0][l])));
    return { centre: from(0, 1), side: from(2, 3) };
  };
  const world = await drift("world");
  assert.ok(world.centre > 0.5 && world.side > 0.5, `seen from the world the body moves: ${JSON.stringify(world)}`);
  const follow = await drift("follow");
  assert.ok(follow.centre < 0.01 && follow.side > 0.5, `followed, it only turns: ${JSON.stringify(follow)}`);
  const fixed = await drift("fixed");
  assert.ok(fixed.centre < 0.01 && fixed.side < 0.01, `seen from itself, it stands: ${JSON.stringify(fixed)}`);
  const pressed = [];
  for (let k = 0; k < 3; ++k) {
    await page.keyboard.press("c");
    pressed.push(await page.evaluate(() => window.oloid.camera));
  }
  assert.deepEqual(pressed, ["world", "follow", "fixed"]);
}));

test("overlays are switched by key and by box", () => withPage({ hash: "#t=1" }, async (page) => {
  await page.locator("#options summary").click();
  const before = await page.locator("#view").screenshot();
  for (const [id, key] of [["ghosts", "g"], ["cone", "k"], ["frame", "e"], ["glass", "x"]]) {
    await page.locator("#view").focus();
    await page.keyboard.press(key);
    await settle(page);
    assert.equal(await page.locator(`#show-${id}`).isChecked(), true, id);
  }
  assert.ok(!before.equals(await page.locator("#view").screenshot()), "the picture changes");
  await page.locator("#show-ghosts").uncheck();
  await page.waitForFunction(() => location.hash.includes("cone") && !location.hash.includes("ghosts"));
}));

test("keys orbit, pan, zoom and reset", () => withPage({ hash: "#t=1" }, async (page) => {
  let last = await page.locator("#view").screenshot();
  for (const key of ["Shift+ArrowLeft", "Shift+ArrowUp", "+", "d", "r"]) {
    await page.keyboard.press(key);
    await settle(page);
    const next = await page.locator("#view").screenshot();
    assert.ok(!next.equals(last), `${key} changes the view`);
    last = next;
  }
}));

test("events are reached by key, and walked by arrows", () => withPage({}, async (page) => {
  await page.keyboard.press("End");
  await page.keyboard.press("p");
  await settle(page);
  const earlier = await time(page);
  assert.ok(earlier < await page.evaluate(() => window.oloid.end));
  await page.keyboard.press("n");
  await settle(page);
  assert.ok(await time(page) > earlier);
  const rows = page.locator("#events li:not([hidden]) button");
  await rows.first().focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await settle(page);
  assert.equal(await page.evaluate(() => window.oloid.eventJumps), 1);
}));

test("help opens with ? and closes with Escape", () => withPage({}, async (page) => {
  await page.keyboard.press("?");
  await page.locator("#help[open]").waitFor();
  const then = await time(page);
  await page.keyboard.press("End");
  assert.equal(await time(page), then, "keys rest while the help is open");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#help[open]").count(), 0);
}));

test("a link brings back time and overlays", () => withPage({ hash: "#t=0.25&on=point,ghosts&camera=fixed" }, async (page) => {
  assert.equal(await time(page), 0.25);
  assert.equal(await page.evaluate(() => window.oloid.camera), "fixed");
  assert.equal(await page.locator("#show-ghosts").isChecked(), true);
  assert.equal(await page.locator("#show-forces").isChecked(), false);
}));

test("dark follows the system, and the button turns it", () => withPage({ colorScheme: "dark" }, async (page) => {
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  const dark = await statistics(browser, await page.locator("#view").screenshot());
  const path = shotPath("page-dark");
  if (path) await page.screenshot({ path });
  await page.locator("#theme").click();
  await settle(page);
  const light = await statistics(browser, await page.locator("#view").screenshot());
  assert.ok(light.mean > dark.mean + 60, `light ${light.mean}, dark ${dark.mean}`);
}));

for (const width of [360, 390, 820]) {
  test(`a screen ${width} wide has no sideways scrolling`, () => withPage({ viewport: { width, height: 800 }, hasTouch: true }, async (page) => {
    await page.locator("#options summary").click();
    await settle(page);
    const { inner, scroll } = await page.evaluate(() => ({ inner: innerWidth, scroll: document.documentElement.scrollWidth }));
    assert.ok(scroll <= inner, `${scroll} > ${inner}`);
    const small = await page.evaluate(() => [...document.querySelectorAll("button, select, summary")]
      .filter((element) => element.offsetParent && element.getBoundingClientRect().height < 34).map((element) => element.id || element.textContent));
    assert.deepEqual(small, [], "large enough to touch");
    await page.locator("#options summary").click();
    const path = width === 390 ? shotPath("page-phone") : undefined;
    if (path) await page.screenshot({ path, fullPage: true });
  }));
}

test("without WebGL it says so, and graphs and events work", () => {
  const prepare = () => {
    const original = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return kind.startsWith("webgl") ? null : original.call(this, kind, ...rest); };
  };
  return withPage({ prepare }, async (page) => {
    assert.match(await page.locator("#no-view").textContent(), /WebGL/);
    await page.locator("#events li:not([hidden]) button").last().click();
    await settle(page);
    assert.equal(await time(page), await page.evaluate(() => window.oloid.end));
    assert.ok(await page.evaluate(() => window.oloid.graphCursor) > 100);
  });
});

test("everything is reached by Tab, with a name", () => withPage({}, async (page) => {
  const nameless = await page.evaluate(() => [...document.querySelectorAll("button, select, input, summary, canvas[tabindex]")]
    .filter((element) => !(element.getAttribute("aria-label") || element.textContent.trim() || element.labels?.length)).map((element) => element.outerHTML));
  assert.deepEqual(nameless, []);
  const reached = new Set();
  for (let k = 0; k < 40; ++k) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => document.activeElement?.id));
  }
  for (const id of ["theme", "help-open", "view", "to-start", "play", "time", "speed"]) assert.ok(reached.has(id), `Tab reaches ${id}`);
}));

/** A copy of the page whose JSON is changed. */
async function withChanged(change, use) {
  const folder = mkdtempSync(join(tmpdir(), "oloid-web-"));
  try {
    const path = join(folder, "page.html");
    const text = readFileSync(file, "utf8");
    const [, head, json, tail] = /^(.*?<script id="oloid-meta"[^>]*>)(.*?)(<\/script>.*)$/s.exec(text);
    writeFileSync(path, head + JSON.stringify(change(JSON.parse(json))).replaceAll("<", "\\u003c") + tail);
    await use(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("says what it leaves out, and that a run was interrupted", () => withChanged(
  (meta) => ({ ...meta, kept_every: 7, frames_recorded: 123456, event_frames_dropped: 42, events_recorded: 4242, complete: false, summary: null,
    bodies: meta.bodies.map((body) => ({ ...body, mesh: body.mesh && { ...body.mesh, moved: 0.00123 } })) }),
  (path) => withPage({ path }, async (page) => {
    const notices = (await page.locator("#notices p").allTextContents()).join(" ");
    for (const part of [/every 7th/, /123456/, /42 frames/, /of 4242 events/, /1\.23 mm/, /did not finish/]) assert.match(notices, part);
  })));

test("a page that carries everything has no notices", () => withChanged(
  (meta) => ({ ...meta, kept_every: 1, event_frames_dropped: 0, complete: true }),
  (path) => withPage({ path }, async (page) => assert.equal(await page.locator("#notices p").count(), 0))));

test("texts of the record are shown as they are, never as markup", () => withChanged(
  (meta) => ({ ...meta, scene: "<b>x</b><script>window.broken = 1</script>", about: "a < b & c" }),
  (path) => withPage({ path }, async (page) => {
    assert.equal(await page.locator("#scene").textContent(), "<b>x</b><script>window.broken = 1</script>");
    assert.equal(await page.locator("#about").textContent(), "a < b & c");
    assert.equal(await page.evaluate(() => window.broken), undefined);
  })));

test("a record of another format, and none at all, get a message", async () => {
  const message = async (path) => {
    const page = await browser.newPage();
    await page.goto(pathToFileURL(path).href);
    const text = await page.locator("#notices").textContent();
    await page.close();
    return text;
  };
  await withChanged((meta) => ({ ...meta, format: 99 }), async (path) => assert.match(await message(path), /format 99/));
  assert.match(await message(fileURLToPath(new URL("../dist/replay.html", import.meta.url))), /no record/);
});
