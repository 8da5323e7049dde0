// Positions, moves and games as text, beside chess.js; no browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Chess } from "chess.js";
import { Seebatch } from "../../bindings/javascript/index.js";
import { exchangeOf, heldByCheck, legalMoves, movesWithValues, TEXTBOOK_VALUES, USUAL_VALUES, whatHangs } from "../src/analysis.js";
import { play, readFen, readSan, squareName, squareOf, writeFen, writeSan } from "../src/chess.js";
import { judge, questionsAt, questionsOf, missedOf, sayDanger, sayFault, sayHint, sayJudgement, sayQuestion, tally } from "../src/exercise.js";
import { POSITIONS } from "../src/exercises.js";
import { inWords, signed, useUnits } from "../src/numbers.js";
import { lessonOf, writeLesson } from "../src/lessonfile.js";
import { otherVariant, readGames, titleOf, wordsOf, writeGame } from "../src/pgn.js";
import { fenInAddress, isAddress, lichessGame, readFens } from "../src/positions.js";
import { mainLine, nodeAt, placeOf, treeOf } from "../src/tree.js";
import { data, PLAIN, START } from "./data.js";

test("moves and SAN are those of chess.js", async () => {
    const seebatch = await Seebatch.load();
    const games = data("games.fen").filter((_, i) => i % 20 === 0),
        odd = [
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "4k3/P6P/8/8/8/8/p6p/4K3 b - - 0 1",
            "8/8/8/KPpr3k/8/8/8/8 w - c6 0 2",
            "k7/8/N1N5/8/N7/8/8/7K w - - 0 1",
            "7k/8/5KQ1/8/8/8/8/R7 w - - 0 1",
        ];
    for (const fen of [...games, ...odd]) {
        const chess = new Chess(fen),
            position = readFen(fen),
            moves = legalMoves(seebatch, fen);
        const expected = new Map(
            chess.moves({ verbose: true }).map((move) => [move.from + move.to + (move.promotion ?? ""), move]),
        );
        assert.deepEqual([...moves].sort(), [...expected.keys()].sort(), fen);
        for (const move of moves) {
            const { san, after: fenAfter } = expected.get(move);
            assert.equal(writeSan(position, move, moves), san.replace("#", "+"), fen);
            assert.equal(readSan(position, san, moves), move);
            assert.equal(readSan(position, move, moves), move);
            const fields = ([board, turn, castling, , halfmoves, number]) => [board, turn, castling, halfmoves, number];
            assert.deepEqual(fields(writeFen(play(position, move)).split(" ")), fields(fenAfter.split(" ")));
        }
    }
    for (const [fen, move, san, next] of [
        ["rk4r1/8/8/8/8/8/8/RK4R1 w KQkq - 0 1", "b1a1", "O-O-O", "rk4r1/8/8/8/8/8/8/2KR2R1 b kq - 1 1"],
        ["6kr/8/8/8/8/8/8/R5KR b HAh - 4 9", "g8h8", "O-O", "5rk1/8/8/8/8/8/8/R5KR w HA - 5 10"],
    ]) {
        assert.equal(writeSan(readFen(fen), move, legalMoves(seebatch, fen)), san);
        assert.equal(readSan(readFen(fen), san, legalMoves(seebatch, fen)), move);
        assert.equal(writeFen(play(readFen(fen), move)), next);
    }
    assert.equal(readSan(readFen(START), "Nd2", legalMoves(seebatch, START)), null);
});

test("exchanges in bulk: swap lists add up, boards follow the captures, all refused have sentences", async () => {
    const seebatch = await Seebatch.load();
    const passed = "4kb2/8/8/3pP3/8/8/8/3RK3 w - d6 0 1",
        fens = [
            passed,
            ...data("cases.tsv")
                .filter((line) => !/^(#|as\t)/.test(line))
                .map((line) => line.split("\t")[0]),
        ];
    let refusals = 0,
        stops = 0;
    for (const fen of [...new Set(fens), ...data("games.fen").filter((_, i) => i % 100 === 0)]) {
        for (const rules of seebatch.ruleSets) {
            const options = { rules, values: USUAL_VALUES };
            const squares = whatHangs(seebatch, fen, options).map((each) => ({
                square: squareName(each.square),
                hangs: each.value,
            }));
            const moves = movesWithValues(seebatch, fen, options).filter((each) => each.isCapture);
            for (const subject of [...moves, ...squares]) {
                const exchange = exchangeOf(seebatch, fen, subject, options);
                if (exchange.reason) continue;
                const { steps, boards, refused, stop, value } = exchange;
                steps.forEach(({ wins, gain }, i) => assert.equal(gain, wins - (steps[i - 1]?.gain ?? 0), fen));
                boards.slice(1).forEach((board, i) => assert.equal(board[squareOf(steps[i].from)], null));
                for (const { sentence, from } of refused) assert.ok(sentence.includes(` on ${from} cannot take back`));
                const best = stop % 2 ? steps[stop - 1]?.gain : -steps[stop - 1]?.gain;
                if (steps.length) assert.equal(value, best + 0, `${fen} ${exchange.move} ${rules}`);
                if (subject.hangs !== undefined && subject.hangs !== value) {
                    const moves = legalMoves(seebatch, exchange.fen).filter(
                        (move) => move.slice(2, 4) === subject.square,
                    );
                    assert.ok(!seebatch.order(exchange.fen, moves, options).values.includes(subject.hangs));
                    assert.notEqual(rules, "legal");
                }
                refusals += refused.length;
                stops += stop < steps.length;
            }
        }
    }
    assert.ok(refusals > 100 && stops > 100);
    const counts = ["swap", "stormphrax"].map((rules) => {
        const { boards, note } = exchangeOf(seebatch, passed, { move: "e5d6" }, { rules, values: USUAL_VALUES });
        return [boards[1].filter(Boolean).length, note];
    });
    const stays = "Under these rules the pawn on d5 stays, and hides what stands behind it.";
    assert.deepEqual(counts, [
        [5, ""],
        [6, stays],
    ]);
});

test("games of a PGN", () => {
    const games =
        readGames(`[White "A \\"B\\" { ("]\n[Black "C"]\n\n1. e4 {a [Tag "no"] ( here} (1. d4 d5 (1... Nf6)) 1... e5!? $14
        ; a comment with a { brace\n% passed over (\n2.Nf3 Nc6 3. exd6 e.p. ! ½-½\n\n[White "D"]\n[FEN "${PLAIN}"]\n1... Qxe5 2. 0-0 *`);
    assert.deepEqual(
        games.map((game) => wordsOf(game).map((word) => Object.values(word)[0]).join(" ")),
        [
            'e4 a [Tag "no"] ( here ( d4 d5 ( Nf6 ) ) e5 !? ⩲ a comment with a { brace Nf3 Nc6 exd6 !',
            "Qxe5 0-0",
        ],
    );
    assert.deepEqual(
        games.map(({ tags }) => [tags.White, tags.FEN]),
        [
            ['A "B" { (', undefined],
            ["D", PLAIN],
        ],
    );
    assert.deepEqual(readGames("1. e4 e5 1-0 1. d4").map(wordsOf), [[{ move: "e4" }, { move: "e5" }], [{ move: "d4" }]]);
    assert.deepEqual(readGames("nothing"), []);
    assert.equal(readGames("1. e4 {no end")[0].isCut, true);
    assert.equal(readGames('[Event "x"]\n\n1. e4 *\n\n'.repeat(125000)).length, 125000);
});

test("variants, addresses of lichess, lists of positions", () => {
    const variant = (name) => otherVariant({ tags: { Variant: name } });
    assert.deepEqual(["Atomic", "Crazyhouse"].map(variant), ["Atomic", "Crazyhouse"]);
    assert.deepEqual(["Standard", "Chess960", "Fischerandom", "Fischer Random", "From Position", undefined].map(variant), Array(6).fill(""));
    const id = "q7ZvsdUF";
    for (const address of [`https://lichess.org/${id}`, `lichess.org/${id}abcd/black#12`, `https://lichess.org/${id}?x=1`])
        assert.equal(lichessGame(address), id, address);
    for (const other of ["https://lichess.org/training", "https://lichess.org", "https://example.org/q7ZvsdUF", START])
        assert.equal(lichessGame(other), null, other);
    assert.deepEqual(readFens(`${START}\n# no\n\n${PLAIN}`), [{ fen: START, line: 1 }, { fen: PLAIN, line: 4 }]);
    assert.equal(readFens("1. e4 e5 1/2-1/2"), null);
});

test("positions as people have them: in part, with underscores, in addresses", () => {
    const [placement] = START.split(" "),
        underscored = START.replaceAll(" ", "_");
    for (const [text, fen] of [
        [placement, `${placement} w - - 0 1`],
        [`${placement} b`, `${placement} b - - 0 1`],
        [underscored, START],
        [`"${START}"`, START],
        [START.replace("8", "9"), START.replace("8", "9")], // what is wrong, the library says
    ])
        assert.deepEqual(readFens(text), [{ fen, line: 1 }], text);
    for (const [address, fen] of [
        [`https://lichess.org/analysis/standard/${underscored}`, START],
        [`https://lichess.org/editor/${underscored}?color=black`, START],
        [`lichess.org/analysis/${placement}_b`, `${placement} b - - 0 1`],
        [`https://www.chess.com/analysis?fen=${encodeURIComponent(START)}&flip=false`, START],
        [`https://www.chess.com/dynboard?fen=${encodeURIComponent(START).replaceAll("%20", "+")}&size=2`, START],
        [`file:///tmp/seebatch.html#fen=${underscored}&moves=e2e4`, START],
        ["https://lichess.org/q7ZvsdUF", null],
    ]) {
        assert.equal(isAddress(address), true);
        assert.equal(fenInAddress(address), fen, address);
    }
    assert.equal(isAddress("1. e4 e5 {see https://lichess.org}"), false);
});

test("what a game is called", () => {
    const players = { White: "A", Black: "B" };
    for (const [tags, title] of [
        [{ ...players, Event: "Open", Date: "1999.01.20" }, "A – B, Open 1999"],
        [{ White: "?", Black: "?", Event: "Pins: first", Date: "????.??.??" }, "Pins: first"],
        [{ Event: "Pins: first", ChapterName: "first" }, "first"],
        [{ ...players, Event: "Pins: first", ChapterName: "first" }, "first: A – B"],
        [{}, "A game"],
    ])
        assert.equal(titleOf({ tags }), title);
});

test("comments, glyphs, and pieces with other letters", async () => {
    const seebatch = await Seebatch.load();
    const tree = (text) => treeOf(seebatch, readGames(text)[0]);
    const { root, faults } = tree("{Begin [%csl Gd4]} 1. e4 $1 {good} {[%clk 0:01]} (1. d4!? {too}) ({or} 1. c4 $999) 1... e5?? $4 ; end\n");
    assert.deepEqual(faults, []);
    const said = [root, ...root.children, root.children[0].children[0]].map(({ san = "", glyphs, before, comment }) => [san + glyphs, before, comment]);
    assert.deepEqual(said, [
        ["", "", "Begin"],
        ["e4!", "", "good"],
        ["d4!?", "", "too"],
        ["c4", "or", ""],
        ["e5??", "", "end"],
    ]);
    const german = tree("1. e4 e5 2. Sf3 Sc6 3. Lc4 Lc5 4. O-O Sf6 5. Te1 Tg8 6. Te8").faults;
    assert.deepEqual(german, ["Move 6, white: expected a legal move, found “Te8”."]);
    const promoted = tree('[FEN "7k/P7/8/8/8/8/8/K7 w - - 0 1"]\n1. a8=D+ Kh7 2. Dxa2 Kg6');
    assert.equal(promoted.root.children[0].san, "a8=Q+");
    for (const text of ["1. e4 e5 2. Sf3 Sc6 3. Lb5 Ld6 4. Kf1", "1. e4 e5 2. Cf3 Cc6 3. Fb5 Fd6 4. Rf1", "1. e4 e5 2. ♘f3 ♞c6 3. ♗b5 ♝d6 4. ♔f1", "1. e4 e5 2. Pf3 Pc6 3. Lb5 Ld6 4. Kf1"]) {
        const { root: read, faults: wrong } = tree(text);
        assert.deepEqual(wrong, [], text);
        assert.equal(mainLine(read).map(({ san }) => san).slice(3).join(" "), "Nf3 Nc6 Bb5 Bd6 Kf1");
    }
    assert.match(tree("1. e4 e5 2. Xf3").faults.join(" "), /“Xf3”.*English letters of the pieces are K, Q, R, B and N.*“X”/);
});

test("a tree: variations, a side that passes, lines that go wrong", async () => {
    const seebatch = await Seebatch.load();
    const tree = (text) => treeOf(seebatch, readGames(text)[0]);
    const { root, faults } = tree("1. e4 (1. d4 d5 (1... Nf6 2. c4)) 1... e5 (1... c5 2. Ke3 d6) 2. -- Nf6 3. Nf3");
    assert.deepEqual(faults, ["Move 2, white: expected a legal move, found “Ke3”."]);
    assert.deepEqual(mainLine(root).map(({ san }) => san), [undefined, "e4", "e5", "--", "Nf6", "Nf3"]);
    assert.deepEqual(root.children.map(({ san }) => san), ["e4", "d4"]);
    assert.deepEqual(root.children[1].children.map(({ san }) => san), ["d5", "Nf6"]);
    assert.equal(root.children[1].children[1].children[0].san, "c4");
    assert.equal(mainLine(root)[3].fen.split(" ")[1], "b");
    assert.match(tree("1. e4 f6 2. Qh5+ --").faults[0], /Black is in check, found “--”/);
    const deep = tree(`1. e4 ${"(1. d4 ".repeat(99)}${")".repeat(99)} 1... e5`);
    assert.match(deep.faults.join(), /deeper than 50/);
    assert.equal(mainLine(deep.root).length, 3);
});

test("what a side gets, in words", async () => {
    const seebatch = await Seebatch.load();
    useUnits("pawns");
    const said = (fen, move, side) => {
        const exchange = exchangeOf(seebatch, fen, { move }, { rules: "legal", values: USUAL_VALUES });
        return `${inWords(exchange, side)} ${signed(exchange.value)}`;
    };
    for (const [fen, move, side, words] of [
        [PLAIN, "d3e5", "White", "White loses a knight for a pawn −2.25"],
        ["4k3/8/8/3q4/8/4N3/8/4K3 w - - 0 1", "e3d5", "White", "White wins a queen +10"],
        ["1n5k/P7/8/8/8/8/8/6K1 w - - 0 1", "a7b8q", "White", "White wins a knight and a promotion +12.25"],
        ["rn5k/P7/8/8/8/8/8/6K1 w - - 0 1", "a7b8q", "White", "White wins a knight for a pawn +2.25"],
        ["4k3/4p3/3b4/8/4N3/8/8/4K3 w - - 0 1", "e4d6", "White", "White gets a bishop for a knight, an even trade 0"],
        ["4k3/8/4p3/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "White", "it is an even trade 0"],
    ])
        assert.equal(said(fen, move, side), words);
});

test("a wrong answer is told why, and not what is right", async () => {
    const seebatch = await Seebatch.load();
    const hint = (fen, given) => sayFault(seebatch, questionsAt(seebatch, [{ fen }])[0], given);
    const first = { fen: "5rk1/p6r/7p/3P1p2/1PNq1Q2/3PN1P1/6BP/5RK1 w - - 0 28" };
    assert.match(hint(first.fen, null), /^Not quite: White can win something here\. Look at each black piece/);
    assert.equal(
        hint(first.fen, { square: squareOf("f5") }),
        "Not the pawn on f5: White takes the pawn with the queen on f4, the rook on f8 takes back, and White loses a queen for a rook and a pawn.",
    );
    assert.match(hint(first.fen, { square: squareOf("a7") }), /^Not the pawn on a7\. No white piece attacks a7/);
    assert.match(hint(first.fen, { move: "g1h1" }), /^That move takes nothing/);
    assert.match(hint("4k3/2p5/3q4/8/8/2N5/8/3QK3 w - - 0 1", { square: squareOf("d6") }), /takes back/);
    const two = "4k3/8/2p5/3r4/8/2N5/8/3QK3 w - - 0 1"; // the knight wins, the queen does not
    assert.match(hint(two, { move: "d1d5" }), /^Not with the queen: .*pawn on c6 takes back.*better way to take/);
    for (const [i, { fen, answers }] of questionsAt(seebatch, POSITIONS).entries())
        for (const move of legalMoves(seebatch, fen)) {
            const { isRight } = judge(seebatch, { fen, answers }, { move });
            if (!isRight) assert.doesNotMatch(hint(fen, { move }), /undefined|null|wins a /, `${i + 1} ${move}`);
        }
    assert.match(hint(first.fen, { square: squareOf("g8") }), /^Not the king on g8\. A king can never be captured\.$/);
    const results = [{ wrong: 0, isDone: true }, { wrong: 2, isDone: true }, { wrong: 1, isShown: true, isDone: true }, { wrong: 1, isDone: false }, null];
    assert.deepEqual(tally(results), { done: 3, atOnce: 1, later: 1, shown: 1 });
    assert.deepEqual(missedOf(results), [1, 2, 3, 4]);
});

test("each question names the side; the pupil's own move is answered as such; what is in danger gets a word", async () => {
    const seebatch = await Seebatch.load();
    const at = (fen, more = {}) => questionsAt(seebatch, [{ fen, ...more }])[0];
    const said = (question, given) => sayJudgement(seebatch, question, judge(seebatch, question, given));
    for (const { fen } of POSITIONS) {
        const [mover, other] = fen.split(" ")[1] === "w" ? ["White", "black"] : ["Black", "white"];
        assert.equal(sayQuestion({ fen }), `Which ${other} piece can ${mover} win?`);
    }
    const two = at("4k3/8/8/3q4/4P3/2N5/8/4K3 w - - 0 1", { why: "Two pieces attack it.", hint: "Look at d5." });
    assert.match(said(two, { move: "e4d5" }), /^Right! White can win the queen on d5 with exd5\. .* Two pieces attack it\.$/);
    assert.match(said(two, { move: "c3d5" }), /^Right! White can win the queen on d5 with Nxd5\./);
    assert.equal(sayHint(two), "Hint: Look at d5.");
    assert.equal(sayHint(at("4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1")), "Hint: what can the knight on c3 take?");
    const less = at("4k3/8/2p5/3q4/4P3/8/8/3QK3 w - - 0 1");
    assert.match(said(less, { move: "d1d5" }), /with Qxd5\. .*exd5 wins even more\.$|^The answer/);
    const rooks = at("4k3/8/8/r6R/8/8/8/R3K3 w - - 0 1");
    assert.match(
        sayDanger(seebatch, rooks, squareOf("h5")),
        /^Yes, the rook on h5 is in danger, but it is White’s turn\. Which black piece can White win\?$/,
    );
});

test("exercises of a game repeat no fault", async () => {
    const seebatch = await Seebatch.load();
    const fens = ["4k3/8/8/3r4/8/2N5/8/4K3 w - - 0 1", "3k4/8/8/3r4/8/2N5/8/4K3 w - - 2 2", "4k3/8/8/r7/8/1N6/8/4K3 w - - 0 1"];
    const asked = questionsOf(seebatch, fens.map((fen) => ({ fen })));
    assert.deepEqual(asked.map(({ fen }) => fen), [fens[0], fens[2]]);
});

test("a game is written as it was read: comments, variations, glyphs, arrows, names, result", async () => {
    const seebatch = await Seebatch.load();
    const text = `[Event "Club \\"A\\""]
[White "Anna"]
[Black "Ben"]
[Result "1-0"]

{Begin [%csl Gd4,Re5]} 1. e4 $1 {good [%cal Gd2d4]} (1. d4 {too} 1... d5 (1... Nf6 $6 2. c4)) ({or} 1. c4) 1... e5 $4 2. Nf3 $16 1-0
`;
    const { root, faults } = treeOf(seebatch, readGames(text)[0]);
    assert.deepEqual([faults, root.arrows.length, root.children[0].arrows], [[], 2, [{ from: squareOf("d2"), to: squareOf("d4"), color: "G" }]]);
    assert.equal(writeGame(root), text);
    const last = mainLine(root).at(-1);
    assert.equal(nodeAt(root, placeOf(last)), last);
    const deep = root.children[1].children[1].children[0];
    assert.deepEqual([placeOf(deep), nodeAt(root, placeOf(deep)).san], ["0-1-0-1-1", "c4"]);
    const chess = new Chess();
    chess.loadPgn(writeGame(root).replace(/\\"/g, "'")); // it reads no escaped quotes
    assert.deepEqual(chess.history(), ["e4", "e5", "Nf3"]);
    // Whatever is read of a text with braces and odd words is written so that it is read again.
    for (const odd of ["1. e4 {a ( b [%clk 1] %} e5 ; c } d\n2. Nf3", '[White "x\\\\"]\n\n1. e4 -- 2. d4', "1. e4 (1. d4 (1. c4)) *"]) {
        const once = writeGame(treeOf(seebatch, readGames(odd)[0]).root);
        assert.equal(writeGame(treeOf(seebatch, readGames(once)[0]).root), once, odd);
    }
});

const ARROWS = [{ from: 27, to: 27, color: "G" }, { from: 12, to: 28, color: "R" }];

test("a lesson as a file: other programs read the positions, the question and the solution", async () => {
    const seebatch = await Seebatch.load();
    const items = POSITIONS.slice(10, 13).map(({ fen }, i) => ({ fen, ask: i ? "" : 'What is "en prise" {here}?', hint: i ? "" : "Look.", why: i ? "" : "So.", source: "", arrows: i ? [] : ARROWS }));
    const lesson = { title: "Pins \\ and forks", questions: questionsAt(seebatch, items) };
    for (const isShort of [false, true]) {
        const games = readGames(writeLesson(seebatch, lesson, isShort));
        assert.equal(games.length, 3);
        assert.deepEqual(lessonOf(games), { title: lesson.title, items }, `short: ${isShort}`);
    }
    for (const game of writeLesson(seebatch, lesson).split(/\n(?=\[Event)/)) {
        const chess = new Chess();
        chess.loadPgn(game.replace(/\\["\\]/g, "'")); // it reads no escaped quotes
        assert.ok(chess.history().length <= 1);
        assert.match(game, /\{(Which .* win\?|What is .*)/);
    }
    assert.equal(lessonOf(readGames("1. e4 *")), null);
});

test("exercises of a game leave out bad lessons", async () => {
    const seebatch = await Seebatch.load();
    const asked = (...fens) => questionsOf(seebatch, fens.map((fen) => ({ fen }))).map(({ fen }) => fen);
    const good = "4k3/8/8/3r4/8/2N5/8/4K3 w - - 0 1";
    for (const bad of [
        "r1bqk2r/ppp1bpp1/2np1n1p/1B2p1B1/3PP3/2N2N2/PPP2PPP/R2QK2R w KQkq - 0 7", // dxe5 loses the bishop on g5
        "6k1/5ppp/8/3n4/8/2N5/8/4R1K1 w - - 0 1", // Re8 mates
        "4r1k1/5ppp/8/3n4/8/8/5PPP/3R2K1 w - - 0 1", // after Rxd5 Re1 mates
        "k7/2Q5/8/8/8/8/8/2K5 b - - 0 1", // no move
    ])
        assert.deepEqual(asked(bad, good), [good], bad);
});

test("twenty exercises by difficulty, each with one answer or none", async () => {
    const seebatch = await Seebatch.load(),
        questions = questionsAt(seebatch, POSITIONS);
    assert.equal(questions.length, 20);
    assert.deepEqual([...new Set(questions.map(({ level }) => level))], [1, 2, 3, 4]);
    for (const question of questions) {
        assert.ok(question.answers.length <= 1, question.fen);
        const [best] = question.answers;
        assert.equal(judge(seebatch, question, null).isRight, !best);
        if (!best) continue;
        const { move } = exchangeOf(seebatch, question.fen, { square: squareName(best.square) }, { rules: "legal", values: TEXTBOOK_VALUES });
        assert.deepEqual(judge(seebatch, question, { square: best.square }), { isRight: true, square: best.square, move });
        assert.equal(judge(seebatch, question, { move }).isRight, true, question.fen);
        const quiet = legalMoves(seebatch, question.fen).find((each) => readFen(question.fen).board[squareOf(each.slice(2))] === null);
        assert.deepEqual(judge(seebatch, question, { move: quiet }), { isRight: false, square: best.square, move });
    }
    const most = questionsOf(seebatch, questions).map(({ answers }) => answers[0]?.value ?? 0);
    assert.deepEqual(most, most.toSorted?.((a, b) => b - a) ?? [...most].sort((a, b) => b - a));
});

test("what hangs: en passant, and what has no exchange to show", async () => {
    const seebatch = await Seebatch.load();
    const options = { rules: "legal", values: USUAL_VALUES };
    const passed = "4k3/8/8/3pP3/8/8/8/3RK3 w - d6 0 1",
        [pawn] = whatHangs(seebatch, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", options);
    assert.deepEqual([squareName(pawn.square), pawn.value, pawn.isNow, pawn.isEnPassant], ["d5", 100, true, true]);
    const exchange = exchangeOf(seebatch, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", { square: "d5" }, options);
    assert.deepEqual([exchange.move, exchange.value, exchange.hangs], ["e5d6", 100, 100]);
    assert.equal(whatHangs(seebatch, passed, options).find(({ square }) => square === squareOf("d5")).isEnPassant, false);
    // Whatever hangs without a reason has an exchange, and what has a reason gives it.
    let reasons = 0;
    for (const fen of data("games.fen").filter((_, i) => i % 10 === 0)) {
        for (const rules of ["legal", "swap", "stockfish"]) {
            for (const { square, value, reason } of whatHangs(seebatch, fen, { ...options, rules })) {
                const found = exchangeOf(seebatch, fen, { square: squareName(square) }, { ...options, rules });
                assert.equal(Boolean(found.reason), Boolean(reason), `${fen} ${rules}`);
                if (reason) reasons++;
                else assert.equal(found.hangs, value, `${fen} ${squareName(square)} ${rules}`);
            }
        }
    }
    assert.ok(reasons > 20);
    // In check: the queen could be taken, if taking it stopped the check.
    const check = "4r1k1/8/8/3q4/8/2N5/8/4K3 w - - 0 1",
        [queen, ...others] = heldByCheck(seebatch, check, options);
    assert.deepEqual([squareName(queen.square), queen.value, queen.isNow, others.length], ["d5", 1000, false, 0]);
    assert.match(queen.reason, /^White is in check and cannot take it now/);
    assert.equal(exchangeOf(seebatch, check, { square: "d5" }, options).reason, queen.reason);
    assert.deepEqual(heldByCheck(seebatch, check.replace("4r1k1", "6k1"), options), []);
});
