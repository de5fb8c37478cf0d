/* Collective variables of random trees with stations: values against straight sums over stations,
 * gradients against differences, invariance, periods, and what happens at singular places. */
#include "multibody/random_tree.h"

#include "base/memory.h"
#include "multibody/operators.h"
#include "sampling/variable.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TREES = 60, PER_BODY = 5, MOST_BODIES = 12 };

/* A tree on a free base, whose bodies have PER_BODY stations each, in mixed order. */
typedef struct station_tree {
    cardo_system *system;
    cardo_state *state;
    int nq, nu, nstation;
    double mass[PER_BODY * MOST_BODIES];
    double reference[3 * PER_BODY * MOST_BODIES];
    uint64_t seed;
} station_tree;

static void add_body(station_tree *tree, const cardo_mobilizer *mobilizer, int parent, bool euler)
{
    static random_parameters room;
    cardo_error error;
    double positions[3 * PER_BODY];
    int number;
    cardo_body_definition body = random_body(mobilizer, parent, &tree->seed, &room);
    body.euler = euler;
    body.reversed = false;
    assert_ok(cardo_system_add_body(tree->system, &body, &number, &error), &error);
    for (int i = 0; i < PER_BODY; ++i)
        v3_store(positions + 3 * i, random_vec3(&tree->seed));
    assert_ok(cardo_system_add_stations(tree->system, number, tree->nstation, PER_BODY, positions,
                                        &error),
              &error);
    tree->nstation += PER_BODY;
}

static void finish_tree(station_tree *tree)
{
    cardo_error error;
    double *q;
    assert_ok(cardo_system_finalize(tree->system, &error), &error);
    assert_ok(cardo_state_create(tree->system, &tree->state, &error), &error);
    tree->nq = cardo_system_nq(tree->system);
    tree->nu = cardo_system_nu(tree->system);
    q = calloc((size_t)tree->nq + 1, sizeof *q);
    random_coordinates(tree->system, &tree->seed, q);
    cardo_state_set_q(tree->state, q);
    free(q);
    assert_ok(cardo_realize(tree->system, tree->state, CARDO_STAGE_POSITION, &error), &error);
    for (int i = 0; i < tree->nstation; ++i)
        tree->mass[i] = 1.5 + support_random(&tree->seed);
    for (int i = 0; i < 3 * tree->nstation; ++i)
        tree->reference[i] = 2 * support_random(&tree->seed);
}

static void build_tree(station_tree *tree, int nbody, uint64_t seed, bool euler)
{
    cardo_error error;
    memset(tree, 0, sizeof *tree);
    tree->seed = seed;
    assert_ok(cardo_system_create(&tree->system, &error), &error);
    add_body(tree, &cardo_mobilizer_free, 0, euler);
    for (int k = 1; k < nbody; ++k)
        add_body(tree, NULL, k > 2 ? k - 1 : 1, euler);
    finish_tree(tree);
}

static void clear_tree(station_tree *tree)
{
    cardo_state_destroy(tree->state);
    cardo_system_destroy(tree->system);
}

/* Groups of stations that overlap and lie on several bodies each. */
static cardo_station_group group_of(const station_tree *tree, int *station, double *weight, int g)
{
    cardo_station_group group = {0, station, weight};
    for (int i = g; i < tree->nstation; i += 2 + g) {
        station[group.count] = i;
        weight[group.count++] = tree->mass[i];
    }
    return group;
}

static cardo_variable *make(const cardo_variable_kind *kind, const station_tree *tree,
                            int coordinate)
{
    static int station[CARDO_VARIABLE_MAX_GROUPS][PER_BODY * MOST_BODIES];
    static double weight[CARDO_VARIABLE_MAX_GROUPS][PER_BODY * MOST_BODIES];
    cardo_variable_definition definition = {.name = "xi", .coordinate = coordinate};
    cardo_variable *variable;
    cardo_error error;
    for (int g = 0; g < CARDO_VARIABLE_MAX_GROUPS; ++g)
        definition.group[g] = group_of(tree, station[g], weight[g], g);
    definition.reference = tree->reference;
    assert_ok(cardo_variable_create(kind, tree->system, &definition, &variable, &error), &error);
    return variable;
}

static double value_of(const cardo_variable *variable, const station_tree *tree)
{
    cardo_error error;
    double value;
    assert_ok(cardo_realize(tree->system, tree->state, CARDO_STAGE_POSITION, &error), &error);
    assert_ok(cardo_variable_value(variable, tree->state, &value, &error), &error);
    return value;
}

/* d xi/dt along random speeds by differences along qdot = N u, to fourth order. */
static void check_gradient(const cardo_variable *variable, station_tree *tree)
{
    cardo_error error;
    const size_t nq = (size_t)tree->nq, nu = (size_t)tree->nu;
    double *q = calloc(3 * nq + 1, sizeof *q), *qdot = q + nq, *moved = qdot + nq;
    double *u = calloc(2 * nu + 1, sizeof *u), *gradient = u + nu, value, again, sum = 0, size = 1;
    const double h = 2.5e-4, place[4] = {-2, -1, 1, 2}, factor[4] = {1, -8, 8, -1};
    random_numbers(tree->nu, &tree->seed, u);
    memcpy(q, cardo_state_q(tree->state), nq * sizeof *q);
    assert_ok(cardo_realize(tree->system, tree->state, CARDO_STAGE_POSITION, &error), &error);
    assert_ok(cardo_multiply_n(tree->system, tree->state, u, qdot, &error), &error);
    const unsigned long before = cardo_allocation_count();
    assert_ok(cardo_variable_gradient(variable, tree->state, &value, gradient, &error), &error);
    assert_ok(cardo_variable_value(variable, tree->state, &again, &error), &error);
    assert_int_equal(cardo_allocation_count(), before);
    assert_true(value == again);
    double rate = 0;
    for (size_t k = 0; k < nu; ++k) {
        rate += gradient[k] * u[k];
        size = fmax(size, fabs(gradient[k]));
    }
    for (int s = 0; s < 4; ++s) {
        for (size_t k = 0; k < nq; ++k)
            moved[k] = q[k] + place[s] * h * qdot[k];
        cardo_state_set_q(tree->state, moved);
        sum += factor[s] * cardo_variable_difference(variable, value_of(variable, tree), value);
    }
    assert_close(rate, sum / (12 * h), 1e-7 * size);
    cardo_state_set_q(tree->state, q);
    free(q);
    free(u);
}

static void gradients_are_slopes(void **test)
{
    (void)test;
    for (int index = 0; index < TREES; ++index) {
        station_tree tree;
        build_tree(&tree, 2 + index % (MOST_BODIES - 1), 17 + 101 * (uint64_t)index, index % 2);
        for (int k = 1; cardo_variable_kinds[k]; ++k) {
            cardo_variable *variable = make(cardo_variable_kinds[k], &tree, 0);
            check_gradient(variable, &tree);
            cardo_variable_destroy(variable);
        }
        clear_tree(&tree);
    }
}

/* Every coordinate that is none of a quaternion's; in Euler mode also angles, whose rate is a row of
 * N. */
static void coordinates_are_coordinates(void **test)
{
    (void)test;
    int nchecked = 0;
    for (int index = 0; index < TREES; ++index) {
        station_tree tree;
        build_tree(&tree, 2 + index % (MOST_BODIES - 1), 5 + 97 * (uint64_t)index, index % 2);
        for (int b = 1; b < cardo_system_nbody(tree.system); ++b) {
            cardo_body_info info;
            cardo_system_body(tree.system, b, &info);
            const bool quaternion =
                strcmp(cardo_mobilizer_name(info.mobilizer), "free") == 0 && !info.euler;
            for (int k = quaternion ? 4 : 0; k < info.nq; ++k) {
                cardo_variable_definition definition = {.coordinate = info.q_first + k};
                cardo_variable *variable;
                cardo_error error;
                if (cardo_variable_create(&cardo_variable_coordinate, tree.system, &definition,
                                          &variable, &error) != CARDO_OK) {
                    assert_non_null(strstr(error.message, "quaternion"));
                    continue;
                }
                assert_true(value_of(variable, &tree) ==
                            cardo_state_q(tree.state)[info.q_first + k]);
                check_gradient(variable, &tree);
                cardo_variable_destroy(variable);
                ++nchecked;
            }
        }
        clear_tree(&tree);
    }
    assert_true(nchecked > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(gradients_are_slopes),
                                       cmocka_unit_test(coordinates_are_coordinates)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
