// Every page of the gallery: loads alone and without complaint, draws, and follows slider, graph, event list and keys.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { largestChange, launch, nameOf, open, pages, poses, settle, shotPath, statistics, time } from "./pages.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());

const near = (a, b, tolerance, what) => assert.ok(Math.abs(a - b) <= tolerance, `${what}: ${a} is not ${b} (within ${tolerance})`);

for (const file of pages) {
  test(nameOf(file), async () => {
    const { page, complaints } = await open(browser, file);
    try {
      const { start, end } = await page.evaluate(() => ({ start: window.oloid.start, end: window.oloid.end }));
      const span = end - start;
      assert.equal(await page.evaluate(() => window.oloid.playing), false, "reduced motion: does not start by itself");

      // A click in the middle of the slider: time, pose and graph follow.
      const atStart = await poses(page);
      const cursorAtStart = await page.evaluate(() => window.oloid.graphCursor);
      const slider = await page.locator("#time").boundingBox();
      await page.mouse.click(slider.x + slider.width / 2, slider.y + slider.height / 2);
      await settle(page);
      near(await time(page), start + span / 2, 0.02 * span, "time after a click in the middle of the slider");
      assert.ok(largestChange(atStart, await poses(page)) > 1e-6, "scrubbing changes the pose of a body");
      const plot = await page.locator(".plot .u-over").first().boundingBox();
      near(await page.evaluate(() => window.oloid.graphCursor) - cursorAtStart, plot.width / 2, 0.03 * plot.width, "cursor of the graph");

      // The scene is on the canvas, and moves.
      const half = await page.locator("#view").screenshot();
      const { colours, deviation } = await statistics(browser, half);
      assert.ok(colours > 60 && deviation > 4, `canvas is blank: ${colours} colours, deviation ${deviation}`);
      const path = shotPath(nameOf(file));
      if (path) await page.screenshot({ path });

      // A press in the graph sets the time.
      await page.locator(".plot .u-over").first().click({ position: { x: 0.25 * plot.width, y: plot.height / 2 } });
      await settle(page);
      near(await time(page), start + span / 4, 0.02 * span, "time after a press in the graph");

      // Keys: one frame on, end, home.
      await page.locator("#time").focus();
      const quarter = await time(page);
      await page.keyboard.press("ArrowRight");
      await settle(page);
      assert.ok(await time(page) > quarter, "right arrow goes on");
      await page.keyboard.press("End");
      await settle(page);
      assert.equal(await time(page), end, "End");
      await page.keyboard.press("Home");
      await settle(page);
      assert.equal(await time(page), start, "Home");

      // The last row of the event list jumps to its time, and is marked.
      const row = page.locator("#events li:not([hidden]) button").last();
      assert.ok(await row.count() > 0, "a run has at least its end as an event");
      await row.click();
      await settle(page);
      const said = Number((await row.locator("time").textContent()).replace(" s", "").replace("−", "-"));
      near(await time(page), Math.min(said, end), 6e-4, "time after a click on an event");
      assert.equal(await page.evaluate(() => window.oloid.eventJumps), 1);
      assert.equal(await row.getAttribute("aria-current"), "true");
      assert.deepEqual(complaints, []);
    } finally {
      await page.close();
    }
  });
}
