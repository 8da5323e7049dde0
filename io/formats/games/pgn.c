/*
 * Reads games in PGN as input: a record for each move of the main line, the position before it and the move.
 *
 * Its lines alone say where a game begins (pgn_begins_game()), wherever reading starts: that cuts files into blocks and
 * parts, and leads on after a broken game. A game is read to its result before its first position is returned, because
 * positions are labelled with the result, and because a broken game gives none at all.
 */
#include "pgn.h"
#include "pgn_plies.h"
#include "support/quote.h"
#include "formats/score_model.h"

struct reader {
    struct pgn_text text; /* from a place where a game begins to the next one, mostly a game */
    uint64_t newlines;    /* of the block up to text.end */
    struct pgn_game game;
    size_t next;                /* of its moves, from 0 */
    seebatch_position position; /* before that, unless it is kept */
};

/* ---- Where games begin ------------------------------------------------------------------------------------------- */

/* Where the first game begins that begins after the first byte, or 0 if none does. */
static size_t next_game(const char *bytes, size_t length)
{
    const char *end = bytes + length;
    for (const char *at = bytes; (at = memchr(at, '\n', (size_t)(end - at))) != NULL;)
        if (seebatch_io_pgn_begins_game(bytes, ++at, end))
            return (size_t)(at - bytes);
    return 0;
}

/* Up to where the last game begins. */
static size_t whole_games(const char *bytes, size_t length)
{
    for (size_t i = length; i-- > 1;)
        if (bytes[i - 1] == '\n' && seebatch_io_pgn_begins_game(bytes, bytes + i, bytes + length))
            return i;
    return 0;
}

/* Goes on to what lies up to the next beginning of a game; false at the end of the block. */
static bool next_piece(struct cursor *cursor, struct reader *reader)
{
    const char *block = cursor->block->in.data;
    if (cursor->at == cursor->end)
        return false;
    reader->text = (struct pgn_text){block, cursor->at, cursor->end, cursor->end, reader->newlines};
    reader->text.end = seebatch_io_pgn_next_game(block, cursor->at, cursor->end, &reader->newlines);
    cursor->at = reader->text.end;
    cursor->line = reader->newlines;
    return true;
}

/* ---- Records ----------------------------------------------------------------------------------------------------- */

/* A comment or a tag may have lost its end and the games after it: goes back to the first NUL from a place on. */
static bool has_nul(const struct cursor *cursor, struct pgn_text *text, const struct pgn_text *first,
                    seebatch_error *error)
{
    const char *nul = cursor->nul ? memchr(first->at, '\0', (size_t)(text->at - first->at)) : NULL;
    if (nul == NULL)
        return false;
    *text = (struct pgn_text){text->block, nul, text->end, text->last, first->newlines};
    for (const char *at = first->at; (at = memchr(at, '\n', (size_t)(nul - at))) != NULL; at++)
        text->newlines++;
    seebatch_io_fail_with(error, "a byte is NUL, expected text: a part of the file may have been lost here");
    return true;
}

/* Comments look like scores and are none; told once for each file, with their number, because the sentence is the same. */
static void warn_of_scores(struct cursor *cursor, const struct record *record, uint32_t comments)
{
    for (; comments > 0; comments--) {
        seebatch_io_warn(cursor->block, record,
                         "a comment looks like a score and is not read as one, expected a form such as {+0.57/17} at "
                         "its beginning, or [%%eval 0.25] anywhere in it");
        cursor->block->unread_scores++;
    }
}

/* Reads the next game of the piece. One that is broken is reported, and the rest of the piece skipped. */
static void read_game(struct cursor *cursor, struct reader *reader)
{
    struct block *block = cursor->block;
    struct record record = {0};
    seebatch_error error;
    const struct pgn_text begin = reader->text;
    const char *first = begin.at;
    enum pgn_outcome outcome = seebatch_io_pgn_read_game(&reader->text, NULL, &reader->game, &block->scratch, &error);
    if (outcome != PGN_BROKEN && has_nul(cursor, &reader->text, &begin, &error))
        outcome = PGN_BROKEN;
    block->games += outcome != PGN_NOTHING;
    reader->next = 0;
    if (outcome == PGN_BROKEN) {
        record.line = reader->text.newlines + 1;
        record.offset = (uint64_t)(reader->text.at - block->in.data);
        record.game = block->games;
        seebatch_io_report_error(block, &record, "%s; the game is skipped", error.text);
        seebatch_io_skip_damage(block, (uint64_t)(reader->text.end - first), 0);
        reader->text.at = reader->text.end;
        reader->game.n = 0;
        if (cursor->strict)
            cursor->at = cursor->end;
    } else if (reader->game.like_scores > 0) {
        record.line = begin.newlines + 1;
        record.offset = (uint64_t)(first - block->in.data);
        record.game = block->games;
        warn_of_scores(cursor, &record, reader->game.like_scores);
    }
}

/* Reads the score that comments give a position. Returns false after a report if it cannot be read. */
static bool take_score(struct cursor *cursor, const struct pgn_score *score, struct record *record,
                       const seebatch_position *position)
{
    const struct score_model *model = cursor->source->columns.model;
    if (score->like_one)
        warn_of_scores(cursor, record, 1);
    if (score->kind == PGN_NO_SCORE) {
        record->score = 0;
        return true;
    }
    if (score->kind == PGN_SCORE_WRONG) {
        cursor->block->unread_scores++;
        seebatch_io_report_error(
            cursor->block, record,
            "the score '%s' in the comment cannot be read, expected one such as +0.57/17 or -M4/20 "
            "before anything else, or [%%eval 0.25] or [%%eval #-3]; the position is skipped",
            quote(cursor->block->in.data + score->at, score->length).text);
        return false;
    }
    record->score = score->kind == PGN_SCORE_PAWNS && model != NULL
                        ? seebatch_io_internal_score(model, score->value, position)
                        : score->value;
    record->has |= FIELD_SCORE;
    cursor->block->read_scores++;
    return true;
}

/* Makes position i of a game that has more positions than are kept. `move` is what is played on it. */
static void take_position(struct reader *reader, size_t i, seebatch_move move, seebatch_position *position)
{
    *position = i < PGN_KEPT ? reader->game.kept[i] : reader->position;
    if (i + 1 >= PGN_KEPT) {
        reader->position = *position;
        seebatch_play(&reader->position, move);
    }
}

/* Hands out the next positions of the game, as far as there is room; false if the score of the last one is wrong. */
static bool take_moves(struct cursor *cursor, struct reader *reader, struct batch *batch)
{
    const struct block *block = cursor->block;
    cursor->block->begun += reader->next == 0;
    const size_t first = reader->next, room = BATCH_SIZE - batch->n, left = reader->game.n - first;
    const size_t end = first + (room < left ? room : left);
    const struct pgn_ply *ply = (const struct pgn_ply *)(const void *)block->scratch.data + first;
    const char *bytes = block->in.data;
    const uint32_t game = block->games;
    const uint8_t result = reader->game.result;
    const uint16_t has = FIELD_MOVE | FIELD_PLY | (reader->game.has_result ? FIELD_RESULT : 0);
    seebatch_position *position = batch->positions + batch->n;
    struct record *record = batch->records + batch->n;
    const bool kept = end < PGN_KEPT;
    bool good = true;
    if (kept)
        memcpy(position, reader->game.kept + first, (end - first) * sizeof *position);
    for (size_t i = first; i < end && good; i++, ply++, position++, record++) {
        if (!kept)
            take_position(reader, i, ply->move, position);
        *record = (struct record){.bytes = bytes + ply->at,
                                  .length = ply->length,
                                  .offset = ply->at,
                                  .line = ply->newlines + UINT64_C(1),
                                  .game = game,
                                  .score = ply->score.value,
                                  .ply = seebatch_io_ply_of_number(position),
                                  .move = ply->move,
                                  .result = result,
                                  .has = has};
        good = take_score(cursor, &ply->score, record, position);
    }
    reader->next = first + (size_t)(record - batch->records) - batch->n;
    batch->n += reader->next - first - !good;
    return good;
}

static bool read_pgn(struct cursor *cursor, struct batch *batch)
{
    struct reader *reader = cursor->block->reader;
    batch->n = 0;
    while (batch->n < BATCH_SIZE) {
        if (reader->next < reader->game.n) {
            if (!take_moves(cursor, reader, batch) && cursor->strict) {
                reader->game.n = 0;
                reader->text.at = reader->text.end;
                cursor->at = cursor->end;
            }
        } else if (reader->text.at < reader->text.end) {
            read_game(cursor, reader);
        } else if (!next_piece(cursor, reader)) {
            break;
        }
    }
    return batch->n > 0;
}

const struct file_format FORMAT(pgn) = {
    .name = "pgn",
    .extensions = {".pgn"},
    .what = "games in PGN, a position for each move of the main line; read only",
    .details = "Games; this format is only read. Each move of the main line gives a record with the position "
               "before it, the result of the game, and the score that a comment gives: what the engine said "
               "before its move, as in {+0.57/17 1.2s}, or [%eval 0.25] after the move that led to the "
               "position. Scores are in centipawns, and a mate in N moves is the score 32000 - N. Other "
               "comments, variations and glyphs are skipped. The tag FEN is read, including Chess960. A game "
               "that is malformed or has no result at its end is reported with its line and number, and gives "
               "no record.",
    .fields = FIELD_MOVE | FIELD_SCORE | FIELD_RESULT | FIELD_PLY,
    .optional = FIELD_SCORE | FIELD_RESULT,
    .chained = true,
    .reader_size = sizeof(struct reader),
    .whole = whole_games,
    .read = read_pgn,
    .boundary = next_game,
};
