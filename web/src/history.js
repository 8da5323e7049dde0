// Undo and redo: what the page held before each change and after it. A change that added a move to the game's tree says
// which node, so that undo takes it away.
const MOST = 1000;

export class History {
    #past = []; // { before, after, added }
    #future = [];

    get canUndo() {
        return this.#past.length > 0;
    }

    get canRedo() {
        return this.#future.length > 0;
    }

    forget() {
        this.#past = [];
        this.#future = [];
    }

    add(before, after, added = null) {
        this.#past.push({ before, after, added });
        if (this.#past.length > MOST) this.#past.shift();
        this.#future = [];
    }

    // What to show now, or null.
    undo() {
        const change = this.#past.pop();
        if (!change) return null;
        this.#future.push(change);
        const { added } = change;
        if (added) {
            const { parent } = added;
            parent.children = parent.children.filter((child) => child !== added);
            if (parent.next === added) parent.next = null;
        }
        return change.before;
    }

    redo() {
        const change = this.#future.pop();
        if (!change) return null;
        this.#past.push(change);
        change.added?.parent.children.push(change.added);
        return change.after;
    }
}
