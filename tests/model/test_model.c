/* Models made from real pairs: bodies stand where the atoms are, and move as the fit says. */
#include "model/model.h"

#include "base/memory.h"
#include "base/units.h"
#include "multibody/tree/operators.h"
#include "structure/atoms/selection.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

/* A compiled model with a state. */
typedef struct scene {
    cardo_model *model;
    cardo_system *system;
    cardo_state *state;
    double *q, *positions;
} scene;

static void scene_open(scene *s, cardo_model *model)
{
    cardo_error error = {0};
    s->model = model;
    assert_ok(cardo_model_compile(model, NULL, &s->system, &error), &error);
    assert_ok(cardo_state_create(s->system, &s->state, &error), &error);
    assert_ok(CARDO_ALLOCATE(&s->q, cardo_system_nq(s->system), &error), &error);
    assert_ok(CARDO_ALLOCATE(&s->positions, 3 * cardo_system_nstation(s->system), &error), &error);
    cardo_model_initial_q(model, s->system, s->q);
}

static void scene_close(scene *s)
{
    cardo_free(s->q);
    cardo_free(s->positions);
    cardo_state_destroy(s->state);
    cardo_system_destroy(s->system);
    cardo_model_destroy(s->model);
}

/* Positions with the coordinate of body b at q and the rest at their start. */
static void scene_pose(scene *s, int b, double q)
{
    cardo_error error = {0};
    cardo_body_info info;
    cardo_model_initial_q(s->model, s->system, s->q);
    cardo_system_body(s->system, b + 1, &info);
    if (info.nq == 1)
        s->q[info.q_first] = q;
    cardo_state_set_q(s->state, s->q);
    assert_ok(cardo_realize(s->system, s->state, CARDO_STAGE_POSITION, &error), &error);
    assert_ok(cardo_station_positions(s->system, s->state, s->positions, &error), &error);
}

static const cardo_structure *reference(const scene *s)
{
    return s->model->structure[0].structure;
}

/* The largest distance of the atoms of body b from X times the reference, nm. */
static double deviation(const scene *s, int b, cardo_transform X)
{
    double worst = 0;
    const cardo_structure *r = reference(s);
    for (int i = 0; i < r->natom; ++i)
        if (s->model->atom_body[i] == b) {
            cardo_vec3 wanted = xform_point(X, v3_load(r->position + 3 * i));
            worst = fmax(worst, v3_norm(v3_sub(v3_load(s->positions + 3 * i), wanted)));
        }
    return worst;
}

static void check_path(const char *open, const char *closed, const char *stationary,
                       const char *mobile, const char *hinge, const char *interpolation)
{
    cardo_error error = {0};
    cardo_model *model;
    scene s = {0};
    assert_ok(cardo_model_from_pair(open, closed, stationary, mobile, hinge, interpolation, false,
                                    &model, &error),
              &error);
    scene_open(&s, model);
    const cardo_path_fit *fit = model->body[1].fit;
    assert_int_equal(cardo_system_nu(s.system), 7);

    scene_pose(&s, 1, 0.0);
    assert_close(deviation(&s, 0, xform_identity()), 0, 1e-12);
    assert_close(deviation(&s, 1, xform_identity()), 0, 1e-12);
    scene_pose(&s, 1, 1.0);
    assert_close(deviation(&s, 0, xform_identity()), 0, 1e-12);
    assert_close(deviation(&s, 1, fit->motion[1]), 0, 1e-10);
    for (double q = -0.25; q < 1.3; q += 0.25) {
        cardo_transform X = strcmp(interpolation, "screw") == 0 ? cardo_path_fit_screw(fit, q)
                                                                : cardo_path_fit_euler(fit, q);
        scene_pose(&s, 1, q);
        assert_close(deviation(&s, 1, X), 0, 1e-10);
    }
    scene_close(&s);
}

static void lao_follows_its_fit(void **state)
{
    (void)state;
    const char *open = support_shared("pdb/2lao.pdb"), *closed = support_shared("pdb/1lst.pdb#A");
    check_path(open, closed, "1-89,194-238", "92-191", "90-91,192-193", "screw");
    check_path(open, closed, "1-89,194-238", "92-191", "90-91,192-193", "euler");
}

static void mcg_follows_its_fit(void **state)
{
    (void)state;
    const char *open = support_source("pdb/2mcg_1.pdb"), *closed = support_source("pdb/2mcg_2.pdb");
    check_path(open, closed, "2-108", "114-216", "109-113", "screw");
    check_path(open, closed, "2-108", "114-216", "109-113", "euler");
}

static void chains_and_models_are_chosen_by_suffix(void **state)
{
    (void)state;
    cardo_error error = {0};
    cardo_model *model;
    char path[4200], open[4200], closed[4200];
    snprintf(path, sizeof path, "%s", support_shared("pdb/2mcg.pdb"));
    snprintf(open, sizeof open, "%s#1", path);
    snprintf(closed, sizeof closed, "%s#2", path);
    assert_ok(cardo_model_from_pair(open, closed, "1-108", "114-216", "109-113", "screw", false,
                                    &model, &error),
              &error);
    assert_close(model->body[1].fit->angle / CARDO_DEGREE, 135.542, 0.001);
    assert_int_equal(model->structure[0].structure->nresidue, 216);
    cardo_model_destroy(model);

    snprintf(path, sizeof path, "%s", support_shared("pdb/adk_xray_ensemble_ca.pdb"));
    snprintf(open, sizeof open, "%s#13:A", path);
    snprintf(closed, sizeof closed, "%s#1:A", path);
    assert_ok(cardo_model_from_pair(open, closed, "1-29,60-121,160-214", "122-159", NULL, "screw",
                                    false, &model, &error),
              &error);
    /* The NMP domain, named nowhere, rides with the core on both its sides. */
    assert_int_equal(model->nadopted, 30);
    assert_int_equal(model->body[0].natom, 211 - 37);
    assert_close(model->body[1].fit->angle / CARDO_DEGREE, 45.034, 0.001);
    cardo_model_destroy(model);

    snprintf(open, sizeof open, "%s#x:A", path);
    assert_fails(cardo_model_from_pair(open, closed, "1-29", "122-159", NULL, "screw", false,
                                       &model, &error),
                 &error, CARDO_ERROR_INPUT, "no model number");
    snprintf(open, sizeof open, "%s#Q", path);
    assert_fails(cardo_model_from_pair(open, closed, "1-29", "122-159", NULL, "screw", false,
                                       &model, &error),
                 &error, CARDO_ERROR_INPUT, "the file has chains 'A'");
}

/* The strand of 2MCG is cut where its peptide bond keeps its length best of all places. */
static void strand_is_cut_where_it_strains_least(void **state)
{
    (void)state;
    cardo_error error = {0};
    double changes[6];
    int chosen = -1, least = 0;
    for (int k = 0; k < 6; ++k) {
        char stationary[32] = "2-108", mobile[32] = "114-216";
        cardo_model *model;
        snprintf(stationary, sizeof stationary, "2-%d", 108 + k);
        snprintf(mobile, sizeof mobile, "%d-216", 109 + k);
        /* The fit must stay the same, so the domains do: only the hinge's company changes. */
        assert_ok(cardo_model_from_pair(support_source("pdb/2mcg_1.pdb"),
                                        support_source("pdb/2mcg_2.pdb"), "2-108", "114-216",
                                        "109-113", "screw", false, &model, &error),
                  &error);
        cardo_model_cut cut = model->cut[0];
        double fractions[9], lengths[9];
        assert_int_equal(model->ncut, 1);
        for (int f = 0; f < 9; ++f)
            fractions[f] = f / 8.0;
        if (chosen < 0)
            chosen = model->structure[0].structure->residue_number[cut.residue[0]] - 108;
        model->cut[0].residue[0] = cut.residue[0] - chosen + k;
        model->cut[0].atom[0] =
            cardo_structure_find_atom(model->structure[0].structure, model->cut[0].residue[0], "C");
        model->cut[0].atom[1] = cardo_structure_find_atom(model->structure[0].structure,
                                                          model->cut[0].residue[0] + 1, "N");
        assert_ok(cardo_model_cut_lengths(model, 9, fractions, lengths, &error), &error);
        changes[k] = 0;
        for (int f = 0; f < 9; ++f)
            changes[k] = fmax(changes[k], fabs(lengths[f] - lengths[0]));
        if (changes[k] < changes[least])
            least = k;
        cardo_model_destroy(model);
    }
    assert_int_equal(chosen, least);
}

static void masses_and_frames_come_from_the_atoms(void **state)
{
    (void)state;
    cardo_error error = {0};
    cardo_model *model;
    scene s = {0};
    assert_ok(cardo_model_from_pair(support_source("pdb/2mcg_1.pdb"),
                                    support_source("pdb/2mcg_2.pdb"), "2-108", "114-216", "109-113",
                                    "screw", false, &model, &error),
              &error);
    scene_open(&s, model);
    const cardo_structure *r = reference(&s);
    int natom = 0;
    for (int b = 0; b < 2; ++b) {
        cardo_body_info info;
        cardo_system_body(s.system, b + 1, &info);
        double mass = 0, xx = 0, xy = 0;
        cardo_vec3 com = {0, 0, 0}, origin = {0, 0, 0};
        for (int i = 0; i < r->natom; ++i)
            if (model->atom_body[i] == b) {
                double m = cardo_element_mass(r->element[i]);
                mass += m;
                com = v3_add_scaled(com, m, v3_load(r->position + 3 * i));
            }
        com = v3_scale(1 / mass, com);
        for (int i = 0; i < r->natom; ++i)
            if (model->atom_body[i] == b) {
                cardo_vec3 d = v3_sub(v3_load(r->position + 3 * i), com);
                double m = cardo_element_mass(r->element[i]);
                xx += m * (d.y * d.y + d.z * d.z);
                xy -= m * d.x * d.y;
            }
        scene_pose(&s, 1, 0.0);
        origin = cardo_state_X_GB(s.state)[b + 1].p;
        assert_close(v3_norm(v3_sub(origin, com)), 0, 1e-12);
        assert_close(info.mass.mass, mass, 1e-9 * mass);
        assert_close(model->body[b].mass, mass, 1e-9 * mass);
        assert_close(info.mass.inertia[0], xx, 1e-9 * xx);
        assert_close(info.mass.inertia[3], xy, 1e-9 * xx);
        natom += model->body[b].natom;
    }
    assert_int_equal(natom, r->natom);
    scene_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        shared_test(lao_follows_its_fit),
        cmocka_unit_test(mcg_follows_its_fit),
        shared_test(chains_and_models_are_chosen_by_suffix),
        cmocka_unit_test(strand_is_cut_where_it_strains_least),
        cmocka_unit_test(masses_and_frames_come_from_the_atoms),
    };
    return support_run(tests, NULL, NULL);
}
