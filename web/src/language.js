// The language: that of the link, the one that was chosen and that this browser remembers, or the browser's own.
import { byId, html } from "./elements.js";
import { GERMAN } from "./german.js";
import { recall, remember } from "./remember.js";
import { addLanguage, languages, nameOfLanguage, say, useLanguage } from "./texts.js";

addLanguage("de", GERMAN);

// The texts that stand in the page itself.
export function fillTexts() {
    for (const element of document.querySelectorAll("[data-say]")) element.textContent = say(element.dataset.say);
    for (const element of document.querySelectorAll("[data-say-label]"))
        element.setAttribute("aria-label", say(element.dataset.sayLabel));
}

function use(language) {
    useLanguage(language);
    document.documentElement.lang = language;
    byId("language").value = language;
}

export function changeLanguage(language) {
    remember("language", language);
    use(language);
    fillTexts();
}

export function beginLanguage() {
    byId("language").append(...languages().map((name) => html("option", { value: name, lang: name }, nameOfLanguage(name))));
    const [, asked] = location.hash.match(/[#&]lang=(\w+)/) ?? [];
    const wanted = [asked, recall("language"), ...navigator.languages.map((name) => name.slice(0, 2))];
    use(wanted.find((name) => languages().includes(name)) ?? "en");
}
