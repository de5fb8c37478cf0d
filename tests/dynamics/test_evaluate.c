/* A provider that minds only relative places sees the molecule at home, and its forces come back
 * turned. */
#include "support/support.h"

#include "dynamics/evaluation/callback_provider.h"
#include "dynamics/evaluation/evaluate.h"

#include <math.h>
#include <string.h>

enum { STATIONS = 4 };

typedef struct springs {
    double forces[3 * STATIONS];
    double seen[3 * STATIONS];
    double bias; /* an unphysical resultant, as rounding leaves one */
} springs;

/* E = sum over pairs of (r - 0.3)^2 * 500: depends on distances alone. */
static cardo_status pull(void *user, cardo_force_evaluation *e, cardo_error *error)
{
    (void)error;
    springs *s = user;
    memcpy(s->seen, e->station_positions, sizeof s->seen);
    memset(s->forces, 0, sizeof s->forces);
    e->energy = 0;
    for (int i = 0; i < STATIONS; ++i)
        for (int j = 0; j < i; ++j) {
            cardo_vec3 d = v3_sub(v3_load(e->station_positions + 3 * i),
                                  v3_load(e->station_positions + 3 * j));
            double r = v3_norm(d), stretch = r - 0.3;
            e->energy += 500 * stretch * stretch;
            for (int side = -1; side <= 1; side += 2) {
                double *f = s->forces + 3 * (side < 0 ? i : j);
                v3_store(f, v3_add_scaled(v3_load(f), side * 1000 * stretch / r, d));
            }
        }
    s->forces[0] += s->bias;
    e->station_forces = s->forces;
    return CARDO_OK;
}

static cardo_system *two_bodies(void)
{
    cardo_error error = {0};
    cardo_system *system;
    cardo_body_definition body = {.name = "base",
                                  .mobilizer = &cardo_mobilizer_free,
                                  .X_PF = {m33_from_euler(0.1, 0.2, 0.3), {1, 2, 3}},
                                  .X_BM = xform_identity(),
                                  .mass = {2.0, {0.1, 0.2, 0.3}, {1.3, 1.4, 1.5, 0.1, 0.05, -0.1}}};
    assert_ok(cardo_system_create(&system, &error), &error);
    assert_ok(cardo_system_add_body(system, &body, NULL, &error), &error);
    body.name = "arm";
    body.parent = 1;
    body.mobilizer = &cardo_mobilizer_pin;
    body.X_PF.p = v3(0.2, 0.1, 0);
    assert_ok(cardo_system_add_body(system, &body, NULL, &error), &error);
    const double places[6] = {0.1, 0, 0.2, -0.3, 0.4, 0.1};
    assert_ok(cardo_system_add_stations(system, 1, 0, 2, places, &error), &error);
    assert_ok(cardo_system_add_stations(system, 2, 2, 2, places, &error), &error);
    assert_ok(cardo_system_finalize(system, &error), &error);
    return system;
}

static void evaluate_with(unsigned traits, double bias, const double *q, springs *s, double *energy,
                          double *generalized)
{
    cardo_error error = {0};
    cardo_system *system = two_bodies();
    cardo_state *state;
    cardo_force_provider *provider;
    cardo_evaluator *evaluator;
    s->bias = bias;
    assert_ok(cardo_state_create(system, &state, &error), &error);
    assert_ok(cardo_callback_provider_create(pull, s, traits, &provider, &error), &error);
    assert_ok(cardo_evaluator_create(system, provider, &evaluator, &error), &error);
    cardo_state_set_q(state, q);
    assert_ok(cardo_evaluate(evaluator, state, &error), &error);
    assert_ok(cardo_evaluator_generalized_forces(evaluator, state, generalized, &error), &error);
    *energy = cardo_evaluator_energy(evaluator);
    cardo_evaluator_destroy(evaluator);
    cardo_force_provider_destroy(provider);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

static void forces_do_not_depend_on_where_the_molecule_is_shown(void **unused)
{
    (void)unused;
    uint64_t seed = 4;
    for (int trial = 0; trial < 20; ++trial) {
        springs plain, home;
        double q[8], energy[2], f[2][7];
        for (int k = 0; k < 8; ++k)
            q[k] = (k > 3 && k < 7 ? 50 : 1) * support_random(&seed);
        evaluate_with(0, 0, q, &plain, &energy[0], f[0]);
        evaluate_with(CARDO_FORCE_INVARIANT, 0, q, &home, &energy[1], f[1]);
        assert_close(energy[0], energy[1], 1e-11 * energy[0]);
        for (int k = 0; k < 7; ++k)
            assert_close(f[0][k], f[1][k], 1e-10 * (1 + fabs(f[0][6])));
    }
}

static void the_base_is_shown_at_its_zero_coordinates(void **unused)
{
    (void)unused;
    springs here, there;
    double q[8] = {1, 0, 0, 0, 0, 0, 0, 0.4}, energy, f[7];
    evaluate_with(CARDO_FORCE_INVARIANT, 0, q, &here, &energy, f);
    const double far[8] = {0.5, 0.5, -0.5, 0.5, 30, -40, 20, 0.4};
    evaluate_with(CARDO_FORCE_INVARIANT, 0, far, &there, &energy, f);
    for (int k = 0; k < 3 * STATIONS; ++k)
        assert_close(there.seen[k], here.seen[k], 1e-13);
    evaluate_with(0, 0, q, &there, &energy, f);
    for (int k = 0; k < 3 * STATIONS; ++k)
        assert_close(there.seen[k], here.seen[k], 1e-15);
}

static void a_resultant_from_rounding_is_taken_away(void **unused)
{
    (void)unused;
    springs s;
    const double q[8] = {0.5, 0.5, -0.5, 0.5, 3, -4, 2, 0.4};
    double energy, f[7];
    evaluate_with(CARDO_FORCE_INVARIANT, 0.02, q, &s, &energy, f);
    for (int k = 0; k < 6; ++k)
        assert_close(f[k], 0, 1e-12);
    assert_true(fabs(f[6]) > 1);
    evaluate_with(0, 0.02, q, &s, &energy, f);
    assert_true(fabs(f[3]) + fabs(f[4]) + fabs(f[5]) > 1e-2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_do_not_depend_on_where_the_molecule_is_shown),
        cmocka_unit_test(the_base_is_shown_at_its_zero_coordinates),
        cmocka_unit_test(a_resultant_from_rounding_is_taken_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
