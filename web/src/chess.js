// A position as its FEN has it, moves played in it, and their text in SAN. Which moves are legal, the library says.
export const squareName = (square) => "abcdefgh"[square & 7] + ((square >> 3) + 1);
export const squareOf = (name) => name.charCodeAt(0) - 97 + 8 * (name.charCodeAt(1) - 49);
export const colorOf = (piece) => (piece === piece.toUpperCase() ? "white" : "black");
export const capital = (word) => word[0].toUpperCase() + word.slice(1);
export const otherColor = (color) => (color === "white" ? "black" : "white");
export const pieceNames = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
export const nameOf = (piece) => pieceNames[piece.toLowerCase()];
export const letterOf = (name, color) => {
    const letter = Object.keys(pieceNames).find((key) => pieceNames[key] === name);
    return color === "white" ? letter.toUpperCase() : letter;
};

export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

// The fields of a FEN, of which the last two may be missing. What is wrong with it, the library says.
export function readFen(fen) {
    const [rows, turn = "w", castling = "-", enPassant = "-", halfmoves, moves] = fen.trim().split(/\s+/);
    const board = Array(64).fill(null);
    rows.split("/").forEach((row, i) => {
        let file = 0;
        for (const letter of row) {
            if (/\d/.test(letter)) file += Number(letter);
            else if (file < 8 && i < 8) board[8 * (7 - i) + file++] = letter;
        }
    });
    return {
        board,
        turn: turn === "b" ? "black" : "white",
        castling,
        enPassant: enPassant === "-" ? null : squareOf(enPassant),
        halfmoves: Number(halfmoves) || 0,
        moves: Number(moves) || 1,
    };
}

export function writeFen({ board, turn, castling, enPassant, halfmoves, moves }) {
    const rows = [];
    for (let rank = 7; rank >= 0; rank--) {
        const row = board.slice(8 * rank, 8 * rank + 8).map((piece) => piece ?? " ");
        rows.push(row.join("").replace(/ +/g, (gap) => gap.length));
    }
    const passed = enPassant === null ? "-" : squareName(enPassant);
    return `${rows.join("/")} ${turn[0]} ${castling || "-"} ${passed} ${halfmoves} ${moves}`;
}

// The same board with the other side to move.
export const withTurn = (position, turn) => ({ ...position, turn, enPassant: null });

const isPiece = (piece, letter) => piece !== null && piece.toLowerCase() === letter;

export function readUci(move) {
    return { from: squareOf(move), to: squareOf(move.slice(2)), promotion: move[4] ?? null };
}

// Castling is written as two files of the king's, or as king takes own rook.
function isCastling(board, from, to) {
    if (!isPiece(board[from], "k")) return false;
    return Math.abs((from & 7) - (to & 7)) === 2 || (board[to] !== null && colorOf(board[to]) === colorOf(board[from]));
}

// The square of the pawn that a move takes en passant, or null.
export function takenEnPassant({ board }, { from, to }) {
    const isTaken = isPiece(board[from], "p") && (from & 7) !== (to & 7) && board[to] === null;
    return isTaken ? (from & 56) | (to & 7) : null;
}

export function isCapture(position, move) {
    const { from, to } = readUci(move);
    if (isCastling(position.board, from, to)) return false;
    return position.board[to] !== null || takenEnPassant(position, { from, to }) !== null;
}

// The rook nearest the edge on that side of the king, with which a K or Q of the FEN castles.
function outerRook(board, king, toRight) {
    const step = toRight ? -1 : 1;
    for (let square = (king & 56) | (toRight ? 7 : 0); square !== king; square += step)
        if (isPiece(board[square], "r") && colorOf(board[square]) === colorOf(board[king])) return square;
    return null;
}

// The letters of the castling field without those of a king or rook that left this square.
function castlingWithout(position, square) {
    const piece = position.board[square];
    if (!isPiece(piece, "k") && !isPiece(piece, "r")) return position.castling;
    const color = colorOf(piece),
        king = position.board.indexOf(color === "white" ? "K" : "k");
    const isOwn = (letter) => colorOf(letter) === color;
    const rookOf = (letter) => {
        const side = letter.toLowerCase();
        if (side === "k" || side === "q") return outerRook(position.board, king, side === "k");
        return (king & 56) | (side.charCodeAt(0) - 97);
    };
    const kept = [...position.castling].filter(
        (letter) => letter === "-" || !isOwn(letter) || (square !== king && rookOf(letter) !== square),
    );
    return kept.join("") || "-";
}

function castle(board, from, to) {
    const toRight = to > from,
        rook = board[to] === null ? outerRook(board, from, toRight) : to;
    const [king, piece] = [board[from], board[rook]];
    board[from] = board[rook] = null;
    board[(from & 56) | (toRight ? 6 : 2)] = king;
    board[(from & 56) | (toRight ? 5 : 3)] = piece;
}

// A double step is answered en passant only where a pawn stands beside it.
function passedSquare(board, from, to) {
    if (!isPiece(board[to], "p") || Math.abs(from - to) !== 16) return null;
    const enemy = board[to] === "P" ? "p" : "P";
    const beside = [to - 1, to + 1].some((square) => square >> 3 === to >> 3 && board[square] === enemy);
    return beside ? (from + to) / 2 : null;
}

// The position after a legal move.
export function play(position, move) {
    const { from, to, promotion } = readUci(move);
    const board = position.board.slice(),
        piece = board[from],
        taken = takenEnPassant(position, { from, to });
    const isQuiet = !isCapture(position, move) && !isPiece(piece, "p");
    const castling = castlingWithout({ ...position, castling: castlingWithout(position, from) }, to);
    if (isCastling(board, from, to)) {
        castle(board, from, to);
    } else {
        board[from] = null;
        if (taken !== null) board[taken] = null;
        board[to] = promotion ? letterOf(pieceNames[promotion], position.turn) : piece;
    }
    return {
        board,
        turn: otherColor(position.turn),
        castling,
        enPassant: passedSquare(board, from, to),
        halfmoves: isQuiet ? position.halfmoves + 1 : 0,
        moves: position.moves + (position.turn === "black" ? 1 : 0),
    };
}

// The position after a move that passes the turn.
export function pass(position) {
    const { turn, halfmoves, moves } = position;
    const number = moves + (turn === "black" ? 1 : 0);
    return { ...withTurn(position, otherColor(turn)), halfmoves: halfmoves + 1, moves: number };
}

const KNIGHT = [
    [1, 2],
    [2, 1],
    [2, -1],
    [1, -2],
    [-1, -2],
    [-2, -1],
    [-2, 1],
    [-1, 2],
];
const LINES = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
    [1, 1],
    [-1, 1],
    [-1, -1],
    [1, -1],
];

export function isAttacked(board, square, by) {
    const at = (file, rank) => ((file | rank) & ~7 ? undefined : board[8 * rank + file]);
    const file = square & 7,
        rank = square >> 3;
    const stands = (piece, letters) => piece && colorOf(piece) === by && letters.includes(piece.toLowerCase());
    if (KNIGHT.some(([x, y]) => stands(at(file + x, rank + y), "n"))) return true;
    const behind = by === "white" ? -1 : 1;
    if ([-1, 1].some((x) => stands(at(file + x, rank + behind), "p"))) return true;
    return LINES.some(([x, y]) => {
        for (let n = 1; ; n++) {
            const piece = at(file + n * x, rank + n * y);
            if (piece === null) continue;
            return stands(piece, (x && y ? "bq" : "rq") + (n === 1 ? "k" : ""));
        }
    });
}

export function isCheck({ board, turn }) {
    return isAttacked(board, board.indexOf(turn === "white" ? "K" : "k"), otherColor(turn));
}

// What of the from-square a SAN names, so that no other legal move has the same text.
function origin(position, { from, to }, moves) {
    const piece = position.board[from];
    const rivals = moves
        .map(readUci)
        .filter((move) => move.to === to && move.from !== from && position.board[move.from] === piece);
    if (rivals.length === 0) return "";
    const name = squareName(from);
    if (rivals.every((move) => (move.from & 7) !== (from & 7))) return name[0];
    return rivals.every((move) => move.from >> 3 !== from >> 3) ? name[1] : name;
}

// SAN of one of the legal moves, without the mark of mate, for which the moves after it would be wanted.
export function writeSan(position, move, moves) {
    const { from, to, promotion } = readUci(move),
        piece = position.board[from];
    const check = isCheck(play(position, move)) ? "+" : "";
    if (isCastling(position.board, from, to)) return (to > from ? "O-O" : "O-O-O") + check;
    const takes = isCapture(position, move) ? "x" : "";
    if (isPiece(piece, "p")) {
        const becomes = promotion ? `=${promotion.toUpperCase()}` : "";
        return (takes ? squareName(from)[0] + takes : "") + squareName(to) + becomes + check;
    }
    return piece.toUpperCase() + origin(position, { from, to }, moves) + takes + squareName(to) + check;
}

// The legal move that a text means, in SAN as people write it or in UCI; null where it is none, or several.
export function readSan(position, text, moves) {
    const plain = text
        .replace(/[+#!?]+$|e\.p\.$/g, "")
        .replace(/^0-0-0/, "O-O-O")
        .replace(/^0-0/, "O-O");
    if (/^O-O(-O)?$/.test(plain)) {
        const toRight = plain === "O-O";
        const castles = ({ from, to }) => isCastling(position.board, from, to) && to > from === toRight;
        return moves.find((move) => castles(readUci(move))) ?? null;
    }
    const match = plain.match(/^([KQRBN]?)([a-h]?)([1-8]?)[x-]?([a-h][1-8])=?([QRBN]?)$/);
    if (!match) return moves.find((move) => move === plain) ?? null;
    const [, letter, file, rank, to, promotion] = match;
    const found = moves.filter((move) => {
        if (isCastling(position.board, squareOf(move), squareOf(move.slice(2)))) return false;
        const isOf = position.board[squareOf(move)].toUpperCase() === (letter || "P");
        const isFrom = (!file || move[0] === file) && (!rank || move[1] === rank);
        return isOf && isFrom && move.slice(2, 4) === to && (move[4] ?? "") === promotion.toLowerCase();
    });
    if (found.length === 0) return moves.find((move) => move === plain) ?? null;
    return found.length === 1 ? found[0] : null;
}
