#!/bin/sh
# What scripts/install-deps installs where nothing is there yet: for each task the packages of the one before and more. What
# scripts/run takes has no second compiler, emulator or compiler for another machine. apt-get, apt-cache and id are stand-ins here.
#
# test_install_deps.sh PROJECT
set -u
project=$1

. "$(dirname "$0")/common.sh"
mkdir "$work/bin"
ln -s "$(command -v env)" "$work/bin/env"
printf '#!/bin/sh\necho 0\n' >"$work/bin/id"
# shellcheck disable=SC2016 # for the stand-in
printf '#!/bin/sh\nprintf "%%s\\n" "$@" >>"$RECORD"\n' >"$work/bin/apt-get"
printf '#!/bin/sh\n' >"$work/bin/apt-cache"
chmod +x "$work/bin/id" "$work/bin/apt-get" "$work/bin/apt-cache"

# What is not a command is looked for in the system's folders, and may be there: such packages are no part of this.
files='libc6-dev|libbenchmark-dev|python3-.*|pgn-extract|rustc|cargo|libc6-dev-.*-cross'
for task in run test page long; do
    : >"$work/record"
    RECORD=$work/record PATH=$work/bin /bin/sh "$project/scripts/install-deps" $task >"$work/log" 2>&1 ||
        fail "install-deps $task ends with $?" "$work/log"
    sed '1,/^install$/d' "$work/record" | grep -v '^-' | grep -vxE "$files" | sort >"$work/$task"
done
for package in gcc cmake libzstd-dev; do
    grep -qx "$package" "$work/run" || fail "install-deps run does not install $package"
done
grep -E 'clang|valgrind|qemu|mingw|-linux-gnu|matplotlib' "$work/run" && fail "install-deps run installs what tests take"
for package in clang lld qemu-user; do
    grep -qx "$package" "$work/test" || fail "install-deps test does not install $package"
done
# What is large and rare: without it the standard tests install less than 450 MB.
for package in clang-19 gcc-mingw-w64-x86-64-win32 gcc-aarch64-linux-gnu gcc-s390x-linux-gnu; do
    grep -qx "$package" "$work/test" && fail "install-deps test installs $package, which the rarer tests take"
done
for pair in 'run test' 'test page' 'page long'; do
    # shellcheck disable=SC2086 # two words
    set -- $pair
    [ -z "$(comm -23 "$work/$1" "$work/$2")" ] || fail "install-deps $2 leaves out what install-deps $1 installs"
    [ -n "$(comm -13 "$work/$1" "$work/$2")" ] || fail "install-deps $2 installs no more than install-deps $1"
done
grep -qx 'scripts/install-deps run' "$project/scripts/run" || fail "scripts/run does not install by install-deps run"
for arguments in '' tests; do
    PATH=$work/bin /bin/sh "$project/scripts/install-deps" $arguments 2>"$work/log"
    [ $? -eq 2 ] || fail "install-deps '$arguments' should end with 2"
    grep -q 'run|test|page|long' "$work/log" || fail "install-deps '$arguments' does not say what was expected"
done
echo "ok: run $(wc -l <"$work/run") packages, test $(wc -l <"$work/test"), long $(wc -l <"$work/long")"
