/* Closed molecular loops against tests/reference/multibody/loops.json.gz: assembly, rank, projection of speeds, accelerations and
 * multipliers, all closures of six torsions. */
#include "multibody/reference_json.h"
#include "support/reference.h"
#include "support/support.h"

#include "cardo/manifold.h"
#include "multibody/tree/operators.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };

static void compare(const char *name, const json_t *json, const char *key, const double *got, int n,
                    double tolerance)
{
    int found;
    double *expected = reference_numbers(json, key, &found), worst = 0, scale = 0;
    assert_int_equal(found, n);
    for (int i = 0; i < n; ++i) {
        worst = fmax(worst, fabs(got[i] - expected[i]));
        scale = fmax(scale, fabs(expected[i]));
    }
    if (!(worst <= tolerance * scale))
        print_error("%s: %s differs by %.3g of %.3g\n", name, key, worst, scale);
    assert_true(worst <= tolerance * scale);
    free(expected);
}

static void check_assembly(const char *name, const json_t *file, const cardo_system *system,
                           cardo_state *state)
{
    cardo_error error = {0};
    cardo_assembly made;
    double start[MOST], expected[MOST], again[MOST];
    const int nq = cardo_system_nq(system);
    reference_flatten(json_object_get(file, "q_start"), start, MOST);
    reference_flatten(json_object_get(json_object_get(file, "assembly"), "q"), expected, MOST);
    cardo_state_set_q(state, start);
    assert_ok(cardo_assemble_q(system, state, NULL, &made, &error), &error);
    for (int i = 0; i < nq; ++i)
        support_assert_close(cardo_state_q(state)[i], expected[i], 1e-10, name, __FILE__, __LINE__);
    assert_true(made.violation <= 1e-12);
    assert_int_equal(made.rank, json_integer_value(json_object_get(file, "rank")));
    memcpy(again, cardo_state_q(state), sizeof(double) * (size_t)nq);
    assert_ok(cardo_assemble_q(system, state, NULL, &made, &error), &error);
    assert_memory_equal(again, cardo_state_q(state), sizeof(double) * (size_t)nq);
    assert_int_equal(made.steps, 0);
}

static void check_dynamics(const char *name, const json_t *file, const cardo_system *system,
                           cardo_state *state)
{
    const json_t *at = json_object_get(file, "at_assembled");
    cardo_error error = {0};
    double q[MOST], u[MOST], tau[MOST], G[256], Y[256], energy;
    const int nu = cardo_system_nu(system);
    cardo_constraint_counts counts;
    int rank, freedoms;
    cardo_system_constraint_counts(system, &counts);
    reference_flatten(json_object_get(json_object_get(file, "assembly"), "q"), q, MOST);
    reference_flatten(json_object_get(at, "u_before"), u, MOST);
    reference_flatten(json_object_get(at, "tau"), tau, MOST);
    cardo_state_set_q(state, q);
    cardo_state_set_u(state, u);
    cardo_state_set_forces(state, NULL, tau);
    assert_ok(cardo_project_u(system, state, 0, &error), &error);
    const bool still = json_integer_value(json_object_get(file, "dof")) == 0;
    if (still)
        for (int i = 0; i < nu; ++i)
            assert_close(cardo_state_u(state)[i], 0, 1e-12);
    else
        compare(name, at, "u", cardo_state_u(state), nu, 1e-9);
    assert_ok(cardo_realize(system, state, CARDO_STAGE_ACCELERATION, &error), &error);
    if (still)
        for (int i = 0; i < nu; ++i)
            assert_close(cardo_state_udot(state)[i], 0, 1e-9);
    else
        compare(name, at, "udot", cardo_state_udot(state), nu, 1e-9);
    compare(name, at, "lambda", cardo_state_multipliers(state), counts.nrow,
            strstr(name, "redundant") ? 1e-8 : 1e-9);
    assert_ok(cardo_constraint_matrix(system, state, G, &error), &error);
    compare(name, at, "G", G, counts.nrow * nu, 1e-10);
    assert_ok(cardo_constraint_compliance(system, state, Y, &error), &error);
    compare(name, at, "GMInvGT", Y, counts.nrow * counts.nrow, 1e-10);
    assert_ok(cardo_constraint_rank(system, state, &rank, NULL, &error), &error);
    assert_int_equal(rank, json_integer_value(json_object_get(file, "rank")));
    assert_ok(cardo_degrees_of_freedom(system, state, &freedoms, &error), &error);
    assert_int_equal(freedoms, json_integer_value(json_object_get(file, "dof")));
    assert_ok(cardo_kinetic_energy(system, state, &energy, &error), &error);
    if (!still)
        compare(name, at, "kinetic_energy", &energy, 1, 1e-10);
    assert_ok(cardo_log_det_y(system, state, &energy, &error), &error);
    compare(name, at, "log_det_GMInvGT_nonzero", &energy, 1, 1e-12);
    assert_ok(cardo_log_det_m(system, state, &energy, &error), &error);
    compare(name, at, "log_det_M", &energy, 1, 1e-12);
}

static void test_loops(void **unused)
{
    const char *name;
    json_t *file;
    int count = 0;
    (void)unused;
    json_t *files = support_json(support_source("tests/reference/multibody/loops.json.gz"));
    assert_non_null(files);
    json_object_foreach(files, name, file)
    {
        cardo_error error = {0};
        cardo_system *system;
        cardo_state *state;
        assert_ok(reference_system(file, &system, &error), &error);
        assert_ok(cardo_state_create(system, &state, &error), &error);
        check_assembly(name, file, system, state);
        check_dynamics(name, file, system, state);
        cardo_state_destroy(state);
        cardo_system_destroy(system);
        ++count;
    }
    json_decref(files);
    assert_int_equal(count, 10);
}

/* Angles that differ by less than a turn's rounding. */
static bool same_angles(const double *a, const double *b, int n)
{
    for (int i = 0; i < n; ++i)
        if (fabs(remainder(a[i] - b[i], 2 * 3.14159265358979323846)) > 1e-8)
            return false;
    return true;
}

/* From random starts every closure of six torsions is found, and nothing else. */
static void test_closures(void **unused)
{
    enum { N = 6, STARTS = 1500 };
    cardo_error error = {0};
    cardo_system *system;
    cardo_state *state;
    int hits[8] = {0}, nclosure = 0, others = 0;
    uint64_t seed = 5;
    double closures[8][N];
    (void)unused;
    json_t *files = support_json(support_source("tests/reference/multibody/loops.json.gz"));
    const json_t *file = json_object_get(files, "loop_kic6");
    const json_t *all = json_object_get(json_object_get(file, "all_closures"), "q");
    for (size_t i = 0; i < json_array_size(all) && i < 8; ++i)
        nclosure += reference_flatten(json_array_get(all, i), closures[i], N) == N;
    assert_ok(reference_system(file, &system, &error), &error);
    assert_ok(cardo_state_create(system, &state, &error), &error);
    const cardo_assembly_options any = {.size = sizeof any, .any = true};
    for (int s = 0; s < STARTS; ++s) {
        double q[N];
        for (int i = 0; i < N; ++i)
            q[i] = 3.14159265358979323846 * support_random(&seed);
        cardo_state_set_q(state, q);
        if (cardo_assemble_q(system, state, &any, NULL, &error) != CARDO_OK) {
            /* q is as it was, and the message says what is open */
            assert_memory_equal(q, cardo_state_q(state), sizeof q);
            assert_true(strstr(error.message, "weld") != NULL);
            continue;
        }
        int c = 0;
        while (c < nclosure && !same_angles(cardo_state_q(state), closures[c], N))
            ++c;
        if (c < nclosure)
            ++hits[c];
        else
            ++others;
    }
    assert_int_equal(nclosure, 4);
    assert_int_equal(others, 0);
    for (int c = 0; c < nclosure; ++c)
        assert_true(hits[c] > 0);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
    json_decref(files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_closures),
    };
    return support_run(tests, NULL, NULL);
}
