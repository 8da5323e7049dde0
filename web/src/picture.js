// A picture of the board as it is shown, to save: SVG of its own, or PNG of 1,024 pixels.
import { byId } from "./elements.js";

const STYLED = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity"];
const TEXT = ["font-family", "font-size", "font-weight", "text-anchor"];

// A copy of a drawing with what the style sheet says of it written into its elements.
function withStyles(drawing) {
    const copy = drawing.cloneNode(true);
    const originals = drawing.querySelectorAll("*");
    copy.querySelectorAll("*").forEach((element, i) => {
        const style = getComputedStyle(originals[i]);
        for (const name of element.tagName === "text" ? [...STYLED, ...TEXT] : STYLED)
            element.setAttribute(name, style.getPropertyValue(name));
        element.removeAttribute("class");
    });
    return copy.innerHTML;
}

function squareText(cell, [x, y]) {
    const color = getComputedStyle(cell).backgroundColor;
    const piece = cell.querySelector("svg");
    const square = `<rect x="${x}" y="${y}" width="1" height="1" fill="${color}"/>`;
    if (!piece) return square;
    const style = getComputedStyle(piece);
    const shape = byId(piece.querySelector("use").getAttribute("href").slice(1));
    const colors = ["--body", "--edge", "--mark"].map((name) => `${name}:${style.getPropertyValue(name)}`).join(";");
    const at = `x="${x + 0.04}" y="${y + 0.04}" width="0.92" height="0.92" viewBox="${shape.getAttribute("viewBox")}"`;
    return `${square}<svg class="piece" ${at} style="${colors}">${shape.innerHTML}</svg>`;
}

const PIECES =
    ".piece g{stroke-width:4.5;stroke-linejoin:round;stroke-linecap:round;fill:var(--body);stroke:var(--edge)}" +
    ".piece .line{fill:none;stroke:var(--mark);stroke-width:4}.piece .dot{fill:var(--mark);stroke:none}";

export function pictureOf(board) {
    const cells = document.querySelectorAll("#board .square");
    const squares = [...cells].map((cell, i) => squareText(cell, [i % 8, i >> 3]));
    return (
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8" width="1024" height="1024"><style>${PIECES}\x3c/style>` +
        `${squares.join("")}${withStyles(byId("marks"))}</svg>`
    );
}

const asUrl = (text) => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;

function save(href, name) {
    const link = document.createElement("a");
    link.href = href;
    link.download = name;
    link.click();
}

export const saveText = (text, name) => save(`data:application/x-chess-pgn;charset=utf-8,${encodeURIComponent(text)}`, name);
export const savePicture = (board) => save(asUrl(pictureOf(board)), "board.svg");

export async function savePixels(board) {
    const image = new Image();
    image.src = asUrl(pictureOf(board));
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 1024;
    canvas.getContext("2d").drawImage(image, 0, 0, 1024, 1024);
    save(canvas.toDataURL("image/png"), "board.png");
}
