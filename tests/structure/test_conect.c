/* CONECT records: bonds that no LINK or SSBOND record tells, each once, and words about the rest. */
#include "support/support.h"

#include "structure/compare.h"
#include "structure/mmcif/mmcif.h"
#include "structure/pdb/pdb.h"
#include "structure/records/remarks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cardo_error error;

/* A bridge of 2.05 A, a third cysteine far away, lysine and a ligand at 1.40 A, histidine and iron
 * at 2.10 A, two glycines of a chain. */
static const char atoms[] =
    "ATOM      1  SG  CYS A   1       0.000   0.000   0.000  1.00  0.00           S\n"
    "ATOM      2  SG  CYS A   2       2.050   0.000   0.000  1.00  0.00           S\n"
    "ATOM      3  SG  CYS A   3      20.000   0.000   0.000  1.00  0.00           S\n"
    "ATOM      4  NZ  LYS A   4       0.000  10.000   0.000  1.00  0.00           N\n"
    "ATOM      5  NE2 HIS A   5       0.000  20.000   0.000  1.00  0.00           N\n"
    "ATOM      6  C   GLY A   6       0.000  30.000   0.000  1.00  0.00           C\n"
    "ATOM      7  N   GLY A   7       1.330  30.000   0.000  1.00  0.00           N\n"
    "TER       8      GLY A   7\n"
    "HETATM    9  C1  LIG B   1       1.400  10.000   0.000  1.00  0.00           C\n"
    "HETATM   10  C2  LIG B   1       2.900  10.000   0.000  1.00  0.00           C\n"
    "HETATM   11 FE   HEM B   2       2.100  20.000   0.000  1.00  0.00          FE\n"
    "HETATM   12  O  AHOH B   3       4.100  20.000   0.000  0.60  0.00           O\n"
    "HETATM   13  O  BHOH B   3       2.100  22.000   0.000  0.40  0.00           O\n"
    "HETATM   15  O   HOH B   4      40.000  20.000   0.000  1.00  0.00           O\n"
    "HETATM   15  O   HOH B   5      50.000  20.000   0.000  1.00  0.00           O\n";

static const char ssbond[] = "SSBOND   1 CYS A    1    CYS A    2\n";
static const char link[] =
    "LINK         NZ  LYS A   4                 C1  LIG B   1     1555   1555  1.40\n";

static cardo_structure *parsed(const char *before, const char *after)
{
    char text[4000];
    cardo_structure *s;
    snprintf(text, sizeof text, "%s%s%s", before, atoms, after);
    assert_ok(cardo_pdb_parse(text, strlen(text), "made.pdb", 0, &s, &error), &error);
    return s;
}

static void tells_bonds_that_no_other_record_tells(void **state)
{
    (void)state;
    static const struct {
        const char *before, *after;
        int bridges, links, far, unclear;
    } cases[] = {
        {"", "", 0, 0, 0, 0},
        /* A disulfide, in both directions and again. */
        {"", "CONECT    1    2\nCONECT    2    1\nCONECT    1    2\n", 1, 0, 0, 0},
        {ssbond, "CONECT    1    2\n", 1, 0, 0, 0},
        {"", "CONECT    1    3\n", 0, 0, 1, 0},
        /* A ligand and its own bonds. */
        {"", "CONECT    9    4   10\nCONECT   10    9\n", 0, 1, 0, 0},
        {link, "CONECT    9    4   10\nCONECT    4    9\n", 0, 1, 0, 0},
        {"", "CONECT    4   10\n", 0, 0, 1, 0},
        /* Metals; the alternate that was not taken is none of the structure. */
        {"", "CONECT   11    5   12   13\n", 0, 2, 0, 0},
        {"", "CONECT   11    4\n", 0, 0, 1, 0},
        /* The chain has its bonds; hydrogen bonds stand behind column 31. */
        {"", "CONECT    6    7\n", 0, 0, 0, 0},
        {"", "CONECT    4                        9\n", 0, 0, 0, 0},
        {"", "CONECT    1    2    3    4    5    6\n", 1, 0, 3, 0},
        /* Serials of no atom, of several, of itself, and what cannot be read. */
        {"", "CONECT    4   99    8    4\n", 0, 0, 0, 0},
        {"", "CONECT    4   15\n", 0, 0, 0, 1},
        {"", "CONECT         9\nCONECT  x.y    9\nCONECT    4  x.y    9\nCONECT\nCONECT  1\n", 0, 1,
         0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        cardo_structure *s = parsed(cases[i].before, cases[i].after);
        if (s->nbridge != cases[i].bridges || s->nlink != cases[i].links ||
            s->nfar_conect != cases[i].far || s->nunclear_conect != cases[i].unclear)
            fail_msg("%s%s: %d bridges, %d links, %d far, %d unclear", cases[i].before,
                     cases[i].after, s->nbridge, s->nlink, s->nfar_conect, s->nunclear_conect);
        cardo_structure_destroy(s);
    }
}

static char told[2000];

static void note(void *user, const char *text)
{
    (void)user;
    snprintf(told + strlen(told), sizeof told - strlen(told), "%s\n", text);
}

static void names_what_it_leaves_out(void **state)
{
    (void)state;
    cardo_structure *s = parsed("", "CONECT    1    3    4\nCONECT    4   15\n");
    told[0] = '\0';
    cardo_structure_remarks(s, note, NULL);
    assert_non_null(strstr(told,
                           "CONECT records join 2 pairs of atoms that are too far apart for a "
                           "bond, such as SG of A:CYS1 and SG of A:CYS3 at 20.00 A"));
    assert_non_null(strstr(told, "that several atoms have in 1 place: left out"));
    cardo_structure_destroy(s);
}

/* As LINK, SSBOND and _struct_conn they are read again. */
static void survives_both_formats(void **state)
{
    (void)state;
    cardo_structure *s = parsed("", "CONECT    1    2\nCONECT    9    4\nCONECT   11    5   12\n");
    for (int mmcif = 0; mmcif < 2; ++mmcif) {
        char *text = NULL;
        size_t size = 0;
        cardo_structure *back;
        FILE *stream = open_memstream(&text, &size);
        assert_ok(mmcif ? cardo_mmcif_write(stream, s, NULL, &error)
                        : cardo_pdb_write(stream, s, NULL, 0, &error),
                  &error);
        fclose(stream);
        assert_ok(cardo_structure_read(support_write("again", text), 0, &back, &error), &error);
        const char *difference = structures_differ(s, back, 1e-9);
        if (difference)
            fail_msg("%s", difference);
        assert_int_equal(back->nbridge, 1);
        assert_int_equal(back->nlink, 3);
        cardo_structure_destroy(back);
        free(text);
    }
    cardo_structure_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_bonds_that_no_other_record_tells),
        cmocka_unit_test(names_what_it_leaves_out),
        cmocka_unit_test(survives_both_formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
