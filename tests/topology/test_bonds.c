/* The bond graph: links between residues and where they end, disulfides, and other names for atoms
 * and residues. */
#include "support/support.h"

#include "structure/pdb/pdb.h"
#include "topology/bonds.h"

#include <stdio.h>
#include <string.h>

typedef struct fixture {
    cardo_structure *structure;
    cardo_bonds *bonds;
    cardo_error error;
} fixture;

static const char *residues_path(void)
{
    return support_source("topologies/residues.xml");
}

static fixture load(const char *pdb)
{
    fixture f = {0};
    assert_ok(cardo_pdb_parse(pdb, strlen(pdb), "test.pdb", 0, &f.structure, &f.error), &f.error);
    assert_ok(cardo_bonds_find(f.structure, residues_path(), &f.bonds, &f.error), &f.error);
    return f;
}

static void release(fixture *f)
{
    cardo_bonds_destroy(f->bonds);
    cardo_structure_destroy(f->structure);
}

static bool bonded(const fixture *f, int residue_a, const char *a, int residue_b, const char *b)
{
    int i = cardo_structure_find_atom(f->structure, residue_a, a);
    int j = cardo_structure_find_atom(f->structure, residue_b, b);
    assert_true(i >= 0 && j >= 0);
    bool found = false;
    for (int k = f->bonds->neighbour_first[i]; k < f->bonds->neighbour_first[i + 1]; ++k)
        found = found || f->bonds->neighbour[k] == j;
    return found;
}

/* One ATOM record; coordinates in angstrom. */
static void add(char *pdb, const char *atom, const char *residue, char chain, int number, double x,
                double y)
{
    sprintf(pdb + strlen(pdb), "ATOM  %5d %-4s %3s %c%4d    %8.3f%8.3f%8.3f  1.00  0.00\n", 1, atom,
            residue, chain, number, x, y, 0.0);
}

static void test_rows_are_sorted_and_symmetric(void **state)
{
    (void)state;
    fixture f = {0};
    assert_ok(cardo_structure_read(support_shared("reference/openmm/2lao/2lao.pdb"), 0,
                                   &f.structure, &f.error),
              &f.error);
    assert_ok(cardo_bonds_find(f.structure, residues_path(), &f.bonds, &f.error), &f.error);
    const cardo_bonds *b = f.bonds;
    assert_int_equal(b->nbond, 3682);
    assert_int_equal(b->neighbour_first[f.structure->natom], 2 * b->nbond);
    for (int k = 1; k < b->nbond; ++k)
        assert_true(b->bond[k - 1][0] < b->bond[k][0] ||
                    (b->bond[k - 1][0] == b->bond[k][0] && b->bond[k - 1][1] < b->bond[k][1]));
    for (int i = 0; i < f.structure->natom; ++i)
        for (int k = b->neighbour_first[i] + 1; k < b->neighbour_first[i + 1]; ++k)
            assert_true(b->neighbour[k - 1] < b->neighbour[k]);
    assert_int_equal(b->ncrosslink, 1);
    assert_string_equal(f.structure->atom_name[b->crosslink[0][0]].text, "SG");
    assert_int_equal(f.structure->residue_number[f.structure->atom_residue[b->crosslink[0][0]]],
                     38);
    assert_int_equal(f.structure->residue_number[f.structure->atom_residue[b->crosslink[0][1]]],
                     45);
    release(&f);
}

static void test_peptide_link_ends_at_a_gap(void **state)
{
    (void)state;
    const double at[3] = {1.33, 2.49, 2.51};
    for (int k = 0; k < 3; ++k) {
        char pdb[2000] = "";
        add(pdb, " CA", "GLY", 'A', 1, -1.5, 0);
        add(pdb, " C", "GLY", 'A', 1, 0, 0);
        add(pdb, " N", "ALA", 'A', 2, at[k], 0);
        add(pdb, " CA", "ALA", 'A', 2, at[k] + 1.4, 0);
        fixture f = load(pdb);
        assert_true(bonded(&f, 0, "C", 0, "CA"));
        assert_int_equal(bonded(&f, 0, "C", 1, "N"), at[k] < 2.5);
        release(&f);
    }
}

static void test_no_link_between_chains(void **state)
{
    (void)state;
    char pdb[2000] = "";
    add(pdb, " C", "GLY", 'A', 1, 0, 0);
    strcat(pdb, "TER\n");
    add(pdb, " N", "ALA", 'A', 2, 2.2, 0);
    add(pdb, " C", "ALA", 'A', 2, 4.6, 0);
    add(pdb, " N", "ALA", 'B', 3, 5.9, 0);
    fixture f = load(pdb);
    assert_int_equal(f.bonds->nbond, 0);
    release(&f);
    /* A TER between residues that are bonded ends no chain. */
    pdb[0] = '\0';
    add(pdb, " C", "GLY", 'A', 1, 0, 0);
    strcat(pdb, "TER\n");
    add(pdb, " N", "ALA", 'A', 2, 1.33, 0);
    f = load(pdb);
    assert_true(bonded(&f, 0, "C", 1, "N"));
    release(&f);
}

static void test_nucleic_link(void **state)
{
    (void)state;
    char pdb[2000] = "";
    add(pdb, " C3'", "DA", 'A', 1, -1.4, 0);
    add(pdb, " O3'", "DA", 'A', 1, 0, 0);
    add(pdb, " P", "DG", 'A', 2, 1.6, 0);
    add(pdb, " O5'", "DG", 'A', 2, 2.6, 1.2);
    fixture f = load(pdb);
    assert_true(bonded(&f, 0, "O3'", 1, "P"));
    assert_true(bonded(&f, 1, "O5'", 1, "P"));
    assert_int_equal(f.bonds->nbond, 3);
    release(&f);
}

static void add_cysteine(char *pdb, int number, double x, bool hydrogen)
{
    add(pdb, " CB", "CYS", 'A', number, x, 1.8);
    add(pdb, " SG", "CYS", 'A', number, x, 0);
    if (hydrogen)
        add(pdb, " HG", "CYS", 'A', number, x, -1.3);
}

static void test_disulfides_by_distance(void **state)
{
    (void)state;
    char pdb[2000] = "";
    /* Sulfurs 1 and 2 are near, 3 is nearer to 2, which is taken; 4 has its hydrogen; 5 is far. */
    add_cysteine(pdb, 1, 0, false);
    add_cysteine(pdb, 2, 2.9, false);
    add_cysteine(pdb, 3, 4.9, false);
    add_cysteine(pdb, 4, 6.9, true);
    add_cysteine(pdb, 5, 8.9, false);
    fixture f = load(pdb);
    assert_int_equal(f.bonds->ncrosslink, 1);
    assert_true(bonded(&f, 0, "SG", 1, "SG"));
    assert_false(bonded(&f, 1, "SG", 2, "SG"));
    release(&f);
}

static void test_recorded_disulfides_come_first(void **state)
{
    (void)state;
    char pdb[3000] =
        "SSBOND   1 CYS A    2    CYS A    3                          1555   1555  3.10\n"
        "SSBOND   2 CYS A    1    CYS A    5                          1555   2655  2.05\n";
    add_cysteine(pdb, 1, 0, false);
    add_cysteine(pdb, 2, 2.1, false);
    add_cysteine(pdb, 3, 5.2, false);
    add_cysteine(pdb, 5, 30.0, false);
    fixture f = load(pdb);
    assert_int_equal(f.bonds->ncrosslink, 1);
    assert_true(bonded(&f, 1, "SG", 2, "SG"));
    /* A symmetry mate is meant: too far to be a bond here. */
    assert_false(bonded(&f, 0, "SG", 3, "SG"));
    release(&f);
}

/* One LINK record. */
static void add_link(char *pdb, const char *atom, const char *residue, int number,
                     const char *other_atom, const char *other_residue, int other_number)
{
    sprintf(pdb + strlen(pdb), "LINK        %-4s %3s A%4d                %-4s %3s A%4d\n", atom,
            residue, number, other_atom, other_residue, other_number);
}

static void test_recorded_links_are_bonds(void **state)
{
    (void)state;
    char pdb[3000] = "";
    add_link(pdb, " NZ", "LYS", 1, " CG", "ASP", 4);
    add_link(pdb, " CG", "ASP", 4, " NZ", "LYS", 1); /* twice: still one */
    add_link(pdb, " OD1", "ASP", 4, "ZN  ", " ZN", 9);
    add_link(pdb, " SG", "CYS", 6, " CB", "SER", 8);
    add_link(pdb, " OD2", "ASP", 4, " CB", "CYS", 6); /* 9 angstrom */
    add(pdb, " CE", "LYS", 'A', 1, -1.5, 0);
    add(pdb, " NZ", "LYS", 'A', 1, 0, 0);
    add(pdb, " CG", "ASP", 'A', 4, 1.33, 0);
    add(pdb, " OD1", "ASP", 'A', 4, 1.9, 1.1);
    add(pdb, " OD2", "ASP", 'A', 4, 1.9, -1.1);
    add_cysteine(pdb, 6, 9, false);
    add_cysteine(pdb, 7, 9 + 2.0, false); /* near, but the sulfur of 6 has its two bonds */
    add(pdb, " CB", "SER", 'A', 8, 9, -1.82);
    add(pdb, "ZN  ", " ZN", 'A', 9, 1.9, 3.1);
    fixture f = load(pdb);
    assert_int_equal(f.structure->nlink, 5);
    assert_int_equal(f.bonds->ncrosslink, 2);
    assert_true(bonded(&f, 0, "NZ", 1, "CG"));
    assert_true(bonded(&f, 2, "SG", 4, "CB"));
    assert_false(bonded(&f, 2, "SG", 3, "SG"));
    assert_false(bonded(&f, 1, "OD1", 5, "ZN"));
    assert_false(bonded(&f, 1, "OD2", 2, "CB"));
    release(&f);
}

/* A residue without template is held in its chain by the file's word; that is no crosslink. */
static void test_recorded_links_of_a_chain(void **state)
{
    (void)state;
    char pdb[3000] = "";
    add_link(pdb, " C", "GLY", 1, " N", "XYZ", 2);
    add_link(pdb, " C", "XYZ", 2, " N", "GLY", 3);
    add(pdb, " CA", "GLY", 'A', 1, -1.5, 0);
    add(pdb, " C", "GLY", 'A', 1, 0, 0);
    add(pdb, " N", "XYZ", 'A', 2, 1.33, 0);
    add(pdb, " C", "XYZ", 'A', 2, 3.8, 0);
    add(pdb, " N", "GLY", 'A', 3, 5.1, 0);
    fixture f = load(pdb);
    assert_int_equal(f.bonds->ncrosslink, 0);
    assert_true(bonded(&f, 0, "C", 1, "N"));
    assert_true(bonded(&f, 1, "C", 2, "N"));
    release(&f);
}

static void test_aliases_bond_without_renaming(void **state)
{
    (void)state;
    char pdb[2000] = "";
    add(pdb, " N", "HSD", 'A', 1, 0, 0);
    add(pdb, " HN", "HSD", 'A', 1, 1, 0);
    fixture f = load(pdb);
    assert_true(bonded(&f, 0, "N", 0, "HN"));
    assert_string_equal(f.structure->residue_name[0].text, "HSD");
    release(&f);
}

static void test_names_are_normalised(void **state)
{
    (void)state;
    static const char *const residues[][2] = {
        {"HSD", "HIS"}, {"HSE", "HIS"}, {"HID", "HIS"}, {"HIE", "HIS"}, {"HIP", "HIS"},
        {"ASH", "ASP"}, {"GLH", "GLU"}, {"LYN", "LYS"}, {"CYM", "CYS"}, {"CYX", "CYS"},
        {"WAT", "HOH"}, {"DA5", "DA"},  {"ALA", "ALA"}, {"XYZ", "XYZ"},
    };
    for (size_t k = 0; k < sizeof residues / sizeof *residues; ++k) {
        char pdb[2000] = "";
        add(pdb, " N", residues[k][0], 'A', 1, 0, 0);
        fixture f = load(pdb);
        assert_ok(cardo_normalise_names(f.structure, residues_path(), &f.error), &f.error);
        assert_string_equal(f.structure->residue_name[0].text, residues[k][1]);
        release(&f);
    }
}

static void test_atom_names_are_normalised(void **state)
{
    (void)state;
    /* Residue, names in the file, standard names. */
    static const char *const atoms[][3] = {
        {"LYS", "HN", "H"},    {"LYS", "HB1", "HB3"}, {"LYS", "OT1", "O"},
        {"LYS", "OT2", "OXT"}, {"ILE", "CD", "CD1"},  {"ILE", "1HD1", "HD11"},
        {"DA", "O1P", "OP1"},  {"DA", "C1*", "C1'"},  {"DA", "2H5'", "H5''"},
        {"LYS", "CX9", "CX9"}, {"SOL", "OW", "O"},
    };
    for (size_t k = 0; k < sizeof atoms / sizeof *atoms; ++k) {
        char pdb[2000] = "";
        add(pdb, atoms[k][1], atoms[k][0], 'A', 1, 0, 0);
        fixture f = load(pdb);
        assert_ok(cardo_normalise_names(f.structure, residues_path(), &f.error), &f.error);
        assert_string_equal(f.structure->atom_name[0].text, atoms[k][2]);
        release(&f);
    }
}

static void test_alias_gives_way_to_the_standard_name(void **state)
{
    (void)state;
    char pdb[2000] = "";
    /* HB1 alone would be HB3; here that name is taken. */
    add(pdb, " HB1", "LYS", 'A', 1, 0, 0);
    add(pdb, " HB3", "LYS", 'A', 1, 1, 0);
    fixture f = load(pdb);
    assert_ok(cardo_normalise_names(f.structure, residues_path(), &f.error), &f.error);
    assert_string_equal(f.structure->atom_name[0].text, "HB1");
    assert_string_equal(f.structure->atom_name[1].text, "HB3");
    release(&f);
}

static void test_unknown_residues_have_no_bonds(void **state)
{
    (void)state;
    char pdb[2000] = "";
    add(pdb, " C1", "LIG", 'A', 1, 0, 0);
    add(pdb, " C2", "LIG", 'A', 1, 1.5, 0);
    fixture f = load(pdb);
    assert_int_equal(f.bonds->nbond, 0);
    assert_int_equal(f.bonds->neighbour_first[2], 0);
    release(&f);
}

static void test_wrong_files(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"<Wrong/>", "expected <Residues>"},
        {"<Residues>\n<Residue/>\n</Residues>", "name"},
        {"<Residues>\n<Residue name='ALANINE-WITH-A-VERY-LONG-NAME'/>\n</Residues>",
         "residues.xml:2"},
        {"<Residues>\n<Residue name='ALA'>\n<Bond from='N'/></Residue>\n</Residues>",
         "residues.xml:3"},
        {"<Residues>\n<Residue name='ALA'>\n<Bond from='-' to='N'/></Residue>\n</Residues>",
         "residues.xml:3"},
        {"<Residues>", "residues.xml:1"},
        {"", "residues.xml"},
    };
    char pdb[2000] = "";
    add(pdb, " N", "ALA", 'A', 1, 0, 0);
    fixture f = load(pdb);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        cardo_bonds *bonds = NULL;
        const char *path = support_write("residues.xml", cases[k][0]);
        assert_fails(cardo_bonds_find(f.structure, path, &bonds, &f.error), &f.error,
                     CARDO_ERROR_INPUT, cases[k][1]);
        assert_null(bonds);
    }
    cardo_bonds *bonds = NULL;
    assert_fails(cardo_bonds_find(f.structure, "/nowhere/residues.xml", &bonds, &f.error), &f.error,
                 CARDO_ERROR_FILE, "/nowhere/residues.xml");
    release(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        shared_test(test_rows_are_sorted_and_symmetric),
        cmocka_unit_test(test_peptide_link_ends_at_a_gap),
        cmocka_unit_test(test_no_link_between_chains),
        cmocka_unit_test(test_nucleic_link),
        cmocka_unit_test(test_disulfides_by_distance),
        cmocka_unit_test(test_recorded_disulfides_come_first),
        cmocka_unit_test(test_recorded_links_are_bonds),
        cmocka_unit_test(test_recorded_links_of_a_chain),
        cmocka_unit_test(test_aliases_bond_without_renaming),
        cmocka_unit_test(test_names_are_normalised),
        cmocka_unit_test(test_atom_names_are_normalised),
        cmocka_unit_test(test_alias_gives_way_to_the_standard_name),
        cmocka_unit_test(test_unknown_residues_have_no_bonds),
        cmocka_unit_test(test_wrong_files),
    };
    return support_run(tests, NULL, NULL);
}
