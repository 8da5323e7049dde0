// In headless Chromium: as an ES module from a server, and as one classic script in a file with the modules' bytes in
// it.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { bytesOf, fens, here, ways } from "./support.js";

const chromium = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"].find(
    (name) => spawnSync(name, ["--version"]).status === 0,
);
const skip = chromium ? false : "there is no Chromium here (Debian: chromium)";

const some = fens.slice(0, 500),
    batch = ways[0].library.positions(some, { moves: "all" });
const expected = { kernels: ["simd128", "scalar"], values: [...batch.values()] };

// A server of the package's files, to which pages send their answers.
const types = { js: "text/javascript", wasm: "application/wasm", html: "text/html" };
const files = {}; // more of them, by name
let page = "",
    policy = "", // a Content-Security-Policy, or none
    receive;
const server = createServer((request, response) => {
    const name = request.url.slice(1);
    if (request.method === "POST") {
        const parts = [];
        request
            .on("data", (part) => parts.push(part))
            .on("end", () => receive(response.end() && Buffer.concat(parts).toString()));
    } else if (files[name]) {
        response.setHeader("Content-Type", types[name.split(".")[1]]);
        response.end(files[name]);
    } else if (name === "page.html" || /^[a-z0-9-]+\.(js|wasm)$/.test(name)) {
        response.setHeader("Content-Type", types[name.split(".")[1]]);
        if (policy) response.setHeader("Content-Security-Policy", policy);
        response.end(name === "page.html" ? page : readFileSync(here(`../${name}`)));
    } else {
        response.writeHead(404).end();
    }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${server.address().port}/`;
server.unref();

// What a page does, with Seebatch at hand; files is text for the options of load().
const script = (files) => `
    (async () => {
        const fens = ${JSON.stringify(some)}, kernels = [], values = [];
        for (const simd of [true, false]) {
            const library = await Seebatch.load({ simd${files} });
            kernels.push(library.kernel);
            values.push(Array.from(library.positions(fens, { moves: "all" }).values()));
        }
        if (values[0].join() !== values[1].join())
            throw new Error("the kernels differ");
        return { kernels, values: values[0] };
    })().then(JSON.stringify, String).then((body) => fetch("${address}", { method: "POST", mode: "no-cors", body }));`;

// What the page of a URL sends.
async function sent(url, folder) {
    const browser = spawn(
        chromium,
        [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            `--user-data-dir=${folder}/profile`,
            "--remote-debugging-port=0",
            url,
        ],
        { stdio: "ignore", detached: true }, // a group of its own, for the command may be a script that starts the browser
    );
    try {
        const text = await new Promise((resolve, reject) => {
            receive = resolve;
            setTimeout(reject, 120000, new Error("the page sends nothing")).unref();
        });
        assert.ok(text.startsWith("{"), text);
        return JSON.parse(text);
    } finally {
        await new Promise((resolve) => {
            browser.once("exit", resolve);
            process.kill(-browser.pid, "SIGKILL"); // asked to end it would write on into its profile
        });
    }
}

function folderOf(t) {
    const folder = mkdtempSync(join(tmpdir(), "seebatch-"));
    t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));
    return folder;
}

test("Chromium: an ES module from a server", { skip }, async (t) => {
    page = `<!doctype html><script type="module">import { Seebatch } from "/index.js";${script("")}</script>`;
    assert.deepEqual(await sent(`${address}page.html`, folderOf(t)), expected);
});

test("Chromium: a file with a classic script, and the bytes in it", { skip }, async (t) => {
    const folder = folderOf(t),
        names = ["memory", "arguments", "library", "batch", "seebatch"];
    const joined = names
        .map((name) => readFileSync(here(`../${name}.js`), "utf8"))
        .join("")
        .replace(/^import .*\n/gm, "")
        .replace(/^export /gm, "");
    const bytes = (kernel) =>
        `${kernel}: Uint8Array.from(atob("${bytesOf(kernel).toString("base64")}"), (c) => c.charCodeAt())`;
    const files = `, files: { ${bytes("scalar")}, ${bytes("simd128")} }`;
    writeFileSync(join(folder, "page.html"), `<!doctype html><script>"use strict";${joined}${script(files)}</script>`);
    assert.deepEqual(await sent(pathToFileURL(join(folder, "page.html")), folder), expected);
});

test("Chromium: the policy that the README tells, with a worker and the element", { skip }, async (t) => {
    const see = `(await Seebatch.load()).see("4k3/3bn3/8/1Q1p4/8/8/8/4RK2 w - - 0 1", "b5d5")`;
    files["worker.js"] = `import { Seebatch } from "/index.js"; postMessage(${see});`;
    files["main.js"] = `import { Seebatch } from "/index.js"; import "/board.js";
        const refused = [];
        document.addEventListener("securitypolicyviolation", (event) => refused.push(event.violatedDirective));
        const heard = new Promise((resolve) => { new Worker("/worker.js", { type: "module" }).onmessage = ({ data }) => resolve(data); });
        const width = getComputedStyle(document.querySelector("seebatch-board")).maxWidth; // its own style, if it has it
        const answers = { page: ${see}, worker: await heard, width, refused };
        fetch("/", { method: "POST", body: JSON.stringify(answers) });`;
    page = '<!doctype html><body><seebatch-board fen="4k3/3bn3/8/1Q1p4/8/8/8/4RK2 w - - 0 1"></seebatch-board><script type="module" src="/main.js"></script>';
    policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";
    try {
        const { page: own, worker, width, refused } = await sent(`${address}page.html`, folderOf(t));
        assert.deepEqual([own, worker, width, refused], [100, 100, "480px", []]);
    } finally {
        policy = "";
    }
});

const esbuild = here("../node_modules/.bin/esbuild");
const noBoard = skip || (existsSync(esbuild) ? false : "there are no esbuild and chessground here (npm install)");
test("Chromium: the README's shapes on a board of chessground", { skip: noBoard }, async (t) => {
    const [, snippet] = readFileSync(here("../README.md"), "utf8").match(/```ts\n(.*?)```/s);
    const counted = `const count = () => {
            const shapes = [...document.querySelectorAll(".cg-shapes g circle, .cg-shapes g line")];
            if (!shapes.length) return setTimeout(count, 50);
            const text = [...document.querySelectorAll("svg text")].map((each) => each.textContent);
            const names = shapes.map((each) => each.tagName + " " + each.getAttribute("stroke"));
            fetch("${address}", { method: "POST", body: JSON.stringify({ names, text }) });
        };
        count();`;
    const options = ["--bundle", "--format=esm", "--loader=ts", "--sourcefile=snippet.ts"];
    files["bundle.js"] = execFileSync(esbuild, options, { input: snippet + counted, cwd: here("..") });
    page = `<!doctype html><div id="board" style="width: 400px; height: 400px"></div>
        <script type="module" src="/bundle.js"></script>`;
    const drawn = await sent(`${address}page.html`, folderOf(t));
    assert.deepEqual(drawn, { names: ["circle #882020", "line #882020"], text: ["1"] });
});
