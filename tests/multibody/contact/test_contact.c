/* Compliant contact against closed forms, the gradient of its energy, and all pairs tried one by one. */
#include "support/support.h"

#include "cardo/contact.h"
#include "cardo/operators.h"
#include "multibody/contact/broad_phase.h"
#include "multibody/contact/mesh_nearest.h"
#include "multibody/mobilizers/mobilizer.h"

#include "base/memory.h"
#include "base/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed = 7;

static double uniform(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) * 0x1p-53;
}

static double signed_uniform(void)
{
    return 2 * uniform() - 1;
}

/* ------------ systems ------------ */

enum { BODIES = 2, NQ = 7 * BODIES, NU = 6 * BODIES };

/* A sphere of latitudes and longitudes; the caller frees both arrays. */
static cardo_contact_mesh sphere_mesh(int rings, int columns, double radius)
{
    const double pi = acos(-1);
    cardo_contact_mesh mesh = {.nvertex = 2 + (rings - 1) * columns,
                               .nface = 2 * columns * (rings - 1)};
    double *x = calloc((size_t)(3 * mesh.nvertex), sizeof *x);
    int *faces = calloc((size_t)(3 * mesh.nface), sizeof *faces), n = 0;
    x[2] = radius;
    x[5] = -radius;
    for (int i = 1; i < rings; ++i)
        for (int j = 0; j < columns; ++j) {
            const double a = pi * i / rings, b = 2 * pi * j / columns;
            double *at = x + 3 * (2 + (i - 1) * columns + j);
            at[0] = radius * sin(a) * cos(b);
            at[1] = radius * sin(a) * sin(b);
            at[2] = radius * cos(a);
        }
    for (int i = 0; i < rings; ++i)
        for (int j = 0; j < columns; ++j) {
            const int k = (j + 1) % columns;
            const int a = 2 + (i - 1) * columns + j, b = 2 + (i - 1) * columns + k;
            const int c = 2 + i * columns + j, d = 2 + i * columns + k;
            const int up[3] = {i == 0 ? 0 : a, c, d}, down[3] = {a, i == rings - 1 ? 1 : d, b};
            if (i < rings - 1) {
                memcpy(faces + 3 * n++, up, sizeof up);
            }
            if (i > 0) {
                memcpy(faces + 3 * n++, down, sizeof down);
            }
        }
    assert_int_equal(n, mesh.nface);
    mesh.vertices = x;
    mesh.faces = faces;
    return mesh;
}

static void free_mesh(cardo_contact_mesh *mesh)
{
    union {
        const void *from;
        void *to;
    } vertices = {mesh->vertices}, faces = {mesh->faces};
    free(vertices.to);
    free(faces.to);
}

/* Two free bodies; surfaces are on ground and on them. */
static cardo_status make(int nsurface, const cardo_contact_surface *surfaces, cardo_system **system,
                         cardo_error *error)
{
    cardo_status status;
    const cardo_contact_parameters parameters = {nsurface, surfaces, 0.01, false};
    assert_ok(cardo_system_create(system, error), error);
    for (int k = 0; k < BODIES; ++k) {
        const cardo_body_definition body = {.mobilizer = &cardo_mobilizer_free,
                                            .X_PF = cardo_transform_identity(),
                                            .X_BM = cardo_transform_identity(),
                                            .mass = {1.5, {0, 0, 0}, {1, 1.2, 0.9, 0, 0, 0}}};
        assert_ok(cardo_system_add_body(*system, &body, NULL, error), error);
    }
    status = cardo_system_add_force(*system, cardo_force_element_find("contact"), &parameters, NULL,
                                    error);
    if (status == CARDO_OK)
        status = cardo_system_finalize(*system, error);
    return status;
}

static cardo_transform anywhere(double size)
{
    cardo_transform X =
        cardo_transform_turn(v3(signed_uniform(), signed_uniform(), signed_uniform()),
                             3 * signed_uniform(), v3(0, 0, 0));
    X.p = v3(size * signed_uniform(), size * signed_uniform(), size * signed_uniform());
    return X;
}

static const cardo_contact_sphere ball = {0.5};
static const cardo_contact_ellipsoid egg = {{0.3, 0.5, 0.7}}, round_egg = {{0.5, 0.5, 0.5}};
static const cardo_contact_box box = {{0.4, 0.5, 0.3}, 0.05, 1};

static cardo_contact_surface surface(int body, const char *shape, const void *parameters)
{
    return (cardo_contact_surface){
        .body = body,
        .X_BS = cardo_transform_identity(),
        .shape = cardo_contact_shape_find(shape),
        .parameters = parameters,
        .material = {body == 1 ? 1000.0 : 3000.0, 0.2 * body, 0.8, 0.5, 0.1 * body},
        .thickness = strcmp(shape, "mesh") == 0 ? 0.2 : 0,
    };
}

static double energy_at(const cardo_system *system, cardo_state *state)
{
    cardo_error error = {0};
    double energy;
    assert_ok(cardo_realize(system, state, CARDO_STAGE_POSITION, &error), &error);
    assert_ok(cardo_potential_energy(system, state, NULL, &energy, &error), &error);
    return energy;
}

static void set_near(const cardo_system *system, cardo_state *state, double near, double speed)
{
    double q[NQ], u[NU];
    for (int k = 0; k < BODIES; ++k) {
        double norm = 0;
        for (int i = 0; i < 4; ++i) {
            q[7 * k + i] = signed_uniform();
            norm += q[7 * k + i] * q[7 * k + i];
        }
        for (int i = 0; i < 4; ++i)
            q[7 * k + i] /= sqrt(norm);
        for (int i = 4; i < 7; ++i)
            q[7 * k + i] = near * signed_uniform();
    }
    for (int i = 0; i < NU; ++i)
        u[i] = speed * signed_uniform();
    cardo_state_set_q(state, q);
    cardo_state_set_u(state, u);
    (void)system;
}

/* Power of the forces is -dE/dt where nothing dissipates, and forces and torques balance whatever acts. */
static void check_pair(const cardo_contact_surface *first, const cardo_contact_surface *second,
                       bool gradient)
{
    cardo_error error = {0};
    cardo_system *system;
    cardo_state *state, *ahead;
    cardo_contact_surface surfaces[2] = {*first, *second};
    int touching = 0, tries = 0;
    for (int smooth = 0; smooth < 2; ++smooth) {
        if (smooth)
            for (int k = 0; k < 2; ++k) {
                surfaces[k].material = (cardo_contact_material){1000 + 500 * k, 0, 0, 0, 0};
                surfaces[k].X_BS = anywhere(0.2);
            }
        assert_ok(make(2, surfaces, &system, &error), &error);
        assert_ok(cardo_state_create(system, &state, &error), &error);
        assert_ok(cardo_state_create(system, &ahead, &error), &error);
        for (touching = 0, tries = 0; touching < 20 && tries < 4000; ++tries) {
            cardo_spatial forces[1 + BODIES], sum = {{0, 0, 0}, {0, 0, 0}};
            double mobility[NU], q[NQ], power = 0, size = 0, after[2];
            set_near(system, state, 0.6, 0.3);
            if (energy_at(system, state) == 0)
                continue;
            ++touching;
            assert_ok(cardo_realize(system, state, CARDO_STAGE_VELOCITY, &error), &error);
            assert_ok(cardo_element_forces(system, state, forces, mobility, &error), &error);
            for (int k = 0; k <= BODIES; ++k) {
                const cardo_vec3 p = cardo_state_X_GB(state)[k].p;
                sum.linear = v3_add(sum.linear, forces[k].linear);
                sum.angular = v3_add(sum.angular, forces[k].angular);
                sum.angular = v3_add(sum.angular, v3_cross(p, forces[k].linear));
                size = fmax(size, v3_norm(forces[k].linear));
                power += v3_dot(forces[k].linear, cardo_state_V_GB(state)[k].linear) +
                         v3_dot(forces[k].angular, cardo_state_V_GB(state)[k].angular);
            }
            assert_true(v3_norm(sum.linear) <= 1e-13 * (1 + size));
            assert_true(v3_norm(sum.angular) <= 1e-12 * (1 + size));
            if (!smooth || !gradient)
                continue;
            const double h = 1e-6;
            for (int side = 0; side < 2; ++side) {
                for (int i = 0; i < NQ; ++i)
                    q[i] = cardo_state_q(state)[i] + (side ? h : -h) * cardo_state_qdot(state)[i];
                cardo_state_set_q(ahead, q);
                after[side] = energy_at(system, ahead);
            }
            const double rate = (after[1] - after[0]) / (2 * h);
            if (!(fabs(power + rate) <= 2e-6 * (fabs(power) + size)))
                print_error("%s and %s: power %.9g, -dE/dt %.9g\n",
                            cardo_contact_shape_name(first->shape),
                            cardo_contact_shape_name(second->shape), power, -rate);
            assert_true(fabs(power + rate) <= 2e-6 * (fabs(power) + size));
        }
        assert_int_equal(touching, 20);
        cardo_state_destroy(ahead);
        cardo_state_destroy(state);
        cardo_system_destroy(system);
    }
}

static void forces_are_gradients_and_balance(void **unused)
{
    (void)unused;
    cardo_contact_mesh mesh = sphere_mesh(12, 16, 0.5), coarse = sphere_mesh(5, 7, 0.4);
    const cardo_contact_surface first[] = {
        surface(0, "half-space", NULL), surface(1, "sphere", &ball), surface(1, "ellipsoid", &egg),
        surface(1, "box", &box), surface(1, "mesh", &mesh)};
    const cardo_contact_surface second[] = {surface(2, "sphere", &ball),
                                            surface(2, "ellipsoid", &egg), surface(2, "box", &box),
                                            surface(2, "mesh", &coarse)};
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 4; ++j) {
            const char *a = cardo_contact_shape_name(first[i].shape),
                       *b = cardo_contact_shape_name(second[j].shape);
            const bool eggs = strcmp(a, "ellipsoid") == 0 || strcmp(b, "ellipsoid") == 0;
            const bool boxes = strcmp(a, "box") == 0 || strcmp(b, "box") == 0;
            const bool meshes = strcmp(a, "mesh") == 0 || strcmp(b, "mesh") == 0;
            if (eggs && boxes) {
                cardo_error error = {0};
                cardo_system *system;
                const cardo_contact_surface both[2] = {first[i], second[j]};
                assert_fails(make(2, both, &system, &error), &error, CARDO_ERROR_UNSUPPORTED,
                             "no law of contact");
                cardo_system_destroy(system);
                continue;
            }
            /* Hertz's ellipse turns with the bodies, and its energy with it */
            check_pair(&first[i], &second[j], meshes || !eggs);
        }
    free_mesh(&mesh);
    free_mesh(&coarse);
}

/* ------------ ellipsoids ------------ */

static void note(void *user, const cardo_contact_report *report)
{
    *(cardo_contact_report *)user = *report;
}

static double support_of(cardo_vec3 n, const cardo_transform *X, cardo_vec3 r)
{
    const cardo_vec3 a = m33_tmul_v3(X->R, n);
    return sqrt(a.x * a.x * r.x * r.x + a.y * a.y * r.y * r.y + a.z * a.z * r.z * r.z);
}

static double gap_along(const cardo_state *state, cardo_vec3 n)
{
    const cardo_transform *X = cardo_state_X_GB(state);
    return v3_dot(n, v3_sub(X[2].p, X[1].p)) - support_of(n, &X[1], egg.radii) -
           support_of(n, &X[2], egg.radii);
}

static void ellipsoids_meet_where_they_are_nearest(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_system *system;
    cardo_state *state;
    const cardo_contact_surface eggs[2] = {surface(1, "ellipsoid", &egg),
                                           surface(2, "ellipsoid", &egg)};
    int touching = 0;
    assert_ok(make(2, eggs, &system, &error), &error);
    assert_ok(cardo_state_create(system, &state, &error), &error);
    while (touching < 100) {
        cardo_contact_report found = {0};
        set_near(system, state, 0.7, 0);
        assert_ok(cardo_realize(system, state, CARDO_STAGE_VELOCITY, &error), &error);
        assert_ok(cardo_contact_visit(system, state, 0, note, &found, &error), &error);
        if (found.depth == 0 || found.depth > 0.1)
            continue;
        ++touching;
        assert_close(gap_along(state, found.normal), -found.depth, 1e-14);
        /* no direction near by, and none anywhere among many, has a wider gap */
        for (int k = 0; k < 2000; ++k) {
            const double wide = k < 1000 ? 1e-4 * pow(10, 3 * uniform()) : 10;
            const cardo_vec3 n = v3_unit(v3_add_scaled(
                found.normal, wide, v3(signed_uniform(), signed_uniform(), signed_uniform())));
            assert_true(gap_along(state, n) <= -found.depth + 1e-13);
        }
    }
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

/* Its shortest axis up, an ellipsoid has the radii of curvature a^2/c and b^2/c at the top; one of equal radii is a sphere. */
static void curvatures_are_known(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_system *system;
    cardo_state *state;
    const double q[NQ] = {1, 0, 0, 0, 0.29, 0, 0, 1, 0, 0, 0, 9, 9, 9};
    double force[2];
    cardo_contact_report found = {0};
    cardo_contact_surface on[2] = {surface(0, "half-space", NULL), surface(1, "ellipsoid", &egg)};
    on[0].X_BS = cardo_transform_turn(v3(0, 0, 1), acos(-1), v3(0, 0, 0)); /* fills x < 0 */
    assert_ok(make(2, on, &system, &error), &error);
    assert_ok(cardo_state_create(system, &state, &error), &error);
    cardo_state_set_q(state, q);
    assert_ok(cardo_realize(system, state, CARDO_STAGE_VELOCITY, &error), &error);
    assert_ok(cardo_contact_visit(system, state, 0, note, &found, &error), &error);
    const double r1 = 0.25 / 0.3, r2 = 0.49 / 0.3;
    const double sigma = cardo_hertz_ellipse_exact(0.5 / r1, 0.5 / r2).sigma;
    const double k = cardo_contact_combine_hertz(&on[0].material, &on[1].material).stiffness;
    assert_close(found.depth, 0.01, 1e-15);
    assert_close(found.effective_radius, sqrt(r1 * r2), 1e-14);
    assert_close(found.force.x, 4.0 / 3 * sigma * k * 0.01 * sqrt(sqrt(r1 * r2) * k * 0.01), 1e-12);
    assert_close(found.normal.x, 1, 1e-15);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
    const double near[NQ] = {1, 0, 0, 0, 0, 0, 0, 0.6, 0.8, 0, 0, 0.5, 0.6, 0.55};
    for (int round = 0; round < 2; ++round) {
        cardo_contact_surface two[2] = {surface(1, "sphere", &ball), surface(2, "sphere", &ball)};
        if (round)
            two[1] = surface(2, "ellipsoid", &round_egg);
        assert_ok(make(2, two, &system, &error), &error);
        assert_ok(cardo_state_create(system, &state, &error), &error);
        cardo_state_set_q(state, near);
        assert_ok(cardo_realize(system, state, CARDO_STAGE_VELOCITY, &error), &error);
        assert_ok(cardo_contact_visit(system, state, 0, note, &found, &error), &error);
        force[round] = v3_norm(found.force);
        cardo_state_destroy(state);
        cardo_system_destroy(system);
    }
    assert_close(force[1], force[0], 1e-12 * force[0]);
}

/* ------------ broad phase ------------ */

typedef struct met {
    int n, count;
    char *pairs; /* (n x n) */
} met;

static void meet(void *user, int a, int b)
{
    met *m = user;
    assert_true(a < b);
    assert_int_equal(m->pairs[a * m->n + b], 0);
    m->pairs[a * m->n + b] = 1;
    ++m->count;
}

static void all_overlaps_are_found(void **unused)
{
    (void)unused;
    enum { MOST = 400 };
    static broad_box boxes[MOST];
    static int order[MOST];
    static double keys[MOST];
    static broad_node nodes[2 * MOST];
    for (int trial = 0; trial < 60; ++trial) {
        const int n = trial < 20 ? trial : 20 + (int)(uniform() * (MOST - 20));
        met m = {n, 0, calloc((size_t)(n * n + 1), 1)};
        for (int i = 0; i < n; ++i) {
            const cardo_vec3 c = {signed_uniform(), signed_uniform(), signed_uniform()};
            const double h = 0.15 * uniform() * (i % 17 == 0 ? 10 : 1);
            /* many level with each other, and one far away */
            const cardo_vec3 at = trial % 3 == 0   ? v3(floor(4 * c.x), floor(4 * c.y), 0)
                                  : trial % 3 == 1 ? c
                                                   : v3(i == 3 ? 1e9 : c.x, c.y, c.z);
            boxes[i] = (broad_box){v3_sub(at, v3(h, h, h)), v3_add(at, v3(h, h, h))};
        }
        assert_true(cardo_broad_phase_nodes(n) <= 2 * MOST);
        broad_phase phase = {n, boxes, order, keys, nodes};
        cardo_broad_phase_run(&phase, meet, &m);
        for (int i = 0; i < n; ++i)
            for (int j = i + 1; j < n; ++j) {
                const broad_box *a = &boxes[i], *b = &boxes[j];
                const bool overlap = a->low.x <= b->high.x && b->low.x <= a->high.x &&
                                     a->low.y <= b->high.y && b->low.y <= a->high.y &&
                                     a->low.z <= b->high.z && b->low.z <= a->high.z;
                assert_int_equal(m.pairs[i * n + j], overlap);
            }
        free(m.pairs);
    }
}

/* ------------ meshes ------------ */

static void inside_of_a_mesh_is_known(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_contact_mesh mesh = sphere_mesh(20, 30, 1);
    const cardo_contact_shape *shape = cardo_contact_shape_find("mesh");
    cardo_contact_surface on[2] = {surface(1, "mesh", &mesh), surface(2, "sphere", &ball)};
    cardo_system *system;
    assert_non_null(shape);
    assert_ok(make(2, on, &system, &error), &error);
    cardo_system_destroy(system);
    /* a face missing; one turned round; all of them */
    --mesh.nface;
    assert_fails(make(2, on, &system, &error), &error, CARDO_ERROR_INPUT, "is not closed");
    cardo_system_destroy(system);
    ++mesh.nface;
    int *faces = calloc((size_t)(3 * mesh.nface), sizeof *faces);
    memcpy(faces, mesh.faces, (size_t)(3 * mesh.nface) * sizeof *faces);
    for (int all = 0; all < 2; ++all) {
        for (int f = all; f < (all ? mesh.nface : 1); ++f) {
            const int kept = faces[3 * f];
            faces[3 * f] = faces[3 * f + 1];
            faces[3 * f + 1] = kept;
        }
        const cardo_contact_mesh turned = {mesh.nvertex, mesh.nface, mesh.vertices, faces};
        on[0].parameters = &turned;
        assert_fails(make(2, on, &system, &error), &error, CARDO_ERROR_INPUT, "inside out");
        cardo_system_destroy(system);
    }
    free(faces);
    free_mesh(&mesh);
}

static const char ascii[] = "solid t\n"
                            "facet normal 0 0 0\n outer loop\n  vertex 0 0 0\n  vertex 0 1 0\n"
                            "  vertex 1 0 0\n endloop\nendfacet\n"
                            "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
                            "vertex 0 0 1.0e0\nendloop\nendfacet\n"
                            "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 1\n"
                            "vertex 0 1 0\nendloop\nendfacet\n"
                            "facet normal 0 0 0\nouter loop\nvertex 1 0 0\nvertex 0 1 0\n"
                            "vertex 0 0 1\nendloop\nendfacet\nendsolid t\n";
static const char obj[] = "# a tetrahedron\nv 0 0 0\nv 0 1 0\nv 1 0 0\nv 0 0 1\nvn 0 0 1\n"
                          "f 1 2/1 3//1\nf 1/1/1 3 4\nf 1 4 2\nf -2 -3 -1\n";

/* A place and the side of a mesh, all faces tried one by one. */
static double nearest_of_all(const mesh_data *mesh, cardo_vec3 point)
{
    double least = INFINITY;
    for (int f = 0; f < mesh->nface; ++f)
        least = fmin(least, v3_norm(v3_sub(cardo_mesh_on_face(&mesh->faces[f], point), point)));
    return least;
}

static void nearest_places_are_those_of_all_faces(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_contact_mesh given = sphere_mesh(20, 30, 1);
    const cardo_contact_shape *shape = cardo_contact_shape_find("mesh");
    void *data;
    /* dented, so that faces see each other */
    double *x = calloc(3 * (size_t)given.nvertex, sizeof *x);
    for (int i = 0; i < 3 * given.nvertex; ++i)
        x[i] = given.vertices[i] * (1 - 0.6 * exp(-4 * pow(given.vertices[i / 3 * 3] - 1, 2)));
    const cardo_contact_mesh dented = {given.nvertex, given.nface, x, given.faces};
    assert_ok(shape->compile(&dented, &data, &error), &error);
    const mesh_data *mesh = data;
    int hint = 0, sides[3] = {0}, hits = 0;
    for (int trial = 0; trial < 3000; ++trial) {
        const cardo_vec3 p =
            v3_scale(1.2, v3(signed_uniform(), signed_uniform(), signed_uniform()));
        const double radius = 0.3 * uniform(), all = nearest_of_all(mesh, p);
        int fresh = (int)(uniform() * mesh->nface), near = hint;
        const double distance = cardo_mesh_signed_distance(mesh, p, &hint);
        shape_depth depth;
        assert_close(fabs(distance), all, 1e-15);
        assert_close(distance, cardo_mesh_signed_distance(mesh, p, &fresh), 1e-15);
        const mesh_side side = cardo_mesh_side(mesh, p, radius, &near);
        assert_int_equal(side, all <= radius  ? MESH_ACROSS
                               : distance < 0 ? MESH_INSIDE
                                              : MESH_OUTSIDE);
        ++sides[side];
        assert_int_equal(cardo_mesh_inside(mesh, p, &fresh, &depth), distance < 0);
        if (distance < 0) {
            assert_close(depth.depth, all, 1e-15);
            ++hits;
        }
    }
    assert_true(sides[0] > 200 && sides[1] > 200 && sides[2] > 200 && hits > 400);
    shape->release(data);
    free(x);
    free_mesh(&given);
}

/* Leaves that are left out have no springs: energies by all centroids of both meshes. */
static void no_spring_is_left_out(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_contact_mesh a = sphere_mesh(20, 30, 0.5), b = sphere_mesh(14, 20, 0.4);
    const cardo_contact_shape *shape = cardo_contact_shape_find("mesh");
    const cardo_contact_surface on[2] = {surface(1, "mesh", &a), surface(2, "mesh", &b)};
    cardo_contact_pair_material material = cardo_contact_combine_foundation(
        &on[0].material, on[0].thickness, &on[1].material, on[1].thickness);
    void *data[2];
    cardo_system *system;
    cardo_state *state;
    int deep = 0;
    assert_ok(shape->compile(&a, &data[0], &error), &error);
    assert_ok(shape->compile(&b, &data[1], &error), &error);
    assert_ok(make(2, on, &system, &error), &error);
    assert_ok(cardo_state_create(system, &state, &error), &error);
    for (int trial = 0; trial < 100; ++trial) {
        double energy, expected = 0;
        set_near(system, state, 0.3 + 0.6 * uniform(), 0);
        assert_ok(cardo_realize(system, state, CARDO_STAGE_VELOCITY, &error), &error);
        assert_ok(cardo_potential_energy(system, state, NULL, &energy, &error), &error);
        for (int k = 0; k < 2; ++k) {
            const mesh_data *mesh = data[k];
            const cardo_transform X_GM =
                cardo_transform_multiply(cardo_state_X_GB(state)[k + 1], on[k].X_BS);
            const cardo_transform X_GO =
                cardo_transform_multiply(cardo_state_X_GB(state)[2 - k], on[1 - k].X_BS);
            const cardo_transform X = cardo_transform_multiply(cardo_transform_inverse(X_GO), X_GM);
            for (int f = 0; f < mesh->nface; ++f) {
                int hint = 0;
                shape_depth place;
                if (cardo_mesh_inside(data[1 - k],
                                      v3_add(X.p, m33_mul_v3(X.R, mesh->faces[f].centroid)), &hint,
                                      &place))
                    expected +=
                        0.5 * material.stiffness * mesh->faces[f].area * place.depth * place.depth;
            }
        }
        assert_close(energy, expected, 1e-13 * fmax(expected, 1));
        deep += expected > 0;
    }
    assert_true(deep > 50);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
    for (int k = 0; k < 2; ++k)
        shape->release(data[k]);
    free_mesh(&a);
    free_mesh(&b);
}

static void files_are_read(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_contact_mesh a, b, c;
    unsigned char binary[84 + 4 * 50] = {0};
    assert_ok(cardo_mesh_parse("a", ascii, strlen(ascii), 2, &a, &error), &error);
    assert_ok(cardo_mesh_parse("b", obj, strlen(obj), 2, &b, &error), &error);
    assert_int_equal(a.nvertex, 4);
    assert_int_equal(b.nvertex, 4);
    binary[80] = 4;
    for (int f = 0; f < 4; ++f)
        for (int k = 0; k < 9; ++k) {
            const float x = (float)a.vertices[3 * a.faces[3 * f + k / 3] + k % 3];
            memcpy(binary + 84 + 50 * f + 12 + 4 * k, &x, 4);
        }
    assert_ok(cardo_mesh_parse("c", binary, sizeof binary, 1, &c, &error), &error);
    const cardo_contact_mesh *all[3] = {&a, &b, &c};
    for (int m = 0; m < 3; ++m) {
        assert_int_equal(all[m]->nface, 4);
        assert_int_equal(all[m]->nvertex, 4);
        for (int i = 0; i < 12; ++i) {
            const int from = a.faces[i], to = all[m]->faces[i];
            for (int k = 0; k < 3; ++k)
                assert_close(all[m]->vertices[3 * to + k], a.vertices[3 * from + k], 0);
        }
    }
    cardo_mesh_free(&b);
    cardo_mesh_free(&c);
    assert_fails(cardo_mesh_parse("x", "v 1 2\n", 6, 1, &b, &error), &error, CARDO_ERROR_INPUT,
                 "line 1");
    assert_fails(cardo_mesh_parse("x", "v 1 2 3\nf 1 2 3\n", 16, 1, &b, &error), &error,
                 CARDO_ERROR_INPUT, "line 2");
    assert_fails(cardo_mesh_parse("x", ascii, 70, 1, &b, &error), &error, CARDO_ERROR_INPUT, NULL);
    assert_fails(cardo_mesh_parse("x", binary, 100, 1, &b, &error), &error, CARDO_ERROR_INPUT,
                 "no triangles");
    assert_fails(cardo_mesh_parse("x", "", 0, 1, &b, &error), &error, CARDO_ERROR_INPUT, NULL);
    /* what was read makes a surface */
    cardo_system *system;
    const cardo_contact_surface on[2] = {surface(1, "mesh", &a), surface(2, "sphere", &ball)};
    assert_ok(make(2, on, &system, &error), &error);
    cardo_system_destroy(system);
    cardo_mesh_free(&a);
}

/* ------------ memory ------------ */

static void nothing_is_allocated(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_system *system;
    cardo_state *state;
    const cardo_contact_surface on[3] = {surface(0, "half-space", NULL),
                                         surface(1, "sphere", &ball), surface(2, "box", &box)};
    assert_ok(make(3, on, &system, &error), &error);
    assert_ok(cardo_state_create(system, &state, &error), &error);
    const unsigned long before = cardo_allocation_count();
    for (int k = 0; k < 10; ++k) {
        set_near(system, state, 0.4, 1);
        assert_ok(cardo_realize(system, state, CARDO_STAGE_ACCELERATION, &error), &error);
    }
    assert_int_equal(cardo_allocation_count(), before);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_gradients_and_balance),
        cmocka_unit_test(ellipsoids_meet_where_they_are_nearest),
        cmocka_unit_test(curvatures_are_known),
        cmocka_unit_test(all_overlaps_are_found),
        cmocka_unit_test(inside_of_a_mesh_is_known),
        cmocka_unit_test(nearest_places_are_those_of_all_faces),
        cmocka_unit_test(no_spring_is_left_out),
        cmocka_unit_test(files_are_read),
        cmocka_unit_test(nothing_is_allocated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
