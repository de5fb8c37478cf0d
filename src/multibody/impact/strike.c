#include "multibody/impact/strike.h"

#include "multibody/impact/complementarity.h"

#include <math.h>
#include <string.h>

/* v += Y x, P += x */
static void apply(strike *s, const double *x)
{
    for (int i = 0; i < s->n; ++i) {
        double sum = 0;
        for (int j = 0; j < s->n; ++j)
            sum += s->Y[i * s->n + j] * x[j];
        s->v[i] += sum;
        s->P[i] += x[i];
    }
}

/* The level at which the speed of a row of Y_ii = 1 is none. */
static double row_level(const strike *s)
{
    double most = 0;
    for (int i = 0; i < s->n; ++i)
        most = fmax(most, s->Y[i * s->n + i]);
    return most > 0 ? s->level / sqrt(most) : s->level;
}

/* Newton's law at once for the contacts of one pair of bodies, or of all (pair < 0); the others' rows are left out. with: whether restitution counts. */
static cardo_status solve(strike *s, int pair, bool with, cardo_error *error)
{
    int n = 0;
    for (int i = 0; i < s->n; ++i)
        if (s->free[i] || pair < 0 || s->pair[i] == pair)
            s->subset[n++] = i;
    for (int i = 0; i < n; ++i) {
        const int a = s->subset[i];
        /* what parts already has nothing to give back */
        const bool bounces = with && !s->free[a] && -s->v[a] > s->capture[a];
        s->q[i] = s->v[a] + (bounces ? s->restitution[a] * s->v[a] : 0);
        s->held[i] = s->free[a];
        for (int j = 0; j < n; ++j)
            s->sub[i * n + j] = s->Y[a * s->n + s->subset[j]];
    }
    cardo_status status = cardo_complementarity_solve(n, s->sub, s->q, s->held, row_level(s), s->x,
                                                      s->work, s->numbers, error);
    if (status != CARDO_OK)
        return status;
    double *x = s->q; /* spread over all rows */
    for (int i = 0; i < s->n; ++i)
        x[i] = 0;
    for (int i = 0; i < n; ++i)
        x[s->subset[i]] = s->x[i];
    apply(s, x);
    return CARDO_OK;
}

static double fastest_closing(const strike *s)
{
    double most = 0;
    for (int i = 0; i < s->n; ++i)
        most = fmax(most, s->free[i] ? 0 : -s->v[i]);
    return most;
}

cardo_status cardo_strike_newton(strike *s, cardo_error *error)
{
    return solve(s, -1, true, error);
}

cardo_status cardo_strike_poisson(strike *s, cardo_error *error)
{
    const double most = fastest_closing(s);
    cardo_status status = solve(s, -1, false, error);
    if (status != CARDO_OK)
        return status;
    for (int i = 0; i < s->n; ++i)
        s->x[i] = s->free[i] || most <= s->capture[i] ? 0 : s->restitution[i] * s->P[i];
    memcpy(s->q, s->x, (size_t)s->n * sizeof *s->q);
    apply(s, s->q);
    return solve(s, -1, false, error);
}

/* The pair of bodies of the contact that closes fastest; -1: none does. */
static int fastest(const strike *s, double level)
{
    int pair = -1;
    double least = -level;
    for (int i = 0; i < s->n; ++i)
        if (!s->free[i] && s->v[i] < least) {
            least = s->v[i];
            pair = s->pair[i];
        }
    return pair;
}

cardo_status cardo_strike_sequential(strike *s, cardo_error *error)
{
    const double slow = fmax(s->level, 1e-9 * fastest_closing(s));
    cardo_status status = CARDO_OK;
    for (int k = 0; k < 200 + 50 * s->n && status == CARDO_OK; ++k) {
        const int pair = fastest(s, slow);
        if (pair < 0)
            break;
        status = solve(s, pair, true, error);
    }
    /* what still closes: impacts without bounce may go round for ever, less and less of them */
    return status == CARDO_OK && fastest(s, s->level) >= 0 ? solve(s, -1, false, error) : status;
}
