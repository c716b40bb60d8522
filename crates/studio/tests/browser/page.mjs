// A studio, a browser and its page, shared by the tests.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";

const [given, modules, ...flags] = process.argv.slice(2);
export const program = path.resolve(given);
export const hasFlag = (name) => flags.includes(name);
export const flag = (name) => (hasFlag(name) ? flags[flags.indexOf(name) + 1] : undefined);
const load = createRequire(path.resolve(modules, "x.js"));
const { chromium } = load("playwright-core");
export const axe = fs.readFileSync(load.resolve("axe-core/axe.min.js"), "utf8");
export const meadow = path.resolve(import.meta.dirname, "../../../../maps/meadow.png");
export const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "spinney-browser-"));
const which = (name) => execFileSync("sh", ["-c", `command -v ${name}`]).toString().trim();

export const browser = await chromium.launch({
  executablePath: process.env.SPINNEY_CHROMIUM ?? which("chromium"),
  args: [
    "--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
  ],
});

// --- A studio and its page ---------------------------------------------------------------------

const running = new Set();

export async function studio(...args) {
  const child = spawn(program, ["studio", "--no-open", ...args], { stdio: ["ignore", "ignore", "pipe"] });
  running.add(child);
  const url = await new Promise((resolve, reject) => {
    let text = "";
    child.stderr.on("data", (bytes) => {
      text += bytes;
      const found = text.match(/^studio: (\S+)$/m);
      if (found) resolve(found[1]);
    });
    child.on("exit", () => reject(new Error(`the studio ended: ${text}`)));
  });
  return { child, url, folder: fs.mkdtempSync(path.join(scratch, "run-")) };
}

export async function stop({ child }) {
  // Closes pages that would call a studio that has ended.
  for (const context of browser.contexts()) await context.close();
  running.delete(child);
  child.removeAllListeners("exit");
  const ended = new Promise((resolve) => child.on("exit", resolve));
  child.kill("SIGINT");
  await ended;
}

export const problems = [];

export async function openPage(url, options = {}) {
  const { width = 1024, height = 640, scheme = "dark", more = "" } = options;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, acceptDownloads: true });
  const page = await context.newPage();
  const here = new URL(url).origin;
  page.on("pageerror", (error) => problems.push(`page: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" && !/ 4(09|22) /.test(message.text())) problems.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    const origin = request.url();
    if (!origin.startsWith(here) && !/^(data|blob):/.test(origin)) problems.push(`asked elsewhere: ${origin}`);
  });
  await page.goto(url + more);
  await page.waitForSelector("body[data-ready]", { timeout: 60000 });
  return page;
}

// Holds the next request of `path` back: before it is sent or, if `isAnswered`, before its answer arrives.
export async function holdBack(page, path, isAnswered = false) {
  let arrive;
  let release;
  const arrived = new Promise((resolve) => { arrive = resolve; });
  const released = new Promise((resolve) => { release = resolve; });
  await page.route(`**${path}`, async (route) => {
    const response = isAnswered ? await route.fetch() : undefined;
    arrive();
    await released;
    await (response ? route.fulfill({ response }) : route.continue());
  }, { times: 1 });
  return { arrived, release };
}

export const settled = (page) => page.evaluate(() => spinney.settled());
export const points = (page) => page.evaluate(() => [...spinney.points()]);
export const text = (page, id) => page.textContent(`#${id}`);
export const tab = (page, name) => page.click(`#tab-${name}`);

// Returns points as rows in a fixed order, so that sets can be compared.
export function rows(floats) {
  const all = [];
  for (let i = 0; i < floats.length; i += 4) all.push(floats.slice(i, i + 4).join(" "));
  return all.sort();
}

export function rowsOfCsv(csv) {
  const [, ...lines] = csv.toString().trim().split("\n");
  return rows(lines.flatMap((line) => {
    const [, x, y, minDist] = line.split(",");
    return [x, y, minDist, 0].map((n) => Math.fround(Number(n)));
  }));
}

export async function downloaded(page, action) {
  const [download] = await Promise.all([page.waitForEvent("download", { timeout: 60000 }), action()]);
  return { name: download.suggestedFilename(), bytes: fs.readFileSync(await download.path()) };
}

export async function setField(page, id, value) {
  const element = page.locator(`#${id}`);
  if (await element.evaluate((e) => e.matches("select"))) await element.selectOption(value);
  else if (await element.evaluate((e) => e.type === "checkbox")) await element.setChecked(value);
  else {
    await element.fill(String(value));
    await element.press("Tab");
  }
  await settled(page);
}

// Runs in the page: sets sliders as a user does.
function slide(values) {
  for (const [id, value] of Object.entries(values)) {
    const slider = document.getElementById(id);
    slider.value = value;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

export async function paint(page, strokes, seed = 1) {
  let state = seed;
  const random = () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
  const box = await page.locator("#view").boundingBox();
  const place = () => [box.x + box.width * (0.2 + 0.6 * random()), box.y + box.height * (0.1 + 0.75 * random())];
  for (let i = 0; i < strokes; i += 1) {
    const tool = `#tool-${random() < 0.25 ? "eraser" : "brush"}`;
    if (await page.getAttribute(tool, "aria-pressed") !== "true") await page.click(tool);
    await page.evaluate(slide, { "brush-value": random().toFixed(2), "brush-size": 8 + Math.round(80 * random()) });
    let from = place();
    await page.mouse.move(...from);
    await page.mouse.down();
    // Every fifth stroke is slow. In the others several moves fall into one frame, as with a real mouse.
    const moves = [];
    for (let k = 0; k < 3; k += 1) {
      const to = place();
      for (let part = 1; part <= 4; part += 1) {
        moves.push(page.mouse.move(...from.map((a, axis) => a + ((to[axis] - a) * part) / 4)));
        if (i % 5 === 0) await moves.at(-1);
      }
      from = to;
    }
    await Promise.all(moves);
    await page.mouse.up();
  }
  await settled(page);
}

// Saves the map with the page's button, if not saved yet, and runs the command line that the page shows.
export async function runShown(page, run, isSaved = false) {
  if (!isSaved) {
    await tab(page, "map");
    const map = await downloaded(page, () => page.click("#save-map"));
    fs.writeFileSync(path.join(run.folder, map.name), map.bytes);
  }
  const command = await text(page, "command");
  assert.match(command, /^spinney sample /);
  execFileSync("sh", ["-c", `'${program}' ${command.slice("spinney ".length)} -q`], { cwd: run.folder });
  const name = await page.inputValue("#name-output");
  return fs.readFileSync(path.join(run.folder, name));
}

export async function exported(page) {
  await tab(page, "export");
  return downloaded(page, () => page.click("#export"));
}

// Asserts that the page's export and points equal those of the command line on the saved map.
export async function assertEqual(page, run, isSaved = false) {
  const file = await exported(page);
  const expected = await runShown(page, run, isSaved);
  assert.ok(file.bytes.equals(expected), `${file.name} is another`);
  if (file.name === "points.csv") assert.deepEqual(rows(await points(page)), rowsOfCsv(file.bytes));
}

// Stops all programs that still run.
export async function end() {
  for (const child of running) child.kill();
  await browser.close();
  fs.rmSync(scratch, { recursive: true, force: true });
}
