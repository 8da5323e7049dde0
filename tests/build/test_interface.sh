#!/bin/sh
# The interface beside that of the last release, the newest tag vMAJOR.MINOR.PATCH behind this commit: abidiff for the shared
# libraries, cargo semver-checks for the crate. A break within a major version fails.
#
# test_interface.sh PROJECT
#
# Ends with 77 (skipped) where there is no release yet, or no abidiff.
set -u
project=$1

. "$(dirname "$0")/common.sh"
tag=$(git -C "$project" describe --tags --abbrev=0 --match 'v[0-9]*' 2>/dev/null) ||
    skip "interface: there is no tag v... of a release to compare with"
command -v abidiff >/dev/null || skip "interface: there is no abidiff (Debian: abigail-tools)"
version_of() { sed -n 's/^#define SEEBATCH_VERSION_MAJOR //p' "$1/include/seebatch.h"; }

git clone -q --branch "$tag" "$project" "$work/before" >"$work/log" 2>&1 || fail "git clone of $tag" "$work/log"
if [ "$(version_of "$work/before")" != "$(version_of "$project")" ]; then
    echo "ok: another major version than $tag may break what it promised"
    exit 0
fi
# built SOURCE FOLDER: the shared libraries, with what abidiff reads of types.
built() {
    cmake -S "$1" -B "$2" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE='-O1 -g -DNDEBUG' -DSEEBATCH_TESTS=OFF \
        -DSEEBATCH_BENCH=OFF -DSEEBATCH_TOOL=OFF -DSEEBATCH_IO=ON -DSEEBATCH_WERROR=OFF &&
        cmake --build "$2" --target seebatch_shared seebatch_io_shared --parallel "$(getconf _NPROCESSORS_ONLN)"
}
built "$work/before" "$work/old" >"$work/log" 2>&1 || fail "the build of $tag" "$work/log"
built "$project" "$work/new" >"$work/log" 2>&1 || fail "the build of this commit" "$work/log"
for library in libseebatch libseebatch_io; do
    old=$(find "$work/old" -name "$library.so") new=$(find "$work/new" -name "$library.so")
    # Any change of what was there: that of a signature is to abidiff no incompatible one (8), as a function that went is.
    abidiff --no-added-syms --headers-dir1 "$work/before/include" --headers-dir2 "$project/include" "$old" "$new" \
        >"$work/log" 2>&1 || fail "$library does not keep the interface of $tag" "$work/log"
    echo "ok: $library keeps the interface of $tag"
done
if cargo semver-checks --version >/dev/null 2>&1; then
    # Not by --baseline-rev: in the checkout that this makes scripts are not executable.
    CARGO_TARGET_DIR=$work/target cargo semver-checks --manifest-path "$project/bindings/rust/Cargo.toml" \
        --baseline-root "$work/before/bindings/rust" >"$work/log" 2>&1 ||
        fail "the crate does not keep the interface of $tag" "$work/log"
    echo "ok: the crate keeps the interface of $tag"
else
    echo "SKIPPED: the crate beside $tag: there is no cargo semver-checks (cargo install cargo-semver-checks)"
fi
