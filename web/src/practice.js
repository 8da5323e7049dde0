// Exercises as they are begun: by a button, by a link, or from what the browser remembers. Their worksheets are printed here.
import { legalMoves } from "./analysis.js";
import { START } from "./chess.js";
import { byId } from "./elements.js";
import { questionsAt, questionsOf } from "./exercise.js";
import { POSITIONS } from "./exercises.js";
import { fillWorksheet } from "./lesson.js";
import { lessonOf, sourceOf } from "./lessonfile.js";
import { otherVariant, readGames, titleOf } from "./pgn.js";
import { records } from "./remember.js";
import { beginExercise, library, loadLesson, loadLink, refuse, refuseLink, rootOfNode, sayError, state } from "./session.js";
import { say } from "./texts.js";
import { lineThrough, mainLine, rootOf, treeOf } from "./tree.js";

const builtIn = () => ({ name: "built-in", questions: questionsAt(library, POSITIONS) });

// A link to an exercise: one of those that are built in, or a position as one. Results that are remembered stay.
export function followExercise({ exercise, fen, faults }) {
    try {
        if (fen !== undefined) legalMoves(library, fen);
        else if (exercise > POSITIONS.length) throw new Error(say("error.link-field", { name: "exercise", expected: say("expected.exercise", { count: POSITIONS.length }), found: exercise }));
    } catch (error) {
        return loadLink({ fen: START, moves: [], ply: 0 }, [...faults, sayError(error).replace(/\.$/, "")]);
    }
    if (fen === undefined) beginExercise(builtIn(), { i: exercise - 1 });
    else beginExercise({ name: "own", questions: questionsAt(library, [{ fen }]) });
    if (faults.length) refuseLink(faults);
}

export const beginBuiltIn = () => beginExercise(builtIn(), { isAnew: true });

// Goes on with the lesson that was left last.
export function continueExercise() {
    const [last] = records();
    if (last?.name === "built-in") return beginExercise(builtIn());
    const lesson = last && lessonOf(readGames(last.text));
    if (lesson) loadLesson(lesson);
}

// The positions of the game that is shown, or of the list that was loaded, with where they are from.
function positionsHere() {
    if (state.games.length && !mainLine(rootOfNode())[1])
        return state.games.flatMap(({ tags }) => (tags.FEN ? [{ fen: rootOf(tags.FEN).fen }] : []));
    const line = lineThrough(state.node);
    return line.map((node) => ({ fen: node.fen, source: line.length > 1 ? sourceOf(node, state.title) : "" }));
}

const MOST_GAMES = 100; // that are searched for questions, which takes some seconds

// The positions of all games of the text that was loaded, or those that are shown; and how many games are left out.
export function allPositions() {
    const games = state.games.filter((game) => game.text && !otherVariant(game));
    if (games.length < 2) return { positions: positionsHere(), left: 0 };
    const positions = games.slice(0, MOST_GAMES).flatMap((game) => {
        const title = titleOf(game);
        return mainLine(treeOf(library, game).root).map((node) => ({ fen: node.fen, source: sourceOf(node, title) }));
    });
    return { positions, left: Math.max(0, games.length - MOST_GAMES) };
}

export function beginOwn() {
    try {
        const questions = questionsOf(library, positionsHere());
        if (questions.length) beginExercise({ name: "own", title: state.title, questions }, { isAnew: true });
        else refuse(say("exercise.no-good"));
    } catch (error) {
        refuse(sayError(error));
    }
}

// Prints the exercises as a worksheet with a sheet of answers; outside of exercises those that are built in.
function makeWorksheet(lesson) {
    fillWorksheet(lesson, byId("worksheet-turn").getAttribute("aria-pressed") === "true");
    document.documentElement.toggleAttribute("data-worksheet", true);
}

export function printLesson(lesson) {
    makeWorksheet(lesson);
    window.print();
}

export function listenToPractice() {
    byId("worksheet-print").addEventListener("click", () => printLesson(state.exercise ?? builtIn()));
    byId("worksheet-turn").addEventListener("click", ({ target }) => {
        target.setAttribute("aria-pressed", target.getAttribute("aria-pressed") !== "true");
    });
    addEventListener("beforeprint", () => state.exercise && makeWorksheet(state.exercise));
    addEventListener("afterprint", () => document.documentElement.toggleAttribute("data-worksheet", false));
}
