#!/bin/sh
# seebatch_see.h against the library, as C11 and as C++17: as it is, with attacks of sliders from elsewhere, and with
# AVX-512 (with x86-64-v4, which is not enough, and with what it needs), where this processor has it. Mailboxes have codes
# below 16, and others.
#
# test_header.sh PROJECT C_COMPILER LIBRARY CASES OBJECT...
#
# OBJECT: those of the harness.
set -u
project=$1
cc=$2
library=$3
cases=$4
shift 4

. "$(dirname "$0")/common.sh"
objects=$(printf '%s\n' "$@" | grep -v '/header\.c\.o')
cxx=$(cxx_of "$cc")
warnings="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef -Werror"
include="-I$project/include -I$project/src -I$project/tests"

# holds NAME COMPILER FLAGS...: builds header.c so, and runs the harness with it.
holds() {
    name=$1 compiler=$2
    shift 2
    # shellcheck disable=SC2086 # lists of words
    "$compiler" $warnings -O2 $include "$@" -c "$project/tests/differential/header.c" -o "$work/header.o" >"$work/log" 2>&1 ||
        fail "$name: the header does not compile" "$work/log"
    # shellcheck disable=SC2086
    "$cc" $objects "$work/header.o" "$library" -pthread -o "$work/harness" >"$work/log" 2>&1 ||
        fail "$name: the harness does not link" "$work/log"
    "$work/harness" --kernel header --cases "$cases" >"$work/log" 2>&1 || fail "$name: answers differ" "$work/log"
    echo "ok: $name"
}

# forms NAME COMPILER FLAGS...
forms() {
    language=$1
    shift
    holds "$language" "$@"
    holds "$language, with attacks of sliders and a mailbox that is not read" "$@" -DWITH_SLIDERS -DWITH_MAILBOX=2
    case "$(uname -m)$(cat /proc/cpuinfo 2>/dev/null)" in
    x86_64*avx512_vbmi*avx512_bitalg*)
        holds "$language, x86-64-v4" "$@" -march=x86-64-v4
        for step in 2 12; do
            holds "$language, a mailbox with a step of $step" "$@" -march=x86-64-v4 -mavx512bitalg -mavx512vbmi \
                -DWITH_MAILBOX=$step
        done
        objdump -d "$work/header.o" | grep -q vpermb || fail "AVX512-VBMI is not used"
        ;;
    *) echo "SKIPPED: $language with AVX-512: this processor has no AVX512-VBMI or no AVX512-BITALG" ;;
    esac
}
forms C11 "$cc" -std=c11
if [ "$cxx" != "$cc" ] && command -v "$cxx" >/dev/null; then
    forms C++17 "$cxx" -x c++ -std=c++17
else
    echo "SKIPPED: C++17: no C++ compiler beside $cc"
fi
