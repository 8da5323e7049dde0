// The exercise as it is shown: the question, why an answer was wrong, the summary, and the worksheet to print.
import { firstCapture, legalMoves } from "./analysis.js";
import { capital, nameOf, readFen, squareName } from "./chess.js";
import { drawBoard } from "./drawing.js";
import { byId, html } from "./elements.js";
import { RULES, sayJudgement, tally } from "./exercise.js";
import { recall } from "./remember.js";
import { ask, isAsking, state } from "./session.js";
import { sanOf } from "./tree.js";

const nameAt = (board) => (square) => `the ${nameOf(board[square])} on ${squareName(square)}`;

const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

function scoreText({ questions, i, results }) {
    const { atOnce, later, done } = tally(results);
    const level = questions[i].level ? `, level ${questions[i].level}` : "";
    const found = done ? `. Found so far: ${atOnce} at once, ${later} later` : "";
    return `${i + 1} of ${questions.length}${level}${found}.`;
}

function resultText(result) {
    if (!result?.isDone) return "not done";
    if (result.isShown) return "answer shown";
    return result.wrong ? `found after ${plural(result.wrong, "wrong answer")}` : "found at once";
}

// What became of each question, with a button that asks it again.
function showSummary({ questions, results }) {
    const { atOnce, later, shown, done } = tally(results);
    const parts = [
        `You found ${atOnce} of ${questions.length} at once.`,
        later && `You found ${later} after a wrong answer.`,
        shown && `You looked at ${plural(shown, "answer")}.`,
        done < questions.length && `${questions.length - done} are not done yet.`,
    ];
    byId("exercise-text").textContent = parts.filter(Boolean).join(" ");
    byId("exercise-results").replaceChildren(
        ...questions.map((_, i) => {
            const kind = !results[i]?.isDone ? "" : results[i].isShown ? "shown" : results[i].wrong ? "later" : "at-once";
            const button = html("button", { type: "button", class: kind, onclick: () => ask(i) }, `${i + 1}: ${resultText(results[i])}`);
            return html("li", {}, button);
        }),
    );
}

export function showExercise() {
    const { exercise } = state,
        isOver = Boolean(exercise?.isOver);
    document.querySelector("main").dataset.asks = !exercise ? "none" : isOver ? "over" : isAsking() ? "question" : "answer";
    byId("exercise-choice").hidden = Boolean(exercise);
    byId("exercise-continue").hidden = !recall("exercise");
    byId("exercise-question").hidden = !exercise;
    if (!exercise) return;
    const { questions, i, judgement, hint } = exercise,
        { board, turn } = readFen(questions[i].fen); // pupils may play on
    for (const id of ["nothing", "exercise-answer"]) byId(id).hidden = !isAsking();
    byId("exercise-next").hidden = !judgement || isOver;
    byId("exercise-next").textContent = i + 1 < questions.length ? "Next" : "Summary";
    byId("exercise-again").hidden = !isOver;
    byId("exercise-hint").textContent = hint && !isOver ? `${hint} Try again.` : "";
    byId("exercise-results").hidden = !isOver;
    byId("exercise-score").textContent = isOver ? "" : scoreText(exercise);
    if (isOver) return showSummary(exercise);
    byId("exercise-text").textContent = judgement
        ? sayJudgement(questions[i], judgement, nameAt(board))
        : `${capital(turn)} to move. Click the piece that hangs, or play the capture that wins it.`;
}

// ---- The worksheet ----------------------------------------------------------------------------------------------

function answerText(seebatch, { fen, answers }) {
    const position = readFen(fen),
        say = nameAt(position.board);
    if (!answers.length) return "Nothing hangs.";
    return answers
        .map(({ square }) => {
            const { move } = firstCapture(seebatch, fen, square, RULES);
            return `${capital(say(square))} hangs: ${sanOf(seebatch, position, move, legalMoves(seebatch, fen))}.`;
        })
        .join(" ");
}

function boardToPrint({ fen }, i) {
    const { board, turn } = readFen(fen),
        side = capital(turn);
    return html(
        "figure",
        {},
        html("figcaption", {}, html("b", {}, `${i + 1}. ${side} to move`)),
        drawBoard(board, { label: `Position ${i + 1}`, isFlipped: turn === "black" }),
        html("p", {}, "What hangs? ", html("span", { class: "room" })),
    );
}

// Boards with room for the answers, and a sheet with the answers.
export function fillWorksheet(seebatch, questions) {
    const blank = (text) => html("span", {}, `${text} `, html("span", { class: "room" }));
    byId("worksheet").replaceChildren(
        html("h2", {}, "What hangs here?"),
        html("p", { class: "names" }, blank("Name"), blank("Date")),
        html(
            "p",
            {},
            "In each position, which piece can the side to move take with a profit? Write the piece and its square, such as " +
                "“knight f6”. If there is none, write “nothing”.",
        ),
        html("div", { class: "boards" }, ...questions.map(boardToPrint)),
        html(
            "section",
            { class: "answers" },
            html("h2", {}, "What hangs here? The answers"),
            html("ol", {}, ...questions.map((each, i) => html("li", {}, `${i + 1}. ${answerText(seebatch, each)}`))),
        ),
    );
}
