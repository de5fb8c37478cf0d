#include "experiment/saxs/ensemble_fit.h"

#include "base/linalg.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 500, MOST_TRIES = 40, FOLDS = 5, GLOBALS = 4 };

/* Shares below this are none, and a step changes no share by more than exp(2). */
static const double least_share = 1e-14, largest_step = 2;

/* One search: parameters are ln w (n), ln scale, background, c1, c2. */
typedef struct search {
    const cardo_curve *curve;
    const cardo_conformations *all;
    const cardo_curve_fit_options *options;
    const cardo_ensemble_wish *wish;
    double *accuracy; /* 1/sigma, 0: left out     (points)         */
    double *profile;  /* at c1 and c2             (n x points)     */
    double *slope[2]; /* of the ensemble by c1 and c2  (points)    */
    double *mean;     /* of the ensemble          (points)         */
    double *J;        /* (points x parameters)                     */
    double *H, *step; /* (parameters^2), (parameters)              */
    double *tried;    /* shares of a trial        (n)              */
} search;

static void find_profiles(search *s, double c1, double c2)
{
    const int points = s->curve->n;
    for (int i = 0; i < points; ++i) {
        double w[CARDO_PARTIALS];
        for (int k = 0; k < s->all->n; ++k) {
            const double *p =
                s->all->partials + ((size_t)k * (size_t)points + (size_t)i) * CARDO_PARTIALS;
            if (k == 0 || s->all->volume[k] != s->all->volume[k - 1])
                cardo_partial_weights(s->curve->q[i], s->all->volume[k], c1, c2, w, NULL, NULL);
            double sum = 0;
            for (int j = 0; j < CARDO_PARTIALS; ++j)
                sum += w[j] * p[j];
            s->profile[(size_t)k * (size_t)points + (size_t)i] = sum;
        }
    }
}

static void find_slopes(search *s, double c1, double c2, const double *weight)
{
    const int points = s->curve->n;
    for (int i = 0; i < points; ++i) {
        double w[3][CARDO_PARTIALS];
        s->slope[0][i] = s->slope[1][i] = 0;
        for (int k = 0; k < s->all->n; ++k) {
            const double *p =
                s->all->partials + ((size_t)k * (size_t)points + (size_t)i) * CARDO_PARTIALS;
            if (k == 0 || s->all->volume[k] != s->all->volume[k - 1])
                cardo_partial_weights(s->curve->q[i], s->all->volume[k], c1, c2, w[0], w[1], w[2]);
            for (int d = 0; d < 2; ++d)
                for (int j = 0; j < CARDO_PARTIALS; ++j)
                    s->slope[d][i] += weight[k] * w[1 + d][j] * p[j];
        }
    }
}

static void find_mean(const search *s, const double *weight)
{
    const int points = s->curve->n;
    memset(s->mean, 0, (size_t)points * sizeof *s->mean);
    for (int k = 0; k < s->all->n; ++k)
        for (int i = 0; i < points; ++i)
            s->mean[i] += weight[k] * s->profile[(size_t)k * (size_t)points + (size_t)i];
}

static double average(int n, const double *weight, const double *property)
{
    double sum = 0;
    for (int k = 0; k < n; ++k)
        sum += weight[k] * property[k];
    return sum;
}

double cardo_conformations_average(const cardo_conformations *all, const double *weight, int j)
{
    double sum = 0;
    for (int k = 0; k < all->n; ++k)
        sum += weight[k] * all->property[(size_t)k * (size_t)all->nmeasured + (size_t)j];
    return sum;
}

double cardo_conformations_measured(const cardo_conformations *all, const double *weight)
{
    double sum = 0;
    for (int j = 0; j < all->nmeasured; ++j) {
        const double off = all->measured[j] - cardo_conformations_average(all, weight, j);
        sum += off * off;
    }
    return sum;
}

/* chi^2 and divergence go to fit; returns what is to be small. Profiles are those of fit's c1 and c2. */
static double find_objective(const search *s, cardo_ensemble_fit *fit, const double *weight)
{
    double pulled = 0;
    find_mean(s, weight);
    fit->chi_square = cardo_conformations_measured(s->all, weight);
    for (int i = 0; i < s->curve->n; ++i) {
        const double residual =
            s->accuracy[i] * (s->curve->intensity[i] - fit->background - fit->scale * s->mean[i]);
        fit->chi_square += residual * residual;
    }
    fit->divergence = 0;
    for (int k = 0; k < s->all->n; ++k)
        fit->divergence += weight[k] * log(weight[k] / s->all->prior[k]);
    if (s->wish->pull)
        pulled = s->wish->strength * average(s->all->n, weight, s->wish->pull);
    return 0.5 * fit->chi_square + s->wish->theta * fit->divergence - pulled;
}

/* A residual and its derivatives by the parameters join the equations. */
static void add_row(search *s, int m, const double *row, double residual)
{
    for (int k = 0; k < m; ++k) {
        s->step[k] += row[k] * residual;
        for (int l = 0; l <= k; ++l)
            s->H[k * m + l] += row[k] * row[l];
    }
}

static void add_measured(search *s, const double *weight)
{
    const int n = s->all->n, count = s->all->nmeasured;
    double *row = s->J;
    memset(row, 0, (size_t)(n + GLOBALS) * sizeof *row);
    for (int j = 0; j < count; ++j) {
        const double mean = cardo_conformations_average(s->all, weight, j);
        for (int k = 0; k < n; ++k)
            row[k] = weight[k] * (s->all->property[(size_t)k * (size_t)count + (size_t)j] - mean);
        add_row(s, n + GLOBALS, row, s->all->measured[j] - mean);
    }
}

/* Gauss and Newton's matrix with the exact curvature that the divergence has along ln w at its mean, and minus the gradient. */
static void find_equations(search *s, const cardo_ensemble_fit *fit, const double *weight)
{
    const int n = s->all->n, points = s->curve->n, m = n + GLOBALS;
    const double theta = s->wish->theta;
    const double pulled = s->wish->pull ? average(n, weight, s->wish->pull) : 0;
    find_slopes(s, fit->c1, fit->c2, weight);
    memset(s->H, 0, (size_t)m * (size_t)m * sizeof *s->H);
    memset(s->step, 0, (size_t)m * sizeof *s->step);
    for (int i = 0; i < points; ++i) {
        double *row = s->J + (size_t)i * (size_t)m;
        const double a = s->accuracy[i], scaled = a * fit->scale;
        const double residual =
            a * (s->curve->intensity[i] - fit->background - fit->scale * s->mean[i]);
        for (int k = 0; k < n; ++k)
            row[k] = scaled * weight[k] *
                     (s->profile[(size_t)k * (size_t)points + (size_t)i] - s->mean[i]);
        row[n] = scaled * s->mean[i];
        row[n + 1] = s->options->background ? a : 0;
        for (int d = 0; d < 2; ++d)
            row[n + 2 + d] = scaled * s->slope[d][i];
        add_row(s, m, row, residual);
    }
    add_measured(s, weight);
    for (int k = 0; k < n; ++k) {
        s->step[k] -= theta * weight[k] * (log(weight[k] / s->all->prior[k]) - fit->divergence);
        if (s->wish->pull)
            s->step[k] += s->wish->strength * weight[k] * (s->wish->pull[k] - pulled);
        s->H[k * m + k] += theta * weight[k];
        for (int l = 0; l <= k; ++l)
            s->H[k * m + l] -= theta * weight[k] * weight[l];
    }
}

/* c1 and c2 that are held, or at an end of their range and wanting beyond, do not move; nor does a background that is not fitted. */
static void hold(const search *s, const cardo_ensemble_fit *fit, double *H, double *b)
{
    const int n = s->all->n, m = n + GLOBALS;
    const double *const range[2] = {s->options->c1, s->options->c2}, c[2] = {fit->c1, fit->c2};
    for (int d = -1; d < 2; ++d) {
        const int at = n + 2 + d;
        if (d < 0 ? s->options->background
                  : range[d][0] < range[d][1] && !(c[d] <= range[d][0] && b[at] < 0) &&
                        !(c[d] >= range[d][1] && b[at] > 0))
            continue;
        for (int k = 0; k < m; ++k)
            H[(k > at ? k : at) * m + (k > at ? at : k)] = 0;
        H[at * m + at] = 1;
        b[at] = 0;
    }
}

/* What is tried: the step damped, in *trial and s->tried. false: the equations cannot be solved with so little damping. */
static bool try_step(search *s, const cardo_ensemble_fit *fit, const double *weight, double damping,
                     double *H, double *b, cardo_ensemble_fit *trial)
{
    const int n = s->all->n, m = n + GLOBALS;
    cardo_error ignored;
    memcpy(H, s->H, (size_t)m * (size_t)m * sizeof *H);
    memcpy(b, s->step, (size_t)m * sizeof *b);
    hold(s, fit, H, b);
    for (int k = 0; k < m; ++k)
        H[k * m + k] += damping * H[k * m + k] + (k < n ? 1e-12 + 1e-3 * damping * weight[k] : 0);
    if (cardo_cholesky_solve(m, H, 1, b, &ignored) != CARDO_OK)
        return false;
    double most = 0, sum = 0;
    for (int k = 0; k < n; ++k)
        most = fmax(most, fabs(b[k]));
    const double share = most > largest_step ? largest_step / most : 1;
    for (int k = 0; k < n; ++k)
        sum += s->tried[k] = fmax(weight[k] * exp(share * b[k]), least_share);
    for (int k = 0; k < n; ++k)
        s->tried[k] /= sum;
    *trial = *fit;
    trial->scale *= exp(fmin(fmax(share * b[n], -largest_step), largest_step));
    trial->background += share * b[n + 1];
    trial->c1 = fmin(fmax(fit->c1 + share * b[n + 2], s->options->c1[0]), s->options->c1[1]);
    trial->c2 = fmin(fmax(fit->c2 + share * b[n + 3], s->options->c2[0]), s->options->c2[1]);
    return true;
}

static cardo_status descend(search *s, cardo_ensemble_fit *fit, double *weight, double *H,
                            double *b, cardo_error *error)
{
    const int n = s->all->n;
    double damping = 1e-3;
    find_profiles(s, fit->c1, fit->c2);
    double now = find_objective(s, fit, weight);
    int small = 0;
    for (int turn = 0; turn < MOST_STEPS && small < 3; ++turn) {
        bool better = false;
        find_equations(s, fit, weight);
        for (int tried = 0; tried < MOST_TRIES && !better; ++tried) {
            cardo_ensemble_fit trial;
            double then = HUGE_VAL;
            if (try_step(s, fit, weight, damping, H, b, &trial)) {
                find_profiles(s, trial.c1, trial.c2);
                then = find_objective(s, &trial, s->tried);
            }
            better = then < now;
            damping = better ? fmax(damping / 4, 1e-12) : fmin(damping * 4, 1e12);
            if (!better)
                continue;
            small = now - then < 1e-9 * (1 + fabs(now)) ? small + 1 : 0;
            now = then;
            *fit = trial;
            memcpy(weight, s->tried, (size_t)n * sizeof *weight);
        }
        if (!better) { /* the least to rounding */
            find_profiles(s, fit->c1, fit->c2);
            break;
        }
    }
    find_objective(s, fit, weight);
    if (!isfinite(now))
        return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                          "no ensemble of %d conformations fits: chi^2 is no number", n);
    return CARDO_OK;
}

/* Points of one fold are left out; none where fold is negative. */
static cardo_status find(const cardo_curve *curve, const cardo_conformations *conformations,
                         const cardo_curve_fit_options *options, const cardo_ensemble_wish *wish,
                         int fold, cardo_ensemble_fit *fit, double *weight, double *foretold,
                         cardo_error *error)
{
    const size_t points = (size_t)curve->n, n = (size_t)conformations->n, m = n + GLOBALS;
    cardo_status status;
    double *room = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&room, points * (4 + n + m) + 2 * m * m + 2 * m + n, error));
    search s = {.curve = curve, .all = conformations, .options = options, .wish = wish};
    double *at = room, *H, *b;
    s.accuracy = at;
    s.mean = at += points;
    s.slope[0] = at += points;
    s.slope[1] = at += points;
    s.profile = at += points;
    s.J = at += points * n;
    s.H = at += points * m;
    H = at += m * m;
    s.step = at += m * m;
    b = at += m;
    s.tried = at + m;
    for (int i = 0; i < curve->n; ++i)
        s.accuracy[i] = fold >= 0 && i % FOLDS == fold ? 0 : 1 / curve->sigma[i];
    status = descend(&s, fit, weight, H, b, error);
    for (int i = 0; i < curve->n && foretold && status == CARDO_OK; ++i)
        if (s.accuracy[i] == 0) {
            const double residual =
                (curve->intensity[i] - fit->background - fit->scale * s.mean[i]) / curve->sigma[i];
            *foretold += residual * residual;
        }
done:
    cardo_free(room);
    return status;
}

cardo_status cardo_ensemble_fit_find(const cardo_curve *curve,
                                     const cardo_conformations *conformations,
                                     const cardo_curve_fit_options *options,
                                     const cardo_ensemble_wish *wish, cardo_ensemble_fit *out,
                                     double *weight, cardo_error *error)
{
    return find(curve, conformations, options, wish, -1, out, weight, NULL, error);
}

void cardo_ensemble_average(const cardo_curve *curve, const cardo_conformations *conformations,
                            const double *weight, double *partials, double *volume)
{
    const size_t size = (size_t)curve->n * CARDO_PARTIALS;
    memset(partials, 0, size * sizeof *partials);
    *volume = 0;
    for (int k = 0; k < conformations->n; ++k) {
        *volume += weight[k] * conformations->volume[k];
        for (size_t i = 0; i < size; ++i)
            partials[i] += weight[k] * conformations->partials[(size_t)k * size + i];
    }
}

cardo_status cardo_ensemble_start(const cardo_curve *curve,
                                  const cardo_conformations *conformations,
                                  const cardo_curve_fit_options *options, cardo_ensemble_fit *out,
                                  double *weight, cardo_error *error)
{
    cardo_status status;
    double *partials = NULL, *fitted = NULL, volume;
    cardo_curve_fit fit;
    CARDO_TRY(CARDO_ALLOCATE(&partials, CARDO_PARTIALS * (size_t)curve->n, error));
    CARDO_TRY(CARDO_ALLOCATE(&fitted, curve->n, error));
    memcpy(weight, conformations->prior, (size_t)conformations->n * sizeof *weight);
    cardo_ensemble_average(curve, conformations, weight, partials, &volume);
    CARDO_TRY(cardo_curve_fit_find(curve, partials, volume, options, &fit, fitted, error));
    *out = (cardo_ensemble_fit){fit.c1, fit.c2, fit.scale, fit.background, fit.chi_square, 0};
done:
    cardo_free(partials);
    cardo_free(fitted);
    return status;
}

cardo_status cardo_ensemble_foretell(const cardo_curve *curve,
                                     const cardo_conformations *conformations,
                                     const cardo_curve_fit_options *options, double theta,
                                     const cardo_ensemble_fit *begin, const double *weight,
                                     double *score, cardo_error *error)
{
    const cardo_ensemble_wish wish = {.theta = theta};
    cardo_status status;
    double *shares = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&shares, conformations->n, error));
    *score = 0;
    for (int fold = 0; fold < FOLDS; ++fold) {
        cardo_ensemble_fit fit = *begin;
        memcpy(shares, weight, (size_t)conformations->n * sizeof *shares);
        CARDO_TRY(find(curve, conformations, options, &wish, fold, &fit, shares, score, error));
    }
    *score /= curve->n;
done:
    cardo_free(shares);
    return status;
}

/* The average at a strength, and how far chi^2 rose. */
typedef struct pulled {
    double average, rise;
} pulled;

/* One end: the strength at which chi^2 has risen so far, by halving its logarithm. */
static cardo_status find_end(const cardo_curve *curve, const cardo_conformations *conformations,
                             const cardo_curve_fit_options *options, const double *property,
                             double sign, double rise, const cardo_ensemble_fit *begin,
                             const double *weight, double *shares, double *end, cardo_error *error)
{
    enum { HALVINGS = 24 };
    double low = log(1e-3), high = log(1e7);
    pulled inside = {average(conformations->n, weight, property), 0};
    for (int k = 0; k < HALVINGS; ++k) {
        const double middle = 0.5 * (low + high);
        const cardo_ensemble_wish wish = {CARDO_ENSEMBLE_NO_PRIOR, property, sign * exp(middle)};
        cardo_ensemble_fit fit = *begin;
        memcpy(shares, weight, (size_t)conformations->n * sizeof *shares);
        const cardo_status status =
            cardo_ensemble_fit_find(curve, conformations, options, &wish, &fit, shares, error);
        if (status != CARDO_OK)
            return status;
        const pulled now = {average(conformations->n, shares, property),
                            fit.chi_square - begin->chi_square};
        if (now.rise <= rise) {
            low = middle;
            if (sign * (now.average - inside.average) > 0)
                inside = now;
        } else
            high = middle;
        if (fabs(now.rise - rise) < 1e-3 * rise)
            break;
    }
    *end = inside.average;
    return CARDO_OK;
}

/* An end that the search came so near to that only its smallest share is between is that end. */
static double at_end(int n, const double *property, double value)
{
    double least = property[0], most = property[0];
    for (int k = 1; k < n; ++k) {
        least = fmin(least, property[k]);
        most = fmax(most, property[k]);
    }
    const double near = 1e-6 * (most - least);
    return value < least + near ? least : value > most - near ? most : value;
}

cardo_status cardo_ensemble_range(const cardo_curve *curve,
                                  const cardo_conformations *conformations,
                                  const cardo_curve_fit_options *options, const double *property,
                                  double rise, const cardo_ensemble_fit *begin,
                                  const double *weight, double range[2], cardo_error *error)
{
    cardo_status status;
    double *shares = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&shares, conformations->n, error));
    for (int end = 0; end < 2; ++end)
        CARDO_TRY(find_end(curve, conformations, options, property, end ? 1 : -1, rise, begin,
                           weight, shares, &range[end], error));
    for (int end = 0; end < 2; ++end)
        range[end] = at_end(conformations->n, property, range[end]);
done:
    cardo_free(shares);
    return status;
}
