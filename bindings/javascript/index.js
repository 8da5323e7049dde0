// The package: where its modules are, and what it exports.
import { Seebatch } from "./seebatch.js";

Seebatch.files = {
    scalar: new URL("./seebatch-scalar.wasm", import.meta.url),
    simd128: new URL("./seebatch-simd128.wasm", import.meta.url),
};

export { Seebatch };
