#!/bin/sh
# What the tool and the shared library are protected by, looked up in the files themselves; and that they name no directory
# of the machine that built them.
#
# test_hardened.sh PROJECT BUILD TOOL SHARED_LIBRARY
set -u
project=$1
build=$2
tool=$3
library=$4
. "$(dirname "$0")/common.sh"

for program in readelf nm strings; do
    command -v $program >/dev/null || skip "there is no $program (Debian: binutils)"
done

# expect WHAT FILE PATTERN COMMAND...: what the command prints has the pattern.
expect() {
    what=$1
    file=$2
    pattern=$3
    shift 3
    LC_ALL=C "$@" "$file" | grep -q -E "$pattern" || fail "$(basename "$file"): $what"
}

for file in "$tool" "$library"; do
    expect 'relocations are not read-only (GNU_RELRO)' "$file" GNU_RELRO readelf -lW
    expect 'symbols are not bound at the start (BIND_NOW)' "$file" 'BIND_NOW|FLAGS_1.*NOW' readelf -dW
    expect 'the stack can be executed' "$file" 'GNU_STACK.* RW ' readelf -lW
    expect 'is not position independent' "$file" 'Type: +DYN' readelf -hW
    expect 'has no stack protectors' "$file" __stack_chk_fail nm -D
    strings -a "$file" | grep -F -e "$project" -e "$build" && fail "$(basename "$file"): it names a directory of the build"
done
expect 'does not use checked functions (_FORTIFY_SOURCE)' "$tool" '__[a-z]+_chk(@|$)' nm -D
echo 'tool and shared library are hardened'
