// The page in front of a class: nothing is lost, everything that happens is in view and said, exercises.
import assert from "node:assert/strict";
import { test } from "node:test";
import { PLAIN, SPANISH, START } from "./data.js";
import {
    choose, click, drag, ENGINES, fault, follow, hangs, inView, label, link, load, middle, open, page, press, text, texts, value, verdict,
} from "./support.js";

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
    assert.equal(await isDisabled("#undo"), true);
    await page.goBack();
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

test("undo takes back moves alone; rules and values stay", async () => {
    await open(link(SPANISH), ENGINES);
    assert.deepEqual([await isDisabled("#undo"), await isDisabled("#redo")], [true, true]);
    await drag("d4", "e5");
    await page.select("#rules", "swap");
    await page.select("#presets", "Monty");
    await press("#undo");
    assert.deepEqual([await value("#rules"), await value("#presets"), (await value("#fen")).split(" ")[1]], ["swap", "Monty", "w"]);
    assert.deepEqual([await shown("#game"), await isDisabled("#undo")], [false, true]);
    await press("#redo");
    assert.deepEqual(await texts("#score button"), ["dxe5"]);
    await press("#textbook");
    await press("#start");
    assert.deepEqual([await isDisabled("#undo"), await isDisabled("#redo")], [true, true]);
});

test("Back and Forward go through what was loaded, and keep it as it was left", async () => {
    await open(link(PLAIN));
    await load(GAME);
    await press("#last");
    await press("#back");
    const left = await text("#turn");
    await load(`${START}\n${PLAIN}`);
    await choose("#games", "2");
    await press("#exercise-built-in");
    await page.goBack();
    assert.equal(await text("#games-count"), "of 2");
    assert.equal(await value("#fen"), PLAIN);
    await page.goBack();
    await page.goBack();
    assert.equal(await text("#turn"), left);
    assert.equal((await texts("#score button")).length, 10);
    await page.goBack();
    assert.deepEqual([await value("#fen"), await shown("#game")], [PLAIN, false]);
    await page.goForward();
    assert.equal(await text("#turn"), left);
    await follow(link(SPANISH));
    assert.equal(await value("#fen"), SPANISH);
    await page.goBack();
    assert.equal(await text("#turn"), left);
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
    assert.match(await text("#live"), /^Showing Long name .*\. White to move$/);
    assert.equal(await page.$eval("html", (html) => html.scrollWidth <= html.clientWidth), true);
});

test("check and en passant: what hangs is explained, or it is said why not", async () => {
    await open(link("4k3/8/8/3p4/8/2N5/8/4R1K1 b - - 0 1"));
    assert.match(await text("#hangs-note"), /^Dashed: Black is in check and has to deal with that first/);
    assert.match((await texts("#hangs-black .unexplained"))[0], /^pawn d5, 1, .*Black is in check/);
    await click("d5");
    assert.match(await text("#exchange-body"), /^Black is in check and has to deal with that first, so what White can take/);
    assert.equal(await text("#turn"), "Black to move, in check");
    await follow(link("4r1k1/8/8/3q4/8/2N5/8/4K3 w - - 0 1"));
    assert.match(await text("#hangs-note"), /^Dashed: White is in check and cannot take it now/);
    assert.match((await texts("#hangs-black .unexplained"))[0], /^queen d5, 9, not now/);
    await follow(link("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1"));
    assert.equal(await text("#turn"), "Checkmate, White wins");
    assert.match(await text("#hangs-note"), /^The game is over/);
    await follow(link("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1"));
    assert.equal(await text("#turn"), "Stalemate, a draw");
    await follow(link("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"));
    assert.deepEqual(await hangs(), { d5: 1 });
    assert.deepEqual(await texts("#hangs-black button"), ["pawn d5, 1, en passant"]);
    await click("d5");
    assert.equal(await verdict(), "exd6: White wins a pawn (+1)");
});

test("a link: values alone, fields that are wrong, a navigation before the address is written", async () => {
    await page.evaluate(() => localStorage.clear());
    await open(link(PLAIN, "&move=d3e5"));
    assert.match(await verdict(), /\(−2\)$/);
    await follow(link(PLAIN, "&move=d3e5&values=100,325,325,500,1000"));
    assert.match(await verdict(), /\(−2.25\)$/);
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
    await load(wrong);
    assert.equal(await value("#text"), wrong);
    assert.equal(await page.$eval("#text", (input) => input.getAttribute("aria-invalid")), "true");
    assert.doesNotMatch(await fault(), /position|\[0\]/i);
    await press("#worth summary");
    await choose("#values input", "40");
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
    assert.equal(await text("#games-kind"), "Position");
    await choose("#games", "2");
    assert.equal(await value("#fen"), PLAIN);
    await choose("#games", "3");
    assert.match(await fault(), /^Expected a position from 1 to 2/);
    await load(`${START}\n${PLAIN}\n${PLAIN.replace("8", "9")}\n8/8 w`);
    assert.match(await fault(), /^2 of 4 positions were left out\. Line 3: .*rank.* Line 4: /);
    assert.equal(await text("#games-count"), "of 2");
    await load(`x/x/x/x/x/x\n${PLAIN.replace("k", "x")}`);
    assert.match(await fault(), /At least 2 of 2 lines are wrong/);
    await load("https://www.chess.com/game/live/1");
    assert.match(await fault(), /^This page works offline and cannot load games, and there is no position in this address/);
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
    await open(link(PLAIN, "&move=d3e5"));
    assert.equal(await verdict(), "Nxe5: White loses a knight for a pawn (−2)");
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

test("exercises: a wrong answer is told why, a hint after the second, the missed ones again", async () => {
    await page.evaluate(() => localStorage.clear());
    await open(link(SPANISH));
    await press("#exercise-built-in");
    assert.equal(await text("#exercise-text"), "White to move. Which black piece can White win?");
    assert.equal(await text("#exercise-how"), "Click it, or take it.");
    assert.deepEqual([await hangs(), await shown("#hangs"), await shown("#exchange")], [{}, false, false]);
    for (const useless of ["#undo", "#set-up", "#first", "#worksheet-print"]) assert.equal(await shown(useless), false, useless);
    assert.equal(await page.evaluate(() => document.activeElement.className.includes("square")), true);
    await click("d5");
    assert.match(await text("#exercise-hint"), /^Not the pawn on d5: .* Try again\.$/);
    assert.deepEqual([await hangs(), await shown("#exercise-next")], [{}, false]);
    await press("#nothing");
    assert.match(await text("#exercise-hint"), /^Not quite: White can win something here.*Try again\. Hint: what can the queen on d1 take\?$/);
    await click("g4");
    assert.equal(await text("#exercise-text"), "Right! White can win the bishop on g4 with Qxg4. No black piece protects it.");
    assert.equal(await text("#exercise-score"), "Question 1 of 20, level 1. Right first time: 0; after another try: 1.");
    assert.match(await verdict(), /Qxg4: White wins a bishop/);
    await press("#step-forward");
    for (const [from, to] of [["d1", "g4"], ["e7", "e6"]]) await drag(from, to);
    assert.match(await text("#exercise-text"), /^Right! White can win the bishop on g4/);
    await press("#exercise-next");
    await drag("c6", "b5");
    assert.match(await text("#exercise-text"), /^Right! Black can win the knight on b5 with cxb5\./);
    assert.match(await verdict(), /^cxb5: Black wins a knight/);
    assert.equal(await text("#exercise-score"), "Question 2 of 20, level 1. Right first time: 1; after another try: 1.");
    await press("#exercise-next");
    await press("#exercise-answer");
    assert.match(await text("#exercise-text"), /^The answer: Black can win the rook on h1/);
    for (let i = 3; i < 20; i++) {
        await press("#exercise-next");
        await press("#exercise-answer");
    }
    assert.equal(await text("#exercise-next"), "Results");
    await press("#exercise-next");
    assert.equal(await text("#exercise-text"), "You have come to the end. Right first time: 1; after another try: 1. Answers shown: 18.");
    assert.equal(await text("#exercise-stars"), `☆★${"○".repeat(18)}`);
    assert.deepEqual((await texts("#exercise-results button")).slice(0, 3), ["1: right after another try", "2: right first time", "3: answer shown"]);
    await press("#exercise-missed");
    assert.match(await text("#exercise-score"), /^Question 1 of 20/);
    await click("g4");
    await press("#exercise-next");
    assert.match(await text("#exercise-score"), /^Question 3 of 20/); // the second was right the first time
    await press("#exercise-end");
    assert.equal(await value("#fen"), SPANISH);
});

test("the pupil's own move, a piece in danger, and a board that is one meaning", async () => {
    await page.evaluate(() => localStorage.clear());
    await open(link("4k3/8/8/r6R/8/8/8/R3K3 w - - 0 1", "&exercise=1"));
    await click("h5");
    assert.match(await text("#exercise-hint"), /^Yes, the rook on h5 is in danger, but it is White’s turn\. Which black piece can White win\?$/);
    await click("a5");
    assert.match(await text("#exercise-text"), /^Right! White can win the rook on a5 with [HR]/);
    await open(link("4k3/8/8/3q4/4P3/2N5/8/4K3 w - - 0 1", "&exercise=1"));
    await drag("c3", "d5");
    assert.match(await text("#exercise-text"), /^Right! White can win the queen on d5 with Nxd5\./);
    assert.match(await verdict(), /^Nxd5: White wins a queen/);
    await open("");
    assert.deepEqual(await texts(".badge text"), ["1"]);
    await open("#exercise=1", { width: 390, height: 844, isMobile: true });
    assert.equal(await text("#exercise-how"), "Tap it, or take it.");
    assert.equal(await page.evaluate(() => /right button|click/i.test(document.body.innerText)), false);
});

test("exercises: what was found survives a reload, a link asks without the answer", async () => {
    await page.evaluate(() => localStorage.clear());
    await open("#exercise=5");
    assert.match(await text("#exercise-score"), /^Question 5 of 20/);
    await press("#exercise-answer");
    await press("#exercise-next");
    await press("#nothing");
    await page.waitForFunction(() => location.hash === "#exercise=6");
    await page.reload();
    await page.waitForSelector("html[data-ready]");
    assert.equal(await text("#exercise-score"), "Question 6 of 20, level 1. Right first time: 0; after another try: 0.");
    assert.deepEqual([await hangs(), await shown("#exchange")], [{}, false]);
    await open("");
    await press("#exercise-continue");
    assert.match(await text("#exercise-score"), /^Question 6 of 20/);
    await open("#exercise=21");
    assert.match(await fault(), /Exercise: expected 1 to 20, found “21”/);
    await open(link("4k3/8/8/3r4/8/2N5/8/4K3 w - - 0 1", "&exercise=1"));
    assert.deepEqual([await text("#exercise-score"), await hangs()], ["Question 1 of 1, level 1.", {}]);
    await click("d5");
    assert.match(await text("#exercise-text"), /^Right! White can win the rook on d5/);
    await press("#exercise-end");
    await load(GAME);
    assert.equal(await shown("#exercise-choice"), true);
    await press("#exercise-own");
    const [, count] = (await text("#exercise-score")).match(/^A – B\. Question 1 of (\d+)/);
    await page.waitForFunction(() => /exercise=1/.test(location.hash));
    await press("#exercise-answer");
    await press("#exercise-next");
    await page.reload();
    await page.waitForSelector("html[data-ready]");
    assert.match(await text("#exercise-score"), new RegExp(`^A – B\\. Question 2 of ${count}, level \\d\\. Right first`));
    // The link of the lesson, without a number, goes on where it was left, and remembers the results.
    const lesson = await page.evaluate(() => location.hash.replace(/&exercise=\d+/, ""));
    await open("");
    await open(lesson);
    assert.match(await text("#exercise-score"), new RegExp(`^A – B\\. Question 2 of ${count}`));
    await press("#exercise-end");
    await load("1. f3 e5 2. g4 Qh4#");
    await press("#last");
    await load("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1");
    await press("#exercise-own");
    assert.match(await fault(), /^No position here makes a good exercise/);
    await load(`[Exercise ""]\n[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n*`);
    assert.match(await fault(), /^Question 1 of the lesson: .*king/);
});

test("a lesson of a game: chosen, put in order, with words of one's own; as a file and as a link", async () => {
    await page.evaluate(() => localStorage.clear());
    await open("");
    await page.evaluate(() => {
        window.saved = [];
        HTMLAnchorElement.prototype.click = function () {
            window.saved.push([this.download, decodeURIComponent(this.href)]);
        };
    });
    await press("#lesson summary");
    assert.deepEqual([await text("#lesson-count"), await isDisabled("#lesson-start")], ["This lesson has no questions yet.", true]);
    await load(`${GAME}\n\n[White "C"]\n\n1. e4 Nf6 2. Nc3 Nxe4 *`);
    await page.select("#lesson-kind", "unprotected");
    await choose("#lesson-number", "3");
    await press("#lesson-find");
    const items = () => texts("#lesson-list summary");
    assert.equal(await text("#lesson-count"), "Questions in this lesson: 3.");
    const [first, second, third] = (await items()).map((each) => each.replace(/^\d+\. /, ""));
    assert.ok([first, second, third].every((each) => /^(White|Black) to move, unprotected, .*, move \d+$/.test(each)), first);
    await press("#lesson-find"); // what is there is not found again
    await press('[data-lesson="2-up"]');
    await press('[data-lesson="0-drop"]');
    assert.deepEqual((await items()).slice(0, 2), [`1. ${third}`, `2. ${second}`]);
    while ((await items()).length > 2) await press('[data-lesson="2-drop"]');
    const words = ["What can you take?", "Look at the centre.", "Nobody protects it."];
    await page.$$eval("#lesson-list li:first-child input", (all, said) =>
        all.forEach((input, i) => {
            input.value = said[i];
            input.dispatchEvent(new Event("input"));
        }), words);
    await page.$eval("#lesson-title", (input) => {
        input.value = "Monday";
        input.dispatchEvent(new Event("input"));
    });
    await press("#lesson-save");
    const [[name, file]] = await page.evaluate(() => window.saved);
    assert.deepEqual([name, file.match(/\[Event "Monday"\]/g).length], ["lesson.pgn", 2]);
    for (const word of words) assert.ok(file.includes(word), word);
    await press("#lesson-start");
    assert.equal(await text("#exercise-score"), "Monday. Question 1 of 2, level 1.");
    assert.match(await text("#exercise-text"), /^(White|Black) to move\. What can you take\?$/);
    await press("#nothing");
    await press("#nothing");
    assert.match(await text("#exercise-hint"), /Try again\. Hint: Look at the centre\.$/);
    await press("#exercise-answer");
    assert.match(await text("#exercise-text"), /Nobody protects it\.$/);
    await press("#exercise-end");
    // The file opens as the lesson, where it was left.
    await load(file.replace(/^[^,]*,/, ""));
    assert.match(await text("#exercise-score"), /^Monday\. Question 1 of 2, level 1\. Right first time: 0/);
    await press("#exercise-next");
    await press("#exercise-answer");
    await press("#exercise-next");
    await press("#lesson-take");
    assert.equal((await items()).length, 2);
});

// What "Copy" puts on the clipboard, from now on.
const watchClipboard = () =>
    page.evaluate(() => {
        window.copied = [];
        Object.defineProperty(navigator, "clipboard", { value: { writeText: async (said) => window.copied.push(said) } });
    });
const copied = () => page.evaluate(() => window.copied);

test("a lesson's link holds all of it; a draft survives a reload; arrows are part of a question", async () => {
    await page.evaluate(() => localStorage.clear());
    await open("");
    await load("[FEN \"4k3/8/8/3q4/4P3/2N5/8/4K3 w - - 0 1\"]\n\n{Look here [%csl Gd5][%cal Re4d5,Bc3d5]} *");
    await press("#lesson summary");
    await press("#lesson-add");
    await load(PLAIN);
    await press("#lesson-add");
    const words = ["Who wins the queen?", "A pawn is enough.", "Both can take."];
    for (const [i, said] of words.entries())
        await page.$$eval("#lesson-list li:first-child input", (all, k, each) => {
            all[k].value = each;
            all[k].dispatchEvent(new Event("input"));
        }, i, said);
    await page.$eval("#lesson-title", (input) => {
        input.value = "Tuesday & Wednesday + 50%";
        input.dispatchEvent(new Event("input"));
    });
    const draft = async () => [
        await value("#lesson-title"), await texts("#lesson-list summary"), await page.$$eval("#lesson-list input", (all) => all.map((each) => each.value)),
    ];
    const before = await draft();
    await open("");
    assert.deepEqual(await draft(), before);
    assert.deepEqual(before[2].slice(0, 3), words);
    await watchClipboard();
    await press("#lesson-link");
    await page.waitForFunction(() => window.copied.length);
    assert.match(await fault(), /^This page was opened as a file/);
    const [address] = await copied();
    await page.evaluate(() => localStorage.clear());
    await open(address.slice(address.indexOf("#")));
    assert.equal(await text("#exercise-score"), "Tuesday & Wednesday + 50%. Question 1 of 2, level 1.");
    assert.equal(await text("#exercise-text"), "White to move. Who wins the queen?");
    assert.deepEqual([(await page.$$("circle.own")).length, (await page.$$("path.own")).length], [1, 2]);
    await page.evaluate(() => (window.print = () => dispatchEvent(new Event("beforeprint"))));
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    assert.equal((await page.$$("#worksheet path.own")).length, 2);
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    await press("#nothing");
    await press("#nothing");
    assert.match(await text("#exercise-hint"), /Hint: A pawn is enough\.$/);
    await click("d5");
    assert.match(await text("#exercise-text"), /Both can take\.$/);
});

test("what is too long for a link is said", async () => {
    await page.evaluate(() => localStorage.clear());
    await open("");
    await watchClipboard();
    await load(`1. e4 {${"A long comment. ".repeat(5000)}} e5 *`);
    assert.match(await fault(), /^This is too long for the address, so a reload loses a part of it/);
    await press("#copy-link");
    await page.waitForFunction(() => window.copied.length === 1);
    assert.match(await fault(), /^This game is too long for a link, which holds its moves but not its comments/);
    assert.match((await copied())[0], /&moves=e2e4,e7e5/);
    await load(PLAIN);
    await press("#lesson-add");
    await page.$eval("#lesson-list input", (input) => {
        input.value = "Which one? ".repeat(6000);
        input.dispatchEvent(new Event("input"));
    });
    await press("#lesson-link");
    assert.match(await fault(), /^This lesson is too long for a link: it would have \d+ characters, and 60000 is the most\. Nothing was copied/);
    assert.equal((await copied()).length, 1);
    await press("#lesson-start");
    await press("#copy-link");
    await page.waitForFunction(() => window.copied.length === 2);
    assert.match(await fault(), /^This lesson is too long for a link, which holds this question alone/);
    await page.evaluate(() => localStorage.clear());
});

test("the order of tabs is the order that is seen", async () => {
    for (const [width, height] of [[1280, 900], [640, 450]]) {
        await open(link(SPANISH), { width, height });
        for (const exercise of [false, true]) {
            if (exercise) await press("#exercise-built-in");
            const columns = await page.$$eval(".column", (all) =>
                all.map((column) => [...column.children].filter((each) => each.checkVisibility()).map((each) => each.getBoundingClientRect().top)));
            for (const tops of columns) assert.deepEqual(tops, [...tops].sort((a, b) => a - b), `${width} pixels`);
        }
    }
});

test("comments, variations, arrows, names and the result survive a reload", async () => {
    await open("");
    await load('[White "Anna"]\n[Black "Ben"]\n[Result "1-0"]\n\n{Begin [%csl Gd4]} 1. e4 $1 {good [%cal Gd2d4,Re4e5]} (1. d4 {too} 1... d5) 1... e5 2. Nf3 1-0');
    await page.$$eval("#score button", (all) => all.find(({ textContent }) => textContent === "d5").click());
    const read = async () => [
        await text("#game-title"), await text("#turn"), await texts("#score button"), await texts("#score .comment"), await text("#score .result"),
    ];
    const before = await read();
    assert.deepEqual([before[0], before[4]], ["Anna – Ben", "1-0"]);
    await page.waitForFunction(() => /^#pgn=.*&at=0-1-1$/.test(location.hash));
    const address = await page.evaluate(() => location.hash);
    await page.reload();
    await page.waitForSelector("html[data-ready]");
    assert.deepEqual(await read(), before);
    await press('#score [data-ply="1"]');
    assert.equal((await page.$$(".own")).length, 2);
    await open("");
    await open(address);
    assert.deepEqual(await read(), before);
    await press("#first");
    assert.equal((await page.$$("circle.own")).length, 1);
    await follow("#pgn=nothing&at=x");
    assert.match(await fault(), /at: expected a place.*found “x”.*pgn: expected a game or a lesson/);
});

test("a worksheet: several boards on a sheet with room for answers, and a sheet of answers", async () => {
    await open("#exercise=1");
    await page.evaluate(() => (window.print = () => dispatchEvent(new Event("beforeprint"))));
    await press("#worksheet-print");
    assert.equal(await page.$eval("html", (html) => html.hasAttribute("data-worksheet")), true);
    assert.equal((await page.$$("#worksheet figure > svg")).length, 20);
    assert.equal((await page.$$("#worksheet figure .room")).length, 20);
    assert.deepEqual((await texts("#worksheet figcaption")).slice(0, 2), [
        "1. White to move. Which black piece can White win?",
        "2. Black to move. Which white piece can Black win?",
    ]);
    const answers = await texts("#worksheet .answers li");
    assert.equal(answers[0], "1. White can win the bishop on g4 with Qxg4. No black piece protects it.");
    assert.equal(answers[11], "12. White can win nothing here.");
    assert.equal((await texts("#worksheet .boards")).join().includes("can win the"), false);
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    assert.equal(await page.$eval("html", (html) => html.hasAttribute("data-worksheet")), false);
});

test("pupils see no engines' words; the view for engine authors is a switch, which a link carries", async () => {
    await page.evaluate(() => localStorage.clear());
    await open(link(PLAIN, "&move=d3e5"));
    const seen = await page.evaluate(() => document.body.innerText);
    for (const word of [/swap list/i, /rule set/i, /≠/, /exchange/i, /\bSEE\b/]) assert.doesNotMatch(seen, word);
    assert.deepEqual(await texts("#capture-list .stops"), ["White stops here: going on would lose more."]);
    assert.equal(await shown("#hangs-limits"), true);
    assert.deepEqual([await shown("#engines"), await shown("#units"), (await page.$$("#swap-list")).length], [false, false, 0]);
    assert.deepEqual(await page.$$eval("#values input", (all) => all.map(({ value: each }) => each)), ["1", "3", "3", "5", "9"]);
    await press("#view");
    assert.deepEqual([await shown("#engines"), (await page.$$("#swap-list")).length], [true, 1]);
    await page.waitForFunction(() => /&view=engines/.test(location.hash));
    await page.reload();
    await page.waitForSelector("html[data-ready]");
    assert.equal(await shown("#engines"), true);
    await press("#view");
    for (const [rest, isForEngines] of [
        ["&rules=stockfish", true],
        ["", true], // as it was left
        ["&view=pupil", false],
        ["&values=100,300,300,500,900", false],
        ["&values=82,229,292,440,1147", true],
        ["&view=pupil", false],
        ["&view=engines", true],
    ]) {
        await follow(link(PLAIN, rest));
        assert.equal(await shown("#engines"), isForEngines, rest);
    }
    await press("#view");
    await press("#worth summary");
    await choose("#values input:nth-of-type(1)", "1");
    await page.$$eval("#values input", ([, knight]) => {
        knight.value = "3.5";
        knight.dispatchEvent(new Event("change", { bubbles: true }));
    });
    await open("");
    assert.deepEqual(await page.$$eval("#values input", (all) => all.map(({ value: each }) => each)), ["1", "3.5", "3", "5", "9"]);
    await press("#textbook");
    assert.equal(await shown("#textbook"), false);
});

test("games with comments, glyphs and variations; the keys and the wheel", async () => {
    await open("");
    await load('[Event "Club: pins"]\n[ChapterName "Pins"]\n[White "?"]\n\n{Begin} 1. e4 $1 e5?? {Why?} (1... c5! 2. Nf3) 2. d4 *');
    assert.equal(await text("#game-title"), "Pins");
    await load('[Event "Pins"]\n\n{ A comment alone. } *');
    assert.deepEqual([await shown("#score"), await texts("#score .comment")], [true, ["A comment alone."]]);
    await page.goBack();
    assert.deepEqual(await texts("#score button"), ["e4!", "e5??", "c5!", "Nf3", "d4"]);
    assert.deepEqual(await texts("#score .comment"), ["Begin", "Why?"]);
    await page.keyboard.press("ArrowDown");
    assert.match(await text("#turn"), /^1\. e4! · Black/);
    assert.deepEqual(await texts("#fork button"), ["e5??", "c5!"]);
    await page.keyboard.down("Shift");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.up("Shift");
    await page.keyboard.press("ArrowRight");
    assert.match(await text("#turn"), /^2\. Nf3/);
    await page.keyboard.down("Shift");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.up("Shift");
    assert.match(await text("#turn"), /^1\. e4!/);
    await press("#fork button");
    assert.match(await text("#turn"), /^1… e5\?\?/);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    assert.equal(await text("#turn"), "White to move");
    await page.mouse.move(...(await middle("e4")));
    await page.mouse.wheel({ deltaY: 100 });
    await page.waitForFunction(() => /^1\. e4/.test(document.getElementById("turn").textContent));
    await page.mouse.wheel({ deltaY: -100 });
    await page.waitForFunction(() => document.getElementById("turn").textContent === "White to move");
});

test("the king castles onto its own rook; castling is set up; a file says that its links cannot be shared", async () => {
    await open(link("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"));
    await drag("e1", "h1");
    assert.match(await text("#turn"), /^1\. O-O/);
    await click("e8");
    await click("a8");
    assert.match(await text("#turn"), /^1… O-O-O/);
    await follow(link("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1"));
    await press("#set-up");
    const toggle = (name) => page.$$eval("#palette button", (all, said) => all.find(({ textContent }) => textContent === said).click(), name);
    await toggle("White O-O");
    await toggle("Black O-O-O");
    assert.equal((await value("#fen")).split(" ")[2], "Kq");
    await toggle("White O-O");
    assert.equal((await value("#fen")).split(" ")[2], "q");
    await press("#copy-link");
    await page.waitForFunction(() => !document.getElementById("message").hidden);
    assert.match(await fault(), /^This page was opened as a file, so its links .* cannot be shared/);
});

test("nothing moves while a game is stepped through", async () => {
    for (const [width, height] of [[1280, 720], [390, 844]]) {
        await open("", { width, height, isMobile: width < 900 });
        await load(`${GAME.replace("*", "6. Nf3 Bg4 7. d3 (7. h3 Bxf3) 7... Nf6 8. Bg5 h6 9. Bh4 g5 10. Bg3 Bb4+ 11. c3 *")}`);
        await click("e2");
        await settle();
        const places = () =>
            page.$$eval("section, #score, #chart, #play-board .bar", (all) =>
                all.filter((each) => each.checkVisibility() && each.id !== "move-lists" && each.id !== "load-text").map((each) => {
                    const { left, top, width: wide } = each.getBoundingClientRect();
                    return `${each.id || each.ariaLabel} ${left} ${top + scrollY} ${wide}`;
                }),
            );
        const before = await places();
        for (let i = 0; i < 22; i++) {
            await press("#forward");
            await settle();
            assert.deepEqual(await places(), before, `${width} pixels, ${await text("#turn")}`);
        }
    }
});

test("in a frame of another page: the board and what hangs alone", async () => {
    await open(link(SPANISH, "&embed"), { width: 700, height: 620 });
    const seen = await Promise.all(["#frame", "#hangs", "header p", "#load-text", "#engines"].map(shown));
    assert.deepEqual(seen, [true, true, false, false, false]);
});
