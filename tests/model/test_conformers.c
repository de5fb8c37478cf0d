/* Side chains taken from another structure, and what comes near what along a path. */
#include "model/conformer.h"

#include "base/memory.h"
#include "base/text.h"
#include "model/clash.h"
#include "model/near.h"
#include "multibody/tree/operators.h"
#include "support/support.h"
#include "topology/bonds.h"

#include <stdio.h>
#include <string.h>

static cardo_model *elbow(const char *attributes, cardo_status expected, const char *message)
{
    static char text[2048];
    cardo_error error = {0};
    cardo_model *model = NULL;
    snprintf(text, sizeof text,
             "<cardo version=\"1\"><model name=\"e\"><structure id=\"first\" file=\"%s\"/>"
             "<structure id=\"second\" file=\"%s\"/><domain name=\"V\" residues=\"2-108\"/>"
             "<domain name=\"C\" residues=\"114-216\"/><hinge residues=\"109-113\"/>"
             "<body name=\"V\" domains=\"V\" %s/>"
             "<body name=\"C\" domains=\"C\" parent=\"V\" %s><path/></body></model></cardo>",
             support_source("pdb/2mcg_1.pdb"), support_source("pdb/2mcg_2.pdb"), attributes,
             attributes);
    cardo_status status =
        cardo_model_read(support_write("elbow.xml", text), 0, NULL, &model, &error);
    if (expected != CARDO_OK)
        assert_fails(status, &error, expected, message);
    else
        assert_ok(status, &error);
    return model;
}

static double torsion(const cardo_structure *s, int residue, const char *const names[4])
{
    cardo_vec3 x[4];
    for (int k = 0; k < 4; ++k) {
        int atom = cardo_structure_find_atom(s, residue, names[k]);
        assert_true(atom >= 0);
        x[k] = v3_load(s->position + 3 * atom);
    }
    cardo_vec3 a = v3_sub(x[1], x[0]), b = v3_sub(x[2], x[1]), c = v3_sub(x[3], x[2]);
    cardo_vec3 n = v3_cross(a, b), m = v3_cross(b, c);
    return atan2(v3_norm(b) * v3_dot(a, m), v3_dot(n, m));
}

/* Leucines of both structures: with the second's conformers their torsions are the second's, to the
 * digits of the coordinates, and no bond has changed. */
static void torsions_are_the_donors(void **unused)
{
    (void)unused;
    static const char *const chi1[] = {"N", "CA", "CB", "CG"}, *const chi2[] = {"CA", "CB", "CG",
                                                                                "CD1"};
    cardo_model *plain = elbow("", CARDO_OK, NULL);
    cardo_model *model = elbow("conformer=\"second\"", CARDO_OK, NULL);
    const cardo_structure *s = model->structure[0].structure, *p = plain->structure[0].structure;
    const cardo_structure *donor = model->structure[1].structure;
    int compared = 0;
    double changed = 0;
    assert_non_null(model->deposited);
    for (int r = 0; r < s->nresidue; ++r) {
        int other = model->structure[1].match[r];
        if (strcmp(s->residue_name[r].text, "LEU") != 0 || other < 0)
            continue;
        double wanted[2] = {torsion(donor, other, chi1), torsion(donor, other, chi2)};
        double got[2] = {torsion(s, r, chi1), torsion(s, r, chi2)};
        for (int k = 0; k < 2; ++k)
            assert_close(remainder(got[k] - wanted[k], 6.283185307179586), 0, 1e-12);
        changed = fmax(changed, fabs(got[0] - torsion(p, r, chi1)));
        ++compared;
    }
    assert_true(compared > 5 && changed > 0.1);
    for (int i = 0; i < s->natom; ++i) {
        bool backbone = strcmp(s->atom_name[i].text, "N") == 0 ||
                        strcmp(s->atom_name[i].text, "CA") == 0 ||
                        strcmp(s->atom_name[i].text, "O") == 0;
        assert_close(model->deposited[3 * i], p->position[3 * i], 0);
        if (backbone)
            assert_close(s->position[3 * i], p->position[3 * i], 0);
    }
    cardo_model_destroy(model);
    cardo_model_destroy(plain);
}

static void bonds_stay(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    char *templates;
    cardo_bonds *bonds;
    cardo_model *model = elbow("conformer=\"second\"", CARDO_OK, NULL);
    const cardo_structure *s = model->structure[0].structure;
    assert_ok(cardo_find_data("residues.xml", NULL, "topologies", &templates, &error), &error);
    assert_ok(cardo_bonds_find(s, templates, &bonds, &error), &error);
    for (int k = 0; k < bonds->nbond; ++k) {
        int i = bonds->bond[k][0], j = bonds->bond[k][1];
        const double *before = model->deposited, *after = s->position;
        assert_close(v3_norm(v3_sub(v3_load(after + 3 * i), v3_load(after + 3 * j))),
                     v3_norm(v3_sub(v3_load(before + 3 * i), v3_load(before + 3 * j))), 1e-12);
    }
    cardo_free(templates);
    cardo_bonds_destroy(bonds);
    cardo_model_destroy(model);
}

static void unknown_structures_are_refused(void **unused)
{
    (void)unused;
    elbow("conformer=\"secnd\"", CARDO_ERROR_INPUT, "did you mean 'second'");
}

/* The least distance between the domains' heavy atoms, from the system itself. */
static double brute_force(const cardo_model *model, double q)
{
    cardo_error error = {0};
    cardo_system *system;
    cardo_state *state;
    const cardo_structure *s = model->structure[0].structure;
    double start[32], *x, least = HUGE_VAL;
    int *rider;
    cardo_body_info info;
    assert_ok(cardo_model_compile(model, NULL, &system, &error), &error);
    assert_ok(cardo_state_create(system, &state, &error), &error);
    assert_ok(CARDO_ALLOCATE(&x, 3 * s->natom, &error), &error);
    assert_ok(CARDO_ALLOCATE(&rider, s->nresidue, &error), &error);
    cardo_model_riders(model, rider);
    cardo_model_initial_q(model, system, start);
    cardo_system_body(system, cardo_system_find_body(system, "C"), &info);
    start[info.q_first] = q;
    cardo_state_set_q(state, start);
    assert_ok(cardo_realize(system, state, CARDO_STAGE_POSITION, &error), &error);
    assert_ok(cardo_station_positions(system, state, x, &error), &error);
    for (int i = 0; i < s->natom; ++i)
        for (int j = 0; j < i; ++j) {
            int r = s->atom_residue[i], t = s->atom_residue[j];
            if (s->element[i] == 1 || s->element[j] == 1 || rider[r] == rider[t] || r - t < 3 ||
                (s->element[i] == 16 && s->element[j] == 16))
                continue;
            least = fmin(least, v3_norm(v3_sub(v3_load(x + 3 * i), v3_load(x + 3 * j))));
        }
    cardo_free(x);
    cardo_free(rider);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
    return least;
}

static void distances_are_those_of_the_atoms(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_clash_list list;
    double fractions[] = {0, 0.3, 1};
    cardo_model *model = elbow("", CARDO_OK, NULL);
    assert_ok(cardo_clashes_find(model, NULL, 3, fractions, NULL, &list, &error), &error);
    for (int k = 0; k < 3; ++k) {
        double expected = brute_force(model, fractions[k]);
        assert_close(list.nearest[k].distance, expected, 1e-9);
    }
    for (int k = 1; k < list.npair; ++k)
        assert_true(list.pair[k].distance >= list.pair[k - 1].distance);
    cardo_clash_list_clear(&list);
    cardo_model_destroy(model);
}

/* LAO by its own side chains jams in Tyr14 and Ala164; by those of 1LST, or the best of both, it
 * closes. */
static cardo_model *lao(const char *conformer)
{
    static char text[2048];
    cardo_error error = {0};
    cardo_model *model;
    snprintf(text, sizeof text,
             "<cardo version=\"1\"><model name=\"l\"><structure id=\"open\" file=\"%s\"/>"
             "<structure id=\"closed\" file=\"%s\"/><domain name=\"s\" residues=\"1-89,194-238\"/>"
             "<domain name=\"m\" residues=\"92-191\"/><hinge residues=\"90-91,192-193\"/>"
             "<body name=\"s\" domains=\"s\" %s/>"
             "<body name=\"m\" domains=\"m\" parent=\"s\" %s><path/></body></model></cardo>",
             support_shared("reference/openmm/2lao/2lao.pdb"), support_shared("pdb/1lst.pdb"),
             conformer, conformer);
    assert_ok(cardo_model_read(support_write("lao.xml", text), 0, NULL, &model, &error), &error);
    return model;
}

static double least_along(const char *conformer, int number[2])
{
    cardo_error error = {0};
    cardo_clash_list list;
    double fractions[11], least = HUGE_VAL;
    cardo_model *model = lao(conformer);
    const cardo_structure *s = model->structure[0].structure;
    for (int k = 0; k < 11; ++k)
        fractions[k] = 0.1 * k;
    assert_ok(cardo_clashes_find(model, NULL, 11, fractions, NULL, &list, &error), &error);
    for (int k = 0; k < 11; ++k)
        least = fmin(least, list.nearest[k].distance);
    for (int side = 0; side < 2; ++side)
        number[side] = s->residue_number[s->atom_residue[list.pair[0].atom[side]]];
    assert_close(list.pair[0].distance, least, 0);
    print_message("%s: %.3f nm, %d-%d\n", conformer, least, number[0], number[1]);
    cardo_clash_list_clear(&list);
    cardo_model_destroy(model);
    return least;
}

static void lao_closes_with_the_right_side_chains(void **unused)
{
    (void)unused;
    int number[2];
    double open = least_along("", number);
    assert_int_equal(number[0], 14);
    assert_int_equal(number[1], 164);
    assert_true(open < 0.16);
    double closed = least_along("conformer=\"closed\"", number);
    double best = least_along("conformer=\"best\"", number);
    assert_true(closed > open + 0.05);
    assert_true(best > open + 0.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(torsions_are_the_donors),
        cmocka_unit_test(bonds_stay),
        cmocka_unit_test(unknown_structures_are_refused),
        cmocka_unit_test(distances_are_those_of_the_atoms),
        shared_test(lao_closes_with_the_right_side_chains),
    };
    return support_run(tests, NULL, NULL);
}
