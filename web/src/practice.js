// Exercises as they are begun: by a button, by a link, or from what the browser remembers. Their worksheets are printed here.
import { legalMoves } from "./analysis.js";
import { START } from "./chess.js";
import { byId } from "./elements.js";
import { questionsAt, questionsOf } from "./exercise.js";
import { POSITIONS } from "./exercises.js";
import { fillWorksheet } from "./lesson.js";
import { recall } from "./remember.js";
import { beginExercise, library, loadLink, refuse, refuseLink, rootOfNode, sayError, state } from "./session.js";
import { lineThrough, mainLine, rootOf } from "./tree.js";

const builtIn = () => questionsAt(library, POSITIONS);

// The exercises that the browser remembers, as { name, questions, results, i }, or null.
function rememberedExercise() {
    try {
        const { name, fens, results, i } = JSON.parse(recall("exercise"));
        const questions = name === "own" ? questionsAt(library, fens.map((fen) => ({ fen }))) : builtIn();
        return questions[i] && Array.isArray(results) ? { name, questions, results, i } : null;
    } catch {
        return null;
    }
}

// A link to an exercise: one of those that are built in, or a position as one. Results that are remembered stay.
export function followExercise({ exercise, fen, faults }) {
    const known = rememberedExercise(),
        i = known?.name === "own" ? known.questions.findIndex((each) => each.fen === fen) : -1;
    try {
        if (fen !== undefined) legalMoves(library, fen);
        else if (exercise > POSITIONS.length) throw new Error(`exercise: expected 1 to ${POSITIONS.length}, found ${exercise}`);
    } catch (error) {
        return loadLink({ fen: START, moves: [], ply: 0 }, [...faults, sayError(error).replace(/\.$/, "")]);
    }
    if (fen === undefined) beginExercise("built-in", builtIn(), exercise - 1, known?.name === "built-in" ? known.results : []);
    else if (i >= 0) beginExercise("own", known.questions, i, known.results);
    else beginExercise("own", questionsAt(library, [{ fen }]));
    if (faults.length) refuseLink(faults);
}

export const beginBuiltIn = () => beginExercise("built-in", builtIn());

export function continueExercise() {
    const known = rememberedExercise();
    if (known) beginExercise(known.name, known.questions, known.i, known.results);
}

export function beginOwn() {
    const fens = state.games.length && !mainLine(rootOfNode())[1]
        ? state.games.flatMap(({ tags }) => (tags.FEN ? [rootOf(tags.FEN).fen] : []))
        : lineThrough(state.node).map(({ fen }) => fen);
    try {
        const questions = questionsOf(library, fens);
        if (questions.length) beginExercise("own", questions);
        else refuse("No position here makes a good exercise: in each, a mate or a larger loss matters more than what hangs.");
    } catch (error) {
        refuse(sayError(error));
    }
}

// Prints the exercises as a worksheet with a sheet of answers; outside of exercises those that are built in.
function printWorksheet(questions) {
    fillWorksheet(library, questions);
    document.documentElement.toggleAttribute("data-worksheet", true);
}

export function listenToPractice() {
    byId("worksheet-print").addEventListener("click", () => {
        printWorksheet(state.exercise?.questions ?? builtIn());
        window.print();
    });
    addEventListener("beforeprint", () => state.exercise && printWorksheet(state.exercise.questions));
    addEventListener("afterprint", () => document.documentElement.toggleAttribute("data-worksheet", false));
}
