/* PDB text in, PDB text out: columns, alternates, repeats, models, and the errors of bad lines. */
#include "support/support.h"

#include "base/memory.h"
#include "structure/compare.h"
#include "structure/pdb/hybrid36.h"
#include "structure/pdb/pdb.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static cardo_error error;

static cardo_structure *parsed(const char *text)
{
    cardo_structure *s;
    assert_ok(cardo_pdb_parse(text, strlen(text), "made.pdb", 0, &s, &error), &error);
    return s;
}

static void reads_columns(void **state)
{
    (void)state;
    /* Touching coordinates, insertion code, negative number, four-letter name and charge. */
    cardo_structure *s = parsed(
        "ATOM     17 HG11AVAL A  -3C   -100.250-200.500-300.125  0.50 20.25           H1+\r\n");
    assert_int_equal(s->natom, 1);
    assert_string_equal(s->atom_name[0].text, "HG11");
    assert_string_equal(s->residue_name[0].text, "VAL");
    assert_string_equal(s->chain_id[0].text, "A");
    assert_int_equal(s->residue_number[0], -3);
    assert_int_equal(s->insertion[0], 'C');
    assert_int_equal(s->element[0], 1);
    assert_int_equal(s->serial[0], 17);
    assert_int_equal(s->atom_line[0], 1);
    assert_int_equal(s->naltloc, 1);
    assert_close(s->position[0], -10.025, 1e-14);
    assert_close(s->position[1], -20.05, 1e-14);
    assert_close(s->position[2], -30.0125, 1e-14);
    assert_close((double)s->occupancy[0], 0.5, 0);
    assert_close((double)s->b_factor[0], 20.25, 0);
    assert_string_equal(s->source, "made.pdb");
    cardo_structure_destroy(s);
}

static void fills_short_and_old_lines(void **state)
{
    (void)state;
    cardo_structure *s =
        parsed("ATOM      1  CA  GLY     1       1.000   2.000   3.000\n"
               "ATOM      2  CA  GLY     2       1.000   2.000   3.000                  1UBI  60\n"
               "HETATM    3 CA    CA     3       1.000   2.000   3.000\n"
               "HETATM    4  CAA HEM     4       1.000   2.000   3.000\n"
               "ATOM      5 1HB  ALA     5       1.000   2.000   3.000  1.00999.99      2LAO1000\n"
               "HETATM    6  O   HOH     6       1.000   2.000   3.000  1.00******\n"
               "ATOM      7 HH11 ARG     7       1.000   2.000   3.000\n"
               "HETATM    8 SE   MSE     8       1.000   2.000   3.000\n"
               "HETATM    9 CL1  XYZ     9       1.000   2.000   3.000\n");
    static const int elements[] = {6, 6, 20, 6, 1, 8, 1, 34, 17};
    for (int i = 0; i < 9; ++i)
        assert_int_equal(s->element[i], elements[i]);
    assert_close((double)s->occupancy[0], 1, 0);
    assert_close((double)s->b_factor[0], 0, 0);
    assert_string_equal(s->chain_id[0].text, "");
    cardo_structure_destroy(s);
}

#define ATOM_LINE(serial, name, altloc, residue, number, x, occupancy)                             \
    "ATOM  " serial "  " name altloc residue " A" number "    " x "   0.000   0.000  " occupancy   \
    " 10.00\n"

static void keeps_the_likeliest_alternate(void **state)
{
    (void)state;
    cardo_structure *s =
        parsed(ATOM_LINE("    1", "N  ", " ", "SER", "   1", "   0.000", "1.00")
                   ATOM_LINE("    2", "CA ", "A", "SER", "   1", "   1.000", "0.40")
                       ATOM_LINE("    3", "CA ", "B", "SER", "   1", "   2.000", "0.60")
                           ATOM_LINE("    4", "CB ", "A", "SER", "   1", "   3.000", "0.50")
                               ATOM_LINE("    5", "CB ", "B", "SER", "   1", "   4.000", "0.50"));
    assert_int_equal(s->natom, 3);
    assert_int_equal(s->nrecord, 5);
    assert_int_equal(s->naltloc, 4);
    assert_int_equal(s->nduplicate, 0);
    assert_close(s->position[3], 0.2, 1e-15);
    assert_close(s->position[6], 0.3, 1e-15);
    cardo_structure_destroy(s);

    /* Alternates of a whole residue at the end of the file. */
    s = parsed(ATOM_LINE("    1", "CA ", "A", "SER", "   1", "   1.000", "0.40")
                   ATOM_LINE("    2", "CA ", " ", "GLY", "   2", "   2.000", "1.00")
                       ATOM_LINE("    3", "CA ", "B", "SER", "   1", "   3.000", "0.60"));
    assert_int_equal(s->nresidue, 2);
    assert_close(s->position[0], 0.3, 1e-15);
    cardo_structure_destroy(s);
}

static void keeps_one_residue_of_several_names(void **state)
{
    (void)state;
    cardo_structure *s =
        parsed(ATOM_LINE("    1", "N  ", "A", "ILE", "   3", "   1.000", "0.40")
                   ATOM_LINE("    2", "CG1", "A", "ILE", "   3", "   2.000", "0.40")
                       ATOM_LINE("    3", "N  ", "B", "ALA", "   3", "   3.000", "0.60")
                           ATOM_LINE("    4", "CB ", "B", "ALA", "   3", "   4.000", "0.60"));
    assert_int_equal(s->nresidue, 1);
    assert_string_equal(s->residue_name[0].text, "ALA");
    assert_int_equal(s->natom, 2);
    assert_close(s->position[0], 0.3, 1e-15);
    cardo_structure_destroy(s);

    /* Even occupancies: the first. Without labels they are two residues. */
    s = parsed(ATOM_LINE("    1", "N  ", "A", "ILE", "   3", "   1.000", "0.50")
                   ATOM_LINE("    2", "N  ", "B", "ALA", "   3", "   3.000", "0.50"));
    assert_int_equal(s->nresidue, 1);
    assert_string_equal(s->residue_name[0].text, "ILE");
    cardo_structure_destroy(s);
    s = parsed(ATOM_LINE("    1", "N  ", " ", "ILE", "   3", "   1.000", "1.00")
                   ATOM_LINE("    2", "CB ", " ", "ALA", "   3", "   3.000", "1.00"));
    assert_int_equal(s->nresidue, 2);
    assert_int_equal(s->natom, 2);
    cardo_structure_destroy(s);
}

static void joins_pieces_and_splits_repeats(void **state)
{
    (void)state;
    cardo_structure *s =
        parsed(ATOM_LINE("    1", "CA ", " ", "SER", "   1", "   1.000", "1.00")
                   ATOM_LINE("    2", "CA ", " ", "GLY", "   2", "   2.000", "1.00")
                       ATOM_LINE("    3", "CB ", " ", "SER", "   1", "   3.000", "1.00"));
    assert_int_equal(s->nresidue, 2);
    assert_string_equal(s->atom_name[1].text, "CB");
    assert_int_equal(s->atom_residue[1], 0);
    cardo_structure_destroy(s);

    /* Numbers that wrap: the second residue 1 is another one. */
    s = parsed(ATOM_LINE("    1", "CA ", " ", "SER", "   1", "   1.000", "1.00")
                   ATOM_LINE("    2", "CA ", " ", "GLY", "   2", "   2.000", "1.00")
                       ATOM_LINE("    3", "CA ", " ", "SER", "   1", "   3.000", "1.00"));
    assert_int_equal(s->nresidue, 3);
    assert_int_equal(s->nduplicate, 0);
    cardo_structure_destroy(s);

    /* The same atom twice in one residue: kept once, and counted. */
    s = parsed(ATOM_LINE("    1", "CA ", " ", "SER", "   1", "   1.000", "1.00")
                   ATOM_LINE("    2", "CA ", " ", "SER", "   1", "   2.000", "1.00"));
    assert_int_equal(s->natom, 1);
    assert_int_equal(s->nduplicate, 1);
    cardo_structure_destroy(s);
}

static void ends_chains_at_ter(void **state)
{
    (void)state;
    cardo_structure *s =
        parsed(ATOM_LINE("    1", "CA ", " ", "SER", "   1", "   1.000", "1.00") "TER\n" ATOM_LINE(
            "    2", "CA ", " ", "GLY", "   2", "   2.000", "1.00"));
    assert_int_equal(s->nchain, 2);
    assert_string_equal(s->chain_id[1].text, "A");
    cardo_structure_destroy(s);
}

/* A residue of a chain along x with all that a peptide bond needs, 3.8 angstrom from the one before. */
static int add_residue(char *text, char chain, const char *number, int place)
{
    static const char *const names[] = {"N", "CA", "C"};
    int used = 0;
    for (int k = 0; k < 3; ++k)
        used += sprintf(text + used, "ATOM      1  %-3s ALA %c%4s    %8.3f%8.3f%8.3f  1.00  0.00\n",
                        names[k], chain, number, 3.8 * place + 1.25 * k, chain == 'A' ? 0.0 : 50.0,
                        0.0);
    return used;
}

enum { TURNS = 1, TER_EACH = 2, GAP = 4 };

/* Two chains of five residues: residue by residue in turns, a TER after each, or atom by atom in turns. */
static cardo_structure *make_odd(int how)
{
    char text[8192], *p = text;
    const char *const chains = "AB";
    int n = 5, block = how & TURNS ? 1 : n;
    for (int first = 0; first < n; first += block)
        for (int c = 0; c < 2; ++c)
            for (int r = first; r < first + block; ++r) {
                char number[12];
                int shift = how & GAP && r > 2 ? 4 : 0;
                snprintf(number, sizeof number, "%d", r + 1 + shift);
                p += add_residue(p, chains[c], number, r + shift);
                if (how & TER_EACH)
                    p += sprintf(p, "TER\n");
            }
    return parsed(text);
}

static void chains_are_one_however_they_stand(void **state)
{
    (void)state;
    static const int ways[] = {0,           TURNS,          TER_EACH, TURNS | TER_EACH,
                               GAP | TURNS, GAP | TER_EACH, GAP};
    for (size_t k = 0; k < sizeof ways / sizeof *ways; ++k) {
        cardo_structure *s = make_odd(ways[k]);
        assert_int_equal(s->nchain, 2);
        assert_int_equal(s->nresidue, 10);
        for (int r = 0; r < 10; ++r) {
            int shift = ways[k] & GAP && r % 5 > 2 ? 4 : 0;
            assert_int_equal(s->residue_number[r], r % 5 + 1 + shift);
            assert_int_equal(s->residue_chain[r], r / 5);
            assert_string_equal(s->chain_id[r / 5].text, r < 5 ? "A" : "B");
        }
        cardo_structure_destroy(s);
    }
    /* Other molecules of the same name stay chains of their own: numbers begin again, and nothing is bonded. */
    char text[8192], *p = text;
    for (int k = 0; k < 3; ++k)
        for (int r = 0; r < 3; ++r) {
            char number[12];
            snprintf(number, sizeof number, "%d", r + 1);
            p += add_residue(p, 'A', number, 10 * k + r);
            if (r == 2)
                p += sprintf(p, "TER\n");
        }
    cardo_structure *s = parsed(text);
    assert_int_equal(s->nchain, 3);
    cardo_structure_destroy(s);
    /* Waters with a TER after each are one chain, and not the protein's. */
    p = text + add_residue(text, 'A', "1", 0);
    p += sprintf(p, "TER\n");
    for (int r = 0; r < 20; ++r)
        p += sprintf(p, "HETATM    1  O   HOH A%4d    %8.3f%8.3f%8.3f  1.00  0.00\nTER\n", 10 + r,
                     3.0 * r, 20.0, 0.0);
    s = parsed(text);
    assert_int_equal(s->nchain, 2);
    assert_int_equal(s->nresidue, 21);
    cardo_structure_destroy(s);
}

/* Waters from first on, every step-th; above 9999 in hexadecimal, or in hybrid-36. */
static void expect_numbers(int first, int step, int n, bool hexadecimal, char chain)
{
    char *text = malloc((size_t)n * 81 + 1), *p = text;
    assert_non_null(text);
    for (int k = 0; k < n; ++k) {
        char number[8], serial[8];
        int value = first + k * step;
        if (hexadecimal)
            snprintf(number, sizeof number, value > 9999 ? "%4x" : "%4d", (unsigned)value);
        else
            assert_true(cardo_hybrid36_encode(value, 4, number));
        snprintf(serial, sizeof serial, 99000 + k > 99999 ? "%5x" : "%5d", (unsigned)(99000 + k));
        p += sprintf(p, "ATOM  %s  O   HOH %c%s    %8.3f%8.3f%8.3f  1.00  0.00\n", serial, chain,
                     number, 1.0 * (k % 1000), 1.0 * (k / 1000), 0.0);
    }
    cardo_structure *s = parsed(text);
    assert_int_equal(s->nresidue, n);
    for (int k = 0; k < n; ++k) {
        assert_int_equal(s->residue_number[k], first + k * step);
        assert_int_equal(s->serial[k], 99000 + k);
    }
    cardo_structure_destroy(s);
    free(text);
}

static void numbers_go_on_after_9999(void **state)
{
    (void)state;
    expect_numbers(1, 1, 60000, true, 'W');
    expect_numbers(1, 1, 60000, false, 'W');
    expect_numbers(9990, 1, 14, true, ' ');   /* without a single letter */
    expect_numbers(9990, 3, 40, true, 'W');   /* with waters left out    */
    expect_numbers(10005, 1, 40, true, 'W');  /* from the middle         */
    expect_numbers(9900, 7, 4000, true, 'W'); /* through 9fff and a000   */
    expect_numbers(2700, 1, 40, true, 'A');   /* digits that are digits  */
    expect_numbers(40950, 1, 40, false, 'W');
    /* After the hexadecimal ones another segment begins anew. */
    char text[4000], *p = text;
    static const char *const numbers[] = {"9999", "2710", "2711", "271a",
                                          "   1", "   2", "2710", "2711"};
    static const int expected[] = {9999, 10000, 10001, 10010, 1, 2, 2710, 2711};
    for (int k = 0; k < 8; ++k)
        p += sprintf(p, "ATOM      1  O   HOH W%s    %8.3f%8.3f%8.3f  1.00  0.00\n%s", numbers[k],
                     3.0 * k, 0.0, 0.0, k == 3 ? "TER\n" : "");
    cardo_structure *s = parsed(text);
    assert_int_equal(s->nresidue, 8);
    for (int k = 0; k < 8; ++k)
        assert_int_equal(s->residue_number[k], expected[k]);
    cardo_structure_destroy(s);
    assert_fails(cardo_pdb_parse("ATOM      1  O   HOH W27g1       0.000   0.000   0.000\n", 52,
                                 "made.pdb", 0, &s, &error),
                 &error, CARDO_ERROR_INPUT, NULL);
}

static void reads_bridges(void **state)
{
    (void)state;
    static const char residues[] = ATOM_LINE("    1", "SG ", " ", "CYS", "   1", "   1.000", "1.00")
        ATOM_LINE("    2", "SG ", " ", "CYS", "   2", "   3.000", "1.00");
    static const struct {
        const char *line;
        int bridges;
    } cases[] = {
        {"SSBOND   1 CYS A    1    CYS A    2\n", 1},
        {"SSBOND   1 CYS A    1    CYS A    2                          1555   1555  2.03\n", 1},
        {"SSBOND   1 CYS A    1    CYS A    2                          1555   2555  2.03\n", 0},
        {"SSBOND   1 CYS A    1    CYS A    3                          1555   1555  2.03\n", 0},
        {"SSBOND   1 CYS A    1    CYS A    1                          1555   1555  2.03\n", 0},
        {"SSBOND   1 CYS A    1A   CYS A    2                          1555   1555  2.03\n", 0},
        {"SSBOND   1 CYS A    1    CYS A\n", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char text[400];
        snprintf(text, sizeof text, "%s%s", cases[i].line, residues);
        cardo_structure *s = parsed(text);
        assert_int_equal(s->nbridge, cases[i].bridges);
        cardo_structure_destroy(s);
    }
}

static void reads_the_model_asked_for(void **state)
{
    (void)state;
    static const char text[] =
        "MODEL        3\n"
        "ENDMDL\n"
        "MODEL        5\n" ATOM_LINE("    1", "CA ", " ", "SER", "   1", "   1.000",
                                     "1.00") "ENDMDL\n"
                                             "MODEL        7\n" ATOM_LINE("    1", "CA ", " ",
                                                                          "SER", "   1", "   2.000",
                                                                          "1.00") "ENDMDL\n";
    cardo_structure *s = parsed(text);
    assert_int_equal(s->model, 5);
    assert_int_equal(s->nmodel, 2);
    assert_int_equal(s->natom, 1);
    cardo_structure_destroy(s);
    assert_ok(cardo_pdb_parse(text, strlen(text), "made.pdb", 7, &s, &error), &error);
    assert_int_equal(s->model, 7);
    assert_close(s->position[0], 0.2, 1e-15);
    cardo_structure_destroy(s);
    assert_fails(cardo_pdb_parse(text, strlen(text), "made.pdb", 3, &s, &error), &error,
                 CARDO_ERROR_INPUT, "made.pdb: there is no model 3; models with atoms: 5, 7");
    assert_null(s);
}

static void reads_gzip_and_the_only_model(void **state)
{
    (void)state;
    static const char text[] = "MODEL        0\n" ATOM_LINE("    1", "CA ", " ", "SER", "   1",
                                                            "   1.000", "1.00") "ENDMDL\n";
    char path[200];
    cardo_structure *s;
    snprintf(path, sizeof path, "%s/packed", support_scratch());
    gzFile file = gzopen(path, "wb");
    gzwrite(file, text, sizeof text - 1);
    gzclose(file);
    for (int model = 0; model <= 1; ++model) {
        assert_ok(cardo_structure_read(path, model, &s, &error), &error);
        assert_int_equal(s->natom, 1);
        assert_int_equal(s->model, 0);
        assert_string_equal(s->source, path);
        cardo_structure_destroy(s);
    }
    assert_fails(cardo_structure_read(path, 2, &s, &error), &error, CARDO_ERROR_INPUT,
                 "models with atoms: 0");
}

static void reads_hybrid_36(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int width, value;
    } cases[] = {{"9999", 4, 9999},    {"A000", 4, 10000},     {"ZZZZ", 4, 1223055},
                 {"a000", 4, 1223056}, {"zzzz", 4, 2436111},   {"-999", 4, -999},
                 {"A0000", 5, 100000}, {"zzzzz", 5, 87440031}, {"   7", 4, 7}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        int value;
        char text[8];
        assert_true(cardo_hybrid36_decode(cases[i].text, cases[i].width, &value));
        assert_int_equal(value, cases[i].value);
        assert_true(cardo_hybrid36_encode(value, cases[i].width, text));
        assert_string_equal(text, cases[i].text);
    }
    int value;
    char text[8];
    static const char *const bad[] = {"    ", "1A00", "A-00", "Aa00", "-A00", "####"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i)
        assert_false(cardo_hybrid36_decode(bad[i], 4, &value));
    assert_false(cardo_hybrid36_encode(2436112, 4, text));
    assert_false(cardo_hybrid36_encode(-1000, 4, text));
    assert_false(cardo_hybrid36_encode(2147483647, 5, text));
}

static void names_the_bad_line(void **state)
{
    (void)state;
    static const char good[] = ATOM_LINE("    1", "CA ", " ", "SER", "   1", "   1.000", "1.00");
    static const struct {
        const char *line, *message;
    } cases[] = {
        {ATOM_LINE("    1", "CA ", " ", "SER", "   1", "     nan", "1.00"),
         "made.pdb:2: the coordinate x must be a number in columns 31-38, found '     nan'"},
        {ATOM_LINE("    1", "CA ", " ", "SER", "   1", "     inf", "1.00"), "made.pdb:2"},
        {ATOM_LINE("    1", "CA ", " ", "SER", "   1", "********", "1.00"), "made.pdb:2"},
        {ATOM_LINE("    1", "CA ", " ", "SER", "   1", "        ", "1.00"), "made.pdb:2"},
        {ATOM_LINE("    1", "CA ", " ", "SER", "   1", "  0x1.p3", "1.00"), "made.pdb:2"},
        {ATOM_LINE("    1", "CA ", " ", "SER", "    ", "   1.000", "1.00"), "residue number"},
        {ATOM_LINE("    1", "CA ", " ", "SER", " x1 ", "   1.000", "1.00"), "residue number"},
        {ATOM_LINE("    1", "CA ", " ", "SER", "   1", "   1.000", "full"), "occupancy"},
        {ATOM_LINE("    1", "C\tA", " ", "SER", "   1", "   1.000", "1.00"), "atom name"},
        {"ATOM      1  CA  SER A   1       1.000   2.000   3.00\n", "ends in column 53"},
        {"ATOM\n", "made.pdb:2: the line ends in column 4"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char text[400];
        cardo_structure *s;
        snprintf(text, sizeof text, "%s%s", good, cases[i].line);
        assert_fails(cardo_pdb_parse(text, strlen(text), "made.pdb", 0, &s, &error), &error,
                     CARDO_ERROR_INPUT, cases[i].message);
        assert_null(s);
    }
    cardo_structure *s;
    assert_fails(cardo_pdb_parse("HEADER\n", 7, "made.pdb", 0, &s, &error), &error,
                 CARDO_ERROR_INPUT, "no atoms");
    assert_fails(cardo_structure_read("/nonexistent/x.pdb", 0, &s, &error), &error,
                 CARDO_ERROR_FILE, "/nonexistent/x.pdb");
}

static char *written(const cardo_structure *s, const double *positions, int model)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_ok(cardo_pdb_write(stream, s, positions, model, &error), &error);
    fclose(stream);
    return text;
}

static void assert_same_structure(const cardo_structure *a, const cardo_structure *b)
{
    const char *difference = structures_differ(a, b, 0);
    if (difference)
        fail_msg("%s", difference);
}

static void assert_round_trip(const cardo_structure *s)
{
    char *text = written(s, NULL, 0);
    cardo_structure *back = parsed(text);
    assert_same_structure(s, back);
    char *again = written(back, NULL, 0);
    assert_string_equal(text, again);
    cardo_structure_destroy(back);
    free(text);
    free(again);
}

static const char mixed[] =
    "SSBOND   1 CYS A    1    CYS A    3                          1555   1555  2.03\n"
    "CRYST1   50.000   60.000   70.000  90.00 100.50  90.00 P 1           1\n"
    "ATOM      1  N   CYS A   1       1.000   2.000   3.000  1.00 10.00           N\n"
    "ATOM      2 HG11AVAL A   2B   -100.250-200.500-300.125  0.50 20.25           H\n"
    "ATOM      3  CA  CYS A   3       4.000   2.000   3.000  0.00 10.00           C\n"
    "TER       4      CYS A   3\n"
    "HETATM    5 CA    CA AA000       5.000   2.000   3.000  1.00 10.00          CA\n"
    "HETATM    6  O   HOH A 102       5.000   2.000   3.000  1.00 10.00           O\n"
    "ATOM      7  P    DA B  -1       6.000   2.000   3.000  1.00 10.00           P\n"
    "ATOM      8  H1' TIP3B   1       7.000   2.000   3.000  1.00 10.00           H\n";

static void writes_what_it_reads(void **state)
{
    (void)state;
    cardo_structure *s = parsed(mixed);
    assert_int_equal(s->nbridge, 1);
    assert_int_equal(s->residue_number[3], 10000);
    assert_round_trip(s);
    char *text = written(s, NULL, 0);
    assert_non_null(strstr(text,
                           "ATOM      2 HG11 VAL A   2B   -100.250-200.500-300.125  0.50 20.25"
                           "           H  \n"));
    assert_non_null(strstr(text, "TER       4      CYS A   3 \n"));
    assert_non_null(strstr(text, "HETATM    5 CA    CA AA000 "));
    free(text);
    cardo_structure_destroy(s);
}

static void writes_frames(void **state)
{
    (void)state;
    cardo_structure *s = parsed(mixed), *back;
    double positions[3 * 7];
    for (int i = 0; i < 3 * s->natom; ++i)
        positions[i] = 0.1 * i;
    char *first = written(s, positions, 1), *second = written(s, NULL, 2);
    assert_non_null(strstr(first, "CRYST1"));
    assert_null(strstr(second, "CRYST1"));
    assert_null(strstr(second, "SSBOND"));
    char both[8192];
    snprintf(both, sizeof both, "%s%s", first, second);
    assert_ok(cardo_pdb_parse(both, strlen(both), "both.pdb", 2, &back, &error), &error);
    assert_int_equal(back->nmodel, 2);
    assert_close(back->position[0], 0.1, 1e-15);
    cardo_structure_destroy(back);
    back = parsed(both);
    assert_close(back->position[4], 0.4, 1e-15);
    cardo_structure_destroy(back);
    free(first);
    free(second);
    cardo_structure_destroy(s);
}

static void refuses_what_does_not_fit(void **state)
{
    (void)state;
    cardo_structure *s = parsed(mixed);
    FILE *sink = fopen("/dev/null", "w");
    double positions[3 * 7] = {0};
    positions[4] = NAN;
    assert_fails(cardo_pdb_write(sink, s, positions, 0, &error), &error, CARDO_ERROR_NUMERICAL,
                 "atom HG11 of residue A:VAL2B");
    positions[4] = 1000;
    assert_fails(cardo_pdb_write(sink, s, positions, 0, &error), &error, CARDO_ERROR_NUMERICAL,
                 "does not fit");
    strcpy(s->chain_id[0].text, "AB");
    assert_fails(cardo_pdb_write(sink, s, NULL, 0, &error), &error, CARDO_ERROR_UNSUPPORTED,
                 "name the file .cif");
    fclose(sink);
    cardo_structure_destroy(s);
    s = parsed(mixed);
    sink = fopen("/dev/full", "w");
    setvbuf(sink, NULL, _IONBF, 0);
    assert_fails(cardo_pdb_write(sink, s, NULL, 0, &error), &error, CARDO_ERROR_FILE, NULL);
    fclose(sink);
    cardo_structure_destroy(s);
}

static void round_trips_real_files(void **state)
{
    (void)state;
    static const char *const files[] = {"2lao", "1lst",   "2mcg",   "1r19_dssp",    "1wdn",
                                        "2dri", "1ake_A", "1ggg_B", "4ake_A_fixedH"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i) {
        char name[64];
        cardo_structure *s;
        snprintf(name, sizeof name, "pdb/%s.pdb", files[i]);
        assert_ok(cardo_structure_read(support_shared(name), 0, &s, &error), &error);
        assert_round_trip(s);
        cardo_structure_destroy(s);
    }
}

/* What a file that the program names itself is: PDB, or mmCIF where that has no room. */
static void knows_what_it_has_room_for(void **state)
{
    (void)state;
    cardo_structure *s = parsed(ATOM_LINE("    1", "CA ", " ", "SER", "   1", "   1.000", "1.00"));
    const double far[3] = {0, 0, 1000.1};
    assert_true(cardo_pdb_holds(s, NULL));
    assert_string_equal(cardo_structure_extension(s, NULL), "pdb");
    assert_false(cardo_pdb_holds(s, far));
    strcpy(s->chain_id[0].text, "AA");
    assert_string_equal(cardo_structure_extension(s, NULL), "cif");
    strcpy(s->chain_id[0].text, "A");
    s->residue_number[0] = 10000;
    assert_false(cardo_pdb_holds(s, NULL));
    s->residue_number[0] = 9999;
    assert_true(cardo_pdb_holds(s, NULL));
    strcpy(s->atom_name[0].text, "HXXXX");
    assert_false(cardo_pdb_holds(s, NULL));
    /* Of the number of atoms the others are not looked at any more. */
    int natom = s->natom;
    s->natom = 100000;
    assert_false(cardo_pdb_holds(s, NULL));
    s->natom = natom;
    cardo_structure_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_are_one_however_they_stand),
        cmocka_unit_test(numbers_go_on_after_9999),
        cmocka_unit_test(knows_what_it_has_room_for),
        cmocka_unit_test(reads_columns),
        cmocka_unit_test(fills_short_and_old_lines),
        cmocka_unit_test(keeps_the_likeliest_alternate),
        cmocka_unit_test(keeps_one_residue_of_several_names),
        cmocka_unit_test(joins_pieces_and_splits_repeats),
        cmocka_unit_test(ends_chains_at_ter),
        cmocka_unit_test(reads_bridges),
        cmocka_unit_test(reads_the_model_asked_for),
        cmocka_unit_test(reads_gzip_and_the_only_model),
        cmocka_unit_test(reads_hybrid_36),
        cmocka_unit_test(names_the_bad_line),
        cmocka_unit_test(writes_what_it_reads),
        cmocka_unit_test(writes_frames),
        cmocka_unit_test(refuses_what_does_not_fit),
        shared_test(round_trips_real_files),
    };
    return support_run(tests, NULL, NULL);
}
