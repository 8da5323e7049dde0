// How many exchanges a second the library evaluates as WebAssembly, scalar code beside SIMD128.
//
//   node bench.mjs [--rounds N] [--rules NAME] [--check] DIRECTORY POSITIONS
//
// DIRECTORY has the modules that scripts/wasm makes; POSITIONS is a FEN a line. A call has 512 positions: so short a
// call is seldom interrupted where others share the core. All answers are compared first; with --check under every rule
// set, and nothing is timed. Then the kernels take turns, call by call, and each call counts with the lower quartile of
// its N rounds (25). A JSON object a line is printed: shape (bulk: captures; bulk-all: all legal moves), form (value;
// ge: whether a threshold is reached, 0 or -50), kernel, see_per_second. V8 compiles the modules with TurboFan alone:
// otherwise the first rounds, or on a busy machine all, run what its quick compiler made.
//
// Exit status: 0; 1 if an answer is wrong or a position cannot be read; 2 for bad usage.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { Library } from "./module.mjs";

const POSITIONS_PER_CALL = 512;
const KERNELS = ["scalar", "simd128"];
const SHAPES = [
    { name: "bulk", captures: true, threshold: 0 },
    { name: "bulk-all", captures: false, threshold: -50 },
];

function usage(message) {
    console.error(`bench.mjs: ${message}`);
    console.error("usage: node bench.mjs [--rounds N] [--rules NAME] [--check] DIRECTORY POSITIONS");
    process.exit(2);
}

function readOptions() {
    try {
        const { values, positionals } = parseArgs({
            allowPositionals: true,
            options: {
                rounds: { type: "string", default: "25" },
                rules: { type: "string", default: "swap" },
                check: { type: "boolean", default: false },
            },
        });
        const rounds = Number(values.rounds);
        if (!(Number.isInteger(rounds) && rounds > 0))
            usage(`--rounds ${values.rounds}: expected a whole number from 1 on`);
        if (positionals.length !== 2)
            usage(`${positionals.length} arguments, expected a directory and a file of positions`);
        return { rounds, rules: values.rules, check: values.check, directory: positionals[0], positions: positionals[1] };
    } catch (error) {
        return usage(error.message);
    }
}

// The ends of calls: the last call may have fewer positions.
function* calls(batch) {
    for (let first = 0; first < batch.n; first += POSITIONS_PER_CALL)
        yield [first, Math.min(first + POSITIONS_PER_CALL, batch.n)];
}

// Every kernel's answers are those of the scalar code, and a flag says what the value says.
function check(subjects, shape, rules) {
    const [scalar] = subjects;
    for (const [first, end] of calls(scalar.batch)) {
        const starts = scalar.batch.starts, n = starts[end] - starts[first];
        let expected = null;
        for (const { kernel, library, batch } of subjects) {
            library.values(batch, first, end);
            library.ge(batch, first, end, shape.threshold);
            const values = library.valuesOf(batch, n);
            expected ??= values.slice();
            for (let k = 0; k < n; k++) {
                const flag = library.flagOf(batch, k) === 1;
                if (values[k] !== expected[k] || flag !== expected[k] >= shape.threshold) {
                    console.error(`bench.mjs: ${shape.name}, rules ${rules}: request ${starts[first] + k} has the value ` +
                        `${values[k]} and the flag ${flag} by ${kernel}, expected ${expected[k]} by scalar`);
                    process.exit(1);
                }
            }
        }
    }
}

// On a machine that others share it varies less than the median.
function lowerQuartile(numbers) {
    return [...numbers].sort((a, b) => a - b)[numbers.length >> 2];
}

// Seconds of a call.
function time({ library, batch }, shape, form, first, end) {
    const start = process.hrtime.bigint();
    if (form === "value")
        library.values(batch, first, end);
    else
        library.ge(batch, first, end, shape.threshold);
    return Number(process.hrtime.bigint() - start) * 1e-9;
}

function measure(subjects, shape, form, rounds) {
    const all = [...calls(subjects[0].batch)];
    const seconds = subjects.map(() => all.map(() => []));
    for (let round = 0; round < rounds; round++)
        all.forEach(([first, end], call) =>
            subjects.forEach((subject, i) => seconds[i][call].push(time(subject, shape, form, first, end))));
    subjects.forEach(({ kernel, batch }, i) => {
        const pass = seconds[i].reduce((sum, rounds) => sum + lowerQuartile(rounds), 0);
        console.log(JSON.stringify({ shape: shape.name, form, kernel, see_per_second: Math.round(batch.requests / pass) }));
    });
}

function main() {
    const options = readOptions();
    setFlagsFromString("--no-liftoff");
    const fens = readFileSync(options.positions, "utf8").split(/\r?\n/).filter((line) => line && !line.startsWith("#"));
    for (const shape of SHAPES) {
        const subjects = KERNELS.map((kernel) => {
            const library = new Library(join(options.directory, `seebatch-${kernel}.wasm`));
            library.useKernel(kernel);
            return { kernel, library, batch: library.load(fens, shape.captures) };
        });
        for (const rules of options.check ? subjects[0].library.ruleNames() : [options.rules]) {
            subjects.forEach(({ library }) => library.useRules(rules));
            check(subjects, shape, rules);
        }
        if (options.check)
            console.log(`${shape.name}: ${subjects[0].batch.requests} requests, the same answers by ${KERNELS.join(" and ")}`);
        else
            ["value", "ge"].forEach((form) => measure(subjects, shape, form, options.rounds));
    }
}

try {
    main();
} catch (error) {
    console.error(`bench.mjs: ${error.message}`);
    process.exit(1);
}
