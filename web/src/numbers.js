// Values as people read them: in pawns or in hundredths of a pawn, and in words.
import { listed, say } from "./texts.js";

export const ALWAYS = 32767; // what a move is worth that passes any threshold

let inPawns = true;

export const useUnits = (units) => (inPawns = units === "pawns");

export function showValue(value) {
    if (value === ALWAYS) return say("value.passes");
    const number = inPawns ? String(Number((value / 100).toFixed(2))) : String(value);
    return number.replace("-", "−").replace(".", say("decimal"));
}

export const signed = (value) => (value > 0 && value !== ALWAYS ? `+${showValue(value)}` : showValue(value));

const WORTH = ["queen", "rook", "bishop", "knight", "pawn"];

function several(names) {
    const counts = WORTH.map((name) => [name, names.filter((each) => each === name).length]).filter(([, count]) => count > 0);
    const inWords = (count) => (count <= 8 ? say(`count.${count}`) : String(count));
    return listed(counts.map(([name, count]) => (count === 1 ? say(`one.${name}`) : say(`several.${name}`, { count: inWords(count) }))));
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
    const also = isPromotedAgainst ? say("result.promotes-against") : "";
    if (value > 0) {
        const what = listed([wins, promotes && say("result.promotion")].filter(Boolean)) || showValue(value);
        return (loses ? say("result.wins-for", { side, what, price: loses }) : say("result.wins", { side, what })) + also;
    }
    if (value < 0) {
        const what = loses || showValue(-value);
        return (wins ? say("result.loses-for", { side, what, price: wins }) : say("result.loses", { side, what })) + also;
    }
    if (wins && loses) return say(isPromotedAgainst ? "result.trade-promotes" : "result.trade", { side, what: wins, price: loses });
    return say(exchange.steps[0]?.taken ? "result.even" : "result.nothing") + also;
}
