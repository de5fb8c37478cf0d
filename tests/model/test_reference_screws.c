/* The geometry of domain motions against the reference table, from its transforms alone: the screw of a
 * rigid motion, and the poses along it and along the Euler path. What needs the structures is in
 * test_reference_domains. */
#include "support/reference.h"
#include "support/support.h"

#include "base/units.h"
#include "model/path_fit.h"

#include <math.h>

static double at(const json_t *array, size_t k)
{
    return json_number_value(json_array_get(array, k));
}

static double number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static cardo_vec3 vector(const json_t *array, double unit)
{
    assert_int_equal(json_array_size(array), 3);
    return v3_scale(unit, v3(at(array, 0), at(array, 1), at(array, 2)));
}

static cardo_transform transform(const json_t *object)
{
    cardo_transform X = {.p = vector(json_object_get(object, "t"), CARDO_ANGSTROM)};
    for (size_t i = 0; i < 3; ++i)
        for (size_t j = 0; j < 3; ++j)
            X.R.m[i][j] = at(json_array_get(json_object_get(object, "R"), i), j);
    return X;
}

/* The largest of the distances between the images of points around centre, 1 nm away, nm. */
static double separation(cardo_transform X, cardo_transform Y, cardo_vec3 centre)
{
    double worst = 0;
    for (int k = 0; k < 4; ++k) {
        cardo_vec3 p = v3_add(centre, v3(k == 1, k == 2, k == 3));
        worst = fmax(worst, v3_norm(v3_sub(xform_point(X, p), xform_point(Y, p))));
    }
    return worst;
}

/* Domains are within 10 nm of the origin, and figures have 17 digits. */
static const double exact = 1e-12, near_enough = 1e-11;

static void check_motion(const json_t *motion)
{
    const json_t *screw = json_object_get(motion, "screw"),
                 *paths = json_object_get(motion, "paths");
    const json_t *hinge = json_object_get(motion, "hinge_frame"), *row;
    const json_t *moved = json_object_get(motion, "mobile_open_to_closed"),
                 *mobile = json_object_get(motion, "mobile_centroid");
    const cardo_transform X = transform(moved);
    const cardo_vec3 open = vector(json_object_get(mobile, "open"), CARDO_ANGSTROM),
                     closed = vector(json_object_get(mobile, "closed"), CARDO_ANGSTROM),
                     stationary =
                         vector(json_object_get(motion, "stationary_centroid"), CARDO_ANGSTROM);
    const cardo_vec3 middle =
        v3_scale(0.5, v3_add(v3_scale(0.5, v3_add(open, closed)), stationary));
    cardo_screw_motion found = cardo_screw_from_transform(X, middle);
    assert_close(found.angle, number(screw, "angle_rad"), exact);
    assert_close(v3_norm(v3_sub(found.axis, vector(json_object_get(screw, "axis"), 1))), 0, exact);
    assert_close(found.translation, number(screw, "translation_along_axis") * CARDO_ANGSTROM,
                 near_enough);
    const cardo_vec3 point = vector(json_object_get(screw, "point_near_domains"), CARDO_ANGSTROM);
    assert_close(v3_norm(v3_sub(found.point, point)), 0, near_enough);

    size_t k;
    json_array_foreach(json_object_get(paths, "screw"), k, row) assert_close(
        separation(cardo_screw_transform(&found, number(row, "q")), transform(row), open), 0,
        near_enough);
    const cardo_vec3 angles = vector(json_object_get(moved, "euler_xyz_body_rad"), 1),
                     origin = vector(json_object_get(hinge, "origin"), CARDO_ANGSTROM),
                     shift =
                         vector(json_object_get(hinge, "displacement_of_origin"), CARDO_ANGSTROM);
    assert_close(separation(cardo_euler_transform(angles, origin, shift, 1), X, open), 0,
                 near_enough);
    json_array_foreach(json_object_get(paths, "euler_linear_about_hinge"), k, row)
        assert_close(separation(cardo_euler_transform(angles, origin, shift, number(row, "q")),
                                transform(row), open),
                     0, near_enough);
}

static void screws_are_those_of_the_table(void **unused)
{
    (void)unused;
    size_t k;
    json_t *motion,
        *table = support_json(support_source("tests/reference/domains/motions.json.gz"));
    assert_non_null(table);
    const json_t *motions = json_object_get(table, "motions");
    assert_true(json_array_size(motions) >= 10);
    json_array_foreach(motions, k, motion) check_motion(motion);
    print_message("%zu motions\n", json_array_size(motions));
    json_decref(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(screws_are_those_of_the_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
