// What the tests share: the positions, the command-line tool, and the library loaded in every way.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Seebatch } from "seebatch";

export const here = (path) => fileURLToPath(new URL(path, import.meta.url));
export const project = (path) => here(`../../../${path}`);
export const bytesOf = (kernel) => readFileSync(here(`../seebatch-${kernel}.wasm`));

const data = (name) =>
    readFileSync(project(`tests/data/${name}`), "utf8")
        .trimEnd()
        .split("\n");
export const fens = [...data("games.fen"), ...data("random.fen")];
export const FEN = "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1";

const tools = [process.env.SEEBATCH_TOOL, project("build-release/bin/seebatch"), project("build/bin/seebatch")];
const found = tools.find((path) => path && existsSync(path));

// Lines that the tool prints, with positions on its standard input, or none.
export function tool(args, input = fens) {
    if (!found) throw new Error("there is no command-line tool: build it, or set SEEBATCH_TOOL");
    const output = execFileSync(found, args, { input: input?.concat("").join("\n"), maxBuffer: 2 ** 30 });
    return output.toString().trimEnd().split("\n");
}

// Both modules, from files and from bytes.
export const ways = await Promise.all(
    ["scalar", "simd128"]
        .flatMap((kernel) => [
            { name: `${kernel}, file`, options: { simd: kernel === "simd128" } },
            { name: `${kernel}, bytes`, options: { simd: kernel === "simd128", files: { [kernel]: bytesOf(kernel) } } },
        ])
        .map(async ({ name, options }) => ({
            name,
            kernel: name.split(",")[0],
            library: await Seebatch.load(options),
        })),
);
