// How the page looks, on every kind of screen and in every state: nothing is wider than the screen, what matters is in
// view, fingers hit every control; axe finds nothing, in each layout and in all colours, and in Firefox everywhere. What
// is asked of many elements is asked at once: a handle for each takes ten times as long. With SEEBATCH_PICTURES, a
// folder, each is pictured there: `scripts/page --pictures FOLDER`.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterEach, test } from "node:test";
import { FIRST, SPANISH } from "./data.js";
import { begin, drag, fault, inView, isFirefox, link, load, open, page, press, text } from "./support.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const folder = process.env.SEEBATCH_PICTURES;

// Captures, a blunder, comments, variations, and names that are long.
const GAME = `[White "Kasparov, Garry Kimovich"] [Black "Topalov, Veselin Aleksandrov"] [Date "1999.01.20"]
1. e4 d6 2. d4 Nf6 3. Nc3 g6 4. Be3 Bg7 5. Qd2 c6 6. f3 b5 7. Nge2 Nbd7 8. Bh6 Bxh6 9. Qxh6 Bb7 10. a3 e5 11. O-O-O Qe7
12. Kb1 a6 13. Nc1 O-O-O 14. Nb3 exd4 15. Rxd4 c5 16. Rd1 Nb6 17. g3 Kb8 18. Na5 Ba8 19. Bh3 d5 20. Qf4+ Ka7 21. Rhe1 d4
22. Nd5 Nbxd5 23. exd5 Qd6 24. Rxd4 {A rook for an attack.} cxd4? (24... Kb6! {This holds.} 25. b4 Qxf4 26. Rxf4 Nxd5 (26... cxb4 27. axb4) 27. Rxf7) 25. Re7+
Kb6 26. Qxd4+ Kxa5 27. b4+ Ka4 28. Qc3 Qxd5 29. Ra7 Bb7 1-0`;

const STATES = {
    exchange: () => open(link(FIRST, "&move=d4e5"), screen),
    game: async () => {
        await load(GAME);
        await press('#score [data-ply="47"]');
        await press("#hangs-white button");
    },
    engines: async () => {
        await press("#view");
        await press("#captures button, #quiet button");
        await press("#engines-fold summary");
        await press("#swap-fold summary");
    },
    fault: async () => {
        await load("1. e4 e5 2. Ke3");
        assert.match(await fault(), /Ke3/);
    },
    "set-up": async () => {
        await press("#close");
        await press("#set-up");
    },
    exercise: async () => {
        await press("#set-up");
        await press("#exercise-built-in");
    },
    wrong: () => press("#nothing"),
    answer: () => press("#exercise-answer"),
    summary: async () => {
        for (let i = 1; i < 20; i++) {
            await press("#exercise-next");
            await press("#exercise-answer");
        }
        await press("#exercise-next");
    },
    promotion: async () => {
        await open(link("1n5k/P7/8/8/8/8/8/6K1 w - - 0 1"), screen);
        await drag("a7", "b8");
        await page.waitForSelector("#promotion[open]");
    },
    lesson: async () => {
        await open("", screen);
        await load(GAME);
        await press("#lesson summary");
        await press("#lesson-find");
        await press("#lesson-list summary");
    },
    frame: () => open(link(SPANISH, "&embed=1"), screen),
};

let screen, session;

async function violations() {
    if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
    return page.evaluate(async () =>
        (await window.axe.run()).violations.map(
            ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" ")}`,
        ),
    );
}

// Texts and pictures of controls that do not fit into them.
const cutOff = () =>
    page.evaluate(() =>
        [...document.querySelectorAll("button, #values input")]
            .filter((each) => each.checkVisibility() && !each.closest(".unseen"))
            .filter((each) => {
                const [inner, outer] = [each.querySelector("svg") ?? each, each].map((one) => one.getBoundingClientRect());
                return each.scrollWidth > each.clientWidth + 1 || inner.width > outer.width || inner.right > outer.right;
            })
            .map((each) => each.id || each.ariaLabel || each.textContent || each.value),
    );

const smallControls = () =>
    page.evaluate(() =>
        [...document.querySelectorAll("button, select, input, summary")]
            .filter((each) => each.checkVisibility() && !each.closest(".unseen"))
            .map((each) => [each.id || each.textContent, each.getBoundingClientRect()])
            .filter(([, { width, height }]) => width > 1 && (height < 43.5 || width < 43.5))
            .map(([name, { width, height }]) => `${name}: ${width} x ${height}`),
    );

const isShown = (selector) => page.$eval(selector, (each) => each.checkVisibility());

// The screen in one state after another.
async function look(name, options) {
    screen = options;
    for (const [state, reach] of Object.entries(STATES)) {
        const what = `${name}, ${state}`;
        await reach();
        await page.evaluate(() => window.scrollTo(0, 0));
        const overflow = await page.$eval("html", (html) => html.scrollWidth - html.clientWidth);
        assert.ok(overflow <= 0, `${what}: ${overflow} pixels wider than the screen`);
        assert.equal(await inView("#frame"), true, `${what}: the board is not in view`);
        const squares = await page.evaluate(() =>
            [...new Set([...document.querySelectorAll(".square")].map((each) => getComputedStyle(each).backgroundColor))]);
        assert.equal(squares.length, 2, `${what}: squares are ${squares}`);
        assert.deepEqual(await cutOff(), [], `${what}: cut off`);
        if (options.isMobile) assert.deepEqual(await smallControls(), [], what);
        else if (await isShown("#hangs")) assert.equal(await inView("#hangs"), true, `${what}: what hangs is not in view`);
        if (folder) await page.screenshot({ path: join(folder, `${name}-${state}.png`), fullPage: options.fullPage });
        if (options.axe !== false || isFirefox) assert.deepEqual(await violations(), [], what);
    }
}

// Firefox's driver sets no media features; forced colours are a setting there.
async function imitate(features, media = "") {
    session ??= await page.createCDPSession();
    await session.send("Emulation.setEmulatedMedia", { features, media });
}

afterEach(async () => {
    await page.evaluate(() => localStorage.clear());
    if (!isFirefox) await imitate([]);
});

const desktop = { width: 1280, height: 720 },
    upright = { width: 390, height: 844, isMobile: true };

test("on a desktop: three columns", async () => {
    await look("desktop", desktop);
    const lefts = await page.$$eval(".column", (all) => all.map((each) => each.getBoundingClientRect().left));
    assert.equal(new Set(lefts).size, 3);
});
test("on a wide desktop", () => look("wide", { width: 1440, height: 900, axe: false }));
test("on a laptop", () => look("laptop", { width: 1024, height: 700, axe: false }));
test("on a phone", () => look("phone", upright));
test("on a phone held sideways: the board fills the height", async () => {
    await look("sideways", { width: 844, height: 390, isMobile: true, axe: false });
    const height = await page.$eval("#frame", (each) => each.getBoundingClientRect().height);
    assert.ok(height > 350 && height < 390, `${height} pixels`);
});
test("on the smallest phone", () => look("small", { width: 320, height: 568, isMobile: true, axe: false }));

test("by the system's theme, and by one that was chosen", { skip: isFirefox && "its driver sets no theme" }, async () => {
    await open("");
    for (const theme of ["dark", "light"]) {
        await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
        await page.waitForSelector(`html[data-theme=${theme}]`);
    }
    for (const theme of ["light", "dark", "system"]) {
        await press("#theme");
        assert.equal(await text("#theme"), `Theme: ${theme}`);
    }
});

test("dark", async () => {
    await open("");
    await press("#theme");
    await press("#theme");
    assert.equal(await page.$eval("html", (html) => html.dataset.theme), "dark");
    await look("dark", desktop);
    await look("dark-phone", upright);
});

test("with colours of one's own", async (t) => {
    t.after(() => isFirefox && begin());
    if (isFirefox) await begin({ "browser.display.document_color_use": 2 });
    else await imitate([{ name: "forced-colors", value: "active" }]);
    await open("");
    assert.equal(await page.evaluate(() => matchMedia("(forced-colors: active)").matches), true);
    await look("forced", desktop);
    await look("forced-phone", upright);
});

test("with more contrast", { skip: isFirefox && "its driver asks for no contrast" }, async () => {
    await imitate([{ name: "prefers-contrast", value: "more" }]);
    await look("contrast", desktop);
});

test("on paper", { skip: isFirefox && "its driver shows no page as printed" }, async () => {
    await open(link(SPANISH, "&move=d4e5"), { width: 794, height: 1123 });
    await imitate([], "print");
    assert.deepEqual([await isShown("#undo"), await isShown("#hangs"), await isShown("#exchange")], [false, true, true]);
    if (folder) await page.screenshot({ path: join(folder, "paper.png") });
});
