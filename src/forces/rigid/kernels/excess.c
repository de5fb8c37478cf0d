/* Tables of what solvent pairs have beyond plain ones (excess.inc). */
#include "forces/rigid/kernels/interpolation.h"
#include "forces/rigid/kernels/kernels.h"

#include <math.h>
#include <string.h>

static double excess_at(double s)
{
    const double D = s * s;
    return 2 * s / sqrt(4 * D + exp(-D)) - 1;
}

/* Interpolates at Chebyshev's points of each piece. Knots are the middles of the pieces. */
void cardo_rigid_tabulate(int knots, double beyond, cardo_rigid_excess *table)
{
    enum { TERMS = CARDO_EXCESS_TERMS };
    const double scale = (knots - 1.5) / sqrt(beyond);
    if (table->beyond == beyond)
        return;
    memset(table, 0, sizeof *table);
    table->beyond = beyond;
    table->scale = (float)scale;
    for (int knot = 0; knot < knots - 1; ++knot) {
        double x[TERMS], c[TERMS], a[TERMS];
        for (int k = 0; k < TERMS; ++k) {
            const double point = 0.5 * cardo_chebyshev_point(TERMS, k);
            x[k] = knot == 0 ? 0.25 + 0.5 * point : point; /* there are no distances below 0 */
            const double s = (knot + x[k]) / scale;
            c[k] = excess_at(s);
        }
        cardo_interpolate(TERMS, x, c, a);
        for (int k = 0; k < TERMS; ++k)
            table->piece[k][knot] = (float)a[k];
    }
}
