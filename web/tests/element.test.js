// The element <seebatch-board> of the npm package, and a page that has it beside the page in a frame; served on loopback.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { FIRST, here, PLAIN } from "./data.js";
import { browser } from "./support.js";

const TYPES = { html: "text/html", js: "text/javascript", wasm: "application/wasm" };
let server, page;
const complaints = [];

// In the first test, when the browser is there.
async function begin() {
    server = createServer(async (request, response) => {
        const path = new URL(request.url, "http://localhost").pathname;
        const file = path.endsWith("/seebatch.html") ? process.env.SEEBATCH_PAGE : null;
        try {
            const bytes = await readFile(file ?? here(`../../${path}`));
            response.writeHead(200, { "content-type": TYPES[path.split(".").at(-1)] }).end(bytes);
        } catch {
            response.writeHead(404).end();
        }
    }).listen(0, "127.0.0.1");
    await new Promise((done) => server.once("listening", done));
    page = await browser.newPage();
    page.on("pageerror", (error) => complaints.push(String(error)));
    await page.goto(`http://127.0.0.1:${server.address().port}/web/widget.html`);
    await page.waitForFunction(() => document.querySelector("seebatch-board").shadowRoot?.querySelector(".badge"));
}

after(() => server?.close());

const inBoard = (run) => page.$eval("seebatch-board", run);
const badges = () => inBoard((board) => [...board.shadowRoot.querySelectorAll(".badge")].map((each) => each.textContent));

test("the element shows what hangs, an exchange, and what is wrong", async () => {
    await begin();
    assert.deepEqual(await badges(), ["1", "1"]);
    const label = () => inBoard((board) => board.shadowRoot.querySelector("[role=img]").getAttribute("aria-label"));
    assert.equal(await label(), "Chess board: pawn d4 hangs, 1; pawn e5 hangs, 1");
    assert.equal(await inBoard((board) => board.shadowRoot.querySelectorAll(".disc").length), 1);
    const told = await page.$eval(
        "seebatch-board",
        (board, fen) =>
            new Promise((done) => {
                board.removeAttribute("square");
                board.addEventListener("seebatch", ({ detail }) => detail.fen === fen && done(detail.hangs));
                board.setAttribute("fen", fen);
            }),
        PLAIN,
    );
    assert.ok(Array.isArray(told));
    await inBoard((board) => board.setAttribute("fen", "nonsense"));
    await page.waitForFunction(() => document.querySelector("seebatch-board").shadowRoot.querySelector("[role=alert]"));
    assert.match(await inBoard((board) => board.shadowRoot.querySelector("[role=alert]").textContent), /nonsense/);
    await page.$eval("seebatch-board", (board, fen) => board.setAttribute("fen", fen), FIRST);
    await page.waitForFunction(() => document.querySelector("seebatch-board").shadowRoot.querySelector(".badge"));
    assert.deepEqual(complaints, []);
});

test("the page in a frame beside it", async () => {
    const frame = await (await page.$("iframe")).contentFrame();
    await frame.waitForSelector("html[data-ready][data-embedded]");
    assert.equal(await frame.$eval("header p", (header) => header.checkVisibility()), false);
    assert.equal((await frame.$$(".badge")).length, 2);
});
