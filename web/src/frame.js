// What goes around the position: the game with its chart, the exercise, and what was wrong.
import { chartOf } from "./analysis.js";
import { markNode, markPly, showChart, showScore } from "./chart.js";
import { nameOf, squareName } from "./chess.js";
import { byId, html } from "./elements.js";
import { sayJudgement } from "./exercise.js";
import { goTo, isAway, options, plyOf, rootOfNode, state } from "./session.js";
import { lineThrough } from "./tree.js";

// What was drawn last, with what it depends on.
const drawn = { root: null, count: 0, chartKey: "", chart: [] };

export const isAsking = () => Boolean(state.exercise && !state.exercise.judgement);

function countOf(root) {
    let count = 0;
    for (const left = [root]; left.length; count++) left.push(...left.pop().children);
    return count;
}

export function showGame(seebatch) {
    const root = rootOfNode(),
        line = lineThrough(state.node),
        count = countOf(root);
    byId("to-game").hidden = !isAway() || Boolean(state.exercise);
    byId("game-title").textContent = state.title;
    byId("games-label").hidden = state.games.length < 2;
    byId("games").value = state.index + 1;
    byId("games").max = state.games.length;
    byId("games-count").textContent = `of ${state.games.length}`;
    byId("game").hidden = count < 2 && state.games.length < 2;
    for (const id of ["chart", "score"]) byId(id).hidden = count < 2;
    if (count < 2) return;
    if (root !== drawn.root || count !== drawn.count) {
        Object.assign(drawn, { root, count });
        showScore(root, goTo);
    }
    const fens = line.map(({ fen }) => fen),
        key = [state.rules, state.values, state.units, ...fens].join();
    if (key !== drawn.chartKey) {
        const values = chartOf(seebatch, fens, options());
        drawn.chart = line.map((each, i) => ({ ...each, ...values[i] }));
        drawn.chartKey = key;
        showChart(drawn.chart);
    }
    markPly(drawn.chart, plyOf());
    markNode(state.node);
}

export function showExercise() {
    const { exercise } = state,
        { position } = state.node;
    document.querySelector("main").dataset.asks = isAsking() ? "question" : exercise ? "answer" : "none";
    byId("exercise-choice").hidden = Boolean(exercise);
    byId("exercise-question").hidden = !exercise;
    if (!exercise) return;
    const { questions, i, right, judgement } = exercise;
    const side = position.turn === "white" ? "White" : "Black";
    const nameAt = (square) => `the ${nameOf(position.board[square])} on ${squareName(square)}`;
    byId("exercise-text").textContent = judgement
        ? sayJudgement(questions[i], judgement, nameAt)
        : `${side} to move. Click the piece that hangs, or play the capture that wins.`;
    byId("nothing").hidden = Boolean(judgement);
    byId("exercise-next").hidden = !judgement;
    byId("exercise-next").textContent = i + 1 < questions.length ? "Next" : "Done";
    const done = i + (judgement ? 1 : 0),
        level = questions[i].level ? `, level ${questions[i].level}` : "";
    byId("exercise-score").textContent = `${i + 1} of ${questions.length}${level}; ${right} of ${done} right`;
}

export function showFault() {
    const { fault, advice, wrong } = state;
    byId("error").replaceChildren(fault);
    if (advice) byId("error").append(" ", html("a", { href: advice, target: "_blank", rel: "noreferrer" }, advice));
    byId("message").hidden = !fault;
    for (const id of ["fen", "text", "values"]) byId(id).toggleAttribute("aria-invalid", false);
    wrong?.setAttribute("aria-invalid", "true");
}
