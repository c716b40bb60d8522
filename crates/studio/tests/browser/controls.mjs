// Tests every control and every key.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { assertEqual, downloaded, meadow, openPage, points, program, rows, runShown, setField, settled, stop, studio, tab, text } from "./page.mjs";

export const tests = {
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
      ["size-width", "", ""],
      ["size-height", 300, "--size 300x300"],
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
    // A slider sets the same flag.
    await tab(page, "points");
    await page.locator("#min-dist-slide").fill("7");
    await settled(page);
    assert.ok((await text(page, "command")).includes("--min-dist 7 "));
    // An invalid value is reported and not applied. It stays until it fits.
    await setField(page, "max-dist", 3);
    await setField(page, "seed", 78);
    // What is measured of the points must not replace the reason.
    await page.evaluate(() => spinney.measure());
    assert.match(await text(page, "said"), /^max_dist 3: must not be less than min_dist 7/);
    assert.equal(await page.getAttribute("#max-dist", "aria-invalid"), "true");
    assert.equal(await page.inputValue("#max-dist"), "3");
    assert.match(await text(page, "command"), /--max-dist 12.5 .*--seed 78 /);
    await tab(page, "export");
    await page.click("#export");
    await settled(page);
    assert.match(await text(page, "said"), /^not saved: max_dist 3: /);
    // A long reason is not cut off.
    await setField(page, "name-output", "../a.csv");
    assert.ok(await page.locator("#said").evaluate((e) => e.scrollWidth <= e.clientWidth && e.clientHeight > 40));
    await setField(page, "name-output", "points.csv");
    await tab(page, "points");
    await setField(page, "min-dist", 2.5);
    assert.ok((await text(page, "command")).includes("--min-dist 2.5 --max-dist 3 "));
    assert.equal(await page.getAttribute("#max-dist", "aria-invalid"), null);
    await setField(page, "min-dist", 7);
    await setField(page, "max-dist", 12.5);
    assert.match(await text(page, "command"), /--min-dist 7 --max-dist 12.5 /);
    for (const value of ["1.5", "-1", "1e20"]) {
      await page.locator("#seed").fill(value);
      await page.locator("#seed").press("Tab");
      await settled(page);
      assert.match(await text(page, "said"), /^seed: /);
      assert.equal(await page.getAttribute("#seed", "aria-invalid"), "true");
      assert.ok((await text(page, "command")).includes("--seed 78"));
    }
    await setField(page, "seed", 77);
    await page.locator("#size-width").pressSequentially("1e");
    await page.locator("#size-width").press("Tab");
    await settled(page);
    assert.match(await text(page, "said"), /^size, width: /);
    assert.equal(await page.inputValue("#size-height"), "300");
    await setField(page, "size-width", 300);
    // Noise.
    await tab(page, "map");
    await page.fill("#noise-octaves", "1.5");
    await page.click("#noise");
    await settled(page);
    assert.match(await text(page, "said"), /^octaves: /);
    await page.fill("#noise-octaves", "");
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
    // German keyboards have brackets only with AltGr or Option.
    for (const keys of [{ altKey: true }, { altKey: true, ctrlKey: true }]) {
      const old = await page.inputValue("#brush-size");
      await page.evaluate((keys) => canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "]", bubbles: true, ...keys })), keys);
      assert.notEqual(await page.inputValue("#brush-size"), old);
    }
    for (const key of ["ArrowLeft", "ArrowLeft", "ArrowUp", "Enter", "e", "ArrowRight", "ArrowRight", "ArrowRight", "Enter", "["]) await page.keyboard.press(key);
    assert.equal(await page.getAttribute("#tool-eraser", "aria-pressed"), "true");
    await settled(page);
    assert.notDeepEqual(await points(page), before);
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    await settled(page);
    assert.deepEqual(rows(await points(page)), rows(before));
    // An arrow key at the edge moves the map.
    const left = () => page.evaluate(() => spinney.view.x);
    const start = await left();
    for (let i = 0; i < 60; i += 1) await page.keyboard.press("ArrowRight");
    assert.ok(await left() < start - 20);
    await page.keyboard.press("0");
    assert.equal(await left(), start);
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
    // Enter paints where the ring of the mouse is.
    const mouse = await openPage(run.url);
    await mouse.mouse.move(300, 250);
    await mouse.locator("#view").focus();
    const sent = mouse.waitForRequest("**/api/stroke");
    await mouse.keyboard.press("Enter");
    const { path: [place] } = (await sent).postDataJSON();
    const ring = await mouse.evaluate(() => {
      const box = canvas.getBoundingClientRect();
      return onMap(300 - box.left, 250 - box.top);
    });
    assert.deepEqual(place.map(Math.round), ring.map(Math.round));
    await settled(mouse);
    await stop(run);
  },
};
