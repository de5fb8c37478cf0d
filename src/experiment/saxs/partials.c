#include "experiment/saxs/partials.h"

#include "base/memory.h"
#include "base/units.h"

#include <math.h>

void cardo_partial_weights(double q, double mean_volume, double c1, double c2,
                           double weight[CARDO_PARTIALS], double by_c1[CARDO_PARTIALS],
                           double by_c2[CARDO_PARTIALS])
{
    const double width = q * q * cbrt(mean_volume * mean_volume) / (4 * CARDO_PI);
    const double G = c1 * c1 * c1 * exp(-width * (c1 * c1 - 1));
    const double rate = G * (3 / c1 - 2 * width * c1); /* dG/dc1 */
    const double w[CARDO_PARTIALS] = {1, G * G, c2 * c2, -2 * G, 2 * c2, -2 * G * c2};
    const double first[CARDO_PARTIALS] = {0, 2 * G * rate, 0, -2 * rate, 0, -2 * rate * c2};
    const double second[CARDO_PARTIALS] = {0, 0, 2 * c2, 0, 2, -2 * G};
    for (int p = 0; p < CARDO_PARTIALS; ++p) {
        weight[p] = w[p];
        if (by_c1)
            by_c1[p] = first[p];
        if (by_c2)
            by_c2[p] = second[p];
    }
}

cardo_status cardo_q_nodes_make(double most, double size, cardo_q_nodes *out, cardo_error *error)
{
    /* Beyond degree z = q size the coefficients of cos(q r) fall like Bessel functions J_k(z). */
    const double z = most * size;
    out->n = (int)ceil((z + 6 * cbrt(z) + 10) / 2);
    out->most = most;
    cardo_status status = CARDO_ALLOCATE(&out->q, out->n, error);
    for (int k = 0; k < out->n && status == CARDO_OK; ++k)
        out->q[k] = most * cos((2 * k + 1) * CARDO_PI / (4 * out->n));
    return status;
}

void cardo_q_nodes_clear(cardo_q_nodes *nodes)
{
    cardo_free(nodes->q);
    *nodes = (cardo_q_nodes){0};
}

void cardo_q_nodes_row(const cardo_q_nodes *nodes, double q, double *row)
{
    /* Barycentric weights of Chebyshev points (Berrut & Trefethen 2004, eq. 5.3); node -x has the value of x. */
    double sum = 0;
    int hit = -1;
    for (int k = 0; k < nodes->n; ++k) {
        const double sign = k % 2 ? -1 : 1, w = sin((2 * k + 1) * CARDO_PI / (4 * nodes->n));
        const double x = nodes->q[k];
        if (q == x)
            hit = k;
        row[k] = sign * w * (1 / (q - x) - 1 / (q + x));
        sum += row[k];
    }
    for (int k = 0; k < nodes->n; ++k)
        row[k] = hit >= 0 ? k == hit : row[k] / sum;
}
