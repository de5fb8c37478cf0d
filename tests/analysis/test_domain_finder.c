/* Domains found in made molecules: the right residues, the right motion, and none where there is
 * none. */
#include "analysis/domains/bending.h"
#include "analysis/domains/finder.h"
#include "base/memory.h"
#include "base/units.h"
#include "blob.h"
#include "structure/atoms/superpose.h"
#include "support/agreement.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

static cardo_error error;

static cardo_transform turn(double degrees, cardo_vec3 axis, cardo_vec3 point, double shift)
{
    axis = v3_unit(axis);
    cardo_mat33 R = m33_rotation(axis, degrees * CARDO_DEGREE);
    cardo_vec3 p = v3_sub(point, m33_mul_v3(R, point));
    return (cardo_transform){R, v3_add_scaled(p, shift, axis)};
}

static double angle_of(cardo_mat33 R)
{
    return acos(fmin(1, (R.m[0][0] + R.m[1][1] + R.m[2][2] - 1) / 2)) / CARDO_DEGREE;
}

static void find(const cardo_displacement *d, cardo_found_domains *found)
{
    cardo_domain_options options = cardo_domain_options_default();
    *found = (cardo_found_domains){0};
    assert_ok(cardo_domains_find(d, &options, found, &error), &error);
}

/* Are residues from first to last - 1 in the domain of the residue in their middle, but for slack at
 * both ends? */
static void check_range(const cardo_partition *partition, int first, int last, int slack)
{
    int middle = partition->domain[(first + last) / 2];
    for (int i = first + slack; i < last - slack; ++i)
        assert_int_equal(partition->domain[i], middle);
}

static void finds_two_domains(void **state)
{
    (void)state;
    const int end[2] = {110, 200};
    /* From small to beyond half a turn, where rotation vectors jump; with noise of 0.3 angstrom. */
    const double degrees[] = {12, 40, 100, 175};
    for (int k = 0; k < 4; ++k) {
        cardo_displacement d = {0};
        cardo_found_domains found;
        cardo_transform X[2] = {turn(33, v3(1, 2, 3), v3(5, 5, 5), 0.3), xform_identity()};
        X[1] = xform_mul(X[0], turn(degrees[k], v3(0, 1, 0.3), v3(1.3, 0, 0.5), 0.1));
        blob_displacement(&d, 2, end, X, 0.03, 7 + (uint64_t)k);
        find(&d, &found);
        assert_int_equal(found.best.ndomain, 2);
        assert_int_equal(found.best.size[0] >= found.best.size[1], 1);
        check_range(&found.best, 0, 110, 3);
        check_range(&found.best, 110, 200, 3);
        cardo_mat33 R = m33_mul(m33_transpose(found.best.X[found.best.domain[50]].R),
                                found.best.X[found.best.domain[150]].R);
        assert_close(angle_of(R), degrees[k], 1.0);
        assert_true(found.agreement > 0.95);
        assert_true(found.best.rms < 0.03 * sqrt(6) * 1.3);
        assert_true(cardo_partition_ratio(&d, &found.best, 0, 1) > 2.5);
        cardo_found_domains_clear(&found);
        cardo_displacement_clear(&d);
    }
}

static void finds_a_domain_of_two_segments(void **state)
{
    (void)state;
    /* The chain runs through the first domain, the second, and the first again: blobs one and three
     * are one body. */
    const int end[3] = {70, 150, 210};
    cardo_displacement d = {0};
    cardo_found_domains found;
    cardo_transform X[3] = {xform_identity(), turn(45, v3(0, 0, 1), v3(1.3, 0.8, 0), 0),
                            xform_identity()};
    blob_displacement(&d, 3, end, X, 0.03, 3);
    find(&d, &found);
    assert_int_equal(found.best.ndomain, 2);
    assert_int_equal(found.best.domain[30], found.best.domain[180]);
    assert_int_not_equal(found.best.domain[30], found.best.domain[110]);
    check_range(&found.best, 0, 70, 3);
    check_range(&found.best, 70, 150, 3);
    check_range(&found.best, 150, 210, 3);
    cardo_found_domains_clear(&found);
    cardo_displacement_clear(&d);
}

static void finds_as_many_as_there_are(void **state)
{
    (void)state;
    const int end[4] = {90, 170, 240, 300};
    cardo_displacement d = {0};
    cardo_found_domains found;
    cardo_transform X[4] = {xform_identity(), turn(25, v3(0, 1, 0), v3(1.3, 0, 0), 0),
                            turn(-50, v3(0, 0.2, 1), v3(3.9, 0, 0), 0),
                            turn(70, v3(0.5, 1, 0), v3(6.5, 0, 0), 0)};
    blob_displacement(&d, 4, end, X, 0.03, 11);
    find(&d, &found);
    assert_int_equal(found.best.ndomain, 4);
    for (int k = 0; k < 4; ++k)
        check_range(&found.best, k ? end[k - 1] : 0, end[k], 3);
    cardo_found_domains_clear(&found);
    cardo_displacement_clear(&d);
}

static void tells_bodies_that_turn_alike_apart(void **state)
{
    (void)state;
    /* The second and the fourth turn by one rotation about two axes, the third is only shifted: rotations
     * alone cannot tell it from the first, nor the second from the fourth. */
    const int end[4] = {90, 170, 240, 310};
    cardo_displacement d = {0};
    cardo_found_domains found;
    cardo_transform X[4] = {xform_identity(),
                            turn(50, v3(0, 1, 0), v3(1.3, 0, 0), 0),
                            {m33_identity(), {0, 0, 2.5}},
                            turn(50, v3(0, 1, 0), v3(9, 0, 3), 0)};
    blob_displacement(&d, 4, end, X, 0.03, 13);
    find(&d, &found);
    for (int k = 0; k < CARDO_DOMAIN_METHODS; ++k)
        assert_int_equal(found.by_method[k].ndomain, 4);
    assert_int_equal(found.best.ndomain, 4);
    for (int k = 0; k < 4; ++k)
        check_range(&found.best, k ? end[k - 1] : 0, end[k], 3);
    cardo_found_domains_clear(&found);
    cardo_displacement_clear(&d);
}

static void finds_none_in_noise(void **state)
{
    (void)state;
    const int end[1] = {250};
    const double noise[] = {0, 0.01, 0.05, 0.2};
    for (int k = 0; k < 4; ++k) {
        cardo_displacement d = {0};
        cardo_found_domains found;
        cardo_transform X = turn(77, v3(3, -1, 2), v3(1, 2, 3), 4);
        blob_displacement(&d, 1, end, &X, noise[k], 5 + (uint64_t)k);
        find(&d, &found);
        assert_int_equal(found.best.ndomain, 1);
        assert_int_equal(found.by_method[0].ndomain, 1);
        assert_int_equal(found.by_method[1].ndomain, 1);
        assert_close(found.rms_before, noise[k] * sqrt(6), 0.1 * noise[k] * sqrt(6) + 1e-6);
        cardo_found_domains_clear(&found);
        cardo_displacement_clear(&d);
    }
}

static void leaves_loops_to_their_domain(void **state)
{
    (void)state;
    /* Twelve residues in the middle flap by a nanometre: less than a domain. */
    const int end[1] = {200};
    cardo_displacement d = {0};
    cardo_found_domains found;
    cardo_transform X = xform_identity(), flap = turn(60, v3(1, 0, 0), v3(0, 1.5, 1.5), 0.2);
    blob_displacement(&d, 1, end, &X, 0.03, 21);
    for (int i = 90; i < 102; ++i) {
        v3_store(d.b + 3 * i, xform_point(flap, v3_load(d.b + 3 * i)));
        for (int k = 0; k < 3; ++k)
            v3_store(d.b_backbone + 9 * i + 3 * k, v3_load(d.b + 3 * i));
    }
    find(&d, &found);
    assert_int_equal(found.best.ndomain, 1);
    cardo_found_domains_clear(&found);

    /* It is one when domains may be as small. */
    cardo_domain_options options = cardo_domain_options_default();
    options.smallest = 8;
    options.correlation = 4;
    assert_ok(cardo_domains_find(&d, &options, &found, &error), &error);
    assert_int_equal(found.best.ndomain, 2);
    assert_int_equal(found.best.domain[96], 1);
    cardo_found_domains_clear(&found);
    cardo_displacement_clear(&d);
}

static void bends_at_the_boundary(void **state)
{
    (void)state;
    const int end[2] = {110, 200};
    cardo_displacement d = {0};
    cardo_found_domains found;
    bool bending[200];
    cardo_transform X[2] = {xform_identity(), turn(40, v3(0, 1, 0), v3(1.3, 0, 0), 0)};
    cardo_domain_options options = cardo_domain_options_default();
    blob_displacement(&d, 2, end, X, 0.01, 9);
    find(&d, &found);
    assert_ok(cardo_domains_bending(&d, &options, &found.best, bending, &error), &error);
    for (int i = 0; i < 199; ++i)
        if (found.best.domain[i] != found.best.domain[i + 1])
            assert_true(bending[i] && bending[i + 1]);
    for (int i = 0; i < 200; ++i)
        assert_true(!bending[i] || abs(i - 110) <= 10);
    cardo_found_domains_clear(&found);
    cardo_displacement_clear(&d);
}

static void does_not_care_for_the_frame(void **state)
{
    (void)state;
    const int end[2] = {100, 180};
    cardo_displacement d = {0};
    cardo_found_domains first, second;
    cardo_transform X[2] = {xform_identity(), turn(30, v3(0, 1, 1), v3(1.3, 0, 0), 0)};
    cardo_transform Y = turn(123, v3(1, -2, 0.5), v3(9, 8, 7), 5);
    blob_displacement(&d, 2, end, X, 0.03, 31);
    find(&d, &first);
    for (int i = 0; i < 180; ++i) {
        v3_store(d.b + 3 * i, xform_point(Y, v3_load(d.b + 3 * i)));
        for (int k = 0; k < 3; ++k)
            v3_store(d.b_backbone + 9 * i + 3 * k,
                     xform_point(Y, v3_load(d.b_backbone + 9 * i + 3 * k)));
    }
    find(&d, &second);
    assert_memory_equal(first.best.domain, second.best.domain, 180 * sizeof(int));
    assert_close(first.best.rms, second.best.rms, 1e-9);
    cardo_found_domains_clear(&first);
    cardo_found_domains_clear(&second);
    cardo_displacement_clear(&d);
}

static void compares_divisions(void **state)
{
    (void)state;
    const int one[10] = {0, 0, 0, 0, 1, 1, 1, 1, -1, 0},
              other[10] = {1, 1, 1, 0, 0, 0, 0, 2, 0, -1};
    assert_close(agreement_of(10, one, other), 6.0 / 8, 1e-15);
    assert_close(agreement_of(10, one, one), 1, 0);
    assert_close(agreement_of(0, one, one), 1, 0);
}

static void refuses_what_is_no_molecule(void **state)
{
    (void)state;
    cardo_domain_options options = cardo_domain_options_default();
    cardo_found_domains found = {0};
    cardo_displacement d = {0};
    assert_ok(cardo_displacement_allocate(&d, 4, &error), &error);
    assert_fails(cardo_domains_find(&d, &options, &found, &error), &error, CARDO_ERROR_INPUT,
                 "too few");
    cardo_found_domains_clear(&found);
    cardo_displacement_clear(&d);
    assert_ok(cardo_displacement_allocate(&d, 40, &error), &error);
    for (int i = 0; i < 40; ++i)
        d.a[3 * i] = d.b[3 * i] = 0.38 * i;
    assert_fails(cardo_domains_find(&d, &options, &found, &error), &error, CARDO_ERROR_INPUT,
                 "on a line");
    cardo_found_domains_clear(&found);
    cardo_displacement_clear(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_two_domains),
        cmocka_unit_test(finds_a_domain_of_two_segments),
        cmocka_unit_test(finds_as_many_as_there_are),
        cmocka_unit_test(tells_bodies_that_turn_alike_apart),
        cmocka_unit_test(finds_none_in_noise),
        cmocka_unit_test(leaves_loops_to_their_domain),
        cmocka_unit_test(bends_at_the_boundary),
        cmocka_unit_test(does_not_care_for_the_frame),
        cmocka_unit_test(compares_divisions),
        cmocka_unit_test(refuses_what_is_no_molecule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
