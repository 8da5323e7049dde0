#!/bin/sh
# Every mistake of the table in docs/engine-recipes.md, made in an adapter: that the compiler, the checking mode and the suite find
# what the table says, and nothing else; and that an adapter without a mistake passes all three.
#
# test_faults.sh PROJECT C_COMPILER LIBRARY TOOL
set -u
project=$1
cc=$2
library=$3
tool=$4
. "$(dirname "$0")/common.sh"

echo 'void f(void) __attribute__((error(""))); void g(void) __attribute__((warning("")));' >"$work/knows.c"
"$cc" -Werror -c "$work/knows.c" -o "$work/knows.o" 2>"$work/log" || skip "$cc has no attributes for errors and warnings"
sed -n '/^| mistake | found by |/,/^$/p' "$project/docs/engine-recipes.md" | sed '1,2d;/^$/d' >"$work/table"
rows=$(wc -l <"$work/table")
[ "$rows" -ge 30 ] || fail "the table of docs/engine-recipes.md has $rows rows, expected 30 or more"
cat "$project/tests/data/games.fen" "$project/tests/data/random.fen" >"$work/positions"
"$tool" eval --help >/dev/null 2>&1
include="-I$project/include -I$project/tests/build/embedding"

# build OUTPUT FLAGS...
build() {
    output=$1
    shift
    # shellcheck disable=SC2086 # a list of words
    "$cc" -std=c11 -O1 -Wall -Wextra -Wpedantic -Wmissing-declarations -Wno-unused-function -Werror $include "$@" \
        "$project/tests/build/embedding/adapter.c" "$library" -pthread -o "$work/$output" >"$work/log" 2>&1
}

fault=0
while [ "$fault" -le "$rows" ]; do
    found= expected=$(sed -n "${fault}p" "$work/table" 2>/dev/null | sed 's/.*| \(.*\) |$/\1/')
    rules=ethereal
    case $fault in 33 | 34) rules=stockfish-2016 ;; esac
    if ! build checked -DFAULT=$fault -DSEEBATCH_SEE_CHECK; then
        found="compiler"
        grep -q 'seebatch_see' "$work/log" || fail "row $fault: the compiler says something else" "$work/log"
    else
        if ! "$work/checked" games <"$work/positions" >"$work/log" 2>&1; then
            grep -q '^seebatch_see.h: .*expected' "$work/log" || fail "row $fault: the checking mode ends without a sentence" "$work/log"
            found="checking mode"
        fi
        # What reads outside of arrays without the checking mode is not run.
        case $fault in
        8 | 17) ;;
        *)
            build plain -DFAULT=$fault || fail "row $fault: does not compile without the checking mode" "$work/log"
            "$work/plain" suite <"$project/suite/suite.tsv" >"$work/answers" 2>/dev/null
            "$tool" verify --rules $rules --suite "$project/suite/suite.tsv" --values 100,325,325,500,1000 "$work/answers" \
                >"$work/log" 2>&1 || found="${found:+$found, }suite"
            ;;
        esac
    fi
    if [ "$found" != "$expected" ]; then
        echo "row $fault: found by '$found', the table says '$expected'" >>"$work/wrong"
    fi
    fault=$((fault + 1))
done
[ ! -e "$work/wrong" ] || fail "what finds a mistake is not what docs/engine-recipes.md says" "$work/wrong"
echo "ok: $rows mistakes, each found by what docs/engine-recipes.md says"
