/* What a file says beside its atoms: sequences and where the residues are in them, links,
 * alternates, two ways of numbering, remarks; and that all of it survives both formats. */
#include "support/support.h"

#include "structure/compare.h"
#include "structure/mmcif/mmcif.h"
#include "structure/pdb/pdb.h"
#include "structure/records/remarks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cardo_error error;

static cardo_structure *parsed(const char *text)
{
    cardo_structure *s;
    assert_ok(cardo_pdb_parse(text, strlen(text), "made.pdb", 0, &s, &error), &error);
    return s;
}

static cardo_structure *read_label(const char *text, bool label)
{
    const cardo_read_options options = {.label_numbering = label};
    cardo_structure *s;
    assert_ok(cardo_structure_read_as(support_write("made.cif", text), &options, &s, &error),
              &error);
    return s;
}

/* A C-alpha atom. */
#define CA(number, name)                                                                           \
    "ATOM      1  CA  " name " A" number "       1.000   2.000   3.000  1.00  0.00\n"

static const char *place_text(const cardo_structure *s)
{
    static char text[200];
    text[0] = '\0';
    for (int m = 0; m < s->nmonomer; ++m)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s%d%s", m ? " " : "",
                 s->monomer[m].residue < 0 ? "-" : "", s->monomer[m].number,
                 s->monomer[m].numbered ? "" : "?");
    return text;
}

static void residues_find_their_places(void **state)
{
    (void)state;
    static const struct {
        const char *text, *places;
    } cases[] = {
        /* Missing at both ends and in between, numbered on. */
        {"SEQRES   1 A    7  MET ALA GLY ALA GLY SER SER\n" CA("   2", "ALA") CA("   3", "GLY")
             CA("   5", "GLY"),
         "-1? 2 3 -4? 5 -6? -7?"},
        /* Which of two equal stretches is meant, the numbers tell. */
        {"SEQRES   1 A    6  GLY ALA GLY ALA GLY ALA\n" CA("   1", "GLY") CA("   2", "ALA")
             CA("   5", "GLY") CA("   6", "ALA"),
         "1 2 -3? -4? 5 6"},
        {"SEQRES   1 A    6  GLY ALA GLY ALA GLY ALA\n" CA("   1", "GLY") CA("   2", "ALA")
             CA("   3", "GLY") CA("   4", "ALA"),
         "1 2 3 4 -5? -6?"},
        /* Numbers that jump without a gap in the sequence. */
        {"SEQRES   1 A    5  MET ALA GLY CYS TRP\n" CA("   1", "MET") CA("   2", "ALA")
             CA("  10", "GLY") CA("  11", "CYS") CA("  12", "TRP"),
         "1 2 10 11 12"},
        /* The file's own list of what is missing. */
        {"REMARK 465   M RES C SSSEQI\n"
         "REMARK 465     MET A    -1\nREMARK 465     ALA A     0A\nREMARK 465     SER A   199\n"
         "SEQRES   1 A    5  MET ALA GLY CYS SER\n" CA("   1", "GLY") CA("   2", "CYS"),
         "--1 -0 1 2 -199"},
        /* ... is of no use when it does not fit. */
        {"REMARK 465     MET A    -1\n"
         "SEQRES   1 A    4  MET ALA GLY CYS\n" CA("   1", "GLY") CA("   2", "CYS"),
         "--1? -0? 1 2"},
        /* Another residue than the sequence has: one of five is taken for a mutation. */
        {"SEQRES   1 A    6  MET ALA GLY CYS TRP PHE\n" CA("   1", "MET") CA("   2", "ALA")
             CA("   3", "GLY") CA("   4", "SER") CA("   5", "TRP"),
         "1 2 3 4 5 -6?"},
        /* Sequences of chains that are not there are left out, as are names that fit nowhere. */
        {"SEQRES   1 B    2  MET ALA\n" CA("   1", "MET"), ""},
        {"SEQRES   1 A    2  MET ALA\n" CA("   1", "TRP") CA("   2", "TRP"), ""},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        cardo_structure *s = parsed(cases[k].text);
        assert_string_equal(place_text(s), cases[k].places);
        cardo_structure_destroy(s);
    }
}

static void free_residues_are_not_of_the_polymer(void **state)
{
    (void)state;
    cardo_structure *s =
        parsed("SEQRES   1 A    3  MET LYS ALA\nSEQRES   1 B    1  GLY\n" CA("   1", "MET")
                   CA("   2", "LYS") "TER\n"
                                     "HETATM    3  CA  ALA A   3       1.000   2.000   3.000\n"
                                     "HETATM    3  O   HOH A   4       1.000   2.000   3.000\n"
                                     "ATOM      3  CA  GLY B   3       1.000   2.000   3.000\n");
    assert_string_equal(place_text(s), "1 2 -3? 3");
    assert_int_equal(s->npolymer, 2);
    assert_int_equal(s->polymer[1].first, 3);
    assert_string_equal(s->polymer[1].chain.text, "B");
    bool keep[5] = {true, true, true, true, false};
    cardo_structure *part;
    assert_ok(cardo_structure_subset(s, keep, &part, &error), &error);
    assert_int_equal(part->npolymer, 1);
    assert_string_equal(place_text(part), "1 2 -3?");
    cardo_structure_destroy(part);
    keep[0] = false;
    assert_ok(cardo_structure_subset(s, keep, &part, &error), &error);
    assert_string_equal(place_text(part), "-1 2 -3?");
    assert_int_equal(part->monomer[1].residue, 0);
    cardo_structure_destroy(part);
    cardo_structure_destroy(s);
}

#define SCHEME                                                                                     \
    "loop_ _pdbx_poly_seq_scheme.asym_id _pdbx_poly_seq_scheme.seq_id "                            \
    "_pdbx_poly_seq_scheme.mon_id _pdbx_poly_seq_scheme.pdb_seq_num "                              \
    "_pdbx_poly_seq_scheme.pdb_strand_id _pdbx_poly_seq_scheme.pdb_ins_code "                      \
    "P 1 MET 100 X . P 2 SER 100 X A P 2 THR 100 X A P 3 GLY 102 X . "
#define ENTITIES                                                                                   \
    "loop_ _entity_poly_seq.entity_id _entity_poly_seq.num _entity_poly_seq.mon_id "               \
    "7 1 MET 7 2 SER 7 3 GLY 8 1 ALA "
#define ATOMS                                                                                      \
    "loop_ _atom_site.label_atom_id _atom_site.Cartn_x _atom_site.Cartn_y _atom_site.Cartn_z "     \
    "_atom_site.label_comp_id _atom_site.label_asym_id _atom_site.auth_asym_id "                   \
    "_atom_site.label_seq_id _atom_site.auth_seq_id _atom_site.pdbx_PDB_ins_code "                 \
    "_atom_site.label_entity_id _atom_site.auth_comp_id "                                          \
    "CA 1 2 3 SER P X 2 100 A 7 SER "                                                              \
    "CA 2 2 3 GLY P X 3 102 . 7 GLX "                                                              \
    "O 3 2 3 HOH W X . 301 . 9 HOH O 4 2 3 HOH W X . 302 . 9 HOH\n"

static void mmcif_tells_the_places(void **state)
{
    (void)state;
    cardo_structure *s = read_label("data_x " SCHEME ENTITIES ATOMS, false);
    assert_int_equal(s->npolymer, 1);
    assert_string_equal(s->polymer[0].chain.text, "X");
    assert_string_equal(place_text(s), "-100 100 102");
    assert_int_equal(s->monomer[1].insertion, 'A');
    assert_string_equal(s->monomer[1].name.text, "SER");
    cardo_structure_destroy(s);
    /* Without the scheme, by kind; in whatever order. */
    s = read_label("data_x " ATOMS ENTITIES, false);
    assert_int_equal(s->npolymer, 1);
    assert_string_equal(place_text(s), "-99? 100 102");
    cardo_structure_destroy(s);
}

static void labels_name_residues_on_request(void **state)
{
    (void)state;
    char label[40];
    cardo_structure *s = read_label("data_x " SCHEME ATOMS, false);
    assert_string_equal(cardo_residue_label(s, 0, label), "X:SER100A");
    assert_string_equal(cardo_residue_label(s, 1, label), "X:GLX102");
    cardo_structure_destroy(s);
    s = read_label("data_x " SCHEME ATOMS, true);
    assert_string_equal(cardo_residue_label(s, 0, label), "P:SER2");
    assert_string_equal(cardo_residue_label(s, 1, label), "P:GLY3");
    assert_string_equal(cardo_residue_label(s, 2, label), "W:HOH301");
    assert_string_equal(cardo_residue_label(s, 3, label), "W:HOH302");
    assert_string_equal(s->polymer[0].chain.text, "P");
    assert_string_equal(place_text(s), "-1 2 3");
    cardo_structure_destroy(s);
    const cardo_read_options options = {.label_numbering = true};
    assert_fails(
        cardo_structure_read_as(support_write("a.pdb", CA("   1", "GLY")), &options, &s, &error),
        &error, CARDO_ERROR_INPUT, "a.pdb: a PDB file has only the authors' numbering");
}

static const char linked[] =
    "SSBOND   1 CYS A    1    CYS A    2                          1555   1555  2.03\n"
    "LINK         NE2 HIS A   3                ZN    ZN A 101A    1555   1555  2.10\n"
    "LINK         NE2 HIS A   3                ZN    ZN A 101A    1555   2555  2.10\n"
    "LINK         NE2 HIS A   3                XX    ZN A 101A    1555   1555  2.10\n"
    "ATOM      1  SG  CYS A   1       1.000   2.000   3.000  1.00  0.00           S\n"
    "ATOM      2  SG  CYS A   2       1.000   4.000   3.000  1.00  0.00           S\n"
    "ATOM      3  NE2 HIS A   3       4.000   4.000   3.000  1.00  0.00           N\n"
    "HETATM    4 ZN    ZN A 101A      4.000   6.000   3.000  1.00  0.00          ZN\n";

static void links_name_atoms(void **state)
{
    (void)state;
    cardo_structure *s = parsed(linked);
    assert_int_equal(s->nbridge, 1);
    assert_int_equal(s->nlink, 1);
    assert_int_equal(s->link[0].atom[0], 2);
    assert_int_equal(s->link[0].atom[1], 3);
    bool keep[4] = {false, false, true, true};
    cardo_structure *part;
    assert_ok(cardo_structure_subset(s, keep, &part, &error), &error);
    assert_int_equal(part->nlink, 1);
    assert_int_equal(part->link[0].atom[1], 1);
    assert_int_equal(part->nbridge, 0);
    cardo_structure_destroy(part);
    keep[2] = false;
    assert_ok(cardo_structure_subset(s, keep, &part, &error), &error);
    assert_int_equal(part->nlink, 0);
    cardo_structure_destroy(part);
    cardo_structure_destroy(s);
}

#define LABELLED(serial, name, altloc, residue, number, occupancy)                                 \
    "ATOM  " serial "  " name altloc residue " A" number "      1.000   0.000   0.000  " occupancy \
    " 10.00\n"

static char told[2000];

static void note(void *user, const char *text)
{
    (void)user;
    snprintf(told + strlen(told), sizeof told - strlen(told), "%s\n", text);
}

static void alternates_are_listed(void **state)
{
    (void)state;
    cardo_structure *s =
        parsed(LABELLED("    1", "N  ", " ", "SER", "   1 ", "1.00")
                   LABELLED("    2", "CA ", "A", "SER", "   1 ", "0.40")
                       LABELLED("    3", "CA ", "B", "SER", "   1 ", "0.60")
                           LABELLED("    4", "CA ", "A", "THR", "   2B", "0.70")
                               LABELLED("    5", "CA ", "B", "VAL", "   2B", "0.30"));
    static const struct {
        int residue;
        const char *name;
        char label;
        bool taken;
    } expected[] = {{0, "SER", 'A', false},
                    {0, "SER", 'B', true},
                    {1, "THR", 'A', true},
                    {1, "VAL", 'B', false}};
    assert_int_equal(s->nalternate, 4);
    for (int k = 0; k < 4; ++k) {
        assert_int_equal(s->alternate[k].residue, expected[k].residue);
        assert_string_equal(s->alternate[k].residue_name.text, expected[k].name);
        assert_string_equal(s->alternate[k].atom_name.text, "CA");
        assert_int_equal(s->alternate[k].label, expected[k].label);
        assert_int_equal(s->alternate[k].taken, expected[k].taken);
    }
    assert_close((double)s->alternate[1].occupancy, 0.6, 1e-7);
    told[0] = '\0';
    cardo_structure_remarks(s, note, NULL);
    assert_string_equal(told, "2 residues with alternate locations, of which one is taken: "
                              "A:SER1 (B, not A), A:THR2B (A, not B)\n");
    bool keep[3] = {false, false, true};
    cardo_structure *part;
    assert_ok(cardo_structure_subset(s, keep, &part, &error), &error);
    assert_int_equal(part->nalternate, 2);
    assert_int_equal(part->alternate[0].residue, 0);
    cardo_structure_destroy(part);
    cardo_structure_destroy(s);
}

static void oddities_are_told(void **state)
{
    (void)state;
    cardo_structure *s = parsed("MODEL        3\n"
                                "ATOM      1  CA  ALA A   1       1.000   2.000   3.000\n"
                                "ATOM      1  CA  ALA A   1       1.000   2.000   3.000\n"
                                "ATOM      1  CB  ALA A   1       1.000   2.000   3.000\n"
                                "HETATM    4  *Q  UNX A   2       1.000   2.000   3.000\n"
                                "ENDMDL\nMODEL        4\n"
                                "ATOM      1  CA  ALA A   1       1.000   2.000   3.000\n");
    told[0] = '\0';
    cardo_structure_remarks(s, note, NULL);
    assert_string_equal(told,
                        "model 3 of 2 is taken\n"
                        "1 record repeats an atom that is there already (the first in line 3): "
                        "left out\n"
                        "1 atoms repeat the serial number of another one (such as 1)\n"
                        "1 atom of no known element, such as *Q of A:UNX2\n");
    cardo_structure_destroy(s);
    s = parsed(linked);
    told[0] = '\0';
    cardo_structure_remarks(s, note, NULL);
    assert_string_equal(told, "");
    cardo_structure_destroy(s);
}

/* The text of a structure in one format. */
static char *written(const cardo_structure *s, bool mmcif)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_ok(mmcif ? cardo_mmcif_write(stream, s, NULL, &error)
                    : cardo_pdb_write(stream, s, NULL, 0, &error),
              &error);
    fclose(stream);
    return text;
}

/* PDB, mmCIF, PDB: the same text. */
static void check_formats_agree(const char *pdb)
{
    cardo_structure *first = parsed(pdb), *second;
    char *one = written(first, false), *cif = written(first, true);
    assert_ok(cardo_structure_read(support_write("a.cif", cif), 0, &second, &error), &error);
    const char *difference = structures_differ(first, second, 1e-12);
    if (difference)
        fail_msg("%s", difference);
    char *other = written(second, false);
    assert_string_equal(one, other);
    cardo_structure_destroy(second);
    second = parsed(one);
    difference = structures_differ(first, second, 1e-12);
    if (difference)
        fail_msg("%s", difference);
    cardo_structure_destroy(first);
    cardo_structure_destroy(second);
    free(one);
    free(cif);
    free(other);
}

static void both_formats_hold_all(void **state)
{
    (void)state;
    check_formats_agree(linked);
    check_formats_agree(
        "REMARK 465     MET A    -1\nREMARK 465     ALA A     0A\n"
        "SEQRES   1 A    4  MET ALA GLY CYS\n"
        "SEQRES   1 B   15   DA  DC  DG  DT  DA  DC  DG  DT  DA  DC  DG  DT  DA\n"
        "SEQRES   2 B   15   DC  DG\n"
        "CRYST1   50.000   60.000   70.000  90.00 100.00  90.00 P 1           1\n" CA("   1", "GLY")
            CA("   2", "CYS") "TER\n"
                              "ATOM      3  P    DC B  12A      1.000   2.000   3.000  0.50 12.50\n"
                              "TER\n"
                              "HETATM    4  O   HOH A 301       1.000   2.000   3.000\n"
                              "HETATM    5  C1' LIG   302       1.000   2.000   3.000\n");
    /* Two molecules of one chain id. */
    check_formats_agree("SEQRES   1 A    2  MET ALA\nSEQRES   1 A    2  GLY GLY\n" CA("   1", "MET")
                            CA("   2", "ALA") "TER\n" CA("  11", "GLY") CA("  12", "GLY"));
}

/* More atoms than five digits count, more residues than four, and long chain ids in mmCIF alone. */
static void large_structures_hold(void **state)
{
    (void)state;
    enum { RESIDUES = 100400, LINE = 67 };
    char *text = malloc((size_t)RESIDUES * LINE + 1);
    assert_non_null(text);
    for (int i = 0; i < RESIDUES; ++i) {
        char number[5], serial[6];
        int n = i % 20000 + 1;
        snprintf(serial, sizeof serial, i < 99999 ? "%5d" : "A%04d", i < 99999 ? i + 1 : 0);
        if (n < 10000)
            snprintf(number, sizeof number, "%4d", n);
        else
            snprintf(number, sizeof number, "A%c%c%c", "0123456789ABCDEFGHIJ"[(n - 10000) / 1296],
                     "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[(n - 10000) / 36 % 36],
                     "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[(n - 10000) % 36]);
        snprintf(text + (size_t)i * LINE, LINE + 1,
                 "ATOM  %s  CA  ALA %c%s    %8.3f%8.3f%8.3f  1.00%6.2f\n", serial, 'A' + i / 20000,
                 number, i % 7000 * 0.001, 1.5, -i % 900 * 0.01, 10.0);
    }
    cardo_structure *s = parsed(text), *back;
    assert_int_equal(s->natom, RESIDUES);
    assert_int_equal(s->residue_number[19999], 20000);
    free(text);
    text = written(s, false);
    check_formats_agree(text);
    free(text);
    for (int c = 0; c < s->nchain; ++c)
        snprintf(s->chain_id[c].text, CARDO_NAME_SIZE, "chain-%d", c);
    text = written(s, true);
    assert_ok(cardo_structure_read(support_write("long.cif", text), 0, &back, &error), &error);
    const char *difference = structures_differ(s, back, 1e-12);
    if (difference)
        fail_msg("%s", difference);
    FILE *stream = fopen("/dev/null", "w");
    assert_fails(cardo_pdb_write(stream, s, NULL, 0, &error), &error, CARDO_ERROR_UNSUPPORTED,
                 "name the file .cif");
    fclose(stream);
    free(text);
    cardo_structure_destroy(s);
    cardo_structure_destroy(back);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(residues_find_their_places),
        cmocka_unit_test(free_residues_are_not_of_the_polymer),
        cmocka_unit_test(mmcif_tells_the_places),
        cmocka_unit_test(labels_name_residues_on_request),
        cmocka_unit_test(links_name_atoms),
        cmocka_unit_test(alternates_are_listed),
        cmocka_unit_test(oddities_are_told),
        cmocka_unit_test(both_formats_hold_all),
        cmocka_unit_test(large_structures_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
