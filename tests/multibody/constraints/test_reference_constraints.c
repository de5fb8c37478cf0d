/* Constrained accelerations, multipliers and forces against Simbody's (tests/reference/multibody/constraints.json.gz). */
#include "multibody/reference_json.h"
#include "support/reference.h"
#include "support/support.h"

#include "cardo/manifold.h"
#include "multibody/tree/motion.h"
#include "multibody/tree/operators.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A file, its system and a state at the file's q and u. */
typedef struct example {
    const char *name;
    const json_t *file;
    cardo_system *system;
    cardo_state *state;
    int nb, nu, nrow; /* bodies without ground */
    bool free_basis;  /* rows of a point on a line are in a plane basis of Simbody's choice */
} example;

/* Largest difference from the file's array, relative to its largest entry or to `scale`. */
static void compare(const example *e, const char *key, const double *got, int n, double tolerance)
{
    int found;
    double *expected = reference_numbers(e->file, key, &found);
    double worst = 0, scale = 0;
    if (found != n)
        print_error("%s: %s has %d numbers instead of %d\n", e->name, key, found, n);
    assert_int_equal(found, n);
    for (int i = 0; i < n; ++i) {
        worst = fmax(worst, fabs(got[i] - expected[i]));
        scale = fmax(scale, fabs(expected[i]));
        assert_false(isnan(got[i]));
    }
    scale = scale > 1e-13 ? scale : 1;
    if (!(worst <= tolerance * scale))
        print_error("%s: %s differs by %.3g of %.3g\n", e->name, key, worst, scale);
    assert_true(worst <= tolerance * scale);
    free(expected);
}

static const double *raw(const void *structs)
{
    return structs;
}

static void check_small(const example *e, const char *what, const double *a, int n, double most)
{
    for (int i = 0; i < n; ++i) {
        if (!(fabs(a[i]) <= most))
            print_error("%s: %s %d is %.3g\n", e->name, what, i, a[i]);
        assert_true(fabs(a[i]) <= most);
    }
}

static void load_forces(const json_t *file, int nb, cardo_spatial *forces)
{
    double *numbers = calloc((size_t)nb * 6 + 1, sizeof *numbers);
    reference_flatten(json_object_get(file, "body_forces"), numbers, 6 * nb);
    for (int k = 1; k <= nb; ++k)
        forces[k] =
            (cardo_spatial){v3_load(numbers + 6 * (k - 1)), v3_load(numbers + 6 * (k - 1) + 3)};
    free(numbers);
}

static void open_example(example *e, const char *name, const json_t *file)
{
    cardo_error error = {0};
    int n;
    *e = (example){.name = name, .file = file};
    assert_ok(reference_system(file, &e->system, &error), &error);
    assert_ok(cardo_state_create(e->system, &e->state, &error), &error);
    cardo_constraint_counts counts;
    cardo_system_constraint_counts(e->system, &counts);
    e->nb = cardo_system_nbody(e->system) - 1;
    e->nu = cardo_system_nu(e->system);
    e->nrow = counts.nrow;
    e->free_basis = strstr(name, "point_on_line") != NULL;
    double *q = reference_numbers(file, "q", &n), *u = reference_numbers(file, "u", &n);
    double *f = reference_numbers(file, "mobility_forces", &n);
    cardo_spatial *forces = calloc((size_t)e->nb + 1, sizeof *forces);
    load_forces(file, e->nb, forces);
    cardo_state_set_time(e->state, json_number_value(json_object_get(file, "time")));
    cardo_state_set_q(e->state, q);
    cardo_state_set_u(e->state, u);
    cardo_state_set_forces(e->state, forces, f);
    free(q);
    free(u);
    free(f);
    free(forces);
    assert_ok(cardo_realize(e->system, e->state, CARDO_STAGE_ACCELERATION, &error), &error);
}

static void close_example(example *e)
{
    cardo_state_destroy(e->state);
    cardo_system_destroy(e->system);
}

static void check_rows(const example *e)
{
    const size_t n = (size_t)e->nrow, nu = (size_t)e->nu;
    double *rows = calloc(n + 1, sizeof *rows), *matrix = calloc((n + nu) * (n + nu) + 1, 8);
    assert_ok(cardo_constraint_position_errors(e->system, e->state, rows, NULL), NULL);
    check_small(e, "perr", rows, e->nrow, 1e-13);
    memset(rows, 0, n * sizeof *rows);
    assert_ok(cardo_constraint_velocity_errors(e->system, e->state, rows, NULL), NULL);
    check_small(e, "verr", rows, e->nrow, 1e-13);
    assert_ok(cardo_constraint_acceleration_errors(e->system, e->state, rows, NULL), NULL);
    check_small(e, "aerr", rows, e->nrow, 1e-11);
    assert_ok(cardo_constraint_matrix(e->system, e->state, matrix, NULL), NULL);
    if (!e->free_basis && e->nrow > 0)
        compare(e, "G", matrix, (int)(n * nu), 1e-9);
    assert_ok(cardo_constraint_bias(e->system, e->state, rows, NULL), NULL);
    if (!e->free_basis && e->nrow > 0)
        compare(e, "G_bias", rows, e->nrow, 1e-9);
    assert_ok(cardo_constraint_compliance(e->system, e->state, matrix, NULL), NULL);
    if (!e->free_basis && e->nrow > 0)
        compare(e, "GMInvGT", matrix, (int)(n * n), 1e-9);
    free(rows);
    free(matrix);
}

static void check_forces(const example *e)
{
    cardo_spatial *bodies = calloc((size_t)e->nb + 1, sizeof *bodies);
    double *mobilities = calloc((size_t)e->nu + 1, sizeof *mobilities);
    const double *lambda = cardo_state_multipliers(e->state);
    if (lambda) {
        const bool redundant = strstr(e->name, "redundant") != NULL;
        if (!e->free_basis)
            compare(e, "lambda", lambda, e->nrow, redundant ? 1e-8 : 1e-9);
        assert_ok(cardo_constraint_forces(e->system, e->state, lambda, bodies, mobilities, NULL),
                  NULL);
        for (int k = 1; k <= e->nb; ++k)
            bodies[k] = (cardo_spatial){v3_neg(bodies[k].angular), v3_neg(bodies[k].linear)};
        for (int j = 0; j < e->nu; ++j)
            mobilities[j] = -mobilities[j];
        compare(e, "constraint_body_forces", raw(bodies + 1), 6 * e->nb, 1e-9);
        compare(e, "constraint_mobility_forces", mobilities, e->nu, 1e-9);
    }
    assert_ok(cardo_reactions(e->system, e->state, bodies, NULL), NULL);
    compare(e, "reaction_on_body_at_M_in_G", raw(bodies + 1), 6 * e->nb, 1e-9);
    if (json_object_get(e->file, "motion_forces")) {
        assert_ok(cardo_motive_forces(e->system, e->state, mobilities, NULL), NULL);
        for (int j = 0; j < e->nu; ++j)
            mobilities[j] = -mobilities[j];
        compare(e, "motion_forces", mobilities, e->nu, 1e-9);
    }
    free(bodies);
    free(mobilities);
}

/* What constraints bring in, all together. */
static void check_power(const example *e)
{
    cardo_constraint_counts counts;
    double power[16] = {0}, sum = 0;
    cardo_system_constraint_counts(e->system, &counts);
    if (!json_object_get(e->file, "constraint_power"))
        return;
    assert_ok(cardo_constraint_power(e->system, e->state, power, NULL), NULL);
    for (int i = 0; i < counts.nconstraint; ++i)
        sum += power[i];
    const double expected = json_number_value(json_object_get(e->file, "constraint_power"));
    assert_close(sum, expected, 1e-9 * fmax(1, fabs(expected)));
}

static void check_switched_off(example *e)
{
    cardo_constraint_counts counts;
    cardo_error error = {0};
    double rows[16];
    cardo_system_constraint_counts(e->system, &counts);
    for (int i = 0; i < counts.nconstraint; ++i) {
        assert_ok(cardo_state_set_constraint(e->state, i, false, &error), &error);
        assert_false(cardo_state_has_constraint(e->state, i));
    }
    assert_ok(cardo_realize(e->system, e->state, CARDO_STAGE_ACCELERATION, &error), &error);
    compare(e, "udot_unconstrained", cardo_state_udot(e->state), e->nu, 1e-9);
    for (int i = 0; i < counts.nconstraint; ++i)
        assert_ok(cardo_state_set_constraint(e->state, i, true, &error), &error);
    assert_ok(cardo_realize(e->system, e->state, CARDO_STAGE_ACCELERATION, &error), &error);
    compare(e, "udot", cardo_state_udot(e->state), e->nu, 1e-9);
    assert_ok(cardo_constraint_acceleration_errors(e->system, e->state, rows, &error), &error);
}

static void test_accelerations(void **unused)
{
    const char *name;
    json_t *file;
    int count = 0;
    (void)unused;
    json_t *files = support_json(support_source("tests/reference/multibody/constraints.json.gz"));
    assert_non_null(files);
    json_object_foreach(files, name, file)
    {
        example e;
        open_example(&e, name, file);
        compare(&e, "X_GB", raw(cardo_state_X_GB(e.state) + 1), 12 * e.nb, 1e-10);
        compare(&e, "V_GB", raw(cardo_state_V_GB(e.state) + 1), 6 * e.nb, 1e-10);
        compare(&e, "udot", cardo_state_udot(e.state), e.nu, 1e-9);
        compare(&e, "qdotdot", cardo_state_qdotdot(e.state), cardo_system_nq(e.system), 1e-9);
        compare(&e, "A_GB", raw(cardo_state_A_GB(e.state) + 1), 6 * e.nb, 1e-9);
        check_rows(&e);
        check_forces(&e);
        check_power(&e);
        check_switched_off(&e);
        close_example(&e);
        ++count;
    }
    json_decref(files);
    assert_int_equal(count, 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accelerations),
    };
    return support_run(tests, NULL, NULL);
}
