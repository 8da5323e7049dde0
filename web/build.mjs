// Makes the page of its parts: node build.mjs PACKAGE OUTPUT, with the package for JavaScript and its modules built.
// Makes the package's element, and its shapes: node build.mjs --element OUTPUT, node build.mjs --chessground OUTPUT.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import { ENGLISH } from "./src/english.js";

const [packageFolder, output] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const text = (...path) => readFileSync(join(...path), "utf8").trimEnd();

// A module and those that it imports, each behind what it imports itself.
function modulesOf(folder, name, found = []) {
    for (const [, other] of text(folder, `${name}.js`).matchAll(/^import [^;]*from "\.\/([a-z]+)\.js";/gm))
        if (!found.includes(other)) modulesOf(folder, other, found);
    found.push(name);
    return found;
}

// These modules as one classic script, without the lines that are comments. All share one scope.
function joined(folder, main) {
    const body = modulesOf(folder, main).map((name) =>
        text(folder, `${name}.js`)
            .replace(/^import [^;]*;.*\n/gm, "")
            .replace(/^export /gm, "")
            .replace(/^ *\/\/ .*\n/gm, ""),
    );
    const whole = body.join("\n"),
        defined = [...whole.matchAll(/^(?:async )?(?:function|class|const|let) ([\w$]+)/gm)].map(([, name]) => name);
    const twice = defined.find((name, i) => defined.indexOf(name) !== i);
    if (twice) throw new Error(`${folder}: expected ${twice} in one module, found it in several`);
    return whole;
}

// The same with those English texts alone that it uses. Texts whose keys are made have a key's beginning in the script.
function joinedWithTexts(folder, main) {
    const whole = joined(folder, main),
        table = /^const ENGLISH = \{$[^]*?^\};$/m;
    const script = whole.replace(table, ""),
        keys = [...script.matchAll(/["`]([a-z]+[\w.-]*)(\$\{)?/g)].map(([, key, isBegin]) => [key, isBegin]);
    const isUsed = (name) =>
        /^(nominative|accusative|dative)\./.test(name) || // named() in texts.js
        keys.some(([key, isBegin]) => (isBegin ? key.endsWith(".") && name.startsWith(key) : name === key));
    const texts = Object.entries(ENGLISH).filter(([name]) => isUsed(name));
    return whole.replace(table, () => `const ENGLISH = ${JSON.stringify(Object.fromEntries(texts), null, 4)};`);
}

// The page's own texts in English, until it chooses a language.
const escaped = (said) => said.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");
const withEnglish = (page) =>
    page
        .replace(/ data-say-label="([^"]+)"/g, (attribute, key) => `${attribute} aria-label="${escaped(ENGLISH[key])}"`)
        .replace(/( data-say="([^"]+)"[^>]*>)(?=<\/)/g, (begin, _, key) => begin + escaped(ENGLISH[key]));

// A module of the package, with the part of the style that is about the board, and the pieces.
function makeElement(to) {
    const css = text(here, "page.css");
    const [begin, end] = ["/* What is drawn on the board", "/* The panels. */"].map((mark) => css.indexOf(mark));
    if (begin < 0 || end < begin) throw new Error("page.css: expected the marks of what is drawn on the board");
    const style = `:host { display: block; max-width: 480px; } svg { display: block; width: 100%; }
:host { --white-hangs: #b14a00; --black-hangs: #0a5fa8; }\n${css.slice(begin, end)}`;
    const lines = [
        "// Made by web/build.mjs of web/src/element.js and what it imports.",
        'import { Seebatch } from "./index.js";',
        `const STYLE = ${JSON.stringify(style)};`,
        `const PIECES = ${JSON.stringify(text(here, "pieces.svg").replace(' style="position:absolute"', ""))};`,
        joinedWithTexts(join(here, "src"), "element"),
        "export { SeebatchBoard };",
    ];
    writeFileSync(to, `${lines.join("\n")}\n`);
}

function makeShapes(to) {
    const lines = [
        "// Made by web/build.mjs of web/src/shapes.js and what it imports.",
        'import { read } from "./arguments.js";',
        joinedWithTexts(join(here, "src"), "shapes"),
        "export { exchangeShapes, hanging, hangingShapes };",
    ];
    writeFileSync(to, `${lines.join("\n")}\n`);
}

const modules = { "--element": makeElement, "--chessground": makeShapes };
if (modules[packageFolder]) {
    modules[packageFolder](output);
    process.exit();
}

const library = joined(packageFolder, "seebatch");
const page = joined(join(here, "src"), "page");
const flat = (source) => source.replace(/^ +/gm, ""); // the indentation would be a twentieth of the page
const bytes = (kernel) => readFileSync(join(packageFolder, `seebatch-${kernel}.wasm`)).toString("base64");
const parts = {
    "<!--{{licence}}-->": `<!--\n${text(packageFolder, "LICENSE")}\n-->`,
    "/*{{css}}*/": flat(text(here, "page.css")),
    "<!--{{pieces}}-->": text(here, "pieces.svg"),
    "//{{script}}": flat(`const Seebatch = (() => {\n${library}\nreturn Seebatch;\n})();\n(() => {\n${page}\n})();`),
    "{{scalar}}": bytes("scalar"),
    "{{simd128}}": bytes("simd128"),
};
new Script(parts["//{{script}}"]); // throws where names clash
let made = withEnglish(text(here, "page.html"));
for (const [mark, part] of Object.entries(parts)) {
    if (made.split(mark).length !== 2) throw new Error(`page.html: expected ${mark} once`);
    if (mark !== "<!--{{pieces}}-->" && /<\/(script|style)/i.test(part))
        throw new Error(`${mark}: a closing tag in it`);
    made = made.replace(mark, () => part);
}
mkdirSync(dirname(output), { recursive: true });
writeFileSync(output, `${made}\n`);
