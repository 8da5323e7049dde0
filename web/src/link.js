// The link: behind #, the position or the game, rules, piece values, what was chosen, which side is below. Blanks of the
// FEN are written _.
import { USUAL_VALUES } from "./analysis.js";
import { html } from "./elements.js";

export function writeLink({ line, ply, rules, values, subject, isFlipped }) {
    const fields = [`fen=${line[0].fen.replaceAll(" ", "_")}`, `rules=${rules}`];
    const moves = line.slice(1).map(({ move }) => move);
    // A line in which a side passes has no moves that could be read: its position stands for it.
    if (moves.includes(null)) fields[0] = `fen=${line[ply].fen.replaceAll(" ", "_")}`;
    else if (moves.length) fields.push(`moves=${moves.join(",")}`, `ply=${ply}`);
    if (values.join() !== USUAL_VALUES.join()) fields.push(`values=${values.join()}`);
    if (subject?.move) fields.push(`move=${subject.move}`);
    else if (subject?.square) fields.push(`square=${subject.square}`);
    if (isFlipped) fields.push("flip=1");
    return `#${fields.join("&")}`;
}

function wordOf(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}

// What a link says, with a sentence for each field that is wrong; embed shows the board and what hangs alone.
// whyNoRules says what is wrong with a name of rules, "" if nothing is.
export function readLink(hash, whyNoRules) {
    const fields = {},
        faults = [];
    const known = ["fen", "rules", "moves", "ply", "values", "move", "square", "flip", "embed"];
    for (const field of hash.replace(/^#/, "").split("&").filter(Boolean)) {
        const [, name, text] = field.match(/^(\w+)(?:=(.*))?$/) ?? [];
        if (known.includes(name)) fields[name] = wordOf(text ?? "");
        else faults.push(`Expected ${known.join(", ")}, found “${wordOf(field).slice(0, 40)}”`);
    }
    const { fen, rules = "legal", moves, ply = "", values, move, square, flip, embed } = fields;
    const pick = (name, text, isRight, expected, otherwise, read = (word) => word) => {
        if (isRight(text)) return read(text);
        faults.push(`${name}: expected ${expected}, found “${text.slice(0, 40)}”`);
        return otherwise;
    };
    const rulesOf = (name) => {
        const why = whyNoRules(name);
        if (why) faults.push(`rules: ${why}`);
        return why ? "legal" : name;
    };
    const isValues = (text) => /^\d+(,\d+){4}$/.test(text) && text.split(",").every((value) => value <= 3000);
    const subject = move
        ? { move }
        : square &&
          pick("square", square, (text) => /^[a-h][1-8]$/.test(text), "a square such as e4", null, (text) => ({
              square: text,
          }));
    return {
        fen: fen?.replaceAll("_", " "),
        rules: rulesOf(rules),
        moves: moves ? moves.split(",") : [],
        ply: ply === "" ? Infinity : pick("ply", ply, (text) => /^\d+$/.test(text), "a number of moves", Infinity, Number),
        values: values
            ? pick("values", values, isValues, "five whole numbers from 0 to 3000", USUAL_VALUES, (text) =>
                  text.split(",").map(Number),
              )
            : USUAL_VALUES,
        subject: subject || null,
        isFlipped: flip !== undefined && flip !== "0",
        isEmbedded: embed !== undefined && embed !== "0",
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
