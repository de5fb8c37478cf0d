/* A relaxed scan of two coupled coordinates: against the minimum in the other one, solved apart. */
#include "base/units.h"
#include "cli/processes/parallel.h"
#include "landscapes.h"
#include "sampling/methods/estimate.h"
#include "sampling/methods/scan.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum { PLACES = 29 };

typedef struct study {
    landscape landscape;
    bool bistable;
    long long stop_at; /* rounds after which it is stored, made anew and restored; 0: never */
    double potential[2][PLACES], other[2][PLACES], F[7];
} study;

/* The variable is the second angle, b. The first follows it by a spring, or has two minima of its own. */
static double energy(bool bistable, double a, double b, double slope[2])
{
    if (bistable) {
        slope[0] = 4 * 20 * a * (a * a - 1) - 60 * b;
        slope[1] = -60 * a;
        return 20 * (a * a - 1) * (a * a - 1) - 60 * a * b;
    }
    slope[0] = 300 * (a - 0.7 * b) + 5;
    slope[1] = -0.7 * 300 * (a - 0.7 * b) + 24 * (b - 0.3);
    return 150 * (a - 0.7 * b) * (a - 0.7 * b) + 5 * a + 12 * (b - 0.3) * (b - 0.3);
}

static cardo_status compute(void *user, cardo_force_evaluation *e, cardo_error *error)
{
    double slope[2];
    (void)error;
    e->energy = energy(((const study *)user)->bistable, e->q[0], e->q[1], slope);
    e->mobility_forces[0] -= slope[0];
    e->mobility_forces[1] -= slope[1];
    return CARDO_OK;
}

/* The minimum in a nearest to where Newton begins. */
static double minimum(bool bistable, double a, double b)
{
    double slope[2];
    for (int k = 0; k < 60; ++k) {
        energy(bistable, a, b, slope);
        a -= slope[0] / (bistable ? 20 * (12 * a * a - 4) : 300);
    }
    return a;
}

static cardo_status stop_and_go_on(study *s, cardo_communicator *communicator,
                                   cardo_sampling **sampling, cardo_error *error)
{
    static double values[4096];
    cardo_end end;
    cardo_status status = cardo_sampling_prepare(*sampling, NULL, &end, error);
    for (long long k = 0; k < s->stop_at && status == CARDO_OK; ++k)
        status = cardo_sampling_advance(*sampling, NULL, &end, error);
    if (status != CARDO_OK)
        return status;
    const size_t n = cardo_sampling_value_count(*sampling);
    assert_true(n <= sizeof values / sizeof *values);
    cardo_sampling_save(*sampling, values);
    cardo_sampling_destroy(*sampling);
    *sampling = NULL;
    status = landscape_study(&s->landscape, communicator, sampling, error);
    return status == CARDO_OK ? cardo_sampling_restore(*sampling, values, n, error) : status;
}

static cardo_status work(cardo_communicator *communicator, void *arg, cardo_error *error)
{
    study *s = arg;
    cardo_sampling *sampling = NULL;
    cardo_estimate e = {0};
    const cardo_estimate_request request = {.nbin = 7};
    cardo_status status = landscape_study(&s->landscape, communicator, &sampling, error);
    if (status == CARDO_OK && s->stop_at > 0)
        status = stop_and_go_on(s, communicator, &sampling, error);
    if (status == CARDO_OK)
        status = landscape_run(sampling, error);
    if (status == CARDO_OK)
        status = cardo_sampling_estimate(sampling, &request, &e, error);
    for (int pass = 0; pass < 2 && status == CARDO_OK; ++pass)
        for (int k = 0; k < PLACES; ++k) {
            const cardo_scan_place place = cardo_scan_place_at(sampling, pass, k);
            assert_close(place.xi, -0.6 + 1.2 * k / (PLACES - 1), 1e-12);
            assert_true(place.reached);
            s->potential[pass][k] = place.potential;
            s->other[pass][k] = place.q[0];
        }
    if (status == CARDO_OK)
        memcpy(s->F, e.F, sizeof s->F);
    cardo_estimate_clear(&e);
    cardo_sampling_destroy(sampling);
    return status;
}

static void run(study *s, bool bistable, int nprocess, long long stop_at)
{
    cardo_error error = {0};
    landscape *l = &s->landscape;
    *s = (study){.bistable = bistable, .stop_at = stop_at};
    landscape_make(l, model_double, LANDSCAPE_HARMONIC, false, &cardo_integrator_langevin, "scan");
    cardo_force_provider_destroy(l->model.provider);
    assert_ok(cardo_callback_provider_create(compute, s,
                                             CARDO_FORCE_DETERMINISTIC | CARDO_FORCE_WANTS_POSES,
                                             &l->model.provider, &error),
              &error);
    landscape_set(l, "places", "29");
    landscape_set(l, "relaxed", "yes");
    landscape_set(l, "relax-tolerance", "1e-7");
    l->options.from = -0.6;
    l->options.to = 0.6;
    assert_ok(cardo_parallel_run(nprocess, work, s, &error), &error);
    landscape_clear(l);
}

static void a_spring_gives_way(void **unused)
{
    (void)unused;
    static study s;
    double slope[2];
    run(&s, false, 1, 0);
    for (int pass = 0; pass < 2; ++pass)
        for (int k = 0; k < PLACES; ++k) {
            const double b = -0.6 + 1.2 * k / (PLACES - 1), a = 0.7 * b - 5.0 / 300;
            assert_close(s.other[pass][k], a, 1e-3);
            assert_close(s.potential[pass][k], energy(false, a, b, slope), 2e-4);
        }
}

/* Each way stays in the minimum that it came from until there is none. */
static void ways_differ_where_there_are_two_minima(void **unused)
{
    (void)unused;
    static study s;
    double slope[2], differ = 0;
    run(&s, true, 1, 0);
    for (int k = 0; k < PLACES; ++k) {
        const double b = -0.6 + 1.2 * k / (PLACES - 1);
        for (int pass = 0; pass < 2; ++pass) {
            /* Behind the fold at b = 160/(180 sqrt 3) one minimum is left. */
            const double side = pass == CARDO_SCAN_UP ? -1 : 1;
            const double from = fabs(b) < 160 / (180 * sqrt(3)) ? side : copysign(1.3, b);
            const double a = minimum(true, from, b);
            assert_close(s.potential[pass][k], energy(true, a, b, slope), 2e-4);
        }
        differ = fmax(differ, fabs(s.potential[0][k] - s.potential[1][k]));
    }
    assert_true(differ > 15);
}

static void bits_do_not_depend_on_processes_or_stops(void **unused)
{
    (void)unused;
    static study once, again;
    run(&once, true, 1, 0);
    for (int way = 0; way < 2; ++way) {
        run(&again, true, way == 0 ? 3 : 1, way == 0 ? 0 : 31);
        assert_memory_equal(once.potential, again.potential, sizeof once.potential);
        assert_memory_equal(once.F, again.F, sizeof once.F);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spring_gives_way),
        cmocka_unit_test(ways_differ_where_there_are_two_minima),
        cmocka_unit_test(bits_do_not_depend_on_processes_or_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
