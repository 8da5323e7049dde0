#!/bin/sh
# What docs/engine.md and docs/engine-recipes.md tell an engine's author to write: the blocks of code are taken from the
# pages, compiled against headers that stand in for the engine's, by the page's lines of makefile, and run on the moves of
# games. The header has its form with AVX-512 if this processor has that. The page's command for the amalgamation is only
# checked: its code, which takes 20 seconds to make, is that of the library, and a test of its own compares the two.
#
# test_embedding.sh PROJECT C_COMPILER STATIC_LIBRARY [TOOL]
#
# With TOOL, the page's command checks what the page's code says of the suite.
# Ends with 77 where the C++ compiler beside the C compiler, or make, is missing.
set -u
project=$1
cc=$2
library=$3

. "$(dirname "$0")/common.sh"
cxx=$(cxx_of "$cc")
if [ "$cxx" = "$cc" ] || ! command -v "$cxx" >/dev/null || ! command -v make >/dev/null; then
    skip "embedding: no C++ compiler beside $cc, or no make"
fi

# blocks PAGE LANGUAGE HEADING: the blocks of that language that stand directly below that heading, one after another.
blocks() {
    awk -v language="$2" -v heading="$3" '
        /^```/ { inside = !inside; wanted = inside && below && $0 == "```" language; next }
        inside { if (wanted) { print; found = 1 }; next }
        /^#/ { title = $0; sub(/^#+ /, "", title); below = title == heading }
        END { exit !found }' "$project/docs/$1.md" ||
        fail "docs/$1.md has no $2 code below the heading '$3'" >&2
}

"$project/scripts/amalgamate" "$work" || fail "scripts/amalgamate ends with $?"
cp "$project"/tests/build/embedding/* "$project"/include/seebatch_see*.h "$project/bench/replay.h" "$work"
{
    echo '#include "stockfish_like.h"'
    blocks engine-recipes cpp 'An engine like Stockfish'
    blocks engine-recipes cpp 'Captures of a node, like Stockfish'
} >"$work/stockfish.cc"
{
    echo '#include "clockwork_like.h"'
    blocks engine-recipes cpp 'An engine like Clockwork or Rose'
} >"$work/clockwork.cc"
{
    echo '#include "alexandria_like.h"'
    blocks engine-recipes cpp 'An engine like Alexandria'
} >"$work/alexandria.cc"
{
    echo '#include "berserk_like.h"'
    blocks engine-recipes c 'An engine like Berserk'
} >"$work/berserk.c"
{
    echo '#include "demolito_like.h"'
    blocks engine-recipes c 'An engine like Demolito'
} >"$work/demolito.c"
{
    echo '#include "weiss_like.h"'
    blocks engine-recipes c 'An engine like Weiss'
} >"$work/weiss.c"
{
    echo '#include "weiss_like.h"'
    blocks engine-recipes c 'Weiss with its mailbox'
} >"$work/weiss_mailbox.c"
{
    echo '#include "ethereal_like.h"'
    blocks engine-recipes c 'An engine like Ethereal'
    blocks engine c 'Check the rules'
    blocks engine c 'Measure the library'
    blocks engine c 'Measure it'
    blocks engine c 'Call it'
} >"$work/ethereal.c"
{ # the header without a mailbox, and the replay without the library
    echo '#include "ethereal_like.h"'
    blocks engine c 'Copy it and call it'
    blocks engine c 'Check the rules'
    blocks engine c 'Measure it'
    blocks engine c 'Call it'
} >"$work/plain.c"
machine=
case "$(uname -m)$(cat /proc/cpuinfo 2>/dev/null)" in
x86_64*avx512_vbmi*avx512_bitalg*) machine='-march=x86-64-v4 -mavx512bitalg -mavx512vbmi' ;;
esac
cp "$work/ethereal_main.c" "$work/plain_main.c"
cp "$work/weiss_main.c" "$work/weiss_mailbox_main.c"
cat "$project/tests/data/games.fen" "$project/tests/data/random.fen" >"$work/positions"
for name in stockfish clockwork alexandria berserk demolito weiss weiss_mailbox plain ethereal; do # a makefile as the engine's, with the lines of the page
    {
        echo "OBJECTS = $name.o ${name}_main.o"
        blocks engine make 'Add it to the makefile'
        # shellcheck disable=SC2016 # make expands it
        printf 'engine: $(OBJECTS)\n\t$(CXX) $(OBJECTS) -pthread -o %s\n' $name
    } >"$work/$name.make"
    if [ ! -e "$work/seebatch.o" ]; then
        (cd "$work" && make -n -f $name.make CC="$cc -Wall -Wextra $werror -fsyntax-only" seebatch.o | tee command | sh -e) \
            >"$work/log" 2>&1 || fail "the page's command for seebatch.o" "$work/log"
        grep -q ' -o seebatch.o\| -c .*seebatch.c' "$work/command" || fail "the page's command makes no seebatch.o" "$work/command"
        ld -r -o "$work/seebatch.o" --whole-archive "$library" || fail "seebatch.o of the library"
    fi
    make -C "$work" -f $name.make CC="$cc" CXX="$cxx" CFLAGS="-std=c11 -O2 -Wall -Wextra -Wpedantic $werror -I. $machine" \
        CXXFLAGS="-std=c++17 -O2 -Wall -Wextra -Wpedantic $werror -I. $machine" engine >"$work/log" 2>&1 ||
        fail "$name does not build" "$work/log"
    (cd "$work" && "./$name" positions) || fail "$name ends with $?"
done

# The code of the page about files in C compiles, within a function that has its arrays.
{
    echo '#include "seebatch_io.h"'
    echo 'typedef void use_records(const seebatch_position *positions, const seebatch_move *moves, size_t n);'
    echo 'void read_all(seebatch_position *positions, seebatch_move *moves, use_records *use);'
    echo 'void read_all(seebatch_position *positions, seebatch_move *moves, use_records *use) {'
    blocks io c Reading
    echo '}'
} >"$work/reading.c"
# shellcheck disable=SC2086 # a list of words
"$cc" -std=c11 -Wall -Wextra -Wpedantic $werror -I"$project/include" -fsyntax-only "$work/reading.c" >"$work/log" 2>&1 ||
    fail "the code of docs/io.md does not compile" "$work/log"

# The page's command finds no difference in the suite, and finds one if the rules are others.
if [ -n "${4-}" ]; then
    command=$(sed -n 's/^seebatch \(verify .* answers.txt\)$/\1/p' "$project/docs/engine.md")
    [ -n "$command" ] || fail "docs/engine.md has no command that checks the rules"
    (cd "$work" && ./plain suite "$project/suite/suite.tsv") >"$work/answers.txt" || fail "the suite is not answered"
    [ "$(wc -l <"$work/answers.txt")" -gt 100 ] || fail "few answers" "$work/answers.txt"
    # shellcheck disable=SC2086 # a command line
    (cd "$work" && "$4" $command) >"$work/log" 2>&1 || fail "seebatch $command" "$work/log"
    # shellcheck disable=SC2086
    (cd "$work" && "$4" $(echo "$command" | sed 's/ethereal,[^ ]*/swap/')) >"$work/log" 2>&1 && fail "the suite does not notice other rules"
    echo "ok: the page's code answers the suite"
fi

# What the engine recorded is asked again: answers are equal; they are not; a line cannot be read. The stand-in's own
# function calls the library, whose code all copies share, so no time is printed.
for engine in plain ethereal; do
    (cd "$work" && "./$engine" replay questions.tsv >log 2>&1)
    [ $? -eq 2 ] || fail "the replay of $engine does not end with 2" "$work/log"
    grep -q '^[0-9]* questions, all answers equal$' "$work/log" || fail "no count" "$work/log"
    grep -q '^no ratios: .*always_inline' "$work/log" || fail "shared code is not noticed" "$work/log"
    grep -q 'ns each' "$work/log" && fail "times of copies that share code" "$work/log"
done
replay() { (cd "$work" && env "$@" ./ethereal replay questions.tsv >log 2>&1); }
replay CHANGED=1 && fail "different answers pass"
grep -q 'the engine says [01], the header [01]$' "$work/log" || fail "no word of different answers" "$work/log"
echo "8/8 w - -" >>"$work/questions.tsv"
replay A= && fail "a line without a move passes"
grep -q 'wanted FEN, TAB, move, TAB, threshold' "$work/log" || fail "no word of the line" "$work/log"

# What is printed for given times, and that code which copies share is seen, with each compiler and with what inlines.
ratios() { # ratios NAME COMPILER FLAGS...
    program=$work/$1
    shift
    # shellcheck disable=SC2086 # a list of words
    "$@" -O2 -Wall -Wextra -Wpedantic -Wmissing-declarations -Wshadow -Wconversion -Wsign-conversion $werror -I"$work" \
        "$work/replay_ratios.c" -o "$program" >"$work/log" 2>&1 || fail "replay_ratios.c: $*" "$work/log"
}
awk 'BEGIN { for (i = 0; i < 4000; i++) printf "position %d\t%d\t%d\n", i / 4, i * 7919 % 65536, 20 + i % 60 }' >"$work/asked.tsv"
for language in "$cc -std=c11" "$cxx -x c++ -std=c++17"; do
    # shellcheck disable=SC2086
    ratios ratios $language
    "$work/ratios" >"$work/log" || fail "the processes do not decide whether ratios are printed" "$work/log"
    grep -q "^agree, ns each: engine 20.0 (1.000), engine's clone 20.2 (1.010), header 15.0 (0.750)$" "$work/log" || fail "other ratios" "$work/log"
    grep -q "^few, ns each: engine 20.0, engine's clone 20.6, header 15.0$" "$work/log" || fail "a ratio of too few processes" "$work/log"
    grep -q "header 15.0 (no ratio: 0.700 to 0.800)$" "$work/log" || fail "a ratio of processes that differ" "$work/log"
    grep -q 'differ in every process, so their place in memory matters' "$work/log" || fail "no word of the place" "$work/log"
    grep -q "^busy, ns each: engine 20.0, engine's clone 20.2, header 15.0$" "$work/log" || fail "a ratio while others use the core" "$work/log"
    grep -q '^no ratios: in 21 of 25 processes, other programs disturbed' "$work/log" || fail "no word of other programs" "$work/log"
    grep -q "^cold, ns each: engine 20.0, engine's clone 20.2, header 15.0$" "$work/log" || fail "a ratio of cold passes" "$work/log"
    grep -q '^none: no times$' "$work/log" || fail "times where there are none" "$work/log"
    # shellcheck disable=SC2086
    ratios shared $language -DSHARED
    "$work/shared" "$work/asked.tsv" >"$work/log" && fail "ratios of copies that share code" "$work/log"
    grep -q '^no ratios: .*always_inline' "$work/log" || fail "shared code is not noticed" "$work/log"
done
case $(uname -s)$(uname -m) in
Linuxx86_64)
    ratios few_processes "$cc" -std=c11 -DREPLAY_MOST_PROCESSES=5
    "$work/few_processes" "$work/asked.tsv" >"$work/log"
    case $? in 0 | 2) ;; *) fail "the replay ends with $?" "$work/log" ;; esac # 2: the machine was not quiet
    for cache in warm cold; do
        grep -q "^$cache, ns each: engine [0-9].*, engine's clone .*, header [0-9]\|^$cache: no times" "$work/log" || fail "no $cache times" "$work/log"
    done
    # The library's rows, beside an engine's function that is seebatch_see.h itself.
    "$cc" -std=c11 -O2 -Wall -Wextra -Wpedantic $werror -I"$work" -DREPLAY_MOST_PROCESSES=1 "$work/replay_library.c" "$work/seebatch.o" -pthread \
        -o "$work/replay_library" >"$work/log" 2>&1 || fail "replay_library.c does not build" "$work/log"
    "$work/replay_library" record <"$work/positions" >"$work/library.tsv" || fail "no questions for the library"
    "$work/replay_library" "$work/library.tsv" >"$work/log"
    case $? in 0 | 2) ;; *) fail "the replay with the library ends with $?" "$work/log" ;; esac
    for cache in warm cold; do
        grep -q "^$cache, ns each: engine [0-9].*, header .*, one call for hundreds of nodes [0-9]\|^$cache: no times" "$work/log" ||
            fail "no $cache times of the library" "$work/log"
    done
    ;;
esac
# A program that is compiled for a profile is told so.
case $cc in
*gcc*)
    ratios profiled "$cc" -std=c11 -fprofile-generate -fprofile-update=single
    (cd "$work" && ./profiled asked.tsv >log 2>&1) && fail "times of a program that counts" "$work/log"
    grep -q '^no times: this program counts' "$work/log" || fail "no word of the profile" "$work/log"
    ;;
esac
# A program that is compiled with a profile in which the copies are never executed is told so, and one whose profile has them
# is not.
case $(uname -s)$cc in
Linux*gcc*)
    for run in "" asked.tsv; do
        rm -f "$work"/profiled-*.gcda
        ratios profiled "$cc" -std=c11 -DREPLAY_MOST_PROCESSES=1 -fprofile-generate -fprofile-update=single
        # shellcheck disable=SC2086 # no argument, or one
        (cd "$work" && ./profiled $run >log 2>&1)
        ratios profiled "$cc" -std=c11 -DREPLAY_MOST_PROCESSES=1 -fprofile-use
        (cd "$work" && ./profiled asked.tsv >log 2>&1)
        grep -q '^no times: by the profile of this build' "$work/log" && told=yes || told=no
        case $run:$told in
        :yes | asked.tsv:no) ;;
        *) fail "the profile of a run with '$run': told: $told" "$work/log" ;;
        esac
    done
    ;;
esac
echo "ok: questions are recorded and replayed"

# The example compiles by itself, as C and as C++.
for compile in "$cc -std=c11" "$cxx -x c++ -std=c++17"; do
    # shellcheck disable=SC2086 # a list of words
    $compile -O2 -Wall -Wextra -Wpedantic $werror -I"$project/include" "$project/examples/see.c" -o "$work/see" >"$work/log" 2>&1 ||
        fail "examples/see.c: $compile" "$work/log"
    "$work/see" >"$work/log" || fail "examples/see.c ends with $?"
    grep -qx 'e2e5 wins at least -500: yes' "$work/log" && grep -qx 'e2e5 wins at least -400: no' "$work/log" ||
        fail "examples/see.c: the queen is lost for a knight and a pawn" "$work/log"
done
echo "ok: the example with the header"

# The predicate for nnue-pytorch's loader, against a stub of that loader's chess.h.
mkdir "$work/conditions"
grep -v '^#' "$project/io/conditions.txt" | while read -r file; do
    "$cc" -std=c11 -O1 -D_XOPEN_SOURCE=700 -I"$project/include" -I"$project/io" -c "$project/io/$file" \
        -o "$work/conditions/$(basename "$file" .c).o" >"$work/log" 2>&1 || exit
done || fail "the conditions for nnue-pytorch's loader" "$work/log"
"$cxx" -std=c++17 -O1 -Wall -Wextra -Wpedantic -Wshadow $werror -I"$work" -I"$project/examples" -I"$project/include" \
    "$work/nnue_pytorch_main.cc" "$work"/conditions/*.o "$library" -lpthread -o "$work/nnue_pytorch" >"$work/log" 2>&1 || fail "examples/nnue_pytorch.h" "$work/log"
"$work/nnue_pytorch" || fail "the predicate for nnue-pytorch's loader"
echo "ok: the predicate for nnue-pytorch's loader"

# calls FILE FUNCTION: what a function calls, by its relocations.
calls() {
    objdump --disassemble --reloc "$work/$1" | c++filt |
        awk -v f="$2" '/^[0-9a-f]+ </ { inside = index($0, "<" f) } inside && /R_X86_64_(PLT32|PC32|GOTPCREL)/ { print $3 }' |
        sed 's/[-+]0x[0-9a-f]*$//' | grep 'seebatch_[a-z]*' | grep -v '^\.\|seebatch_see_' | sort -u | tr '\n' ' '
}
if [ "$(uname -m)" = x86_64 ]; then
    for case in "ethereal.o markGoodMoves" "stockfish.o bad_captures_last"; do
        # shellcheck disable=SC2086 # a list of words
        called=$(calls $case)
        case $called in
        "seebatch_ge_mask " | "seebatch_ge_mask_each ") ;;
        *) fail "$case calls: $called" ;;
        esac
    done
    echo "ok: positions and moves are converted without a call"
fi
