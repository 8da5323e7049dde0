#!/bin/sh
# seebatch_turns and scripts/bench commits: a library against a copy of itself is checked and timed; a library with wrong
# answers ends it with 1 and a sentence; what it cannot do anything with ends it with 2 and a sentence.
#
# test_turns.sh PROJECT C_COMPILER TURNS SHARED_LIBRARY
set -u
project=$1
cc=$2
turns=$3
library=$4

. "$(dirname "$0")/common.sh"
# says STATUS TEXT COMMAND...: how it ends, and what it says.
says() {
    status=$1 text=$2
    shift 2
    "$@" >"$work/log" 2>&1
    [ $? -eq "$status" ] || fail "$*: does not end with $status" "$work/log"
    grep -qF -e "$text" "$work/log" || fail "$*: does not say: $text" "$work/log"
}

cp "$library" "$work/copy.so"
for shape in bulk one-2 hot; do
    for form in value ge; do
        says 0 "lower quartiles" "$turns" --rounds 1 --shape $shape --form $form "$library" "$work/copy.so"
        says 0 "$shape/$form, rules swap" "$turns" --rounds 1 --shape $shape --form $form "$library" "$work/copy.so"
    done
done
says 0 "kernel scalar" "$turns" --rounds 1 --kernel scalar --rules legal --shape one-1 "$work/copy.so" "$library"

says 2 "nosuch" "$turns" --rounds 1 --kernel scalar,nosuch "$library" "$library"

# Every answer is 0.
cat >"$work/wrong.c" <<'END'
#include "seebatch.h"
#include <string.h>
#define QUERY const seebatch_rules *r, const seebatch_position *p, const seebatch_pins *pins
#define BATCH const seebatch_rules *r, const seebatch_batch *b
static size_t count(const seebatch_batch *b) { return b->offsets[b->n_positions] - b->offsets[0]; }
seebatch_status seebatch_kernel_use(const char *name, seebatch_error *error) { return SEEBATCH_OK; }
int seebatch_value(QUERY, seebatch_move m) { return 0; }
bool seebatch_ge(QUERY, seebatch_move m, int t) { return t < 0; }
void seebatch_values(QUERY, const seebatch_move *m, size_t n, int16_t *v) { memset(v, 0, n * sizeof *v); }
void seebatch_ge_mask(QUERY, const seebatch_move *m, size_t n, int16_t t, uint64_t *mask) { *mask = 0; }
seebatch_status seebatch_batch_values(BATCH, int16_t *v, seebatch_job *job)
{
    memset(v, 0, count(b) * sizeof *v);
    return SEEBATCH_OK;
}
seebatch_status seebatch_batch_ge_mask(BATCH, int16_t t, uint64_t *mask, seebatch_job *job) { return *mask = 0, SEEBATCH_OK; }
END
"$cc" -std=c11 -shared -fPIC -I"$project/include" "$work/wrong.c" -o "$work/wrong.so" || fail "the library with wrong answers does not build"
for shape in bulk one-2 hot; do
    says 1 "it says 0, expected" "$turns" --rounds 1 --shape $shape "$library" "$work/wrong.so"
    says 1 "wrong.so" "$turns" --rounds 1 --shape $shape --form ge "$work/wrong.so" "$library"
done

says 2 "two libraries are expected" "$turns" "$library"
says 2 "$work/none.so" "$turns" "$library" "$work/none.so"
says 2 "seebatch_kernel_use" "$turns" "$library" "$(cc -print-file-name=libc.so.6)"
says 2 "required: OLD" "$project/scripts/bench" commits
says 2 "is no commit of this repository" "$project/scripts/bench" commits --rounds 5 no-such-commit
echo "ok: answers of both libraries are checked before they are timed, and what is wrong is said"
