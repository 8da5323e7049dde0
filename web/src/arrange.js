// Where the sections of the page stand: in columns, or one below the other on a narrow screen. They are put there in the
// document itself, so that the order of tabs is the order that is seen.
import { byId } from "./elements.js";

const NARROW = matchMedia("(max-width: 899px)"); // as page.css has it
const COLUMNS = [
    ["play-board", "load-text"],
    ["hangs", "exchange", "exercise"],
    ["game", "engines", "move-lists"],
];
const ONE = ["play-board", "exchange", "game", "hangs", "exercise", "engines", "move-lists", "load-text"];

// An exercise comes first, right behind the board.
function withExerciseFirst(ids) {
    if (!ids.includes("exercise")) return ids;
    const board = ids.filter((id) => id === "play-board");
    return [...board, "exercise", ...ids.filter((id) => id !== "exercise" && id !== "play-board")];
}

// Moves only what stands elsewhere, because what is moved loses the focus.
export function arrange(isExercise) {
    const wanted = NARROW.matches ? [ONE, [], []] : COLUMNS;
    document.querySelectorAll("main > .column").forEach((column, i) => {
        const ids = isExercise ? withExerciseFirst(wanted[i]) : wanted[i];
        ids.forEach((id, k) => {
            const section = byId(id);
            if (column.children[k] !== section) column.insertBefore(section, column.children[k] ?? null);
        });
    });
}

export const listenToWidth = (run) => NARROW.addEventListener("change", run);
