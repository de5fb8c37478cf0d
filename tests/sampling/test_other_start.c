/* A second replica begins as another structure has all hinges, where that is possible. */
#include "landscapes.h"
#include "sampling/methods/method.h"
#include "sampling/study/replicas.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { HIDDEN, SAMPLED, COORDINATES };

/* Deep wells of the hidden coordinate at -1 and 1, that nothing crosses. In the one at -1 there is a wall from
 * `blocked` on; and, with `giving`, one from 1 on that the hidden coordinate can give way to. */
typedef struct wells {
    double blocked;
    bool giving;
    char notes[4096];
} wells;

static cardo_status compute(void *user, cardo_force_evaluation *evaluation, cardo_error *error)
{
    (void)error;
    const wells *w = user;
    const double h = evaluation->q[HIDDEN], y = h * h - 1, x = evaluation->q[SAMPLED], steep = 1e5;
    evaluation->energy = 400 * y * y;
    evaluation->mobility_forces[HIDDEN] -= 1600 * h * y;
    if (h < 0 && x > w->blocked) {
        evaluation->energy += steep * (x - w->blocked);
        evaluation->mobility_forces[SAMPLED] -= steep;
    }
    if (w->giving && h < -0.9 && x > 1) {
        evaluation->energy += steep * (x - 1) * (-0.9 - h);
        evaluation->mobility_forces[SAMPLED] -= steep * (-0.9 - h);
        evaluation->mobility_forces[HIDDEN] += steep * (x - 1);
    }
    return CARDO_OK;
}

static void write_down(void *user, const char *line)
{
    wells *w = user;
    const size_t used = strlen(w->notes);
    snprintf(w->notes + used, sizeof w->notes - used, "%s", line);
}

/* Prepares two replicas and returns the mean of the hidden coordinate over the walkers of either. */
static void prepare(wells *w, const double other[COORDINATES], double hidden[2])
{
    static const double open[] = {1, 0};
    landscape l;
    cardo_error error;
    cardo_end end;
    cardo_replicas *replicas;
    cardo_state *there;
    landscape_make(&l, model_wheels, LANDSCAPE_HARMONIC, false, &cardo_integrator_hmc,
                   "metadynamics");
    cardo_force_provider_destroy(l.model.provider);
    assert_ok(cardo_callback_provider_create(compute, w,
                                             CARDO_FORCE_DETERMINISTIC | CARDO_FORCE_WANTS_POSES,
                                             &l.model.provider, &error),
              &error);
    landscape_set(&l, "timestep", "0.005");
    landscape_set(&l, "steps", "20");
    landscape_set(&l, "round", "10");
    landscape_set(&l, "pull", "300");
    landscape_set(&l, "equilibration", "20");
    landscape_set(&l, "walkers", "2");
    landscape_set(&l, "width", "0.1");
    cardo_state_set_q(l.model.state, open);
    assert_ok(cardo_realize(l.model.system, l.model.state, CARDO_STAGE_POSITION, &error), &error);
    assert_ok(cardo_state_create(l.model.system, &there, &error), &error);
    cardo_state_set_q(there, other);
    assert_ok(cardo_realize(l.model.system, there, CARDO_STAGE_POSITION, &error), &error);
    const cardo_sampling_listener listener = {.user = w, .note = write_down};
    const cardo_sampling_plan plan = {.system = l.model.system,
                                      .start = l.model.state,
                                      .other_start = there,
                                      .provider = l.model.provider,
                                      .variable = l.variable,
                                      .integrator = l.integrator,
                                      .integrator_options = l.integrator_options,
                                      .simulation = &l.simulation,
                                      .method = l.method,
                                      .method_options = l.method_options,
                                      .options = &l.options,
                                      .listener = &listener};
    w->notes[0] = '\0';
    assert_ok(cardo_replicas_create(&plan, &replicas, &error), &error);
    assert_ok(cardo_replicas_prepare(replicas, NULL, &end, &error), &error);
    for (int r = 0; r < 2; ++r) {
        const cardo_crew *crew = &cardo_replicas_study(replicas, r)->crew;
        hidden[r] = 0;
        for (int k = 0; k < crew->nwalker; ++k)
            hidden[r] += cardo_walker_record_q(&crew->walkers[k])[HIDDEN] / crew->nwalker;
    }
    cardo_replicas_destroy(replicas);
    cardo_state_destroy(there);
    landscape_clear(&l);
}

/* Both lids closed, the sampled one beyond the range: brought to its end, and all walkers with it. */
static void it_begins_in_the_other_well(void **unused)
{
    (void)unused;
    static const double closed[] = {-1, 1.3};
    wells w = {.blocked = INFINITY};
    double hidden[2];
    prepare(&w, closed, hidden);
    assert_true(fabs(hidden[0] - 1) < 0.2);
    assert_true(fabs(hidden[1] + 1) < 0.2);
    assert_non_null(strstr(w.notes, "it begins with all hinges as in their last structures\n"));
}

/* With all else as it stands the way is not free: a spring leads a walker over it, and the hidden coordinate gives
 * way. */
static void it_is_led_from_there_where_the_way_is_not_free(void **unused)
{
    (void)unused;
    static const double closed[] = {-1, 0.5};
    wells w = {.blocked = INFINITY, .giving = true};
    double hidden[2];
    prepare(&w, closed, hidden);
    assert_true(fabs(hidden[1] + 1) < 0.2);
    assert_non_null(strstr(w.notes, "last structures, and from there\n"));
}

static void an_impossible_place_is_none(void **unused)
{
    (void)unused;
    static const double closed[] = {-1, 1};
    wells w = {.blocked = 0.5};
    double hidden[2];
    prepare(&w, closed, hidden);
    assert_true(fabs(hidden[1] - 1) < 0.2);
    assert_non_null(strstr(w.notes, "begins as the first replica does"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_begins_in_the_other_well),
        cmocka_unit_test(it_is_led_from_there_where_the_way_is_not_free),
        cmocka_unit_test(an_impossible_place_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
