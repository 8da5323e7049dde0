#!/bin/sh
# The library as WebAssembly, under node: both modules import nothing and export what the header declares; both give the
# answers of this machine's scalar code, byte for byte, for all legal moves under every rule set; the self-test, the
# differential harness and the exhaustion hold simd128 against scalar code, and that against the oracle. All programs have
# addresses of 32 bits, the harness and the exhaustion such as a signed number would not hold.
#
# test_wasm.sh PROJECT NATIVE_C_COMPILER NATIVE_STATIC_LIBRARY
#
# With SEEBATCH_TEST_LONG in the environment the harness has 100 million cases, and the exhaustion a larger part.
# Ends with 77 (skipped) where clang for wasm32, its libraries or node are missing.
set -u
project=$1
native=$2
library=$3

. "$(dirname "$0")/common.sh"
node --version >/dev/null 2>&1 || skip "wasm: there is no node here (Debian: nodejs)"
compiler=$("$project/scripts/wasm" --compiler 2>"$work/log") || skip "wasm: $(cat "$work/log")"
runtime=$(${compiler%% *} --target=wasm32-wasi -print-libgcc-file-name)
[ -e "$runtime" ] || skip "wasm: there is no $runtime (Debian: libclang-rt-19-dev-wasm32)"
run() { # run PROGRAM ARGUMENT...
    program=$1
    shift
    node --no-warnings "$project/tests/build/wasm/run.mjs" "$work/$program.wasm" "$work" "$project/tests/data" -- "$@"
}

# The modules.
"$project/scripts/wasm" "$work" >"$work/log" 2>&1 || fail "scripts/wasm ends with $?" "$work/log"
declared "$project" >"$work/declared"
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
    run answers selftest >"$work/got" 2>&1 || fail "$kernel: the self-test" "$work/got"
done
echo "ok: wasm: $(wc -w <"$work/expected") words of answers are those of this machine, with and without SIMD; self-tests"

# The harness and the exhaustion, in which other functions guard the arrays. Data and heap begin at 2 GiB, but for node
# before 20, whose WASI refuses such addresses. clang 14 makes errno a variable of each thread and then
# needs a model for it.
high=,--global-base=2147483648,--initial-memory=2684354560
node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' || high=''
build() { # build PROGRAM SOURCE...
    program=$1
    shift
    # shellcheck disable=SC2086 # lists of words
    $compiler $stack$high -ftls-model=local-exec -DSEEBATCH_TEST_DATA="\"$project/tests/data\"" \
        -I"$work" -I"$project/include" -I"$project/src" -I"$project/tests" "$@" "$project/tests/build/wasm/guard.c" "$project/tests/oracle.c" \
        "$work/seebatch-simd128.o" -o "$work/$program.wasm" >"$work/log" 2>&1 || fail "$program" "$work/log"
}
shared=$(ls "$project"/tests/differential/*.c | grep -v -e /guard.c -e /main.c)
cases=1000000 lean=10000000 slice=1/499
[ -z "${SEEBATCH_TEST_LONG:-}" ] || cases=10000000 lean=100000000 slice=1/49
# shellcheck disable=SC2086 # lists of words
build differential $shared "$project/tests/differential/main.c"
for options in "--cases $cases" "--lean --cases $lean"; do
    # shellcheck disable=SC2086 # a list of words
    run differential --kernel simd128 $options >"$work/log" 2>&1 || fail "simd128 against scalar code, $options" "$work/log"
    cat "$work/log"
done
run differential --kernel scalar --against oracle --cases 40000 >"$work/log" 2>&1 || fail "scalar code" "$work/log"
# shellcheck disable=SC2086 # a list of words
build exhaustion $shared "$project"/tests/exhaustion/*.c
run exhaustion --slice $slice >"$work/log" 2>&1 || fail "the exhaustion" "$work/log"
tail -n 2 "$work/log"
echo "ok: wasm: simd128 against scalar code, and that against the oracle"
