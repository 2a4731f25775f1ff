// Shared by the tests: the pages to look at, the browser, and what a picture shows.
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const folder = process.env.OLOID_PAGES;
if (!folder || !existsSync(folder)) {
  throw new Error("OLOID_PAGES must name a folder of replay pages (*.html), as written by: oloid run SCENE --html PAGE");
}
export const pages = readdirSync(folder).filter((file) => file.endsWith(".html")).sort().map((file) => resolve(folder, file));
if (pages.length === 0) throw new Error(`OLOID_PAGES: there is no *.html in ${folder}`);

export const nameOf = (file) => basename(file, ".html");

/** Where a picture of this name goes, or nothing if none are wanted. */
export function shotPath(name) {
  const shots = process.env.OLOID_SHOTS;
  if (!shots) return undefined;
  mkdirSync(shots, { recursive: true });
  return join(shots, `${name}.png`);
}

export function launch() {
  return chromium.launch({
    executablePath: process.env.OLOID_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
  });
}

/** Opens a page and waits for its first picture. Complaints: console and page errors, requests for anything else than the page. */
export async function open(browser, file, options = {}) {
  const { hash = "", prepare, ...rest } = options;
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", ...rest });
  const complaints = [];
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) complaints.push(`console: ${message.text()}`); });
  page.on("pageerror", (error) => complaints.push(`page: ${error.message}`));
  const url = pathToFileURL(file).href;
  page.on("request", (request) => {
    const asked = request.url();
    if (asked.split("#")[0] !== url && !asked.startsWith("data:")) complaints.push(`request: ${asked}`);
  });
  if (prepare) await page.addInitScript(prepare);
  await page.goto(url + hash);
  await page.waitForFunction(() => window.oloid?.ready, null, { timeout: 60000 });
  return { page, complaints };
}

/** Waits until the page has taken over what was done to it. */
export const settle = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

export const time = (page) => page.evaluate(() => window.oloid.time);

/** Of all bodies, at the time shown. */
export function poses(page) {
  return page.evaluate(() => window.oloid.bodies.map((_, k) => window.oloid.pose(k)));
}

/** Of any entry of any pose. */
export function largestChange(before, after) {
  return Math.max(...before.map((pose, k) => Math.max(...pose.map((entry, e) => Math.abs(entry - after[k][e])))));
}

/** How many different colours a picture has and how far its brightness varies, measured on another page of the browser. */
export async function statistics(browser, png) {
  const page = await browser.newPage();
  try {
    return await page.evaluate(async (base64) => {
      const image = new Image();
      image.src = `data:image/png;base64,${base64}`;
      await image.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [image.width, image.height];
      const context = canvas.getContext("2d", { willReadFrequently: true });
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, image.width, image.height);
      const colours = new Set();
      let [sum, squares] = [0, 0];
      for (let k = 0; k < data.length; k += 4) {
        colours.add((data[k] >> 3 << 10) | (data[k + 1] >> 3 << 5) | (data[k + 2] >> 3));
        const light = 0.299 * data[k] + 0.587 * data[k + 1] + 0.114 * data[k + 2];
        sum += light;
        squares += light * light;
      }
      const n = data.length / 4;
      return { colours: colours.size, mean: sum / n, deviation: Math.sqrt(Math.max(0, squares / n - (sum / n) ** 2)) };
    }, png.toString("base64"));
  } finally {
    await page.close();
  }
}
