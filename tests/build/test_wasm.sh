#!/bin/sh
# The library as WebAssembly, under node: both modules import nothing and export what the header declares; both give the
# answers of this machine's scalar code, byte for byte, for all legal moves under every rule set; the differential harness
# holds simd128 against scalar code, and that against the oracle. The module without SIMD has none.
#
# test_wasm.sh PROJECT NATIVE_C_COMPILER NATIVE_STATIC_LIBRARY [CASES]
#
# Ends with 77 (skipped) where clang for wasm32, its libraries or node are missing.
set -u
project=$1
native=$2
library=$3
cases=${4:-300000}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset SEEBATCH_KERNEL
fail() {
    echo "FAILED: wasm: $1"
    [ $# -lt 2 ] || tail -n 20 "$2" | sed 's/^/    /'
    exit 1
}
skip() {
    echo "SKIPPED: wasm: $1"
    exit 77
}

node --version >/dev/null 2>&1 || skip "there is no node here (Debian: nodejs)"
compiler=$("$project/scripts/wasm" --compiler 2>"$work/log") || skip "$(cat "$work/log")"
runtime=$(${compiler%% *} --target=wasm32-wasi -print-libgcc-file-name)
[ -e "$runtime" ] || skip "there is no $runtime (Debian: libclang-rt-19-dev-wasm32)"
run() { # run PROGRAM ARGUMENT...
    program=$1
    shift
    node --no-warnings "$project/tests/build/wasm/run.mjs" "$work/$program.wasm" "$work" "$project/tests/data" -- "$@"
}

# The modules.
"$project/scripts/wasm" "$work" >"$work/log" 2>&1 || fail "scripts/wasm ends with $?" "$work/log"
sed -n 's/^SEEBATCH_API .*[ *]\(seebatch_[a-z0-9_]*\)(.*/\1/p' "$project/include/seebatch.h" | sort >"$work/declared"
for kernel in scalar simd128; do
    node -e '
        const module = new WebAssembly.Module(require("fs").readFileSync(process.argv[1]));
        for (const { module: from, name } of WebAssembly.Module.imports(module)) console.log(`import ${from}.${name}`);
        for (const { name } of WebAssembly.Module.exports(module)) console.log(name);' \
        "$work/seebatch-$kernel.wasm" >"$work/names" || fail "seebatch-$kernel.wasm does not validate"
    grep '^import' "$work/names" >"$work/got" && fail "seebatch-$kernel.wasm imports" "$work/got"
    grep '^seebatch_' "$work/names" | sort | diff "$work/declared" - >"$work/got" ||
        fail "seebatch-$kernel.wasm exports other functions (>) than the header declares (<)" "$work/got"
done
head -n 300 "$project/tests/data/games.fen" >"$work/positions"
head -n 300 "$project/tests/data/random.fen" >>"$work/positions"
node "$project/bench/wasm/bench.mjs" --check "$work" "$work/positions" >"$work/log" 2>&1 || fail "bench.mjs" "$work/log"
sed 's/^/ok: wasm: /' "$work/log"

# The answers, by programs for WASI that have the modules' own objects.
answers=$project/tests/build/consumer/answers.c
"$native" -std=c11 -O2 -I"$project/include" "$answers" "$library" -pthread -o "$work/native" || fail "the program, here"
SEEBATCH_KERNEL=scalar "$work/native" "$work/positions" >"$work/expected" || fail "the program ends with $? here"
[ "$(wc -w <"$work/expected")" -ge 50000 ] || fail "too few answers: $(wc -w <"$work/expected") words"
stack='-Wl,--stack-first,-z,stack-size=4194304'
for kernel in scalar simd128; do
    # shellcheck disable=SC2086 # lists of words
    $compiler $stack -I"$work" "$answers" "$work/seebatch-$kernel.o" -o "$work/answers.wasm" >"$work/log" 2>&1 ||
        fail "answers.c, $kernel" "$work/log"
    run answers kernels >"$work/got" || fail "it does not list its kernels"
    grep -q "^in use: $kernel\$" "$work/got" || fail "it does not use the kernel $kernel" "$work/got"
    run answers "$work/positions" >"$work/got" || fail "$kernel: the program ends with $?"
    cmp "$work/expected" "$work/got" || fail "$kernel: other answers than here"
done
echo "ok: wasm: $(wc -w <"$work/expected") words of answers are those of this machine, with and without SIMD"

# The harness, in which other functions guard the arrays.
harness=$(ls "$project"/tests/differential/*.c | grep -v guard.c)
# shellcheck disable=SC2086 # lists of words
$compiler $stack -DSEEBATCH_TEST_DATA="\"$project/tests/data\"" -I"$work" -I"$project/src" -I"$project/tests" \
    $harness "$project/tests/build/wasm/guard.c" "$project/tests/oracle.c" "$work/seebatch-simd128.o" -o "$work/differential.wasm" \
    >"$work/log" 2>&1 || fail "the differential harness" "$work/log"
run differential --kernel simd128 --cases "$cases" >"$work/log" 2>&1 || fail "simd128 against scalar code" "$work/log"
cat "$work/log"
run differential --kernel scalar --against oracle --cases 40000 >"$work/log" 2>&1 || fail "scalar code" "$work/log"
echo "ok: wasm: simd128 against scalar code, and that against the oracle"
