#!/bin/sh
# The example engine as a stranger builds it: by its makefile with the amalgamation, without warnings, and by its
# CMakeLists.txt with an installed copy. Both search the same nodes.
#
# test_example.sh PROJECT BUILD CMAKE C_COMPILER
set -u
project=$1
build=$2
cmake=$3
cc=$4

. "$(dirname "$0")/common.sh"
# nodes PROGRAM: what its bench counts.
nodes() {
    "$1" bench 5 1 >"$work/log" 2>&1 || fail "$1 bench ends with $?" "$work/log"
    sed -n 's/^nodes  *//p' "$work/log"
}

mkdir "$work/engine"
cp "$project"/examples/engine/*.[ch] "$project"/examples/engine/Makefile "$project"/examples/engine/CMakeLists.txt "$work/engine"
rm -f "$work/engine"/seebatch.[ch] # which a build in the source tree may have left there

"$cmake" --install "$build" --prefix "$work/installed" >"$work/log" 2>&1 || fail "cmake --install ends with $?" "$work/log"
unset CMAKE_PREFIX_PATH
{
    "$cmake" -S "$work/engine" -B "$work/cmake" -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$work/installed" &&
        "$cmake" --build "$work/cmake"
} >"$work/log" 2>&1 || fail "it does not build with CMake" "$work/log"
installed=$(nodes "$work/cmake/example_engine") || fail "$installed"

command -v make >/dev/null || skip "example: the makefile: there is no make"
"$project/scripts/amalgamate" "$work/engine" || fail "scripts/amalgamate ends with $?"
make -C "$work/engine" CC="$cc" CFLAGS='-std=c11 -O1 -Wall -Wextra -Wpedantic -Werror' >"$work/log" 2>&1 ||
    fail "it does not build with make" "$work/log"
amalgamated=$(nodes "$work/engine/example_engine") || fail "$amalgamated"

[ "$(echo "$installed" | wc -l)" = 2 ] || fail "bench counts no nodes: $installed"
[ "$installed" = "$amalgamated" ] || fail "other nodes with an installed library ($installed) than amalgamated ($amalgamated)"
echo "ok: nodes" $installed
