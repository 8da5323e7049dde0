#!/bin/sh
# The package for JavaScript: its modules are built, and its own tests run under node. What `npm test` does there.
#
# test_javascript.sh PROJECT TOOL
#
# Ends with 77 (skipped) where node, or clang for wasm32, is missing. Tests within that need more are skipped by name.
set -u
project=$1
SEEBATCH_TOOL=$2
export SEEBATCH_TOOL

. "$(dirname "$0")/common.sh"
node --version >/dev/null 2>&1 || skip "javascript: there is no node here (Debian: nodejs)"
"$project/scripts/wasm" --compiler >/dev/null 2>"$work/log" || skip "javascript: $(cat "$work/log")"
cd "$project/bindings/javascript" || fail "javascript: there is no folder"
./build >"$work/log" 2>&1 || fail "javascript: build ends with $?" "$work/log"
node --test --test-reporter=spec tests/*.test.js >"$work/log" 2>&1 || fail "javascript" "$work/log"
grep -q 'pass [1-9]' "$work/log" || fail "javascript: no test ran" "$work/log"
sed -n 's/^[^ ]* \(.*\) ([0-9.]*ms) # \(.*\)$/SKIPPED: \1: \2/p' "$work/log"
grep -E ' (tests|pass|skipped) [0-9]+$' "$work/log"
