#!/bin/sh
# What the README and docs/install.md show works as printed: the first lines of the header and of the library, the code with
# each, which compiles without warnings and answers right, the program in Python, and the two commands of the tool.
#
# test_readme.sh PROJECT COMPILER TOOL
set -u
project=$1
compiler=$2
tool=$3

. "$(dirname "$0")/common.sh"
# block PAGE WORDS: the fenced block of a page that has these words; it fails unless there is one.
block() {
    awk -v words="$2" '/^```/ { if (inside && index(text, words)) { n++; found = text } inside = !inside; text = ""; next }
        inside { text = text $0 "\n" } END { printf "%s", found; exit n != 1 }' "$project/$1" || fail "$1 has not one block with $2" >&2
}

block docs/install.md seebatch_see_ge >"$work/see.c"
(mkdir "$work/own" && ln -s "$project" "$work/seebatch" && cd "$work/own" && sh -c "$(first_lines "$project" | grep seebatch_see.h)" && mv seebatch_see.h ..) >"$work/log" 2>&1 ||
    fail "the header cannot be copied as printed" "$work/log"
cat >>"$work/see.c" <<'END'

/* Kings on a1 and a8, a white rook on e1, a black pawn on e5, which a pawn on d6 defends or not. */
int main(void) {
    uint64_t types[6] = {UINT64_C(1) << 36, 0, 0, UINT64_C(1) << 4, 0, 1 | UINT64_C(1) << 56};
    uint64_t colors[2] = {1 | UINT64_C(1) << 4, UINT64_C(1) << 36 | UINT64_C(1) << 56};
    const uint64_t d6 = UINT64_C(1) << 43;
    const bool wins = see_ge(types, colors, 0, 4, 36, 3, 0, 100) && !see_ge(types, colors, 0, 4, 36, 3, 0, 101);
    types[0] |= d6;
    colors[1] |= d6;
    return !(wins && see_ge(types, colors, 0, 4, 36, 3, 0, -400) && !see_ge(types, colors, 0, 4, 36, 3, 0, -399));
}
END
"$compiler" -std=c11 -Wall -Wextra -Werror -I"$work" "$work/see.c" -o "$work/see" >"$work/log" 2>&1 ||
    fail "the code with the header does not compile" "$work/log"
"$work/see" || fail "the code with the header answers wrongly"

block docs/install.md values_of_node >"$work/node.c"
cat >>"$work/node.c" <<'END'

/* The same board as above: the rook takes a pawn, and is taken by the pawn on d6. */
int main(void) {
    const uint64_t e1 = 1 << 4, e5 = UINT64_C(1) << 36, d6 = UINT64_C(1) << 43, a8 = UINT64_C(1) << 56;
    const uint64_t types[6] = {e5 | d6, 0, 0, e1, 0, 1 | a8}, colors[2] = {1 | e1, e5 | d6 | a8};
    const seebatch_move moves[2] = {seebatch_make_move(4, 36, 0), seebatch_make_move(4, 12, 0)};
    int16_t values[2];
    values_of_node(types, colors, SEEBATCH_WHITE, SEEBATCH_NO_SQUARE, moves, 2, values);
    return values[0] != -400 || values[1] != 0;
}
END
line=$(first_lines "$project" | grep amalgamate | sed "s#&& cc -O3#\&\& $compiler -O1#")
(cd "$work/own" && sh -c "$line" && mv seebatch.h seebatch.o ..) >"$work/log" 2>&1 ||
    fail "the library is not made as printed" "$work/log"
"$compiler" -std=c11 -Wall -Wextra -Werror -Wno-missing-prototypes "$work/node.c" "$work/seebatch.o" -o "$work/node" -lpthread \
    >"$work/log" 2>&1 || fail "the code with the library does not compile" "$work/log"
"$work/node" || fail "the code with the library answers wrongly"

block README.md '$ echo' | sed -n '2,$p' >"$work/expected"
mkdir -p "$work/build/bin"
cp "$tool" "$work/build/bin/seebatch"
command=$(block README.md '$ echo' | sed -n '1s/^\$ //p')
(cd "$work" && sh -c "$command") >"$work/got"
[ -s "$work/expected" ] || fail "the README shows no example"
diff "$work/expected" "$work/got" >"$work/log" || fail "the example command does not print what the README shows" "$work/log"
cp "$project/tests/data/formats/own.binpack" "$work/games.binpack"
(cd "$work" && sh -c "$(block README.md "filter --keep")") >"$work/log" 2>&1 || fail "the filter command does not run as printed" "$work/log"
kept=$("$tool" filter --quiet --count "$work/quiet.binpack")
[ "$kept" = 231 ] || fail "the filter command keeps $kept positions, expected 231"
line=$(first_lines "$project" | grep 'seebatch stats')
[ "$(block docs/install.md 'seebatch stats')" = "$line" ] || fail "README.md and docs/install.md begin differently with the tool"
(cd "$work" && mkdir own/bin && ln -s "$tool" own/bin/seebatch && PATH="$work/own/bin:$PATH" sh -c "${line##*/}") >"$work/log" 2>&1 ||
    fail 'the first line of the tool does not run' "$work/log"
block docs/install.md 'import csv' >"$work/program.py"
/usr/bin/python3 -c "compile(open('$work/program.py').read(), 'docs/install.md', 'exec')" || fail "the program in Python does not compile"
echo 'ok: the header, the library, and both commands'
