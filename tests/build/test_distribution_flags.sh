#!/bin/sh
# A build by the flags of distributions, which have link-time optimisation (-flto) and checked functions (_FORTIFY_SOURCE=3). The
# library's objects hold machine code, each with the instructions of its processors alone; the shared library exports what it
# exports without these flags; a test that replaces a function of the library links and passes. Files are compiled with the checked
# functions that the flags ask for, except kernels, which would be slower.
#
# Compiled without optimisation, because the kernels take a minute with it.
#
# test_distribution_flags.sh PROJECT CMAKE C_COMPILER SHARED_LIBRARY
set -eu
project=$1
cmake=$2
cc=$3
library=$4
. "$(dirname "$0")/common.sh"
unset CFLAGS CXXFLAGS CPPFLAGS LDFLAGS || true

configure() {
    "$cmake" -S "$project" -B "$work/build" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$(cxx_of "$cc")" \
        -DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DSEEBATCH_TOOL=ON -DSEEBATCH_BENCH=OFF \
        -DSEEBATCH_TESTS=ON "$@" >"$work/log" 2>&1 || fail "the configuration" "$work/log"
}
# level FILE EXPECTED: _FORTIFY_SOURCE of a source file, as the preprocessor sees it by the file's command.
level() {
    command=$(sed -n 's#.*"command": "\(.*\) -o [^ ]*seebatch_[io_]*\(objects\|tool\)\.dir.* -c .*/'"$1"'".*#\1#p' "$work/build/compile_commands.json")
    [ -n "$command" ] || fail "there is no command for $1"
    found=$(cd "$work/build" && eval "$command -dM -E $project/$1" 2>"$work/log" | sed -n 's/^#define _FORTIFY_SOURCE //p')
    [ "$found" = "$2" ] || fail "$1 is compiled with _FORTIFY_SOURCE '$found', not '$2'" "$work/log"
    (cd "$work/build" && eval "$command -fsyntax-only $project/$1") >"$work/log" 2>&1 || fail "$1 with $flags" "$work/log"
    ! grep warning "$work/log" || fail "$1: warnings with $flags"
}
# As openSUSE and Ubuntu give the level, and as Arch Linux and Fedora do: by an option that the preprocessor reads after all others.
for fortified in -D_FORTIFY_SOURCE=3 -Wp,-D_FORTIFY_SOURCE=3; do
    flags="-O2 -flto $fortified"
    configure
    for file in io/files/stream.c tools/main.c src/board/fen.c; do level $file 3; done
    case $(uname -m) in x86_64 | amd64) for folder in avx2 avx512; do level src/$folder/kernel.c ''; done ;; esac
done

flags=-flto
configure -DSEEBATCH_OPTIMIZE=OFF
"$cmake" --build "$work/build" --parallel 2 --target seebatch_shared test_dispatch >"$work/log" 2>&1 ||
    fail "a build with $flags" "$work/log"
! grep -i 'warning' "$work/log" || fail "warnings of a build with $flags"

find "$work/build/CMakeFiles/seebatch_objects.dir" -name '*.o' >"$work/objects"
while read -r object; do
    if LC_ALL=C readelf -SW "$object" | grep -q '\.gnu\.lto_'; then
        fail "an object of the library that is compiled once more by the linker: ${object##*/seebatch_objects.dir/}"
    fi
done <"$work/objects"
status=0
# shellcheck disable=SC2046 # a list of paths without spaces
python3 -B "$project/tests/build/test_machine_code.py" "$project" $(cat "$work/objects") || status=$?
[ $status -eq 0 ] || [ $status -eq 77 ] || fail "machine code of a build with $flags"
exported() {
    nm --dynamic --defined-only --with-symbol-versions "$1" | awk '{ print $NF }' | sort
}
exported "$library" >"$work/expected"
exported "$work/build/libseebatch.so" | diff "$work/expected" - || fail "other symbols are exported with $flags"
(cd "$project/tests" && "$work/build/bin/test_dispatch") >"$work/log" 2>&1 || fail "test_dispatch with $flags" "$work/log"
echo "ok: $flags: $(wc -l <"$work/objects") objects of machine code, exports, a replaced function, checked functions"
