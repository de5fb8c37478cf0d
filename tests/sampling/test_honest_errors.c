/* No number without an honest error: what was not sampled is not a number, for all methods. */
#include "landscapes.h"
#include "sampling/methods/estimate.h"
#include "support/support.h"

#include <math.h>

static void check_profile(const cardo_estimate *e)
{
    for (int b = 0; b < e->bins.n; ++b) {
        assert_true(isnan(e->F[b]) == isnan(e->sigma[b]));
        assert_true(isnan(e->F[b]) || (e->sigma[b] > 0 && isfinite(e->sigma[b])));
        assert_true(!e->bootstrap || isnan(e->bootstrap[b]) || e->bootstrap[b] > 0);
    }
    for (int b = 0; b < e->nbasin; ++b) {
        assert_true(e->basin_bins[b] > 0 && e->basin_empty[b] <= e->basin_bins[b]);
        assert_true(isnan(e->basin_F[b]) == isnan(e->basin_sigma[b]));
        assert_true(b == 0 || isnan(e->basin_F[b]) || e->basin_sigma[b] > 0);
    }
}

static void estimate(const char *method, const char *const *settings, int nbin, cardo_estimate *e)
{
    landscape l;
    const cardo_estimate_request request = {.nbin = nbin,
                                            .nbasin = 3,
                                            .basin = {-0.2, 0.5, 0.5, 1.05, 1.06, 1.2},
                                            .nreplicate = 10,
                                            .npart = 4};
    landscape_make(&l, model_path, LANDSCAPE_DOUBLE_WELL, false, &cardo_integrator_hmc, method);
    for (const char *const *s = settings; s && *s; s += 2)
        landscape_set(&l, s[0], s[1]);
    landscape_find(&l, &request, e);
    check_profile(e);
    landscape_clear(&l);
}

static const char *const windows[] = {"windows", "12", "steps", "200", NULL};
static const char *const hills[] = {"steps", "2000", "bias-factor", "6", NULL};
static const char *const forces[] = {"steps", "100",  "round", "5", "equilibration",
                                     "10",    "ramp", "1e6",   NULL};

/* So many bins that some of every state are empty: no state has a free energy then. */
static void states_with_empty_bins_are_not_sampled(void **unused)
{
    (void)unused;
    static const char *const methods[] = {"umbrella", "metadynamics"};
    static const char *const *const settings[] = {windows, hills};
    for (int m = 0; m < 2; ++m) {
        cardo_estimate few = {0}, many = {0};
        estimate(methods[m], settings[m], 7, &few);
        estimate(methods[m], settings[m], 5000, &many);
        for (int b = 0; b < 3; ++b) {
            assert_int_equal(few.basin_empty[b], 0);
            assert_true(isfinite(few.basin_F[b]));
            assert_true(many.basin_empty[b] > 0);
            assert_true(isnan(many.basin_F[b]) && isnan(many.basin_bootstrap[b]));
        }
        for (int k = 0; k < many.npart; ++k)
            assert_true(isnan(many.forward[k]) && isnan(many.backward_sigma[k]));
        assert_int_equal(few.basin_bins[0], 4);
        assert_int_equal(few.basin_bins[2], 1);
        cardo_estimate_clear(&few);
        cardo_estimate_clear(&many);
    }
}

/* A walker that nothing drives over the barrier stays in its well: the first state is known of its own
 * bins alone, and no other lies anywhere against it. */
static void places_that_no_walker_reached_are_unknown(void **unused)
{
    (void)unused;
    cardo_estimate e = {0};
    int empty = 0;
    estimate("adaptive-force", forces, 40, &e);
    for (int b = 0; b < e.bins.n; ++b)
        empty += isnan(e.F[b]);
    print_message("%d of %d bins without forces\n", empty, e.bins.n);
    assert_true(empty > 5 && empty < e.bins.n);
    assert_true(e.basin_empty[1] > 0 && isnan(e.basin_F[1]) && isnan(e.basin_sigma[1]));
    cardo_estimate_clear(&e);
}

/* Of a scan nothing fluctuates; what it says of its errors is no less than what it is off by. */
static void scans_know_what_their_places_hide(void **unused)
{
    (void)unused;
    static const char *const coarse[] = {"places", "30", NULL}, *const fine[] = {"places", "2001",
                                                                                 NULL};
    cardo_estimate few = {0}, many = {0};
    estimate("scan", coarse, 20, &few);
    estimate("scan", fine, 20, &many);
    double off = 0;
    for (int b = 0; b < 20; ++b) {
        assert_true(fabs(few.F[b] - many.F[b]) < few.sigma[b]);
        assert_true(many.sigma[b] < 1e-5);
        off = fmax(off, few.sigma[b]);
    }
    print_message("30 places: off by %.1g kT at most\n", off);
    assert_true(off < 0.1);
    cardo_estimate_clear(&few);
    cardo_estimate_clear(&many);
}

static cardo_status check_overlapping(cardo_communicator *communicator, void *arg,
                                      cardo_error *error)
{
    const cardo_estimate_request request = {.nbasin = 2, .basin = {-0.2, 0.5, 0.45, 1.2}};
    cardo_sampling *sampling = NULL;
    cardo_status status = landscape_study(arg, communicator, &sampling, error);
    if (status == CARDO_OK)
        status = cardo_estimate_check(&request, cardo_sampling_get_plan(sampling), error);
    cardo_sampling_destroy(sampling);
    return status;
}

static void states_do_not_share_samples(void **unused)
{
    (void)unused;
    landscape l;
    cardo_error error = {0};
    landscape_make(&l, model_path, LANDSCAPE_DOUBLE_WELL, false, &cardo_integrator_hmc, "scan");
    assert_fails(check_overlapping(NULL, &l, &error), &error, CARDO_ERROR_INPUT, "overlap");
    landscape_clear(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_with_empty_bins_are_not_sampled),
        cmocka_unit_test(places_that_no_walker_reached_are_unknown),
        cmocka_unit_test(scans_know_what_their_places_hide),
        cmocka_unit_test(states_do_not_share_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
