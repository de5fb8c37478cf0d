#include "forces/coarse/scene.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_Q = 64 };

void scene_read(scene *s, const char *text)
{
    cardo_error error;
    *s = (scene){0};
    assert_ok(cardo_model_read(support_write("scene.xml", text), 0, NULL, &s->model, &error),
              &error);
    assert_ok(cardo_model_compile(s->model, NULL, &s->system, &error), &error);
    assert_ok(cardo_state_create(s->system, &s->state, &error), &error);
    assert_true(cardo_system_nq(s->system) <= MOST_Q);
}

static void read_lao(scene *s, const char *joint)
{
    char text[4096];
    snprintf(text, sizeof text,
             "<cardo version=\"1\"><model name=\"LAO\">"
             "<structure id=\"open\" file=\"%s\"/><structure id=\"closed\" file=\"%s\"/>"
             "<domain name=\"stationary\" residues=\"1-89,194-238\"/>"
             "<domain name=\"mobile\" residues=\"92-191\"/><hinge residues=\"90-91,192-193\"/>"
             "<body name=\"stationary\" domains=\"stationary\" base=\"free\"/>"
             "<body name=\"mobile\" domains=\"mobile\" parent=\"stationary\">%s</body>"
             "</model></cardo>",
             support_shared("pdb/2lao.pdb"), support_shared("pdb/1lst.pdb"), joint);
    scene_read(s, text);
}

void scene_lao(scene *s)
{
    read_lao(s, "<path/>");
}

void scene_lao_free(scene *s)
{
    read_lao(s, "<free/>");
}

/* Four backbone atoms around a C-alpha at x. */
static int print_residue(char *text, size_t size, int serial, const char *name, char chain,
                         double x)
{
    static const char *const atoms[4] = {"N", "CA", "C", "O"};
    static const double place[4][3] = {
        {-0.05, 0.13, 0}, {0, 0, 0}, {-0.06, -0.06, 0.12}, {-0.05, -0.18, 0.12}};
    int n = 0;
    for (int k = 0; k < 4; ++k)
        n += snprintf(text + n, size - (size_t)n,
                      "ATOM  %5d  %-3s %3s %c   1    %8.3f%8.3f%8.3f  1.00  0.00           %.1s\n",
                      serial + k, atoms[k], name, chain,
                      10 * (x + (chain == 'A' ? 1 : -1) * place[k][0]), 10 * place[k][1],
                      10 * place[k][2], atoms[k]);
    return n;
}

void scene_pair(scene *s, const char *first, const char *second, double r)
{
    char pdb[2048], text[2048];
    int n = print_residue(pdb, sizeof pdb, 1, first, 'A', 0);
    print_residue(pdb + n, sizeof pdb - (size_t)n, 5, second, 'B', r);
    const char *path = support_write("pair.pdb", pdb);
    snprintf(text, sizeof text,
             "<cardo version=\"1\"><model name=\"pair\"><structure id=\"one\" file=\"%s\"/>"
             "<domain name=\"a\" residues=\"A:1\"/><domain name=\"b\" residues=\"B:1\"/>"
             "<body name=\"a\" domains=\"a\" base=\"free\"/>"
             "<body name=\"b\" domains=\"b\" parent=\"a\"><free/></body></model></cardo>",
             path);
    scene_read(s, text);
}

void scene_adenylate_kinase(scene *s)
{
    char text[4096];
    snprintf(text, sizeof text,
             "<cardo version=\"1\"><model name=\"adenylate kinase\">"
             "<structure id=\"open\" file=\"%s\"/><structure id=\"closed\" file=\"%s\"/>"
             "<domain name=\"core\" residues=\"A:1-29,A:68-117,A:161-214\"/>"
             "<domain name=\"nmp\" residues=\"A:30-67\"/>"
             "<domain name=\"lid\" residues=\"A:118-160\"/>"
             "<body name=\"core\" domains=\"core\" base=\"free\"/>"
             "<body name=\"nmp\" domains=\"nmp\" parent=\"core\"><path/></body>"
             "<body name=\"lid\" domains=\"lid\" parent=\"core\"><path/></body>"
             "</model></cardo>",
             support_shared("pdb/4ake_A_fixedH.pdb"), support_shared("pdb/1ake_A.pdb"));
    scene_read(s, text);
}

static void make_provider(scene *s)
{
    cardo_error error;
    const int natom = cardo_system_nstation(s->system);
    double *stations = calloc(3 * (size_t)natom, sizeof *stations);
    int *body = calloc((size_t)natom, sizeof *body);
    assert_true(stations && body);
    assert_ok(cardo_realize(s->system, s->state, CARDO_STAGE_POSITION, &error), &error);
    assert_ok(cardo_station_positions(s->system, s->state, stations, &error), &error);
    const cardo_transform *X_GB = cardo_state_X_GB(s->state);
    for (int i = 0; i < natom; ++i) {
        body[i] = cardo_system_station_body(s->system, i);
        v3_store(stations + 3 * i,
                 xform_point(xform_inverse(X_GB[body[i]]), v3_load(stations + 3 * i)));
    }
    assert_ok(cardo_coarse_provider_create(s->energy, cardo_system_nbody(s->system), body, stations,
                                           &s->provider, &error),
              &error);
    free(stations);
    free(body);
}

void scene_energy(scene *s, const char *file, const char *parameters)
{
    cardo_error error;
    char path[512];
    snprintf(path, sizeof path, "forcefields/%s", file);
    cardo_evaluator_destroy(s->evaluator);
    cardo_force_provider_destroy(s->provider);
    cardo_coarse_energy_destroy(s->energy);
    s->evaluator = NULL;
    s->provider = NULL;
    assert_ok(
        cardo_coarse_energy_create(s->model, support_source(path), parameters, &s->energy, &error),
        &error);
    double q[MOST_Q];
    scene_path(s, 0, q);
    cardo_state_set_q(s->state, q);
    make_provider(s);
    assert_ok(cardo_evaluator_create(s->system, s->provider, &s->evaluator, &error), &error);
    cardo_evaluator_want_terms(s->evaluator, true);
}

void scene_clear(scene *s)
{
    cardo_evaluator_destroy(s->evaluator);
    cardo_force_provider_destroy(s->provider);
    cardo_coarse_energy_destroy(s->energy);
    cardo_state_destroy(s->state);
    cardo_system_destroy(s->system);
    cardo_model_destroy(s->model);
    *s = (scene){0};
}

void scene_place(scene *s, const double *q)
{
    cardo_error error;
    cardo_state_set_q(s->state, q);
    assert_ok(cardo_realize(s->system, s->state, CARDO_STAGE_POSITION, &error), &error);
}

double scene_evaluate(scene *s, const double *q, double *generalized)
{
    cardo_error error;
    scene_place(s, q);
    assert_ok(cardo_evaluate(s->evaluator, s->state, &error), &error);
    if (generalized)
        assert_ok(cardo_evaluator_generalized_forces(s->evaluator, s->state, generalized, &error),
                  &error);
    return cardo_evaluator_energy(s->evaluator);
}

void scene_path(const scene *s, double value, double *q)
{
    cardo_model_initial_q(s->model, s->system, q);
    for (int b = 0; b < s->model->nbody; ++b) {
        cardo_body_info info;
        cardo_system_body(s->system, b + 1, &info);
        if (s->model->body[b].fit)
            q[info.q_first] = value;
    }
}

enum { MOST_BODIES = 8 };

static double energy_of(scene *s, const cardo_transform *X, cardo_spatial *force)
{
    cardo_error error;
    cardo_spatial unused[MOST_BODIES] = {0};
    cardo_force_evaluation evaluation = {
        .nbody = cardo_system_nbody(s->system), .X_GB = X, .body_forces = force ? force : unused};
    assert_true(evaluation.nbody <= MOST_BODIES);
    assert_ok(s->provider->compute(s->provider, &evaluation, &error), &error);
    return evaluation.energy;
}

/* The pose moved along one of its six ways: shifts along and turns about ground axes through its
 * origin. */
static cardo_transform shifted(cardo_transform X, int way, double by)
{
    cardo_vec3 axis = v3(way % 3 == 0, way % 3 == 1, way % 3 == 2);
    if (way < 3)
        X.p = v3_add_scaled(X.p, by, axis);
    else
        X.R = m33_mul(m33_rotation(axis, by), X.R);
    return X;
}

static double slope_along(scene *s, cardo_transform *X, int body, int way)
{
    static const double by[4] = {-2e-5, -1e-5, 1e-5, 2e-5};
    const cardo_transform kept = X[body];
    double U[4];
    for (int k = 0; k < 4; ++k) {
        X[body] = shifted(kept, way, by[k]);
        U[k] = energy_of(s, X, NULL);
    }
    X[body] = kept;
    return (U[0] - 8 * U[1] + 8 * U[2] - U[3]) / 12e-5;
}

static void check_forces_at(scene *s, cardo_transform *X, double tolerance)
{
    cardo_spatial force[MOST_BODIES] = {0};
    const double U = energy_of(s, X, force);
    for (int body = 1; body < cardo_system_nbody(s->system); ++body) {
        const cardo_spatial *f = &force[body];
        double components[6] = {f->linear.x,  f->linear.y,  f->linear.z,
                                f->angular.x, f->angular.y, f->angular.z};
        double size = 1 + fabs(U) + v3_norm(f->linear) + v3_norm(f->angular);
        for (int way = 0; way < 6; ++way)
            assert_close(slope_along(s, X, body, way), -components[way], tolerance * size);
    }
}

void scene_check_forces(scene *s, int nplace, double tolerance)
{
    uint64_t seed = 20;
    double q[MOST_Q], forces[MOST_Q];
    cardo_transform X[MOST_BODIES];
    const int nbody = cardo_system_nbody(s->system);
    assert_true(nbody <= MOST_BODIES);
    for (int place = 0; place < nplace; ++place) {
        scene_path(s, 0.5 + 0.55 * support_random(&seed), q);
        scene_evaluate(s, q, forces);
        memcpy(X, cardo_state_X_GB(s->state), (size_t)nbody * sizeof *X);
        for (int body = 1; body < nbody; ++body)
            for (int way = 0; way < 6; ++way)
                X[body] = shifted(X[body], way, 0.04 * support_random(&seed));
        check_forces_at(s, X, tolerance);
    }
}

void scene_check_invariance(scene *s)
{
    cardo_error error;
    uint64_t seed = 4;
    double q[MOST_Q];
    scene_path(s, 0.3, q);
    const double energy = scene_evaluate(s, q, NULL);
    const int nbody = cardo_system_nbody(s->system);
    cardo_transform X[8], moved[8];
    cardo_spatial force[8] = {0}, turned[8] = {0};
    assert_true(nbody <= 8);
    memcpy(X, cardo_state_X_GB(s->state), (size_t)nbody * sizeof *X);
    cardo_force_evaluation evaluation = {.nbody = nbody, .X_GB = X, .body_forces = force};
    assert_ok(s->provider->compute(s->provider, &evaluation, &error), &error);
    assert_true(evaluation.energy == energy);
    for (int k = 0; k < 5; ++k) {
        cardo_transform by = {
            m33_from_euler(3 * support_random(&seed), support_random(&seed),
                           3 * support_random(&seed)),
            v3(20 * support_random(&seed), 20 * support_random(&seed), 20 * support_random(&seed))};
        for (int b = 0; b < nbody; ++b)
            moved[b] = xform_mul(by, X[b]);
        memset(turned, 0, sizeof turned);
        evaluation.X_GB = moved;
        evaluation.body_forces = turned;
        assert_ok(s->provider->compute(s->provider, &evaluation, &error), &error);
        assert_close(evaluation.energy, energy, 1e-9 * (1 + fabs(energy)));
        for (int b = 1; b < nbody; ++b) {
            cardo_vec3 f = m33_mul_v3(by.R, force[b].linear);
            cardo_vec3 t = m33_mul_v3(by.R, force[b].angular);
            double size = 1 + v3_norm(f) + v3_norm(t);
            assert_close(v3_norm(v3_sub(turned[b].linear, f)), 0, 1e-9 * size);
            assert_close(v3_norm(v3_sub(turned[b].angular, t)), 0, 1e-9 * size);
        }
    }
    assert_true(scene_evaluate(s, q, NULL) == energy);
}
