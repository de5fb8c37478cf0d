/* Tables of functions of sqrt(D) that kernels look up. */
#include "forces/rigid/kernels/interpolation.h"
#include "forces/rigid/kernels/kernels.h"

#include <math.h>
#include <string.h>

/* D from which on the second derivative is less than a ten-thousandth of its largest value. */
static const double bent_beyond = 11;

static double excess_at(double s)
{
    const double D = s * s;
    return 2 * s / sqrt(4 * D + exp(-D)) - 1;
}

static double bent_at(double s)
{
    const double D = s * s, h = exp(-D), share = h / (4 * D + h);
    const double one = share * (1 + D), two = one + share * D * D;
    return (0.75 * one * one - 0.5 * two) / sqrt(4 * D + h);
}

/* Interpolates at Chebyshev's points of each piece. Knots are the middles of the pieces. */
static void tabulate(double (*at)(double), int terms, int knots, double beyond,
                     cardo_rigid_table *table)
{
    enum { MOST_TERMS = CARDO_EXCESS_TERMS };
    const double scale = (knots - 1.5) / sqrt(beyond);
    if (table->beyond == beyond)
        return;
    memset(table, 0, sizeof *table);
    table->beyond = beyond;
    table->scale = (float)scale;
    for (int knot = 0; knot < knots - 1; ++knot) {
        double x[MOST_TERMS], c[MOST_TERMS], a[MOST_TERMS];
        for (int k = 0; k < terms; ++k) {
            const double point = 0.5 * cardo_chebyshev_point(terms, k);
            x[k] = knot == 0 ? 0.25 + 0.5 * point : point; /* there are no distances below 0 */
            c[k] = at((knot + x[k]) / scale);
        }
        cardo_interpolate(terms, x, c, a);
        for (int k = 0; k < terms; ++k)
            table->piece[k][knot] = (float)a[k];
    }
}

void cardo_rigid_tabulate_excess(int knots, double beyond, cardo_rigid_table *table)
{
    tabulate(excess_at, CARDO_EXCESS_TERMS, knots, beyond, table);
}

void cardo_rigid_tabulate_bent(int knots, cardo_rigid_table *table)
{
    tabulate(bent_at, CARDO_BENT_TERMS, knots, bent_beyond, table);
}
