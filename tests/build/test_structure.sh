#!/bin/sh
# What the build must look like, whatever the code computes: the headers stand alone, the example compiles, no symbol
# leaves the prefix, threads stay in one file, and the library needs nothing but libc. (test_machine_code.py looks at
# machine code.)
#
# test_structure.sh PROJECT STATIC_LIBRARY SHARED_LIBRARY IO_LIBRARIES OBJECT...
#
# IO_LIBRARIES are the static and the shared library of seebatch_io, with a colon between them; empty: they are not built.
#
# Ends with 1 if a check fails. A check whose tool is missing is skipped by name; if that happens, and nothing failed, the
# end is 77, which ctest reports as skipped.
set -u
project=$1
static_library=$2
shared_library=$3
io_libraries=$4
shift 4

failed=0
skipped=''
. "$(dirname "$0")/common.sh"
# All checks are made: fail WHAT [TEXT].
fail() {
    echo "FAILED: $1"
    [ $# -lt 2 ] || printf '%s\n' "$2" | head -n 20 | sed 's/^/    /'
    failed=1
}

# A header compiles alone, twice in one file, as each language by each compiler: header FILE COMPILER ENDING STANDARD
header() {
    printf '#include "%s"\n#include "%s"\n' "$1" "$1" >"$work/header.$3"
    if ! command -v "$2" >/dev/null; then
        skipped="$skipped $1 by $2;"
    elif output=$("$2" "-std=$4" -Wall -Wextra -Wpedantic -Wconversion -Werror -fsyntax-only -I"$project/include" \
            "$work/header.$3" 2>&1); then
        echo "ok: $1 alone as $4 by $2"
    else
        fail "$1 alone as $4 by $2" "$output"
    fi
}
for file in seebatch.h seebatch_io.h; do
    header $file gcc c c11
    header $file clang c c11
    header $file g++ cc c++17
    header $file clang++ cc c++17
done

# The example at its head compiles.
{
    printf '#include "seebatch.h"\nvoid example(seebatch_position position);\nvoid example(seebatch_position position)\n{\n'
    sed -n '/General contracts/q; s/^ \*     //p' "$project/include/seebatch.h"
    printf '}\n'
} >"$work/example.c"
if ! grep -q 'seebatch_values' "$work/example.c"; then
    fail "no example found at the head of seebatch.h"
elif output=$(cc -std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$project/include" "$work/example.c" 2>&1); then
    echo "ok: the example at the head of the header"
else
    fail "the example at the head of the header" "$output"
fi

# Global symbols carry the prefix; those that the header declares, and no others, are exported:
# symbols HEADER STATIC_LIBRARY SHARED_LIBRARY
symbols() {
    names=$(nm --defined-only --extern-only "$2" | awk 'NF == 3 { print $3 }')
    strange=$(printf '%s\n' "$names" | grep -v '^seebatch_')
    declared "$project" "$1" >"$work/declared"
    if [ -n "$strange" ]; then
        fail "symbols without the prefix seebatch_ in $2" "$strange"
    else
        echo "ok: the $(printf '%s\n' "$names" | wc -l) symbols of $(basename "$2") begin with seebatch_"
    fi
    nm --dynamic --defined-only "$3" | awk 'NF == 3 { print $3 }' | sort >"$work/exported"
    if [ -s "$work/declared" ] && cmp -s "$work/declared" "$work/exported"; then
        echo "ok: what $1 declares is what the shared library exports"
    else
        fail "declared in $1 (<) is not what the shared library exports (>)" \
            "$(diff "$work/declared" "$work/exported" | grep '^[<>]')"
    fi
}
symbols seebatch.h "$static_library" "$shared_library"
if [ -n "$io_libraries" ]; then
    symbols seebatch_io.h "${io_libraries%:*}" "${io_libraries#*:}"
    if output=$(nm --undefined-only "${io_libraries%:*}" | awk '{ print $NF }' |
            grep -E '^(exit|_exit|abort|atexit|perror|stderr|stdout|signal|sigaction|umask|setlocale)$'); then
        fail "seebatch_io ends the program, writes to standard error, or changes what belongs to the process" "$output"
    else
        echo "ok: seebatch_io leaves the program and its standard error alone"
    fi
fi

# The shared library needs libc and nothing else.
needed=$(readelf --dynamic --wide "$shared_library" | sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p' | grep -v '^libc\.so')
if [ -n "$needed" ]; then
    fail "the shared library needs more than libc" "$needed"
else
    echo "ok: the shared library needs libc alone"
fi
undefined=$(nm --dynamic --undefined-only "$shared_library" | awk '{ sub(/@.*/, "", $NF); print $NF }' |
    grep -vE '^(_ITM_.*|__gmon_start__|__cxa_finalize)$' | sort)
echo "    from libc: $(echo "$undefined" | tr '\n' ' ')"
# No allocation, and threads in one file: the header promises it.
if lines=$(printf '%s\n' "$undefined" | grep -E '^(malloc|calloc|realloc|free|posix_memalign|aligned_alloc|mmap)$'); then
    fail "the library allocates, which its header rules out" "$lines"
fi
threaded=''
for object in "$@"; do
    if nm --undefined-only "$object" | grep -q ' pthread_'; then
        threaded="$threaded${threaded:+ }$(basename "$object")"
    fi
done
case $threaded in
'' | threads.c.o) echo "ok: no allocation; threads only in: ${threaded:-none}" ;;
*) fail "functions of threads are used outside src/threads.c" "$threaded" ;;
esac

# One piece of mutable state: the kernel in use. (Tables with addresses are relocated, and then read-only.)
if ! command -v objdump >/dev/null; then
    skipped="$skipped mutable data by objdump;"
else
    written=$(objdump --syms "$static_library" ${io_libraries:+"${io_libraries%:*}"} | grep -E ' O (\.data|\.bss|\.tdata|\.tbss|\*COM\*)' |
        grep -vE ' \.data\.rel\.ro' | awk '{ print $NF }' | grep -vE '^__(asan|odr_asan|msan|tsan|sanitizer)')
    if [ "$written" = seebatch_kernel_in_use ]; then
        echo "ok: nothing but seebatch_kernel_in_use is written"
    else
        fail "expected seebatch_kernel_in_use alone in the data that is written" "$written"
    fi
fi

[ $failed -eq 0 ] || exit 1
[ -z "$skipped" ] || skip "for want of a program:$skipped"
