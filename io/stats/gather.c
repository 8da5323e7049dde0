/*
 * Adds what a thread has counted to the totals.
 *
 * A thread counts in fewer and larger sets of cells than a report has counters (struct tally). Here the cells are summed
 * up, once for millions of records.
 */
#include "counters.h"

/* Adds cells to the sums, and empties them. */
static void move_cells(uint64_t *sums, uint32_t *cells, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (cells[i] != 0) { /* what is not written takes no memory */
            sums[i] += cells[i];
            cells[i] = 0;
        }
}

/* Adds the records of a tenth that have these properties. */
static void add_records(struct totals *totals, size_t tenth, unsigned has, unsigned stm, unsigned result,
                        enum score_class score, uint64_t n)
{
    const bool scored = has & SEEBATCH_HAS_SCORE, ended = has & SEEBATCH_HAS_RESULT;
    const bool marked = score == SCORE_BLACK_MARK || score == SCORE_WHITE_MARK;
    const unsigned sign = score < SCORE_0 ? 0 : score == SCORE_0 ? 1 : 2;
    const bool decided = scored && ended && result != SEEBATCH_DRAW && !marked;
    const bool contradicts = decided && score == (result == SEEBATCH_WHITE_WINS ? SCORE_LOSES : SCORE_WINS);
    const bool of_kind[N_TENTH_KINDS] = {[TENTH_POSITIONS] = true,
                                         [TENTH_SCORES] = scored,
                                         [TENTH_MARKS] = scored && marked,
                                         [TENTH_ZEROS] = scored && score == SCORE_0,
                                         [TENTH_DECIDED] = decided,
                                         [TENTH_CONTRADICTS] = contradicts,
                                         [TENTH_DRAWS] = ended && result == SEEBATCH_DRAW,
                                         [TENTH_RESULTS] = ended};
    totals->positions[0] += n;
    totals->fields[has] += n;
    totals->sides[stm] += n;
    totals->results[result] += ended ? n : 0;
    totals->agreement[(stm * 3 + sign) * 3 + result] += scored && ended ? n : 0;
    totals->contradictions[0] += decided ? n : 0;
    totals->contradictions[1] += contradicts ? n : 0;
    for (size_t kind = 0; kind < N_TENTH_KINDS && tenth < TENTHS; kind++)
        totals->tenths[tenth * N_TENTH_KINDS + kind] += of_kind[kind] ? n : 0;
}

static void gather_records(struct totals *totals, uint32_t records[TENTHS + 1][RECORD_CELLS])
{
    for (size_t tenth = 0; tenth <= TENTHS; tenth++)
        for (unsigned cell = 0; cell < RECORD_CELLS; cell++)
            if (records[tenth][cell] != 0) {
                add_records(totals, tenth, cell / (RECORD_CELLS / 16), cell / (4 * SCORE_CLASSES) % 2,
                            cell / SCORE_CLASSES % 4, (enum score_class)(cell % SCORE_CLASSES), records[tenth][cell]);
                records[tenth][cell] = 0;
            }
}

/* Adds the records whose moves and boards have these properties. */
static void gather_moves(struct totals *totals, uint32_t moves[MOVE_CELLS])
{
    for (unsigned cell = 0; cell < MOVE_CELLS; cell++) {
        const unsigned kind = cell & KIND_BITS, n = moves[cell];
        const bool calm = !(cell & IN_CHECK), has_move = kind != MOVE_NONE, by_loader = cell & BY_LOADER;
        const bool tactical = by_loader || kind == MOVE_PROMOTION || kind == MOVE_EN_PASSANT;
        moves[cell] = 0;
        if (n == 0)
            continue;
        totals->moves[kind] += n;
        totals->quiet[QUIET_NO_CHECK] += calm ? n : 0;
        totals->quiet[QUIET_BY_LOADER] += calm && has_move && !by_loader ? n : 0;
        totals->quiet[QUIET_BY_MOVE] += calm && has_move && !tactical ? n : 0;
        totals->quiet[QUIET_NO_CAPTURE] += calm && cell & NO_CAPTURE ? n : 0;
        totals->quiet[QUIET_BY_EXCHANGE] += calm && cell & NO_SOUND ? n : 0;
    }
}

/* Adds the positions of a material, from which their pieces and phase follow. */
static void gather_materials(struct totals *totals, uint32_t materials[MATERIAL_CELLS])
{
    static const unsigned phase_of[SEEBATCH_KING] = {
        [SEEBATCH_KNIGHT] = 1, [SEEBATCH_BISHOP] = 1, [SEEBATCH_ROOK] = 2, [SEEBATCH_QUEEN] = 4};
    for (size_t cell = 0; cell < MATERIALS; cell++) {
        if (materials[cell] == 0)
            continue;
        const struct material material = seebatch_io_material_of_cell(cell);
        unsigned pieces = 2, phase = 0;
        for (int type = SEEBATCH_PAWN; type < SEEBATCH_KING; type++) {
            const unsigned n = (unsigned)(material.of[SEEBATCH_WHITE][type] + material.of[SEEBATCH_BLACK][type]);
            pieces += n;
            phase += n * phase_of[type];
        }
        totals->pieces[pieces] += materials[cell];
        totals->phases[phase] += materials[cell];
    }
    move_cells(totals->materials, materials, MATERIAL_CELLS);
}

void seebatch_io_stats_gather(seebatch_stats *stats, struct stats_worker *worker)
{
    struct tally *tally = worker->tally;
    struct totals *totals = stats->totals;
    gather_records(totals, tally->records);
    gather_moves(totals, tally->moves);
    gather_materials(totals, tally->materials);
    move_cells(totals->games, &tally->games, 1);
    move_cells(totals->scores, tally->scores, SCORE_CELLS);
    move_cells(totals->marks, &tally->scores[MARKED], 1);
    move_cells(totals->scores_beyond, &tally->scores[SCORE_BEYOND], 2);
    move_cells(totals->plies, tally->plies, PLY_CELLS);
    move_cells(totals->plies_beyond, &tally->plies[PLY_BEYOND], 2);
    move_cells(totals->calibration, tally->calibration, CALIBRATION_CELLS);
    move_cells(totals->pieces, tally->more_pieces, PIECE_CELLS);
    move_cells(totals->phases, tally->more_phases, PHASE_CELLS);
    move_cells(totals->captures, tally->captures, SEEBATCH_MAX_MOVES + 1);
    move_cells(totals->values, tally->values, VALUE_CELLS);
    move_cells(totals->depths, tally->depths, SEEBATCH_MAX_EXCHANGE + 1);
    move_cells(totals->causes, tally->causes, MOST_CAUSES);
    move_cells(totals->played, tally->played, PLAYED_CELLS);
    move_cells(totals->best, tally->best, MOST_RULE_SETS * BEST_KINDS);
    for (size_t i = 0; i < SKETCH_SIZE; i++)
        stats->registers[i] = stats->registers[i] > worker->registers[i] ? stats->registers[i] : worker->registers[i];
    worker->since = 0;
}
