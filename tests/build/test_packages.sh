#!/bin/sh
# What is promised to packages of others, tried with the packages themselves, from crates.io, npm and PyPI: boards and
# moves in Rust (bindings/rust/boards), JavaScript and Python, bundlers, TypeScript, mypy, pyright, and what looks at packages. The
# versions stand in bindings/rust/boards/Cargo.lock, bindings/javascript/package.json and tests/versions.txt.
#
# test_packages.sh PROJECT TOOL FOLDER
#
# FOLDER keeps what cargo builds, and the environment of Python. What cannot be reached, or is too old here, is skipped by name; ends with 77 where
# nothing ran.
set -u
project=$1
tool=$2

. "$(dirname "$0")/common.sh"
folder=$(folder_at "$3")
unset SEEBATCH_KERNEL CC CFLAGS AR
ran=''

rust() {
    cd "$project/bindings/rust/boards" || fail 'there is no crate seebatch-boards'
    export CARGO_TARGET_DIR="$folder"
    if ! cargo fetch --locked >"$work/log" 2>&1; then
        echo "SKIPPED: boards in Rust: $(grep -m 1 -i -E 'error|not found' "$work/log" | cut -c 1-100)"
        return
    fi
    # The C code is another test's matter.
    for features in --no-default-features --all-features; do
        SEEBATCH_TEST_TOOL=$tool CFLAGS=-O1 cargo test --locked $features >"$work/log" 2>&1 ||
            fail "cargo test $features" "$work/log"
        grep '^warning' "$work/log" && fail 'there are warnings' "$work/log"
    done
    grep -q '^test entries_of_the_tool_' "$work/log" || fail 'filters for loaders were not compared with the tool' "$work/log"
    for crate in bulletformat cozy-chess montyformat montyformat-0-9 sfbinpack shakmaty viriformat viriformat-2 loaders bullet; do
        CFLAGS=-O1 cargo check --locked --features "$crate" >"$work/log" 2>&1 || fail "the feature $crate" "$work/log"
        grep -q '^warning' "$work/log" && fail "the feature $crate alone" "$work/log"
    done
    ran=1
    sed -n 's/^name = "\(bulletformat\|cozy-chess\|montyformat\|sfbinpack\|shakmaty\|viriformat\)"/ok: \1/p' Cargo.lock
}

# In a copy, so that nobody's node_modules change.
javascript() {
    package=$project/bindings/javascript
    mkdir "$work/npm"
    cp "$package/package.json" "$work/npm"
    if ! (cd "$work/npm" && npm install --ignore-scripts --no-audit --no-fund) >"$work/log" 2>&1; then
        echo "SKIPPED: boards in JavaScript: $(grep -m 1 -E 'ERR|not found' "$work/log" | cut -c 1-100)"
        return
    fi
    rm -rf "$package/node_modules"
    ln -s "$work/npm/node_modules" "$package/node_modules"
    "$project/tests/build/test_javascript.sh" "$project" "$tool"
    status=$?
    rm "$package/node_modules"
    case $status in
    0) ran=1 ;;
    77) ;;
    *) fail "the package for JavaScript" ;;
    esac
}

# What mypy and pyright say of the types belongs to it. Against the libraries of the tool's build, which saves half a minute.
python() {
    packages=$(sed -n 's,^pypi/\(chess\|mypy\|numpy\|pyright\|pytest\) \(.*\),\1==\2,p' "$project/tests/versions.txt")
    # shellcheck disable=SC2086 # a list of words
    if ! { /usr/bin/python3 -m venv "$folder/python" &&
        "$folder/python/bin/pip" install --quiet --disable-pip-version-check --retries 1 $packages; } >"$work/log" 2>&1; then
        echo "SKIPPED: boards in Python: $(grep -m 1 -i -E 'error|not ' "$work/log" | cut -c 1-100)"
        return
    fi
    libraries=$(dirname "$(dirname "$tool")")
    [ -e "$libraries/libseebatch.a" ] && [ -e "$libraries/io/libseebatch_io.a" ] && export SEEBATCH_LIBRARIES="$libraries"
    "$project/scripts/python" "$work/wheel" >"$work/log" 2>&1 || fail 'the wheel' "$work/log"
    /usr/bin/python3 -m zipfile -e "$work"/wheel/*.whl "$work/package"
    tests=$project/bindings/python/tests
    (cd "$work" && PYTHONPATH=$work/package PYTHONDONTWRITEBYTECODE=1 "$folder/python/bin/python" -m pytest -q -rs \
        -p no:cacheprovider "$tests/test_python_chess.py" "$tests/test_types.py" "$tests/test_wheel.py::test_types") >"$work/log" 2>&1 ||
        fail 'the package for Python' "$work/log"
    grep SKIPPED "$work/log" && fail 'a test was skipped' "$work/log"
    (cd "$work" && SEEBATCH_TEST_TOOL=$tool PYTHONDONTWRITEBYTECODE=1 "$folder/python/bin/python" -m pytest -q -rs \
        -p no:cacheprovider "$project/tests/tool/test_tool_pgn_chess.py") >"$work/log" 2>&1 ||
        fail 'games as python-chess reads them' "$work/log"
    grep SKIPPED "$work/log" && fail 'a test was skipped' "$work/log"
    ran=1
    echo "$packages" | sed 's/^/ok: /; s/==/ /'
}

# The lines of the README, each in a project of its own beside a clone.
from_git() {
    mkdir "$work/mine"
    cd "$work/mine" || fail 'there is no room for a project'
    git clone --quiet "$project" ../seebatch >"$work/log" 2>&1 || { echo 'SKIPPED: from git: this is no clone'; return; }
    first_lines "$project" | grep -v '/build/bin/' >"$work/lines"
    [ "$(wc -l <"$work/lines")" = 5 ] || fail 'the README has fewer commands than ways to use seebatch' "$work/lines"
    { PATH=/usr/bin:$PATH cargo init --quiet --name mine && npm init -y; } >"$work/log" 2>&1 || fail 'empty projects' "$work/log"
    while IFS= read -r line; do
        PATH="/usr/bin:$PATH" sh -c "$line" >"$work/log" 2>&1 </dev/null || {
            grep -q -i -E 'could not fetch|no matching distribution|network|ENOTFOUND|EAI_AGAIN' "$work/log" || fail "$line" "$work/log"
            echo "SKIPPED: from git: $line"
            return
        }
    done <"$work/lines"
    board='1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1'
    [ "$(env/bin/python -c "import seebatch; print(seebatch.see('$board', 'd3e5', rules='swap'))")" = -225 ] || fail 'from git, Python'
    echo 'fn main() { println!("{}", seebatch::Rules::named("swap").is_ok()); }' >src/main.rs
    [ "$(CFLAGS=-O1 cargo run --quiet 2>"$work/log")" = true ] || fail 'from git, Rust' "$work/log"
    [ "$(node --input-type=module -e "import { Seebatch } from 'seebatch';
        console.log((await Seebatch.load()).see('$board', 'd3e5', { rules: 'swap' }));" 2>"$work/log")" = -225 ] || fail 'from git, JavaScript' "$work/log"
    ${CC:-cc} -O1 -c seebatch.c -o seebatch.o >"$work/log" 2>&1 || fail 'from git, C' "$work/log"
    ran=1
    echo 'ok: what the README says to get it'
}

rust
javascript
python
from_git
[ -n "$ran" ] || exit 77
