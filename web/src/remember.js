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
