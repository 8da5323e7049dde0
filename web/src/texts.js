// What the page says, in the language that was chosen: say("key", { what is filled in }). The texts are in english.js and
// in its translations; the words for sides and pieces are filled in as texts themselves.
import { colorOf, nameOf } from "./chess.js";
import { ENGLISH } from "./english.js";

const LANGUAGES = { en: ENGLISH };
let texts = ENGLISH;

export const addLanguage = (name, translation) => (LANGUAGES[name] = translation);
export const languages = () => Object.keys(LANGUAGES);
export const nameOfLanguage = (language) => LANGUAGES[language].language;
export const useLanguage = (language) => (texts = LANGUAGES[language] ?? ENGLISH);

const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
export const say = (key, values = {}) => filled(texts[key], values);

// The same text in every language.
export const sayEverywhere = (each) => {
    const before = texts;
    const said = Object.values(LANGUAGES).map((translation) => {
        texts = translation;
        return each();
    });
    texts = before;
    return said;
};

export const sideOf = (color) => say(`side.${color}`);
export const adjectiveOf = (color) => say(`adjective.${color}`);
export const nounOf = (name) => say(`piece.${name}`);

// "white knight", of a piece's letter.
export const sayPiece = (piece) => say("board.piece", { color: say(`color.${colorOf(piece)}`), piece: nounOf(nameOf(piece)) });

// "the knight" in one of its cases, with its square if one is given, and with its colour if it is a subject.
export function named(grammaticalCase, name, square = null, color = null) {
    const piece = say(`${grammaticalCase}.${name}`, { color: color ? `${adjectiveOf(color)} ` : "" });
    return square === null ? piece : say("at", { piece, square });
}

export const listed = (names) => [names.slice(0, -1).join(", "), names.at(-1)].filter(Boolean).join(say("and"));

// A move in SAN with the language's letters of the pieces.
export const sayMove = (san) => san.replace(/[KQRBN]/g, (letter) => say("letters")["KQRBN".indexOf(letter)]);
