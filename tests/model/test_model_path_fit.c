/* Screws and fits of made-up motions, where the answer is known. */
#include "model/path_fit.h"

#include "base/memory.h"
#include "base/units.h"
#include "structure/pdb/pdb.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

static cardo_vec3 random_vector(uint64_t *seed)
{
    double x = support_random(seed), y = support_random(seed), z = support_random(seed);
    return v3(x, y, z);
}

/* A screw through a transform and back, for angles from tiny to half a turn. */
static void screws_survive_the_transform(void **state)
{
    (void)state;
    uint64_t seed = 7;
    const double angles[] = {1e-6, 1e-3, 0.1, 1, 2, 3, 3.1415, 3.14159265};
    for (int k = 0; k < 200; ++k) {
        cardo_screw_motion made = {angles[k % 8], v3_unit(random_vector(&seed)),
                                   random_vector(&seed), support_random(&seed)};
        cardo_vec3 near = random_vector(&seed);
        cardo_screw_motion found =
            cardo_screw_from_transform(cardo_screw_transform(&made, 1.0), near);
        double tolerance = 1e-13 / fmin(1.0, made.angle);
        assert_close(found.angle, made.angle, 1e-12);
        assert_close(v3_norm(v3_cross(found.axis, made.axis)), 0, 1e-8);
        assert_true(v3_dot(found.axis, made.axis) > 0);
        assert_close(found.translation, made.translation, 1e-8);
        /* The point lies on the axis, and the way to it from near is across the axis. */
        cardo_vec3 off = v3_sub(found.point, made.point);
        assert_close(v3_norm(v3_cross(off, made.axis)), 0, 1e3 * tolerance);
        assert_close(v3_dot(v3_sub(found.point, near), found.axis), 0, 1e-12);
    }
}

static void a_shift_is_a_screw_without_a_turn(void **state)
{
    (void)state;
    cardo_transform X = {m33_identity(), {0, -2, 0}};
    cardo_screw_motion screw = cardo_screw_from_transform(X, v3(1, 2, 3));
    assert_close(screw.angle, 0, 0);
    assert_close(screw.axis.y, -1, 0);
    assert_close(screw.translation, 2, 0);
    assert_close(v3_norm(v3_sub(screw.point, v3(1, 2, 3))), 0, 0);
    screw = cardo_screw_from_transform(xform_identity(), v3(1, 2, 3));
    assert_close(screw.translation, 0, 0);
    assert_close(v3_norm(screw.axis), 1, 0);
}

/* Two domains of 20 C-alpha each and 2 hinge residues, the second domain moved by X. */
static cardo_structure *two_domains(const char *name, cardo_transform whole, cardo_transform mobile)
{
    char text[42 * 81 + 1] = "", *to = text;
    uint64_t seed = 3;
    for (int r = 0; r < 42; ++r) {
        cardo_vec3 p = v3_scale(2.0, random_vector(&seed));
        if (r >= 22)
            p = xform_point(mobile, p);
        p = xform_point(whole, p);
        to += sprintf(to, "ATOM  %5d  CA  ALA A%4d    %8.3f%8.3f%8.3f  1.00  0.00           C  \n",
                      r + 1, r + 1, p.x * 10, p.y * 10, p.z * 10);
    }
    cardo_error error = {0};
    cardo_structure *structure;
    assert_ok(cardo_pdb_parse(text, strlen(text), name, 0, &structure, &error), &error);
    return structure;
}

static void a_known_motion_is_found(void **state)
{
    (void)state;
    cardo_error error = {0};
    cardo_screw_motion screw = {0.8, v3_unit(v3(1, 2, -1)), v3(0.3, 0, 0.2), 0.25};
    cardo_transform motion = cardo_screw_transform(&screw, 1.0);
    cardo_transform whole = {m33_rotation(v3_unit(v3(3, 1, 1)), 2.0), {1, 2, 3}};
    cardo_structure *open = two_domains("open", xform_identity(), xform_identity());
    cardo_structure *closed = two_domains("closed", whole, motion);
    bool stationary[42], mobile[42], hinge[42];
    int match[42];
    for (int r = 0; r < 42; ++r) {
        match[r] = r;
        stationary[r] = r < 20;
        hinge[r] = r >= 20 && r < 22;
        mobile[r] = r >= 22;
    }
    match[3] = match[30] = -1; /* as if absent in the closed structure */
    cardo_path_target target = {closed, match};
    cardo_path_fit *fit;
    assert_ok(
        cardo_path_fit_create(open, NULL, 1, &target, stationary, mobile, hinge, &fit, &error),
        &error);
    /* Coordinates are rounded to 1e-4 nm in the file. */
    assert_int_equal(fit->nstationary, 19);
    assert_int_equal(fit->nmobile, 19);
    assert_int_equal(fit->nhinge, 2);
    assert_close(fit->angle, 0.8, 2e-4);
    assert_close(fit->translation, 0.25, 2e-4);
    assert_close(v3_norm(v3_sub(fit->axis, screw.axis)), 0, 2e-4);
    assert_true(fit->rmsd_mobile[1] < 1e-4 && fit->rmsd_stationary[1] < 1e-4);
    assert_true(fit->rmsd_before > 0.1);

    /* Both paths begin at rest and end at the motion. */
    for (int k = 0; k < 2; ++k) {
        cardo_transform X = k ? fit->motion[1] : xform_identity();
        cardo_transform ways[2] = {cardo_path_fit_screw(fit, k), cardo_path_fit_euler(fit, k)};
        for (int w = 0; w < 2; ++w)
            for (int r = 0; r < 42; ++r) {
                cardo_vec3 p = v3_load(open->position + 3 * r);
                assert_close(v3_norm(v3_sub(xform_point(X, p), xform_point(ways[w], p))), 0, 1e-12);
            }
    }
    cardo_path_fit_destroy(fit);

    /* Two C-alpha do not fix a domain. */
    for (int r = 24; r < 42; ++r)
        mobile[r] = false;
    assert_fails(
        cardo_path_fit_create(open, NULL, 1, &target, stationary, mobile, hinge, &fit, &error),
        &error, CARDO_ERROR_INPUT, "closed: only 2 C-alpha of the mobile domain");
    assert_null(fit);
    cardo_structure_destroy(open);
    cardo_structure_destroy(closed);
}

/* A reference that was made of the open structure, laid elsewhere and with its mobile domain in another place: the motion is still
 * that of the open structure, seen from the stationary domain. */
static void a_motion_begins_in_another_structure(void **state)
{
    (void)state;
    cardo_error error = {0};
    const cardo_screw_motion screw = {0.8, v3_unit(v3(1, 2, -1)), v3(0.3, 0, 0.2), 0.25},
                             aside = {0.4, v3_unit(v3(-1, 1, 2)), v3(0.1, 0.7, 0), -0.1};
    const cardo_transform motion = cardo_screw_transform(&screw, 1.0),
                          whole = {m33_rotation(v3_unit(v3(3, 1, 1)), 2.0), {1, 2, 3}},
                          laid = {m33_rotation(v3_unit(v3(0, 1, 4)), 1.0), {-2, 0, 1}};
    cardo_structure *open = two_domains("open", xform_identity(), xform_identity());
    cardo_structure *closed = two_domains("closed", whole, motion);
    cardo_structure *made = two_domains("made", laid, cardo_screw_transform(&aside, 1.0));
    bool stationary[42], mobile[42];
    int match[42];
    cardo_vec3 centre = v3(0, 0, 0);
    for (int r = 0; r < 42; ++r) {
        match[r] = r;
        stationary[r] = r < 20;
        mobile[r] = r >= 22;
        if (mobile[r] && r != 30)
            centre = v3_add_scaled(centre, 1.0 / 19, v3_load(open->position + 3 * r));
    }
    match[3] = match[30] = -1;
    const cardo_path_target from = {open, match}, target = {closed, match};
    cardo_path_fit *fit, *own;
    assert_ok(
        cardo_path_fit_create(made, &from, 1, &target, stationary, mobile, NULL, &fit, &error),
        &error);
    assert_ok(cardo_path_fit_create(made, NULL, 1, &target, stationary, mobile, NULL, &own, &error),
              &error);
    assert_close(fit->angle, 0.8, 2e-4);
    assert_close(fit->translation, 0.25, 2e-4);
    assert_close(v3_norm(v3_sub(fit->axis, m33_mul_v3(laid.R, screw.axis))), 0, 2e-4);
    assert_close(v3_norm(v3_sub(fit->centre, xform_point(laid, centre))), 0, 5e-4);
    /* Its places are those of the open structure's motion, as it lies on the reference. */
    for (int r = 22; r < 42; ++r) {
        const cardo_vec3 p = v3_load(open->position + 3 * r);
        const cardo_vec3 there = xform_point(laid, xform_point(motion, p));
        assert_close(v3_norm(v3_sub(xform_point(fit->motion[1], xform_point(laid, p)), there)), 0,
                     5e-4);
    }
    /* Which is no motion from where the reference has the domain. */
    assert_true(fabs(own->angle - 0.8) > 0.01);
    cardo_path_fit_destroy(fit);
    cardo_path_fit_destroy(own);
    cardo_structure_destroy(open);
    cardo_structure_destroy(closed);
    cardo_structure_destroy(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(screws_survive_the_transform),
        cmocka_unit_test(a_shift_is_a_screw_without_a_turn),
        cmocka_unit_test(a_known_motion_is_found),
        cmocka_unit_test(a_motion_begins_in_another_structure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
