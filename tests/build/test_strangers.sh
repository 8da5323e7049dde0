#!/bin/sh
# The files of a release as strangers have them, in a minimal Debian: without a compiler, the tool filters a file, a wheel
# evaluates, and the page opens; without the project, an engine's author compiles the amalgamation; and the Debian packages
# pass their own tests, by autopkgtest.
#
# test_strangers.sh PROJECT FILES FOLDER
#
# FILES is what scripts/make-release made. FOLDER keeps the Debian, which is of this machine's release. Ends with 77 (skipped)
# without root, debootstrap or a mirror; what else is missing is skipped by name.
set -u
project=$1

. "$(dirname "$0")/common.sh"
files=$(cd "$2" && pwd) || fail "there is no folder $2"
folder=$(folder_at "$3")
[ "$(id -u)" = 0 ] || skip 'strangers: only root can make a minimal Debian'
command -v debootstrap >/dev/null || skip 'strangers: there is no debootstrap'
system=$(. /etc/os-release && echo "$ID $VERSION_CODENAME")
[ "${system% *}" = debian ] || skip "strangers: this is no Debian, but $system"
if [ ! -e "$folder/debian" ]; then
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Component: main' | head -1)
    rm -rf "$folder/made"
    debootstrap --variant=minbase "${system#* }" "$folder/made" "$mirror" >"$work/log" 2>&1 ||
        skip "strangers: debootstrap: $(tail -n 1 "$work/log")"
    rm -rf "$folder/made/etc/apt" && cp -a /etc/apt "$folder/made/etc/apt"
    mkdir -p "$folder/made/etc/ssl"
    cp -rL /etc/ssl/certs "$folder/made/etc/ssl/"
    mv "$folder/made" "$folder/debian"
fi

# fresh NAME: a copy of it, $root.
fresh() {
    root=$work/$1
    cp -a "$folder/debian" "$root" && cp -L /etc/resolv.conf /etc/hosts "$root/etc/" && home=$root/root
}

# inside COMMANDS: in root's home there, with /proc and /dev, which are gone with the command.
inside() {
    # shellcheck disable=SC2046,SC2016 # a list of words; for the inner shell
    env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive \
        $(env | grep -iE '^(https?|no)_proxy=') unshare --mount sh -euc \
        'mount -t proc proc "$1/proc"; mount --rbind /dev "$1/dev"; exec chroot "$1" sh -euc "cd /root; $2"' - "$root" "$1" \
        >"$work/log" 2>&1 </dev/null
}

# install PACKAGE...
install() {
    inside "apt-get update -q && apt-get install -q -y --no-install-recommends $*" || fail "apt-get install $*" "$work/log"
}

# ---- Without a compiler ----

fresh user
inside 'command -v cc || command -v gcc || command -v clang || command -v python3' && fail 'the minimal Debian has a compiler, or Python'
tar -x -C "$home" --strip-components=1 -f "$files"/seebatch-*-linux-"$(uname -m)".tar.gz || fail 'the archive of the tool'
grep -v '^#' "$project/tests/data/games.fen" | head -200 >"$home/games.fen"
inside './seebatch convert games.fen games.jsonl && ./seebatch filter --keep quiet games.jsonl -o kept.fen &&
    ./seebatch filter --drop quiet games.fen -o dropped.fen' || fail 'the tool filters no file' "$work/log"
[ -s "$home/kept.fen" ] && [ -s "$home/dropped.fen" ] && [ "$(cat "$home/kept.fen" "$home/dropped.fen" | wc -l)" = 200 ] ||
    fail 'what the tool kept and dropped is not what there was'
echo 'ok: without a compiler, the tool filters a file'

install python3 python3-venv
cp "$files"/seebatch-*-manylinux_*_"$(uname -m)".whl "$home"
inside 'python3 -m venv python && python/bin/pip install --no-index ./*.whl && python/bin/python -c "
import seebatch
value = seebatch.see(\"1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - -\", \"d3e5\")
kept = sum(len(batch.positions) for batch in seebatch.open(\"games.jsonl\"))
assert (value, kept) == (-225, 200), (value, kept)"' || fail 'the wheel' "$work/log"
echo 'ok: without a compiler, a wheel evaluates'

if [ -e "$files"/seebatch-*.html ]; then
    install chromium-headless-shell
    cp "$files"/seebatch-*.html "$home/page.html"
    inside 'chromium-headless-shell --no-sandbox --disable-gpu --virtual-time-budget=5000 --dump-dom \
        "file:///root/page.html#fen=1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3_w_-_-_0_1" >dom' || fail 'the page' "$work/log"
    grep -q 'Rxe5' "$home/dom" || fail 'the page does not say that Rxe5 wins a pawn'
    echo 'ok: without a network, the page opens'
else
    echo 'SKIPPED: strangers: the page is not among the files'
fi
rm -rf "$root"

# ---- An engine's author ----

fresh author
install gcc libc6-dev
tar -x -C "$home" --strip-components=1 -f "$files"/seebatch-*-amalgamation.tar.gz || fail 'the archive of the amalgamation'
cat >"$home/engine.c" <<'END'
#include "seebatch.h"
#include <string.h>

int main(void)
{
    static const char fen[] = "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - -";
    seebatch_rules rules;
    seebatch_position position;
    seebatch_move moves[SEEBATCH_MAX_MOVES];
    int16_t values[SEEBATCH_MAX_MOVES];
    int sum = 0;
    seebatch_rules_named("swap", &rules, NULL);
    if (seebatch_position_from_fen(&position, fen, strlen(fen), NULL) != SEEBATCH_OK) {
        return 1;
    }
    size_t n = seebatch_legal_captures(&position, moves);
    seebatch_values(&rules, &position, NULL, moves, n, values);
    for (size_t i = 0; i < n; i++) {
        sum += values[i];
    }
    return n != 3 || sum != -225 - 225 - 400;
}
END
inside 'gcc -O1 -o engine engine.c seebatch.c -lpthread && ./engine' || fail 'the amalgamation in an engine' "$work/log"
echo 'ok: without the project, an engine compiles the amalgamation'
rm -rf "$root"

# ---- The Debian packages ----

if ! command -v autopkgtest >/dev/null; then
    echo 'SKIPPED: strangers: the tests of the Debian packages: there is no autopkgtest'
elif ! ls "$files"/*.deb >/dev/null 2>&1; then
    echo 'SKIPPED: strangers: the Debian packages are not among the files'
else
    fresh packages
    autopkgtest --output-dir "$work/output" "$files"/*.deb "$files"/*.dsc -- chroot "$root" >"$work/log" 2>&1
    [ $? = 0 ] || fail 'autopkgtest' "$work/log"
    echo "ok: autopkgtest: $(grep -c ' PASS$' "$work/output/summary") tests of the Debian packages"
fi
