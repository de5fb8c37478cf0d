/* Elements, residue classes, lookups and subsets. */
#include "support/support.h"

#include "structure/pdb/pdb.h"

#include <string.h>

static cardo_error error;

static void knows_elements(void **state)
{
    (void)state;
    assert_int_equal(cardo_element_number("CA"), 20);
    assert_int_equal(cardo_element_number("c"), 6);
    assert_int_equal(cardo_element_number("Se"), 34);
    assert_int_equal(cardo_element_number("D"), 1);
    assert_int_equal(cardo_element_number("OG"), 118);
    assert_int_equal(cardo_element_number(""), 0);
    assert_int_equal(cardo_element_number("XX"), 0);
    assert_int_equal(cardo_element_number("Cat"), 0);
    for (int z = 1; z <= 118; ++z)
        assert_int_equal(cardo_element_number(cardo_element_symbol(z)), z);
    assert_string_equal(cardo_element_symbol(0), "");
    assert_string_equal(cardo_element_symbol(119), "");
    assert_close(cardo_element_mass(6), 12.011, 0);
    assert_close(cardo_element_mass(16), 32.06, 0);
    assert_close(cardo_element_mass(92), 238.03, 0);
    assert_close(cardo_element_mass(-1), 0, 0);
}

static void knows_residues(void **state)
{
    (void)state;
    static const char *const amino[] = {"ALA", "HIE", "HSD", "CYX", "ASH", "LYN", "ACE", "NME"};
    for (size_t i = 0; i < sizeof amino / sizeof amino[0]; ++i)
        assert_true(cardo_residue_is_amino(amino[i]));
    assert_false(cardo_residue_is_amino("MSE"));
    assert_false(cardo_residue_is_amino("HEM"));
    assert_true(cardo_residue_is_water("HOH") && cardo_residue_is_water("TIP3"));
    assert_true(cardo_residue_is_nucleic("DA") && cardo_residue_is_nucleic("U"));
    assert_false(cardo_residue_is_nucleic("DAL"));
    assert_int_equal(cardo_residue_letter("GLH"), 'E');
    assert_int_equal(cardo_residue_letter("MSE"), 'M');
    assert_int_equal(cardo_residue_letter("DT"), 'T');
    assert_int_equal(cardo_residue_letter("HEM"), 'X');
}

static const char two_chains[] =
    "SSBOND   1 CYS A    1    CYS A    2                          1555   1555  2.03\n"
    "CRYST1   50.000   60.000   70.000  90.00  90.00  90.00 P 1           1\n"
    "ATOM      1  N   CYS A   1       1.000   2.000   3.000  1.00 10.00           N\n"
    "ATOM      2  CA  CYS A   1       2.000   2.000   3.000  1.00 10.00           C\n"
    "ATOM      3  N   CYS A   2       3.000   2.000   3.000  1.00 10.00           N\n"
    "ATOM      4  CA  CYS A   2       4.000   2.000   3.000  1.00 10.00           C\n"
    "TER       5      CYS A   2\n"
    "HETATM    6  O   HOH A 101       5.000   2.000   3.000  1.00 10.00           O\n"
    "ATOM      7  CA  GLY B   1       6.000   2.000   3.000  1.00 10.00           C\n"
    "ATOM      8  CA  ALA B   1A      7.000   2.000   3.000  1.00 10.00           C\n";

static cardo_structure *example(void)
{
    cardo_structure *s;
    assert_ok(cardo_pdb_parse(two_chains, strlen(two_chains), "two.pdb", 0, &s, &error), &error);
    return s;
}

static void indexes_agree(void **state)
{
    (void)state;
    cardo_structure *s = example();
    assert_int_equal(s->natom, 7);
    assert_int_equal(s->nresidue, 5);
    assert_int_equal(s->nchain, 3);
    for (int c = 0; c < s->nchain; ++c)
        for (int r = s->chain_first[c]; r < s->chain_first[c + 1]; ++r) {
            assert_int_equal(s->residue_chain[r], c);
            for (int i = s->residue_first[r]; i < s->residue_first[r + 1]; ++i)
                assert_int_equal(s->atom_residue[i], r);
        }
    assert_int_equal(s->residue_first[s->nresidue], s->natom);
    assert_int_equal(s->chain_first[s->nchain], s->nresidue);
    cardo_structure_destroy(s);
}

static void finds_and_labels(void **state)
{
    (void)state;
    cardo_structure *s = example();
    char label[40];
    assert_int_equal(cardo_structure_find_atom(s, 1, "CA"), 3);
    assert_int_equal(cardo_structure_find_atom(s, 1, "CB"), -1);
    assert_int_equal(cardo_structure_find_residue(s, "B", 1, 'A'), 4);
    assert_int_equal(cardo_structure_find_residue(s, "B", 1, '\0'), 3);
    assert_int_equal(cardo_structure_find_residue(s, "*", 101, '\0'), 2);
    assert_int_equal(cardo_structure_find_residue(s, "B", 101, '\0'), -1);
    assert_string_equal(cardo_residue_label(s, 4, label), "B:ALA1A");
    assert_string_equal(cardo_residue_label(s, 0, label), "A:CYS1");
    cardo_structure_destroy(s);
}

static void keeps_a_subset(void **state)
{
    (void)state;
    cardo_structure *s = example(), *part;
    const bool alphas[] = {false, true, false, true, false, true, true};
    assert_ok(cardo_structure_subset(s, alphas, &part, &error), &error);
    assert_int_equal(part->natom, 4);
    assert_int_equal(part->nresidue, 4);
    assert_int_equal(part->nchain, 2);
    assert_int_equal(part->nbridge, 1);
    assert_string_equal(part->chain_id[1].text, "B");
    assert_int_equal(part->chain_first[1], 2);
    assert_int_equal(part->chain_first[2], 4);
    assert_int_equal(part->insertion[3], 'A');
    assert_close(part->position[3 * 2], 0.6, 1e-15);
    assert_true(part->has_cell);
    assert_close(part->cell[1], 6.0, 1e-15);
    cardo_structure_destroy(part);

    /* Half of a bridge is none. */
    const bool first[] = {true, true, false, false, false, false, false};
    assert_ok(cardo_structure_subset(s, first, &part, &error), &error);
    assert_int_equal(part->nbridge, 0);
    cardo_structure_destroy(part);

    const bool nothing[7] = {false};
    assert_ok(cardo_structure_subset(s, nothing, &part, &error), &error);
    assert_int_equal(part->natom + part->nresidue + part->nchain, 0);
    cardo_structure_destroy(part);
    cardo_structure_destroy(s);
    cardo_structure_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_elements), cmocka_unit_test(knows_residues),
        cmocka_unit_test(indexes_agree),  cmocka_unit_test(finds_and_labels),
        cmocka_unit_test(keeps_a_subset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
