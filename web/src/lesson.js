// The exercise as it is shown: the question, why an answer was wrong, the results, and the worksheet to print.
import { capital, readFen } from "./chess.js";
import { drawBoard } from "./drawing.js";
import { byId, html, pointing } from "./elements.js";
import { missedOf, sayAnswer, sayJudgement, sayQuestion, tally } from "./exercise.js";
import { records } from "./remember.js";
import { ask, isAsking, library, questionBehind, state } from "./session.js";

const counts = ({ atOnce, later }) => `Right first time: ${atOnce}; after another try: ${later}`;

function scoreText({ questions, i, results, title }) {
    const level = questions[i].level ? `, level ${questions[i].level}` : "",
        done = tally(results);
    return [title, `Question ${i + 1} of ${questions.length}${level}`, done.done && counts(done)].filter(Boolean).join(". ") + ".";
}

const KINDS = { shown: "answer shown", later: "right after another try", "at-once": "right first time", "": "not done" };

function kindOfResult(result) {
    if (!result?.isDone) return "";
    if (result.isShown) return "shown";
    return result.wrong ? "later" : "at-once";
}

// A mark for each question, which the buttons of the results say in words.
const STARS = { "at-once": "★", later: "☆", shown: "○", "": "·" };

function showStars({ results, i, isOver }) {
    byId("exercise-stars").replaceChildren(
        ...results.map((each, k) => {
            const kind = kindOfResult(each);
            return html("span", { class: `${kind}${k === i && !isOver ? " now" : ""}` }, STARS[kind]);
        }),
    );
}

// What became of each question, with a button that asks it again.
function showResults({ questions, results }) {
    const done = tally(results),
        missing = questions.length - done.done;
    const parts = [
        done.atOnce === questions.length ? "Well done! Everything was right the first time." : "You have come to the end.",
        `${counts(done)}.`,
        done.shown && `Answers shown: ${done.shown}.`,
        missing && `Not done yet: ${missing}.`,
    ];
    byId("exercise-text").textContent = parts.filter(Boolean).join(" ");
    byId("exercise-results").replaceChildren(
        ...results.map((each, i) => {
            const kind = kindOfResult(each);
            return html("li", {}, html("button", { type: "button", class: kind, onclick: () => ask(i) }, `${i + 1}: ${KINDS[kind]}`));
        }),
    );
}

export function showExercise() {
    const { exercise } = state,
        isOver = Boolean(exercise?.isOver);
    document.querySelector("main").dataset.asks = !exercise ? "none" : isOver ? "over" : isAsking() ? "question" : "answer";
    byId("exercise-choice").hidden = Boolean(exercise);
    byId("exercise-continue").hidden = !records().length;
    byId("exercise-question").hidden = !exercise;
    if (!exercise) return;
    const { questions, i, judgement, hint, results } = exercise,
        question = questions[i],
        side = capital(readFen(question.fen).turn);
    for (const id of ["nothing", "exercise-answer", "exercise-how"]) byId(id).hidden = !isAsking();
    byId("nothing").textContent = `${side} can win nothing`;
    byId("exercise-next").hidden = !judgement || isOver;
    byId("exercise-next").textContent = questionBehind(exercise) === undefined ? "Results" : "Next";
    byId("exercise-again").hidden = !isOver;
    byId("exercise-missed").hidden = !isOver || !missedOf(results).length;
    byId("exercise-hint").textContent = isOver ? "" : hint;
    byId("exercise-results").hidden = !isOver;
    byId("exercise-score").textContent = isOver ? "" : scoreText(exercise);
    showStars(exercise);
    if (isOver) return showResults(exercise);
    byId("exercise-how").textContent = `${pointing()} it, or take it.`;
    byId("exercise-text").textContent = judgement
        ? sayJudgement(library, question, judgement)
        : `${side} to move. ${sayQuestion(question)}`;
}

// ---- The worksheet ----------------------------------------------------------------------------------------------

function boardToPrint(question, i, isTurned) {
    const { board, turn } = readFen(question.fen),
        isFlipped = isTurned && turn === "black";
    return html(
        "figure",
        {},
        html("figcaption", {}, html("b", {}, `${i + 1}. ${capital(turn)} to move. `), sayQuestion(question)),
        drawBoard(board, { label: `Position ${i + 1}`, isFlipped, hasMargin: true, arrows: question.arrows }),
        html("p", { class: "source" }, question.source ?? ""),
        html("p", {}, "Answer: ", html("span", { class: "room" })),
    );
}

// Boards with room for the answers, and a sheet with the answers. isTurned: Black is at the bottom where Black moves.
export function fillWorksheet({ title, questions }, isTurned) {
    const blank = (text) => html("span", {}, `${text} `, html("span", { class: "room" })),
        heading = title || "Which piece can you win?";
    byId("worksheet").replaceChildren(
        html("h2", {}, heading),
        html("p", { class: "names" }, blank("Name"), blank("Date")),
        html("p", { class: "how" }, "Write the piece and its square, such as “knight f6”. If nothing can be won, write “nothing”."),
        html("div", { class: "boards" }, ...questions.map((each, i) => boardToPrint(each, i, isTurned))),
        html(
            "section",
            { class: "answers" },
            html("h2", {}, `Answers: ${heading}`),
            html("ol", {}, ...questions.map((each, i) => html("li", {}, `${i + 1}. ${sayAnswer(library, each)}`))),
        ),
    );
}
