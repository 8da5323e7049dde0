// The page in headless Chromium, used as those who write engines use it, with the library's values.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Chess } from "chess.js";
import { Seebatch } from "../../bindings/javascript/index.js";
import { readFen } from "../src/chess.js";
import { data, PINNED, PLAIN, SPANISH, START } from "./data.js";
import {
    ask,
    browser,
    choose,
    click,
    drag,
    ENGINES,
    fault,
    follow,
    hangs,
    label,
    LIBRARY,
    link as plainLink,
    load,
    middle,
    number,
    open as openAs,
    page,
    press,
    swapList,
    text,
    texts,
    value,
    verdict,
} from "./support.js";

const link = (fen, rest = "") => plainLink(fen, `&view=engines${LIBRARY}${rest}`);
const open = (hash, options = {}) => openAs(hash || `#fen=${START.replaceAll(" ", "_")}${LIBRARY}`, { ...ENGINES, ...options });

// ---- Answers --------------------------------------------------------------------------------------------------------

test("every exchange worked out by hand, under every rule set", async () => {
    const cases = new Map(),
        bases = [];
    for (const line of data("cases.tsv").filter((each) => !each.startsWith("#"))) {
        const [fen, move, rules, points] = line.split("\t");
        if (fen === "as") bases.push([move, rules]);
        if (fen === "as") continue;
        const expected = cases.get(`${fen}\t${move}`) ?? {};
        if (move.includes(" ")) continue; // a square
        if (rules.includes("=")) continue; // a rule set without a name: the page shows those with one
        for (const name of rules.split(",")) expected[name] = Number(points);
        for (const [name, base] of bases) expected[name] ??= expected[base];
        cases.set(`${fen}\t${move}`, expected);
    }
    assert.ok(cases.size > 100);
    await open("");
    const { ruleSets } = await Seebatch.load();
    for (const expected of cases.values()) {
        for (const name of ruleSets) expected[name] ??= expected.others;
        delete expected.others;
    }
    const asked = [...cases.keys()].map((which) => which.split("\t"));
    const said = await ask(asked.map(([fen, move]) => link(fen, `&rules=stockfish&move=${move}`)));
    for (const [i, [fen, move]] of asked.entries()) {
        const which = `${fen}\t${move}`,
            expected = cases.get(which);
        const found = Object.fromEntries(said[i].rows.map(([name, shown]) => [name, number(shown)]));
        assert.deepEqual(found, expected, which);
        const [side, points] = [fen.split(" ")[1] === "w" ? "White" : "Black", expected.stockfish];
        const signed = `${points > 0 ? "\\+" : "−"}${Math.abs(points)}`;
        const end = points
            ? `${side} ${points > 0 ? "wins" : "loses"} .*\\(${signed}\\)$`
            : "worth 0|nothing is won or lost|an even trade";
        assert.match(said[i].verdict, new RegExp(end), which);
        const isSplit = new Set(Object.values(expected)).size > 1;
        assert.equal(said[i].title, isSplit ? "Engines disagree here" : "Engines agree here");
    }
});

test("what hangs, square by square", async () => {
    const isTheirs = ([fen, square, side]) => {
        const piece = readFen(fen).board[square.charCodeAt(0) - 97 + 8 * (square[1] - 1)];
        return piece && (piece === piece.toUpperCase()) !== (side === "w");
    };
    const rows = data("cases.tsv")
        .map((row) => row.replace(/^([^\t]*\t[a-h][1-8]) /, "$1\t").split("\t"))
        .filter((row) => row.length === 6 && isTheirs(row));
    // "others": what no other row of the square names; of the sets left the first that has no values of another.
    const { ruleSets } = await Seebatch.load();
    const derived = data("cases.tsv").flatMap((row) => (row.startsWith("as\t") ? [row.split("\t")[1]] : []));
    const own = ruleSets.filter((name) => !derived.includes(name));
    for (const row of rows.filter((each) => each[3] === "others")) {
        const same = rows.filter((each) => each.slice(0, 3).join() === row.slice(0, 3).join());
        row[3] = own.find((name) => !same.some((each) => each[3].split(",").includes(name)));
    }
    await open("");
    const said = await ask(
        rows.map(([fen, , , rules], i) => link(fen, `&rules=${rules.split(",")[0]}&square=a${1 + (i % 8)}`)),
    );
    for (const [i, [fen, square, , , points]] of rows.entries())
        assert.equal(Object.fromEntries(said[i].hangs)[square] ?? 0, Number(points), `${fen} ${square}`);
    await follow(link("1n5k/P7/8/8/8/8/8/6K1 w - - 0 1", "&rules=stockfish&square=b8"));
    assert.match(await text("#exchange-body"), /worth 0, whatever could follow.*The square counts 325/);
    await follow(link(SPANISH));
    assert.deepEqual(await hangs(), { g5: 225, e5: 100 });
    assert.deepEqual(await texts("#hangs-white button"), ["bishop g5, 225, not now"]);
    assert.deepEqual(await texts("#hangs-black button"), ["pawn e5, 100"]);
    assert.deepEqual(await texts(".badge text"), ["225", "100"]);
    assert.equal((await page.$$(".badge.white.later")).length, 1);
    assert.equal((await page.$$(".badge.black:not(.later)")).length, 1);
});

test("an exchange, capture by capture", async () => {
    await open(link(PLAIN, "&move=d3e5"));
    assert.equal(await verdict(), "Nxe5: White loses a knight for a pawn (−225)");
    const rows = await swapList();
    assert.deepEqual(
        rows.map((row) => (row.length > 1 ? row[3] : row[0])),
        ["100", "225", "White stops here: −225 by stopping, −400 by going on", "100", "400", "−75", "1075"],
    );
    assert.deepEqual(rows[0].slice(0, 5), ["1", "White: knight d3 takes pawn", "100", "100", "−225"]);
    assert.equal((await page.$$(".arrow.under")).length, 6);
    assert.equal((await page.$$(".arrow.under.not-made")).length, 4);
    await press("#step-forward");
    assert.match(await text("#step-text"), /^Next: knight d3 takes pawn$/);
    await press("#step-forward");
    await press("#step-forward");
    assert.match(await label("e5"), /^e5, black knight/);
    assert.match(await label("d3"), /^d3, empty/);
    assert.match(await text("#step-text"), /rook e2 takes knight, but stopping is better/);
    await press('#swap-list tr[data-step="5"] button');
    assert.match(await label("e5"), /^e5, white queen/);
    for (let i = 0; i < 3; i++) await press("#step-forward");
    assert.match(await label("e5"), /^e5, black queen/);
    assert.equal(await page.$eval("#step-forward", (button) => button.disabled), true);
    await press("#step-back");
    await press("#step-all");
    assert.match(await label("e5"), /^e5, black pawn/);
});

test("pieces that may not capture, with the reason and the line", async () => {
    await open(link(SPANISH, "&move=d4e5"));
    assert.deepEqual((await swapList())[1], ["Black stops here: −100 by stopping, −100 by going on"]);
    assert.deepEqual(await texts(".refusals li"), [
        "Black’s knight on c6 cannot take back: it is pinned to the king on e8 by the bishop on b5.",
    ]);
    const line = () =>
        page.$eval(".reason", (each) => ["x1", "y1", "x2", "y2"].map((name) => Number(each.getAttribute(name))));
    assert.deepEqual(await line(), [1.5, 3.5, 4.5, 0.5]);
    await press("#flip");
    assert.deepEqual(await line(), [6.5, 4.5, 3.5, 7.5]);
    await follow(link("8/8/8/3kp3/8/3N4/8/4RK2 w - - 0 1", "&move=e1e5"));
    assert.match((await texts(".refusals li")).join(), /king on d5 .* guards e5/);
    assert.deepEqual(await line(), [3.5, 5.5, 4.5, 3.5]);
});

// ---- Controls -------------------------------------------------------------------------------------------------------

test("rule sets and piece values", async () => {
    await open(link(PINNED, "&move=b5d5"));
    for (const fold of ["#engines-fold", "#worth"]) await press(`${fold} summary`);
    assert.equal(await verdict(), "Qxd5: White wins a pawn (+100)");
    assert.deepEqual(await hangs(), { b5: 1000, d5: 100 });
    await page.select("#rules", "stockfish-2016");
    assert.equal(await verdict(), "Qxd5: White loses a queen for a pawn (−900)");
    assert.deepEqual(await hangs(), {});
    await page.$$eval("#answers button", (names) => names.find((name) => name.textContent === "swap").click());
    assert.equal(await value("#rules"), "swap");
    await page.select("#presets", "Stockfish");
    assert.equal(await verdict(), "Qxd5: White loses a queen for a pawn (−2330)");
    assert.equal(await value("#values input"), "208");
    const type = (points) => choose("#values input", points);
    await type("300");
    assert.equal(await verdict(), "Qxd5: White loses a queen for a pawn (−2238)");
    assert.equal(await value("#presets"), "");
    await type("4000");
    assert.match(await fault(), /4000/);
    assert.equal(await verdict(), "Qxd5: White loses a queen for a pawn (−2238)");
    assert.deepEqual(await texts("#captures button"), ["Rxe7+, −495", "Qxd7+, −1713", "Qxd5, −2238≠"]);
});

test("a click asks, a drag plays", async () => {
    await open(link(SPANISH));
    await click("f3");
    assert.match(await label("e5"), /Nxe5 is worth −125$/);
    assert.ok((await texts(".answer text")).includes("−125"));
    await click("e5");
    assert.match(await text("#turn"), /7\. Nxe5 · Black to move/);
    await press("#back");
    await click("g5");
    assert.equal(await verdict(), "hxg5: Black wins a bishop for a pawn (+225)");
    assert.equal(await page.$("#play"), null);
    await click("a4");
    assert.match(await text("#exchange-body"), /^Click a piece/);
    await drag("d4", "d6");
    assert.match(await text("#turn"), /White to move/);
    await drag("e1", "g1");
    assert.match(await label("f1"), /white rook/);
    await press("#captures button");
    await press("#play");
    assert.match(await text("#turn"), /^7… .* White to move/);
    await press("#first");
    await press("#last");
    assert.match(await text("#turn"), /^7…/);
    await follow(link("1n5k/P7/8/8/8/8/8/6K1 w - - 0 1"));
    await drag("a7", "b8");
    await page.waitForSelector("#promotion[open]");
    await press("#promotion [aria-label=knight]");
    assert.match(await label("b8"), /white knight/);
    await follow(link("4k3/8/8/3p4/8/2N5/8/4R1K1 b - - 0 1"));
    await click("d5");
    assert.match(await text("#exchange-body"), /^Black is in check and has to deal with that first/);
});

test("a board is set up", async () => {
    await open(link(START));
    const named = (name) =>
        page.$$eval("#palette button", (all, said) => all.find((button) => button.textContent === said).click(), name);
    await press("#set-up");
    await drag("e2", "e5");
    await drag("d1", [5, 5]);
    assert.match(await label("e5"), /white pawn/);
    assert.match(await label("d1"), /empty/);
    await press('[aria-label="put black queen"]');
    await click("f6");
    await named("Remove");
    await click("h1");
    assert.equal(await value("#fen"), "rnbqkbnr/pppppppp/5q2/4P3/8/8/PPPP1PPP/RNB1KBN1 w Qkq - 0 1");
    assert.deepEqual(await hangs(), { e5: 100, f6: 900 });
    await click("e1");
    assert.match(await fault(), /king/);
    assert.deepEqual(await hangs(), {});
    await named("Clear");
    await named("Other side to move");
    assert.equal(await value("#fen"), "4k3/8/8/8/8/8/8/4K3 b - - 0 1");
    assert.equal(await fault(), "");
    await press("#set-up");
    assert.equal(await page.$eval("#palette", (palette) => palette.hidden), true);
});

test("wrong texts are answered with a sentence", async () => {
    await open(link(START));
    for (const [wrong, sentence] of [
        ["", /Expected a game in PGN, or a position as FEN, found nothing/],
        ["hello", /Expected a game in PGN, or a position as FEN, found “hello”/],
        ["8/8/8/8/8/8/8/8 w - - 0 1", /king/],
        ["1. e4 e5 2. Ke3 d5", /Move 2, white: expected a legal move, found “Ke3”/],
        ['[FEN "x"]\n1. e4', /expected/i],
    ]) {
        await load(wrong);
        assert.match(await fault(), sentence);
    }
    await follow("#fen=<b>&rules=none&values=1,2&move=zz&view=x&exercise=no");
    assert.match(await fault(), /expected/i);
    await follow(plainLink(PLAIN, "&move=d3d4&values=1,2,3,4,9999"));
    assert.equal(await value("#fen"), PLAIN);
    assert.equal(await value("#presets"), "1, 3, 3, 5, 9");
});

test("a link holds position, rules, values and move", async () => {
    await open(plainLink(PLAIN, "&view=engines"));
    await page.select("#rules", "ethereal");
    await page.select("#presets", "Monty");
    await press("#captures button");
    const hash = plainLink(PLAIN, "&move=d3e5&view=engines&rules=ethereal&values=100,450,450,650,1250"),
        said = await verdict();
    await page.waitForFunction((expected) => location.hash === expected, {}, hash);
    await browser.defaultBrowserContext().overridePermissions("file:///", []);
    await press("#copy-link");
    assert.equal(await text("#live"), "Link copied");
    await open(hash);
    assert.deepEqual([await verdict(), await value("#rules"), await value("#presets")], [said, "ethereal", "Monty"]);
    await open(link(SPANISH, "&square=g5"));
    assert.equal(await verdict(), "hxg5: Black wins a bishop for a pawn (+225)");
});

// ---- Games ----------------------------------------------------------------------------------------------------------

const GAME = `[White "Garry Kasparov"] [Black "Veselin Topalov"] [Date "1999.01.20"]
1. e4 d6 2. d4 Nf6 3. Nc3 g6 4. Be3 Bg7 5. Qd2 c6 6. f3 b5 7. Nge2 Nbd7 8. Bh6 Bxh6 9. Qxh6 Bb7 10. a3 e5 11. O-O-O Qe7
12. Kb1 a6 13. Nc1 O-O-O 14. Nb3 exd4 15. Rxd4 c5 16. Rd1 Nb6 17. g3 Kb8 18. Na5 Ba8 19. Bh3 d5 20. Qf4+ Ka7 21. Rhe1 d4
22. Nd5 Nbxd5 23. exd5 Qd6 24. Rxd4 cxd4 25. Re7+ Kb6 26. Qxd4+ Kxa5 27. b4+ Ka4 28. Qc3 Qxd5 29. Ra7 Bb7 1-0`;

test("a game: stepping, the chart, another line", async () => {
    await open("");
    await load(`${GAME}\n\n[White "D"]\n[FEN "${PLAIN}"]\n1. Nxe5 Nxe5 *`);
    assert.match(await text("#game-title"), /Garry Kasparov – Veselin Topalov, 1999/);
    assert.equal((await texts("#score button")).length, 58);
    const chart = () =>
        page.$eval("#chart", (slider) =>
            ["now", "max", "text"].map((name) => slider.getAttribute(`aria-value${name}`)),
        );
    assert.deepEqual(await chart(), ["0", "58", "Start: nothing hangs"]);
    await press('#score [data-ply="47"]');
    assert.deepEqual(await chart(), ["47", "58", "24. Rxd4: the white rook on d4 hangs, 400"]);
    await press("#forward");
    await page.keyboard.press("ArrowLeft");
    assert.deepEqual((await chart())[0], "47");
    await page.focus("#chart");
    for (const [key, ply] of [
        ["ArrowRight", "48"],
        ["PageUp", "58"],
        ["End", "58"],
        ["Home", "0"],
        ["ArrowDown", "0"],
    ]) {
        await page.keyboard.press(key);
        assert.equal((await chart())[0], ply, key);
    }
    const { x, y, width } = await (await page.$("#chart")).boundingBox();
    await page.mouse.click(x + (width * 47.5) / 59, y + 20);
    assert.equal((await chart())[0], "47");
    const chess = new Chess();
    chess.loadPgn(GAME.replaceAll("] [", "]\n["));
    await press("#last");
    assert.equal(await value("#fen"), chess.fen());
    await press('#score [data-ply="46"]');
    await drag("h3", "g4");
    assert.match(await text("#turn"), /^24\. Bg4/);
    assert.match(await text("#live"), /^24\. Bg4 · Black to move/);
    await press("#to-game");
    assert.equal((await chart())[0], "46");
    assert.deepEqual(await texts("#score .variation"), ["24. Bg4"]);
    await press("#undo");
    assert.equal((await texts("#score button")).length, 58);
    await choose("#games", "2");
    assert.deepEqual(await texts("#score button"), ["Nxe5", "Nxe5"]);
    assert.equal((await page.$$("#chart rect:not(.now)")).length, 1);
    await page.select("#examples", "defender");
    assert.equal(await page.$eval("#game", (section) => section.hidden), true);
    await page.evaluate((pgn) => {
        const event = new ClipboardEvent("paste", { clipboardData: new DataTransfer(), bubbles: true });
        event.clipboardData.setData("text", pgn);
        document.body.dispatchEvent(event);
    }, GAME);
    assert.equal((await texts("#score button")).length, 58);
    await press("#start");
    assert.equal(await value("#fen"), START);
    await page.evaluate((pgn) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([pgn], "game.pgn"));
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    }, GAME);
    await page.waitForSelector('#score [data-ply="58"]', { visible: true });
    await load(PLAIN);
    assert.match(await label("e5"), /black pawn/);
});

// ---- People ---------------------------------------------------------------------------------------------------------

test("keyboard alone", async () => {
    await open(link(SPANISH));
    await page.focus("[data-square=e1]");
    const use = async (...keys) => {
        for (const key of keys) await page.keyboard.press(key);
    };
    await use("ArrowUp", "ArrowUp", "ArrowRight", "Enter");
    assert.equal(await page.$eval("[data-square=f3]", (cell) => cell.getAttribute("aria-selected")), "true");
    await use("ArrowUp", "ArrowUp", "ArrowLeft", "Enter");
    assert.match(await text("#turn"), /^7\. Nxe5 · Black to move/);
    await page.keyboard.down("Control");
    await use("z");
    await page.keyboard.up("Control");
    await use("Enter");
    assert.equal(await verdict(), "dxe5: White wins a pawn (+100)");
    assert.equal(await text("#live"), "dxe5: White wins a pawn (+100)");
    await use(".");
    assert.match(await text("#step-text"), /^Next: pawn d4 takes pawn/);
    await use(".", ",", ".");
    assert.match(await label("e5"), /white pawn/);
    await use("Escape");
    assert.equal(await page.$("#verdict"), null);
    assert.equal(await page.evaluate(() => document.activeElement.dataset.square), "e5");
    for (const key of ["Home", "ArrowLeft", "ArrowDown"]) await page.keyboard.press(key);
    assert.equal(await page.evaluate(() => document.activeElement.dataset.square), "a4");
    await page.focus("#captures button");
    await page.keyboard.press("Enter");
    assert.equal(await verdict(), "dxe5: White wins a pawn (+100)");
    assert.equal(await page.evaluate(() => document.activeElement.dataset.move), "d4e5");
    assert.equal((await page.$$('#board [tabindex="0"]')).length, 1);
});

test("a narrow screen: nothing is wider, and fingers do", async () => {
    await open(link(SPANISH, "&move=d4e5"), { width: 320, height: 640, isMobile: true });
    await load(GAME);
    await press("#last");
    await press("#set-up");
    for (const selector of ["html", "#swap-list", "#exchange", "#game", "#palette"]) {
        const [inner, outer] = await page
            .$eval(selector, (each) => [each.scrollWidth, each.clientWidth])
            .catch(() => [0, 0]);
        assert.ok(inner <= outer, `${selector}: ${inner} in ${outer}`);
    }
    await press("#set-up");
    await follow(link(SPANISH));
    await page.touchscreen.tap(...(await middle("f3")));
    await page.touchscreen.tap(...(await middle("e5")));
    assert.match(await text("#turn"), /^7\. Nxe5/);
    await press("#captures button");
    await press("#swap-fold summary");
    assert.equal(await page.$eval(".scroll", (each) => each.scrollWidth <= each.clientWidth), true);
});
