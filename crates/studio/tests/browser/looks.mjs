// Tests accessibility with axe, and the layout on small screens.

import assert from "node:assert/strict";
import path from "node:path";
import { axe, flag, meadow, openPage, paint, settled, stop, studio, tab } from "./page.mjs";

export const tests = {
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
    const page = await openPage(run.url, { width: 1280, height: 800 });
    await paint(page, 4, 5);
    // In narrower windows the brush's sliders have rows of their own.
    await page.setViewportSize({ width: 600, height: 640 });
    const overlaps = await page.evaluate(() => {
      const boxes = [...document.querySelectorAll("header button, header .slide > *")].map((e) => e.getBoundingClientRect());
      const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
      return boxes.filter((a, i) => boxes.slice(i + 1).some((b) => meet(a, b))).length;
    });
    assert.equal(overlaps, 0);
    for (const [width, height] of [[1280, 800], [1024, 640]]) {
      await page.setViewportSize({ width, height });
      await page.evaluate(() => spinney.measure());
      for (const scheme of ["dark", "light"]) {
        await page.emulateMedia({ colorScheme: scheme });
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
      }
    }
    await stop(run);
  },
};
