// What the page offers: tables of piece values, examples.
import { byId, html } from "./elements.js";

// Those of engines by the names of these.
export const PRESETS = {
    "1, 3, 3, 5, 9": [100, 300, 300, 500, 900],
    library: [100, 325, 325, 500, 1000],
    Ethereal: [103, 422, 437, 694, 1313],
    Monty: [100, 450, 450, 650, 1250],
    pawnocchio: [82, 229, 292, 440, 1147],
    PlentyChess: [90, 290, 310, 570, 1000],
    Reckless: [109, 403, 435, 679, 1242],
    Stockfish: [208, 781, 825, 1276, 2538],
    Stormphrax: [97, 434, 464, 646, 1289],
    Viridithas: [233, 446, 446, 716, 1253],
};

// { key of its name: [FEN, what is chosen] }
export const EXAMPLES = {
    pinned: [
        "r1bqk1nr/ppp1bppp/2np4/1B2p3/3P4/2P2N2/PP3PPP/RNBQ1RK1 w kq - 0 7",
        { move: "d4e5" },
    ],
    "too-much": ["1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", { move: "d3e5" }],
    defender: ["4k3/4n3/8/3p4/8/2N5/8/4RK2 w - - 0 1", { move: "c3d5" }],
    "not-any-more": ["4k3/3bn3/8/1Q1p4/8/8/8/4RK2 w - - 0 1", { move: "b5d5" }],
    along: ["4k3/4r3/8/8/8/8/6Q1/4RK2 w - - 0 1", { move: "g2e4" }],
    check: ["6k1/6b1/5n2/3p4/8/4N3/8/K2R4 w - - 0 1", { move: "e3d5" }],
    cheapest: ["6k1/8/3R4/Q3pr2/3b1B2/2B1N3/8/6K1 w - - 0 1", { move: "f4e5" }],
    promotes: ["1n5k/P7/8/8/8/8/8/6K1 w - - 0 1", { move: "a7b8q" }],
    battery: ["4q3/4r1k1/4r3/4p3/4R3/4R3/4R3/4Q1K1 w - - 0 1", { square: "e5" }],
};

export function fillChoices(ruleSets) {
    byId("rules").append(...ruleSets.map((name) => html("option", { value: name }, name)));
    const presetOf = (name) => html("option", { value: name, "data-say": name === "library" ? "worth.library" : null }, name);
    byId("presets").append(
        ...Object.keys(PRESETS).map(presetOf),
        html("option", { value: "", disabled: true, "data-say": "worth.own" }),
    );
    byId("examples").append(...Object.keys(EXAMPLES).map((name) => html("option", { value: name, "data-say": `example.${name}` })));
    for (const name of ["pawn", "knight", "bishop", "rook", "queen"])
        byId("values").append(
            html("label", {}, html("span", { "data-say": `worth.${name}` }), html("input", { type: "number", min: 0, step: "any" })),
        );
}
