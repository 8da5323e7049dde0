// Values as people read them: in pawns or in hundredths of a pawn, and in words.
export const ALWAYS = 32767; // what a move is worth that passes any threshold

let inPawns = true;

export const useUnits = (units) => (inPawns = units === "pawns");

export function showValue(value) {
    if (value === ALWAYS) return "passes";
    const number = inPawns ? String(Number((value / 100).toFixed(2))) : String(value);
    return number.replace("-", "−");
}

export const signed = (value) => (value > 0 && value !== ALWAYS ? `+${showValue(value)}` : showValue(value));

const COUNTS = ["no", "a", "two", "three", "four", "five", "six", "seven", "eight"];
const WORTH = ["queen", "rook", "bishop", "knight", "pawn"];

function several(names) {
    const words = WORTH.map((name) => [name, names.filter((each) => each === name).length])
        .filter(([, count]) => count > 0)
        .map(([name, count]) => `${COUNTS[count] ?? count} ${name}${count > 1 ? "s" : ""}`);
    return [words.slice(0, -1).join(", "), words.at(-1)].filter(Boolean).join(" and ");
}

// What an exchange wins and loses with best play, in pieces: { wins, loses, promotes }, as words or "". What both sides
// take of one kind is left out, and what promoted and was taken counts as the pawn that it was.
function inPieces({ steps, stop }) {
    const made = steps.slice(0, stop);
    const isPromotion = ({ piece, stays }) => piece !== stays;
    const taken = (side) =>
        made
            .map((step, i) => (i > 0 && isPromotion(made[i - 1]) ? made[i - 1].piece : step.taken))
            .filter((name, i) => name && i % 2 === side);
    const [wins, loses] = [taken(0), taken(1)];
    for (const name of wins.slice()) {
        const i = loses.indexOf(name);
        if (i < 0) continue;
        loses.splice(i, 1);
        wins.splice(wins.indexOf(name), 1);
    }
    const last = made.at(-1);
    const promotes = last && isPromotion(last) ? made.length % 2 : null;
    return { wins: several(wins), loses: several(loses), promotes: promotes === 1, isPromotedAgainst: promotes === 0 };
}

// "White wins a knight for a pawn": what an exchange comes to, for people.
export function inWords(exchange, side) {
    const { value } = exchange,
        { wins, loses, promotes, isPromotedAgainst } = inPieces(exchange);
    const also = isPromotedAgainst ? ", and a pawn promotes against it" : "";
    if (value > 0) {
        const what = [wins, promotes && "a promotion"].filter(Boolean).join(" and ");
        return `${side} wins ${what || showValue(value)}${loses ? ` for ${loses}` : ""}${also}`;
    }
    if (value < 0) return `${side} loses ${loses || showValue(-value)}${wins ? ` for ${wins}` : ""}${also}`;
    if (wins && loses) return `${side} gets ${wins} for ${loses}${also}, an even trade`;
    return exchange.steps[0]?.taken ? `it is an even trade${also}` : `nothing is won or lost${also}`;
}
