/*
 * Fits functions that say best how games end to the scores of their positions.
 *
 * The records are taken in bins of CALIBRATION_BIN of White's scores, each at its middle. Both fits have the least
 * logarithmic loss, which is the greatest likelihood. That of a scale alone is convex in 1 / scale, and that of a scale
 * and an offset is the proportional odds model (McCullagh, "Regression models for ordinal data", 1980), whose loss is
 * convex, too, in 1 / scale and offset / scale. So Newton's method finds the one minimum, if steps that go too far are
 * halved, or halve what is known to hold it.
 */
#include <stdio.h>

#include "counters.h"
#include "support/exponential.h"

/* nnue-pytorch: `out_offset` and `out_scaling` of model/config.py, for scores of training data. bullet: `eval_scale` 400,
 * as its examples have it. */
const struct named_model seebatch_io_trainers[N_TRAINERS] = {
    {"bullet", "eval scale 400", {0, 400}},
    {"nnue-pytorch", "offset 270, scaling 380", {270, 380}},
};

static double score_of_bin(int bin) { return (bin + 0.5) * CALIBRATION_BIN - CALIBRATED; }

void seebatch_io_calibration(const struct totals *totals, int group, struct calibration *calibration)
{
    memset(calibration, 0, sizeof *calibration);
    for (int from = 0; from < PHASE_GROUPS; from++)
        for (int bin = 0; bin < CALIBRATION_BINS && (group == from || group == PHASE_GROUPS); bin++)
            for (int result = 0; result < 3; result++) {
                const uint64_t count = totals->calibration[(from * CALIBRATION_BINS + bin) * 3 + result];
                calibration->cells[bin][result] += count;
                calibration->n += count;
            }
}

void seebatch_io_chances(const struct win_model *model, double score, double *win, double *loss)
{
    *win = logistic((score - model->offset) / model->scale);
    *loss = logistic((-score - model->offset) / model->scale);
}

double seebatch_io_expected(const struct win_model *model, double score)
{
    double win, loss;
    seebatch_io_chances(model, score, &win, &loss);
    return 0.5 * (1 + win - loss);
}

struct model_error seebatch_io_model_error(const struct win_model *model, const struct calibration *calibration)
{
    static const double least = 1e-12;
    struct model_error error = {0, 0};
    for (int bin = 0; bin < CALIBRATION_BINS; bin++) {
        const uint64_t *count = calibration->cells[bin];
        const double black = (double)count[0], draw = (double)count[1], white = (double)count[2];
        const double n = black + draw + white;
        if (n == 0)
            continue;
        const double expected = seebatch_io_expected(model, score_of_bin(bin)), mean = (white + 0.5 * draw) / n;
        const double bounded = expected < least ? least : expected > 1 - least ? 1 - least : expected;
        error.rms += n * (expected - mean) * (expected - mean);
        error.loss -= n * (mean * logarithm(bounded) + (1 - mean) * logarithm(1 - bounded));
    }
    if (calibration->n == 0)
        return error;
    error.rms = square_root(error.rms / (double)calibration->n);
    error.loss /= (double)calibration->n;
    return error;
}

/* Returns whether the results leave a choice: without a win and a loss the best scale would be endless. */
static bool has_both(const struct calibration *calibration)
{
    uint64_t sums[3] = {0};
    for (int bin = 0; bin < CALIBRATION_BINS; bin++)
        for (int result = 0; result < 3; result++)
            sums[result] += calibration->cells[bin][result];
    return sums[0] > 0 && sums[2] > 0;
}

/* An inverse scale below this says that scores tell nothing. */
static const double least_inverse = 1e-6, most_inverse = 1;

/* Returns the slope of the loss at an inverse scale, and sets how it changes: one over its square is the variance of
 * the estimate. */
static double slope_at(const struct calibration *calibration, double inverse, double *curvature)
{
    double slope = 0;
    *curvature = 0;
    for (int bin = 0; bin < CALIBRATION_BINS; bin++) {
        const uint64_t *count = calibration->cells[bin];
        const double n = (double)(count[0] + count[1] + count[2]), score = score_of_bin(bin);
        if (n == 0)
            continue;
        const double expected = logistic(score * inverse);
        slope += score * (n * expected - (double)count[2] - 0.5 * (double)count[1]);
        *curvature += n * score * score * expected * (1 - expected);
    }
    return slope;
}

bool seebatch_io_fit_scale(const struct calibration *calibration, struct win_model *model, double *error_of_scale)
{
    enum { STEPS = 100 };
    static const double least_step = 1e-14; /* of itself: as good as the slope tells */
    double low = least_inverse, high = most_inverse, curvature;
    if (!has_both(calibration) || slope_at(calibration, low, &curvature) >= 0 ||
        slope_at(calibration, high, &curvature) <= 0)
        return false;
    double inverse = 0.5 * (low + high), before = 0;
    for (int i = 0; i < STEPS && (inverse - before > least_step * inverse || before - inverse > least_step * inverse);
         i++) {
        const double slope = slope_at(calibration, inverse, &curvature);
        *(slope < 0 ? &low : &high) = before = inverse;
        inverse -= slope / curvature;
        if (!(inverse > low && inverse < high)) /* too far, or there is no curvature */
            inverse = 0.5 * (low + high);
    }
    slope_at(calibration, inverse, &curvature);
    *model = (struct win_model){0, 1 / inverse};
    *error_of_scale = 1 / square_root(curvature) / (inverse * inverse);
    return true;
}

void seebatch_io_scale_text(const struct win_model *model, double error, const char *sign, char *text, size_t size)
{
    const int digits = error < 0.095 ? 2 : error < 0.95 ? 1 : 0;
    snprintf(text, size, "%s %s %s", FIXED(model->scale, digits), sign, FIXED(error, digits));
}

bool seebatch_io_scale_says_something(const struct calibration *calibration, struct win_model *model, double *error)
{
    return seebatch_io_fit_scale(calibration, model, error) && *error < 0.5 * model->scale;
}

/* The loss of wins, draws and losses at u = 1 / scale and v = offset / scale, its gradient and its Hessian matrix. */
struct wdl_loss {
    double loss, gradient[2], hessian[3]; /* uu, uv, vv */
};

/* Adds n outcomes with probability p, where dp and ddp are its derivatives by u and v. */
static void add_outcome(struct wdl_loss *sum, double n, double p, const double dp[2], const double ddp[3])
{
    static const double least = 1e-300;
    if (n == 0)
        return;
    const double q = p > least ? p : least;
    sum->loss -= n * logarithm(q);
    for (int i = 0; i < 2; i++)
        sum->gradient[i] -= n * dp[i] / q;
    sum->hessian[0] -= n * (ddp[0] / q - dp[0] * dp[0] / (q * q));
    sum->hessian[1] -= n * (ddp[1] / q - dp[0] * dp[1] / (q * q));
    sum->hessian[2] -= n * (ddp[2] / q - dp[1] * dp[1] / (q * q));
}

static struct wdl_loss wdl_loss_at(const struct calibration *calibration, double u, double v)
{
    struct wdl_loss sum = {0, {0, 0}, {0, 0, 0}};
    for (int bin = 0; bin < CALIBRATION_BINS; bin++) {
        const uint64_t *count = calibration->cells[bin];
        if (count[0] + count[1] + count[2] == 0)
            continue;
        const double s = score_of_bin(bin), win = logistic(s * u - v), loss = logistic(-s * u - v);
        /* A draw is what is left; written so, it keeps its digits. */
        const double draw = win * loss * (exponential(cut_exponent(2 * v)) - 1);
        const double w1 = win * (1 - win), l1 = loss * (1 - loss), w2 = w1 * (1 - 2 * win), l2 = l1 * (1 - 2 * loss);
        const double dw[2] = {s * w1, -w1}, dl[2] = {-s * l1, -l1}, dd[2] = {-dw[0] - dl[0], -dw[1] - dl[1]};
        const double ww[3] = {s * s * w2, -s * w2, w2}, ll[3] = {s * s * l2, s * l2, l2};
        const double hh[3] = {-ww[0] - ll[0], -ww[1] - ll[1], -ww[2] - ll[2]};
        add_outcome(&sum, (double)count[2], win, dw, ww);
        add_outcome(&sum, (double)count[1], draw, dd, hh);
        add_outcome(&sum, (double)count[0], loss, dl, ll);
    }
    return sum;
}

bool seebatch_io_fit_wdl(const struct calibration *calibration, struct win_model *model)
{
    enum { STEPS = 60, HALVINGS = 40 };
    static const double least_step = 1e-12; /* of u and v: near the minimum, a step squares the error that is left */
    struct win_model scale;
    double u, v = 0.5, unused;
    uint64_t draws = 0;
    for (int bin = 0; bin < CALIBRATION_BINS; bin++)
        draws += calibration->cells[bin][1];
    if (draws == 0 || !seebatch_io_fit_scale(calibration, &scale, &unused))
        return false;
    u = 1 / scale.scale;
    struct wdl_loss at = wdl_loss_at(calibration, u, v);
    for (int step = 0; step < STEPS; step++) {
        const double *h = at.hessian, *g = at.gradient, determinant = h[0] * h[2] - h[1] * h[1];
        if (determinant <= 0)
            return false;
        const double du = (h[2] * g[0] - h[1] * g[1]) / determinant, dv = (h[0] * g[1] - h[1] * g[0]) / determinant;
        if (du < least_step * u && -du < least_step * u && dv < least_step * v && -dv < least_step * v)
            break;
        double factor = 1;
        struct wdl_loss next = at;
        int halving = 0;
        for (; halving < HALVINGS; halving++, factor *= 0.5) {
            if (u - factor * du <= 0 || v - factor * dv <= 0)
                continue;
            next = wdl_loss_at(calibration, u - factor * du, v - factor * dv);
            if (next.loss < at.loss)
                break;
        }
        if (halving == HALVINGS)
            break;
        u -= factor * du;
        v -= factor * dv;
        at = next;
    }
    *model = (struct win_model){v / u, 1 / u};
    return true;
}
