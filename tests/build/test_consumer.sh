#!/bin/sh
# An installed copy is found and works: by CMake (static and shared), by pkg-config (shared, static, as C++), and a project
# that builds seebatch as a part of itself works too, by add_subdirectory and by FetchContent. The copy is moved after installing, and names no path of its build.
#
# test_consumer.sh PROJECT BUILD BUILD_TYPE CMAKE C_COMPILER
set -eu
project=$1
build=$2
build_type=$3
cmake=$4
cc=$5

. "$(dirname "$0")/common.sh"
major=$(sed -n 's/^#define SEEBATCH_VERSION_MAJOR //p' "$project/include/seebatch.h")
step() {
    echo "-- $1"
}
# configure_and_build DIRECTORY OPTION: a project of tests/build/consumer, into $work/DIRECTORY; with the kernels of the build.
configure_and_build() {
    if ! "$cmake" -S "$work/consumer/$1" -B "$work/$1" -DCMAKE_C_COMPILER="$cc" -DMAJOR="$major" \
        -DCMAKE_C_COMPILER_LAUNCHER="sh;$project/tests/build/given_objects.sh;$build;every" "$2" >"$work/log" 2>&1 ||
        ! "$cmake" --build "$work/$1" --parallel 2 >>"$work/log" 2>&1; then
        fail "$1" "$work/log"
    fi
    "$work/$1/with_static" || fail "the static library: $1"
    "$work/$1/with_shared" || fail "the shared library: $1"
}

step "install, then move the copy"
# Nothing of the caller's may lead elsewhere.
unset DESTDIR CMAKE_PREFIX_PATH PKG_CONFIG_PATH LD_LIBRARY_PATH LIBRARY_PATH CPATH || true
"$cmake" --install "$build" --prefix "$work/first" >"$work/log" || fail "cmake --install" "$work/log"
mv "$work/first" "$work/moved"
prefix=$work/moved
libdir=$(dirname "$(find "$prefix" -name libseebatch.a)")
for file in "$prefix"/include/seebatch.h "$prefix"/include/seebatch_io.h "$prefix"/include/seebatch_arrow.h "$prefix"/bin/seebatch "$prefix"/share/doc/seebatch/LICENSE \
    "$prefix"/share/man/man1/seebatch.1 "$prefix"/share/man/man1/seebatch-filter.1 "$prefix"/share/bash-completion/completions/seebatch \
    "$prefix"/share/zsh/site-functions/_seebatch "$libdir"/libseebatch.a "$libdir"/libseebatch.so "$libdir"/libseebatch_io.a \
    "$libdir"/libseebatch_io.so "$libdir"/pkgconfig/seebatch.pc "$libdir"/pkgconfig/seebatch_io.pc "$libdir"/cmake/seebatch/seebatch-config.cmake; do
    test -f "$file" || fail "not installed: $file"
done
readelf --dynamic --wide "$libdir/libseebatch.so" | grep -q 'SONAME.*\[libseebatch\.so\.[0-9]*\]' ||
    fail "libseebatch.so has no SONAME with a version"
"$prefix/bin/seebatch" info >/dev/null || fail "the installed tool does not run"

step "nothing installed names a directory of the build"
text=I # with -g and asserts the libraries name their sources
[ "$build_type" != Release ] || text=''
for directory in "$project" "$build" "$work/first"; do
    named=$(grep -rlF$text -e "$directory" "$prefix" || true)
    [ -z "$named" ] || fail "$directory is named in: $named"
done

step "CMake package"
cp -r "$project/tests/build/consumer" "$work/consumer"
cp "$project/examples/losing_captures.c" "$work/consumer"
configure_and_build package -DCMAKE_PREFIX_PATH="$prefix"
# The example counts what the tool counts.
games=$project/tests/data/games.fen
expected=$("$prefix/bin/seebatch" eval "$games" | awk '$NF < 0 { n++ } END { print n " of " NR " captures lose" }')
counts_losing() {
    [ "$("$1" "$games")" = "$games: $expected" ] || fail "seebatch_io: $1"
}
counts_losing "$work/package/io_static"
counts_losing "$work/package/io_shared"
needs_library() {
    readelf --dynamic --wide "$1" | grep -q 'NEEDED.*libseebatch'
}
needs_library "$work/package/with_shared" || fail "seebatch::seebatch_shared does not link the shared library"
! needs_library "$work/package/with_static" || fail "seebatch::seebatch links the shared library"

step "CMake package, without pkg-config"
"$cmake" -S "$work/consumer/package" -B "$work/bare" -DCMAKE_C_COMPILER="$cc" -DMAJOR="$major" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON >"$work/log" 2>&1 && "$cmake" --build "$work/bare" >>"$work/log" 2>&1 ||
    fail "the CMake package without pkg-config" "$work/log"
counts_losing "$work/bare/io_static"
counts_losing "$work/bare/io_shared"

step "pkg-config"
export PKG_CONFIG_PATH="$libdir/pkgconfig"
source=$project/tests/build/consumer/consumer.c example=$work/consumer/losing_captures.c
# shellcheck disable=SC2046 # the flags are words
{
    "$cc" -std=c11 -Wall -Wextra $werror "$source" $(pkg-config --cflags --libs seebatch) -o "$work/pc_shared"
    "$cc" -std=c11 "$source" -static $(pkg-config --static --cflags --libs seebatch) -o "$work/pc_static"
    "$cc" -xc++ -std=c++17 -Wall -Wextra $werror "$source" -xnone $(pkg-config --cflags --libs seebatch) -o "$work/pc_cxx"
    "$cc" -std=c11 -Wall -Wextra $werror "$example" $(pkg-config --cflags --libs seebatch_io) -o "$work/pc_io_shared"
    # simdjson may be there as a shared library alone.
    mkdir "$work/archives" && cp "$libdir"/*.a "$work/archives"
    "$cc" -std=c11 "$example" -L"$work/archives" $(pkg-config --static --cflags --libs seebatch_io) -o "$work/pc_io_static"
}
! needs_library "$work/pc_io_static" || fail "the static library of files by pkg-config is the shared one"
"$work/pc_static" || fail "the static library by pkg-config"
counts_losing "$work/pc_io_static"
export LD_LIBRARY_PATH="$libdir"
counts_losing "$work/pc_io_shared"
"$work/pc_shared" || fail "the shared library by pkg-config"
"$work/pc_cxx" || fail "the shared library by pkg-config, from C++"
unset LD_LIBRARY_PATH

step "add_subdirectory, without simdjson"
configure_and_build subdirectory -DSEEBATCH_SOURCE="$project"
counts_losing "$work/subdirectory/io_static"
if "$work/subdirectory/io_static" "$work/some.jsonl" >"$work/log" 2>&1; then
    fail "a build without simdjson takes JSON lines"
fi
grep -q 'this build does not read jsonl, because simdjson was missing when it was built' "$work/log" || fail "without simdjson" "$work/log"

step "FetchContent, from a git repository"
command -v git >/dev/null || skip "FetchContent: there is no git here"
mkdir "$work/repository"
for path in CMakeLists.txt LICENSE cmake docs include src; do # what the library needs, and no more
    cp -r "$project/$path" "$work/repository"
done
git_here() {
    git -C "$work/repository" -c user.name=test -c user.email=test@example.org -c init.defaultBranch=main "$@"
}
git_here init --quiet
git_here add .
git_here commit --quiet -m 'a copy'
# What it fetches is built by add_subdirectory, as above: here it is enough that it is found, with its targets.
"$cmake" -S "$work/consumer/fetchcontent" -B "$work/fetchcontent" -DCMAKE_C_COMPILER="$cc" \
    -DSEEBATCH_REPOSITORY="file://$work/repository" >"$work/log" 2>&1 || fail "fetchcontent" "$work/log"
"$cmake" --build "$work/fetchcontent" --target help | grep 'with_static' >/dev/null || fail "fetchcontent: no target with_static"
