// Builds the template of the replay page: node build.mjs [FILE], by default dist/replay.html.
import { build } from "esbuild";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const target = process.argv[2] ?? join(here, "dist/replay.html");

const licence = (name) => {
  const { version } = JSON.parse(readFileSync(join(here, "node_modules", name, "package.json"), "utf8"));
  const text = readFileSync(join(here, "node_modules", name, "LICENSE"), "utf8");
  return `/*! ${name} ${version}\n${text.trim()}\n*/`;
};

const bundle = async (entry, options = {}) => {
  const result = await build({
    entryPoints: [join(here, "src", entry)],
    bundle: true,
    minify: true,
    write: false,
    target: "es2022",
    charset: "utf8",
    legalComments: "none",       // the licences are put in whole, above the script
    logLevel: "warning",
    ...options,
  });
  return result.outputFiles[0].text.trim();
};

const style = await bundle("style.css");
const script = `${licence("three")}\n${licence("uplot")}\n${await bundle("main.ts", { format: "iife" })}`;

const put = (text, marker, content) => {
  const parts = text.split(marker);
  if (parts.length !== 2) throw new Error(`page.html: ${marker} must occur once`);
  return parts.join(content);
};
let page = readFileSync(join(here, "src/page.html"), "utf8");
page = put(page, "/*oloid:style*/", style);
page = put(page, "/*oloid:script*/", script);
for (const marker of ["<!--oloid:meta-->", "<!--oloid:blob-->"]) put(page, marker, "");
if (/<\/script/i.test(script)) throw new Error("the script would end its own element");

mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, page);
console.log(`web: wrote ${target}, ${(page.length / 1000).toFixed(0)} kB`);
