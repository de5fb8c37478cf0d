/* AMBER topologies and restarts as they are written: rows worked out by hand, what the reader makes of them, and what has no place
 * there. That OpenMM finds the same energies in them, tests/cli/handoff_amber.py sees to. */
#include "base/memory.h"
#include "forces/terms/prmtop.h"
#include "structure/amber/amber.h"
#include "structure/atoms/allocate.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ATOMS = 5 };

/* C-N-C-O-H, an improper about the third and a torsion that ends at the first: both must be turned round. No torsion stands at the
 * ends of the second 1-4 pair. */
static cardo_bond_term bonds[] = {
    {0, 1, 0.15, 83680}, {1, 2, 0.15, 83680}, {3, 2, 0.14, 83680}, {3, 4, 0.096, 251040}};
static cardo_angle_term angles[] = {{0, 1, 2, 2, 400}, {1, 2, 3, 2, 400}, {2, 3, 4, 1.9, 300}};
static cardo_torsion_term torsions[] = {
    {3, 2, 1, 0, 3, 0, 8.368}, {3, 2, 1, 0, 1, 3.14159265358979, 4.184}, {1, 3, 2, 0, 2, 3, 2.092}};
static double mass[] = {12.01, 14.01, 12.01, 16, 1.008}, charge[] = {0.1, -0.1, 0.5, -0.5, 0.4},
              sigma[] = {0.34, 0.325, 0.34, 0.3, 0.7}, epsilon[] = {0.4, 0.7, 0.4, 0.9, 0},
              radius[] = {0.17, 0.155, 0.17, 0.15, 0.12}, scale[] = {0.72, 0.79, 0.72, 0.85, 0.85};
static cardo_exception_term exceptions[] = {
    {0, 1, 0, 1, 0}, {2, 1, 0, 1, 0}, {3, 0, 0.1 * -0.5 / 1.2, 0.32, 0.6 / 2},
    {2, 3, 0, 1, 0}, {3, 4, 0, 1, 0}, {0, 2, 0, 1, 0},
    {1, 3, 0, 1, 0}, {2, 4, 0, 1, 0}, {1, 4, -0.1 * 0.4 / 1.25, 1, 0},
};

static cardo_terms terms(void)
{
    return (cardo_terms){.natom = ATOMS,
                         .number.mass = mass,
                         .nbond = 4,
                         .nangle = 3,
                         .ntorsion = 3,
                         .nexception = 9,
                         .list.bond = bonds,
                         .list.angle = angles,
                         .list.torsion = torsions,
                         .has_nonbonded = true,
                         .number.charge = charge,
                         .number.sigma = sigma,
                         .number.epsilon = epsilon,
                         .list.exception = exceptions};
}

static cardo_structure *structure(void)
{
    static const char *const names[] = {"C1", "N", "C2", "O", "HO1'"};
    static const unsigned char elements[] = {6, 7, 6, 8, 1};
    cardo_structure *s = NULL;
    cardo_error error = {0};
    assert_ok(cardo_structure_allocate("by hand", ATOMS, 2, 1, 0, &s, &error), &error);
    for (int i = 0; i < ATOMS; ++i) {
        snprintf(s->atom_name[i].text, sizeof s->atom_name[i].text, "%s", names[i]);
        s->element[i] = elements[i];
        s->atom_residue[i] = i > 1;
    }
    snprintf(s->residue_name[0].text, sizeof s->residue_name[0].text, "ALA");
    snprintf(s->residue_name[1].text, sizeof s->residue_name[1].text, "GLYCINE");
    s->residue_first[1] = 2;
    s->residue_first[2] = ATOMS;
    s->chain_first[1] = 2;
    return s;
}

static const char *print(const cardo_terms *t)
{
    static char path[300];
    cardo_error error = {0};
    cardo_structure *s = structure();
    snprintf(path, sizeof path, "%s/written.prmtop", support_scratch());
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_ok(cardo_prmtop_print(t, s, file, &error), &error);
    fclose(file);
    cardo_structure_destroy(s);
    return path;
}

static void has_section(const char *text, const char *section)
{
    if (!strstr(text, section))
        fail_msg("there is no\n%s in\n%s", section, text);
}

static void rows_are_those_of_the_format(void **state)
{
    (void)state;
    cardo_terms t = terms();
    static char text[20000];
    FILE *file = fopen(print(&t), "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    has_section(text,
                "%FLAG POINTERS\n%FORMAT(10I8)\n"
                "       5       4       1       3       1       2       1       3       0       0\n"
                "      10       2       3       2       3       3       2       4       1       0\n"
                "       0       0       0       0       0       0       0       0       3       0\n"
                "       0\n");
    has_section(text, "%FLAG ATOM_NAME\n%FORMAT(20a4)\nC1  N   C2  O   HO1'\n");
    has_section(text, "%FLAG RESIDUE_LABEL\n%FORMAT(20a4)\nALA GLYC\n");
    has_section(text, "%FLAG RESIDUE_POINTER\n%FORMAT(10I8)\n       1       3\n");
    has_section(text, "%FLAG BOND_FORCE_CONSTANT\n%FORMAT(5E16.8)\n"
                      "  1.00000000E+02  1.00000000E+02  3.00000000E+02\n");
    has_section(text, "%FLAG BONDS_INC_HYDROGEN\n%FORMAT(10I8)\n       9      12       3\n");
    has_section(text,
                "%FLAG ATOM_TYPE_INDEX\n%FORMAT(10I8)\n       1       2       1       3       4\n");
    has_section(text,
                "%FLAG NONBONDED_PARM_INDEX\n%FORMAT(10I8)\n"
                "       1       2       4       7       2       3       5       8       4       5\n"
                "       6       9       7       8       9      10\n");
    has_section(text, "%FLAG NUMBER_EXCLUDED_ATOMS\n%FORMAT(10I8)\n"
                      "       3       3       2       1       1\n");
    has_section(
        text, "%FLAG EXCLUDED_ATOMS_LIST\n%FORMAT(10I8)\n"
              "       2       3       4       3       4       5       4       5       5       0\n");
    has_section(text, "%FLAG DIHEDRALS_INC_HYDROGEN\n%FORMAT(10I8)\n"
                      "       3       6       9      12       4\n");
    has_section(text,
                "%FLAG DIHEDRALS_WITHOUT_HYDROGEN\n%FORMAT(10I8)\n"
                "       0       3       6       9       1       0       3      -6       9       2\n"
                "       0       6      -9      -3       3\n");
    has_section(text, "%FLAG SCEE_SCALE_FACTOR\n%FORMAT(5E16.8)\n"
                      "  1.20000000E+00  1.20000000E+00  1.20000000E+00  1.25000000E+00\n");
    has_section(text, "%FLAG DIHEDRAL_FORCE_CONSTANT\n%FORMAT(5E16.8)\n"
                      "  2.00000000E+00  1.00000000E+00  5.00000000E-01  0.00000000E+00\n");
    has_section(text, "%FLAG RADII\n%FORMAT(5E16.8)\n  0.00000000E+00");
}

static void the_reader_finds_the_same_terms(void **state)
{
    (void)state;
    static const char *const models[] = {"hct", "obc1", "obc2", NULL};
    cardo_error error = {0};
    for (int k = 0; models[k]; ++k) {
        cardo_terms t = terms(), *r = NULL;
        cardo_structure *s = NULL;
        t.has_gb = true;
        t.gb_model = cardo_gb_model_find(models[k]);
        t.number.gb_radius = radius;
        t.number.gb_scale = scale;
        assert_ok(cardo_prmtop_read(print(&t), models[k], &r, &s, &error), &error);
        assert_int_equal(r->nbond, 4);
        assert_int_equal(r->nangle, 3);
        assert_int_equal(r->ntorsion, 3);
        assert_int_equal(r->nexception, 9);
        assert_int_equal(s->nresidue, 2);
        assert_string_equal(s->atom_name[4].text, "HO1'");
        for (int i = 0; i < ATOMS; ++i) {
            assert_int_equal(s->element[i], i == 4 ? 1 : i == 3 ? 8 : i == 1 ? 7 : 6);
            assert_close(cardo_terms_mass(r, i), mass[i], 1e-8);
            assert_close(cardo_terms_charge(r, i), charge[i], 1e-9);
            assert_close(cardo_terms_epsilon(r, i), epsilon[i], 1e-8);
            assert_close(epsilon[i] > 0 ? cardo_terms_sigma(r, i) : 0,
                         epsilon[i] > 0 ? sigma[i] : 0, 1e-9);
            assert_close(cardo_terms_gb_radius(r, i), radius[i], 1e-9);
            assert_close(cardo_terms_gb_scale(r, i), scale[i], 1e-9);
        }
        for (int i = 0; i < 9; ++i) {
            const cardo_exception_term *want = &exceptions[i], *found = NULL;
            for (int j = 0; j < 9; ++j)
                if (r->list.exception[j].a + r->list.exception[j].b == want->a + want->b &&
                    r->list.exception[j].a * r->list.exception[j].b == want->a * want->b)
                    found = &r->list.exception[j];
            assert_non_null(found);
            assert_close(found->charge_product, want->charge_product, 1e-9);
            assert_close(found->epsilon, want->epsilon, 1e-8);
        }
        for (int i = 0; i < 3; ++i) {
            assert_close(r->list.torsion[i].k, torsions[i].k, 1e-8);
            assert_close(r->list.torsion[i].phase, torsions[i].phase, 1e-8);
            assert_int_equal(r->list.torsion[i].periodicity, torsions[i].periodicity);
            assert_int_equal(r->list.torsion[i].d, torsions[i].a);
        }
        cardo_terms_destroy(r);
        cardo_structure_destroy(s);
    }
    cardo_terms t = terms(), *r = NULL;
    assert_fails(cardo_prmtop_read(print(&t), "obc2", &r, NULL, &error), &error, CARDO_ERROR_INPUT,
                 "written without a solvent");
}

static void refused(const cardo_terms *t, const char *words)
{
    cardo_error error = {0};
    assert_fails(cardo_prmtop_can_hold(t, &error), &error, CARDO_ERROR_UNSUPPORTED, words);
}

static void what_has_no_place_is_refused(void **state)
{
    (void)state;
    cardo_error error = {0};
    cardo_terms t = terms();
    assert_ok(cardo_prmtop_can_hold(&t, &error), &error);
    t.ncmap = 1;
    refused(&t, "CMAP");
    t = terms();
    t.nharmonic_torsion = 1;
    refused(&t, "harmonic impropers");
    t = terms();
    t.nrb_torsion = 1;
    refused(&t, "Ryckaert-Bellemans");
    t = terms();
    t.nspecial_pair = 1;
    refused(&t, "NBFIX");
    t = terms();
    t.has_nonbonded = false;
    refused(&t, "no nonbonded");
    cardo_exception_term pairs[9];
    t = terms();
    t.list.exception = pairs;
    memcpy(pairs, exceptions, sizeof pairs);
    pairs[2].sigma = 0.33;
    refused(&t, "pair of atoms 4 and 1 has parameters of its own");
    memcpy(pairs, exceptions, sizeof pairs);
    pairs[2].epsilon = 0;
    refused(&t, "pair of atoms 4 and 1");
    memcpy(pairs, exceptions, sizeof pairs);
    pairs[8].charge_product *= -1;
    refused(&t, "pair of atoms 2 and 5");
    memcpy(pairs, exceptions, sizeof pairs);
    pairs[5].charge_product = 0.05;
    pairs[5].epsilon = 0.4;
    pairs[5].sigma = 0.34;
    refused(&t, "pair of atoms 1 and 3 has parameters of its own and is not three bonds apart");
}

static void restarts_read_back(void **state)
{
    (void)state;
    static const double x[9] = {0.1, -0.25, 1234.56789, -12345.678, 1e-9, 99.99999999, 0, 7, -7};
    char path[300], line[200];
    double back[9];
    cardo_error error = {0};
    snprintf(path, sizeof path, "%s/m.rst7", support_scratch());
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    cardo_amber_restart_print("a frame", 3, x, file);
    fclose(file);
    assert_ok(cardo_amber_coordinates_read(path, 3, back, &error), &error);
    for (int k = 0; k < 9; ++k)
        assert_close(back[k], x[k], fabs(x[k]) > 1000 ? 1e-4 : 1e-8);
    file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, "a frame\n");
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, "     3\n");
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, "   1.0000000  -2.5000000"
                              "12345.678900-123456.7800   0.0000000 999.9999999\n");
    fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_those_of_the_format),
        cmocka_unit_test(the_reader_finds_the_same_terms),
        cmocka_unit_test(what_has_no_place_is_refused),
        cmocka_unit_test(restarts_read_back),
    };
    return support_run(tests, NULL, NULL);
}
