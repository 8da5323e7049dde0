// The lesson that a teacher makes: its questions are found in games and lists, chosen, put in order, and given words of the
// teacher's own. It leaves as a PGN, as one link, or on paper, and can be tried.
import { readFen } from "./chess.js";
import { byId, html } from "./elements.js";
import { kindOf, LEVELS, questionsAt, questionsOf, sayQuestion } from "./exercise.js";
import { writeLesson } from "./lessonfile.js";
import { copyText, LONGEST, pgnField } from "./link.js";
import { saveText } from "./picture.js";
import { allPositions, printLesson } from "./practice.js";
import { recall, remember } from "./remember.js";
import { beginExercise, library, refuse, sayError, state, tell } from "./session.js";
import { say, sideOf } from "./texts.js";

const LONG = 8000; // characters of a link that mail and chat programs may cut

const draft = { title: "", questions: [] };

// The draft survives a reload: the browser remembers what the teacher chose and wrote.
function keepDraft() {
    const { title, questions } = draft,
        items = questions.map(({ fen, ask, hint, why, source, arrows }) => ({ fen, ask, hint, why, source, arrows }));
    remember("draft", title || items.length ? JSON.stringify({ title, items }) : null);
}

function recallDraft() {
    try {
        const { title, items } = JSON.parse(recall("draft"));
        Object.assign(draft, { title, questions: questionsAt(library, items) });
    } catch {
        // There is none, or it is of another version of the page.
    }
}

// What is shown of the draft, after a change of its questions. The focus stays where it was.
export function showDraft() {
    keepDraft();
    const { questions } = draft,
        focused = document.activeElement?.dataset?.lesson;
    byId("lesson-title").value = draft.title;
    byId("lesson-list").replaceChildren(...questions.map(itemOf));
    for (const id of ["lesson-start", "lesson-save", "lesson-link", "lesson-print"]) byId(id).disabled = !questions.length;
    byId("lesson-count").textContent = questions.length ? say("lesson.count", { count: questions.length }) : say("lesson.empty");
    if (focused) (byId("lesson-list").querySelector(`[data-lesson="${focused}"]:not(:disabled)`) ?? byId("lesson-find")).focus();
}

function move(i, by) {
    const [question] = draft.questions.splice(i, 1);
    draft.questions.splice(i + by, 0, question);
    showDraft();
    byId("lesson-list").children[i + by]?.querySelector(`[data-lesson$="${by < 0 ? "up" : "down"}"]:not(:disabled)`)?.focus();
}

function drop(i) {
    draft.questions.splice(i, 1);
    showDraft();
}

const OWN_WORDS = ["ask", "hint", "why"];

function arrowsButton(question, i) {
    const run = () => {
        question.arrows = [];
        showDraft();
    };
    return html("button", { type: "button", "data-lesson": `${i}-arrows`, onclick: run }, say("lesson.no-arrows"));
}

function itemOf(question, i) {
    const { turn } = readFen(question.fen),
        number = i + 1;
    const button = (id, text, run, disabled = false) => {
        const label = say(`lesson.${id}`, { number });
        return html("button", { type: "button", "data-lesson": `${i}-${id}`, "aria-label": label, disabled, onclick: run }, text);
    };
    const fields = OWN_WORDS.map((key) => {
        const input = html("input", { type: "text", placeholder: key === "ask" ? sayQuestion({ fen: question.fen }) : null });
        input.value = question[key] ?? "";
        input.addEventListener("input", () => {
            question[key] = input.value.trim();
            keepDraft();
        });
        return html("label", { class: "block" }, say(`lesson.${key}`), input);
    });
    const what = [say("lesson.item", { number, side: sideOf(turn) }), say(`kind.${kindOf(library, question)}`), question.source].filter(Boolean);
    return html(
        "li",
        {},
        html("details", {}, html("summary", {}, what.join(", ")), ...fields, ...(question.arrows?.length ? [arrowsButton(question, i)] : [])),
        button("up", "↑", () => move(i, -1), i === 0),
        button("down", "↓", () => move(i, 1), i === draft.questions.length - 1),
        button("drop", "×", () => drop(i)),
    );
}

// Adds what the draft does not have yet, and says how many.
function add(questions) {
    const known = new Set(draft.questions.map(({ fen }) => fen)),
        added = questions.filter(({ fen }) => !known.has(fen));
    draft.questions.push(...added.map((each) => ({ ...each })));
    draft.title ||= state.exercise?.title || state.title;
    showDraft();
    return added.length;
}

function find() {
    const wanted = Number(byId("lesson-number").value),
        kind = byId("lesson-kind").value;
    if (!(wanted >= 1 && wanted <= 100)) return refuse(say("lesson.how-many"), { wrong: byId("lesson-number") });
    try {
        const known = draft.questions.map(({ fen }) => ({ fen }));
        const isWanted = (question) => !kind || kindOf(library, question) === kind;
        const { positions, left } = allPositions();
        const found = add(questionsOf(library, positions, { isWanted, most: wanted, known }));
        const rest = left ? say("lesson.not-searched", { count: left }) : "";
        if (found < wanted) tell(`${say("lesson.found", { found, wanted })} ${rest}`.trim());
    } catch (error) {
        refuse(sayError(error));
    }
}

function addShown() {
    const { fen, arrows } = state.node;
    if (!add(questionsAt(library, [{ fen, arrows: [...arrows] }]))) tell(say("lesson.known"));
}

async function copyLesson() {
    const field = pgnField(writeLesson(library, draft, true)),
        link = `${location.href.split("#")[0]}#${field}`;
    if (field.length > LONGEST) return refuse(say("lesson.link-too-long", { count: field.length, most: LONGEST }));
    await copyText(link);
    if (location.protocol === "file:") return tell(say("link.own-file"));
    tell(link.length > LONG ? say("lesson.link-long", { count: link.length }) : say("lesson.link-copied"));
}

export function listenToEditor() {
    const on = (id, run) => byId(id).addEventListener("click", run);
    on("lesson-find", find);
    on("lesson-add", addShown);
    on("lesson-take", () => add(state.exercise.questions));
    on("lesson-start", () => beginExercise({ name: "own", ...draft }, { i: 0, isAnew: true }));
    on("lesson-save", () => saveText(writeLesson(library, draft), "lesson.pgn"));
    on("lesson-link", copyLesson);
    on("lesson-print", () => printLesson(draft));
    byId("lesson-title").addEventListener("input", ({ target }) => {
        draft.title = target.value.trim();
        keepDraft();
    });
    recallDraft();
    byId("lesson-kind").append(...Object.keys(LEVELS).map((kind) => html("option", { value: kind, "data-say": `kind.${kind}` })));
    showDraft();
}
