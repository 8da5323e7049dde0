// The exercise as it is shown: the question, why an answer was wrong, the results, and the worksheet to print.
import { readFen } from "./chess.js";
import { drawBoard } from "./drawing.js";
import { byId, html, isTouched } from "./elements.js";
import { missedOf, sayAnswer, sayJudgement, sayQuestion, tally } from "./exercise.js";
import { records } from "./remember.js";
import { ask, isAsking, library, questionBehind, state } from "./session.js";
import { say, sideOf } from "./texts.js";

const counts = ({ atOnce, later }) => say("exercise.counts", { atOnce, later });

function scoreText({ questions, i, results, title }) {
    const { level } = questions[i],
        done = tally(results),
        words = { number: i + 1, count: questions.length, level };
    const place = level ? say("exercise.number-level", words) : say("exercise.number", words);
    return say("error.sentence", { text: [title, place, done.done && counts(done)].filter(Boolean).join(". ") });
}

function kindOfResult(result) {
    if (!result?.isDone) return "open";
    if (result.isShown) return "shown";
    return result.wrong ? "later" : "at-once";
}

// A mark for each question, which the buttons of the results say in words.
const STARS = { "at-once": "★", later: "☆", shown: "○", open: "·" };

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
        say(done.atOnce === questions.length ? "exercise.all-right" : "exercise.over"),
        say("error.sentence", { text: counts(done) }),
        done.shown && say("exercise.answers-shown", { count: done.shown }),
        missing && say("exercise.not-done", { count: missing }),
    ];
    byId("exercise-text").textContent = parts.filter(Boolean).join(" ");
    byId("exercise-results").replaceChildren(
        ...results.map((each, i) => {
            const kind = kindOfResult(each);
            return html("li", {}, html("button", { type: "button", class: kind, onclick: () => ask(i) }, `${i + 1}: ${say(`exercise.kind.${kind}`)}`));
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
        side = sideOf(readFen(question.fen).turn);
    for (const id of ["nothing", "exercise-answer", "exercise-how"]) byId(id).hidden = !isAsking();
    byId("nothing").textContent = say("exercise.nothing", { side });
    byId("exercise-next").hidden = !judgement || isOver;
    byId("exercise-next").textContent = questionBehind(exercise) === undefined ? say("exercise.results") : say("exercise.next");
    byId("exercise-again").hidden = !isOver;
    byId("exercise-missed").hidden = !isOver || !missedOf(results).length;
    byId("exercise-hint").textContent = isOver ? "" : hint;
    byId("exercise-results").hidden = !isOver;
    byId("exercise-score").textContent = isOver ? "" : scoreText(exercise);
    showStars(exercise);
    if (isOver) return showResults(exercise);
    byId("exercise-how").textContent = isTouched() ? say("exercise.tap") : say("exercise.click");
    byId("exercise-text").textContent = judgement
        ? sayJudgement(library, question, judgement)
        : `${say("error.sentence", { text: say("turn.to-move", { side }) })} ${sayQuestion(question)}`;
}

// ---- The worksheet ----------------------------------------------------------------------------------------------

function boardToPrint(question, i, isTurned) {
    const { board, turn } = readFen(question.fen),
        isFlipped = isTurned && turn === "black";
    return html(
        "figure",
        {},
        html("figcaption", {}, html("b", {}, `${say("sheet.question", { number: i + 1, side: sideOf(turn) })} `), sayQuestion(question)),
        drawBoard(board, { label: say("sheet.position", { number: i + 1 }), isFlipped, hasMargin: true, arrows: question.arrows }),
        html("p", { class: "source" }, question.source ?? ""),
        html("p", {}, `${say("sheet.answer")} `, html("span", { class: "room" })),
    );
}

// Boards with room for the answers, and a sheet with the answers. isTurned: Black is at the bottom where Black moves.
export function fillWorksheet({ title, questions }, isTurned) {
    const blank = (text) => html("span", {}, `${text} `, html("span", { class: "room" })),
        heading = title || say("sheet.title");
    byId("worksheet").replaceChildren(
        html("h2", {}, heading),
        html("p", { class: "names" }, blank(say("sheet.name")), blank(say("sheet.date"))),
        html("p", { class: "how" }, say("sheet.how")),
        html("div", { class: "boards" }, ...questions.map((each, i) => boardToPrint(each, i, isTurned))),
        html(
            "section",
            { class: "answers" },
            html("h2", {}, say("sheet.answers", { title: heading })),
            html("ol", {}, ...questions.map((each, i) => html("li", {}, `${i + 1}. ${sayAnswer(library, each)}`))),
        ),
    );
}
