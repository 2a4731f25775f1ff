// Pictures of replay pages for the README: OLOID_PAGES=FOLDER node pictures.mjs OUT [NAME=SECONDS]...
// Each shows the scene alone at 45 % of its time, or at the time given.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { launch, nameOf, open, pages, settle } from "./test/pages.mjs";

const [out, ...given] = process.argv.slice(2);
if (!out) throw new Error("no output folder given; usage: OLOID_PAGES=FOLDER node pictures.mjs OUT [NAME=SECONDS]...");
mkdirSync(out, { recursive: true });
const times = new Map(given.map((pair) => [pair.split("=")[0], Number(pair.split("=")[1])]));

const kOnlyTheScene = `body > :not(main), main > :not(#stage), #stage > :not(canvas) { display: none !important; }
  main, #stage { display: block !important; position: fixed !important; inset: 0; width: auto; height: auto; }`;

const browser = await launch();
for (const file of pages) {
  const { page } = await open(browser, file, { viewport: { width: 640, height: 400 }, colorScheme: "light" });
  await page.addStyleTag({ content: kOnlyTheScene });
  await page.evaluate((t) => {
    dispatchEvent(new Event("resize"));
    window.oloid.time = t ?? window.oloid.start + 0.45 * (window.oloid.end - window.oloid.start);
  }, times.get(nameOf(file)));
  await settle(page);
  await settle(page);
  await page.screenshot({ path: join(out, `${nameOf(file)}.jpg`), type: "jpeg", quality: 86 });
  await page.close();
}
await browser.close();
console.log(`pictures: ${pages.length} in ${out}`);
