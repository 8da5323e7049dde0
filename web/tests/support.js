// What the tests share: the page in a headless browser, from a file in a folder of its own, without network, and how it
// is read and used. SEEBATCH_PAGE names the file, SEEBATCH_BROWSER the browser: Chromium, or Firefox by WebDriver BiDi.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before } from "node:test";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";
import { here } from "./data.js";

const file = process.env.SEEBATCH_PAGE ?? here("../../build/web/seebatch.html");
const command = process.env.SEEBATCH_BROWSER ?? "chromium";
export const isFirefox = /firefox/.test(command);
const executablePath = spawnSync("sh", ["-c", `command -v ${command}`])
    .stdout.toString()
    .trim();

export let browser, page;
let folder, address;
const complaints = []; // what the console and the network report

// What ends a test that waits for ever: the usual half a minute may pass on a machine that does other things.
const timeout = 300000;

function launch(preferences = {}) {
    if (isFirefox) return puppeteer.launch({ executablePath, timeout, browser: "firefox", extraPrefsFirefox: preferences });
    const quiet = "gpu quic background-networking component-update sync dev-shm-usage extensions default-apps";
    return puppeteer.launch({
        executablePath,
        timeout,
        pipe: true,
        userDataDir: join(folder, "profile"),
        args: ["--no-sandbox", "--no-first-run", ...quiet.split(" ").map((name) => `--disable-${name}`)],
    });
}

// Another browser for the one that there was.
export async function begin(preferences) {
    await browser?.close();
    browser = await launch(preferences);
    page = await browser.newPage();
    page.setDefaultTimeout(timeout);
    await page.setOfflineMode(true);
    page.on("console", (message) => ["error", "warn"].includes(message.type()) && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => /^(file|data|blob):/.test(request.url()) || complaints.push(request.url()));
}

before(async () => {
    folder = mkdtempSync(join(tmpdir(), "seebatch-page-"));
    copyFileSync(file, join(folder, "seebatch.html"));
    address = String(pathToFileURL(join(folder, "seebatch.html")));
    await begin();
    await open("");
});

after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
});

afterEach(() => assert.deepEqual(complaints.splice(0), []));

// ---- Reading and using the page -----------------------------------------------------------------------------------

// As pupils see it, unless another view is asked for.
export async function open(hash, { width = 1200, height = 1000, isMobile = false, view = "pupil", units = "pawns" } = {}) {
    await page.setViewport({ width, height, isMobile, hasTouch: isMobile });
    await page.goto("about:blank");
    await page.goto(address + hash);
    await page.waitForSelector("html[data-ready]");
    const isForEngines = await page.$eval("#view", (button) => button.getAttribute("aria-pressed") === "true");
    if (isForEngines !== (view === "engines")) await press("#view");
    if (view === "engines" && (await page.evaluate(() => localStorage.getItem("seebatch-units") ?? "pawns")) !== units) await press("#units");
}

// As engine authors see it, in centipawns.
export const ENGINES = { view: "engines", units: "centipawns" };
export const LIBRARY = "&values=100,325,325,500,1000";

export const link = (fen, rest = "") => `#fen=${fen.replaceAll(" ", "_")}${rest}`;
export const text = (selector) => page.$eval(selector, (element) => element.textContent);
export const value = (selector) => page.$eval(selector, (element) => element.value);
export const texts = (selector) => page.$$eval(selector, (elements) => elements.map((element) => element.textContent));
export const label = (square) => page.$eval(`[data-square=${square}]`, (cell) => cell.getAttribute("aria-label"));
export const press = (selector) => page.$eval(selector, (element) => element.click());
export const verdict = () => text("#verdict");
export const fault = () => page.$eval("#message", (box) => (box.hidden ? "" : box.querySelector("p").textContent));
export const number = (shown) => (shown === "passes" ? 32767 : Number(shown.replace("−", "-")));

export const swapList = () =>
    page.$$eval("#swap-list tbody tr", (rows) =>
        rows.map((row) =>
            [...row.cells].map((cell) => cell.querySelector("button")?.getAttribute("aria-label") ?? cell.textContent),
        ),
    );

// What hangs, as the board says it: { square: value }.
const readHangs = () =>
    [...document.querySelectorAll(".square")].flatMap((cell) => {
        const [, points] = cell.getAttribute("aria-label").match(/hangs, (\d+)/) ?? [];
        return points ? [[cell.dataset.square, Number(points)]] : [];
    });
export const hangs = async () => Object.fromEntries(await page.evaluate(readHangs));

export async function middle(square) {
    const { x, y, width, height } = await (await page.$(`[data-square=${square}]`)).boundingBox();
    return [x + width / 2, y + height / 2];
}
export const click = async (square) => page.mouse.click(...(await middle(square)));

export async function drag(from, to) {
    const end = typeof to === "string" ? await middle(to) : to;
    await page.mouse.move(...(await middle(from)));
    await page.mouse.down();
    await page.mouse.move(...end, { steps: 4 });
    await page.mouse.up();
}

export async function load(what) {
    await page.$eval("#text", (area, said) => (area.value = said), what);
    await press("#load");
}

// Types into a field, and leaves it.
export async function choose(selector, what) {
    await page.$eval(selector, (input) => input.select());
    await page.type(selector, what);
    await page.keyboard.press("Enter");
}

// Whether all of it is in view.
export const inView = (selector) =>
    page.$eval(selector, (each) => {
        const { top, bottom, left, right } = each.getBoundingClientRect();
        return top >= -1 && left >= -1 && bottom <= innerHeight + 1 && right <= innerWidth + 1;
    });

// Follows a link without loading the page anew.
export const follow = (hash) =>
    page.evaluate(
        (wanted) =>
            new Promise((done) => {
                addEventListener("hashchange", () => setTimeout(done), { once: true });
                location.hash = wanted;
            }),
        hash,
    );

// What the page says of many links: the answers of the engines, the words above them, what hangs.
export async function ask(links) {
    await page.evaluate(`window.readHangs = ${readHangs}`);
    return page.evaluate(async (all) => {
        const said = [];
        for (const each of all) {
            const followed = new Promise((done) => addEventListener("hashchange", done, { once: true }));
            location.hash = each;
            await followed;
            const rows = [...document.querySelectorAll("#answers tbody tr")].flatMap((row) =>
                [...row.querySelectorAll("button")].map((name) => [name.textContent, row.cells[0].textContent]),
            );
            const [verdict, title] = ["verdict", "engines-title"].map((id) => document.getElementById(id)?.textContent);
            said.push({ rows, verdict, title, hangs: window.readHangs() });
        }
        return said;
    }, links);
}
