// The studio in a real browser: headless Chromium, driven by playwright-core, looked at by axe-core.
//
//   node crates/studio/tests/browser/run.mjs PROGRAM MODULES [--only NAME] [--measure] [--shots FOLDER] [--picture FILE]
//
// PROGRAM is the spinney to test, MODULES a node_modules folder with playwright-core and axe-core.
// --only runs the tests whose names hold NAME; --measure adds a million points; --shots keeps screenshots; --picture draws the README's picture.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";

const [given, modules, ...flags] = process.argv.slice(2);
const program = path.resolve(given);
const flag = (name) => (flags.includes(name) ? flags[flags.indexOf(name) + 1] : undefined);
const load = createRequire(path.resolve(modules, "x.js"));
const { chromium } = load("playwright-core");
const axe = fs.readFileSync(load.resolve("axe-core/axe.min.js"), "utf8");
const meadow = path.resolve(import.meta.dirname, "../../../../maps/meadow.png");
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "spinney-browser-"));
const which = (name) => execFileSync("sh", ["-c", `command -v ${name}`]).toString().trim();

const browser = await chromium.launch({
  executablePath: process.env.SPINNEY_CHROMIUM ?? which("chromium"),
  args: [
    "--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
  ],
});

// --- A studio and its page ---------------------------------------------------------------------

const running = new Set();

async function studio(...args) {
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

async function stop({ child }) {
  // No page is left that would ask a studio that is gone.
  for (const context of browser.contexts()) await context.close();
  running.delete(child);
  child.removeAllListeners("exit");
  const ended = new Promise((resolve) => child.on("exit", resolve));
  child.kill("SIGINT");
  await ended;
}

const problems = [];

async function openPage(url, options = {}) {
  const { width = 1280, height = 800, scheme = "dark", more = "" } = options;
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

const settled = (page) => page.evaluate(() => spinney.settled());
const points = (page) => page.evaluate(() => [...spinney.points()]);
const text = (page, id) => page.textContent(`#${id}`);
const tab = (page, name) => page.click(`#tab-${name}`);

// Points as rows in a fixed order, so that sets can be compared.
function rows(floats) {
  const all = [];
  for (let i = 0; i < floats.length; i += 4) all.push(floats.slice(i, i + 4).join(" "));
  return all.sort();
}

function rowsOfCsv(csv) {
  const [, ...lines] = csv.toString().trim().split("\n");
  return rows(lines.flatMap((line) => {
    const [, x, y, minDist] = line.split(",");
    return [x, y, minDist, 0].map((n) => Math.fround(Number(n)));
  }));
}

async function downloaded(page, action) {
  const [download] = await Promise.all([page.waitForEvent("download", { timeout: 60000 }), action()]);
  return { name: download.suggestedFilename(), bytes: fs.readFileSync(await download.path()) };
}

async function setField(page, id, value) {
  const element = page.locator(`#${id}`);
  if (await element.evaluate((e) => e.matches("select"))) await element.selectOption(value);
  else if (await element.evaluate((e) => e.type === "checkbox")) await element.setChecked(value);
  else {
    await element.fill(String(value));
    await element.press("Tab");
  }
  await settled(page);
}

async function paint(page, strokes, seed = 1) {
  let state = seed;
  const random = () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
  const box = await page.locator("#view").boundingBox();
  const place = () => [box.x + box.width * (0.2 + 0.6 * random()), box.y + box.height * (0.1 + 0.75 * random())];
  for (let i = 0; i < strokes; i += 1) {
    await page.click(random() < 0.25 ? "#tool-eraser" : "#tool-brush");
    await page.locator("#brush-value").fill(random().toFixed(2));
    await page.locator("#brush-size").fill(String(8 + Math.round(80 * random())));
    await page.mouse.move(...place());
    await page.mouse.down();
    for (let k = 0; k < 3; k += 1) await page.mouse.move(...place(), { steps: 4 });
    await page.mouse.up();
  }
  await settled(page);
}

// Saves the map by the page's button and runs the command line that it shows.
async function runShown(page, run) {
  await tab(page, "map");
  const map = await downloaded(page, () => page.click("#save-map"));
  fs.writeFileSync(path.join(run.folder, map.name), map.bytes);
  const command = await text(page, "command");
  assert.match(command, /^spinney sample /);
  execFileSync("sh", ["-c", `'${program}' ${command.slice("spinney ".length)} -q`], { cwd: run.folder });
  const name = await page.inputValue("#name-output");
  return fs.readFileSync(path.join(run.folder, name));
}

async function exported(page) {
  await tab(page, "export");
  return downloaded(page, () => page.click("#export"));
}

// The page's export, its picture and the command line on its saved map are one and the same.
async function assertEqual(page, run) {
  const file = await exported(page);
  const expected = await runShown(page, run);
  assert.ok(file.bytes.equals(expected), `${file.name} is another`);
  if (file.name === "points.csv") assert.deepEqual(rows(await points(page)), rowsOfCsv(file.bytes));
}

// --- Tests -------------------------------------------------------------------------------------

const tests = {
  async "fifty strokes, undone, and a reload"() {
    const run = await studio();
    const page = await openPage(run.url);
    await tab(page, "points");
    await setField(page, "min-dist", 4);
    await setField(page, "max-dist", 24);
    await page.click("#zoom-fit");
    const first = await points(page);
    const picture = () => page.locator("#view").screenshot();
    await page.mouse.move(640, 790);
    const before = await picture();
    await paint(page, 50);
    assert.notDeepEqual(await points(page), first);
    await assertEqual(page, run);
    // A reload, and another tab, have what was painted.
    const painted = rows(await points(page));
    const other = await openPage(run.url);
    assert.deepEqual(rows(await points(other)), painted);
    await page.reload();
    await page.waitForSelector("body[data-ready]");
    assert.deepEqual(rows(await points(page)), painted);
    for (let i = 0; i < 50; i += 1) await page.keyboard.press("Control+z");
    await settled(page);
    assert.ok(await page.isDisabled("#undo"), "every step is taken back");
    assert.deepEqual(rows(await points(page)), rows(first));
    await page.click("#zoom-fit");
    await page.mouse.move(640, 790);
    await page.evaluate(() => spinney.measure());
    await page.waitForTimeout(200);
    assert.ok((await picture()).equals(before), "the first picture");
    // The tab that comes to the front shows it too.
    await other.evaluate(() => refreshTab());
    await settled(other);
    assert.deepEqual(rows(await points(other)), rows(first));
    await stop(run);
  },

  async "every format"() {
    const run = await studio(meadow);
    const page = await openPage(run.url);
    await tab(page, "export");
    const formats = await page.locator("#format option").evaluateAll((all) => all.map((o) => o.value));
    assert.ok(formats.length >= 11);
    for (const format of formats) {
      await tab(page, "export");
      await setField(page, "format", format);
      assert.equal(await page.inputValue("#name-output"), `points.${format}`);
      await assertEqual(page, run);
    }
    await tab(page, "export");
    const preview = await downloaded(page, () => page.click("#preview"));
    assert.ok(preview.bytes.subarray(1, 4).equals(Buffer.from("PNG")));
    await stop(run);
  },

  async "every control is its flag"() {
    const run = await studio();
    const page = await openPage(run.url);
    const controls = [
      ["min-dist", 5, "--min-dist 5"],
      ["max-dist", 12.5, "--max-dist 12.5"],
      ["white", "dense", "--white dense"],
      ["map-kind", "density", "--map density"],
      ["limit", 0.5, "--limit 0.5"],
      ["limit-keep", "sparse", "--limit-keep sparse"],
      ["rule", "mean", "--rule mean"],
      ["seed", 77, "--seed 77"],
      ["size-width", 400, "--size 400x400"],
      ["size-height", 300, "--size 400x300"],
      ["tile", true, "--tile"],
      ["y-up", true, "--y-up"],
      ["count", 600, "--count 600"],
      ["count", "", ""],
      ["tile", false, ""],
      ["algorithm", "bridson", "--algorithm bridson"],
      ["tries", 9, "--tries 9"],
      ["rule", "parent", "--rule parent"],
    ];
    let before = await points(page);
    for (const [id, value, expected] of controls) {
      await tab(page, "points");
      await setField(page, id, value);
      const command = await text(page, "command");
      if (expected) assert.ok(command.includes(expected), `${command} has no ${expected}`);
      const now = await points(page);
      assert.notDeepEqual(now, before, `${id} changes nothing`);
      before = now;
      await assertEqual(page, run);
    }
    // A slider is the same control.
    await tab(page, "points");
    await page.locator("#min-dist-slide").fill("7");
    await settled(page);
    assert.ok((await text(page, "command")).includes("--min-dist 7 "));
    // What cannot be is said, and not done.
    await page.locator("#max-dist").fill("1");
    await page.locator("#max-dist").press("Tab");
    await settled(page);
    assert.match(await text(page, "said"), /max_dist 1: must not be less than min_dist 7/);
    assert.equal(await page.getAttribute("#max-dist", "aria-invalid"), "true");
    assert.ok((await text(page, "command")).includes("--max-dist 12.5"));
    // Noise.
    await tab(page, "map");
    for (const [id, value] of [["noise-width", 200], ["noise-height", 150], ["noise-scale", 60], ["noise-warp", 20], ["noise-threshold", 0.5]]) {
      await page.fill(`#${id}`, String(value));
    }
    await page.click("#noise");
    await settled(page);
    assert.match(await page.getAttribute("#view", "aria-label"), /200 by 150 pixels/);
    const map = await downloaded(page, () => page.click("#save-map"));
    const made = path.join(run.folder, "made.png");
    execFileSync(program, ["map", "perlin", "--size", "200x150", "--scale", "60", "--warp", "20", "--threshold", "0.5", "-o", made], { stdio: "ignore" });
    assert.ok(map.bytes.equals(fs.readFileSync(made)));
    // A picture from a file.
    await page.setInputFiles("#open-file", meadow);
    await settled(page);
    assert.match(await page.getAttribute("#view", "aria-label"), /512 by 512 pixels/);
    await assertEqual(page, run);
    await stop(run);
  },

  async "the keyboard alone, from start to export"() {
    const run = await studio();
    const page = await openPage(run.url);
    const focus = async (id) => {
      for (let i = 0; i < 80; i += 1) {
        if (await page.evaluate(() => document.activeElement.id) === id) return;
        await page.keyboard.press("Tab");
      }
      assert.fail(`${id} cannot be reached`);
    };
    const before = await points(page);
    await focus("brush-value");
    await page.keyboard.press("Home");
    await focus("view");
    const size = await page.inputValue("#brush-size");
    for (const key of ["]", "]", "b"]) await page.keyboard.press(key);
    assert.ok(Number(await page.inputValue("#brush-size")) > Number(size));
    for (const key of ["ArrowLeft", "ArrowLeft", "ArrowUp", "Enter", "e", "ArrowRight", "ArrowRight", "ArrowRight", "Enter", "["]) await page.keyboard.press(key);
    assert.equal(await page.getAttribute("#tool-eraser", "aria-pressed"), "true");
    await settled(page);
    assert.notDeepEqual(await points(page), before);
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    await settled(page);
    assert.deepEqual(rows(await points(page)), rows(before));
    await page.keyboard.press("Control+Shift+z");
    await settled(page);
    await focus("tab-points");
    await focus("min-dist");
    await page.keyboard.type("6");
    await page.keyboard.press("Tab");
    await settled(page);
    assert.ok((await text(page, "command")).includes("--min-dist 6 "));
    await page.locator("#tab-points").focus();
    for (let i = 0; i < 3; i += 1) await page.keyboard.press("ArrowRight");
    assert.equal(await page.getAttribute("#tab-export", "aria-selected"), "true");
    await focus("export");
    const file = await downloaded(page, () => page.keyboard.press("Enter"));
    const expected = await runShown(page, run);
    assert.ok(file.bytes.equals(expected));
    await stop(run);
  },

  async "several species, saved and opened"() {
    const run = await studio(meadow);
    const page = await openPage(run.url);
    await tab(page, "species");
    await page.click("#layer-add");
    await settled(page);
    await setField(page, "layer-name", "fern");
    await setField(page, "layer-colour", "#ffaa00");
    await setField(page, "layer-turn", 1);
    await setField(page, "apart-0-1", 3);
    await tab(page, "points");
    await setField(page, "min-dist", 5);
    assert.match(await text(page, "command"), /^spinney sample --species species.toml -o points.csv$/);
    await paint(page, 2);
    await tab(page, "species");
    const files = [];
    page.on("download", async (download) => files.push([download.suggestedFilename(), await download.path()]));
    await page.click("#species-save");
    const started = Date.now();
    while (files.length < 3 && Date.now() - started < 20000) await page.waitForTimeout(50);
    assert.deepEqual(files.map(([name]) => name).sort(), ["fern.png", "points.png", "species.toml"]);
    for (const [name, file] of files) fs.copyFileSync(file, path.join(run.folder, name));
    page.removeAllListeners("download");
    const file = await exported(page);
    execFileSync(program, ["sample", "--species", "species.toml", "-o", "points.csv", "-q"], { cwd: run.folder });
    assert.ok(file.bytes.equals(fs.readFileSync(path.join(run.folder, "points.csv"))));
    const other = await studio();
    const fresh = await openPage(other.url);
    await fresh.setInputFiles("#species-file", ["species.toml", "fern.png", "points.png"].map((name) => path.join(run.folder, name)));
    await settled(fresh);
    assert.ok((await exported(fresh)).bytes.equals(file.bytes));
    await stop(other);
    await stop(run);
  },

  async "verify opens its page of plots"() {
    const run = await studio(meadow);
    const page = await openPage(run.url);
    const [plots] = await Promise.all([page.context().waitForEvent("page"), page.click("#verify")]);
    await plots.waitForSelector("img");
    await plots.waitForFunction(() => document.images[0].complete && document.images[0].naturalWidth > 1000);
    assert.match(await plots.textContent("table"), /pairs too close0/);
    await stop(run);
  },

  async "without WebGL"() {
    const run = await studio(meadow);
    const page = await openPage(run.url, { more: "&draw=2d" });
    assert.equal(await page.evaluate(() => spinney.painter()), "FlatPainter");
    await paint(page, 3);
    await assertEqual(page, run);
    const dark = await page.evaluate(() => {
      const { data } = document.querySelector("#view").getContext("2d").getImageData(400, 300, 50, 50);
      return new Set(data).size;
    });
    assert.ok(dark > 10, "something is drawn");
    const gl = await openPage(run.url);
    assert.equal(await gl.evaluate(() => spinney.painter()), "GlPainter");
    await stop(run);
  },

  async "zoom, pan and resize"() {
    const run = await studio(meadow);
    const page = await openPage(run.url);
    const view = () => page.evaluate(() => ({ ...spinney.view }));
    const start = await view();
    await page.mouse.move(400, 400);
    await page.mouse.wheel(0, -300);
    const near = await view();
    assert.ok(near.zoom > 1.3 * start.zoom);
    const undo = await page.isDisabled("#undo");
    await page.locator("#view").focus();
    await page.keyboard.down(" ");
    await page.mouse.down();
    await page.mouse.move(450, 430);
    await page.mouse.up();
    await page.keyboard.up(" ");
    const moved = await view();
    assert.deepEqual([moved.x - near.x, moved.y - near.y].map(Math.round), [50, 30]);
    assert.equal(await page.isDisabled("#undo"), undo, "panning paints nothing");
    await page.keyboard.press("0");
    assert.deepEqual(await view(), start);
    await stop(run);
  },

  async "nothing for axe to complain of"() {
    const run = await studio(meadow);
    for (const scheme of ["dark", "light"]) {
      const page = await openPage(run.url, { scheme });
      await page.evaluate(() => spinney.measure());
      if (scheme === "dark") {
        await tab(page, "species");
        await page.click("#layer-add");
        await settled(page);
      }
      for (const name of ["points", "map", "species", "export"]) {
        await tab(page, name);
        await check(page, `${name}, ${scheme}`);
      }
      await page.goto(run.url.replace("/?", "/verify?"));
      await check(page, `verify, ${scheme}`);
    }
    await stop(run);

    async function check(page, what) {
      await page.evaluate(axe).catch(() => page.addScriptTag({ content: axe }));
      const { violations } = await page.evaluate(() => window.axe.run());
      const told = violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map((n) => n.target.join(" ")).join(", ")}`);
      if (told.length > 0) console.log(`  axe, ${what}: ${told.join("; ")}`);
      const bad = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
      assert.deepEqual(bad.map(({ id }) => id), [], what);
    }
  },

  async "one screen, without scrolling"() {
    const run = await studio(meadow);
    for (const [width, height] of [[1280, 800], [1024, 640]]) {
      for (const scheme of ["dark", "light"]) {
        const page = await openPage(run.url, { width, height, scheme });
        if (width === 1280 && scheme === "dark") await paint(page, 4, 5);
        await page.evaluate(() => spinney.measure());
        for (const name of ["points", "map", "species", "export"]) {
          await tab(page, name);
          await page.mouse.move(width / 3, height / 2);
          const room = await page.evaluate(() => {
            const root = document.documentElement;
            const panel = document.querySelector("[role=tabpanel]:not([hidden])");
            return [root.scrollWidth - innerWidth, root.scrollHeight - innerHeight, panel.scrollWidth - panel.clientWidth, panel.scrollHeight - panel.clientHeight];
          });
          assert.ok(room[0] <= 0 && room[1] <= 0 && room[2] <= 0, `${width}x${height} ${name}: ${room}`);
          if (width === 1280) assert.ok(room[3] <= 0, `${name} scrolls by ${room[3]}`);
          const shots = flag("--shots");
          if (shots) await page.screenshot({ path: path.join(shots, `${name}-${width}-${scheme}.png`) });
        }
        await page.context().close();
      }
    }
    await stop(run);
  },

  async "a stroke to its picture"() {
    const run = await studio();
    const page = await openPage(run.url);
    await tab(page, "points");
    await setField(page, "min-dist", 4);
    await setField(page, "max-dist", 24);
    const times = await page.evaluate(strokes, [512, 60]);
    const [median, most] = [quantile(times, 0.5), quantile(times, 0.95)];
    console.log(`  512 x 512, 4..24: median ${median.toFixed(0)} ms, 95 % ${most.toFixed(0)} ms`);
    assert.ok(median < 1000, "even on a busy machine");
    await stop(run);
  },

  async "a million points"() {
    const large = path.join(scratch, "large.png");
    execFileSync(program, ["map", "perlin", "--size", "4096x4096", "--scale", "700", "-o", large], { stdio: "ignore" });
    const run = await studio(large);
    const page = await openPage(run.url);
    const renderer = await page.evaluate(() => spinney.renderer());
    await tab(page, "points");
    await setField(page, "min-dist", 2.4);
    await setField(page, "max-dist", 4.8);
    // Other points, which nobody has asked for yet.
    await page.evaluate(() => askJson("/api/settings", { ...state.settings, seed: 1 }));
    await page.close();
    const fresh = await openPage(run.url);
    const first = await fresh.evaluate(() => spinney.first);
    const count = (await fresh.evaluate(() => spinney.points().length)) / 4;
    const times = await fresh.evaluate(strokes, [4096, 40]);
    const undone = await fresh.evaluate(async () => {
      const times = [];
      for (let i = 0; i < 10; i += 1) {
        const started = performance.now();
        step("/api/undo");
        await spinney.settled();
        spinney.drawNow();
        times.push(performance.now() - started);
      }
      return times;
    });
    const frames = (factor) => fresh.evaluate((factor) => {
      zoomBy(factor);
      return Array.from({ length: 20 }, (_, i) => {
        const started = performance.now();
        spinney.view.x += i;
        spinney.drawNow();
        return performance.now() - started;
      });
    }, factor);
    const [all, near] = [await frames(1), await frames(8)];
    const told = (list) => `median ${quantile(list, 0.5).toFixed(0)} ms, 95 % ${quantile(list, 0.95).toFixed(0)} ms`;
    console.log(`  4096 x 4096, ${count} points, ${renderer}`);
    console.log(`  page opened to first picture ${first} ms; stroke ${told(times)}; undo ${told(undone)}`);
    console.log(`  frame while panning: all points ${told(all)}; eight times nearer ${told(near)}`);
    assert.ok(count > 900000, `${count}`);
    await stop(run);
  },
};

// In the page: strokes one after the other, each until it is drawn with its points.
async function strokes([size, number]) {
  const times = [];
  document.querySelector("#brush-size").value = 40;
  for (let i = 0; i < number; i += 1) {
    const at = (k) => size * (0.2 + 0.6 * ((0.37 * i + 0.01 * k) % 1));
    document.querySelector("#brush-value").value = (i % 7) / 6;
    const started = performance.now();
    begin([at(0), at(5 * i)]);
    goOn([at(0) + 20, at(5 * i) + 15]);
    end();
    await spinney.settled();
    spinney.drawNow();
    times.push(performance.now() - started);
  }
  return times;
}

function quantile(list, share) {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

// The README's picture.
async function picture(file) {
  const run = await studio(meadow);
  const page = await openPage(run.url, { width: 1280, height: 800 });
  await setField(page, "min-dist", 5);
  await setField(page, "max-dist", 22);
  const stroke = (value, size, places) => page.evaluate(async ([value, size, places]) => {
    document.querySelector("#brush-value").value = value;
    document.querySelector("#brush-size").value = size;
    begin(places[0]);
    for (const place of places.slice(1)) goOn(place);
    end();
    await spinney.settled();
  }, [value, size, places]);
  await stroke(0, 46, [[70, 300], [110, 335], [150, 330], [185, 365], [170, 410]]);
  await stroke(0.95, 60, [[330, 80], [380, 95], [420, 130]]);
  await page.evaluate(() => {
    document.querySelector("#brush-size").value = 60;
    showBrush();
    document.activeElement.blur();
    spinney.measure();
  });
  await page.mouse.move(420, 260);
  await page.waitForTimeout(1500);
  await page.screenshot({ path: file });
  await stop(run);
}

let failed = 0;
try {
  if (flag("--picture")) await picture(flag("--picture"));
  else {
    for (const [name, test] of Object.entries(tests)) {
      if (flag("--only") && !name.includes(flag("--only"))) continue;
      if (name === "a million points" && !flags.includes("--measure")) {
        console.log(`skipped: ${name} (give --measure)`);
        continue;
      }
      const started = Date.now();
      try {
        await test();
        assert.deepEqual(problems.splice(0), [], "the page has nothing to complain of");
        console.log(`ok   ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
      } catch (error) {
        failed += 1;
        for (const context of browser.contexts()) await context.close();
        problems.splice(0);
        console.log(`FAIL ${name}\n${String(error.stack).slice(0, 2000)}`);
      }
    }
  }
} finally {
  for (const child of running) child.kill();
  await browser.close();
  fs.rmSync(scratch, { recursive: true, force: true });
}
process.exitCode = failed > 0 ? 1 : 0;
