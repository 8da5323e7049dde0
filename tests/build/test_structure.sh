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
# none WHAT FAULTS: there are no such faults.
none() {
    if [ -n "$2" ]; then fail "$1" "$2"; else echo "ok: no $1"; fi
}
# compiles WHAT COMPILER FLAGS...: it compiles; what the compiler warns of is printed, and is an error where that is asked for.
compiles() {
    what=$1
    shift
    if output=$("$@" -Wall -Wextra -Wpedantic -Wconversion $werror -fsyntax-only -I"$project/include" 2>&1); then
        echo "ok: $what${output:+, with warnings: $output}"
    else
        fail "$what" "$output"
    fi
}

# A header compiles alone, twice in one file, as each language by each compiler.
for file in seebatch.h seebatch_io.h seebatch_arrow.h; do
    printf '#include "%s"\n#include "%s"\n' $file $file >"$work/header.c"
    for compiler in 'gcc -std=c11' 'clang -std=c11' 'g++ -x c++ -std=c++17' 'clang++ -x c++ -std=c++17'; do
        if command -v "${compiler%% *}" >/dev/null; then
            # shellcheck disable=SC2086 # a list of words
            compiles "$file alone by $compiler" $compiler "$work/header.c"
        else
            skipped="$skipped $file by $compiler;"
        fi
    done
done

# The example at its head compiles.
{
    printf '#include "seebatch.h"\nvoid example(seebatch_position position);\nvoid example(seebatch_position position)\n{\n'
    sed -n '/^#ifndef/q; s/^ \*     \([^ ]\)/\1/p' "$project/include/seebatch.h"
    printf '}\n'
} >"$work/example.c"
grep -q 'seebatch_values' "$work/example.c" || fail "no example found at the head of seebatch.h"
compiles "the example at the head of the header" cc -std=c11 "$work/example.c"

# Global symbols carry the prefix; those that the header declares, and no others, are exported:
# symbols HEADERS STATIC_LIBRARY SHARED_LIBRARY
symbols() {
    # What inline functions of C++ leave is weak, or unique (their static variables), and not of the project.
    names=$(nm --defined-only --extern-only "$2" | awk 'NF == 3 && $2 !~ /[VWu]/ { print $3 }')
    echo "$names" | grep -q '^seebatch_' || fail "no symbols in $2"
    none "symbols without the prefix seebatch_ in $(basename "$2")" "$(printf '%s\n' "$names" | grep -v '^seebatch_')"
    for header in $1; do declared "$project" "$header"; done | sort >"$work/declared"
    # As NAME@@SEEBATCH_MAJOR where the linker has versions; the version itself is no symbol of the header.
    nm --dynamic --defined-only "$3" | awk 'NF == 3 && $2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort >"$work/exported"
    version=$(sed -n 's/^#define SEEBATCH_VERSION_MAJOR //p' "$project/include/seebatch.h")
    unversioned=$(nm --dynamic --defined-only --with-symbol-versions "$3" | grep ' seebatch_' | grep -vE "@@SEEBATCH(_IO)?_$version\$")
    none "symbols without a version in ${3##*/}" "$unversioned"
    [ -s "$work/declared" ] || fail "nothing is declared in $1"
    none "difference between what $1 declares (<) and the shared library exports (>)" "$(diff "$work/declared" "$work/exported")"
}
symbols seebatch.h "$static_library" "$shared_library"
if [ -n "$io_libraries" ]; then
    symbols "seebatch_io.h seebatch_arrow.h" "${io_libraries%:*}" "${io_libraries#*:}"
    none "call of seebatch_io that ends the program, writes to standard error, or changes what belongs to the process" \
        "$(nm --undefined-only "${io_libraries%:*}" | awk '{ print $NF }' |
            grep -E '^(exit|_exit|abort|atexit|perror|stderr|stdout|signal|sigaction|umask|setlocale)$')"
fi

# What a locale changes: programs choose one, and the libraries read and write the same in all of them. Fractions that
# printf() writes are looked for in the sources (test_sources.py).
for library in "$static_library" "${io_libraries%:*}"; do
    [ -n "$library" ] || continue
    none "function of ${library##*/} whose answer depends on the locale" \
        "$(nm --undefined-only "$library" | awk '{ print $NF }' | grep -E '^_*(isoc99_|isoc23_)?(strto(d|f|ld|l|ll|ul|ull|imax|umax)|ato[fil]|atoll|v?[fs]?scanf|is(alnum|alpha|blank|cntrl|digit|graph|lower|print|punct|space|upper|xdigit)|to(lower|upper)|ctype_(b|tolower|toupper)_loc|strn?case(cmp|str)|str(coll|xfrm|fmon)|localeconv|mbs?r?towcs?|wcs?r?tombs?|strftime)$')"
done

# The shared library needs libc and nothing else.
none "library but libc that the shared library needs" \
    "$(readelf --dynamic --wide "$shared_library" | sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p' | grep -v '^libc\.so')"
undefined=$(nm --dynamic --undefined-only "$shared_library" | awk '{ sub(/@.*/, "", $NF); print $NF }' |
    grep -vE '^(_ITM_.*|__gmon_start__|__cxa_finalize)$' | sort)
echo "    from libc: $(echo "$undefined" | tr '\n' ' ')"
# No allocation, and threads in one file: the header promises it.
none "allocation" "$(printf '%s\n' "$undefined" | grep -E '^(malloc|calloc|realloc|free|posix_memalign|aligned_alloc|mmap)$')"
none "threads outside src/api/threads.c" "$(for object in "$@"; do
    nm --undefined-only "$object" | grep -q ' pthread_' && basename "$object"
done | grep -vx threads.c.o)"

# One piece of mutable state: the kernel in use. (Tables with addresses are relocated, and then read-only.) The headers of
# simdjson add the depth of its logger, which compilers remove only when they optimise.
if ! command -v objdump >/dev/null; then
    skipped="$skipped mutable data by objdump;"
else
    written=$(objdump --syms "$static_library" ${io_libraries:+"${io_libraries%:*}"} | grep -E ' O (\.data|\.bss|\.tdata|\.tbss|\*COM\*)' |
        grep -vE ' \.data\.rel\.ro' | awk '{ print $NF }' | grep -vE '^(__(asan|odr_asan|msan|tsan|sanitizer)|_ZN8simdjson)')
    if [ "$written" = seebatch_kernel_in_use ]; then
        echo "ok: nothing but seebatch_kernel_in_use is written"
    else
        fail "expected seebatch_kernel_in_use alone in the data that is written" "$written"
    fi
fi

[ $failed -eq 0 ] || exit 1
[ -z "$skipped" ] || skip "for want of a program:$skipped"
