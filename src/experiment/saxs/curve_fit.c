#include "experiment/saxs/curve_fit.h"

#include "base/linalg.h"
#include "base/memory.h"

#include <math.h>
#include <stddef.h>

/* Scale and background at given c1 and c2. */
typedef struct line {
    double scale, background, chi_square;
} line;

static double profile_at(const cardo_curve *curve, const double *partials, double volume, int k,
                         double c1, double c2)
{
    double w[CARDO_PARTIALS], sum = 0;
    cardo_partial_weights(curve->q[k], volume, c1, c2, w, NULL, NULL);
    for (int p = 0; p < CARDO_PARTIALS; ++p)
        sum += w[p] * partials[k * CARDO_PARTIALS + p];
    return sum;
}

static line fit_line(const cardo_curve *curve, const double *partials, double volume,
                     bool background, double c1, double c2)
{
    double s = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0;
    for (int k = 0; k < curve->n; ++k) {
        const double weight = 1 / (curve->sigma[k] * curve->sigma[k]);
        const double x = profile_at(curve, partials, volume, k, c1, c2), y = curve->intensity[k];
        s += weight;
        sx += weight * x;
        sy += weight * y;
        sxx += weight * x * x;
        sxy += weight * x * y;
        syy += weight * y * y;
    }
    line found = {.background = 0};
    if (background) {
        found.scale = (sxy - sx * sy / s) / (sxx - sx * sx / s);
        found.background = (sy - found.scale * sx) / s;
    } else
        found.scale = sxy / sxx;
    found.chi_square = syy - found.scale * sxy - found.background * sy;
    if (found.scale <= 0) /* no profile at all */
        found.chi_square = syy;
    return found;
}

/* The fit while c1 and c2 are looked for. */
typedef struct search {
    const cardo_curve *curve;
    const double *partials;
    double volume;
    const cardo_curve_fit_options *options;
    double c[2]; /* the best */
    line best;
    double *A, *b; /* normal equations' rows, (n x 4), (n) */
} search;

static bool try_place(search *s, double c1, double c2)
{
    const line one = fit_line(s->curve, s->partials, s->volume, s->options->background, c1, c2);
    if (!(one.chi_square < s->best.chi_square))
        return false;
    s->best = one;
    s->c[0] = c1;
    s->c[1] = c2;
    return true;
}

static double clamp(double x, const double range[2])
{
    return fmin(fmax(x, range[0]), range[1]);
}

/* A step by Gauss and Newton in scale, background, c1 and c2 (those of `moves`), cut to their ranges. */
static cardo_status find_step(search *s, const bool moves[2], double step[2], cardo_error *error)
{
    const int ncolumn = 1 + s->options->background + moves[0] + moves[1];
    int rank;
    for (int k = 0; k < s->curve->n; ++k) {
        double w[3][CARDO_PARTIALS], sum[3] = {0}, *row = s->A + k * ncolumn;
        const double weight = 1 / s->curve->sigma[k];
        cardo_partial_weights(s->curve->q[k], s->volume, s->c[0], s->c[1], w[0], w[1], w[2]);
        for (int d = 0; d < 3; ++d)
            for (int p = 0; p < CARDO_PARTIALS; ++p)
                sum[d] += w[d][p] * s->partials[k * CARDO_PARTIALS + p];
        int column = 0;
        row[column++] = weight * sum[0];
        if (s->options->background)
            row[column++] = weight;
        for (int d = 0; d < 2; ++d)
            if (moves[d])
                row[column++] = weight * s->best.scale * sum[1 + d];
        s->b[k] = weight * (s->curve->intensity[k] - s->best.background - s->best.scale * sum[0]);
    }
    const cardo_status status =
        cardo_least_squares(s->curve->n, ncolumn, s->A, s->b, 1e-10, &rank, error);
    int column = 1 + s->options->background;
    for (int d = 0; d < 2; ++d)
        step[d] = moves[d] ? s->b[column++] : 0;
    return status;
}

/* Steps downhill until none helps. A parameter at an end of its range that wants beyond stays there. */
static cardo_status descend(search *s, cardo_error *error)
{
    enum { MOST_STEPS = 60, MOST_HALVINGS = 12 };
    const double *const range[2] = {s->options->c1, s->options->c2};
    for (int turn = 0; turn < MOST_STEPS; ++turn) {
        bool moves[2] = {range[0][0] < range[0][1], range[1][0] < range[1][1]}, better = false;
        double step[2];
        cardo_status status = find_step(s, moves, step, error);
        for (int d = 0; d < 2 && status == CARDO_OK; ++d)
            if (moves[d] && clamp(s->c[d] + step[d], range[d]) == s->c[d]) {
                moves[d] = false;
                status = find_step(s, moves, step, error);
            }
        if (status != CARDO_OK)
            return status;
        const double from[2] = {s->c[0], s->c[1]}, before = s->best.chi_square;
        double share = 1;
        for (int k = 0; k < MOST_HALVINGS && !better; ++k, share /= 2)
            better = try_place(s, clamp(from[0] + share * step[0], range[0]),
                               clamp(from[1] + share * step[1], range[1]));
        if (!better || before - s->best.chi_square < 1e-9 * (1 + before))
            break;
    }
    return CARDO_OK;
}

/* The least within the ranges lies inside of them, where steps find it, or on one of their four edges. */
static cardo_status follow_edges(search *s, cardo_error *error)
{
    for (int d = 0; d < 2; ++d)
        for (int end = 0; end < 2; ++end) {
            search edge = *s;
            cardo_curve_fit_options held = *s->options;
            double *range = d ? held.c2 : held.c1;
            if (range[0] == range[1])
                continue;
            range[0] = range[1] = range[end];
            edge.options = &held;
            edge.best = (line){.chi_square = HUGE_VAL};
            try_place(&edge, d ? s->c[0] : range[0], d ? range[0] : s->c[1]);
            const cardo_status status = descend(&edge, error);
            if (status != CARDO_OK)
                return status;
            if (edge.best.chi_square < s->best.chi_square) {
                s->best = edge.best;
                s->c[0] = edge.c[0];
                s->c[1] = edge.c[1];
            }
        }
    return CARDO_OK;
}

static cardo_status find_place(search *s, cardo_error *error)
{
    enum { ALONG = 7 };
    cardo_status status;
    const double *r1 = s->options->c1, *r2 = s->options->c2;
    CARDO_TRY(CARDO_ALLOCATE(&s->A, 4 * (size_t)s->curve->n, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->b, s->curve->n + 4, error));
    for (int i = 0; i < ALONG; ++i)
        for (int j = 0; j < ALONG; ++j)
            try_place(s, r1[0] + (r1[1] - r1[0]) * i / (ALONG - 1),
                      r2[0] + (r2[1] - r2[0]) * j / (ALONG - 1));
    if (!isfinite(s->best.chi_square) || s->best.scale <= 0)
        goto done;
    CARDO_TRY(descend(s, error));
    status = follow_edges(s, error);
done:
    cardo_free(s->A);
    cardo_free(s->b);
    return status;
}

static void judge(const cardo_curve *curve, const double *residual, cardo_curve_fit *out)
{
    double square = 0, steps = 0, above = 0, below = 0;
    int runs = 1;
    for (int k = 0; k < curve->n; ++k) {
        square += residual[k] * residual[k];
        above += residual[k] >= 0;
        below += residual[k] < 0;
        if (k == 0)
            continue;
        steps += (residual[k] - residual[k - 1]) * (residual[k] - residual[k - 1]);
        runs += (residual[k] >= 0) != (residual[k - 1] >= 0);
    }
    /* Wald & Wolfowitz 1940. */
    const double n = above + below, product = 2 * above * below;
    const double variance = product * (product - n) / (n * n * (n - 1));
    out->durbin_watson = square > 0 ? steps / square : 2;
    out->runs = runs;
    out->runs_expected = product / n + 1;
    out->runs_z = variance > 0 ? (runs - out->runs_expected) / sqrt(variance) : 0;
}

cardo_status cardo_curve_fit_find(const cardo_curve *curve, const double *partials,
                                  double mean_volume, const cardo_curve_fit_options *options,
                                  cardo_curve_fit *out, double *fitted, cardo_error *error)
{
    const double *r1 = options->c1, *r2 = options->c2;
    search s = {.curve = curve,
                .partials = partials,
                .volume = mean_volume,
                .options = options,
                .best = {.chi_square = HUGE_VAL}};
    *out = (cardo_curve_fit){.chi_square = 0};
    const cardo_status status = find_place(&s, error);
    if (status != CARDO_OK)
        return status;
    const line best = s.best;
    out->c1 = s.c[0];
    out->c2 = s.c[1];
    if (!isfinite(best.chi_square) || best.scale <= 0)
        return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                          "no positive scale brings the profile onto the curve: its intensities "
                          "are no scattering of this molecule (buffer less sample in place of "
                          "sample less buffer?)");
    out->scale = best.scale;
    out->background = best.background;
    out->parameters = 1 + options->background + (r1[0] < r1[1]) + (r2[0] < r2[1]);
    out->at_bound = (r1[0] < r1[1] && (out->c1 - r1[0] < 1e-4 || r1[1] - out->c1 < 1e-4)) ||
                    (r2[0] < r2[1] && (out->c2 - r2[0] < 1e-3 || r2[1] - out->c2 < 1e-3));
    out->chi_square = 0;
    for (int k = 0; k < curve->n; ++k) {
        fitted[k] = out->background +
                    out->scale * profile_at(curve, partials, mean_volume, k, out->c1, out->c2);
        const double residual = (curve->intensity[k] - fitted[k]) / curve->sigma[k];
        out->chi_square += residual * residual;
        fitted[k] = residual;
    }
    judge(curve, fitted, out);
    for (int k = 0; k < curve->n; ++k)
        fitted[k] = curve->intensity[k] - fitted[k] * curve->sigma[k];
    out->reduced = out->chi_square / (curve->n - out->parameters);
    return CARDO_OK;
}
