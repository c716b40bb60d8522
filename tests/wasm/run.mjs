// Runs a test program built for WASI in Node: node run.mjs PROGRAM ARGUMENTS...
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { argv, exit } from "node:process";
import { fileURLToPath } from "node:url";
import { WASI } from "node:wasi";

const here = dirname(fileURLToPath(import.meta.url));
const wasi = new WASI({
  version: "preview1",
  args: argv.slice(2),
  // The tests look for maps beside their package.
  preopens: { [`${here}/../maps`]: join(here, "../../maps") },
});
const module = await WebAssembly.compile(await readFile(argv[2]));
const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
exit(wasi.start(instance));
