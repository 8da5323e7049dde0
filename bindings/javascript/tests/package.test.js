// The package: its size, its version, its types; packed and installed in an empty folder without network, where it
// does what its README says, and its types serve TypeScript.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";
import { Seebatch } from "seebatch";
import { read } from "../arguments.js";
import { bytesOf, FEN, here, project, ways } from "./support.js";

// By clang 14; later ones make a twentieth less.
for (const [kernel, most] of [
    ["scalar", 36000],
    ["simd128", 118000],
]) {
    test(`${kernel}: no imports, the package's functions, and at most ${most} bytes compressed`, () => {
        const module = new WebAssembly.Module(bytesOf(kernel));
        assert.deepEqual(WebAssembly.Module.imports(module), []);
        const sources = ["seebatch.js", "batch.js", "library.js"].map((name) =>
            readFileSync(here(`../${name}`), "utf8"),
        );
        const called = new Set(sources.join().match(/\bseebatch_(?!error|fault|trace\b)[a-z_]+(?=\()/g));
        const exported = WebAssembly.Module.exports(module).map(({ name }) => name);
        for (const name of called) assert.ok(exported.includes(name), name);
        const size = gzipSync(bytesOf(kernel), { level: 9 }).length;
        assert.ok(size <= most, `${size} bytes`);
    });
}

test("the version is the library's", () => {
    const [, version] = readFileSync(project("include/seebatch.h"), "utf8").match(/#define SEEBATCH_VERSION "(.*)"/);
    assert.equal(JSON.parse(readFileSync(here("../package.json"), "utf8")).version, version);
    assert.equal(Seebatch.version, version);
});

test("what the package has of the library's own: the bound of values, the names of rule sets", () => {
    const [, most] = readFileSync(project("include/seebatch.h"), "utf8").match(/SEEBATCH_MAX_PIECE_VALUE = (\d+)/);
    assert.equal(read.MAX_PIECE_VALUE, Number(most));
    const [, names] = readFileSync(here("../index.d.ts"), "utf8").match(/export type RuleSet =([^;]*);/);
    assert.deepEqual(
        [...names.matchAll(/"(.*?)"/g)].map(([, name]) => name),
        ways[0].library.ruleSets,
    );
});

test("the types name what there is", () => {
    const types = readFileSync(here("../index.d.ts"), "utf8");
    const [{ library }] = ways;
    for (const [opening, subject] of [
        ["export class Seebatch", library],
        ["export interface Batch {", library.positions([])],
    ]) {
        const body = types.slice(types.indexOf(opening)).split("\n}")[0];
        const said = [...body.matchAll(/^ {4}(?:readonly )?([a-z]\w*)[(:]/gim)].map(([, name]) => name);
        const there = Object.getOwnPropertyNames(Object.getPrototypeOf(subject));
        assert.deepEqual(
            said.filter((name) => name !== "private").sort(),
            there.filter((name) => name !== "constructor").sort(),
        );
    }
    const statics = Object.getOwnPropertyNames(Seebatch).filter(
        (name) => !["prototype", "name", "length"].includes(name),
    );
    assert.deepEqual(
        [...types.matchAll(/^ {4}static (?:readonly )?(\w+)/gm)].map(([, name]) => name).sort(),
        statics.sort(),
    );
    const explained = ways[0].library.explain(FEN, "d3e5");
    for (const name of [...Object.keys(explained), ...Object.keys(explained.captures[0])])
        assert.match(types, new RegExp(`^    ${name}: `, "m"));
});

// ---- Packed, and installed in an empty folder ----

const folder = mkdtempSync(join(tmpdir(), "seebatch-"));
after(() => rmSync(folder, { recursive: true }));
const run = (command, args, cwd = folder) =>
    execFileSync(command, args, { cwd, stdio: ["ignore", "pipe", "ignore"] }).toString();

// A command of a development dependency, or of this machine; null where there is none.
function commandOf(name) {
    const commands = [here(`../node_modules/.bin/${name}`), name];
    return commands.find((command) => spawnSync(command, ["--version"]).status === 0) ?? null;
}

const npm = commandOf("npm") ? false : "there is no npm here (Debian: npm)";
let packed;
test("npm pack, installed without network", { skip: npm }, () => {
    // What the tests call was built just now.
    packed = pack(here(".."), "--ignore-scripts");
    run("npm", ["install", "--offline", "--no-audit", "--no-fund", join(folder, packed)]);
});

// Packs the package in a folder, and looks at what is in it.
function pack(from, ...options) {
    const said = run("npm", ["pack", "--json", ...options, "--pack-destination", folder], from);
    const [{ filename, files }] = JSON.parse(said.slice(said.search(/^\[/m))); // npm's own words on scripts come before
    assert.deepEqual(files.map(({ path }) => path).sort(), [
        "LICENSE",
        "README.md",
        "arguments.js",
        "batch.js",
        "board.d.ts",
        "board.js",
        "chessground.d.ts",
        "chessground.js",
        "index.d.ts",
        "index.js",
        "library.js",
        "memory.js",
        "module.d.ts",
        "package.json",
        "seebatch-scalar.wasm",
        "seebatch-simd128.wasm",
        "seebatch.js",
    ]);
    return filename;
}

test("npm pack in a new clone builds what it packs", { skip: npm }, () => {
    const clone = join(folder, "clone");
    const built = /\.wasm$|javascript\/(LICENSE|node_modules)$/;
    for (const part of ["bindings/javascript", "include", "src", "scripts", "web/src", "web/build.mjs", "web/page.css", "web/pieces.svg", "CMakeLists.txt", "LICENSE"])
        cpSync(project(part), join(clone, part), { recursive: true, filter: (path) => !built.test(path) });
    // A compiler that makes empty files: what is in the modules, the other tests look at.
    const compiler = join(folder, "compiler");
    writeFileSync(compiler, '#!/bin/sh\nwhile [ $# -gt 0 ] && [ "$1" != -o ]; do shift; done\n[ $# = 0 ] || : >"$2"\n');
    chmodSync(compiler, 0o755);
    process.env.CLANG = compiler;
    try {
        pack(join(clone, "bindings/javascript"));
    } finally {
        delete process.env.CLANG;
    }
});

const deno = commandOf("deno");
for (const [name, command, skip] of [
    ["node", [process.execPath], npm],
    ["Deno", [deno, "run", "--allow-read"], npm || (deno ? false : "there is no deno here (npm install --no-save deno)")],
]) {
    test(`${name}: the README of what is installed`, { skip }, () => {
        const readme = readFileSync(join(folder, "node_modules/seebatch/README.md"), "utf8");
        const snippets = [...readme.matchAll(/```js\n(.*?)```\n\n```\n(.*?)```/gs)];
        assert.equal(snippets.length, readme.split("```js").length - 1);
        for (const [, code, output] of snippets) {
            writeFileSync(join(folder, "snippet.mjs"), code);
            assert.equal(run(command[0], [...command.slice(1), "snippet.mjs"]), output);
        }
    });
}

const esbuild = commandOf("esbuild");
const noBundle = npm || (esbuild ? false : "there is no esbuild here (npm install)");
test("esbuild: the modules in the bundle, given to load()", { skip: noBundle }, () => {
    writeFileSync(
        join(folder, "page.mjs"),
        `import scalar from "seebatch/seebatch-scalar.wasm";
        import { Seebatch } from "seebatch";
        Seebatch.load({ simd: false, files: { scalar } }).then((it) => console.log(it.see("${FEN}", "Nxe5")));`,
    );
    for (const format of ["esm", "iife"]) {
        const options = ["--bundle", "--log-level=error", "--loader:.wasm=binary", "--target=es2020"];
        run(esbuild, [...options, `--format=${format}`, "--outfile=bundle.mjs", "page.mjs"]);
        assert.equal(run(process.execPath, ["bundle.mjs"]), "-225\n");
    }
});

const vite = commandOf("vite");
test("Vite: the README's example, bundled", { skip: npm || (vite ? false : "there is no vite here (npm install)") }, () => {
    writeFileSync(join(folder, "vite.mjs"), `import { Seebatch } from "seebatch";\nexport const loaded = Seebatch.load();`);
    writeFileSync(join(folder, "index.html"), '<script type="module" src="./vite.mjs"></script>');
    run(vite, ["build", "--logLevel", "error", "--outDir", "vite-out", "--emptyOutDir"]);
    const made = readdirSync(join(folder, "vite-out/assets"));
    // Small files become data in the script, so the modules are beside it or in it.
    for (const kernel of ["scalar", "simd128"])
        assert.ok(made.some((name) => name.startsWith(`seebatch-${kernel}`) && name.endsWith(".wasm")), made.join());
});

test("Content-Security-Policy: the package compiles, and evaluates no text", () => {
    const sources = ["arguments.js", "batch.js", "index.js", "library.js", "memory.js", "seebatch.js", "board.js", "chessground.js"];
    for (const name of sources) assert.doesNotMatch(readFileSync(here(`../${name}`), "utf8"), /\beval\(|new Function\(/, name);
});

// What others think of a package: https://publint.dev and https://arethetypeswrong.github.io
for (const [name, options] of [
    ["publint", ["--strict"]],
    ["attw", ["--profile", "esm-only", "--no-emoji"]],
]) {
    const command = commandOf(name);
    const skip = npm || (command ? false : `there is no ${name} here (npm install)`);
    test(`${name}: nothing is wrong with what is packed`, { skip }, () => {
        const { status, stdout } = spawnSync(command, [join(folder, packed), ...options], { cwd: folder });
        assert.equal(status, 0, stdout.toString());
    });
}

const tsc = commandOf("tsc");
const noTypes = npm || (tsc ? false : "there is no tsc here (npm install)");
test("TypeScript: the types of what is installed", { skip: noTypes }, () => {
    copyFileSync(here("types.mts"), join(folder, "types.mts"));
    // With the types of the DOM, and without them.
    for (const lib of ["es2022,dom", "es2022"]) {
        const options = ["--noEmit", "--strict", "--module", "nodenext", "--lib", lib, "types.mts"];
        const { status, stdout } = spawnSync(tsc, options, { cwd: folder });
        assert.equal(status, 0, stdout.toString());
    }
});

test("TypeScript: what the README says of a CommonJS file", { skip: noTypes }, () => {
    for (const [module, line, expected] of [
        ["node16", 'import { Seebatch } from "seebatch"; export const version = Seebatch.version;', "TS1479"],
        ["node16", 'export const loaded = async () => (await import("seebatch")).Seebatch.load();', ""],
        ["nodenext", 'import { Seebatch } from "seebatch"; export const version = Seebatch.version;', ""],
    ]) {
        writeFileSync(join(folder, "common.cts"), line);
        const { stdout } = spawnSync(tsc, ["--noEmit", "--strict", "--module", module, "common.cts"], { cwd: folder });
        assert.equal(stdout.toString().match(/TS\d+/)?.[0] ?? "", expected, `${module}: ${line}\n${stdout}`);
    }
});

const boards = ["chess.js", "chessground"].map((name) => here(`../node_modules/${name}`));
const noBoards = noTypes || (boards.every(existsSync) ? false : "there is no chessground here (npm install)");
test("TypeScript: the README's shapes on a board of chessground", { skip: noBoards }, () => {
    const [, snippet] = readFileSync(here("../README.md"), "utf8").match(/```ts\n(.*?)```/s);
    for (const path of boards) symlinkSync(path, join(folder, "node_modules", basename(path)));
    writeFileSync(join(folder, "shapes.mts"), snippet);
    const options = ["--noEmit", "--strict", "--module", "nodenext", "--lib", "es2022,dom", "shapes.mts"];
    const { status, stdout } = spawnSync(tsc, options, { cwd: folder });
    assert.equal(status, 0, stdout.toString());
});
