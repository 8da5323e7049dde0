// What hangs, and an exchange, as shapes of chessground: circles and arrows for setAutoShapes().
import { exchangeOf, hangingPieces, USUAL_VALUES, whatHangs } from "./analysis.js";
import { read } from "../../bindings/javascript/arguments.js";
import { readUci, squareName } from "./chess.js";

// As chessground names them: what can be taken at once, what could if it were the other side's turn, the captures.
const BRUSHES = { now: "red", later: "yellow", white: "green", black: "blue" };

// Rules and brushes of these names; other options are refused, as the library's own functions refuse them.
function optionsOf(given, ...names) {
    const { brushes, rules = "legal", values } = read.options(given, ["rules", "values", ...(names.length ? ["brushes"] : [])]);
    const own = read.options(brushes, names, "brushes");
    for (const [name, brush] of Object.entries(own)) read.text(brush, `brushes.${name}`);
    const five = read.rules({ rules, values: values ?? USUAL_VALUES }).values;
    return { options: { rules, values: five }, brush: { ...BRUSHES, ...own } };
}

// In pawns, where these are worth something, as short as it is exact enough.
const labelOf = (value, [pawn]) => ({ text: String(pawn ? Math.round((100 * value) / pawn) / 100 : value) });

// A circle with its value for each piece that hangs, and the capture that wins it, where there is one to show. Rules
// without pins count captures that are no legal moves: then the legal one wins less.
export function hangingShapes(seebatch, position, given) {
    const { options, brush } = optionsOf(given, "now", "later");
    return hangingPieces(seebatch, seebatch.fen(position), options).flatMap(({ hangs, takers }) => {
        const { square, value, isNow, reason } = hangs;
        const shape = { orig: squareName(square), brush: isNow ? brush.now : brush.later };
        const circle = { ...shape, label: labelOf(value, options.values) };
        const best = reason ? undefined : takers.find((each) => each.value === value);
        if (!best) return [circle];
        const { from, to } = readUci(best.move);
        return [circle, { ...shape, orig: squareName(from), dest: squareName(to) }];
    });
}

// An arrow for each capture of the exchange that a move begins, as far as both sides play on, with its number.
export function exchangeShapes(seebatch, position, move, given) {
    const { options, brush } = optionsOf(given, "white", "black"),
        fen = seebatch.fen(position);
    const [uci] = seebatch.order(fen, [move], options).moves;
    const { steps, stop } = exchangeOf(seebatch, fen, { move: uci }, options);
    return steps.slice(0, stop).map(({ from, to, color }, i) => ({
        orig: from,
        dest: squareName(to),
        brush: brush[color],
        label: { text: String(i + 1) },
    }));
}

// What hangs, as the element tells it.
export function hanging(seebatch, position, given) {
    return whatHangs(seebatch, seebatch.fen(position), optionsOf(given).options);
}
