/* Collective variables of random trees with stations: values against straight sums over stations,
 * gradients against differences, invariance, periods, and what happens at singular places. */
#include "multibody/random_tree.h"

#include "base/memory.h"
#include "multibody/tree/operators.h"
#include "sampling/variables/variable.h"
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

/* Moves the whole: the free base comes first, with its orientation and then its place. */
static void move_whole(station_tree *tree, bool euler)
{
    double *q = calloc((size_t)tree->nq, sizeof *q);
    cardo_body_info info;
    cardo_transform X, moved;
    memcpy(q, cardo_state_q(tree->state), (size_t)tree->nq * sizeof *q);
    cardo_system_body(tree->system, 1, &info);
    X.R = euler ? m33_from_euler(q[0], q[1], q[2])
                : m33_from_quat((cardo_quaternion){q[0], q[1], q[2], q[3]});
    X.p = v3_load(q + info.nq - 3);
    moved = xform_mul((cardo_transform){m33_rotation(v3_unit(v3(1, -2, 3)), 2.1), {7, -5, 3}}, X);
    if (euler) {
        v3_store(q, m33_to_euler(moved.R));
    } else {
        const cardo_quaternion turn = quat_from_m33(moved.R);
        const double numbers[4] = {turn.w, turn.x, turn.y, turn.z};
        memcpy(q, numbers, sizeof numbers);
    }
    v3_store(q + info.nq - 3, moved.p);
    cardo_state_set_q(tree->state, q);
    free(q);
}

/* The whole turned and shifted changes no value, and a gradient is blind to that motion: what it
 * gives the base's six speeds for a rigid motion of everything is zero. */
static void motions_of_the_whole_change_nothing(void **test)
{
    (void)test;
    for (int index = 0; index < TREES; ++index) {
        station_tree tree;
        cardo_error error;
        build_tree(&tree, 2 + index % (MOST_BODIES - 1), 29 + 53 * (uint64_t)index, index % 2);
        double *gradient = calloc((size_t)tree.nu, sizeof *gradient), before, after;
        for (int k = 1; cardo_variable_kinds[k]; ++k) {
            cardo_variable *variable = make(cardo_variable_kinds[k], &tree, 0);
            before = value_of(variable, &tree);
            assert_ok(cardo_variable_gradient(variable, tree.state, &after, gradient, &error),
                      &error);
            for (int i = 0; i < 6; ++i)
                assert_close(gradient[i], 0, 1e-11);
            move_whole(&tree, index % 2);
            assert_close(cardo_variable_difference(variable, value_of(variable, &tree), before), 0,
                         1e-12);
            cardo_variable_destroy(variable);
        }
        free(gradient);
        clear_tree(&tree);
    }
}

static cardo_vec3 centre_of(const station_tree *tree, const double *positions, int g)
{
    cardo_vec3 sum = v3(0, 0, 0);
    double mass = 0;
    for (int i = g; i < tree->nstation; i += 2 + g) {
        sum = v3_add_scaled(sum, tree->mass[i], v3_load(positions + 3 * i));
        mass += tree->mass[i];
    }
    return v3_scale(1 / mass, sum);
}

/* The same from station positions by other formulas: arc cosines, and the angle that turns one
 * perpendicular into the other. */
static double other_value(const cardo_variable_kind *kind, const station_tree *tree,
                          const double *positions)
{
    cardo_vec3 c[4];
    for (int g = 0; g < 4; ++g)
        c[g] = centre_of(tree, positions, g);
    if (kind == &cardo_variable_distance)
        return v3_norm(v3_sub(c[0], c[1]));
    if (kind == &cardo_variable_angle)
        return acos(v3_dot(v3_unit(v3_sub(c[0], c[1])), v3_unit(v3_sub(c[2], c[1]))));
    const cardo_vec3 axis = v3_unit(v3_sub(c[2], c[1]));
    cardo_vec3 a = v3_sub(c[0], c[1]), b = v3_sub(c[3], c[2]);
    a = v3_unit(v3_add_scaled(a, -v3_dot(a, axis), axis));
    b = v3_unit(v3_add_scaled(b, -v3_dot(b, axis), axis));
    return copysign(acos(v3_dot(a, b)), v3_dot(axis, v3_cross(a, b)));
}

static void values_are_those_of_stations(void **test)
{
    (void)test;
    for (int index = 0; index < TREES; ++index) {
        station_tree tree;
        cardo_error error;
        double positions[3 * PER_BODY * MOST_BODIES], value;
        build_tree(&tree, 2 + index % (MOST_BODIES - 1), 3 + 11 * (uint64_t)index, false);
        assert_ok(cardo_station_positions(tree.system, tree.state, positions, &error), &error);
        for (int k = 1; cardo_variable_kinds[k]; ++k) {
            cardo_variable *variable = make(cardo_variable_kinds[k], &tree, 0);
            assert_ok(cardo_variable_value_at(variable, positions, &value, &error), &error);
            assert_close(value, value_of(variable, &tree), 1e-12);
            if (cardo_variable_kinds[k] != &cardo_variable_rmsd)
                assert_close(value, other_value(cardo_variable_kinds[k], &tree, positions), 1e-7);
            cardo_variable_destroy(variable);
        }
        clear_tree(&tree);
    }
}

/* The sign of IUPAC: looking along the axis, the far end turned clockwise from the near one is
 * positive. */
static void dihedrals_have_their_sign(void **test)
{
    (void)test;
    const double positions[12] = {1, 0, 0, 0, 0, 0, 0, 0, 1, 0.5, sqrt(0.75), 1};
    const int station[4] = {0, 1, 2, 3};
    cardo_variable_definition definition = {.name = "phi"};
    station_tree tree;
    cardo_variable *variable;
    cardo_error error;
    double value;
    build_tree(&tree, 2, 1, false);
    for (int g = 0; g < 4; ++g)
        definition.group[g] = (cardo_station_group){1, &station[g], NULL};
    assert_ok(cardo_variable_create(&cardo_variable_dihedral, tree.system, &definition, &variable,
                                    &error),
              &error);
    assert_ok(cardo_variable_value_at(variable, positions, &value, &error), &error);
    assert_close(value, acos(0.5), 1e-15);
    assert_close(cardo_variable_difference(variable, 3, -3), 6 - 2 * acos(-1), 1e-15);
    assert_string_equal(cardo_variable_unit(variable), "rad");
    assert_string_equal(cardo_variable_name(variable), "phi");
    cardo_variable_destroy(variable);
    clear_tree(&tree);
}

/* The minimum over rotations, found by another way: pulled down from many starts by Euler angles. */
static double least_rmsd(int n, const double *a, const double *b)
{
    double least = 1e9;
    for (int start = 0; start < 64; ++start) {
        double e[3] = {1.6 * (start % 4), 0.8 * (start / 4 % 4) - 1.2, 1.6 * (start / 16)};
        for (double width = 0.8, here = 1e9; width > 1e-7; width *= 0.7)
            for (int k = 0; k < 12; ++k) {
                double old = e[k % 3], sum = 0;
                e[k % 3] += k % 2 ? width : -width;
                const cardo_mat33 R = m33_from_euler(e[0], e[1], e[2]);
                for (int i = 0; i < n; ++i) {
                    const cardo_vec3 d =
                        v3_sub(m33_mul_v3(R, v3_load(a + 3 * i)), v3_load(b + 3 * i));
                    sum += v3_dot(d, d) / n;
                }
                if (sum < here)
                    here = sum;
                else
                    e[k % 3] = old;
                least = fmin(least, sum);
            }
    }
    return sqrt(least);
}

static void centre_rows(int n, double *a)
{
    for (int k = 0; k < 3; ++k) {
        double mean = 0;
        for (int i = 0; i < n; ++i)
            mean += a[3 * i + k] / n;
        for (int i = 0; i < n; ++i)
            a[3 * i + k] -= mean;
    }
}

/* Also for a reference that is the mirror image, where the best superposition is no reflection. */
static void rmsd_is_the_least(void **test)
{
    (void)test;
    station_tree tree;
    cardo_error error;
    double positions[3 * PER_BODY * MOST_BODIES], reference[3 * PER_BODY * MOST_BODIES], value;
    int station[2 * PER_BODY];
    for (int i = 0; i < 2 * PER_BODY; ++i)
        station[i] = i;
    for (int index = 0; index < 6; ++index) {
        cardo_variable_definition definition = {.group = {{2 * PER_BODY, station, NULL}},
                                                .reference = reference};
        cardo_variable *variable;
        build_tree(&tree, 2, 60 + (uint64_t)index, false);
        assert_ok(cardo_station_positions(tree.system, tree.state, positions, &error), &error);
        for (int i = 0; i < 3 * tree.nstation; ++i)
            reference[i] = index % 3 == 0 ? tree.reference[i]
                                          : (index % 3 == 1 ? -1 : 1) * positions[i] +
                                                0.01 * tree.reference[i];
        assert_ok(cardo_variable_create(&cardo_variable_rmsd, tree.system, &definition, &variable,
                                        &error),
                  &error);
        assert_ok(cardo_variable_value(variable, tree.state, &value, &error), &error);
        centre_rows(2 * PER_BODY, positions);
        centre_rows(2 * PER_BODY, reference);
        assert_close(value, least_rmsd(2 * PER_BODY, positions, reference), 1e-6);
        cardo_variable_destroy(variable);
        clear_tree(&tree);
    }
}

/* Four bodies that slide alone, each with one station at its origin. */
static void build_points(station_tree *tree)
{
    const double origin[3] = {0, 0, 0};
    cardo_error error;
    memset(tree, 0, sizeof *tree);
    assert_ok(cardo_system_create(&tree->system, &error), &error);
    for (int k = 0; k < 4; ++k) {
        cardo_body_definition body = {.mobilizer = &cardo_mobilizer_translation,
                                      .X_PF = xform_identity(),
                                      .X_BM = xform_identity(),
                                      .mass = {1, {0, 0, 0}, {1, 1, 1, 0, 0, 0}}};
        assert_ok(cardo_system_add_body(tree->system, &body, NULL, &error), &error);
        assert_ok(cardo_system_add_stations(tree->system, k + 1, k, 1, origin, &error), &error);
        tree->nstation++;
    }
    assert_ok(cardo_system_finalize(tree->system, &error), &error);
    assert_ok(cardo_state_create(tree->system, &tree->state, &error), &error);
    tree->nq = tree->nu = 12;
}

static cardo_variable *make_points(const cardo_variable_kind *kind, const station_tree *tree,
                                   const double *reference)
{
    static const int station[4] = {0, 1, 2, 3};
    cardo_variable_definition definition = {.name = "xi", .reference = reference};
    cardo_variable *variable;
    cardo_error error;
    for (int g = 0; g < 4; ++g)
        definition.group[g] = (cardo_station_group){1, &station[g], NULL};
    if (kind == &cardo_variable_rmsd)
        definition.group[0].count = 4;
    assert_ok(cardo_variable_create(kind, tree->system, &definition, &variable, &error), &error);
    return variable;
}

/* A kink: the value stands, the gradient is zero. */
static void check_kink(const cardo_variable_kind *kind, station_tree *tree, const double *q,
                       double expected)
{
    cardo_error error;
    double value, gradient[12], moved[12];
    cardo_variable *variable = make_points(kind, tree, q);
    const cardo_mat33 R = m33_rotation(v3_unit(v3(3, 1, -2)), 0.7);
    for (int i = 0; i < 4; ++i)
        v3_store(moved + 3 * i, m33_mul_v3(R, v3_load(q + 3 * i)));
    cardo_state_set_q(tree->state, moved);
    assert_ok(cardo_realize(tree->system, tree->state, CARDO_STAGE_POSITION, &error), &error);
    assert_ok(cardo_variable_gradient(variable, tree->state, &value, gradient, &error), &error);
    assert_close(value, expected, 1e-14);
    for (int i = 0; i < 12; ++i)
        assert_true(gradient[i] == 0);
    cardo_variable_destroy(variable);
}

static void check_no_value(const cardo_variable_kind *kind, station_tree *tree, const double *q,
                           const char *text)
{
    cardo_error error;
    double value, gradient[12];
    cardo_variable *variable = make_points(kind, tree, q);
    cardo_state_set_q(tree->state, q);
    assert_ok(cardo_realize(tree->system, tree->state, CARDO_STAGE_POSITION, &error), &error);
    assert_fails(cardo_variable_value(variable, tree->state, &value, &error), &error,
                 CARDO_RECOVERABLE, text);
    assert_fails(cardo_variable_gradient(variable, tree->state, &value, gradient, &error), &error,
                 CARDO_RECOVERABLE, text);
    assert_fails(cardo_variable_value_at(variable, q, &value, &error), &error, CARDO_RECOVERABLE,
                 text);
    cardo_variable_destroy(variable);
}

static void singular_places_are_defined(void **test)
{
    (void)test;
    const double together[12] = {1, 2, 3, 1, 2, 3, 4, 4, 4, 0, 1, 0};
    const double ahead[12] = {0, 0, 0, 1, 1, 1, 3, 3, 3, 0, 1, 0};
    const double back[12] = {3, 3, 3, 1, 1, 1, 3.5, 3.5, 3.5, 0, 1, 0};
    const double generic[12] = {0, 0, 0, 1, 0.5, 0.2, 0.3, 1, 1, 0, 1, -1};
    const double far_together[12] = {0, 1, 0, 4, 4, 4, 1, 2, 3, 1, 2, 3};
    const double far_line[12] = {0, 1, 0, 0, 0, 0, 1, 1, 1, 3, 3, 3};
    const double line[12] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 5, 5, 5};
    station_tree tree;
    build_points(&tree);
    check_kink(&cardo_variable_distance, &tree, together, 0);
    check_kink(&cardo_variable_angle, &tree, ahead, acos(-1));
    check_kink(&cardo_variable_angle, &tree, back, 0);
    check_kink(&cardo_variable_rmsd, &tree, generic, 0);
    check_no_value(&cardo_variable_angle, &tree, together, "centre 1 lies on the second");
    check_no_value(&cardo_variable_dihedral, &tree, ahead, "centres 1, 2 and 3 lie on a line");
    check_no_value(&cardo_variable_dihedral, &tree, far_line, "centres 2, 3 and 4 lie on a line");
    check_no_value(&cardo_variable_dihedral, &tree, far_together, "centres 2, 3 and 4");
    check_no_value(&cardo_variable_rmsd, &tree, line, "equally good");
    clear_tree(&tree);
}

/* A pin's angle modulo a turn. */
static void coordinates_may_have_a_period(void **test)
{
    (void)test;
    const double turn = 2 * acos(-1);
    cardo_variable_definition definition = {.coordinate = 7, .period = turn};
    station_tree tree;
    cardo_variable *variable;
    cardo_error error;
    memset(&tree, 0, sizeof tree);
    tree.seed = 4;
    assert_ok(cardo_system_create(&tree.system, &error), &error);
    add_body(&tree, &cardo_mobilizer_free, 0, false);
    add_body(&tree, &cardo_mobilizer_pin, 1, false);
    finish_tree(&tree);
    assert_ok(cardo_variable_create(&cardo_variable_coordinate, tree.system, &definition, &variable,
                                    &error),
              &error);
    double q[8];
    memcpy(q, cardo_state_q(tree.state), sizeof q);
    q[7] = 3 * turn + 0.75;
    cardo_state_set_q(tree.state, q);
    assert_close(value_of(variable, &tree), 0.75, 1e-14);
    assert_close(cardo_variable_period(variable), turn, 0);
    assert_string_equal(cardo_variable_unit(variable), "rad");
    check_gradient(variable, &tree);
    cardo_variable_destroy(variable);
    clear_tree(&tree);
}

static void wrong_definitions_are_refused(void **test)
{
    (void)test;
    station_tree tree;
    cardo_variable *variable;
    cardo_error error;
    double value;
    int station[3] = {0, 1, 99};
    double weight[3] = {1, 0, 1};
    build_points(&tree);
    cardo_variable_definition d = {.coordinate = 12};
#define REFUSED(kind, text)                                                                        \
    assert_fails(cardo_variable_create(&(kind), tree.system, &d, &variable, &error), &error,       \
                 CARDO_ERROR_ARGUMENT, text)
    REFUSED(cardo_variable_coordinate, "has 12");
    d.coordinate = 0;
    d.period = -1;
    REFUSED(cardo_variable_coordinate, "period");
    REFUSED(cardo_variable_distance, "group 1 of variable distance is empty");
    d.group[0] = d.group[1] = (cardo_station_group){3, station, NULL};
    REFUSED(cardo_variable_distance, "station 99");
    d.group[0].count = d.group[1].count = 2;
    d.group[1].weight = weight;
    REFUSED(cardo_variable_distance, "weight 0");
    REFUSED(cardo_variable_rmsd, "three stations");
#undef REFUSED
    d.period = 0;
    assert_ok(cardo_variable_create(&cardo_variable_coordinate, tree.system, &d, &variable, &error),
              &error);
    assert_fails(cardo_variable_value(variable, tree.state, &value, &error), &error,
                 CARDO_ERROR_STAGE, "positions");
    assert_fails(cardo_variable_value_at(variable, weight, &value, &error), &error,
                 CARDO_ERROR_UNSUPPORTED, "coordinate");
    cardo_variable_destroy(variable);
    clear_tree(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(gradients_are_slopes),
                                       cmocka_unit_test(coordinates_are_coordinates),
                                       cmocka_unit_test(motions_of_the_whole_change_nothing),
                                       cmocka_unit_test(values_are_those_of_stations),
                                       cmocka_unit_test(dihedrals_have_their_sign),
                                       cmocka_unit_test(rmsd_is_the_least),
                                       cmocka_unit_test(singular_places_are_defined),
                                       cmocka_unit_test(coordinates_may_have_a_period),
                                       cmocka_unit_test(wrong_definitions_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
