// The link: behind #, the position, the rules, the piece values and what was chosen. Blanks of the FEN are written _.
import { USUAL_VALUES } from "./analysis.js";
import { html } from "./elements.js";

export function writeLink({ fen, rules, values, subject }) {
    const fields = [`fen=${fen.replaceAll(" ", "_")}`, `rules=${rules}`];
    if (values.join() !== USUAL_VALUES.join()) fields.push(`values=${values.join()}`);
    if (subject?.move) fields.push(`move=${subject.move}`);
    else if (subject?.square) fields.push(`square=${subject.square}`);
    return `#${fields.join("&")}`;
}

// What a link says; fields that it lacks are missing.
export function readLink(hash) {
    const fields = {};
    for (const field of hash.replace(/^#/, "").split("&")) {
        const [, name, text] = field.match(/^(fen|rules|values|move|square)=(.*)$/) ?? [];
        if (!name) continue;
        try {
            fields[name] = decodeURIComponent(text);
        } catch {
            fields[name] = text;
        }
    }
    const { fen, rules, values, move, square } = fields;
    return {
        fen: fen?.replaceAll("_", " "),
        rules,
        values: values?.split(",").map(Number),
        subject: move ? { move } : /^[a-h][1-8]$/.test(square) ? { square } : null,
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
