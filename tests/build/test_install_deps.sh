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
for task in run test full long; do
    : >"$work/record"
    RECORD=$work/record PATH=$work/bin /bin/sh "$project/scripts/install-deps" $task >"$work/log" 2>&1 ||
        fail "install-deps $task ends with $?" "$work/log"
    sed '1,/^install$/d' "$work/record" | grep -v '^-' | grep -vxE "$files" | sort >"$work/$task"
done
for package in gcc cmake libzstd-dev; do
    grep -qx "$package" "$work/run" || fail "install-deps run does not install $package"
done
grep -E 'cmocka|clang|valgrind|qemu|mingw|-linux-gnu|matplotlib' "$work/run" && fail "install-deps run installs what tests take"
# Large programs: without them, what the standard tests take fits into 250 MB.
for package in clang lld qemu-user npm chromium-headless-shell; do
    grep -qx "$package" "$work/test" && fail "install-deps test installs $package, which \"scripts/test full\" takes"
done
for package in clang lld qemu-user; do
    grep -qx "$package" "$work/full" || fail "install-deps full does not install $package"
done
for package in clang-19 gcc-mingw-w64-x86-64-win32 gcc-aarch64-linux-gnu gcc-s390x-linux-gnu; do
    grep -qx "$package" "$work/full" && fail "install-deps full installs $package, which the rarer tests take"
done
for pair in 'run test' 'test full' 'full long'; do
    # shellcheck disable=SC2086 # two words
    set -- $pair
    [ -z "$(comm -23 "$work/$1" "$work/$2")" ] || fail "install-deps $2 leaves out what install-deps $1 installs"
    [ -n "$(comm -13 "$work/$1" "$work/$2")" ] || fail "install-deps $2 installs no more than install-deps $1"
done
grep -qx 'scripts/install-deps run' "$project/scripts/run" || fail "scripts/run does not install by install-deps run"
for arguments in '' tests; do
    PATH=$work/bin /bin/sh "$project/scripts/install-deps" $arguments 2>"$work/log"
    [ $? -eq 2 ] || fail "install-deps '$arguments' should end with 2"
    grep -q 'run|test|full|long' "$work/log" || fail "install-deps '$arguments' does not say what was expected"
done

# Other systems, without apt-get: each gets one command, with its own names, and status 1.
rm "$work/bin/apt-get"
ln -s "$(command -v uname)" "$(command -v sed)" "$work/bin"
while read -r system command; do
    for task in run test; do
        SEEBATCH_SYSTEM=$system PATH=$work/bin /bin/sh "$project/scripts/install-deps" $task 2>"$work/$task-there"
        [ $? -eq 1 ] || fail "install-deps $task on $system should end with 1" "$work/$task-there"
        [ "$(grep -c "^    $command" "$work/$task-there")" -eq 1 ] || fail "install-deps $task on $system: expected \"$command\"" "$work/$task-there"
    done
    grep -q cmocka "$work/run-there" && fail "install-deps run on $system names what tests take" "$work/run-there"
    grep -q cmocka "$work/test-there" || [ "$system" = unknown ] || fail "install-deps test on $system lacks cmocka" "$work/test-there"
done <<'END'
fedora sudo dnf install gcc
arch sudo pacman -S
opensuse sudo zypper install
alpine doas apk add
Darwin brew install
MINGW64_NT pacman -S --needed mingw-w64
END
SEEBATCH_SYSTEM=Plan9 PATH=$work/bin /bin/sh "$project/scripts/install-deps" run 2>"$work/log"
grep -q 'by their names in Debian: gcc ' "$work/log" || fail 'an unknown system is not told what is missing' "$work/log"
echo "ok: run $(wc -l <"$work/run") packages, test $(wc -l <"$work/test"), full $(wc -l <"$work/full"), long $(wc -l <"$work/long")"
