/* The page's code for an engine like Ethereal, on the moves of games. */
#include "ethereal_like.h"

#include "legal_moves.h"

uint64_t pawnAttacks(int colour, int sq) { return seebatch_attacks(SEEBATCH_PAWN, colour, sq, 0); }

uint64_t knightAttacks(int sq) { return seebatch_attacks(SEEBATCH_KNIGHT, SEEBATCH_WHITE, sq, 0); }

uint64_t kingAttacks(int sq) { return seebatch_attacks(SEEBATCH_KING, SEEBATCH_WHITE, sq, 0); }

uint64_t bishopAttacks(int sq, uint64_t occupied)
{
    return seebatch_attacks(SEEBATCH_BISHOP, SEEBATCH_WHITE, sq, occupied);
}

uint64_t rookAttacks(int sq, uint64_t occupied)
{
    return seebatch_attacks(SEEBATCH_ROOK, SEEBATCH_WHITE, sq, occupied);
}

static Board board_from(const seebatch_position *p)
{
    Board board;
    memset(&board, 0, sizeof board);
    for (int type = PAWN; type <= KING; type++)
        board.pieces[type] = seebatch_pieces_of_type(p, type);
    for (int color = WHITE; color <= BLACK; color++)
        board.colours[color] = seebatch_pieces_of_color(p, color);
    board.turn = p->stm;
    for (int sq = 0; sq < 64; sq++) {
        const int type = seebatch_type_on(p, sq);
        board.squares[sq] = (uint8_t)(type == SEEBATCH_NO_PIECE ? EMPTY : 4 * type + seebatch_color_on(p, sq));
        board.threats |= (uint64_t)(seebatch_attackers(p, sq, !p->stm, seebatch_occupied(p)) != 0) << sq;
    }
    return board;
}

void boardFromFEN(Board *board, const char *fen, int chess960)
{
    seebatch_position p;
    if (chess960 || seebatch_position_from_fen(fen, strlen(fen), &p, NULL) != SEEBATCH_OK)
        exit(1);
    *board = board_from(&p);
}

static seebatch_position position_from(const Board *board)
{
    return seebatch_position_from_bitboards(board->pieces, board->colours, board->turn);
}

void boardToFEN(Board *board, char *fen)
{
    const seebatch_position p = position_from(board);
    seebatch_position_to_fen(&p, fen);
}

/* The engine's own function. CHANGED: with another value of a rook. */
int ownEvaluation(Board *board, uint16_t move, int threshold)
{
    const seebatch_position p = position_from(board);
    const char *changed = getenv("CHANGED");
    seebatch_rules rules = rules_with("ethereal", 103, 422, 437, changed ? 700 : 694, 1313);
    rules.en_passant = SEEBATCH_EN_PASSANT_STANDING;
    return seebatch_ge(&rules, &p, NULL, seebatch_move_from_ethereal(move), threshold);
}

static uint16_t move_from(const seebatch_position *p, seebatch_move m)
{
    static const int flags[] = {[PLAIN] = 0, [PROMOTES] = 3, [PASSES] = 2, [CASTLES] = 1};
    const int promotion = seebatch_promotion(m) ? seebatch_promotion(m) - 1 : 0;
    return (uint16_t)(seebatch_from(m) | seebatch_to(m) << 6 | flags[kind_of(p, m)] << 12 | promotion << 14);
}

/* Marks the moves of a node at a threshold, and returns how many fall short. */
static size_t marked(const seebatch_position *p, Board *board, const uint16_t *list, int n, int threshold)
{
    uint64_t good[SEEBATCH_MASK_WORDS(MAX_MOVES)];
    size_t bad = 0;
    markGoodMoves(board, list, n, threshold, good);
    for (int i = 0; i < n; i++) {
        const int is_good = staticExchangeEvaluation(board, list[i], threshold);
        expect((int)(good[i / 64] >> i % 64 & 1) == is_good, p, "markGoodMoves");
        bad += !is_good;
    }
    return bad;
}

/* The suite's positions and moves with what exchangeValue() says of them, in the form that `seebatch verify` reads. */
static int answer_suite(const char *path)
{
    char line[1024], fen[128], uci[8];
    seebatch_position p;
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        seebatch_move move;
        if (sscanf(line, "%*[^\t]\t%*[^\t]\t%127[^\t]\t%7[^\t]", fen, uci) != 2 ||
            seebatch_position_from_fen(fen, strlen(fen), &p, NULL) != SEEBATCH_OK ||
            seebatch_move_from_uci(&p, uci, strlen(uci), &move, NULL) != SEEBATCH_OK)
            continue; /* the header */
        Board board = board_from(&p);
        printf("%s; %s; %d\n", fen, uci, exchangeValue(&board, move_from(&p, move)));
    }
    return file ? fclose(file) : 1;
}

int main(int argc, char **argv)
{
    seebatch_rules rules = rules_with("ethereal", 103, 422, 437, 694, 1313);
    rules.en_passant = SEEBATCH_EN_PASSANT_STANDING;
    if (argc == 3)
        return strcmp(argv[1], "suite") == 0 ? answer_suite(argv[2]) : replayQuestions(argv[2]);
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    seebatch_position p;
    size_t moves = 0, bad = 0;
    while (file && next_position(file, &p)) {
        seebatch_move legal[SEEBATCH_MAX_MOVES];
        uint16_t list[MAX_MOVES];
        const size_t n = seebatch_legal_moves(&p, legal);
        Board board = board_from(&p);
        for (size_t i = 0; i < n; i++, moves++) {
            list[i] = move_from(&p, legal[i]);
            const int value = seebatch_value(&rules, &p, NULL, legal[i]);
            expect(staticExchangeEvaluation(&board, list[i], value), &p, "staticExchangeEvaluation at the value");
            expect(!staticExchangeEvaluation(&board, list[i], value + 1), &p, "the same above the value");
            expect(exchangeValue(&board, list[i]) == value, &p, "exchangeValue");
            recordQuestion(&board, list[i], value);
        }
        bad += marked(&p, &board, list, (int)n, 0);
        marked(&p, &board, list, (int)n, 90);
        expect(marked(&p, &board, list, (int)n, 1 << 16) == n, &p, "a threshold that nothing reaches");
        expect(marked(&p, &board, list, (int)n, -(1 << 16)) == 0, &p, "a threshold that all reach");
    }
    printf("ethereal: %zu moves, %zu of them bad\n", moves, bad);
    return moves > 1000 && bad > 100 ? 0 : 1;
}
