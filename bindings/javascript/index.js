// The package: where its modules are, and what it exports.
import { Seebatch } from "./seebatch.js";

// A bundler that makes a classic script leaves import.meta.url undefined: then load() is told.
if (import.meta.url)
    Seebatch.files = {
        scalar: new URL("./seebatch-scalar.wasm", import.meta.url),
        simd128: new URL("./seebatch-simd128.wasm", import.meta.url),
    };

export { Seebatch };
