// The texts of the page and its translations: every key is used and translated, what is filled in is the same, and no text
// that people read is anywhere else. In German, no state of the page says anything in English.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { ENGLISH } from "../src/english.js";
import { GERMAN } from "../src/german.js";
import { here } from "./data.js";
import { choose, click, fault, link, load, open, page, press, text, texts } from "./support.js";

const source = (name) => readFileSync(here(`../src/${name}`), "utf8");
const scripts = readdirSync(here("../src"))
    .filter((name) => !["english.js", "german.js"].includes(name))
    .map((name) => [name, source(name)]);
const markup = readFileSync(here("../page.html"), "utf8");

// The keys that the scripts and the page ask for. A key that is made, such as `kind.${kind}`, asks for all that begin so.
const withoutComments = (script) => script.replace(/^ *\/\/.*$/gm, "");
const asked = [...scripts.map(([, script]) => withoutComments(script)), markup].flatMap((whole) => [
    ...[...whole.matchAll(/(?:say|data-say(?:-label)?)(?:\(|=|": )"([a-z][\w.-]*)"/g)].map(([, key]) => ({ key })),
    ...[...whole.matchAll(/say\([^()]*\? "([a-z][\w.-]*)" : "([a-z][\w.-]*)"/g)].flatMap(([, one, other]) => [{ key: one }, { key: other }]),
    ...[...whole.matchAll(/"data-say": [^,}]*\? "([a-z][\w.-]*)" : /g)].map(([, key]) => ({ key })),
    ...[...whole.matchAll(/`([a-z][\w-]*(?:\.[\w-]+)*[.-])\$\{/g)].map(([, begin]) => ({ begin })),
]);
const CASES = ["nominative", "accusative", "dative"]; // keys of named() in texts.js

test("every text is used, and every text that is asked for is there", () => {
    const isAsked = (name) => CASES.includes(name.split(".")[0]) || asked.some(({ key, begin }) => (begin ? name.startsWith(begin) : name === key));
    assert.deepEqual(Object.keys(ENGLISH).filter((name) => !isAsked(name)), [], "texts that nothing asks for");
    assert.deepEqual(asked.map(({ key }) => key).filter((key) => key && !(key in ENGLISH)), [], "keys without a text");
    assert.ok(asked.length > 200, `${asked.length} keys were found`);
});

const braces = (said) => [...new Set([...said.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort();
// What the scripts also fill in, for languages that need it.
const OTHERS = { refused: ["square", "who", "why"], "refused.before-enemy": ["between", "enemy"] };

test("the German texts are complete: the same keys, each with a text, and the same is filled in", () => {
    assert.deepEqual(Object.keys(GERMAN).sort(), Object.keys(ENGLISH).sort());
    const isCase = (key) => CASES.includes(key.split(".")[0]);
    for (const [key, said] of Object.entries(GERMAN)) {
        assert.ok(said.trim() || !ENGLISH[key].trim(), `${key} has no text`);
        if (!isCase(key)) assert.deepEqual(braces(said), OTHERS[key] ?? braces(ENGLISH[key]), key);
    }
    const same = Object.keys(GERMAN).filter((key) => GERMAN[key] === ENGLISH[key] && /[a-z]{4}/.test(GERMAN[key].replace(/\{\w+\}/g, "")));
    assert.deepEqual(same.sort(), ["engines.title", "error.link-rules", "hangs.en-passant", "words.en-passant"]);
});

// Words, in a page or in a script, outside of the texts: two words with a blank between, or a capital and three letters.
const isProse = (said) => /\p{L}{2,}[,.:;]? \p{L}{2,}/u.test(said) || /^[A-Z][a-z]{3,}/.test(said);

test("no text that people read is outside of the files of texts", () => {
    const bare = markup.replace(/<(script|style)[^]*?<\/\1>|<!--[^]*?-->/g, "").replace(/<[^>]*>/g, "\n");
    assert.deepEqual([...new Set(bare.split("\n").map((each) => each.trim()).filter((each) => /\p{L}/u.test(each)))], ["seebatch"]);
    assert.deepEqual([...markup.matchAll(/ (?:aria-label|title|placeholder|alt)="[^"]*"/g)].map(([each]) => each), []);
    const found = scripts.flatMap(([name, script]) =>
        [...script.replace(/^ *\/\/.*$/gm, "").replace(/ \/\/ .*$/gm, "").matchAll(/"((?:[^"\\\n]|\\.)*)"|`([^`]*)`/g)]
            .map(([, plain, made]) => plain ?? made.replace(/\$\{[^]*?\}/g, ""))
            .filter((said) => isProse(said))
            .map((said) => `${name}: ${said}`),
    );
    assert.deepEqual(found.filter((each) => !KNOWN.some((known) => known.test(each))), []);
});

// What looks like words and is none that the page shows: FENs, names of engines, keys, attributes, tags of a PGN.
const KNOWN = [
    /^exercises\.js: /, /^choices\.js: [^ ]+ [wb] /, /: [^ ]+\/[^ ]+\/[^ ]+ /,
    /: (Arrow|Home|End|Enter|Escape|Page|Event|Site|Date|Round|White|Black|Result|Exercise|Hint|Explanation|Source|SetUp)\w*$/,
    /: (use strict|arrow |badge |disc |own |coordinate |ring |square )/, /^picture\.js: /, /^elements\.js: piece /, /^lesson\.js:  now$/,
    /^session\.js: value of a $/, /: [.#]?[\w ,.-]*\b(input|textarea|button|dialog)$/, /: \([\w-]+: \w+\)$/, /: disputed engines-only$/, /^pgn\.js: /, /^tree\.js: /, /^marks\.js: /, /^element\.js: /,
];

// ---- In the browser ---------------------------------------------------------------------------------------------------

const inGerman = async (hash, options) => {
    await open("", options);
    await page.evaluate(() => localStorage.setItem("seebatch-language", "de"));
    await open(hash, options);
};

// Everything that is read or heard, with the state in which it is.
const everything = () =>
    page.evaluate(() =>
        [...document.querySelectorAll("body *")]
            .filter((each) => !each.closest("script, style, noscript, #language"))
            .flatMap((each) => [
                ...[...each.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim()),
                ...["aria-label", "title", "placeholder", "aria-valuetext"].map((name) => each.getAttribute(name) ?? ""),
            ])
            .filter(Boolean),
    );

// Words that no German text has, and what was forgotten to be filled in.
const ENGLISH_WORD = /\b(the|and|of|to|is|are|with|can|piece|pieces|white|black|White|Black|pawn|knight|bishop|rook|queen|king|takes|wins|hangs|move|game|question|answer|nothing)\b|undefined|\{\w+\}|\[object/;
const expectGerman = async (state) =>
    assert.deepEqual([...new Set((await everything()).filter((said) => ENGLISH_WORD.test(said.replace(/https:\S+/, ""))))], [], state);

test("the language is chosen, remembered, asked for by a link, and otherwise that of the browser", async () => {
    await page.evaluate(() => localStorage.clear());
    await open(link("4k3/8/8/3q4/4P3/2N5/8/4K3 w - - 0 1"));
    assert.deepEqual([await text("#hangs-title"), await page.$eval("html", (html) => html.lang)], ["What hangs", "en"]);
    await page.select("#language", "de");
    assert.deepEqual([await text("#hangs-title"), await page.$eval("html", (html) => html.lang)], ["Was hängt", "de"]);
    assert.equal(await text("#turn"), "Weiß am Zug");
    assert.ok((await texts("#captures button")).some((each) => each.startsWith("Sxd5")));
    await expectGerman("after a change");
    await page.reload();
    await page.waitForSelector("html[data-ready]");
    assert.equal(await text("#turn"), "Weiß am Zug");
    await open("#lang=en");
    assert.equal(await text("#hangs-title"), "What hangs");
    await open("#lang=xx");
    assert.match(await fault(), /lang: erwartet: eines von en, de; gefunden: „xx“/);
    await page.select("#language", "en");
    await page.evaluate(() => localStorage.clear());
});

const PARTIE = '[White "A"]\n[Black "B"]\n\n1. e4 e5 2. Nf3 Nc6 (2... d6 {Philidor} 3. d4) 3. Bb5 a6 4. Bxc6 dxc6 5. Nxe5 Qd4 1-0';

test("in German no state of the page says anything in English", async (t) => {
    t.after(() => page.evaluate(() => localStorage.clear()));
    await inGerman("");
    await expectGerman("begin");
    for (const name of await page.$$eval("#examples option", (all) => all.map(({ value }) => value).filter(Boolean))) {
        await page.select("#examples", name);
        await expectGerman(`example ${name}`);
        for (const square of ["d5", "e4", "e5", "c6", "b5"]) {
            await click(square);
            await expectGerman(`example ${name}, ${square}`);
        }
    }
    await load(PARTIE);
    await press("#last");
    await expectGerman("game");
    await press("#set-up");
    await expectGerman("set up");
    await press("#set-up");
    for (const wrong of ["", "Unsinn", "1. e4 e5 2. Ke3", "1. e4 -- 2. Qxz9", "https://lichess.org/q7ZvsdUF", "https://example.org/x", '[Variant "Atomic"]\n\n1. e4 *',
        "4k3/8/8/8/8/8/8/4RK2 w - - 0 1"]) {
        await load(wrong);
        await expectGerman(`wrong: ${wrong}`);
    }
    await press("#worth summary");
    await choose("#values input", "40");
    await expectGerman("wrong value");
    await load(PARTIE);
    await press("#lesson summary");
    await press("#lesson-find");
    await press("#lesson-add");
    await expectGerman("lesson");
    await press("#exercise-built-in");
    for (let i = 0; i < 20; i++) {
        await expectGerman(`exercise ${i + 1}`);
        await press("#nothing");
        for (const square of ["c6", "d5", "e5", "g4"]) await click(square);
        await expectGerman(`exercise ${i + 1}, answered`);
        if (await page.$eval("#exercise-answer", (each) => each.checkVisibility())) await press("#exercise-answer");
        await expectGerman(`exercise ${i + 1}, shown`);
        await press("#exercise-next");
    }
    await expectGerman("results");
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await expectGerman("worksheet");
    assert.match(await text("#worksheet .answers li"), /^1\. Weiß kann den Läufer auf g4 mit Dxg4 gewinnen\. Keine schwarze Figur/);
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    await press("#exercise-end");
    await press("#view");
    for (const hash of [link("4k3/3bn3/8/1Q1p4/8/8/8/4RK2 w - - 0 1", "&move=b5d5&rules=stockfish&view=engines"), link("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "&move=e5d6&rules=monty")]) {
        await open(hash, { view: "engines" });
        await expectGerman("engines");
    }
});
