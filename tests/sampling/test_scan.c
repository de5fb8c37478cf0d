/* A scan of one of two coordinates is integrated over the other: against sums over the plane. */
#include "base/units.h"
#include "landscapes.h"
#include "multibody/tree/operators.h"
#include "sampling/methods/estimate.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum { BINS = 14, POINTS = 1000 };

/* Two ways from well to well: the first angle follows the second one's, or its mirror image. */
static double energy(double a, double b, double slope[2])
{
    double x = (b - 0.5) / 0.5, valley = a * a - 0.5 * (1 + b * b);
    slope[0] = 2 * 30 * valley * 2 * a + 4;
    slope[1] = 8 * 4 * x * (x * x - 1) / 0.5 - 2 * 30 * valley * b;
    return 8 * (x * x - 1) * (x * x - 1) + 30 * valley * valley + 4 * a;
}

static cardo_status compute(void *user, cardo_force_evaluation *evaluation, cardo_error *error)
{
    (void)user;
    (void)error;
    double slope[2];
    evaluation->energy = energy(evaluation->q[0], evaluation->q[1], slope);
    evaluation->mobility_forces[0] -= slope[0];
    evaluation->mobility_forces[1] -= slope[1];
    return CARDO_OK;
}

/* exp(-U/kT), times sqrt(det M) in the rigid ensemble. */
static double density(landscape *l, double a, double b)
{
    cardo_error error;
    const double q[2] = {a, b};
    double M[4], slope[2];
    double weight = exp(-energy(a, b, slope) / (CARDO_BOLTZMANN * 300));
    if (l->simulation.ensemble == CARDO_ENSEMBLE_FIXMAN)
        return weight;
    cardo_state_set_q(l->model.state, q);
    assert_ok(cardo_realize(l->model.system, l->model.state, CARDO_STAGE_POSITION, &error), &error);
    assert_ok(cardo_mass_matrix(l->model.system, l->model.state, M, &error), &error);
    return weight * sqrt(M[0] * M[3] - M[1] * M[2]);
}

/* Of a strip of the plane. */
static double weight(landscape *l, double from, double to)
{
    enum { ACROSS = 20 };
    double sum = 0;
    for (int i = 0; i < ACROSS; ++i)
        for (int j = 0; j < POINTS; ++j)
            sum += density(l, -3 + 6 * (j + 0.5) / POINTS, from + (to - from) * (i + 0.5) / ACROSS);
    return sum * (to - from);
}

static cardo_status scan(cardo_communicator *communicator, void *arg, cardo_error *error)
{
    landscape *l = arg;
    cardo_estimate e = {0};
    const cardo_estimate_request request = {
        .nbin = BINS, .nbasin = 2, .basin = {-0.2, 0.5, 0.5, 1.2}};
    cardo_status status = landscape_estimate(l, communicator, &request, &e, error);
    if (status != CARDO_OK)
        return status;
    double bin = cardo_bin_width(&e.bins), all = weight(l, -0.2, 1.2), worst = 0;
    for (int b = 0; b < BINS; ++b) {
        double share = weight(l, -0.2 + b * bin, -0.2 + (b + 1) * bin) / all;
        worst = fmax(worst, fabs(e.F[b] + log(share / bin)));
    }
    double basins = -log(weight(l, 0.5, 1.2) / weight(l, -0.2, 0.5));
    print_message("profile to %.1e kT, basins %.4f and %.4f kT\n", worst, e.basin_F[1], basins);
    assert_close(worst, 0, 2e-3);
    assert_close(e.basin_F[1], basins, 2e-3);
    assert_non_null(strstr(e.remark, "integrated over the one coordinate"));
    cardo_estimate_clear(&e);
    return CARDO_OK;
}

static void the_other_coordinate_is_integrated_over(void **unused)
{
    (void)unused;
    for (int fixman = 0; fixman < 2; ++fixman) {
        landscape l;
        cardo_error error = {0};
        landscape_make(&l, model_double, LANDSCAPE_HARMONIC, fixman, &cardo_integrator_baoab,
                       "scan");
        cardo_force_provider_destroy(l.model.provider);
        assert_ok(cardo_callback_provider_create(compute, NULL, CARDO_FORCE_DETERMINISTIC,
                                                 &l.model.provider, &error),
                  &error);
        landscape_set(&l, "places", "281");
        landscape_set(&l, "highest-start", "1e4");
        assert_ok(scan(NULL, &l, &error), &error);
        landscape_clear(&l);
    }
}

/* Where atoms begin to overlap: from one place to the next the energy rises by 1e13 kJ/mol. */
static double overlap(double b)
{
    return b > 0.9 ? 1e16 * (b - 0.9) * (b - 0.9) : 0;
}

static cardo_status compute_overlap(void *user, cardo_force_evaluation *evaluation,
                                    cardo_error *error)
{
    compute(user, evaluation, error);
    evaluation->energy += overlap(evaluation->q[1]);
    return CARDO_OK;
}

static cardo_status scan_to_a_wall(cardo_communicator *communicator, void *arg, cardo_error *error)
{
    landscape *l = arg;
    cardo_estimate e = {0};
    const cardo_estimate_request request = {
        .nbin = BINS, .nbasin = 2, .basin = {-0.2, 0.5, 0.5, 1.2}};
    cardo_status status = landscape_estimate(l, communicator, &request, &e, error);
    if (status != CARDO_OK)
        return status;
    const double bin = cardo_bin_width(&e.bins), free = weight(l, -0.2, 0.9),
                 whole = free + weight(l, 0.9, 0.9 + 1e-6);
    for (int b = 0; b < BINS; ++b) {
        const double middle = -0.2 + (b + 0.5) * bin;
        assert_true(isfinite(e.F[b]) && isfinite(e.sigma[b]));
        if (middle < 0.85) {
            const double share = weight(l, middle - bin / 2, middle + bin / 2) / whole;
            assert_true(e.sigma[b] < 0.1 && fabs(e.F[b] + log(share / bin)) < e.sigma[b] + 2e-3);
        } else if (middle > 1) {
            assert_true(e.F[b] > 1e10);
        }
    }
    assert_true(isfinite(e.basin_F[1]) && isfinite(e.basin_sigma[1]));
    cardo_estimate_clear(&e);
    return CARDO_OK;
}

static void a_wall_leaves_what_is_beside_it(void **unused)
{
    (void)unused;
    landscape l;
    cardo_error error = {0};
    landscape_make(&l, model_double, LANDSCAPE_HARMONIC, true, &cardo_integrator_baoab, "scan");
    cardo_force_provider_destroy(l.model.provider);
    assert_ok(cardo_callback_provider_create(compute_overlap, NULL, CARDO_FORCE_DETERMINISTIC,
                                             &l.model.provider, &error),
              &error);
    landscape_set(&l, "places", "281");
    landscape_set(&l, "highest-start", "1e30");
    assert_ok(scan_to_a_wall(NULL, &l, &error), &error);
    landscape_clear(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wall_leaves_what_is_beside_it),
        cmocka_unit_test(the_other_coordinate_is_integrated_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
