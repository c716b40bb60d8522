// Tests the studio in headless Chromium, driven by playwright-core and checked by axe-core.
//
//   node crates/studio/tests/browser/run.mjs PROGRAM MODULES [--group GROUP] [--only NAME] [--measure] [--shots FOLDER] [--picture FILE]
//
// PROGRAM is the spinney to test, MODULES a node_modules folder with playwright-core and axe-core.
// --group runs the tests of one file instead of all; --only runs tests whose names contain NAME;
// --measure adds a million points; --shots keeps screenshots; --picture draws the README's picture.

import assert from "node:assert/strict";
import { browser, end, flag, hasFlag, meadow, openPage, problems, setField, stop, studio } from "./page.mjs";

// Draws the README's picture.
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

async function test(name, run) {
  const started = Date.now();
  try {
    await run();
    assert.deepEqual(problems.splice(0), [], "the page has nothing to complain of");
    console.log(`ok   ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
    return true;
  } catch (error) {
    for (const context of browser.contexts()) await context.close();
    problems.splice(0);
    console.log(`FAIL ${name}\n${String(error.stack).slice(0, 2000)}`);
    return false;
  }
}

let failed = 0;
try {
  if (flag("--picture")) await picture(flag("--picture"));
  else {
    const groups = flag("--group") ? [flag("--group")] : ["painting", "controls", "exports", "looks"];
    for (const group of groups) {
      const { tests } = await import(`./${group}.mjs`);
      for (const [name, run] of Object.entries(tests)) {
        if (flag("--only") && !name.includes(flag("--only"))) continue;
        if (name === "a million points" && !hasFlag("--measure")) {
          console.log(`skipped: ${name} (give --measure)`);
          continue;
        }
        if (!await test(name, run)) failed += 1;
      }
    }
  }
} finally {
  await end();
}
process.exitCode = failed > 0 ? 1 : 0;
