/* Domains' poses, held while their atoms move: conditions by their definition, on the committed light chain; and the energy of both ends
 * of its motion, whose gradient is compared with differences. */
#include "support/support.h"

#include "base/memory.h"
#include "base/random.h"
#include "study/domains/shared_energy.h"
#include "study/reference/poses.h"
#include "study/session/session.h"

#include <math.h>
#include <stdio.h>
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

/* The elbow with a strand and side chains that turn, all atoms in double precision and a vacuum. */
static cardo_session *open_elbow(void)
{
    static char text[2048];
    static const char *const exact[] = {"forcefield.check-forces=no",
                                        "forcefield.precision=double"};
    const cardo_session_options options = {.size = sizeof options, .nsetting = 2, .setting = exact};
    cardo_session *elbow;
    cardo_error error = {0};
    snprintf(text, sizeof text,
             "<cardo version=\"1\"><model name=\"elbow\">"
             "<structure id=\"first\" file=\"%s\"/><structure id=\"second\" file=\"%s\"/>"
             "<domain name=\"variable\" residues=\"1:2-108\"/><domain name=\"constant\" "
             "residues=\"1:114-216\"/>"
             "<hinge residues=\"1:109-113\"/><body name=\"variable\" domains=\"variable\"/>"
             "<body name=\"constant\" domains=\"constant\" parent=\"variable\"><path/></body>"
             "<flexible residues=\"1:109-113\" torsions=\"phi psi chi\" closure=\"rigid\"/>"
             "<flexible residues=\"1:14,1:40\" torsions=\"chi\"/>"
             "<forcefield files=\"ff14SB.xml\" solvent=\"none\" threads=\"1\"/></model></cardo>",
             support_source("pdb/2mcg_1.pdb"), support_source("pdb/2mcg_2.pdb"));
    assert_ok(
        cardo_session_open(support_write("sharing.xml", text), &options, NULL, &elbow, &error),
        &error);
    return elbow;
}

static double energy_at(cardo_shared_energy *energy, const double *x, double *gradient)
{
    cardo_error error = {0};
    double value;
    assert_ok(cardo_shared_energy_evaluate(energy, cardo_shared_energy_size(energy), x, &value,
                                           gradient, &error),
              &error);
    return value;
}

/* Each direction moves atoms of one kind: shared ones near the hinge, all shared ones, those that stand elsewhere at each
 * place, and everything. What would turn a domain at the first place is taken out of it, as of the gradient. */
static void all_places_have_one_gradient(void **unused)
{
    (void)unused;
    enum { DIRECTIONS = 4, PLACES = 3 };
    static const double weight[PLACES] = {0.75, 1.5, 0.6};
    const double step = 2e-6;
    cardo_error error = {0};
    cardo_session *elbow = open_elbow();
    const cardo_model *made = elbow->model;
    const int nq = cardo_system_nq(elbow->system), n3 = 3 * made->structure[0].structure->natom;
    cardo_shared_energy *energy;
    cardo_held_poses *poses;
    cardo_random random = cardo_random_start(22, 2);
    double *places, *gradient, *d, *at, *scratch;
    assert_ok(CARDO_ALLOCATE(&places, PLACES * nq, &error), &error);
    for (int k = 0; k < PLACES; ++k) {
        double *q = places + k * nq;
        memcpy(q, cardo_state_q(elbow->state), (size_t)nq * sizeof *q);
        for (int b = 0; b < made->nbody && k > 0; ++b) {
            cardo_body_info info;
            cardo_system_body(elbow->system, b + 1, &info);
            if (made->body[b].fit)
                q[info.q_first] = 0.1 * k;
            else if (made->body[b].torsion)
                q[info.q_first] = 0.025 * k;
        }
    }
    assert_ok(cardo_shared_energy_create(elbow, PLACES, places, NULL, &energy, &error), &error);
    const int n = cardo_shared_energy_size(energy);
    assert_true(n > n3 + 120);
    assert_ok(CARDO_ALLOCATE(&gradient, n, &error), &error);
    assert_ok(CARDO_ALLOCATE(&d, n, &error), &error);
    assert_ok(CARDO_ALLOCATE(&at, n, &error), &error);
    assert_ok(CARDO_ALLOCATE(&scratch, n, &error), &error);
    assert_ok(cardo_held_poses_create(made, &poses, &error), &error);
    const double *x = cardo_shared_energy_variables(energy);
    cardo_held_poses_place(poses, x);
    cardo_shared_energy_weigh(energy, weight);
    energy_at(energy, x, gradient);
    for (int k = 0; k < DIRECTIONS; ++k) {
        double along = 0, size = 0, ends[2];
        cardo_random_normal(&random, n, d);
        for (int i = 0; i < n; ++i)
            if ((k == 0 && (i < 1500 || i > 1800)) || (k == 1 && i >= n3) || (k == 2 && i < n3))
                d[i] = 0;
        cardo_held_poses_project(poses, d);
        for (int side = 0; side < 2; ++side) {
            for (int i = 0; i < n; ++i)
                at[i] = x[i] + (side ? step : -step) * d[i];
            ends[side] = energy_at(energy, at, scratch);
        }
        for (int i = 0; i < n; ++i) {
            along += gradient[i] * d[i];
            size += gradient[i] * gradient[i] * d[i] * d[i];
        }
        const double difference = (ends[1] - ends[0]) / (2 * step);
        print_message("direction %d: %.9g by differences, %.9g, of %.3g\n", k, difference, along,
                      sqrt(size));
        assert_true(fabs(difference - along) < 1e-5 * sqrt(size));
    }
    cardo_held_poses_destroy(poses);
    cardo_shared_energy_destroy(energy);
    cardo_free(places);
    cardo_free(gradient);
    cardo_free(d);
    cardo_free(at);
    cardo_free(scratch);
    cardo_session_close(elbow);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eckarts_conditions_hold),
        cmocka_unit_test(six_motions_a_domain_go),
        cmocka_unit_test(all_places_have_one_gradient),
    };
    return cmocka_run_group_tests(tests, open_model, close_model);
}
