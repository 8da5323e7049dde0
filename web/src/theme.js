// The theme: the system's, or the one that was chosen, which this browser remembers.
import { byId } from "./elements.js";

const KEY = "seebatch-theme";
const THEMES = ["system", "light", "dark"];
const darkSystem = matchMedia("(prefers-color-scheme: dark)");
let theme = "system";

function useTheme(name) {
    theme = THEMES.includes(name) ? name : "system";
    const isDark = theme === "dark" || (theme === "system" && darkSystem.matches);
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
    byId("theme").textContent = `Theme: ${theme}`;
}

// localStorage is forbidden in files by some browsers, and by some people.
function remembered(use) {
    try {
        return use(localStorage);
    } catch {
        return null;
    }
}

export function changeTheme() {
    useTheme(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]);
    remembered((store) => (theme === "system" ? store.removeItem(KEY) : store.setItem(KEY, theme)));
}

export function beginTheme() {
    useTheme(remembered((store) => store.getItem(KEY)) ?? "system");
    darkSystem.addEventListener("change", () => useTheme(theme));
}
