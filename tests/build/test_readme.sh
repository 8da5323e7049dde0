#!/bin/sh
# What the README shows works as printed: its program compiles without warnings and prints what stands below it, and so does
# its command.
#
# test_readme.sh PROJECT COMPILER STATIC_LIBRARY TOOL
set -u
project=$1
compiler=$2
library=$3
tool=$4

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
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

block 2 >"$work/example.c"
block 3 >"$work/expected"
"$compiler" -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$project/include" "$work/example.c" "$library" -o "$work/example" &&
    "$work/example" >"$work/got"
same 'the example program'

block 4 | sed -n '2,$p' >"$work/expected"
mkdir -p "$work/build/bin"
cp "$tool" "$work/build/bin/seebatch"
command=$(block 4 | sed -n '1s/^\$ //p')
(cd "$work" && sh -c "$command") >"$work/got"
same 'the example command'

exit $failed
