#include "experiment/saxs/debye.h"

#include "base/memory.h"
#include "base/units.h"
#include "experiment/saxs/form_factors.h"
#include "experiment/saxs/sine.h"

#include <math.h>

enum { LANES = 8 };
static const double water_volume = 0.0195; /* nm^3 */

static inline double sinc_of(double x)
{
    const cardo_half_turns t = cardo_take_half_turns(x);
    return x > 1e-9 ? t.sign * cardo_sine_of_part(t.y) / (x + 1e-300) : 1;
}

CARDO_EVERY_WIDTH
void cardo_sinc(int n, const double *x, double *out)
{
    for (int k = 0; k < n; ++k)
        out[k] = sinc_of(x[k]);
}

double cardo_layer_amplitude(double q)
{
    const double gauss = q * q / (4 * CARDO_PI);
    return cardo_group_form_factor(8, 2, q) -
           CARDO_BULK_DENSITY * water_volume * exp(-gauss * cbrt(water_volume * water_volume));
}

void cardo_scattering_amplitudes(const cardo_scatterers *s, double q, double *V, double *E,
                                 double *W)
{
    double of_V[CARDO_MOST_SCATTERER_KINDS], of_E[CARDO_MOST_SCATTERER_KINDS];
    const double gauss = q * q / (4 * CARDO_PI);
    for (int k = 0; k < s->nkind; ++k) {
        const double volume = s->kinds[k].volume;
        of_V[k] = cardo_group_form_factor(s->kinds[k].element, s->kinds[k].hydrogens, q);
        of_E[k] = CARDO_BULK_DENSITY * volume * exp(-gauss * cbrt(volume * volume));
    }
    const double water = cardo_layer_amplitude(q);
    for (int i = 0; i < s->n; ++i) {
        V[i] = of_V[s->kind[i]];
        E[i] = of_E[s->kind[i]];
        W[i] = water * s->exposure[i];
    }
}

/* What all values of q share, and places of their own to work in. */
typedef struct pairs {
    const cardo_scatterers *scatterers;
    const double *q;
    int padded;    /* scatterers, rounded up to whole lanes */
    double *place; /* x, y, z apart (3 x padded)            */
    double *work;  /* (nq x 4 x padded): V, E, W, a row     */
    double *out;
} pairs;

/* Sums of one atom's row over all later atoms: sinc(q r) times V, E and W. Entries before `from` of the row are zero. */
CARDO_EVERY_WIDTH
static void add_row(const pairs *p, int i, double q, double *restrict row, const double *restrict V,
                    const double *restrict E, const double *restrict W, double sum[3])
{
    const double *x = p->place, *y = x + p->padded, *z = y + p->padded;
    const int begin = (i + 1) / LANES * LANES, n = p->scatterers->n;
    double lane[3][LANES] = {{0}};
    for (int j = begin; j < p->padded; ++j) {
        const double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
        row[j] = q * sqrt(dx * dx + dy * dy + dz * dz);
    }
    for (int j = begin; j < p->padded; ++j)
        row[j] = sinc_of(row[j]);
    for (int j = begin; j <= i; ++j)
        row[j] = 0;
    for (int j = n; j < p->padded; ++j)
        row[j] = 0;
    for (int j = begin; j < p->padded; j += LANES)
        for (int l = 0; l < LANES; ++l) {
            lane[0][l] += row[j + l] * V[j + l];
            lane[1][l] += row[j + l] * E[j + l];
            lane[2][l] += row[j + l] * W[j + l];
        }
    for (int k = 0; k < 3; ++k) {
        sum[k] = 0;
        for (int l = 0; l < LANES; ++l)
            sum[k] += lane[k][l];
    }
}

static void sum_one(void *arg, int k)
{
    const pairs *p = arg;
    const int n = p->scatterers->n;
    double *V = p->work + (size_t)k * 4 * (size_t)p->padded, *E = V + p->padded, *W = E + p->padded,
           *row = W + p->padded;
    double *out = p->out + k * CARDO_PARTIALS;
    double self[CARDO_PARTIALS] = {0}, pair[CARDO_PARTIALS] = {0};
    cardo_scattering_amplitudes(p->scatterers, p->q[k], V, E, W);
    for (int i = 0; i < n; ++i) {
        double s[3];
        add_row(p, i, p->q[k], row, V, E, W, s);
        const double v = V[i], e = E[i], w = W[i];
        const double own[CARDO_PARTIALS] = {v * v, e * e, w * w, v * e, v * w, e * w};
        const double with[CARDO_PARTIALS] = {2 * v * s[0],        2 * e * s[1],
                                             2 * w * s[2],        v * s[1] + e * s[0],
                                             v * s[2] + w * s[0], e * s[2] + w * s[1]};
        for (int m = 0; m < CARDO_PARTIALS; ++m) {
            self[m] += own[m];
            pair[m] += with[m];
        }
    }
    for (int m = 0; m < CARDO_PARTIALS; ++m)
        out[m] = self[m] + pair[m];
}

cardo_status cardo_debye(const cardo_scatterers *s, int nq, const double *q, cardo_pool *pool,
                         double *out, cardo_error *error)
{
    cardo_status status;
    pairs p = {.scatterers = s, .q = q, .padded = (s->n + LANES - 1) / LANES * LANES, .out = out};
    CARDO_TRY(CARDO_ALLOCATE(&p.place, 3 * (size_t)p.padded, error));
    CARDO_TRY(CARDO_ALLOCATE(&p.work, (size_t)nq * 4 * (size_t)p.padded, error));
    for (int i = 0; i < s->n; ++i)
        for (int d = 0; d < 3; ++d)
            p.place[d * p.padded + i] = s->position[3 * i + d];
    if (pool)
        cardo_pool_run(pool, nq, sum_one, &p);
    for (int k = 0; !pool && k < nq; ++k)
        sum_one(&p, k);
done:
    cardo_free(p.place);
    cardo_free(p.work);
    return status;
}
