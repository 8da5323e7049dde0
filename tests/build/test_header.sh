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
        rules no 'a field of the rules' '1, 2, 3, 4, 5' '3, 0, 0, 0, 0' "$@" # of the library alone
    else
        echo "SKIPPED: $name, values and rules out of range: $cc has no attribute for them"
    fi
    # The one error that is left names the macro.
    printf '%s\n' '#include "seebatch_see_mailbox.h"' | compiles "no SEEBATCH_SEE_CODE" no 'define SEEBATCH_SEE_CODE(type, color) before' "$@"
    [ "$(grep -c ': error: ' "$work/log")" -eq 1 ] && ! grep -q 'warning: ' "$work/log" || fail "$name: more than one error without SEEBATCH_SEE_CODE" "$work/log"
    echo "ok: $name refuses what is no mailbox, and values and rules out of range"
}
refuses C11 "$cc" -std=c11

# Thresholds at the ends of int, and beside the value of a move that passes always: an answer is what the value says.
cat >"$work/ends.c" <<'END'
#define SEEBATCH_SEE_CODE(type, color) ((type) * 2 + (color))
#include "seebatch_see_mailbox.h"
#include <limits.h>
#include <stdio.h>

/* 1n2k3/P7/8/3pP3/8/8/8/4K2R w K d6: a8 = 56 */
static const uint64_t types[6] = {UINT64_C(1) << 48 | UINT64_C(1) << 35 | UINT64_C(1) << 36, UINT64_C(1) << 57, 0,
                                  UINT64_C(1) << 7, 0, UINT64_C(1) << 4 | UINT64_C(1) << 60};
static const uint64_t colors[2] = {UINT64_C(1) << 48 | UINT64_C(1) << 36 | UINT64_C(1) << 7 | UINT64_C(1) << 4,
                                   UINT64_C(1) << 35 | UINT64_C(1) << 57 | UINT64_C(1) << 60};
static const seebatch_see_board board = {types, colors, 0, NULL};
static const seebatch_see_move moves[] = {{48, 57, 0, 1, 4, SEEBATCH_SEE_NORMAL}, {36, 43, 0, -1, 0, SEEBATCH_SEE_EN_PASSANT},
                                          {4, 6, 5, -1, 0, SEEBATCH_SEE_CASTLING}, {4, 12, 5, -1, 0, SEEBATCH_SEE_NORMAL},
                                          {7, 63, 3, -1, 0, SEEBATCH_SEE_NORMAL}};
static const int thresholds[] = {INT_MIN, INT_MIN + 1, -65536, -32769, -32768, -32767, -6001, -20001, -1, 0,
                                 1, 6001, 20001, 32766, 32767, 32768, 65535, INT_MAX - 1, INT_MAX};

#define WRONG(name, rules)                                                                                             \
    static int name(const unsigned char *squares, seebatch_see_move m, int threshold)                                  \
    {                                                                                                                  \
        const int value = seebatch_see_value(&rules, &board, NULL, m);                                                 \
        return seebatch_see_ge(&rules, &board, NULL, m, threshold) != (value >= threshold) ||                          \
               seebatch_see_mailbox_value(&rules, SEEBATCH_SEE_MAILBOX(squares), &board, NULL, m) != value ||          \
               seebatch_see_mailbox_ge(&rules, SEEBATCH_SEE_MAILBOX(squares), &board, NULL, m, threshold) !=           \
                   (value >= threshold) ||                                                                             \
               (value != SEEBATCH_SEE_ALWAYS && (value < -6000 || value > 6000));                                      \
    }
static const seebatch_see_rules always = {{3000, 3000, 3000, 3000, 3000}, SEEBATCH_SEE_RULES_PLENTYCHESS};
static const seebatch_see_rules zero = {{100, 325, 325, 500, 1000}, SEEBATCH_SEE_RULES_STOCKFISH};
static const seebatch_see_rules most = {{0, 3000, 3000, 3000, 3000}, SEEBATCH_SEE_RULES_PROMOTIONS};
WRONG(always_is_wrong, always)
WRONG(zero_is_wrong, zero)
WRONG(most_is_wrong, most)

int main(void)
{
    unsigned char squares[64];
    for (int square = 0; square < 64; square++) {
        squares[square] = 15;
        for (int type = 0; type < 6; type++)
            if (types[type] >> square & 1)
                squares[square] = (unsigned char)(type * 2 + (int)(colors[1] >> square & 1));
    }
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        for (size_t k = 0; k < sizeof thresholds / sizeof *thresholds; k++) {
            const int wrong = always_is_wrong(squares, moves[i], thresholds[k]) |
                              zero_is_wrong(squares, moves[i], thresholds[k]) << 1 |
                              most_is_wrong(squares, moves[i], thresholds[k]) << 2;
            if (wrong)
                return printf("move %zu, threshold %d: wrong under the rules %d\n", i, thresholds[k], wrong), 1;
        }
    return 0;
}
END
for flags in -O2 '-O1 -ftrapv' '-O1 -DSEEBATCH_SEE_CHECK'; do
    # shellcheck disable=SC2086 # a list of words
    "$cc" $warnings -std=c11 $include $flags "$work/ends.c" -o "$work/ends" >"$work/log" 2>&1 || fail "ends of int, $flags" "$work/log"
    "$work/ends" >"$work/log" 2>&1 || fail "ends of int, $flags" "$work/log"
done
echo "ok: thresholds at the ends of int"

machines=
[ "$(uname -m)" != x86_64 ] || machines="-march=x86-64-v3 -march=x86-64-v4 -march=icelake-client"
forms C11 "$cc" -std=c11 -O2
if [ "$cxx" != "$cc" ] && command -v "$cxx" >/dev/null; then
    refuses C++17 "$cxx" -x c++ -std=c++17
    printf '%s\n' '#define SEEBATCH_SEE_CODE(type, color) ((type) + 1 << 4 | ((color) ? 0x80 : 0))' \
        '#define SEEBATCH_SEE_CODE_MASK 0xf0' '#include "seebatch_see_mailbox.h"' >"$work/alone.cc"
    for machine in -DSEEBATCH_SEE_PLAIN $machines; do
        for standard in 11 17; do
            # shellcheck disable=SC2086
            "$cxx" $warnings -Wold-style-cast -Wno-parentheses -std=c++$standard $include $machine -c "$work/alone.cc" -o "$work/alone.o" >"$work/log" 2>&1 ||
                fail "C++$standard with -Wold-style-cast $machine" "$work/log"
        done
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
