// Lines of positions, those of a game or of what was tried: { fen, position, label, san, move }. The first has neither
// san nor move.
import { legalMoves } from "./analysis.js";
import { play, readFen, readSan, START, writeFen, writeSan } from "./chess.js";

// SAN with the mark of mate.
export function sanOf(seebatch, position, move, moves) {
    const san = writeSan(position, move, moves);
    if (!san.endsWith("+")) return san;
    return legalMoves(seebatch, writeFen(play(position, move))).length ? san : `${san.slice(0, -1)}#`;
}

export function firstOf(fen) {
    const position = readFen(fen);
    return { fen: writeFen(position), position, label: "Start" };
}

export function after(seebatch, { position }, move, moves) {
    const san = sanOf(seebatch, position, move, moves),
        next = play(position, move);
    const number = `${position.moves}${position.turn === "white" ? "." : "…"}`;
    return { fen: writeFen(next), position: next, label: `${number} ${san}`, san, move };
}

// The positions of a game, up to the first move that cannot be read: { line, fault }.
export function lineOf(seebatch, { tags, words }) {
    const line = [firstOf(tags.FEN ?? START)];
    for (const word of words) {
        const last = line.at(-1),
            moves = legalMoves(seebatch, last.fen),
            move = readSan(last.position, word, moves);
        if (move === null) {
            const { moves: number, turn } = last.position;
            return { line, fault: `Move ${number}, ${turn}: expected a legal move, found “${word}”.` };
        }
        line.push(after(seebatch, last, move, moves));
    }
    return { line, fault: "" };
}
