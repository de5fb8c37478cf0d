/* Domains' poses, held while their atoms move: conditions by their definition, on the committed light chain. */
#include "support/support.h"

#include "base/memory.h"
#include "base/random.h"
#include "study/reference/poses.h"
#include "study/session/session.h"

#include <string.h>

static cardo_session *session;
static const cardo_model *model;
static int natom;

static int open_model(void **unused)
{
    (void)unused;
    static const char *const quick[] = {"forcefield.solvent=none", "forcefield.check-forces=no"};
    const cardo_session_options options = {
        .size = sizeof options, .nsetting = 2, .setting = quick, .model_alone = true};
    cardo_error error = {0};
    assert_ok(cardo_session_open(support_source("examples/mcg/mcg.xml"), &options, NULL, &session,
                                 &error),
              &error);
    model = cardo_session_model(session);
    natom = model->structure[0].structure->natom;
    return 0;
}

static int close_model(void **unused)
{
    (void)unused;
    cardo_session_close(session);
    return 0;
}

static bool is_held(int atom, int body)
{
    return model->atom_body[atom] == body &&
           strcmp(model->structure[0].structure->atom_name[atom].text, "CA") == 0;
}

static cardo_vec3 at(const double *vectors, int atom)
{
    const double *v = vectors + 3 * (size_t)atom;
    return (cardo_vec3){v[0], v[1], v[2]};
}

/* Sum of displacements of a body's C-alphas, and of their moments about ground's origin. */
static void momenta(int body, const double *d, cardo_vec3 *linear, cardo_vec3 *angular)
{
    const double *x = model->structure[0].structure->position;
    *linear = *angular = (cardo_vec3){0, 0, 0};
    for (int i = 0; i < natom; ++i)
        if (is_held(i, body)) {
            *linear = v3_add(*linear, at(d, i));
            *angular = v3_add(*angular, v3_cross(at(x, i), at(d, i)));
        }
}

static double *random_vectors(double **copy)
{
    double *d;
    cardo_error error = {0};
    cardo_random random = cardo_random_start(22, 1);
    assert_ok(CARDO_ALLOCATE(&d, 3 * (size_t)natom, &error), &error);
    assert_ok(CARDO_ALLOCATE(copy, 3 * (size_t)natom, &error), &error);
    cardo_random_normal(&random, 3 * natom, d);
    memcpy(*copy, d, 3 * (size_t)natom * sizeof *d);
    return d;
}

static cardo_held_poses *hold(void)
{
    cardo_held_poses *poses;
    cardo_error error = {0};
    assert_ok(cardo_held_poses_create(model, &poses, &error), &error);
    cardo_held_poses_place(poses, model->structure[0].structure->position);
    return poses;
}

static void eckarts_conditions_hold(void **unused)
{
    (void)unused;
    cardo_held_poses *poses = hold();
    double *before, *d = random_vectors(&before);
    assert_int_equal(cardo_held_poses_count(poses), model->nbody);
    cardo_held_poses_project(poses, d);
    for (int body = 0; body < model->nbody; ++body) {
        cardo_vec3 linear, angular;
        momenta(body, d, &linear, &angular);
        assert_close(v3_norm(linear), 0, 1e-10);
        assert_close(v3_norm(angular), 0, 1e-9);
    }
    for (int i = 0; i < natom; ++i)
        if (!is_held(i, model->atom_body[i]))
            assert_memory_equal(d + 3 * (size_t)i, before + 3 * (size_t)i, 3 * sizeof *d);
    /* What is left of a projection is left by the next one. */
    memcpy(before, d, 3 * (size_t)natom * sizeof *d);
    cardo_held_poses_project(poses, d);
    for (int i = 0; i < 3 * natom; ++i)
        assert_close(d[i], before[i], 1e-12);
    cardo_free(d);
    cardo_free(before);
    cardo_held_poses_destroy(poses);
}

/* A projection takes nothing but the rigid motions: six dimensions a body. Its trace counts them. */
static void six_motions_a_domain_go(void **unused)
{
    (void)unused;
    cardo_held_poses *poses = hold();
    double *unit, *d = random_vectors(&unit), taken = 0;
    for (int i = 0; i < natom; ++i)
        for (size_t axis = 0; axis < 3 && is_held(i, model->atom_body[i]); ++axis) {
            memset(d, 0, 3 * (size_t)natom * sizeof *d);
            d[3 * (size_t)i + axis] = 1;
            cardo_held_poses_project(poses, d);
            taken += 1 - d[3 * (size_t)i + axis];
        }
    assert_close(taken, 6.0 * model->nbody, 1e-9);
    cardo_free(d);
    cardo_free(unit);
    cardo_held_poses_destroy(poses);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eckarts_conditions_hold),
        cmocka_unit_test(six_motions_a_domain_go),
    };
    return cmocka_run_group_tests(tests, open_model, close_model);
}
