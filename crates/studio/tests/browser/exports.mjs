// Tests files: exports, species, and the page of plots.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { assertEqual, downloaded, exported, holdBack, meadow, openPage, paint, program, setField, settled, stop, studio, tab, text } from "./page.mjs";

export const tests = {
  async "every format"() {
    const run = await studio(meadow);
    const page = await openPage(run.url);
    await tab(page, "export");
    const formats = await page.locator("#format option").evaluateAll((all) => all.map((o) => o.value));
    assert.ok(formats.length >= 11);
    for (const [i, format] of formats.entries()) {
      await tab(page, "export");
      await setField(page, "format", format);
      assert.equal(await page.inputValue("#name-output"), `points.${format}`);
      await assertEqual(page, run, i > 0);
    }
    await tab(page, "export");
    const preview = await downloaded(page, () => page.click("#preview"));
    assert.equal(preview.name, "points.preview.png");
    assert.ok(preview.bytes.subarray(1, 4).equals(Buffer.from("PNG")));
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
    const open = async () => {
      await fresh.setInputFiles("#species-file", ["species.toml", "fern.png", "points.png"].map((name) => path.join(run.folder, name)));
      await settled(fresh);
    };
    await open();
    // The file is read before the session gets it.
    await fresh.waitForFunction(() => document.querySelectorAll("#layers li").length === 2);
    await settled(fresh);
    assert.ok((await exported(fresh)).bytes.equals(file.bytes));
    // Painted maps are replaced only when that is confirmed.
    await paint(fresh, 1);
    const answer = (how) => fresh.waitForEvent("dialog").then((dialog) => dialog[how]());
    let asked = answer("dismiss");
    await open();
    await asked;
    await settled(fresh);
    assert.ok(await fresh.isEnabled("#undo"));
    asked = answer("accept");
    await open();
    await asked;
    await fresh.waitForFunction(() => document.querySelector("#undo").disabled);
    // While a picture is dragged over the map, a note lies over it.
    const client = await fresh.context().newCDPSession(fresh);
    const drag = (type) => client.send("Input.dispatchDragEvent", {
      type, x: 300, y: 300, data: { items: [], files: [meadow], dragOperationsMask: 1 },
    });
    for (const type of ["dragEnter", "dragOver", "dragOver"]) {
      await drag(type);
      assert.ok(await fresh.isVisible("#drop"));
    }
    await drag("drop");
    await fresh.waitForFunction(() => !document.querySelector("#undo").disabled);
    assert.ok(await fresh.isHidden("#drop"));
    // Several pictures at once are refused.
    await fresh.evaluate(() => {
      const dataTransfer = new DataTransfer();
      for (const name of ["a.png", "b.png"]) dataTransfer.items.add(new File(["x"], name));
      document.querySelector(".stage").dispatchEvent(new DragEvent("drop", { dataTransfer, cancelable: true }));
    });
    assert.match(await text(fresh, "said"), /one picture at a time/);
    await stop(other);
    await stop(run);
  },

  async "verify opens its page of plots"() {
    const run = await studio(meadow);
    const page = await openPage(run.url);
    // The window opens at once, and waits for the points.
    const made = await holdBack(page, "/api/points");
    await page.fill("#seed", "3");
    await page.press("#seed", "Tab");
    const [plots] = await Promise.all([page.context().waitForEvent("page"), page.click("#verify")]);
    assert.equal(await plots.textContent("body"), "computing ...");
    await made.arrived;
    made.release();
    await plots.waitForSelector("img");
    await plots.waitForFunction(() => document.images[0].complete && document.images[0].naturalWidth > 1000);
    assert.match(await plots.textContent("dl"), /pairs too close0/);
    await stop(run);
  },
};
