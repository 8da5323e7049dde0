#!/bin/sh
# What the build must look like, whatever the code computes: the header stands alone, its example compiles, no symbol
# leaves the prefix, threads stay in one file, and the library needs nothing but libc. (test_machine_code.py looks at
# machine code.)
#
# test_structure.sh PROJECT STATIC_LIBRARY SHARED_LIBRARY OBJECT...
#
# Ends with 1 if a check fails. A check whose tool is missing is skipped by name; if that happens, and nothing failed, the
# end is 77, which ctest reports as skipped.
set -u
project=$1
static_library=$2
shared_library=$3
shift 3

failed=0
skipped=''
. "$(dirname "$0")/common.sh"
# All checks are made: fail WHAT [TEXT].
fail() {
    echo "FAILED: $1"
    [ $# -lt 2 ] || printf '%s\n' "$2" | head -n 20 | sed 's/^/    /'
    failed=1
}

# The header compiles alone, twice in one file, as each language by each compiler.
header() {
    printf '#include "seebatch.h"\n#include "seebatch.h"\n' >"$work/header.$2"
    if ! command -v "$1" >/dev/null; then
        skipped="$skipped header by $1;"
    elif output=$("$1" "-std=$3" -Wall -Wextra -Wpedantic -Wconversion -Werror -fsyntax-only -I"$project/include" \
            "$work/header.$2" 2>&1); then
        echo "ok: the header alone as $3 by $1"
    else
        fail "the header alone as $3 by $1" "$output"
    fi
}
header gcc c c11
header clang c c11
header g++ cc c++17
header clang++ cc c++17

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

# Global symbols carry the prefix; those that the header declares, and no others, are exported.
names=$(nm --defined-only --extern-only "$static_library" | awk 'NF == 3 { print $3 }')
strange=$(printf '%s\n' "$names" | grep -v '^seebatch_')
if ! printf '%s\n' "$names" | grep -q '^seebatch_batch_values$'; then
    fail "no symbol seebatch_batch_values found in $static_library; is this the library?"
elif [ -n "$strange" ]; then
    fail "symbols without the prefix seebatch_ in $static_library" "$strange"
else
    echo "ok: the $(printf '%s\n' "$names" | wc -l) symbols of $(basename "$static_library") begin with seebatch_"
fi
declared "$project" >"$work/declared"
nm --dynamic --defined-only "$shared_library" | awk 'NF == 3 { print $3 }' | sort >"$work/exported"
if cmp -s "$work/declared" "$work/exported"; then
    echo "ok: what the header declares is what the shared library exports"
else
    fail "declared in the header (<) is not what the shared library exports (>)" \
        "$(diff "$work/declared" "$work/exported" | grep '^[<>]')"
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
    written=$(objdump --syms "$static_library" | grep -E ' O (\.data|\.bss|\.tdata|\.tbss|\*COM\*)' |
        grep -vE ' \.data\.rel\.ro' | awk '{ print $NF }' | grep -vE '^__(asan|odr_asan|msan|tsan|sanitizer)')
    if [ "$written" = seebatch_kernel_in_use ]; then
        echo "ok: nothing but seebatch_kernel_in_use is written"
    else
        fail "expected seebatch_kernel_in_use alone in the data that is written" "$written"
    fi
fi

[ $failed -eq 0 ] || exit 1
[ -z "$skipped" ] || skip "for want of a program:$skipped"
