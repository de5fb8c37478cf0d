#include "coarse/scene.h"

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

void scene_lao(scene *s)
{
    char text[4096];
    snprintf(text, sizeof text,
             "<cardo version=\"1\"><model name=\"LAO\">"
             "<structure id=\"open\" file=\"%s\"/><structure id=\"closed\" file=\"%s\"/>"
             "<domain name=\"stationary\" residues=\"1-89,194-238\"/>"
             "<domain name=\"mobile\" residues=\"92-191\"/><hinge residues=\"90-91,192-193\"/>"
             "<body name=\"stationary\" domains=\"stationary\" base=\"free\"/>"
             "<body name=\"mobile\" domains=\"mobile\" parent=\"stationary\"><path/></body>"
             "</model></cardo>",
             support_shared("pdb/2lao.pdb"), support_shared("pdb/1lst.pdb"));
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

void scene_check_forces(scene *s, int nplace, double tolerance)
{
    uint64_t seed = 20;
    double q[MOST_Q], forces[MOST_Q];
    for (int place = 0; place < nplace; ++place) {
        scene_path(s, 0.5 + 0.55 * support_random(&seed), q);
        double largest = 1, step = 1e-5;
        scene_evaluate(s, q, forces);
        for (int b = 0; b < s->model->nbody; ++b) {
            cardo_body_info info;
            cardo_system_body(s->system, b + 1, &info);
            if (!s->model->body[b].fit)
                continue;
            double force = forces[info.u_first], q0 = q[info.q_first], U[4];
            for (int k = 0; k < 4; ++k) {
                static const double shift[4] = {-2, -1, 1, 2};
                q[info.q_first] = q0 + shift[k] * step;
                U[k] = scene_evaluate(s, q, NULL);
            }
            q[info.q_first] = q0;
            largest = fmax(largest, fabs(force));
            assert_close((U[0] - 8 * U[1] + 8 * U[2] - U[3]) / (12 * step), -force,
                         tolerance * largest);
        }
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
