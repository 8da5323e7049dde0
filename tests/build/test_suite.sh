#!/bin/sh
# The bulk part of the suite: its positions are those of the generator, its totals those of the program that defines
# them, and on every hundredth position the oracle has the same. With --write the totals are written, not compared.
#
# test_suite.sh PROJECT TOOL POSITIONS BULK BULK_BY_ORACLE [--write]
set -eu
suite=$1/suite
tool=$2
positions=$3
bulk=$4
by_oracle=$5
. "$(dirname "$0")/common.sh"

gunzip -c "$suite/positions.fen.gz" >"$work/positions.fen"
"$positions" >"$work/generated.fen"
cmp "$work/positions.fen" "$work/generated.fen"
[ "$(sort -u "$work/positions.fen" | wc -l)" -eq 100000 ]
awk 'NR % 100 == 0' "$work/positions.fen" >"$work/few.fen"

printf 'rules\tvalues\tmoves\tnumber\tsum\tfnv1a64\n' >"$work/bulk.tsv"
# In the order of bulk.tsv; then those that it lacks.
{
    sed 1d "$suite/bulk.tsv" | cut -f 1
    "$tool" info | sed '1,/^Rule sets/d' | tr -s ' ' '\n' | sed '/^$/d'
} | awk '!seen[$0]++' >"$work/names"
while read -r rules; do
    for values in 100,325,325,500,1000 97,434,464,646,1289 208,781,825,1276,2538; do
        "$bulk" $rules $values <"$work/positions.fen" >>"$work/bulk.tsv"
        "$bulk" $rules $values <"$work/few.fen" >"$work/few.library"
        "$by_oracle" $rules $values <"$work/few.fen" >"$work/few.oracle"
        diff "$work/few.library" "$work/few.oracle"
    done
done <"$work/names"
[ "${6:-}" != --write ] || cp "$work/bulk.tsv" "$suite/bulk.tsv"
diff "$suite/bulk.tsv" "$work/bulk.tsv"
