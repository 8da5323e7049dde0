#!/bin/sh
# The page that shows what hangs: it is made, and used without network in a headless browser, Chromium or "firefox".
#
# test_page.sh PROJECT [firefox]
#
# Ends with 77 (skipped) where node, npm, the browser or clang for wasm32 is missing, or npm cannot fetch the libraries
# of web/package.json.
set -u
project=$1

. "$(dirname "$0")/common.sh"
node --version >/dev/null 2>&1 || skip "page: there is no node here (Debian: nodejs)"
npm --version >/dev/null 2>&1 || skip "page: there is no npm here (Debian: npm)"
# Ubuntu's is a snap, which does not see /tmp.
is_browser() {
    path=$(readlink -f "$(command -v "$1")") && [ "${path##*/}" != snap ] && ! head -c 4096 "$path" | grep -q /snap/ &&
        "$1" --version >/dev/null 2>&1
}
case ${2:-} in
firefox) browser=Firefox package=firefox-esr names='firefox firefox-esr' ;;
*) browser=Chromium package=chromium-headless-shell names='chromium-headless-shell google-chrome chromium-browser chromium' ;;
esac
SEEBATCH_BROWSER=''
for name in $names; do
    is_browser "$name" && SEEBATCH_BROWSER=$name
done
[ -n "$SEEBATCH_BROWSER" ] || skip "page: there is no $browser here (Debian: $package)"
"$project/scripts/wasm" --compiler >/dev/null 2>"$work/log" || skip "page: $(cat "$work/log")"
cd "$project/web" || fail "page: there is no folder"
if [ -z "$(find node_modules/.package-lock.json -newer package-lock.json 2>/dev/null)" ]; then
    if ! npm ci --ignore-scripts --no-audit --no-fund --fetch-timeout=60000 >"$work/log" 2>&1; then
        grep -qE 'ENOTFOUND|EAI_AGAIN|ECONN|E[A-Z_]*TIMEOUT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|code E(429|50[0-9])' "$work/log" &&
            skip "page: npm finds no network, or no registry that answers"
        fail "page: npm ci" "$work/log"
    fi
fi
SEEBATCH_PAGE=$work/seebatch.html
export SEEBATCH_PAGE SEEBATCH_BROWSER
"$project/scripts/page" "$SEEBATCH_PAGE" >"$work/log" 2>&1 || fail "page: scripts/page ends with $?" "$work/log"
node --test --test-reporter=spec tests/*.test.js >"$work/log" 2>&1 || fail "page" "$work/log"
grep -q 'pass [1-9]' "$work/log" || fail "page: no test ran" "$work/log"
sed -n 's/^[^ ]* \(.*\) ([0-9.]*ms) # \(.*\)$/SKIPPED: \1: \2/p' "$work/log"
grep -E ' (tests|pass|skipped) [0-9]+$' "$work/log"
sed -n 's/^[^ ]* \([^|]* | .*\)$/\1/p' "$work/log" # the engine's verdict on each exercise
