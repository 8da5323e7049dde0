// The link: behind #, the position or the game, or an exercise; what was chosen, which side is below, the view, rules and
// piece values. Blanks of the FEN are written _. A game that is more than its moves, and a lesson, are there as PGN.
import { TEXTBOOK_VALUES } from "./analysis.js";
import { START } from "./chess.js";
import { html } from "./elements.js";
import { writeGame } from "./pgn.js";
import { languages, say } from "./texts.js";
import { isRich, placeOf } from "./tree.js";

export const LONGEST = 60000; // characters of a PGN in a link; browsers take more, and write it at each step
export const pgnField = (text) => `pgn=${encodeURIComponent(text).replace(/%20/g, "+").replace(/%2F/g, "/")}`;

const gameField = (root) => (isRich(root) ? pgnField(writeGame(root, root.fen === START ? "" : root.fen)) : "");

// What a link of this page would lose, because it would be too long: "lesson", "game", or "" for nothing.
export function lostByLink({ line: [root], exercise }) {
    if (exercise) return exercise.name !== "built-in" && pgnField(exercise.text).length > LONGEST ? "lesson" : "";
    return gameField(root).length > LONGEST ? "game" : "";
}

// What is said of an exercise is the question, and the lesson that it is of.
function writePlace({ line, node, ply, subject, isFlipped, exercise }) {
    if (exercise?.name === "built-in") return [`exercise=${exercise.i + 1}`];
    const [root] = line,
        fields = [`fen=${root.fen.replaceAll(" ", "_")}`];
    if (exercise) {
        const lesson = pgnField(exercise.text);
        return lesson.length <= LONGEST ? [lesson, `exercise=${exercise.i + 1}`] : [...fields, "exercise=1"];
    }
    const pgn = gameField(root);
    if (pgn && pgn.length <= LONGEST) return [pgn, `at=${placeOf(node)}`, ...writeChoice(subject, isFlipped)];
    const moves = line.slice(1).map(({ move }) => move);
    // A line in which a side passes has no moves that could be read: its position stands for it.
    if (moves.includes(null)) fields[0] = `fen=${line[ply].fen.replaceAll(" ", "_")}`;
    else if (moves.length) fields.push(`moves=${moves.join(",")}`, `ply=${ply}`);
    return [...fields, ...writeChoice(subject, isFlipped)];
}

function writeChoice(subject, isFlipped) {
    const fields = isFlipped ? ["flip=1"] : [];
    if (subject?.move) return [`move=${subject.move}`, ...fields];
    return subject?.square ? [`square=${subject.square}`, ...fields] : fields;
}

export function writeLink(shown) {
    const { rules, values, isForEngines } = shown,
        fields = writePlace(shown);
    if (isForEngines) fields.push("view=engines");
    if (rules !== "legal") fields.push(`rules=${rules}`);
    if (values.join() !== TEXTBOOK_VALUES.join()) fields.push(`values=${values.join()}`);
    return `#${fields.join("&")}`;
}

function wordOf(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}

// What a link says, with a sentence for each field that is wrong; embed shows the board and what hangs alone. Rules, and
// values that are not the textbook's, need the view for engines.
// whyNoRules says what is wrong with a name of rules, "" if nothing is.
export function readLink(hash, whyNoRules) {
    const fields = {},
        faults = [];
    const known = ["fen", "rules", "moves", "ply", "values", "move", "square", "flip", "embed", "exercise", "view", "pgn", "at", "lang"];
    for (const field of hash.replace(/^#/, "").split("&").filter(Boolean)) {
        const [, name, text] = field.match(/^(\w+)(?:=(.*))?$/) ?? [];
        if (known.includes(name)) fields[name] = wordOf(name === "pgn" ? (text ?? "").replace(/\+/g, " ") : (text ?? ""));
        else faults.push(say("error.link-fields", { names: known.join(", "), found: wordOf(field).slice(0, 40) }));
    }
    const { fen, rules = "legal", moves, ply = "", values, move, square, flip, embed, exercise, view, pgn, at = "0", lang } = fields;
    const pick = (name, text, isRight, expected, otherwise, read = (word) => word) => {
        if (isRight(text)) return read(text);
        faults.push(say("error.link-field", { name, expected: say(`expected.${expected}`, { names: languages().join(", ") }), found: text.slice(0, 40) }));
        return otherwise;
    };
    const rulesOf = (name) => {
        const why = whyNoRules(name);
        if (why) faults.push(say("error.link-rules", { why }));
        return why ? "legal" : name;
    };
    const isValues = (text) => /^\d+(,\d+){4}$/.test(text) && text.split(",").every((value) => value <= 3000);
    const subject = move
        ? { move }
        : square &&
          pick("square", square, (text) => /^[a-h][1-8]$/.test(text), "square", null, (text) => ({
              square: text,
          }));
    const isView = (name) => name === "engines" || name === "pupil";
    const shownValues = values
        ? pick("values", values, isValues, "values", TEXTBOOK_VALUES, (text) =>
              text.split(",").map(Number),
          )
        : TEXTBOOK_VALUES;
    const isOwn = rules !== "legal" || shownValues.join() !== TEXTBOOK_VALUES.join();
    return {
        fen: fen?.replaceAll("_", " "),
        pgn: pgn ?? null,
        at: pick("at", at, (text) => /^\d{1,4}(-\d{1,3}-\d{1,4})*$/.test(text), "place", "0"),
        rules: rulesOf(rules),
        moves: moves ? moves.split(",") : [],
        ply: ply === "" ? Infinity : pick("ply", ply, (text) => /^\d+$/.test(text), "plies", Infinity, Number),
        values: shownValues,
        subject: subject || null,
        isFlipped: flip !== undefined && flip !== "0",
        isEmbedded: embed !== undefined && embed !== "0",
        exercise: exercise ? pick("exercise", exercise, (text) => /^[1-9]\d?$/.test(text), "number", null, Number) : null,
        view: view ? pick("view", view, isView, "view", null) : isOwn ? "engines" : null,
        language: lang ? pick("lang", lang, (name) => languages().includes(name), "language", null) : null,
        faults,
    };
}

// Puts a text where it can be pasted from. In files some browsers have no clipboard but that of a text field.
export async function copyText(text) {
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        const area = html("textarea", {});
        area.value = text;
        document.body.append(area);
        area.select();
        document.execCommand("copy");
        area.remove();
    }
}
