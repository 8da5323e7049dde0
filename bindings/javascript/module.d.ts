/**
 * A module, as a bundler gives it: its URL (esbuild with `--loader:.wasm=file`, Vite with `?url`), or its bytes (esbuild with
 * `--loader:.wasm=binary`). It goes into `files` of `Seebatch.load()`.
 */
declare const module: string | Uint8Array;
export default module;
