/* Compliant contacts against Simbody's and the formulas of the reference folder's README (tests/reference/multibody/contact.json.gz). */
#include "multibody/reference_json.h"
#include "support/reference.h"
#include "support/support.h"

#include "cardo/contact.h"
#include "cardo/fit.h"
#include "multibody/mobilizers/mobilizer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static json_t *files;

static int load(void **state)
{
    (void)state;
    files = support_json(support_source("tests/reference/multibody/contact.json.gz"));
    return files ? 0 : -1;
}

static int unload(void **state)
{
    (void)state;
    json_decref(files);
    return 0;
}

/* A surface of a file, and what its parameters point to. */
typedef struct given {
    cardo_contact_sphere sphere;
    cardo_contact_mesh mesh;
    double *vertices, *faces;
    int *corners;
} given;

static cardo_contact_surface read_surface(const json_t *object, given *g)
{
    const json_t *m = json_object_get(object, "material");
    const char *shape = json_string_value(json_object_get(object, "shape"));
    cardo_contact_surface out = {
        .body = (int)json_integer_value(json_object_get(object, "body")),
        .X_BS = reference_transform(json_object_get(object, "X_BS")),
        .shape = cardo_contact_shape_find(strcmp(shape, "half_space") == 0 ? "half-space" : shape),
        .material = {support_number(m, "stiffness"), support_number(m, "dissipation"),
                     support_number(m, "static_friction"), support_number(m, "dynamic_friction"),
                     support_number(m, "viscous_friction")},
        .thickness = support_number(object, "thickness"),
    };
    assert_non_null(out.shape);
    if (strcmp(shape, "sphere") == 0) {
        g->sphere.radius = support_number(object, "radius");
        out.parameters = &g->sphere;
    } else if (strcmp(shape, "mesh") == 0) {
        int nvertex, nface;
        g->vertices = reference_numbers(object, "vertices", &nvertex);
        g->faces = reference_numbers(object, "faces", &nface);
        g->corners = calloc((size_t)nface, sizeof *g->corners);
        for (int i = 0; i < nface; ++i)
            g->corners[i] = (int)g->faces[i];
        g->mesh = (cardo_contact_mesh){nvertex / 3, nface / 3, g->vertices, g->corners};
        out.parameters = &g->mesh;
    }
    return out;
}

static void compare(const char *name, const char *label, const char *what, const double *got,
                    const double *expected, int n, double tolerance)
{
    double worst = 0, scale = 0;
    for (int i = 0; i < n; ++i) {
        assert_false(isnan(got[i]));
        worst = fmax(worst, fabs(got[i] - expected[i]));
        scale = fmax(scale, fabs(expected[i]));
    }
    scale = scale > 1e-12 ? scale : 1;
    if (!(worst <= tolerance * scale))
        print_error("%s, %s: %s differs by %.3g of %.3g\n", name, label, what, worst, scale);
    assert_true(worst <= tolerance * scale);
}

static void compare_key(const char *name, const json_t *object, const char *label, const char *key,
                        const void *got, int n)
{
    int found;
    double *expected = reference_numbers(object, key, &found);
    double one;
    if (expected && found == 0 && json_is_number(json_object_get(object, key))) {
        one = support_number(object, key);
        compare(name, label, key, got, &one, 1, 1e-10);
    } else {
        assert_int_equal(found, n);
        compare(name, label, key, got, expected, n, 1e-10);
    }
    free(expected);
}

typedef struct reports {
    int count;
    cardo_contact_report last;
} reports;

static void note(void *user, const cardo_contact_report *report)
{
    reports *all = user;
    ++all->count;
    all->last = *report;
}

static void check_contact(const char *name, const char *label, const json_t *state,
                          const cardo_system *system, const cardo_state *realized)
{
    cardo_error error = {0};
    reports all = {0};
    const json_t *contacts = json_object_get(state, "contacts");
    assert_ok(cardo_contact_visit(system, realized, 0, note, &all, &error), &error);
    assert_int_equal(all.count, (int)json_array_size(contacts));
    if (all.count == 0)
        return;
    const json_t *c = json_array_get(contacts, 0);
    const double force[6] = {all.last.moment.x, all.last.moment.y, all.last.moment.z,
                             all.last.force.x,  all.last.force.y,  all.last.force.z};
    assert_int_equal(all.last.surface1, json_integer_value(json_object_get(c, "surface1")));
    compare_key(name, c, label, "contact_point_G", &all.last.point, 3);
    compare_key(name, c, label, "force_on_surface2_at_contact_point", force, 6);
    compare_key(name, c, label, "potential_energy", &all.last.potential_energy, 1);
    compare_key(name, c, label, "power_dissipation", &all.last.power_dissipation, 1);
    if (json_object_get(c, "depth")) {
        compare_key(name, c, label, "depth", &all.last.depth, 1);
        compare_key(name, c, label, "effective_radius", &all.last.effective_radius, 1);
    } else {
        assert_int_equal(all.last.nelement,
                         json_integer_value(json_object_get(c, "active_elements")));
    }
}

static void check_state(const char *name, const json_t *object, const cardo_system *system,
                        cardo_state *state, int nbody)
{
    const char *label = json_string_value(json_object_get(object, "label"));
    cardo_error error = {0};
    double q[14], u[12];
    cardo_spatial forces[3];
    const json_t *X = json_object_get(object, "X_GB"), *V = json_object_get(object, "V_GB");
    for (int k = 0; k < nbody; ++k) {
        const cardo_transform pose = reference_transform(json_array_get(X, (size_t)k));
        reference_flatten(json_array_get(V, (size_t)k), u + 6 * k, 6);
        const double(*R)[3] = pose.R.m;
        /* the quaternion's largest part first */
        const double four[4] = {1 + R[0][0] + R[1][1] + R[2][2], 1 + R[0][0] - R[1][1] - R[2][2],
                                1 - R[0][0] + R[1][1] - R[2][2], 1 - R[0][0] - R[1][1] + R[2][2]};
        int most = 0;
        for (int i = 1; i < 4; ++i)
            most = four[i] > four[most] ? i : most;
        const double a = 0.5 * sqrt(four[most]), s = 0.25 / a;
        const double wx = s * (R[2][1] - R[1][2]), wy = s * (R[0][2] - R[2][0]),
                     wz = s * (R[1][0] - R[0][1]), xy = s * (R[0][1] + R[1][0]),
                     xz = s * (R[0][2] + R[2][0]), yz = s * (R[1][2] + R[2][1]);
        const double by[4][4] = {
            {a, wx, wy, wz}, {wx, a, xy, xz}, {wy, xy, a, yz}, {wz, xz, yz, a}};
        memcpy(q + 7 * k, by[most], 4 * sizeof *q);
        v3_store(q + 7 * k + 4, pose.p);
    }
    cardo_state_set_q(state, q);
    cardo_state_set_u(state, u);
    assert_ok(cardo_realize(system, state, CARDO_STAGE_VELOCITY, &error), &error);
    double mobility[12];
    assert_ok(cardo_element_forces(system, state, forces, mobility, &error), &error);
    compare_key(name, object, label, "body_forces_at_origin_in_G", forces + 1, 6 * nbody);
    compare_key(name, object, label, "ground_force_at_origin", forces, 6);
    check_contact(name, label, object, system, state);
    double energy;
    assert_ok(cardo_potential_energy(system, state, NULL, &energy, &error), &error);
    if (strcmp(label, "yank_off") == 0)
        assert_true(energy > 0); /* Simbody's figure knows the velocities */
    else
        compare_key(name, object, label, "potential_energy", &energy, 1);
}

static void contacts_are_simbodys(void **unused)
{
    (void)unused;
    const char *name;
    json_t *file;
    int checked = 0;
    json_object_foreach(files, name, file)
    {
        cardo_error error = {0};
        cardo_system *system;
        cardo_state *state;
        given g[2] = {0};
        if (!json_object_get(file, "surfaces"))
            continue;
        const int nbody = (int)json_integer_value(json_object_get(file, "num_bodies"));
        assert_ok(cardo_system_create(&system, &error), &error);
        for (int k = 0; k < nbody; ++k) {
            const cardo_body_definition body = {.mobilizer = &cardo_mobilizer_free,
                                                .X_PF = cardo_transform_identity(),
                                                .X_BM = cardo_transform_identity(),
                                                .mass = {1, {0, 0, 0}, {1, 1, 1, 0, 0, 0}}};
            assert_ok(cardo_system_add_body(system, &body, NULL, &error), &error);
        }
        cardo_contact_surface surfaces[2];
        const json_t *listed = json_object_get(file, "surfaces");
        assert_int_equal(json_array_size(listed), 2);
        for (size_t i = 0; i < 2; ++i)
            surfaces[i] = read_surface(json_array_get(listed, i), &g[i]);
        const cardo_contact_parameters parameters = {
            2, surfaces, support_number(file, "transition_velocity"), false};
        assert_ok(cardo_system_add_force(system, cardo_force_element_find("contact"), &parameters,
                                         NULL, &error),
                  &error);
        assert_ok(cardo_system_finalize(system, &error), &error);
        assert_ok(cardo_state_create(system, &state, &error), &error);
        size_t i;
        json_t *sample;
        json_array_foreach(json_object_get(file, "states"), i, sample)
        {
            check_state(name, sample, system, state, nbody);
            ++checked;
        }
        cardo_state_destroy(state);
        cardo_system_destroy(system);
        for (int k = 0; k < 2; ++k) {
            free(g[k].vertices);
            free(g[k].faces);
            free(g[k].corners);
        }
    }
    assert_true(checked >= 50);
    print_message("%d states\n", checked);
}

static void ellipses_are_exact(void **unused)
{
    (void)unused;
    size_t i;
    json_t *row;
    double worst = 0, worst_antoine = 0;
    json_array_foreach(json_object_get(json_object_get(files, "hertz_elliptic_sigma"), "rows"), i,
                       row)
    {
        const double ratio = support_number(row, "B_over_A"), sigma = support_number(row, "sigma");
        const cardo_hertz_ellipse exact = cardo_hertz_ellipse_exact(0.7, 0.7 * ratio);
        const cardo_hertz_ellipse turned = cardo_hertz_ellipse_exact(3 * ratio, 3);
        const cardo_hertz_ellipse close = cardo_hertz_ellipse_antoine(0.7, 0.7 * ratio);
        worst = fmax(worst, fabs(exact.sigma / sigma - 1));
        worst = fmax(worst, fabs(turned.sigma / sigma - 1));
        worst = fmax(worst, fabs(exact.ratio / support_number(row, "a_over_b") - 1));
        worst_antoine = fmax(worst_antoine, fabs(close.sigma / sigma - 1));
    }
    print_message("sigma: %.1e exact, %.1e by Antoine\n", worst, worst_antoine);
    assert_true(worst <= 1e-12);
    assert_true(worst_antoine <= 3e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_are_simbodys),
        cmocka_unit_test(ellipses_are_exact),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
