// Elements of the page, made of a name, properties and children.
export const byId = (id) => document.getElementById(id);

function fill(element, properties, children) {
    for (const [name, value] of Object.entries(properties)) {
        if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
        else if (value === true) element.setAttribute(name, "");
        else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
}

export const html = (name, properties = {}, ...children) => fill(document.createElement(name), properties, children);
export const svg = (name, properties = {}, ...children) =>
    fill(document.createElementNS("http://www.w3.org/2000/svg", name), properties, children);

export function pieceImage(piece) {
    const color = piece === piece.toUpperCase() ? "white" : "black";
    return svg(
        "svg",
        { class: `piece ${color}`, "aria-hidden": "true" },
        svg("use", { href: `#piece-${piece.toLowerCase()}` }),
    );
}

// Whether the page is used with a finger, which taps where a mouse clicks.
export const isTouched = () => matchMedia("(pointer: coarse)").matches;
