/*
 * Exchanges in lanes: the decision that most of them need no more than, and playing them out. A template: the kernel of
 * an instruction set includes it behind its own board.h, which says what lanes and masks are, and how the board of a
 * request looks in them. The method is told at the head of kernel.h.
 */
enum { FAR = 20000 /* beyond every value */ };

LANES_INLINE lane_mask at_most_one(lanes set) { return lanes_disjoint(set, lanes_sub(set, lanes_all(1))); }

/* The pieces that may take back what has moved: none, where that is settled. Where a capture never promotes that need
 * not be looked at: such a piece, as kings, counts as worth nothing, which nobody gains by taking. */
LANES_INLINE lanes recapturers(const struct lane_rules *rules, const struct lane_requests *q)
{
    const lanes theirs = lanes_and(q->attackers, q->enemy);
    return notes_no_recapture(rules) ? lanes_unless(q->no_recapture, theirs) : theirs;
}

/* What can be told without playing the exchange out. */
struct lane_decision {
    lanes value;
    lane_mask certain;  /* the value holds, whoever may capture: nobody can */
    lane_mask decided;  /* the value holds if every attacker may capture */
    lanes least, most;  /* bounds on the value */
    lane_mask bounded;  /* they hold if every attacker may capture */
    lane_mask promotes; /* a pawn may promote later */
    lanes xray;         /* the sliders right behind the attackers */
};

LANES_INLINE struct lane_decision decide(const struct lane_rules *rules, const struct lane_requests *q)
{
    struct lane_decision d;
    d.xray = sliders_to(q, lanes_without(q->occupied, q->attackers));
    const lanes theirs = recapturers(rules, q);
    const lanes ours = lanes_without(q->attackers, q->enemy);
    const lane_mask single_theirs = at_most_one(theirs), single_ours = at_most_one(ours);

    const lanes w = least_value(rules, q, theirs), u = least_value(rules, q, ours);
    const lanes loses_least = value_monus(q->victim, w);
    const lanes loses_most = value_monus(q->victim, value_monus(w, u));

    d.certain = lanes_empty(theirs);
    const lanes ours_later = lanes_without(lanes_or(q->attackers, d.xray), q->enemy);
    const lane_mask none_ours = mask_without(lanes_empty(ours_later), d.certain);
    const lane_mask all_seen = lanes_empty(d.xray), alone = mask_or(single_theirs, single_ours);
    const lane_mask meet = lanes_equal(loses_least, loses_most);
    d.bounded = lanes_empty_or(d.xray, rules->rising);
    d.decided = mask_or(none_ours, mask_or(mask_and(all_seen, alone), mask_and(d.bounded, meet)));
    d.promotes = mask_of_bits(0);
    if (rules->promote_all) { /* pawns that capture on the last rank are worth more than they look */
        d.promotes = mask_without(q->last_rank, lanes_disjoint(q->attackers, q->pawns));
        d.decided = mask_without(d.decided, d.promotes);
        d.bounded = mask_without(d.bounded, d.promotes);
    }
    /* Where nobody can take back, w is more than everything, and nothing lost; with none of ours u is, and all is. */
    const lanes loses = lanes_select(mask_without(single_theirs, none_ours), loses_least, loses_most);
    d.value = value_sub(q->gain, loses);
    d.least = value_sub(q->gain, loses_most);
    d.most = value_sub(q->gain, loses_least);
    return d;
}

/* Against thresholds, bounds may be as good as values: the value told is one of them, and if both fail, either will do.
 */
LANES_INLINE void decide_against(struct lane_decision *d, lanes threshold)
{
    const lane_mask fails = value_less(d->most, threshold), open = mask_without(value_less(d->least, threshold), fails);
    d->decided = mask_or(d->decided, mask_without(d->bounded, open));
}

/*
 * Decides some more of what decide() has left open: too long for all requests, but far shorter than playing out.
 *
 * Where nothing is hidden and they have two attackers, the second one takes what takes the first one back, and loses
 * itself to another one of ours. Where one side has a single attacker, hidden ones counted, those of the other side
 * that are hidden come out in time, if nothing stands behind them.
 */
LANES_INLINE void decide_further(const struct lane_rules *rules, const struct lane_requests *q, struct lane_decision *d)
{
    const lanes theirs = recapturers(rules, q);
    const lanes ours = lanes_and(q->attackers, q->own);
    const struct lane_least w = least_valuable(rules, q, theirs);
    const lanes others = lanes_without(theirs, lanes_and(w.pieces, lanes_sub(lanes_zero(), w.pieces)));
    const lanes loses = value_monus(least_value(rules, q, ours), least_value(rules, q, others));
    const lanes two_lose = value_sub(q->gain, value_monus(q->victim, value_monus(w.value, loses)));
    const lane_mask two = mask_and(lanes_empty(d->xray), at_most_one(others));
    lane_mask decided_here = two;
    lanes value = two_lose;
    if (!rules->pins && !rules->any_order) {
        const lanes seen = lanes_or(q->attackers, d->xray);
        const lane_mask not_deep = lanes_empty(sliders_to(q, lanes_without(q->occupied, seen)));
        /* A king that is alone to take, with sliders behind it, does not take what is guarded: they do not help it. */
        const lane_mask no_help =
            mask_or(lanes_disjoint(d->xray, q->enemy), lanes_empty(lanes_without(theirs, q->kings)));
        const lane_mask single_theirs = mask_and(at_most_one(theirs), no_help);
        const lane_mask single_ours = mask_and(at_most_one(ours), lanes_disjoint(d->xray, q->own));
        value = lanes_select(two, value, lanes_select(single_theirs, d->most, d->least));
        decided_here = mask_or(decided_here, mask_and(not_deep, mask_or(single_theirs, single_ours)));
    }
    decided_here = mask_without(decided_here, mask_or(d->certain, mask_or(d->decided, d->promotes)));
    d->value = lanes_select(decided_here, value, d->value);
    d->decided = mask_or(d->decided, decided_here);
}

/* An exchange in progress in each lane; see play_out() in ../scalar/see.c. All values are the first mover's. */
struct lane_exchange {
    lanes occupied, attackers;
    lanes balance, victim;
    lanes low, high; /* the value is known where they meet */
    lanes behind;    /* where each side chooses its order: the sliders right behind the first attackers; */
    lanes cheap;     /* those of them that are no queens; */
    lanes deep;      /* those right behind both; */
    lanes doubt;     /* not 0 where another order may have been better; no mask, of which there are few */
};

/* A line on which a check may open: once nothing stands in between, while the sniper stands. */
struct lane_line {
    lanes sniper, in_between;
    lanes own; /* all ones where the king is the first mover's, otherwise 0 */
};

/* The pieces that may not capture now, of the side whose king the line leads to: where the check is open, all but the
 * king; where one piece is left in between, that one. */
LANES_INLINE lanes pinned_on_line(const struct lane_requests *q, const struct lane_exchange *x,
                                  const struct lane_line *line, bool first_movers_turn)
{
    const lanes in_between = lanes_and(line->in_between, x->occupied);
    const lanes all_but_king = lanes_xor(q->kings, lanes_all(-1));
    const lane_mask free = mask_or(mask_not(at_most_one(in_between)), lanes_disjoint(line->sniper, x->occupied));
    const lanes pinned = lanes_unless(free, lanes_select(lanes_empty(in_between), all_but_king, in_between));
    return first_movers_turn ? lanes_and(pinned, line->own) : lanes_without(pinned, line->own);
}

/* Not 0 where a capture may matter to a king otherwise than the others that the side has: it uncovers its own king; its
 * piece is the sniper; or another one uncovers the enemy's. */
LANES_INLINE lanes line_matters(const struct lane_exchange *x, const struct lane_line *line, lanes mine, lanes from,
                                lanes side, bool first_movers_turn)
{
    const lanes to_own = lanes_and(line->in_between, from);
    const lanes others = lanes_without(lanes_and(lanes_or(mine, x->behind), side), from);
    const lanes uncovering = lanes_and(lanes_and(line->in_between, x->occupied), others);
    const lanes to_enemy =
        lanes_or(lanes_and(line->sniper, from), lanes_select(lanes_empty(to_own), uncovering, lanes_zero()));
    const lanes own = first_movers_turn ? to_own : to_enemy, enemy = first_movers_turn ? to_enemy : to_own;
    return lanes_or(lanes_and(own, line->own), lanes_without(enemy, line->own));
}

/*
 * Where each side chooses its order: turns of a side, not over yet, at which capturing with its least valuable piece
 * may not be the best. It is, if the capture makes the side's others needless (../scalar/order.c, docs/semantics.md):
 * it lets out no enemy slider, and nothing behind the others, on their lines, is cheaper. A piece is cheaper than the
 * one in front of it only behind a queen, and only rooks and queens are dearer than that. Lines to kings have been
 * looked for as far as the first attackers and what is right behind them go; where more stands on a line, nothing is
 * known. mine: the side's pieces that may capture; from: the one that does; appeared: what attacks now and did not
 * before.
 */
LANES_INLINE lane_mask doubtful(const struct lane_requests *q, const struct lane_exchange *x,
                                const struct lane_line *line, lanes mine, lanes from, lanes appeared, lanes side,
                                bool first_movers_turn)
{
    const lanes let_out = lanes_without(appeared, side), behind_queens = lanes_and(x->cheap, side);
    const lane_mask not_dear = lanes_disjoint(from, lanes_or(q->rooks, q->queens));
    const lane_mask no_queens = lanes_disjoint(lanes_without(mine, from), q->queens);
    const lanes cheaper = lanes_unless(mask_or(not_dear, no_queens), behind_queens);
    lanes differs = lanes_or(lanes_or(let_out, cheaper), x->deep);
    if (line)
        differs = lanes_or(differs, line_matters(x, line, mine, from, side, first_movers_turn));
    const lane_mask no_choice = mask_or(lanes_empty(differs), at_most_one(mine));
    const lane_mask certain = mask_and(no_choice, lanes_disjoint(from, x->deep));
    return mask_not(mask_or(certain, lanes_equal(x->low, x->high)));
}

/* Where a capture gets the side more than it is sure of, if nothing takes back; where no pawn promotes. */
LANES_INLINE lane_mask may_help(const struct lane_exchange *x, bool first_movers_turn)
{
    return first_movers_turn ? value_less(x->low, value_add(x->balance, x->victim))
                             : value_less(value_sub(x->balance, x->victim), x->high);
}

/* Under rules with pins: of the first mover (0) and of his opponent (1), the pieces that may be held back, and those
 * that hold them. */
struct lane_pins {
    lanes blockers[2], pinners[2];
};

/* The pieces of a side that its pins hold back now. */
LANES_INLINE lanes pinned_now(const struct lane_rules *rules, const struct lane_exchange *x,
                              const struct lane_pins *pins, bool first_movers_turn)
{
    const lanes pinners = pins->pinners[!first_movers_turn];
    const lane_mask free =
        rules->scalar->pins == SEEBATCH_PINS_ANY
            ? lanes_disjoint(pinners, x->occupied)
            : mask_or(lanes_empty(pinners), mask_not(lanes_empty(lanes_without(pinners, x->occupied))));
    return lanes_unless(free, pins->blockers[!first_movers_turn]);
}

/* What keeps pieces from capturing: the line on which alone a check may open, or pins; or nothing does. */
struct lane_pinning {
    const struct lane_line *line;
    const struct lane_pins *pins;
};

/* The captures of one side, where it has any that helps: its pieces; the other side's. */
LANES_INLINE void swap_turn(const struct lane_rules *rules, const struct lane_requests *q, struct lane_exchange *x,
                            struct lane_pinning pinning, lanes side, lanes other, bool first_movers_turn)
{
    if (first_movers_turn) /* stopping now is one of his choices: the value is at least the balance */
        x->low = value_min(x->high, value_max(x->low, x->balance));
    else
        x->high = value_max(x->low, value_min(x->high, x->balance));

    lanes mine = lanes_and(x->attackers, side);
    if (pinning.line)
        mine = lanes_without(mine, pinned_on_line(q, x, pinning.line, first_movers_turn));
    if (pinning.pins)
        mine = lanes_without(mine, pinned_now(rules, x, pinning.pins, first_movers_turn));
    const struct lane_least least = least_valuable(rules, q, mine);
    const lanes from = lowest_square_of(q, least.pieces);
    const lanes before = x->attackers;
    x->occupied = lanes_without(x->occupied, from);
    x->attackers = lanes_or(lanes_and(q->leapers, x->occupied), sliders_to(q, x->occupied));

    /* No piece to capture with, or only a king that would stand in check: the exchange ends here. */
    const lane_mask no_king_moves = lanes_disjoint(from, q->kings), unguarded = lanes_disjoint(x->attackers, other);
    lane_mask ends = mask_or(lanes_empty(mine), mask_not(mask_or(no_king_moves, unguarded)));
    if (rules->any_order) {
        const lanes appeared = lanes_without(x->attackers, before);
        const lane_mask doubt = doubtful(q, x, pinning.line, mine, from, appeared, side, first_movers_turn);
        const lane_mask helps = may_help(x, first_movers_turn);
        x->doubt = lanes_select(mask_and(helps, doubt), lanes_all(-1), x->doubt);
        ends = mask_or(ends, mask_not(helps));
    }
    if (first_movers_turn)
        x->high = lanes_select(ends, x->low, x->high);
    else
        x->low = lanes_select(ends, x->high, x->low);

    lanes won = x->victim;
    x->victim = least.value;
    if (rules->promote_all && !rules->any_order) {
        const lane_mask promotes = mask_without(q->last_rank, lanes_disjoint(from, q->pawns));
        const lanes queen = rules->value[SEEBATCH_QUEEN];
        won = lanes_select(promotes, value_add(won, value_sub(queen, rules->value[SEEBATCH_PAWN])), won);
        x->victim = lanes_select(promotes, queen, x->victim);
    }
    x->balance = first_movers_turn ? value_add(x->balance, won) : value_sub(x->balance, won);
}

/* Where it is not wanted, an exchange is over before it begins. */
LANES_INLINE struct lane_exchange begin_exchange(const struct lane_rules *rules, const struct lane_requests *q,
                                                 lane_mask wanted)
{
    struct lane_exchange x;
    x.occupied = q->occupied;
    x.attackers = q->attackers;
    if (notes_no_recapture(rules))
        x.attackers = lanes_select(q->no_recapture, lanes_without(q->attackers, q->enemy), q->attackers);
    x.balance = q->gain;
    x.victim = q->victim;
    x.low = value_all(-FAR);
    x.high = lanes_select(wanted, value_all(FAR), x.low);
    x.doubt = x.behind = x.cheap = x.deep = lanes_zero();
    if (rules->any_order) {
        const lanes occupied = lanes_without(q->occupied, q->attackers);
        x.behind = sliders_to(q, occupied);
        x.cheap = lanes_without(x.behind, q->queens);
        x.deep = sliders_to(q, lanes_without(occupied, x.behind));
    }
    return x;
}

/* Plays the exchanges of n registers out, one or two, in the lanes that are wanted; hold: of a single register. doubt:
 * where each side chooses its order, those whose values may be wrong. */
LANES_INLINE void swap_loop(const struct lane_rules *rules, const struct lane_requests *q, struct lane_pinning pinning,
                            int n, lane_mask wanted, lanes *value, lane_mask *doubt)
{
    struct lane_exchange x[2];
    for (int i = 0; i < n; i++)
        x[i] = begin_exchange(rules, &q[i], wanted);
    bool done;
    do {
        for (int i = 0; i < n; i++)
            swap_turn(rules, &q[i], &x[i], pinning, q[i].enemy, q[i].own, false);
        for (int i = 0; i < n; i++)
            swap_turn(rules, &q[i], &x[i], pinning, q[i].own, q[i].enemy, true);
        done = true;
        for (int i = 0; i < n; i++)
            done &= value_all_equal(x[i].low, x[i].high);
    } while (!done);
    for (int i = 0; i < n; i++) {
        value[i] = x[i].low;
        doubt[i] = mask_not(lanes_empty(x[i].doubt));
    }
}
