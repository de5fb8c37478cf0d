/* Domains' poses, held while their atoms move: conditions by their definition, on the committed light chain; the energy at places
 * of its motion, whose gradient is compared with differences; what is held alike at these, which is what the model keeps; and all atoms
 * swept along places that have little in common. */
#include "support/support.h"

#include "base/memory.h"
#include "base/random.h"
#include "cardo/manifold.h"
#include "multibody/tree/operators.h"
#include "study/domains/shared_alike.h"
#include "study/domains/shared_energy.h"
#include "study/reference/poses.h"
#include "study/reference/reference.h"
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

/* What atoms have moved where side chains run into each other is of no use where they do not: all atoms still come no higher than the model. */
static void all_atoms_come_below_the_model(void **unused)
{
    (void)unused;
    enum { PLACES = 2 };
    static const double fraction[PLACES] = {0, 0.05};
    cardo_error error = {0};
    cardo_session *elbow = open_elbow();
    const int nq = cardo_system_nq(elbow->system);
    cardo_reference reference = {0};
    cardo_reference_options options = cardo_reference_options_default();
    double *places;
    options.iterations = 12;
    assert_ok(CARDO_ALLOCATE(&places, PLACES * nq, &error), &error);
    for (int k = 0; k < PLACES; ++k) {
        memcpy(places + k * nq, cardo_state_q(elbow->state), (size_t)nq * sizeof *places);
        for (int b = 0; b < elbow->model->nbody; ++b) {
            cardo_body_info info;
            cardo_system_body(elbow->system, b + 1, &info);
            if (elbow->model->body[b].fit)
                places[k * nq + info.q_first] = fraction[k];
            else if (elbow->model->body[b].torsion)
                places[k * nq + info.q_first] += k == 0 ? 2 : 0;
        }
    }
    assert_ok(cardo_reference_sweep(elbow, PLACES, fraction, places, &options, &reference, &error),
              &error);
    for (int k = 0; k < PLACES; ++k)
        for (int way = 0; way < CARDO_REFERENCE_WAYS; ++way) {
            const cardo_reference_place *place = &reference.place[k];
            print_message("place %d: all atoms %.6g, the model %.6g\n", k, place->way[way].energy,
                          place->model);
            assert_true(place->way[way].energy <= place->model);
        }
    cardo_reference_clear(&reference);
    cardo_free(places);
    cardo_session_close(elbow);
}

/* The elbow's own bonds, and what it keeps. */
static cardo_alike *list_alike(const cardo_session *elbow, const double *positions, int *n)
{
    cardo_error error = {0};
    const cardo_model *made = elbow->model;
    const int atoms = made->structure[0].structure->natom;
    char *templates;
    cardo_bonds *bonds;
    cardo_alike *list;
    int *own;
    assert_ok(CARDO_ALLOCATE(&own, atoms, &error), &error);
    for (int i = 0; i < atoms; ++i) {
        const cardo_model_body *body = &made->body[made->atom_body[i]];
        own[i] = body->piece || body->torsion ? i : -1;
    }
    assert_ok(cardo_find_data("residues.xml", NULL, "topologies", &templates, &error), &error);
    assert_ok(cardo_bonds_find(made->structure[0].structure, templates, &bonds, &error), &error);
    const cardo_alike_atoms in = {
        .model = made, .bonds = bonds, .body = made->atom_body, .own = own, .positions = positions};
    assert_ok(cardo_alike_list(&in, &list, n, &error), &error);
    cardo_free(own);
    cardo_free(templates);
    cardo_bonds_destroy(bonds);
    return list;
}

static double *stand(const cardo_session *elbow, const double *q)
{
    cardo_error error = {0};
    double *positions;
    assert_ok(
        CARDO_ALLOCATE(&positions, 3 * (size_t)elbow->model->structure[0].structure->natom, &error),
        &error);
    cardo_state_set_q(elbow->state, q);
    assert_ok(cardo_assemble_q(elbow->system, elbow->state, NULL, NULL, &error), &error);
    assert_ok(cardo_station_positions(elbow->system, elbow->state, positions, &error), &error);
    return positions;
}

/* Whatever turns, with loops closed. That a peptide's oxygen leaves its plane is seen in full. */
static void what_is_alike_is_what_the_model_keeps(void **unused)
{
    (void)unused;
    enum { TRIALS = 5 };
    static const double out_of_plane = 0.001;
    cardo_error error = {0};
    cardo_session *elbow = open_elbow();
    const cardo_model *made = elbow->model;
    const cardo_structure *structure = made->structure[0].structure;
    const size_t nq = (size_t)cardo_system_nq(elbow->system);
    cardo_random random = cardo_random_start(12, 3);
    cardo_vec3 slope[CARDO_ALIKE_ATOMS];
    double *q, *turn, worst = 0, moved = 0, most_bent = 0;
    int n, nvolume = 0;
    assert_ok(CARDO_ALLOCATE(&q, nq, &error), &error);
    assert_ok(CARDO_ALLOCATE(&turn, made->nbody, &error), &error);
    memcpy(q, cardo_state_q(elbow->state), nq * sizeof *q);
    double *first = stand(elbow, q);
    cardo_alike *list = list_alike(elbow, first, &n);
    for (int trial = 0; trial < TRIALS; ++trial) {
        cardo_random_uniform(&random, made->nbody, turn);
        memcpy(q, cardo_state_q(elbow->state), nq * sizeof *q);
        for (int b = 0; b < made->nbody; ++b) {
            cardo_body_info info;
            cardo_system_body(elbow->system, b + 1, &info);
            if (made->body[b].torsion || made->body[b].fit)
                q[info.q_first] += 0.4 * (turn[b] - 0.5);
        }
        double *now = stand(elbow, q);
        for (int k = 0; k < n; ++k)
            worst = fmax(worst, sqrt(list[k].stiffness / list[0].stiffness) *
                                    fabs(cardo_alike_measure(&list[k], now, slope) -
                                         cardo_alike_measure(&list[k], first, slope)));
        for (size_t k = 0; k < 3 * (size_t)structure->natom; ++k)
            moved = fmax(moved, fabs(now[k] - first[k]));
        cardo_free(now);
    }
    const int residue = 110, atom = cardo_structure_find_atom(structure, residue, "O"),
              carbon = cardo_structure_find_atom(structure, residue, "C"),
              alpha = cardo_structure_find_atom(structure, residue, "CA");
    const cardo_vec3 from = v3_load(first + 3 * (size_t)carbon),
                     out = v3_unit(v3_cross(v3_sub(v3_load(first + 3 * (size_t)atom), from),
                                            v3_sub(v3_load(first + 3 * (size_t)alpha), from)));
    double *bent = stand(elbow, cardo_state_q(elbow->state));
    memcpy(bent, first, 3 * (size_t)structure->natom * sizeof *bent);
    v3_store(bent + 3 * (size_t)atom,
             v3_add(v3_load(bent + 3 * (size_t)atom), v3_scale(out_of_plane, out)));
    for (int k = 0; k < n; ++k) {
        const double off = sqrt(list[k].stiffness / list[0].stiffness) *
                           fabs(cardo_alike_measure(&list[k], bent, slope) -
                                cardo_alike_measure(&list[k], first, slope));
        nvolume += list[k].natom == 4;
        most_bent = fmax(most_bent, off);
    }
    print_message(
        "%d alike, %d of them volumes: kept to %.1e nm while atoms moved by %.2g; %g nm out of a "
        "plane are %.2g\n",
        n, nvolume, worst, moved, out_of_plane, most_bent);
    assert_true(list[0].natom == 2 && nvolume > 25 && n > 500);
    assert_true(worst < 1e-9 && moved > 0.05);
    assert_true(most_bent > 0.8 * out_of_plane);
    cardo_free(list);
    cardo_free(first);
    cardo_free(bent);
    cardo_free(turn);
    cardo_free(q);
    cardo_session_close(elbow);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eckarts_conditions_hold),
        cmocka_unit_test(six_motions_a_domain_go),
        cmocka_unit_test(all_places_have_one_gradient),
        cmocka_unit_test(what_is_alike_is_what_the_model_keeps),
        cmocka_unit_test(all_atoms_come_below_the_model),
    };
    return cmocka_run_group_tests(tests, open_model, close_model);
}
