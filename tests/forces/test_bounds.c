/* Bounds of conformations: terms against figures worked out by hand, pairs against all pairs. */
#include "base/units.h"
#include "forces/relax/approaches.h"
#include "forces/relax/thermal_bounds.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* CA C O N H CA of a planar trans peptide group, nm, and a force field like AMBER's. */
enum { CA1, C, O, N, H, CA2, ATOMS };
static const double planar[3 * ATOMS] = {-0.1530, 0,       0, 0,      0,       0,
                                         0.0640,  0.1050,  0, 0.0670, -0.1157, 0,
                                         0.0100,  -0.2000, 0, 0.2110, -0.1400, 0};
static cardo_bond_term bonds[] = {{C, N, 0.1335, 410032}, {CA1, C, 0.1522, 265265}};
static cardo_angle_term angles[] = {{CA1, C, N, 2.035054, 585.76}};
static cardo_torsion_term torsions[] = {{CA1, C, N, CA2, 2, CARDO_PI, 10.46},
                                        {CA1, C, N, H, 2, CARDO_PI, 10.46},
                                        {O, C, N, CA2, 2, CARDO_PI, 10.46},
                                        {H, N, C, O, 2, CARDO_PI, 10.46}};
static const int body[ATOMS] = {0, 0, 0, 1, 1, 1}, strand[ATOMS] = {3, 3, 3, 3, 3, 3};
static const cardo_omega omegas[] = {{{CA1, C, N, CA2}, 3}};
static const cardo_terms terms = {.natom = ATOMS,
                                  .nbond = 2,
                                  .list.bond = bonds,
                                  .nangle = 1,
                                  .list.angle = angles,
                                  .ntorsion = 4,
                                  .list.torsion = torsions};

static cardo_broken_bounds look(const double *known, const double *positions)
{
    cardo_error error = {0};
    cardo_thermal_bounds *bounds;
    cardo_broken_bounds list = {0};
    const cardo_thermal_question question = {&terms, body, strand, 1, omegas, 1, &known};
    assert_ok(cardo_thermal_bounds_create(&question, &bounds, &error), &error);
    assert_ok(cardo_thermal_bounds_look(bounds, positions, &list, &error), &error);
    cardo_broken_bounds_sort(&list);
    cardo_thermal_bounds_destroy(bounds);
    return list;
}

/* N, H and the second CA moved along C-N. */
static void stretch(double by, double *positions)
{
    const double r = hypot(planar[3 * N], planar[3 * N + 1]);
    memcpy(positions, planar, sizeof planar);
    for (int atom = N; atom < ATOMS; ++atom)
        for (int axis = 0; axis < 2; ++axis)
            positions[3 * atom + axis] += by * planar[3 * N + axis] / r;
}

/* The second CA turned about C-N. */
static void turn(double by, double *positions)
{
    const double r = hypot(planar[3 * N], planar[3 * N + 1]);
    const double x = planar[3 * N] / r, y = planar[3 * N + 1] / r;
    memcpy(positions, planar, sizeof planar);
    const double along = planar[3 * CA2] * x + planar[3 * CA2 + 1] * y;
    const double across[2] = {planar[3 * CA2] - along * x, planar[3 * CA2 + 1] - along * y};
    for (int axis = 0; axis < 2; ++axis)
        positions[3 * CA2 + axis] = along * (axis ? y : x) + cos(by) * across[axis];
    positions[3 * CA2 + 2] = sin(by) * hypot(across[0], across[1]);
}

static void a_bond_has_four_deviations(void **test)
{
    (void)test;
    /* sqrt(kT/k) of 410032 kJ/mol/nm2 at 300 K is 0.002466 nm. */
    const double length = hypot(planar[3 * N], planar[3 * N + 1]);
    const double low = 0.1335 - 0.009865 - length, high = 0.1335 + 0.009865 - length;
    double positions[3 * ATOMS];
    for (int side = 0; side < 2; ++side)
        for (int out = 0; out < 2; ++out) {
            const double edge = side ? high : low, off = side == out ? 1e-4 : -1e-4;
            stretch(edge + off, positions);
            cardo_broken_bounds list = look(planar, positions);
            assert_int_equal(list.looked[CARDO_BOUND_BOND], 1); /* CA-C lies in one body */
            assert_int_equal(list.looked[CARDO_BOUND_ANGLE], 1);
            assert_int_equal(list.count[CARDO_BOUND_BOND], out);
            assert_int_equal(list.nbroken, out);
            if (out) {
                assert_int_equal(list.broken[0].strand, 3);
                assert_close(list.broken[0].beyond, 1, 0.02);
                assert_true(list.broken[0].beyond > 1);
                assert_close(list.broken[0].value, length + edge + off, 1e-12);
            }
            cardo_broken_bounds_clear(&list);
        }
}

/* Four torsions of k = 10.46 kJ/mol and two minima: 4 k n^2 = 167.4 kJ/mol/rad2, a deviation of 6.99 degrees. */
static void an_omega_is_bounded_by_its_curvature(void **test)
{
    (void)test;
    double positions[3 * ATOMS];
    for (int sign = -1; sign <= 1; sign += 2)
        for (int out = 0; out < 2; ++out) {
            turn(sign * (out ? 28.2 : 27.7) * CARDO_DEGREE, positions);
            cardo_broken_bounds list = look(planar, positions);
            assert_int_equal(list.looked[CARDO_BOUND_OMEGA], 1);
            assert_int_equal(list.count[CARDO_BOUND_OMEGA], out);
            cardo_broken_bounds_clear(&list);
        }
    turn(CARDO_PI, positions); /* cis where trans was deposited */
    cardo_broken_bounds list = look(planar, positions);
    assert_int_equal(list.count[CARDO_BOUND_OMEGA], 1);
    assert_close(fabs(list.broken[0].value - CARDO_PI), CARDO_PI, 1e-12);
    cardo_broken_bounds_clear(&list);
    list = look(positions, positions); /* and cis where cis was */
    assert_int_equal(list.count[CARDO_BOUND_OMEGA], 0);
    cardo_broken_bounds_clear(&list);
}

/* A crystal's own value, and one deviation of 0.002466 nm more, on its side alone. */
static void what_is_deposited_is_allowed(void **test)
{
    (void)test;
    static const struct {
        double by;
        int broken;
    } cases[] = {{0.02, 0}, {0.0223, 0}, {0.0226, 1}, {-0.02, 1}};
    double known[3 * ATOMS], positions[3 * ATOMS];
    stretch(0.02, known);
    for (int k = 0; k < 4; ++k) {
        stretch(cases[k].by, positions);
        cardo_broken_bounds list = look(known, positions);
        assert_int_equal(list.count[CARDO_BOUND_BOND], cases[k].broken);
        cardo_broken_bounds_clear(&list);
    }
    /* Atoms of which a conformation tells nothing widen nothing. */
    for (int k = 3 * N; k < 3 * N + 3; ++k)
        known[k] = NAN;
    cardo_broken_bounds list = look(known, planar);
    assert_int_equal(list.nbroken, 0);
    cardo_broken_bounds_clear(&list);
}

enum { SOUP = 1000 };

/* All pairs of a crowded box by the definition. */
static void approaches_are_those_of_all_pairs(void **test)
{
    (void)test;
    static const unsigned char kinds[] = {1, 6, 7, 8, 16};
    static double sigma[SOUP], positions[3 * SOUP], known[3 * SOUP];
    static unsigned char element[SOUP];
    static int bodies[SOUP];
    static cardo_bond_term chain[SOUP];
    uint64_t seed = 11;
    cardo_error error = {0};
    for (int i = 0; i < SOUP; ++i) {
        element[i] = kinds[(int)(2.5 * (1 + support_random(&seed)))];
        sigma[i] = 0.32 + 0.03 * support_random(&seed);
        bodies[i] = i % 4;
        for (int axis = 0; axis < 3; ++axis)
            known[3 * i + axis] = positions[3 * i + axis] = 0.9 * support_random(&seed);
        if (i % 3 == 0)
            for (int axis = 0; axis < 3; ++axis)
                known[3 * i + axis] += 0.05 * support_random(&seed);
    }
    for (int i = 0; i + 1 < SOUP; ++i)
        chain[i] = (cardo_bond_term){i, i + 1, 0.15, 1e5};
    const cardo_terms soup = {.natom = SOUP,
                              .has_nonbonded = true,
                              .number.sigma = sigma,
                              .nbond = SOUP - 1,
                              .list.bond = chain};
    int expected[2] = {0}, hydrogen_bonds = 0;
    double worst = 0;
    for (int a = 0; a < SOUP; ++a)
        for (int b = a + 4; b < SOUP; ++b) { /* three bonds are the next three of the chain */
            if (bodies[a] == bodies[b] || element[a] == 1 || element[b] == 1)
                continue;
            double r = 0, r0 = 0, contact = 0.5 * pow(2, 1 / 6.) * (sigma[a] + sigma[b]);
            for (int axis = 0; axis < 3; ++axis) {
                r += pow(positions[3 * a + axis] - positions[3 * b + axis], 2);
                r0 += pow(known[3 * a + axis] - known[3 * b + axis], 2);
            }
            r = sqrt(r);
            r0 = sqrt(r0);
            bool donor = false;
            for (int k = 0; k < 4; ++k) {
                const int end = k < 2 ? a : b, next = end + (k % 2 ? 1 : -1);
                donor |= next >= 0 && next < SOUP && element[next] == 1;
            }
            const bool shares = element[a] != 6 && element[b] != 6 && donor;
            const double part =
                b == a + 4 ? 0.7 : 0.8; /* four bonds apart: two torsions alone do it */
            const double least = part * (contact - (shares ? 0.05 : 0));
            const double known_least = r0 < least ? fmin(least, r0 - 0.01) : least;
            hydrogen_bonds += shares && r > least && r < part * contact;
            expected[0] += r < least;
            expected[1] += r < known_least;
            worst = r < least ? fmax(worst, least / r) : worst;
        }
    assert_true(hydrogen_bonds > 10 && expected[1] > 10 && expected[0] > 2 * expected[1]);
    for (int k = 0; k < 2; ++k) {
        const double *conformation = known;
        const cardo_approach_question question = {&soup, bodies, element, k, &conformation};
        cardo_approaches *approaches;
        cardo_broken_bounds list = {0};
        assert_ok(cardo_approaches_create(&question, &approaches, &error), &error);
        assert_ok(cardo_approaches_look(approaches, positions, &list, &error), &error);
        cardo_broken_bounds_sort(&list);
        assert_int_equal(list.count[CARDO_BOUND_CONTACT], expected[k]);
        assert_int_equal(list.nbroken, expected[k]);
        if (k == 0)
            assert_close(list.broken[0].beyond, worst, 1e-12 * worst);
        for (int j = 1; j < list.nbroken; ++j)
            assert_true(list.broken[j].beyond <= list.broken[j - 1].beyond);
        cardo_broken_bounds_clear(&list);
        cardo_approaches_destroy(approaches);
    }
}

/* Two carbons, of which 3.05 A are allowed, at 2.1 and at 1.9 A; a bond however far off is none. */
static void a_knot_is_a_contact_within_two_thirds(void **test)
{
    (void)test;
    cardo_error error;
    cardo_broken_bounds list = {0};
    const cardo_broken_bound bond = {.kind = CARDO_BOUND_BOND, .natom = 2, .beyond = 9},
                             near = {.kind = CARDO_BOUND_CONTACT,
                                     .natom = 2,
                                     .value = 0.21,
                                     .low = 0.305,
                                     .beyond = 0.305 / 0.21},
                             knot = {.kind = CARDO_BOUND_CONTACT,
                                     .natom = 2,
                                     .value = 0.19,
                                     .low = 0.305,
                                     .beyond = 0.305 / 0.19};
    assert_ok(cardo_broken_bounds_add(&list, &bond, &error), &error);
    assert_ok(cardo_broken_bounds_add(&list, &near, &error), &error);
    assert_null(cardo_broken_bounds_knot(&list));
    assert_ok(cardo_broken_bounds_add(&list, &knot, &error), &error);
    assert_close(cardo_broken_bounds_knot(&list)->value, 0.19, 0);
    cardo_broken_bounds_clear(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bond_has_four_deviations),
        cmocka_unit_test(an_omega_is_bounded_by_its_curvature),
        cmocka_unit_test(what_is_deposited_is_allowed),
        cmocka_unit_test(approaches_are_those_of_all_pairs),
        cmocka_unit_test(a_knot_is_a_contact_within_two_thirds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
