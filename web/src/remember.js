// What this browser remembers of the page. It is forbidden in files by some browsers, and by some people.
function withStore(use) {
    try {
        return use(localStorage);
    } catch {
        return null;
    }
}

export const recall = (name) => withStore((store) => store.getItem(`seebatch-${name}`));
export const remember = (name, value) =>
    withStore((store) =>
        value === null ? store.removeItem(`seebatch-${name}`) : store.setItem(`seebatch-${name}`, value),
    );

// What is remembered of lessons, the last first: { name, text, results, i } each, the text being what the lesson says.
const MOST_RECORDS = 20;

export function records() {
    try {
        const all = JSON.parse(recall("exercises") ?? "[]");
        return all.filter(({ text, results }) => typeof text === "string" && Array.isArray(results));
    } catch {
        return [];
    }
}

export const recordOf = (text) => records().find((each) => each.text === text) ?? null;

export const keepRecord = (record) =>
    remember("exercises", JSON.stringify([record, ...records().filter(({ text }) => text !== record.text)].slice(0, MOST_RECORDS)));
