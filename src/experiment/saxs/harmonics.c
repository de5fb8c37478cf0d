#include "experiment/saxs/harmonics.h"

#include "base/memory.h"
#include "base/units.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

double cardo_legendre_root(int n, int k, double *weight)
{
    double z = cos(CARDO_PI * (k + 0.75) / (n + 0.5)), slope = 1, step = 1;
    for (int turn = 0; turn < 100 && fabs(step) > 1e-15; ++turn) {
        double before = 1, now = z;
        for (int j = 2; j <= n; ++j) {
            const double next = ((2 * j - 1) * z * now - (j - 1) * before) / j;
            before = now;
            now = next;
        }
        slope = n * (z * now - before) / (z * z - 1);
        step = now / slope;
        z -= step;
    }
    *weight = 2 / ((1 - z * z) * slope * slope);
    return z;
}

static size_t triangle(int degree)
{
    return (size_t)(degree + 1) * (size_t)(degree + 2) / 2;
}

cardo_status cardo_harmonics_make(int degree, cardo_harmonics *out, cardo_error *error)
{
    cardo_status status;
    out->degree = degree;
    CARDO_TRY(CARDO_ALLOCATE(&out->a, triangle(degree), error));
    CARDO_TRY(CARDO_ALLOCATE(&out->b, triangle(degree), error));
    CARDO_TRY(CARDO_ALLOCATE(&out->diagonal, degree + 1, error));
    for (int m = 0; m <= degree; ++m) {
        out->diagonal[m] = m ? sqrt((2 * m + 1) / (2.0 * m)) : sqrt(0.5);
        for (int l = m + 1; l <= degree; ++l) {
            const double squares = (double)l * l - (double)m * m,
                         before = (l - 1.0) * (l - 1) - (double)m * m;
            const int at = l * (l + 1) / 2 + m;
            out->a[at] = sqrt((4.0 * l * l - 1) / squares);
            out->b[at] = l > m + 1 ? sqrt((2 * l + 1) * before / ((2 * l - 3) * squares)) : 0;
        }
    }
done:
    return status;
}

void cardo_harmonics_clear(cardo_harmonics *h)
{
    cardo_free(h->a);
    cardo_free(h->b);
    cardo_free(h->diagonal);
    *h = (cardo_harmonics){0};
}

void cardo_legendre_functions(const cardo_harmonics *h, int degree, double x, double *out)
{
    const double sine = sqrt(fmax(1 - x * x, 0));
    double top = 1;
    for (int m = 0; m <= degree; ++m) {
        top *= m ? h->diagonal[m] * sine : h->diagonal[0];
        double before = 0, now = top;
        out[m * (m + 1) / 2 + m] = top;
        for (int l = m + 1; l <= degree; ++l) {
            const int at = l * (l + 1) / 2 + m;
            const double next = h->a[at] * x * now - h->b[at] * before;
            before = now;
            out[at] = now = next;
        }
    }
}

void cardo_spherical_harmonics(const cardo_harmonics *h, int degree, const double e[3], double *out,
                               double *work)
{
    const double rho = hypot(e[0], e[1]), c = rho > 0 ? e[0] / rho : 1,
                 s = rho > 0 ? e[1] / rho : 0, half = 1 / sqrt(CARDO_PI);
    cardo_legendre_functions(h, degree, e[2], work);
    for (int l = 0; l <= degree; ++l)
        out[l * l + l] = work[l * (l + 1) / 2] * half * sqrt(0.5);
    double cosine = half, sine = 0;
    for (int m = 1; m <= degree; ++m) {
        const double next = c * cosine - s * sine;
        sine = s * cosine + c * sine;
        cosine = next;
        for (int l = m; l <= degree; ++l) {
            const double p = work[l * (l + 1) / 2 + m];
            out[l * l + l + m] = p * cosine;
            out[l * l + l - m] = p * sine;
        }
    }
}

/* Matrices of one degree and of the one below, rows and columns from -l to l; and of degree 1 in the order y, z, x. */
typedef struct matrices {
    const double (*one)[3];
    const double *before;
    int l;
} matrices;

static double below(const matrices *s, int a, int b)
{
    const int k = s->l - 1, width = 2 * k + 1;
    return s->before[(a + k) * width + b + k];
}

/* Names of functions and factors are the paper's. */
static double function_P(const matrices *s, int i, int a, int b)
{
    const int l = s->l;
    if (b == l)
        return s->one[i + 1][2] * below(s, a, l - 1) - s->one[i + 1][0] * below(s, a, 1 - l);
    if (b == -l)
        return s->one[i + 1][2] * below(s, a, 1 - l) + s->one[i + 1][0] * below(s, a, l - 1);
    return s->one[i + 1][1] * below(s, a, b);
}

static double function_V(const matrices *s, int m, int n)
{
    if (m == 0)
        return function_P(s, 1, 1, n) + function_P(s, -1, -1, n);
    if (m > 0)
        return function_P(s, 1, m - 1, n) * (m == 1 ? sqrt(2) : 1) -
               (m == 1 ? 0 : function_P(s, -1, 1 - m, n));
    return (m == -1 ? 0 : function_P(s, 1, m + 1, n)) +
           function_P(s, -1, -m - 1, n) * (m == -1 ? sqrt(2) : 1);
}

static double function_W(const matrices *s, int m, int n)
{
    if (m > 0)
        return function_P(s, 1, m + 1, n) + function_P(s, -1, -m - 1, n);
    return function_P(s, 1, m - 1, n) - function_P(s, -1, 1 - m, n);
}

static double entry(const matrices *s, int m, int n)
{
    const int l = s->l, size = abs(m);
    const double under = abs(n) < l ? (double)(l + n) * (l - n) : 2.0 * l * (2 * l - 1);
    const double u = sqrt((double)(l + m) * (l - m) / under),
                 v = 0.5 * sqrt((m == 0 ? 2 : 1) * (double)(l + size - 1) * (l + size) / under) *
                     (m == 0 ? -1 : 1),
                 w = m == 0 ? 0 : -0.5 * sqrt((double)(l - size - 1) * (l - size) / under);
    double sum = 0;
    if (u != 0)
        sum += u * function_P(s, 0, m, n);
    if (v != 0)
        sum += v * function_V(s, m, n);
    if (w != 0)
        sum += w * function_W(s, m, n);
    return sum;
}

static void keep(const double *full, int l, cardo_quarter_turn *out)
{
    for (int m = -l; m <= l; ++m) {
        const int begin = cardo_quarter_turn_begin(l, m), step = begin >= 0 ? 2 : -2;
        int at = out->first[l * l + l + m];
        for (int n = begin; abs(n) <= l; n += step)
            out->value[at++] = full[(m + l) * (2 * l + 1) + n + l];
        out->first[l * l + l + m + 1] = at;
    }
}

cardo_status cardo_quarter_turn_make(int degree, cardo_quarter_turn *out, cardo_error *error)
{
    /* Rx(90): y -> z, z -> -y; rows and columns y, z, x. */
    static const double one[3][3] = {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}};
    cardo_status status;
    double *full[2] = {NULL, NULL};
    size_t room = 1;
    for (int l = 1; l <= degree; ++l)
        room += (size_t)(2 * l + 1) * (size_t)(l / 2 + 1);
    const size_t widest = (size_t)(2 * degree + 1) * (size_t)(2 * degree + 1);
    out->degree = degree;
    CARDO_TRY(CARDO_ALLOCATE(&out->first, (degree + 1) * (degree + 1) + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->value, room, error));
    for (int k = 0; k < 2; ++k)
        CARDO_TRY(CARDO_ALLOCATE(&full[k], widest, error));
    full[0][0] = 1;
    keep(full[0], 0, out);
    for (int l = 1; l <= degree; ++l) {
        const matrices s = {one, full[(l - 1) % 2], l};
        for (int m = -l; m <= l; ++m)
            for (int n = -l; n <= l; ++n)
                full[l % 2][(m + l) * (2 * l + 1) + n + l] =
                    l == 1 ? one[m + 1][n + 1] : entry(&s, m, n);
        keep(full[l % 2], l, out);
    }
done:
    cardo_free(full[0]);
    cardo_free(full[1]);
    return status;
}

void cardo_quarter_turn_clear(cardo_quarter_turn *turn)
{
    cardo_free(turn->first);
    cardo_free(turn->value);
    *turn = (cardo_quarter_turn){0};
}

void cardo_euler_zyz(const double R[9], double *alpha, double *beta, double *gamma)
{
    const double sine = hypot(R[2], R[5]);
    const bool one_axis = sine < 1e-12; /* all of it is in alpha */
    *beta = atan2(sine, R[8]);
    *alpha = one_axis ? atan2(-R[1], R[4]) : atan2(R[5], R[2]);
    *gamma = one_axis ? 0 : atan2(R[7], -R[6]);
}
