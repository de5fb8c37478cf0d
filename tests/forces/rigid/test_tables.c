/* What kernels look up in tables, against differences of the solvent's pair function in double. */
#include "forces/rigid/kernels/kernels.h"
#include "support/support.h"

#include <math.h>

/* As kernels do (kernels/tables.inc): s in the piece of the nearest knot; slope: s times the derivative by s. */
static double look_up(const cardo_rigid_table *table, double s, double *slope)
{
    const double scaled = fmin(s * (double)table->scale, CARDO_TABLE_KNOTS - 1);
    const int knot = (int)lround(scaled);
    const double t = scaled - knot;
    double value = 0;
    *slope = 0;
    for (int k = CARDO_EXCESS_TERMS - 1; k >= 0; --k) {
        *slope = *slope * t + value;
        value = value * t + (double)table->piece[k][knot];
    }
    *slope *= scaled;
    return value;
}

/* Still's inverse distance at r = 1 of two atoms the logarithm of whose radii's product is x. */
static double inverse_distance(double x)
{
    const double product = exp(x);
    return 1 / sqrt(1 + product * exp(-1 / (4 * product)));
}

static void the_second_derivative(void **unused)
{
    (void)unused;
    static cardo_rigid_table table;
    cardo_rigid_tabulate_bent(CARDO_TABLE_KNOTS, &table);
    for (double D = 1e-3; D < 12; D *= 1.01) {
        const double h = 2e-3, x = -log(4 * D), root = exp(x / 2);
        double at[5], slope;
        for (int k = 0; k < 5; ++k)
            at[k] = inverse_distance(x + (k - 2) * h);
        const double second =
            (-at[0] + 16 * at[1] - 30 * at[2] + 16 * at[3] - at[4]) / (12 * h * h);
        const double third = (at[4] - 2 * at[3] + 2 * at[1] - at[0]) / (2 * h * h * h);
        const double value = look_up(&table, sqrt(D), &slope);
        assert_close(value, root * second, 3e-5);
        assert_close(-0.5 * (value + slope), root * third, 5e-4);
    }
}

static void what_pairs_have_beyond_plain_ones(void **unused)
{
    (void)unused;
    static cardo_rigid_table table;
    cardo_rigid_tabulate_excess(CARDO_TABLE_KNOTS, 9, &table);
    for (double D = 1e-3; D < 9; D *= 1.01) {
        double slope;
        const double value = look_up(&table, sqrt(D), &slope);
        assert_close(value, inverse_distance(-log(4 * D)) - 1, 1e-5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_second_derivative),
        cmocka_unit_test(what_pairs_have_beyond_plain_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
