#!/bin/sh
# The library on other machines: built by a cross compiler, with CMake and as the amalgamation, and run under emulation. The
# differential harness holds its scalar kernel against the oracle there, and its answers are those of this machine, byte for
# byte. s390x is big-endian. For Windows it is built only, and the exports of the shared library are looked at.
# A kernel that only such a machine has is held against the scalar code: by the harness, by exhaustion and by the self-test;
# over 100 million cases if SEEBATCH_TEST_LONG is set. 64-bit ARM is built by clang, which needs little more than the machine's
# C library, and as "aarch64-gcc" by gcc.
#
# "targets": no emulator and no C library are at hand for these, so clang compiles the amalgamation with stand-ins for a few
# headers; what it wants of others is looked at.
#
# test_cross.sh aarch64|aarch64-gcc|s390x|windows|targets PROJECT CMAKE NATIVE_C_COMPILER NATIVE_STATIC_LIBRARY
#
# Ends with 77 (skipped) where the cross compiler or the emulator is missing.
set -u
machine=$1
project=$2
cmake=$3
native=$4
library=$5

. "$(dirname "$0")/common.sh"
if [ "$machine" = targets ]; then
    command -v clang >/dev/null || skip "targets: there is no clang here (Debian: clang)"
    "$project/scripts/amalgamate" "$work" || fail "scripts/amalgamate ends with $?"
    mkdir "$work/headers"
    printf '%s\n' '#include <stddef.h>' '#define assert(x) ((void)sizeof(x))' '#define static_assert _Static_assert' \
        >"$work/headers/assert.h"
    printf '%s\n' '#include <stddef.h>' 'int abs(int);' 'void *malloc(size_t);' 'void free(void *);' >"$work/headers/stdlib.h"
    printf '%s\n' '#include <stddef.h>' 'void *memcpy(void *, const void *, size_t);' 'void *memset(void *, int, size_t);' \
        'void *memmove(void *, const void *, size_t);' 'void *memchr(const void *, int, size_t);' \
        'int memcmp(const void *, const void *, size_t);' 'int strcmp(const char *, const char *);' \
        'size_t strlen(const char *);' 'char *strchr(const char *, int);' 'char *strcat(char *, const char *);' \
        >"$work/headers/string.h"
    for target in arm64-apple-macos11 aarch64-pc-windows-msvc i686-w64-windows-gnu armv7-linux-gnueabihf \
        aarch64_be-linux-gnu; do
        clang --target=$target -std=c11 -O1 -ffreestanding -nostdlibinc -DSEEBATCH_FREESTANDING -DSEEBATCH_NO_THREADS \
            -isystem "$work/headers" -Wall -Wextra -Wpedantic $werror -S -o "$work/$target.s" "$work/seebatch.c" \
            >"$work/log" 2>&1 || fail "$target" "$work/log"
        case $target in arm64* | aarch64-*) neon=1 ;; *) neon=0 ;; esac
        [ "$(grep -cE "^_?seebatch_neon_batch_answers:" "$work/$target.s")" = $neon ] || fail "$target: kernels"
    done
    echo "ok: targets: the amalgamation compiles for macOS and Windows on ARM, with neon, and for others without"
    exit 0
fi
# For Windows nothing is run, and it is the kernels that take the time to build: with -O1 half as much, but gcc then does
# not see what has been written.
flags=-O2 target='' linker=''
case $machine in
windows)
    flags='-O1 -Wno-maybe-uninitialized'
    cc=x86_64-w64-mingw32-gcc package=gcc-mingw-w64-x86-64-win32 system=Windows processor=AMD64 emulator=true
    ;;
aarch64)
    cc=clang target=aarch64-linux-gnu linker=-fuse-ld=lld package='clang, lld, libc6-dev-arm64-cross, libgcc-12-dev-arm64-cross'
    system=Linux processor=aarch64 emulator=qemu-aarch64
    ;;
*)
    processor=${machine%-gcc}
    cc=$processor-linux-gnu-gcc package=gcc-$processor-linux-gnu system=Linux emulator=qemu-$processor
    ;;
esac
for command in "$cc" "$emulator"; do
    command -v "$command" >/dev/null || skip "$machine: there is no $command here (Debian: $package, qemu-user)"
done
compiler="$cc${target:+ --target=$target}"
if [ -n "$target" ]; then
    echo 'int main(void) { return 0; }' >"$work/empty.c"
    $compiler $linker -static -o "$work/empty" "$work/empty.c" >"$work/log" 2>&1 ||
        skip "$machine: $cc builds no program for it here (Debian: $package)"
fi

"$cmake" -S "$project" -B "$work/build" -DCMAKE_SYSTEM_NAME=$system -DCMAKE_SYSTEM_PROCESSOR="$processor" \
    -DCMAKE_C_COMPILER="$cc" -DCMAKE_C_COMPILER_TARGET=$target -DCMAKE_SHARED_LINKER_FLAGS=$linker -DCMAKE_EXE_LINKER_FLAGS=$linker \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE="$flags -DNDEBUG" -DSEEBATCH_WERROR="${werror:+ON}" \
    -DSEEBATCH_TOOL=OFF -DSEEBATCH_IO=OFF -DSEEBATCH_BENCH=OFF -DSEEBATCH_TESTS=OFF >"$work/log" 2>&1 &&
    "$cmake" --build "$work/build" >>"$work/log" 2>&1 || fail "build" "$work/log"
"$cmake" --install "$work/build" --prefix "$work/installed" >"$work/log" 2>&1 || fail "install" "$work/log"
answers=$project/tests/build/consumer/answers.c
compile="$compiler -std=c11 $flags -Wall -Wextra -Wpedantic $werror"
build() { # build OUTPUT OPTION...
    output=$1
    shift
    # shellcheck disable=SC2086 # lists of words
    $compile $linker "$@" -pthread -o "$work/$output" >"$work/log" 2>&1 || fail "$output: $*" "$work/log"
}

if [ "$machine" = windows ]; then
    build static.exe -static -I"$work/installed/include" "$answers" "$work/installed/lib/libseebatch.a"
    build shared.exe -DSEEBATCH_SHARED -I"$work/installed/include" "$answers" "$work/installed/lib/libseebatch.dll.a"
    "$project/scripts/amalgamate" "$work" || fail "scripts/amalgamate ends with $?"
    build amalgamation.exe -static -I"$work" "$answers" "$work/seebatch.c"
    objdump=${cc%gcc}objdump
    declared "$project" >"$work/declared"
    $objdump --private-headers "$work/installed/bin/libseebatch.dll" | sed -n '/Ordinal\/Name Pointer/,$p' |
        grep -o 'seebatch_[a-z0-9_]*$' | sort >"$work/exported"
    diff "$work/declared" "$work/exported" >"$work/log" || fail "declared (<) is not what the DLL exports (>)" "$work/log"
    # dllimport: the program reaches the functions through the import table, without a stub between.
    "${cc%gcc}nm" "$work/shared.exe" | grep -q '__imp_seebatch_batch_values' || fail "the program does not import"
    "${cc%gcc}nm" "$work/installed/lib/libseebatch.a" | grep -q '__imp_seebatch' && fail "the static library imports"
    $objdump --private-headers "$work/shared.exe" | grep -q 'DLL Name: libseebatch.dll' || fail "it does not need the DLL"
    echo "ok: windows: $(wc -l <"$work/exported") exports, which are what the header declares; static, shared, amalgamation"
    exit 0
fi

lib=$(find "$work/installed" -name libseebatch.a)
file=$(find "$work/installed" -name 'libseebatch.so.*.*.*')
readelf --file-header "$file" | grep -q 'AArch64\|S/390' || fail "the shared library is for another machine"
build library -static -I"$work/installed/include" "$answers" "$lib"
programs=library
if [ "$machine" != aarch64 ] || [ -n "${SEEBATCH_TEST_LONG:-}" ]; then # among the standard tests it is compiled often enough
    "$project/scripts/amalgamate" "$work" || fail "scripts/amalgamate ends with $?"
    build amalgamation -static -I"$work" "$answers" "$work/seebatch.c"
    programs='library amalgamation'
fi
"$native" -std=c11 -O2 -I"$project/include" "$answers" "$library" -pthread -o "$work/native" || fail "the program, here"
head -n 200 "$project/tests/data/games.fen" >"$work/positions"
head -n 200 "$project/tests/data/random.fen" >>"$work/positions"
SEEBATCH_KERNEL=scalar "$work/native" "$work/positions" >"$work/expected" || fail "the program ends with $? here"
[ "$(wc -w <"$work/expected")" -ge 50000 ] || fail "too few answers: $(wc -w <"$work/expected") words"
kernel=scalar
[ "$processor" != aarch64 ] || kernel=neon
for program in $programs; do
    $emulator "$work/$program" kernels >"$work/got" || fail "$program does not list its kernels"
    grep -q '^scalar available$' "$work/got" || fail "$program has no scalar kernel" "$work/got"
    grep -q "^in use: $kernel\$" "$work/got" || fail "$program does not use its kernel $kernel" "$work/got"
    $emulator "$work/$program" "$work/positions" >"$work/got" || fail "$program ends with $?"
    cmp "$work/expected" "$work/got" || fail "$program: other answers than here"
    $emulator "$work/$program" selftest >"$work/got" 2>&1 || fail "$program: the self-test" "$work/got"
done
echo "ok: $machine: the answers are those of this machine, by kernel $kernel: $programs"

tests=$project/tests
compile="$compile -I$project/include -I$project/src -I$tests"
mkdir "$work/harness"
# shellcheck disable=SC2046 # a list of words
(cd "$work/harness" && $compile -c "$tests/oracle.c" $(ls "$tests"/differential/*.c | grep -v /main.c)) \
    >"$work/log" 2>&1 || fail "the harness" "$work/log"
build differential -static -DSEEBATCH_TEST_DATA="\"$tests/data\"" "$tests/differential/main.c" "$work"/harness/*.o "$lib"
$emulator "$work/differential" --kernel scalar --against oracle --cases 40000 >"$work/log" 2>&1 ||
    fail "the differential harness" "$work/log"
tail -n 1 "$work/log"
echo "ok: $machine: the scalar kernel against the oracle"
[ "$kernel" != scalar ] || exit 0

cases=200000 lean=1000000 slice=1/2999
[ -z "${SEEBATCH_TEST_LONG:-}" ] || cases=10000000 lean=100000000 slice=1/49
for options in "--cases $cases" "--lean --cases $lean"; do
    # shellcheck disable=SC2086 # a list of words
    $emulator "$work/differential" --kernel $kernel $options >"$work/log" 2>&1 || fail "$kernel: $options" "$work/log"
    tail -n 1 "$work/log"
done
build exhaustion -static "$tests"/exhaustion/*.c "$work"/harness/*.o "$lib"
$emulator "$work/exhaustion" --slice $slice >"$work/log" 2>&1 || fail "exhaustion" "$work/log"
tail -n 2 "$work/log"
echo "ok: $machine: the kernel $kernel against the scalar code"
