/* A distance that goes through its least value as a pin turns: noticed by every method, wherever it begins. */
#include "landscapes.h"
#include "sampling/methods/estimate.h"
#include "sampling/methods/fold.h"
#include "sampling/methods/method.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

/* A body on a pin, 1.5 nm off it, and a point of ground 3 nm off, which is nearest at this angle. */
static const double nearest = 0.5;
static char told[8192];

static void listen(void *user, const char *line)
{
    (void)user;
    strncat(told, line, sizeof told - strlen(told) - 1);
}

static cardo_status nothing(void *user, cardo_force_evaluation *evaluation, cardo_error *error)
{
    (void)user;
    (void)evaluation;
    (void)error;
    return CARDO_OK;
}

static void make_arm(test_model *model)
{
    cardo_error error;
    const double arm[3] = {0, -1.5, 0}, ground[3] = {3 * sin(nearest), -3 * cos(nearest), 0};
    const cardo_body_definition body = {
        .name = "arm",
        .mobilizer = &cardo_mobilizer_pin,
        .X_PF = {m33_identity(), v3(0, 0, 0)},
        .X_BM = {m33_identity(), v3(0, 0, 0)},
        .mass = {.mass = 10, .com = v3(0, -1.5, 0), .inertia = {24, 1, 24, 0, 0, 0}}};
    memset(model, 0, sizeof *model);
    assert_ok(cardo_system_create(&model->system, &error), &error);
    assert_ok(cardo_system_add_body(model->system, &body, NULL, &error), &error);
    assert_ok(cardo_system_add_stations(model->system, 1, 0, 1, arm, &error), &error);
    assert_ok(cardo_system_add_stations(model->system, 0, 1, 1, ground, &error), &error);
    assert_ok(cardo_system_finalize(model->system, &error), &error);
    assert_ok(cardo_state_create(model->system, &model->state, &error), &error);
    assert_ok(cardo_callback_provider_create(nothing, NULL, CARDO_FORCE_DETERMINISTIC,
                                             &model->provider, &error),
              &error);
}

/* A study of the distance, begun at an angle. */
typedef struct task {
    const char *method, *from, *to;
    double angle;
    cardo_fold fold;
    bool folded;
} task;

static cardo_status study(cardo_communicator *communicator, void *arg, cardo_error *error)
{
    task *t = arg;
    landscape l;
    cardo_sampling *sampling = NULL;
    cardo_estimate e = {0};
    const int station[2] = {0, 1};
    const cardo_sampling_listener listener = {.note = listen};
    const cardo_estimate_request request = {.nbin = 10};
    const cardo_variable_definition definition = {
        .name = "distance", .group = {{.count = 1, .station = station}, {1, station + 1, NULL}}};
    landscape_make(&l, make_arm, LANDSCAPE_HARMONIC, false, &cardo_integrator_hmc, t->method);
    cardo_variable_destroy(l.variable);
    assert_ok(cardo_variable_create(&cardo_variable_distance, l.model.system, &definition,
                                    &l.variable, error),
              error);
    cardo_state_set_q(l.model.state, &t->angle);
    landscape_set(&l, "from", t->from);
    landscape_set(&l, "to", t->to);
    landscape_set(&l, "steps", "100");
    landscape_set(&l, "timestep", "0.02");
    l.listener = &listener;
    told[0] = '\0';
    cardo_status status = landscape_study(&l, communicator, &sampling, error);
    if (status == CARDO_OK)
        status = landscape_run(sampling, error);
    if (status == CARDO_OK)
        status = cardo_sampling_estimate(sampling, &request, &e, error);
    if (status == CARDO_OK) {
        t->fold = sampling->fold;
        t->folded = e.folded;
    }
    cardo_estimate_clear(&e);
    cardo_sampling_destroy(sampling);
    landscape_clear(&l);
    return status;
}

static void run(task *t)
{
    cardo_error error = {0};
    assert_ok(study(NULL, t, &error), &error);
    print_message("%s", told);
}

static void every_method_notices_a_fold(void **unused)
{
    (void)unused;
    static const char *const methods[] = {"umbrella", "metadynamics", "scan"};
    for (int m = 0; m < 3; ++m)
        for (int side = -1; side <= 1; side += 2) {
            task t = {
                .method = methods[m], .from = "1.505", .to = "1.9", .angle = nearest + 0.3 * side};
            run(&t);
            assert_true(t.fold.found);
            assert_close(t.fold.q, nearest, 1e-3);
            assert_close(t.fold.xi, 1.5, 1e-3);
            assert_non_null(strstr(told, "turns back at distance = 1.5"));
            /* Walkers of a scan stand on one side, and so is F. */
            assert_true(m < 2 || t.folded);
        }
}

/* From beyond the turning point on there is nothing to notice. */
static void a_range_without_the_turning_point_is_not_folded(void **unused)
{
    (void)unused;
    task t = {.method = "umbrella", .from = "1.6", .to = "1.9", .angle = nearest + 0.5};
    run(&t);
    assert_true(!t.fold.found && !t.folded && !strstr(told, "turns back"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_notices_a_fold),
        cmocka_unit_test(a_range_without_the_turning_point_is_not_folded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
