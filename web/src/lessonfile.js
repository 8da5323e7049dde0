// A lesson as a PGN: a game for each question, with its position and tags of its own, "Exercise" with the question, "Hint"
// and "Explanation" with what the teacher wrote. Programs that do not know these tags show the position, the question
// as a comment, and the solution with its reason. A link holds the same without comments and solution.
import { sayAnswer, sayQuestion } from "./exercise.js";
import { legalMoves } from "./analysis.js";
import { readFen } from "./chess.js";
import { commentText, drawnText, tagText, wordsOf } from "./pgn.js";
import { say, sayEverywhere } from "./texts.js";
import { sanOf } from "./tree.js";

// The question as a comment, and the solution with its reason.
function movesOf(seebatch, question) {
    const { fen, answers } = question,
        [ask, reason] = [`${sayQuestion(question)} ${drawnText(question.arrows ?? [])}`, sayAnswer(seebatch, question)];
    if (!answers.length) return commentText(`${ask} ${reason}`);
    const position = readFen(fen),
        [{ move }] = answers;
    const number = `${position.moves}${position.turn === "white" ? "." : "..."}`;
    return `${commentText(ask)} ${number} ${sanOf(seebatch, position, move, legalMoves(seebatch, fen))} ${commentText(reason)}`;
}

// title is that of the lesson; a question: { fen, answers, ask, hint, why, source, arrows }.
export function writeLesson(seebatch, { title, questions }, isShort = false) {
    const games = questions.map((question, i) => {
        const { fen, ask = "", hint, why, source, arrows = [] } = question;
        const tags = [
            (!isShort || i === 0) && tagText("Event", title || "?"),
            ...(isShort ? [] : [tagText("Site", "?"), tagText("Date", "????.??.??"), tagText("Round", String(i + 1)), tagText("White", "?")]),
            ...(isShort ? [] : [tagText("Black", "?"), tagText("Result", "*"), tagText("SetUp", "1")]),
            tagText("FEN", fen),
            tagText("Exercise", isShort ? ask : sayQuestion(question)),
            hint && tagText("Hint", hint),
            why && tagText("Explanation", why),
            source && tagText("Source", source),
        ];
        const drawn = arrows.length ? `\n${commentText(drawnText(arrows))}` : "",
            moves = isShort ? drawn : `\n\n${movesOf(seebatch, question)} *\n`;
        return tags.filter(Boolean).join("\n") + moves;
    });
    return `${games.join(isShort ? "\n*\n" : "\n")}${isShort ? "\n*" : ""}\n`;
}

// What is drawn on the first position of a game.
function arrowsOf(game) {
    const words = wordsOf(game),
        end = words.findIndex(({ move }) => move);
    return words.slice(0, end < 0 ? words.length : end).flatMap(({ arrows = [] }) => arrows);
}

// The lesson that the games of a text are, { title, items: [{ fen, ask, hint, why, source, arrows }] }; null where they are
// none.
export function lessonOf(games) {
    if (!games.some(({ tags }) => tags.Exercise !== undefined && tags.FEN)) return null;
    const items = games
        .filter(({ tags }) => tags.FEN)
        .map((game) => {
            const { tags } = game,
                usual = sayEverywhere(() => sayQuestion({ fen: tags.FEN })),
                { FEN: fen, Exercise: ask = "", Hint: hint = "", Explanation: why = "", Source: source = "" } = tags;
            return { fen, ask: usual.includes(ask) ? "" : ask, hint, why, source, arrows: arrowsOf(game) };
        });
    const [{ tags }] = games;
    return { title: /^\??$/.test(tags.Event ?? "") ? "" : tags.Event, items };
}

// Which move of which game a position is from.
export const sourceOf = ({ position: { moves } }, title) => [title, say("lesson.source", { number: moves })].filter(Boolean).join(", ");
