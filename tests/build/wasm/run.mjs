// Runs a program for WASI under node, as a command: its arguments, standard output and exit status. It may read the
// directories named before "--", each under its own path.
//
//   node run.mjs PROGRAM.wasm DIRECTORY... -- ARGUMENT...
import { readFileSync } from "node:fs";
import { WASI } from "node:wasi";

const [program, ...rest] = process.argv.slice(2);
const end = rest.indexOf("--");
if (!program || end < 0) {
    console.error("usage: node run.mjs PROGRAM.wasm DIRECTORY... -- ARGUMENT...");
    process.exit(2);
}
const preopens = Object.fromEntries(rest.slice(0, end).map((directory) => [directory, directory]));
const environment = process.env.SEEBATCH_KERNEL ? { SEEBATCH_KERNEL: process.env.SEEBATCH_KERNEL } : {};
const wasi = new WASI({
    version: "preview1",
    args: [program, ...rest.slice(end + 1)],
    env: environment,
    preopens,
    returnOnExit: true,
});
const module = new WebAssembly.Module(readFileSync(program));
const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi.wasiImport });
process.exitCode = wasi.start(instance);
