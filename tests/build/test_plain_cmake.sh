#!/bin/sh
# `cmake -S . -B build && cmake --build build` on a machine with gcc, make and CMake alone: the library is built, installed and
# found, and the summary names what is left out and the packages that would bring it. What is asked for with ON and lacks
# something, what is misspelt, and a compiler that is too old end with one sentence or go on with the scalar code.
#
# Everything else is hidden: PATH has links to a few programs, and CMake looks nowhere besides.
#
# test_plain_cmake.sh PROJECT BUILD CMAKE C_COMPILER
set -eu
project=$1
build=$2
cmake=$(command -v "$3")
cc=$4

. "$(dirname "$0")/common.sh"
unset CC CXX CFLAGS LDFLAGS DESTDIR CMAKE_PREFIX_PATH CMAKE_C_COMPILER_LAUNCHER PKG_CONFIG_PATH LD_LIBRARY_PATH BUILD_SHARED_LIBS || true
mkdir "$work/bin"
for program in as ld ar ranlib nm strip objdump make sh cp grep dirname; do
    path=$(command -v $program) || skip "there is no $program here"
    ln -s "$path" "$work/bin/$program"
done
ln -s "$(command -v "$cc")" "$work/bin/gcc"
ln -s gcc "$work/bin/cc"

# bare COMMAND...: with those programs alone. The log of what fails is in $work/log.
bare() {
    env PATH="$work/bin" "$@" >"$work/log" 2>&1
}
# configure FOLDER OPTION...: this project.
configure() {
    folder=$1
    shift
    bare "$cmake" -S "$project" -B "$work/$folder" -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF \
        -DCMAKE_C_COMPILER_LAUNCHER="sh;$project/tests/build/given_objects.sh;$build;every" "$@"
}
# says PATTERN...: each is in the log, whose lines CMake breaks as it likes.
says() {
    tr -s '\n ' ' ' <"$work/log" >"$work/line"
    for pattern; do
        grep -q -e "$pattern" "$work/line" || fail "expected \"$pattern\" in the output" "$work/log"
    done
}
# refuses PATTERN OPTION...: the configuration ends with an error that has it.
refuses() {
    pattern=$1
    shift
    rm -rf "$work/refused"
    if configure refused "$@"; then fail "accepted: $*" "$work/log"; fi
    says "$pattern"
    echo "ok: refused: $*"
}
# uses FOLDER TARGETS: a project that finds what is installed in $work/FOLDER, and links each target.
uses() {
    mkdir "$work/$1-used"
    cp "$project/tests/build/consumer/consumer.c" "$work/$1-used"
    {
        printf 'cmake_minimum_required(VERSION 3.16)\nproject(consumer LANGUAGES C)\nfind_package(seebatch REQUIRED)\n'
        for target in $2; do
            echo "add_executable(with_$target consumer.c)
target_link_libraries(with_$target PRIVATE seebatch::$target)"
        done
    } >"$work/$1-used/CMakeLists.txt"
    bare "$cmake" -S "$work/$1-used" -B "$work/$1-used/build" -DCMAKE_PREFIX_PATH="$work/$1" &&
        bare "$cmake" --build "$work/$1-used/build" || fail "find_package: $1" "$work/log"
    for target in $2; do
        "$work/$1-used/build/with_$target" || fail "a program with seebatch::$target: $1"
    done
    echo "ok: find_package: $1: $2"
}

configure plain || fail "cmake -S . -B build" "$work/log"
says 'library (static and shared): built' \
    'seebatch_io): left out for want of [^(]*zlib[^(]*(Debian: pkg-config zlib1g-dev libzstd-dev)' \
    'tool (seebatch): left out for want of [^(]*jansson[^(]*(Debian: .*libjansson-dev)' \
    'benchmarks: left out for want of a C++ compiler, Google Benchmark (Debian: g++ libbenchmark-dev)' \
    'tests: left out for want of .*cmocka .*(Debian: .*libcmocka-dev'
bare "$cmake" --build "$work/plain" || fail "cmake --build build" "$work/log"
bare "$cmake" --install "$work/plain" --prefix "$work/both" || fail "cmake --install" "$work/log"
echo "ok: configured, built and installed"
uses both 'seebatch seebatch_shared'
if command -v pkg-config >/dev/null; then
    libdir=$(dirname "$(find "$work/both" -name libseebatch.a)")
    # shellcheck disable=SC2046 # the flags are words
    "$cc" "$project/tests/build/consumer/consumer.c" -o "$work/by_pkg_config" \
        $(PKG_CONFIG_PATH=$libdir/pkgconfig pkg-config --cflags --libs seebatch) || fail "pkg-config"
    LD_LIBRARY_PATH=$libdir "$work/by_pkg_config" || fail "the program by pkg-config"
    echo "ok: pkg-config"
fi

# One form of the library, as packagers ask for it.
for form in ON OFF; do
    configure plain -DBUILD_SHARED_LIBS=$form -USEEBATCH_STATIC -USEEBATCH_SHARED &&
        bare "$cmake" --build "$work/plain" && bare "$cmake" --install "$work/plain" --prefix "$work/shared-$form" ||
        fail "BUILD_SHARED_LIBS=$form" "$work/log"
    unwanted='libseebatch.so*'
    [ $form = OFF ] || unwanted=libseebatch.a
    [ -z "$(find "$work/shared-$form" -name "$unwanted")" ] || fail "BUILD_SHARED_LIBS=$form installs $unwanted"
    uses shared-$form seebatch
done

refuses 'SEEBATCH_TOOL is ON, but .*(Debian: .*libjansson-dev)' -DSEEBATCH_TOOL=ON
refuses 'SEEBATCH_IO is ON, but .*(Debian: .*zlib1g-dev libzstd-dev)' -DSEEBATCH_IO=ON
refuses 'SEEBATCH_JSON is ON, but .*(Debian: .*zlib1g-dev' -DSEEBATCH_JSON=ON
refuses 'SEEBATCH_BENCH is ON, but .*(Debian: g++ libbenchmark-dev)' -DSEEBATCH_BENCH=ON
refuses 'SEEBATCH_TESTS is ON, but .*(Debian: .*libcmocka-dev' -DSEEBATCH_TESTS=ON
refuses 'no option SEEBATCH_TOLL; did you mean SEEBATCH_TOOL?' -DSEEBATCH_TOLL=OFF
refuses 'no option SEEBATCH_WERRORS; did you mean SEEBATCH_WERROR?' -DSEEBATCH_WERRORS:BOOL=ON
refuses 'SEEBATCH_BENCH is "maybe"; expected ON, OFF or AUTO' -DSEEBATCH_BENCH=maybe
refuses 'both OFF' -DSEEBATCH_STATIC=OFF -DSEEBATCH_SHARED=OFF

# Within another project, the library alone, although nothing is hidden.
"$cmake" -S "$project/tests/build/consumer/fetchcontent" -B "$work/part" -DCMAKE_C_COMPILER="$cc" \
    -DFETCHCONTENT_SOURCE_DIR_SEEBATCH="$project" -DSEEBATCH_REPOSITORY=none >"$work/log" 2>&1 || fail "as a part of another" "$work/log"
"$cmake" --build "$work/part" --target help >"$work/log"
says seebatch_shared with_static
! grep -E 'seebatch_(io|tool|bench|differential)|test_|amalgamation' "$work/log" || fail "as a part of another project it builds more"
echo "ok: as a part of another project"

# refusing PATTERN: a compiler that does not take a command with it.
refusing() {
    printf '#!/bin/sh\n%s\nexec "%s" "$@"\n' "$1" "$work/bin/gcc" >"$work/bin/old-cc"
    chmod +x "$work/bin/old-cc"
}
refusing 'for word; do [ "$word" != -mavx2 ] || { echo "old-cc: error: -mavx2: no such option" >&2; exit 1; }; done'
case $(uname -m) in
x86_64 | amd64)
    bare "$cmake" -S "$project" -B "$work/old" -DCMAKE_C_COMPILER="$work/bin/old-cc" -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF \
        -DCMAKE_BUILD_TYPE=Debug || fail "a compiler without AVX2" "$work/log"
    says 'built without SIMD, because GNU [0-9.]* .* does not compile its kernels .* they need gcc 9' 'scalar code alone'
    bare "$cmake" --build "$work/old" && bare "$cmake" --install "$work/old" --prefix "$work/scalar" ||
        fail "the scalar library" "$work/log"
    uses scalar 'seebatch seebatch_shared'
    nm "$work/old/libseebatch.a" 2>/dev/null | grep -E 'seebatch_avx(2|512)_batch_answers' && fail "the scalar library names kernels"
    echo "ok: scalar code alone by a compiler that is too old"
    ;;
esac
refusing 'for word; do case $word in *.c) ! grep -q _Static_assert "$word" || exit 1 ;; esac; done'
if bare "$cmake" -S "$project" -B "$work/older" -DCMAKE_C_COMPILER="$work/bin/old-cc"; then fail "accepted: a compiler without C11"; fi
says 'seebatch needs a compiler for C11 .*: gcc [0-9.]*, clang [0-9.]* or later.*; this one is GNU'
echo "ok: refused: a compiler without C11"
