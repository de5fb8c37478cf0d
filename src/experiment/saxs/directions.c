#include "experiment/saxs/directions.h"

#include "base/memory.h"
#include "experiment/saxs/debye.h"
#include "experiment/saxs/harmonics.h"
#include "experiment/saxs/sine.h"

#include <math.h>

enum { LANES = 8, SUMS = 6 };

int cardo_direction_degree(double x, double tolerance)
{
    const double digits = -log10(tolerance);
    return (int)ceil(x + 1.8 * cbrt(digits * digits) * cbrt(x)) + 2;
}

/* Rings on the upper half of the sphere, and points on each. */
static int ring_count(int degree)
{
    return (degree / 2 + 2) / 2;
}

long cardo_direction_count(double x, double tolerance)
{
    const int degree = cardo_direction_degree(x, tolerance);
    return (long)ring_count(degree) * (degree + 1);
}

/* What all values of q share, and places of their own to work in. */
typedef struct average {
    const cardo_scatterers *scatterers;
    const double *q;
    int padded;
    double size, tolerance;
    double *place; /* x, y, z apart, from the middle (3 x padded) */
    double *work;  /* (nq x 3 x padded): V, E, W                  */
    double *out;
} average;

/* Real and imaginary parts of the amplitudes of V, E and W for the wave vector k. */
CARDO_EVERY_WIDTH
static void add_up(int padded, const double *place, const double *restrict V,
                   const double *restrict E, const double *restrict W, const double k[3],
                   double sum[SUMS])
{
    const double *restrict x = place, *restrict y = x + padded, *restrict z = y + padded;
    double lane[SUMS][LANES] = {{0}};
    for (int j = 0; j < padded; j += LANES)
        for (int l = 0; l < LANES; ++l) {
            const int i = j + l;
            const cardo_half_turns t =
                cardo_take_half_turns(k[0] * x[i] + k[1] * y[i] + k[2] * z[i]);
            const double c = t.sign * cardo_cosine_of_part(t.y),
                         s = t.sign * cardo_sine_of_part(t.y);
            lane[0][l] += V[i] * c;
            lane[1][l] += V[i] * s;
            lane[2][l] += E[i] * c;
            lane[3][l] += E[i] * s;
            lane[4][l] += W[i] * c;
            lane[5][l] += W[i] * s;
        }
    for (int m = 0; m < SUMS; ++m) {
        sum[m] = 0;
        for (int l = 0; l < LANES; ++l)
            sum[m] += lane[m][l];
    }
}

static void average_one(void *arg, int k)
{
    const average *a = arg;
    double *V = a->work + (size_t)k * 3 * (size_t)a->padded, *E = V + a->padded, *W = E + a->padded;
    double *out = a->out + (size_t)k * CARDO_PARTIALS;
    const double q = a->q[k];
    const int degree = cardo_direction_degree(q * a->size, a->tolerance);
    const int rings = ring_count(degree), around = degree + 1;
    cardo_scattering_amplitudes(a->scatterers, q, V, E, W);
    for (int p = 0; p < CARDO_PARTIALS; ++p)
        out[p] = 0;
    for (int r = 0; r < rings; ++r) {
        double weight, ring[CARDO_PARTIALS] = {0};
        const double z = cardo_legendre_root(2 * rings, r, &weight), rho = sqrt(1 - z * z);
        for (int m = 0; m < around; ++m) {
            const double angle = 2 * CARDO_PI * m / around,
                         wave[3] = {q * rho * cos(angle), q * rho * sin(angle), q * z};
            double s[SUMS];
            add_up(a->padded, a->place, V, E, W, wave, s);
            ring[CARDO_PARTIAL_VV] += s[0] * s[0] + s[1] * s[1];
            ring[CARDO_PARTIAL_EE] += s[2] * s[2] + s[3] * s[3];
            ring[CARDO_PARTIAL_WW] += s[4] * s[4] + s[5] * s[5];
            ring[CARDO_PARTIAL_VE] += s[0] * s[2] + s[1] * s[3];
            ring[CARDO_PARTIAL_VW] += s[0] * s[4] + s[1] * s[5];
            ring[CARDO_PARTIAL_EW] += s[2] * s[4] + s[3] * s[5];
        }
        for (int p = 0; p < CARDO_PARTIALS; ++p)
            out[p] += weight * ring[p] / around;
    }
}

/* Positions from the middle of the box; the padding scatters nothing. Returns the diameter of the sphere around it. */
static double put_places(const cardo_scatterers *s, int padded, double *place)
{
    double square = 0, middle[3];
    for (int d = 0; d < 3; ++d) {
        double low = s->position[d], high = low;
        for (int i = 1; i < s->n; ++i) {
            low = fmin(low, s->position[3 * i + d]);
            high = fmax(high, s->position[3 * i + d]);
        }
        middle[d] = 0.5 * (low + high);
    }
    for (int i = 0; i < s->n; ++i) {
        double sum = 0;
        for (int d = 0; d < 3; ++d) {
            const double x = s->position[3 * i + d] - middle[d];
            place[d * padded + i] = x;
            sum += x * x;
        }
        square = fmax(square, sum);
    }
    return 2 * sqrt(square);
}

cardo_status cardo_average_directions(const cardo_scatterers *s, int nq, const double *q,
                                      double tolerance, cardo_pool *pool, double *out,
                                      cardo_error *error)
{
    cardo_status status;
    average a = {.scatterers = s,
                 .q = q,
                 .padded = (s->n + LANES - 1) / LANES * LANES,
                 .tolerance = fmin(fmax(tolerance, 1e-12), 1e-1),
                 .out = out};
    CARDO_TRY(CARDO_ALLOCATE(&a.place, 3 * (size_t)a.padded, error));
    CARDO_TRY(CARDO_ALLOCATE(&a.work, (size_t)nq * 3 * (size_t)a.padded, error));
    a.size = put_places(s, a.padded, a.place);
    if (pool)
        cardo_pool_run(pool, nq, average_one, &a);
    for (int k = 0; !pool && k < nq; ++k)
        average_one(&a, k);
done:
    cardo_free(a.place);
    cardo_free(a.work);
    return status;
}
