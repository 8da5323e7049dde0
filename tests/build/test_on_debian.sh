#!/bin/sh
# What scripts/make-release made, on an empty Debian: each file that belongs there is installed by the lines of docs/download.md,
# run or linked, and removed again, after which nothing of it is left in the system.
#
# test_on_debian.sh PROJECT FILES FOLDER RESULTS SUITE
#
# FILES is the folder of a release. FOLDER keeps the minimal Debian of each SUITE (bookworm, trixie, testing), and what apt
# fetched for it. RESULTS gets a line for each file: its name, the machine, and ok, FAILED or why it was not tried, separated by
# tabulators. A failure does not end the test. Ends with 77 (skipped) without root, debootstrap or a mirror, and with 1 if
# something failed. SEEBATCH_TEST_FILES is a regular expression, as of grep -E: only files whose
# names in this script match it are tried.
set -u
project=$1

. "$(dirname "$0")/common.sh"
files=$(cd "$2" && pwd) || fail "there is no folder $2"
folder=$(folder_at "$3")
results=$4
suite=$5
[ "$(id -u)" = 0 ] || skip "Debian $suite: only root can make a minimal Debian"
command -v debootstrap >/dev/null || skip "Debian $suite: there is no debootstrap"
[ "$(. /etc/os-release && echo "$ID")" = debian ] || skip "Debian $suite: this machine has no archive of Debian"
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Component: main' | head -1)
base=$folder/debian-$suite
if [ ! -e "$base" ]; then
    rm -rf "$base.made"
    script=$suite
    [ -e "/usr/share/debootstrap/scripts/$suite" ] || script=sid
    debootstrap --variant=minbase "$suite" "$base.made" "$mirror" "/usr/share/debootstrap/scripts/$script" >"$work/log" 2>&1 ||
        skip "Debian $suite: debootstrap: $(tail -n 1 "$work/log")"
    mv "$base.made" "$base"
fi
case $(cat "$base/etc/debian_version") in
[0-9]*) machine="Debian $(cut -d . -f 1 "$base/etc/debian_version")" ;;
*) machine="Debian $suite" ;;
esac

# A copy, which has the certificates and proxies of this machine and keeps the archives that apt fetches.
root=$work/root
cp -a "$base" "$root" && cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
rm -rf "$root/etc/apt/apt.conf.d" && cp -a /etc/apt/apt.conf.d /etc/apt/auth.conf.d "$root/etc/apt/"
rm -f "$root/etc/apt/apt.conf.d/docker-clean" "$root"/etc/apt/sources.list.d/*
echo "deb $mirror $suite main" >"$root/etc/apt/sources.list"
echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/image" # as the images of Docker have it
echo 'Binary::apt::APT::Keep-Downloaded-Packages "true";' >"$root/etc/apt/apt.conf.d/90keep"
mkdir -p "$root/etc/ssl" "$folder/archives-$suite/partial" "$root/root/files" "$root/root/data"
cp -rL /etc/ssl/certs "$root/etc/ssl/"
# ca-certificates, once it is installed, makes the list of certificates anew, with those that are in this folder.
[ ! -d /usr/local/share/ca-certificates ] || cp -a /usr/local/share/ca-certificates "$root/usr/local/share/"
cp "$files"/* "$root/root/files/"
cp "$project/cmake/release/debian/tests/program" "$project/cmake/release/debian/tests/tool" "$root/root/data/"
grep -v '^#' "$project/tests/data/games.fen" | head -200 >"$root/root/data/games.fen"
version=$(sed -n 's/^#define SEEBATCH_VERSION "\(.*\)"/\1/p' "$project/include/seebatch.h")

# inside COMMANDS: in root's home there, with /proc, /dev and apt's archives, which are gone with the command.
inside() {
    # shellcheck disable=SC2046,SC2016 # a list of words; for the inner shell
    env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive \
        $(env | grep -iE '^(https?|no)_proxy=|^(PIP|NPM|npm|CARGO|SSL|NODE)_[A-Za-z_]*=[^ ]*$') unshare --mount sh -euc \
        'mount -t proc proc "$1/proc"; mount --rbind /dev "$1/dev"; mount --bind "$3" "$1/var/cache/apt/archives"
         exec chroot "$1" sh -euc "cd /root; $2"' - "$root" "$1" "$folder/archives-$suite" >"$work/log" 2>&1 </dev/null
}

# lines HEADING N [COMMANDS]: the Nth block of commands below a heading of docs/download.md, as root runs it without being asked.
lines() {
    found=$(awk -v heading="## $1" -v wanted="$2" '/^## / { here = $0 == heading; n = 0 } here && /^```sh$/ { n++; inside = 1; next }
        /^```$/ { inside = 0 } here && inside && n == wanted' "$project/docs/download.md" |
        sed "s/VERSION/$version/g; s/^sudo apt /apt-get -y /; s/^sudo //")
    [ -n "$found" ] || fail "docs/download.md: there is no block $2 of commands below '$1'"
    echo "$found"
}

# try NAME PACKAGES COMMANDS: with Debian's packages that the user of such a file has already, in a folder that has all files of
# the release; says what became of the files whose names match NAME.
status=0
try() {
    echo "$1" | grep -qE "${SEEBATCH_TEST_FILES:-}" || return 0
    result=ok
    # shellcheck disable=SC2086 # a pattern
    ls "$files"/$1 >/dev/null 2>&1 || {
        echo "SKIPPED: $machine: the release has no $1"
        return
    }
    inside "[ -z '$2' ] || { apt-get update -q && apt-get install -q -y --no-install-recommends $2; }" ||
        fail "$machine: apt-get install $2" "$work/log"
    rm -rf "$root/root/mine" && mkdir "$root/root/mine" && cp -l "$root"/root/files/* "$root/root/mine/"
    inside "cd mine
$3
cd /root
rm -rf mine
if find /usr /etc /opt -name '*seebatch*' ! -type d | grep .; then echo 'this is left of it'; exit 1; fi" || result=FAILED
    # A registry that cannot be reached says nothing about the file.
    if [ "$result" = FAILED ] && grep -qiE 'could not resolve|failed to (download|query|fetch|connect|update)|spurious network|EAI_AGAIN' "$work/log"; then
        result='not tried'
    fi
    for each in "$files"/$1; do
        printf '%s\t%s\t%s\n' "${each##*/}" "$machine" "$result" >>"$results"
    done
    if [ "$result" = ok ]; then
        echo "ok: $machine: $1"
    elif [ "$result" = 'not tried' ]; then
        echo "SKIPPED: $machine: $1: $(grep -iE 'could not resolve|failed to|spurious|EAI_AGAIN' "$work/log" | head -1)"
    else
        status=1
        echo "FAILED: $machine: $1"
        tail -n 20 "$work/log" | sed 's/^/    /'
    fi
}

arch=$(uname -m)
[ "$arch" = x86_64 ] || skip "$machine: docs/download.md has the lines for x86_64"
fen='1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - -'

# What the packages of other languages are compared with.
inside "tar -xzf files/seebatch-*-linux-$arch.tar.gz
tool=\$(echo seebatch-*-linux-$arch/seebatch)
\$tool eval data/games.fen >data/values
\$tool convert data/games.fen data/games.jsonl
rm -r seebatch-*-linux-$arch" || fail "$machine: the static tool" "$work/log"

# ---- Without a compiler or an interpreter ----

inside 'command -v cc || command -v gcc || command -v clang || command -v python3' && fail "$machine: the minimal Debian has a compiler, or Python"
try SHA256SUMS '' "$(lines 'Check what you downloaded' 1)
sha256sum --quiet -c SHA256SUMS"
try "seebatch-*-linux-$arch.tar.gz" '' "$(lines 'The tool' 1)
tool=\$PWD/seebatch-$version-linux-$arch/seebatch
cd /root/data
\$tool filter --keep quiet games.jsonl -o kept.fen
\$tool filter --drop quiet games.fen -o dropped.fen
[ -s kept.fen ] && [ -s dropped.fen ] && [ \$(cat kept.fen dropped.fen | wc -l) = 200 ]
\$tool selftest --cases 20000"
try 'seebatch-*.html' chromium-headless-shell 'cp seebatch-*.html page.html
chromium-headless-shell --no-sandbox --disable-gpu --virtual-time-budget=5000 --dump-dom \
    "file://$PWD/page.html#fen=1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3_w_-_-_0_1" >dom
grep -q Rxe5 dom'

# ---- Debian's packages ----

try "seebatch_*_*.deb" zstd "$(lines 'Debian packages' 1)
sh /root/data/tool
$(lines 'Debian packages' 3)"
try 'libseebatch*.deb' 'gcc g++ libc6-dev make pkg-config cmake' "$(lines 'Debian packages' 2)
sh /root/data/program
apt-get install -y ./seebatch_*.deb
$(lines 'Debian packages' 3)"

# ---- C ----

cat >"$root/root/data/engine.c" <<'END'
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
    if (seebatch_position_from_fen(fen, strlen(fen), &position, NULL) != SEEBATCH_OK) {
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
try 'seebatch-*-amalgamation.tar.gz' 'gcc libc6-dev' "$(lines 'C and C++' 1)
cc -I seebatch-$version-amalgamation -o engine /root/data/engine.c seebatch.o -lpthread
./engine"
for header in seebatch_see.h seebatch_see_mailbox.h; do
    try $header 'gcc g++ libc6-dev' "printf '#define SEEBATCH_SEE_CODE(type, color) (4 * (type) + (color))\n#include \"$header\"\nint main(void) { return 0; }\n' >engine.c
cc -Wall -Wextra -Werror -o engine engine.c
./engine
c++ -x c++ -Wall -Wextra -Werror -o engine engine.c
./engine"
done
try 'seebatch-*-source.tar.gz' 'gcc libc6-dev make cmake' "find /usr/local -type d | sort >before
$(lines 'From source' 1 | sed 's/--build build/& --parallel $(nproc)/')
cc -o engine /root/data/engine.c -lseebatch
./engine
$(lines 'From source' 2)
find /usr/local -type d | sort | diff before -"
try 'seebatch_*.dsc' 'dpkg-dev debhelper' 'apt-get update -q && apt-get build-dep -q -y --no-install-recommends ./seebatch_*.dsc
dpkg-source -x seebatch_*.dsc tree
cd tree && DEB_BUILD_OPTIONS=parallel=2 dpkg-buildpackage -us -uc -b'

# ---- Python ----

cp "$project/tests/build/release_values.py" "$root/root/data/"
try "seebatch-*-manylinux_*_$arch.whl" 'python3 python3-venv' "$(lines Python 1)
(cd /root/data && exec /root/mine/env/bin/python release_values.py values games.jsonl)
env/bin/pip uninstall -q -y seebatch
! env/bin/python -c 'import seebatch'"
try 'seebatch-*.cdx.json' python3 'python3 -c "import json; assert len(json.load(open(\"$(ls seebatch-*.cdx.json)\"))[\"components\"]) > 5"'
try "seebatch-$version.tar.gz" 'python3-venv g++ python3-dev zlib1g-dev libzstd-dev' "$(lines Python 2)
(cd /root/data && exec /root/mine/env/bin/python release_values.py values games.jsonl)
env/bin/pip uninstall -q -y seebatch
! env/bin/python -c 'import seebatch'"

# ---- Rust and JavaScript ----

cat >"$root/root/data/main.rs" <<'END'
use seebatch_boards::{ToMove, ToPosition};

fn main() {
    let board: cozy_chess::Board = "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1".parse().unwrap();
    let position = board.to_position().unwrap();
    let value = seebatch::Rules::default().value(&position, "e1e5".parse::<cozy_chess::Move>().unwrap().to_move(&position));
    assert_eq!(value.unwrap(), 100);
}
END
try "seebatch-$version.crate" 'gcc libc6-dev cargo' "cargo init --quiet --name engine
$(lines Rust 1)
echo 'fn main() { assert_eq!(seebatch::Rules::names().next(), Some(\"legal\")); }' >src/main.rs
cargo run --quiet
cargo remove seebatch || sed -i /^seebatch/d Cargo.toml"
try 'seebatch-boards-*.crate' 'gcc libc6-dev cargo' "cargo init --quiet --name engine
$(lines Rust 1)
$(lines Rust 2)
cargo add --quiet cozy-chess@0.3.4
cp /root/data/main.rs src/main.rs
cargo run --quiet"
try "seebatch-$version.tgz" 'nodejs npm' "npm init -y
$(lines JavaScript 1)
cat >see.mjs <<END
import { Seebatch } from 'seebatch';
const value = (await Seebatch.load()).see('$fen', 'd3e5', { rules: 'swap' });
if (value !== -225) throw new Error(value + ', expected -225');
END
node see.mjs
npm uninstall seebatch
! node see.mjs"
exit $status
