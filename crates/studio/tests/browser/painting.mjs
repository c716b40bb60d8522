// Tests strokes on the map, the points that follow, and the picture.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import path from "node:path";
import { assertEqual, downloaded, hasFlag, holdBack, meadow, openPage, paint, points, problems, program, rows, scratch, setField, settled, stop, studio, tab, text } from "./page.mjs";

export const tests = {
  async "twenty strokes, undone, and a reload"() {
    const run = await studio();
    const page = await openPage(run.url);
    await tab(page, "points");
    await setField(page, "min-dist", 4);
    await setField(page, "max-dist", 24);
    await page.click("#zoom-fit");
    const first = await points(page);
    const picture = () => page.locator("#view").screenshot();
    await page.mouse.move(512, 630);
    const before = await picture();
    await paint(page, 20);
    assert.notDeepEqual(await points(page), first);
    await assertEqual(page, run);
    // A reload and another tab show the painted map.
    const painted = rows(await points(page));
    const other = await openPage(run.url);
    assert.deepEqual(rows(await points(other)), painted);
    await page.reload();
    await page.waitForSelector("body[data-ready]");
    assert.deepEqual(rows(await points(page)), painted);
    await page.keyboard.down("Control");
    for (let i = 0; i < 20; i += 1) await page.keyboard.press("z");
    await page.keyboard.up("Control");
    await settled(page);
    assert.ok(await page.isDisabled("#undo"), "every step is taken back");
    const asked = [];
    const ask = (request) => asked.push(new URL(request.url()).pathname);
    page.on("request", ask);
    await page.keyboard.press("Control+z");
    await settled(page);
    page.off("request", ask);
    assert.ok(asked.includes("/api/undo") && !asked.includes("/api/map"), "nothing is left to undo");
    assert.deepEqual(rows(await points(page)), rows(first));
    await page.click("#zoom-fit");
    await page.mouse.move(512, 630);
    await page.evaluate(() => spinney.measure());
    await page.waitForTimeout(200);
    assert.ok((await picture()).equals(before), "the first picture");
    // A tab that comes to the front shows it, too.
    await other.evaluate(() => refreshTab());
    await settled(other);
    assert.deepEqual(rows(await points(other)), rows(first));
    await stop(run);
  },

  async "answers that fail or come late"() {
    const run = await studio(meadow);
    const page = await openPage(run.url);
    // Measures of earlier points are not shown beside newer ones.
    const facts = await holdBack(page, "/api/facts", true);
    const measured = page.evaluate(() => spinney.measure());
    await facts.arrived;
    await tab(page, "points");
    await setField(page, "min-dist", 9);
    facts.release();
    await measured;
    assert.doesNotMatch(await text(page, "facts"), /density error/);
    // Settings that are edited while an earlier one runs are sent as they were typed.
    const first = await holdBack(page, "/api/layer");
    const type = async (id, value) => {
      await page.fill(`#${id}`, value);
      await page.press(`#${id}`, "Tab");
    };
    await type("min-dist", "8");
    await first.arrived;
    await page.waitForFunction(() => document.querySelector("#busy").textContent === "computing ...");
    await type("max-dist", "41");
    await page.selectOption("#white", "dense");
    await type("seed", "5");
    await page.check("#tile");
    first.release();
    await settled(page);
    assert.match(await text(page, "command"), / --min-dist 8 --max-dist 41 --white dense --seed 5 --tile /);
    assert.equal(await page.inputValue("#max-dist"), "41");
    // The points are also measured.
    await page.waitForFunction(() => document.querySelector("#busy").textContent === "");
    // A stroke that is refused in the middle does not stop later ones.
    let left = 1;
    await page.route("**/api/stroke", (route) => (left-- > 0 ? route.abort() : route.continue()));
    await page.mouse.move(400, 200);
    await page.mouse.down();
    for (let x = 400; x < 500; x += 10) await page.mouse.move(x, 200);
    await page.mouse.up();
    await settled(page);
    const before = await points(page);
    await paint(page, 2);
    await setField(page, "min-dist", 5);
    assert.notDeepEqual(await points(page), before);
    await assertEqual(page, run);
    // The last part of a stroke that is refused takes no later stroke with it.
    const undo = await steps(page);
    let last = 1;
    await page.route("**/api/stroke", (route) => (
      route.request().postDataJSON().last && last-- > 0 ? setTimeout(() => route.abort(), 100) : route.continue()));
    await page.evaluate(async () => {
      begin([100, 100]);
      await spinney.settled();
      end();
      begin([300, 100]);
      end();
    });
    await settled(page);
    assert.equal(await steps(page), undo + 2);
    // The map is saved while the points are still computed.
    const computed = await holdBack(page, "/api/points");
    await page.evaluate(() => {
      begin([200, 300]);
      end();
    });
    await tab(page, "map");
    const map = await downloaded(page, () => page.click("#save-map"));
    await computed.arrived;
    computed.release();
    await settled(page);
    assert.ok((await downloaded(page, () => page.click("#save-map"))).bytes.equals(map.bytes));
    problems.splice(0);
    // A layer goes with its map only when that is confirmed.
    await tab(page, "species");
    await page.click("#layer-add");
    await settled(page);
    const layers = () => page.locator("#layers li").count();
    page.once("dialog", (dialog) => dialog.dismiss());
    await page.click("#layer-remove");
    await settled(page);
    assert.equal(await layers(), 2);
    page.once("dialog", (dialog) => dialog.accept());
    await page.click("#layer-remove");
    await settled(page);
    assert.equal(await layers(), 1);
    await stop(run);
  },

  async "strokes after the changes made before them"() {
    const run = await studio(meadow);
    const page = await openPage(run.url);
    const erase = () => page.evaluate(() => {
      setTool("erase");
      begin([200, 200]);
      goOn([300, 300]);
      end();
    });
    // The map that is loaded after the change does not hide the stroke.
    const map = await holdBack(page, "/api/map", true);
    await page.click("#fill");
    await map.arrived;
    await erase();
    await page.waitForTimeout(200);
    map.release();
    await settled(page);
    assert.ok((await shares(page)).erased > 0);
    // A change that still waits for another is not sent after the stroke, which it would replace.
    await page.click("#undo");
    await tab(page, "points");
    const earlier = await holdBack(page, "/api/layer");
    await page.fill("#min-dist", "5");
    await page.press("#min-dist", "Tab");
    await earlier.arrived;
    await page.click("#tool-brush");
    await page.click("#fill");
    await erase();
    await page.waitForTimeout(200);
    earlier.release();
    await settled(page);
    assert.ok((await shares(page)).erased > 0);
    // Pixels of a larger map do not fit the map that is still shown.
    const larger = path.join(scratch, "larger.png");
    execFileSync(program, ["map", "perlin", "--size", "1500x900", "-o", larger], { stdio: "ignore" });
    const opened = await holdBack(page, "/api/map", true);
    await page.setInputFiles("#open-file", larger);
    await opened.arrived;
    await page.evaluate(() => {
      begin([500, 400]);
      goOn([500, 500]);
      end();
    });
    await page.waitForTimeout(200);
    opened.release();
    await settled(page);
    assert.ok((await shares(page)).erased > 0);
    // A change in another window is shown with the next change here, though its points were computed before.
    const other = await openPage(run.url);
    await other.click("#tool-eraser");
    await other.click("#fill");
    await settled(other);
    await page.evaluate(() => pump());
    await setField(page, "seed", 3);
    const { all, erased } = await shares(page);
    assert.ok(all > 0.1 && erased > 0.9 * all, `${erased} of ${all} is erased`);
    // The world stays in view when another window changes its size.
    await setField(other, "size-width", 5000);
    await setField(other, "size-height", 3000);
    await settled(other);
    await page.evaluate(() => refreshTab());
    await settled(page);
    const [shown, fitting] = await page.evaluate(() => [view.zoom, (fit(), view.zoom)]);
    assert.equal(shown, fitting);
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
    // Space belongs to the map under the pointer, whatever button was pressed before.
    await page.click("#fill");
    await settled(page);
    await page.mouse.move(400, 400);
    await page.keyboard.down(" ");
    await page.mouse.down();
    await page.mouse.move(420, 400);
    await page.mouse.up();
    await page.keyboard.up(" ");
    await settled(page);
    assert.equal(await steps(page), 1);
    assert.equal(Math.round((await view()).x - start.x), 20);
    // Beside the map, or after Tab, it presses the button that has the focus.
    await page.click("#tool-eraser");
    await page.locator("#fill").focus();
    await page.keyboard.press(" ");
    await settled(page);
    assert.equal(await steps(page), 2);
    await page.mouse.move(400, 400);
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press(" ");
    await settled(page);
    assert.equal(await steps(page), 3);
    await stop(run);
  },

  async "fingers, and keys during a stroke"() {
    const run = await studio(meadow);
    const page = await openPage(run.url);
    const stroke = async (y, during = () => {}) => {
      await page.mouse.move(300, y);
      await page.mouse.down();
      await page.mouse.move(330, y);
      await during();
      await page.mouse.move(360, y);
      await page.mouse.up();
    };
    await page.locator("#view").focus();
    await stroke(200, () => page.keyboard.press("Enter"));
    await stroke(240);
    await settled(page);
    assert.equal(await steps(page), 2);
    const client = await page.context().newCDPSession(page);
    const touch = (type, ...fingers) => client.send("Input.dispatchTouchEvent", {
      type, touchPoints: fingers.map(([id, x, y]) => ({ id, x, y })),
    });
    await touch("touchStart", [0, 300, 280]);
    await touch("touchStart", [0, 300, 280], [1, 500, 280]);
    await touch("touchMove", [0, 320, 280], [1, 520, 480]);
    await touch("touchEnd", [1, 520, 480]);
    await touch("touchEnd");
    await stroke(320);
    await settled(page);
    assert.equal(await steps(page), 4, "the second finger paints nothing, and later strokes are painted");
    await stop(run);
  },

  async "a small texture limit, a lost context and another screen"() {
    const wide = path.join(scratch, "wide.png");
    execFileSync(program, ["map", "perlin", "--size", "9000x200", "-o", wide], { stdio: "ignore" });
    const run = await studio(wide);
    const page = await openPage(run.url);
    const fit = await page.evaluate(() => (0.95 * canvas.clientWidth) ** 2 * (200 / 9000) / (canvas.clientWidth * canvas.clientHeight));
    const { all, erased } = await shares(page);
    assert.ok(Math.abs(all - fit) < 0.2 * fit, `${all} is covered, not ${fit}`);
    assert.equal(erased, 0, "nothing is shown as erased");
    // A stroke across the edge of two textures.
    await page.evaluate(async () => {
      painter.limit = 4000;
      await loadMap();
      setTool("erase");
      Object.assign($("brush-size"), { value: 300 });
      begin([3000, 100]);
      goOn([5000, 100]);
      end();
    });
    await settled(page);
    const first = (await shares(page)).erased / all;
    assert.ok(Math.abs(first - 0.25) < 0.05, `${first} is erased`);
    // A stroke while the context is lost.
    const back = await page.evaluate(async () => {
      const { gl } = painter;
      const lose = gl.getExtension("WEBGL_lose_context");
      const told = (name) => new Promise((resolve) => { canvas.addEventListener(name, resolve, { once: true }); });
      let next = told("webglcontextlost");
      lose.loseContext();
      await next;
      begin([6000, 100]);
      goOn([8000, 100]);
      end();
      await spinney.settled();
      next = Promise.race([told("webglcontextrestored"), new Promise((resolve) => { setTimeout(resolve, 3000); })]);
      // The event must be over.
      setTimeout(() => lose.restoreContext(), 50);
      const { type } = await next ?? {};
      await spinney.settled();
      return type;
    });
    assert.equal(back, "webglcontextrestored");
    const both = (await shares(page)).erased / all;
    assert.ok(Math.abs(both - 0.5) < 0.05, `${both} is erased`);
    // The pixels are smaller, the window as large as before.
    const client = await page.context().newCDPSession(page);
    await client.send("Emulation.setDeviceMetricsOverride", { width: 1024, height: 640, deviceScaleFactor: 2, mobile: false });
    // Emulated screens tell the page of the change in the next picture that is taken.
    await client.send("Page.captureScreenshot");
    await page.waitForFunction(() => canvas.width === 2 * canvas.clientWidth && frameOf().scale === 2 * spinney.view.zoom);
    const fine = (await shares(page)).all;
    assert.ok(Math.abs(fine - all) < 0.1 * all, `${fine} is covered, not ${all}`);
    await stop(run);
  },

  async "a stroke to its picture"() {
    const run = await studio();
    const page = await openPage(run.url);
    await tab(page, "points");
    await setField(page, "min-dist", 4);
    await setField(page, "max-dist", 24);
    const times = await page.evaluate(strokes, [512, hasFlag("--measure") ? 60 : 20]);
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
    // Changes the seed without requesting the new points.
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

// Returns the shares of the canvas that show the map, and erased ground.
const shares = (page) => page.evaluate(() => {
  const { gl } = painter;
  dots.lists = dots.lists.map(() => new Float32Array(0));
  spinney.drawNow();
  const pixels = new Uint8Array(4 * canvas.width * canvas.height);
  gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  let [all, erased] = [0, 0];
  for (let i = 0; i < pixels.length; i += 4) {
    if (pixels[i + 3] > 0) all += 1;
    if (pixels[i] > pixels[i + 1] + 20) erased += 1;
  }
  const size = canvas.width * canvas.height;
  return { all: all / size, erased: erased / size };
});

// Returns how many steps can be undone.
const steps = (page) => page.evaluate(async () => (await askJson("/api/state")).undo);

// Runs in the page: draws strokes one after the other, each until its points are on the screen.
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
