// Writes npm_poisson_disk_sampling.npy beside this file, and prints the line of its origin.
//
//   npm install poisson-disk-sampling@2.3.1 && node npm_poisson_disk_sampling.mjs

import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const PoissonDiskSampling = require("poisson-disk-sampling");
const version = require("poisson-disk-sampling/package.json").version;

/** A seeded generator (mulberry32), so that the file can be made again. */
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function run(seed) {
  const start = process.cpuUsage();
  const sampler = new PoissonDiskSampling(
    { shape: [100, 100], minDistance: 1, tries: 30 },
    random(seed),
  );
  const points = sampler.fill();
  const used = process.cpuUsage(start);
  return { points, ns: ((used.user + used.system) * 1000) / points.length };
}

for (let seed = 100; seed < 103; seed += 1) run(seed); // let the compiler warm up
const times = [1, 2, 3, 4, 5].map((seed) => run(seed).ns).sort((a, b) => a - b);
const { points } = run(0);

const shape = `{'descr': '<f8', 'fortran_order': False, 'shape': (${points.length}, 2), }`;
const header = shape.padEnd(Math.ceil((shape.length + 11) / 64) * 64 - 11, " ") + "\n";
const out = Buffer.alloc(10 + header.length + 16 * points.length);
out.write("\x93NUMPY\x01\x00", 0, "latin1");
out.writeUInt16LE(header.length, 8);
out.write(header, 10, "latin1");
points.flat().forEach((x, i) => out.writeDoubleLE(x, 10 + header.length + 8 * i));
writeFileSync(new URL("npm_poisson_disk_sampling.npy", import.meta.url), out);
console.log(
  `poisson-disk-sampling ${version} (npm, MIT), Node ${process.version}, shape [100, 100], ` +
    `minDistance 1, tries 30, seed 0: ${points.length} points, ` +
    `median ${times[2].toFixed(0)} ns of CPU per point`,
);
