// The browser's Back and Forward within the page. Whatever was loaded, and each question, is a place with an entry in the
// browser's history; what it held when it was left, the page keeps. The address follows what is shown when nothing has
// changed for a moment: browsers let pages change it only so often. Some forbid it in files.
const PAGE = Math.random(); // which load of the page an entry is of
const DELAY = 200;

export class Places {
    #places = [];
    #current = -1;
    #timer = 0;
    #address = location.hash;
    #hasEntry = true; // whether the browser has made the entry of the next arrival

    // calls: hash(), the address of what is shown; placeNow(), what it is; returnTo(place); follow(), an address that was given
    constructor(calls) {
        this.calls = calls;
        addEventListener("popstate", ({ state }) => this.#go(state));
        addEventListener("hashchange", () => location.hash !== this.#address && this.#go(null));
    }

    #go(entry) {
        clearTimeout(this.#timer);
        this.#address = location.hash;
        const place = entry?.page === PAGE ? this.#places[entry.place] : null;
        this.#hasEntry = true;
        if (!place) return this.calls.follow();
        this.#current = entry.place - 1; // note() makes it the next
        this.calls.returnTo(place);
    }

    // After each change; isArrival where something else is shown than before.
    note(isArrival) {
        if (isArrival) {
            if (!this.#hasEntry && history.state?.page !== PAGE) this.#write("replaceState", location.hash);
            this.#current++;
            if (!this.#hasEntry) this.#places.length = this.#current;
        }
        this.#places[Math.max(0, this.#current)] = this.calls.placeNow();
        clearTimeout(this.#timer);
        if (isArrival && !this.#hasEntry) return this.#write("pushState");
        this.#hasEntry = false;
        this.#timer = setTimeout(() => location.hash === this.#address && this.#write("replaceState"), DELAY);
    }

    #write(how, hash = this.calls.hash()) {
        try {
            history[how]({ page: PAGE, place: this.#current }, "", hash || "#");
        } catch {
            // "Copy link" has the link all the same.
        }
        this.#address = location.hash;
    }
}
