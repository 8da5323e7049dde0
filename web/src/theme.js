// The theme: the system's, or the one that was chosen, which this browser remembers.
import { byId } from "./elements.js";
import { recall, remember } from "./remember.js";
import { say } from "./texts.js";

const THEMES = ["system", "light", "dark"];
const darkSystem = matchMedia("(prefers-color-scheme: dark)");
let theme = "system";

function useTheme(name) {
    theme = THEMES.includes(name) ? name : "system";
    const isDark = theme === "dark" || (theme === "system" && darkSystem.matches);
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
    byId("theme").textContent = say(`page.theme.${theme}`);
}

export const showTheme = () => useTheme(theme);

export function changeTheme() {
    useTheme(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]);
    remember("theme", theme === "system" ? null : theme);
}

export function beginTheme() {
    useTheme(recall("theme") ?? "system");
    darkSystem.addEventListener("change", () => useTheme(theme));
}
