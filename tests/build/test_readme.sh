#!/bin/sh
# What the README shows works as printed: its five lines compile without warnings, and its command prints what stands
# below it.
#
# test_readme.sh PROJECT COMPILER TOOL
set -u
project=$1
compiler=$2
tool=$3

. "$(dirname "$0")/common.sh"
# block N: the N-th fenced block of the README.
block() {
    awk -v n="$1" '/^```/ { inside = !inside; count += inside; next } inside && count == n' "$project/README.md"
}

{
    echo '#include <seebatch.h>'
    signature='void five_lines(const uint64_t by_type[6], const uint64_t by_color[2], int side_to_move, const seebatch_move *moves, size_t n)'
    printf '%s;\n%s\n{\n' "$signature" "$signature"
    block 2
    echo '}'
} >"$work/five_lines.c"
"$compiler" -std=c11 -Wall -Wextra $werror -I"$project/include" -c "$work/five_lines.c" -o "$work/five_lines.o" >"$work/log" 2>&1 ||
    fail "the five lines do not compile" "$work/log"

block 3 | sed -n '2,$p' >"$work/expected"
mkdir -p "$work/build/bin"
cp "$tool" "$work/build/bin/seebatch"
command=$(block 3 | sed -n '1s/^\$ //p')
(cd "$work" && sh -c "$command") >"$work/got"
[ -s "$work/expected" ] || fail "the README shows no example"
diff "$work/expected" "$work/got" >"$work/log" || fail "the example command does not print what the README shows" "$work/log"
echo 'ok: the five lines, and the example command'
