#!/bin/sh
# seebatch_see.h and seebatch_see_mailbox.h against the library, as C11 and as C++17: with their own attacks, with those
# of an engine, with black as color 0, and with mailboxes of every layout that header.c has: in plain code, with AVX2, and
# with AVX-512 where this processor has it; and in the checking mode. What is no mailbox, and values and rules out of range,
# are refused by the compiler.
#
# test_header.sh PROJECT C_COMPILER LIBRARY CASES OBJECT...
#
# OBJECT: those of the harness, and its library.
set -u
project=$1
cc=$2
library=$3
cases=$4
shift 4

. "$(dirname "$0")/common.sh"
objects=$(printf '%s\n' "$@" | grep -v '/header\.c\.o')
cxx=$(cxx_of "$cc")
warnings="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef $werror"
include="-I$project/include -I$project/src -I$project/tests"

# holds NAME COMPILER FLAGS...: builds header.c so, and runs the harness with it.
holds() {
    name=$1 compiler=$2
    shift 2
    # shellcheck disable=SC2086 # lists of words
    "$compiler" $warnings $include "$@" -c "$project/tests/differential/header.c" -o "$work/header.o" >"$work/log" 2>&1 ||
        fail "$name: the header does not compile" "$work/log"
    # shellcheck disable=SC2086
    "$cc" "$work/header.o" $objects "$library" -pthread -o "$work/harness" >"$work/log" 2>&1 ||
        fail "$name: the harness does not link" "$work/log"
    "$work/harness" --kernel header --cases "$cases" >"$work/log" 2>&1 || fail "$name: answers differ" "$work/log"
    echo "ok: $name"
}

# mailboxes NAME INSTRUCTION FLAGS...: the layouts in turns, one for each language and instruction set, clang beginning with
# another; all of them if SEEBATCH_TEST_EVERY is set.
layout=0 turns=1
case $cc in *clang*) layout=3 ;; esac
[ -z "${SEEBATCH_TEST_EVERY:-}" ] || turns=7
mailboxes() {
    set_name=$1 instruction=$2
    shift 2
    for _ in $(seq $turns); do
        layout=$((layout % 7 + 1))
        # shellcheck disable=SC2086 # a list of words
        holds "$language, $set_name, mailbox $layout" $compile "$@" -DWITH_MAILBOX=$layout
    done
    objdump -d "$work/header.o" | grep -q "$instruction" || fail "$set_name is not used"
}

# forms NAME COMPILER FLAGS...: all of the above in one language.
forms() {
    language=$1
    shift
    compile=$*
    holds "$language" "$@"
    holds "$language, with attacks of an engine" "$@" -DWITH_ATTACKS
    # The harness gives right arguments, of which the checking mode says nothing. (Some of its rules are no constants.)
    checked="-DSEEBATCH_SEE_CHECK -Wno-attribute-warning -DWITH_ATTACKS -DWITH_BLACK_FIRST"
    # shellcheck disable=SC2086 # lists of words
    holds "$language, in the checking mode" "$@" $checked
    # shellcheck disable=SC2086
    holds "$language, a mailbox in the checking mode" "$@" $checked -DWITH_MAILBOX=7
    holds "$language, with attacks of an engine whose color 0 is black" "$@" -DWITH_ATTACKS -DWITH_BLACK_FIRST
    holds "$language, a mailbox in plain code, color 0 is black" "$@" -DSEEBATCH_SEE_PLAIN -DWITH_MAILBOX=5 -DWITH_BLACK_FIRST
    case "$(uname -m)$(cat /proc/cpuinfo 2>/dev/null)" in
    x86_64*avx2*) mailboxes "AVX2" vpblendvb -march=x86-64-v3 ;;
    *) echo "SKIPPED: $language with AVX2: this processor has none" ;;
    esac
    case "$(uname -m)$(cat /proc/cpuinfo 2>/dev/null)" in
    x86_64*avx512vl*avx512_vbmi*avx512_bitalg*)
        mailboxes "AVX-512" vpermb -march=x86-64-v4 -mavx512bitalg -mavx512vbmi
        holds "$language, AVX-512, mailbox 3, color 0 is black" $compile -march=x86-64-v4 -mavx512bitalg -mavx512vbmi \
            -DWITH_MAILBOX=3 -DWITH_ATTACKS -DWITH_BLACK_FIRST
        ;;
    *) echo "SKIPPED: $language with AVX-512: this processor has no AVX512-VBMI or no AVX512-BITALG" ;;
    esac
}

# compiles NAME STATUS SENTENCE COMPILER FLAGS...: whether code on standard input compiles, or is refused with a sentence.
compiles() {
    what=$1 expected=$2 sentence=$3
    shift 3
    cat >"$work/refused.c"
    # shellcheck disable=SC2086
    "$@" $warnings $include -O1 -c "$work/refused.c" -o "$work/refused.o" >"$work/log" 2>&1
    case $expected$? in
    yes0) ;;
    no0) fail "$name: $what compiles" ;;
    yes*) fail "$name: $what does not compile" "$work/log" ;;
    no*) grep -q "$sentence" "$work/log" || fail "$name: no word of '$sentence'" "$work/log" ;;
    esac
}

# mailbox YES_OR_NO DECLARATION EXPRESSION COMPILER FLAGS...
mailbox() {
    wanted=$1 declaration=$2 expression=$3
    shift 3
    compiles "a mailbox of '$declaration'" "$wanted" 'a mailbox needs one byte for each square' "$@" <<END
#define SEEBATCH_SEE_CODE(type, color) ((type) * 2 + (color))
#include "seebatch_see_mailbox.h"
$declaration;
seebatch_see_mailbox mailbox(void);
seebatch_see_mailbox mailbox(void) { return SEEBATCH_SEE_MAILBOX($expression); }
END
}

# rules YES_OR_NO SENTENCE VALUES FIELDS COMPILER FLAGS...
rules() {
    wanted=$1 sentence=$2 values=$3 fields=$4
    shift 4
    compiles "rules {{$values}, $fields}" "$wanted" "$sentence" "$@" <<END
#include "seebatch_see.h"
static const seebatch_see_rules rules = {{$values}, $fields};
bool ge(const seebatch_see_board *board, seebatch_see_move move);
bool ge(const seebatch_see_board *board, seebatch_see_move move)
{
    return seebatch_see_ge(&rules, board, NULL, move, 0);
}
END
}

# refuses NAME COMPILER FLAGS...: what the compiler lets pass and what it refuses.
refuses() {
    name=$1
    shift
    mailbox yes 'static unsigned char board[64]' board "$@"
    mailbox yes 'static const char board[64] = ""' board "$@"
    mailbox yes 'static unsigned char board[128]' '&board[0]' "$@"
    mailbox yes 'static struct whole { unsigned char squares[64]; } board' '&board' "$@"
    mailbox no 'static int board[64]' board "$@"
    mailbox no 'static unsigned char board[128]' board "$@"
    mailbox no 'static void *board' board "$@"
    mailbox no 'static const void *board' board "$@"
    rules yes - '1, 2, 3, 4, 3000' SEEBATCH_SEE_RULES_SWAP "$@"
    # Compilers without the attribute `error`, such as clang 13, find these in the checking mode, when the program runs.
    echo 'void f(void) __attribute__((error(""))); void g(void) __attribute__((warning(""))); int main(void) { return 0; }' >"$work/knows.c"
    if "$cc" -Werror -c "$work/knows.c" -o "$work/knows.o" 2>"$work/log"; then
        rules no 'a piece value is not from 0 to 3000' '1, 2, 3, 4, 3001' SEEBATCH_SEE_RULES_SWAP "$@"
        rules no 'a piece value is not from 0 to 3000' '1, 2, -3, 4, 5' SEEBATCH_SEE_RULES_SWAP "$@"
        rules no 'one of the last three is not 0' '1, 2, 3, 4, 5, 6' SEEBATCH_SEE_RULES_SWAP "$@"
        rules no 'a field of the rules' '1, 2, 3, 4, 5' '0, 3, 0, 0, 0' "$@"
    else
        echo "SKIPPED: $name, values and rules out of range: $cc has no attribute for them"
    fi
    echo "ok: $name refuses what is no mailbox, and values and rules out of range"
}
refuses C11 "$cc" -std=c11

machines=
[ "$(uname -m)" != x86_64 ] || machines="-march=x86-64-v3 -march=x86-64-v4 -march=icelake-client"
forms C11 "$cc" -std=c11 -O2
if [ "$cxx" != "$cc" ] && command -v "$cxx" >/dev/null; then
    refuses C++17 "$cxx" -x c++ -std=c++17
    printf '%s\n' '#define SEEBATCH_SEE_CODE(type, color) ((type) + 1 << 4 | ((color) ? 0x80 : 0))' \
        '#define SEEBATCH_SEE_CODE_MASK 0xf0' '#include "seebatch_see_mailbox.h"' >"$work/alone.cc"
    for machine in -DSEEBATCH_SEE_PLAIN $machines; do
        # shellcheck disable=SC2086
        "$cxx" $warnings -Wold-style-cast -Wno-parentheses -std=c++17 $include $machine -c "$work/alone.cc" -o "$work/alone.o" >"$work/log" 2>&1 ||
            fail "C++17 with -Wold-style-cast $machine" "$work/log"
    done
    echo "ok: no warning of -Wold-style-cast"
    # The code is that of C: only with SEEBATCH_TEST_EVERY is it run once more.
    case ${SEEBATCH_TEST_EVERY:-no} in
    no)
        for form in -DWITH_ATTACKS -DWITH_MAILBOX=5 '-DWITH_ATTACKS -DWITH_MAILBOX=6'; do
            for machine in -DSEEBATCH_SEE_PLAIN $machines; do
                # shellcheck disable=SC2086
                "$cxx" $warnings $include -x c++ -std=c++17 $machine $form -fsyntax-only "$project/tests/differential/header.c" \
                    >"$work/log" 2>&1 || fail "C++17 $machine $form" "$work/log"
            done
        done
        echo "ok: C++17, read and not run"
        ;;
    *) forms C++17 "$cxx" -x c++ -std=c++17 -O1 ;;
    esac
else
    echo "SKIPPED: C++17: no C++ compiler beside $cc"
fi
