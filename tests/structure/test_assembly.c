/* Biological assemblies by a file's own operators: places, names, links, sequences, and files that make no sense. */
#include "support/support.h"

#include "base/units.h"
#include "base/vec.h"
#include "structure/pdb/pdb.h"
#include "structure/records/copies.h"
#include "structure/records/remarks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cardo_error error;

static cardo_structure *built(const char *name, const char *text, const char *assembly)
{
    const cardo_read_options options = {.assembly = assembly};
    cardo_structure *s;
    assert_ok(cardo_structure_read_as(support_write(name, text), &options, &s, &error), &error);
    return s;
}

static void fails(const char *name, const char *text, const char *assembly, const char *words)
{
    const cardo_read_options options = {.assembly = assembly};
    cardo_structure *s = NULL;
    assert_int_equal(cardo_structure_read_as(support_write(name, text), &options, &s, &error),
                     CARDO_ERROR_INPUT);
    assert_null(s);
    if (!strstr(error.message, words))
        fail_msg("'%s' does not say '%s'", error.message, words);
}

static const char *chains_of(const cardo_structure *s)
{
    static char text[400];
    text[0] = '\0';
    for (int c = 0; c < s->nchain; ++c)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", c ? " " : "",
                 s->chain_id[c].text);
    return text;
}

static void is_at(const cardo_structure *s, int atom, double x, double y, double z)
{
    const double place[3] = {x, y, z};
    for (int k = 0; k < 3; ++k)
        assert_true(fabs(s->position[3 * (size_t)atom + (size_t)k] / CARDO_ANGSTROM - place[k]) <
                    1e-9);
}

/* Chain A about z by a half and then a quarter turn and 10 A along z, chain B as it is. */
#define OPERATORS                                                                                  \
    "REMARK 350 BIOMOLECULE: 1\n"                                                                  \
    "REMARK 350 APPLY THE FOLLOWING TO CHAINS: A\n"                                                \
    "REMARK 350   BIOMT1   1  1.000000  0.000000  0.000000        0.00000\n"                       \
    "REMARK 350   BIOMT2   1  0.000000  1.000000  0.000000        0.00000\n"                       \
    "REMARK 350   BIOMT3   1  0.000000  0.000000  1.000000        0.00000\n"                       \
    "REMARK 350   BIOMT1   2 -1.000000  0.000000  0.000000        0.00000\n"                       \
    "REMARK 350   BIOMT2   2  0.000000 -1.000000  0.000000        0.00000\n"                       \
    "REMARK 350   BIOMT3   2  0.000000  0.000000  1.000000       10.00000\n"                       \
    "REMARK 350   BIOMT1   3  0.000000 -1.000000  0.000000        0.00000\n"                       \
    "REMARK 350   BIOMT2   3  1.000000  0.000000  0.000000        0.00000\n"                       \
    "REMARK 350   BIOMT3   3  0.000000  0.000000  1.000000        0.00000\n"                       \
    "REMARK 350 APPLY THE FOLLOWING TO CHAINS: B\n"                                                \
    "REMARK 350   BIOMT1   4  1.000000  0.000000  0.000000        0.00000\n"                       \
    "REMARK 350   BIOMT2   4  0.000000  1.000000  0.000000        0.00000\n"                       \
    "REMARK 350   BIOMT3   4  0.000000  0.000000  1.000000        0.00000\n"                       \
    "REMARK 350 BIOMOLECULE: 2, 3\n"                                                               \
    "REMARK 350 APPLY THE FOLLOWING TO CHAINS: B,\n"                                               \
    "REMARK 350                    AND CHAINS: A\n"                                                \
    "REMARK 350   BIOMT1   1  0.500000 -0.866025  0.000000        1.00000\n"                       \
    "REMARK 350   BIOMT2   1  0.866025  0.500000  0.000000        0.00000\n"                       \
    "REMARK 350   BIOMT3   1  0.000000  0.000000  1.000000        0.00000\n"                       \
    "REMARK 350 BIOMOLECULE: 4\n"                                                                  \
    "REMARK 350 APPLY THE FOLLOWING TO CHAINS: A\n"                                                \
    "REMARK 350   BIOMT1   1 -1.000000  0.000000  0.000000        0.00000\n"                       \
    "REMARK 350   BIOMT2   1  0.000000  1.000000  0.000000        0.00000\n"                       \
    "REMARK 350   BIOMT3   1  0.000000  0.000000  1.000000        0.00000\n"                       \
    "REMARK 350 BIOMOLECULE: 5\n"                                                                  \
    "REMARK 350 APPLY THE FOLLOWING TO CHAINS: X\n"                                                \
    "REMARK 350   BIOMT1   1  1.000000  0.000000  0.000000        0.00000\n"                       \
    "REMARK 350   BIOMT2   1  0.000000  1.000000  0.000000        0.00000\n"                       \
    "REMARK 350   BIOMT3   1  0.000000  0.000000  1.000000        0.00000\n"
#define ATOMS                                                                                      \
    "SEQRES   1 A    3  CYS GLY CYS\n"                                                             \
    "CRYST1   50.000   50.000   50.000  90.00  90.00  90.00 P 1           1\n"                     \
    "SSBOND   1 CYS A    1    CYS A    3\n"                                                        \
    "LINK         CA  CYS A   1                 CA  CYS B   7     1555   1555  1.50\n"             \
    "ATOM      1  CA  CYS A   1       1.000   2.000   3.000  1.00  0.00           C\n"             \
    "ATOM      2  SG  CYS A   1       1.000   1.000   3.000  1.00  0.00           S\n"             \
    "ATOM      3  SG  CYS A   3       1.000   0.000   3.000  1.00  0.00           S\n"             \
    "TER\n"                                                                                        \
    "ATOM      5  CA  CYS B   7       2.000   2.000   3.000  1.00  0.00           C\n"             \
    "TER\n"

static void chains_are_copied(void **state)
{
    (void)state;
    cardo_structure *s = built("made.pdb", OPERATORS ATOMS, "1");
    char text[200];
    assert_string_equal(chains_of(s), "A C D B");
    assert_int_equal(s->natom, 10);
    is_at(s, 0, 1, 2, 3);
    is_at(s, 3, -1, -2, 13);
    is_at(s, 6, -2, 1, 3);
    is_at(s, 9, 2, 2, 3);
    /* each copy has its bridge and its sequence with a gap; the link is between A and B of different copies: none of the file's */
    assert_int_equal(s->nbridge, 3);
    assert_int_equal(s->bridge[1].residue[0], 2);
    assert_int_equal(s->npolymer, 3);
    assert_string_equal(s->polymer[2].chain.text, "D");
    assert_int_equal(s->polymer[2].count, 3);
    assert_int_equal(s->monomer[s->polymer[2].first + 1].residue, -1);
    assert_int_equal(s->nlink, 0);
    assert_false(s->has_cell);
    assert_true(cardo_copied_words(s, 0, text, sizeof text));
    assert_string_equal(text, "assembly 1: copies of chain A are C, D");
    assert_false(cardo_copied_words(s, 1, text, sizeof text));
    assert_false(cardo_offered_words(s, text, sizeof text));
    cardo_structure_destroy(s);

    s = built("made.pdb", OPERATORS ATOMS, "3");
    assert_string_equal(chains_of(s), "A B");
    assert_int_equal(s->nlink, 1);
    /* the angle is known to six decimals */
    const double angle = atan2(0.866025, 0.5);
    is_at(s, 0, cos(angle) - 2 * sin(angle) + 1, sin(angle) + 2 * cos(angle), 3);
    cardo_structure_destroy(s);
}

/* Six decimals of a rotation leave distances right to 1e-12. */
static void copies_are_congruent(void **state)
{
    (void)state;
    cardo_structure *s = built("made.pdb", OPERATORS ATOMS, "2");
    cardo_structure *given = built("made.pdb", OPERATORS ATOMS, NULL);
    double off = 0;
    for (int i = 0; i < s->natom; ++i)
        for (int j = 0; j < i; ++j)
            off = fmax(off, fabs(v3_norm(v3_sub(v3_load(s->position + 3 * i),
                                                v3_load(s->position + 3 * j))) -
                                 v3_norm(v3_sub(v3_load(given->position + 3 * i),
                                                v3_load(given->position + 3 * j)))));
    assert_true(off > 0 && off < 1e-12);
    cardo_structure_destroy(s);
    cardo_structure_destroy(given);
}

static void what_makes_no_sense_is_told(void **state)
{
    (void)state;
    fails("made.pdb", OPERATORS ATOMS, "9", "there is no assembly '9'; the file has 1, 2, 3, 4, 5");
    fails("made.pdb", ATOMS, "1", "tells no assemblies");
    fails("made.pdb", OPERATORS ATOMS, "4", "operator 1 is no rotation");
    fails("made.pdb", OPERATORS ATOMS, "5", "the file has no atoms");
}

static void count(void *user, const char *text)
{
    *(int *)user += strstr(text, "with assembly 1 builds") != NULL;
}

static void what_a_file_offers_is_remarked(void **state)
{
    (void)state;
    int n = 0;
    cardo_structure *s = built("made.pdb", OPERATORS ATOMS, NULL);
    cardo_structure_remarks(s, count, &n);
    assert_int_equal(n, 1);
    cardo_structure_destroy(s);
}

/* One protein, its ligand and a water: author's chain A, three instances; 62 letters do not do for 70 copies. */
#define MMCIF                                                                                      \
    "data_made\n"                                                                                  \
    "loop_\n_pdbx_struct_assembly_gen.assembly_id\n_pdbx_struct_assembly_gen.oper_expression\n"    \
    "_pdbx_struct_assembly_gen.asym_id_list\n"                                                     \
    "1 '(1-2)(X0,3)' A,B\n"                                                                        \
    "many 1-70 A\n"                                                                                \
    "bad 1-999999999 A\n"                                                                          \
    "worse '(1-70)(1-70)(1-70)' A\n"                                                               \
    "PAU '(1' A\n"                                                                                 \
    "two 3\n;A,\nB\n;\n"
#define MMCIF_ATOMS                                                                                \
    "loop_\n_atom_site.group_PDB\n_atom_site.id\n_atom_site.type_symbol\n"                         \
    "_atom_site.label_atom_id\n_atom_site.label_comp_id\n_atom_site.label_asym_id\n"               \
    "_atom_site.label_seq_id\n_atom_site.auth_seq_id\n_atom_site.auth_asym_id\n"                   \
    "_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n"                                 \
    "ATOM 1 C CA GLY A 1 1 A 1.0 2.0 3.0\n"                                                        \
    "HETATM 2 C C1 LIG B . 2 A 1.0 0.0 0.0\n"                                                      \
    "HETATM 3 O O HOH C . 3 A 5.0 0.0 0.0\n"

static const char *mmcif_text(void)
{
    static char text[20000];
    char row[200];
    strcpy(text, MMCIF "loop_\n_pdbx_struct_oper_list.id\n");
    for (int k = 0; k < 9; ++k) {
        snprintf(row, sizeof row, "_pdbx_struct_oper_list.matrix[%d][%d]\n", k / 3 + 1, k % 3 + 1);
        strcat(text, row);
    }
    for (int k = 1; k <= 3; ++k) {
        snprintf(row, sizeof row, "_pdbx_struct_oper_list.vector[%d]\n", k);
        strcat(text, row);
    }
    for (int k = 1; k <= 70; ++k) {
        snprintf(row, sizeof row, "%d 1 0 0 0 1 0 0 0 1 %d 0 0\n", k, 10 * (k - 1));
        strcat(text, row);
    }
    strcat(text, "X0 0 -1 0 1 0 0 0 0 1 0 0 0\n" MMCIF_ATOMS);
    return text;
}

static void recipes_are_read(void **state)
{
    (void)state;
    const char *text = mmcif_text();
    cardo_structure *s = built("made.cif", text, "1");
    assert_int_equal(s->natom, 8);
    /* of 1 X0, 1 3, 2 X0, 2 3: what stands on the right comes first */
    is_at(s, 0, -2, 1, 3);
    is_at(s, 2, 21, 2, 3);
    is_at(s, 4, 8, 1, 3);
    is_at(s, 6, 31, 2, 3);
    assert_string_equal(chains_of(s), "A A B B C C D D");
    cardo_structure_destroy(s);

    s = built("made.cif", text, "two");
    assert_int_equal(s->natom, 2);
    cardo_structure_destroy(s);

    s = built("made.cif", text, "many");
    assert_int_equal(s->nchain, 70);
    assert_string_equal(s->chain_id[61].text, "9");
    assert_string_equal(s->chain_id[62].text, "A-63");
    for (int c = 0; c < s->nchain; ++c)
        for (int other = 0; other < c; ++other)
            assert_string_not_equal(s->chain_id[c].text, s->chain_id[other].text);
    cardo_structure_destroy(s);

    fails("made.cif", text, "bad", "there is no assembly 'bad'; the file has 1, many, two");
    fails("made.cif", text, "worse", "there is no assembly");
    fails("made.cif", text, "PAU", "there is no assembly");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_are_copied),
        cmocka_unit_test(copies_are_congruent),
        cmocka_unit_test(what_makes_no_sense_is_told),
        cmocka_unit_test(what_a_file_offers_is_remarked),
        cmocka_unit_test(recipes_are_read),
    };
    return support_run(tests, NULL, NULL);
}
