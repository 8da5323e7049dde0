// The page in front of a class: nothing is lost, everything that happens is in view and said, exercises.
import assert from "node:assert/strict";
import { test } from "node:test";
import { PLAIN, SPANISH, START } from "./data.js";
import { choose, click, drag, fault, follow, hangs, inView, label, link, load, open, page, press, text, texts, value, verdict } from "./support.js";

const GAME = '[White "A"]\n[Black "B"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. Nxe5 Qd4 *';
const shown = (selector) => page.$eval(selector, (each) => each.checkVisibility());
const isDisabled = (selector) => page.$eval(selector, (each) => each.disabled);
const control = async (key) => {
    await page.keyboard.down("Control");
    await page.keyboard.press(key);
    await page.keyboard.up("Control");
};
const settle = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));

test("a board that is set up: nothing is chosen, the game stays, all is taken back", async () => {
    await open("");
    await load(GAME);
    await press("#last");
    const fen = await value("#fen");
    await press("#set-up");
    await click("a3");
    await click("e4");
    assert.equal(await value("#fen"), fen);
    await press('[aria-label="put white queen"]');
    await click("a3");
    assert.match(await label("a3"), /white queen/);
    assert.equal(await shown("#to-game"), true);
    await press("#to-game");
    assert.equal((await texts("#score button")).length, 10);
    assert.equal(await value("#fen"), fen);
    assert.equal(await shown("#palette"), false);
    await press("#set-up");
    await press('[aria-label="put white queen"]');
    await click("a3");
    await control("z");
    assert.equal(await value("#fen"), fen);
    assert.equal((await texts("#score button")).length, 10);
    await control("y");
    assert.match(await label("a3"), /white queen/);
    await press("#set-up");
    await press("#start");
    assert.equal(await value("#fen"), START);
    await press("#undo");
    assert.match(await label("a3"), /white queen/);
    await press("#set-up");
    await load(PLAIN);
    assert.equal(await shown("#palette"), false);
    for (const each of ["w", "b", "w"]) {
        assert.equal((await value("#fen")).split(" ")[1], each);
        if (!(await shown("#palette"))) await press("#set-up");
        await page.$$eval("#palette button", (all) => all.find(({ textContent }) => /^Other/.test(textContent)).click());
    }
});

test("undo and redo of moves, rules and values", async () => {
    await open(link(SPANISH));
    assert.deepEqual([await isDisabled("#undo"), await isDisabled("#redo")], [true, true]);
    await drag("d4", "e5");
    await page.select("#rules", "swap");
    await page.select("#presets", "Monty");
    for (const [rules, preset, turn] of [
        ["swap", "usual", "b"],
        ["legal", "usual", "b"],
        ["legal", "usual", "w"],
    ]) {
        await press("#undo");
        assert.deepEqual([await value("#rules"), await value("#presets"), (await value("#fen")).split(" ")[1]], [rules, preset, turn]);
    }
    assert.equal(await shown("#game"), false);
    await press("#redo");
    assert.deepEqual(await texts("#score button"), ["dxe5"]);
});

test("what happened is in view on a phone, and said", async () => {
    await open("", { width: 360, height: 640, isMobile: true });
    await page.$eval("#text", (area) => area.scrollIntoView());
    await load("nonsense");
    await settle();
    assert.equal(await inView("#message"), true);
    assert.equal(await page.$eval("#message", (box) => box.getAttribute("role")), "alert");
    assert.equal(await page.$eval("#text", (area) => area.getAttribute("aria-invalid")), "true");
    await press("#close");
    assert.equal(await fault(), "");
    await page.$eval("#text", (area) => area.scrollIntoView());
    assert.equal(await inView("#frame"), false);
    await load(`[White "${"Long name ".repeat(20)}"]\n[Black "${"x".repeat(120)}"]\n\n1. e4 *`);
    await settle();
    assert.equal(await inView("#frame"), true);
    assert.match(await text("#live"), /^Long name .* is shown\. White to move$/);
    assert.equal(await page.$eval("html", (html) => html.scrollWidth <= html.clientWidth), true);
});

test("check and en passant: what hangs is explained, or it is said why not", async () => {
    await open(link("4k3/8/8/3p4/8/2N5/8/4R1K1 b - - 0 1"));
    assert.match(await text("#hangs-note"), /^Dashed: Black is in check and cannot pass/);
    assert.match((await texts("#hangs-black .unexplained"))[0], /^pawn d5, 100, .*Black is in check/);
    await click("d5");
    assert.match(await text("#exchange-body"), /^Black is in check and cannot pass, so there is no exchange/);
    await follow(link("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"));
    assert.deepEqual(await hangs(), { d5: 100 });
    assert.deepEqual(await texts("#hangs-black button"), ["pawn d5, 100, en passant"]);
    await click("d5");
    assert.equal(await verdict(), "exd6: White wins a pawn (+100)");
});

test("a link: values alone, fields that are wrong, a navigation before the address is written", async () => {
    await open(link(PLAIN, "&move=d3e5"));
    await follow(link(PLAIN, "&move=d3e5&values=100,300,300,500,900"));
    assert.match(await verdict(), /\(−200\)$/);
    await follow(`${link(PLAIN)}&rules=sawp&values=1,2&square=z9&move=a1a8&colour=red`);
    for (const each of [/rules: .*sawp/, /values: expected five whole numbers .* “1,2”/, /move: .*“a1a8”/, /found “colour=red”/])
        assert.match(await fault(), each);
    assert.equal(await value("#fen"), PLAIN);
    await follow(`#fen=${START.replaceAll(" ", "_")}&moves=e2e4,e7e5,g1f3&ply=2&flip=1`);
    assert.deepEqual(await texts("#score button"), ["e4", "e5", "Nf3"]);
    assert.match(await text("#turn"), /^1… e5 · White/);
    assert.ok((await page.$eval("[data-square=a1]", (cell) => cell.getBoundingClientRect().top)) < 300);
    // The timer that writes the address fires between a navigation and its event.
    await page.evaluate(() => {
        const later = window.setTimeout;
        window.pending = [];
        window.setTimeout = (run, ms, ...rest) => (ms === 200 ? window.pending.push(run) : later(run, ms, ...rest));
    });
    await press("#forward");
    await page.evaluate((hash) => {
        location.hash = hash;
        window.pending.at(-1)();
    }, link(PLAIN));
    await page.waitForFunction((fen) => document.getElementById("fen").value === fen, {}, PLAIN);
});

test("a wrong FEN stays to be mended, and is spoken of as people do", async () => {
    await open(link(START));
    const wrong = "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    await choose("#fen", wrong);
    assert.equal(await value("#fen"), wrong);
    assert.equal(await page.$eval("#fen", (input) => input.getAttribute("aria-invalid")), "true");
    assert.doesNotMatch(await fault(), /position|\[0\]/i);
    await press("#engines-fold summary");
    await choose("#values input", "4000");
    assert.match(await fault(), /^The value of a pawn is 4000, expected 0 to 3000/);
    await load("r1bqk2r/ppp1bpp1/2np1n1p/1B2p1B1/3PP3/2N2N2/PPP2PPP/R2QK2R w KQkq - 0 7");
    assert.equal(await fault(), "");
});

test("keys after a click, and those that players expect", async () => {
    await open("");
    await load(GAME);
    await press("#last");
    await page.focus("#text");
    await click("h3");
    await page.keyboard.press("ArrowLeft");
    assert.match(await text("#turn"), /^5\. Nxe5/);
    await page.keyboard.press("f");
    assert.equal(await page.$eval("#board .square", (cell) => cell.dataset.square), "h1");
    await page.keyboard.press("f");
    await click("c6");
    assert.notEqual(await page.$("#verdict"), null);
    await page.keyboard.press("Escape");
    assert.equal(await page.$("#verdict"), null);
    await page.mouse.move(...(await page.$eval("[data-square=a1]", (c) => [c.getBoundingClientRect().x + 20, c.getBoundingClientRect().y + 20])));
    await page.mouse.down({ button: "right" });
    await page.mouse.move(...(await page.$eval("[data-square=c3]", (c) => [c.getBoundingClientRect().x + 20, c.getBoundingClientRect().y + 20])));
    await page.mouse.up({ button: "right" });
    assert.equal((await page.$$(".own")).length, 1);
});

test("games that people have: many, of other variants, lists of FENs, one on lichess", async () => {
    await open("");
    await page.evaluate(() => {
        const text = `${'[White "W"]\n\n1. e4 *\n\n'.repeat(125000)}[White "Last"]\n\n1. d4 *`,
            dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([text], "games.pgn"));
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    });
    await page.waitForFunction(() => document.getElementById("games-count").textContent === "of 125001");
    await choose("#games", "125001");
    assert.match(await text("#game-title"), /^Last/);
    await choose("#games", "125002");
    assert.match(await fault(), /from 1 to 125001/);
    await load('[Variant "Atomic"]\n\n1. e4 *');
    assert.match(await fault(), /variant “Atomic”/);
    await load(`${START}\n${PLAIN}`);
    assert.equal(await text("#games-count"), "of 2");
    await choose("#games", "2");
    assert.equal(await value("#fen"), PLAIN);
    await load("https://lichess.org/q7ZvsdUF/black");
    assert.equal(await page.$eval("#error a", (a) => a.getAttribute("href")), "https://lichess.org/game/export/q7ZvsdUF");
    await load("1. e4 (1. d4 d5) 1... e5 (1... c5 (1... e6)) 2. Nf3");
    assert.deepEqual(await texts("#score .variation"), ["1. d4d5", "1… c5", "1… e6"]);
    await page.$$eval("#score button", (all) => all.find(({ textContent }) => textContent === "d5").click());
    assert.match(await text("#turn"), /^1… d5/);
    assert.equal(await shown("#to-game"), true);
    await press("#to-game");
    assert.match(await text("#turn"), /^White/);
});

test("numbers in pawns, and a picture of the board", async () => {
    await open(link(PLAIN, "&move=d3e5"), { units: "pawns" });
    assert.equal(await verdict(), "Nxe5: White loses a knight for a pawn (−2.25)");
    await page.evaluate(() => {
        window.saved = [];
        HTMLAnchorElement.prototype.click = function () {
            window.saved.push([this.download, this.href]);
        };
    });
    await press("#save-svg");
    await press("#save-png");
    await page.waitForFunction(() => window.saved.length === 2);
    const [[svgName, svg], [pngName, png]] = await page.evaluate(() => window.saved);
    assert.deepEqual([svgName, pngName], ["board.svg", "board.png"]);
    const drawing = decodeURIComponent(svg);
    assert.equal(drawing.match(/<rect [^>]*width="1" height="1"/g).length, 64);
    assert.equal(drawing.match(/class="piece"/g).length, 20);
    assert.ok(png.startsWith("data:image/png;base64,") && png.length > 20000);
});

test("an exercise: answers by click, by move, with nothing; the score; the way back", async () => {
    await open(link(SPANISH));
    await press("#exercise-built-in");
    assert.match(await text("#exercise-text"), /^White to move\. Click the piece that hangs/);
    assert.deepEqual([await hangs(), await shown("#hangs"), await shown("#exchange")], [{}, false, false]);
    await click("f5");
    assert.match(await text("#exercise-text"), /^No: the queen on d4 hangs\./);
    assert.match(await text("#exercise-score"), /^1 of 20, level 1; 0 of 1 right/);
    assert.match(await verdict(), /Qxd4: White wins a queen/);
    assert.equal(await shown("#exchange"), true);
    await press("#step-forward");
    await press("#exercise-next");
    await drag("g2", "h1");
    assert.match(await text("#exercise-text"), /^Right: the rook on h1 hangs\.$/);
    assert.match(await text("#exercise-score"), /^2 of 20, level 1; 1 of 2 right/);
    await press("#exercise-end");
    assert.equal(await value("#fen"), SPANISH);
    await load(GAME);
    await press("#exercise-own");
    assert.match(await text("#exercise-score"), /^1 of 10; 0 of 0 right|^1 of 11/);
    await press("#nothing");
    assert.match(await text("#exercise-text"), /^No: the .* hangs/);
    await press("#exercise-end");
    assert.equal((await texts("#score button")).length, 10);
});

test("in a frame of another page: the board and what hangs alone", async () => {
    await open(link(SPANISH, "&embed"), { width: 700, height: 620 });
    const seen = await Promise.all(["#frame", "#hangs", "header p", "#load-text", "#engines"].map(shown));
    assert.deepEqual(seen, [true, true, false, false, false]);
});
