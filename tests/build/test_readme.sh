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
failed=0

# block N: the N-th fenced block of the README.
block() {
    awk -v n="$1" '/^```/ { inside = !inside; count += inside; next } inside && count == n' "$project/README.md"
}

same() {
    if cmp -s "$work/expected" "$work/got" && [ -s "$work/expected" ]; then
        echo "ok: $1"
    else
        echo "FAILED: $1 does not print what the README shows"
        diff "$work/expected" "$work/got"
        failed=1
    fi
}

{
    echo '#include <seebatch.h>'
    echo 'void five_lines(const uint64_t by_type[6], const uint64_t by_color[2], int side_to_move,'
    echo '                const seebatch_move *moves, size_t n);'
    echo 'void five_lines(const uint64_t by_type[6], const uint64_t by_color[2], int side_to_move,'
    echo '                const seebatch_move *moves, size_t n)'
    echo '{'
    block 1
    echo '}'
} >"$work/five_lines.c"
if "$compiler" -std=c11 -Wall -Wextra -Werror -I"$project/include" -c "$work/five_lines.c" -o "$work/five_lines.o"; then
    echo 'ok: the five lines'
else
    failed=1
fi

block 2 | sed -n '2,$p' >"$work/expected"
mkdir -p "$work/build/bin"
cp "$tool" "$work/build/bin/seebatch"
command=$(block 2 | sed -n '1s/^\$ //p')
(cd "$work" && sh -c "$command") >"$work/got"
same 'the example command'

exit $failed
