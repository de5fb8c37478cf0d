/* Input made to exhaust: no file may crash a reader, hang it, or take more than fifty times its
 * size. */
#include "support/support.h"

#include "base/text.h"
#include "structure/pdb/pdb.h"
#include "support/hostile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { FILE_SIZE = 2000000 };

static int line_feeds(char *text, size_t size, int k)
{
    (void)k;
    return snprintf(text, size, "\n\n\n\n\n\n\n\n");
}

static int carriage_returns(char *text, size_t size, int k)
{
    (void)k;
    return snprintf(text, size, "\r\r\r\r\r\r\r\r");
}

static int no_lines(char *text, size_t size, int k)
{
    (void)k;
    return snprintf(text, size, "ATOM  99999999999999999999");
}

static int atom(char *text, size_t size, int serial, const char *name, char altloc, int residue)
{
    return snprintf(text, size, "ATOM  %5d %-4s%cALA A%4d       1.000   2.000   3.000\n",
                    serial % 100000, name, altloc, residue % 10000);
}

static int one_residue(char *text, size_t size, int k)
{
    char name[8];
    snprintf(name, sizeof name, "%04x", k % 65536);
    return atom(text, size, k, name, ' ', 1);
}

static int one_atom(char *text, size_t size, int k)
{
    return atom(text, size, k, " CA ", (char)('!' + k % 90), 1);
}

/* Two residues in turns, each time with a new atom: pieces of a residue without end. */
static int pieces(char *text, size_t size, int k)
{
    char name[8];
    snprintf(name, sizeof name, "%04x", k / 2 % 65536);
    return atom(text, size, k, name, ' ', 1 + k % 2);
}

static int wrapped_numbers(char *text, size_t size, int k)
{
    return atom(text, size, k, " CA ", ' ', k % 100);
}

static int alternate_names(char *text, size_t size, int k)
{
    return snprintf(text, size, "ATOM  %5d  CA A%03x A   1       1.000   2.000   3.000\n", 1,
                    k % 4096);
}

static int models(char *text, size_t size, int k)
{
    int n = snprintf(text, size, "MODEL %d\n", 1000000000 - k);
    return n + atom(text + n, size - (size_t)n, k, " CA ", ' ', 1);
}

static int empty_models(char *text, size_t size, int k)
{
    (void)k;
    return snprintf(text, size, "MODEL\nTER\nENDMDL\n");
}

static int bridges(char *text, size_t size, int k)
{
    if (k % 2)
        return atom(text, size, k, " CA ", ' ', k / 2);
    return snprintf(text, size, "SSBOND   1 CYS A %4d    CYS A %4d\n", k / 2 % 10000,
                    k / 3 % 10000);
}

static int cif_tags(char *text, size_t size, int k)
{
    return snprintf(text, size, k ? "_a\n" : "data_x loop_\n");
}

static int cif_rows(char *text, size_t size, int k)
{
    if (k > 0)
        return snprintf(text, size, "A 1 2 3 %d\n", k % 10);
    return snprintf(text, size,
                    "data_x loop_ _atom_site.label_atom_id _atom_site.Cartn_x _atom_site.Cartn_y "
                    "_atom_site.Cartn_z _atom_site.auth_seq_id\n");
}

static int cif_models(char *text, size_t size, int k)
{
    if (k > 0)
        return snprintf(text, size, "A 1 2 3 4 %d\n", (int)((unsigned)k * 2654435761u >> 1));
    return snprintf(text, size,
                    "data_x loop_ _atom_site.label_atom_id _atom_site.Cartn_x _atom_site.Cartn_y "
                    "_atom_site.Cartn_z _atom_site.auth_seq_id _atom_site.pdbx_PDB_model_num\n");
}

static int cif_blocks(char *text, size_t size, int k)
{
    (void)k;
    return snprintf(text, size, "data_\n_cell.length_a 1\n");
}

static int cif_text_field(char *text, size_t size, int k)
{
    return snprintf(text, size, k ? "x\n ;" : "data_x _a\n;");
}

static int cif_comments(char *text, size_t size, int k)
{
    return snprintf(text, size, k ? "# loop_\r" : "data_x\n");
}

static int nul_bytes(char *text, size_t size, int k)
{
    if (k == 0)
        return snprintf(text, size, "data_x _atom_site.label_atom_id ");
    memset(text, 0, 64);
    return 64;
}

/* A sequence that is longer than any, of chains in turns. */
static int sequences(char *text, size_t size, int k)
{
    if (k == 0)
        return atom(text, size, 1, " CA ", ' ', 1);
    return snprintf(text, size,
                    "SEQRES %3d %c 99999  A A A A A A A A A A A A A A A A A A A A A A A A A A\n",
                    k % 1000, 'A' + k % 3);
}

/* Residues whose names do not tell where in the sequence they are. */
static int ambiguous_sequence(char *text, size_t size, int k)
{
    if (k % 3 == 0)
        return snprintf(text, size, "SEQRES %3d A 99999  %s ALA ALA ALA ALA ALA ALA ALA ALA ALA\n",
                        k % 1000, k % 2 ? "ALA" : "GLY");
    return atom(text, size, k, " CA ", ' ', (k * 7) % 10000);
}

static int missing_residues(char *text, size_t size, int k)
{
    if (k == 0)
        return atom(text, size, 1, " CA ", ' ', 1);
    if (k == 1)
        return snprintf(text, size, "SEQRES   1 A    3  ALA GLY GLY\n");
    return snprintf(text, size, "REMARK 465     GLY A %5d\n", k % 10000);
}

static int links(char *text, size_t size, int k)
{
    if (k % 2)
        return atom(text, size, k, " CA ", ' ', k / 2);
    return snprintf(text, size,
                    "LINK         CA  ALA A%4d                 CA  ALA A%4d     1555   1555  1.5\n",
                    k / 2 % 10000, k / 3 % 10000);
}

static int alternates(char *text, size_t size, int k)
{
    return atom(text, size, k, " CA ", 'A', k / 2);
}

/* Hybrid-36 serials and numbers of the largest kind. */
static int hybrid_claims(char *text, size_t size, int k)
{
    return snprintf(text, size, "ATOM  zzzzz  CA  ALA Azz%c%c       1.000   2.000   3.000\n",
                    'a' + k % 26, 'a' + k / 26 % 26);
}

static int cif_scheme(char *text, size_t size, int k)
{
    if (k > 1)
        return snprintf(text, size, "%c %d X\n", 'A' + k % 2, k);
    return snprintf(text, size,
                    k ? "loop_ _pdbx_poly_seq_scheme.asym_id _pdbx_poly_seq_scheme.seq_id "
                        "_pdbx_poly_seq_scheme.mon_id\n"
                      : "data_x loop_ _atom_site.label_atom_id _atom_site.Cartn_x "
                        "_atom_site.Cartn_y _atom_site.Cartn_z _atom_site.auth_seq_id\n"
                        "A 1 2 3 4\n");
}

/* One kind of polymer with a long sequence, and an atom each of very many that are of it. */
static int cif_entities(char *text, size_t size, int k)
{
    enum { HALF = 100000 };
    if (k == 0)
        return snprintf(text, size,
                        "data_x loop_ _entity_poly_seq.entity_id _entity_poly_seq.num "
                        "_entity_poly_seq.mon_id\n");
    if (k < HALF)
        return snprintf(text, size, "1 %d X\n", k);
    if (k == HALF)
        return snprintf(text, size,
                        "loop_ _atom_site.label_atom_id _atom_site.Cartn_x _atom_site.Cartn_y "
                        "_atom_site.Cartn_z _atom_site.label_seq_id _atom_site.label_asym_id "
                        "_atom_site.label_entity_id\n");
    return snprintf(text, size, "A 1 2 3 %d %x 1\n", k, k);
}

static int cif_kinds(char *text, size_t size, int k)
{
    if (k == 0)
        return snprintf(text, size,
                        "data_x loop_ _entity_poly_seq.entity_id _entity_poly_seq.num "
                        "_entity_poly_seq.mon_id\n");
    return snprintf(text, size, "%d 1 X\n", k);
}

/* As little text as an atom takes, with all that is kept of it. */
static int cif_small_rows(char *text, size_t size, int k)
{
    if (k > 0)
        return snprintf(text, size, "A 1 1 1 %d 1 %c A\n", k % 10, 'A' + k % 2);
    return snprintf(text, size,
                    "data_x loop_ _atom_site.label_atom_id _atom_site.Cartn_x _atom_site.Cartn_y "
                    "_atom_site.Cartn_z _atom_site.auth_seq_id _atom_site.label_seq_id "
                    "_atom_site.label_asym_id _atom_site.label_alt_id\n");
}

/* A loop that claims a thousand columns for each of few values. */
static int cif_columns(char *text, size_t size, int k)
{
    return snprintf(text, size, k % 1001 ? "_atom_site.x%d " : "loop_ ", k);
}

static const struct {
    const char *name;
    support_piece *write;
} cases[] = {
    {"line feeds", line_feeds},
    {"carriage returns", carriage_returns},
    {"one line", no_lines},
    {"one residue", one_residue},
    {"one atom", one_atom},
    {"pieces of two residues", pieces},
    {"wrapped numbers", wrapped_numbers},
    {"residues of many names", alternate_names},
    {"models", models},
    {"empty models", empty_models},
    {"bridges", bridges},
    {"a loop of tags", cif_tags},
    {"short rows", cif_rows},
    {"scattered models", cif_models},
    {"data blocks", cif_blocks},
    {"a text field without end", cif_text_field},
    {"comments", cif_comments},
    {"NUL bytes", nul_bytes},
    {"sequences", sequences},
    {"an ambiguous sequence", ambiguous_sequence},
    {"missing residues", missing_residues},
    {"links", links},
    {"alternates", alternates},
    {"largest serials", hybrid_claims},
    {"a long scheme", cif_scheme},
    {"one sequence for all", cif_entities},
    {"kinds of polymers", cif_kinds},
    {"small rows", cif_small_rows},
    {"columns without rows", cif_columns},
};

static bool read_file(const char *path)
{
    cardo_structure *s = NULL;
    cardo_error error = {0};
    cardo_status status = cardo_structure_read(path, 0, &s, &error);
    bool said = status == CARDO_OK || strstr(error.message, path);
    cardo_structure_destroy(s);
    return said;
}

static void survives_large_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        support_check_hostile(cases[i].name, read_file,
                              support_write_pieces("hostile", cases[i].write, FILE_SIZE, false));
}

static void survives_compressed_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char name[64];
        snprintf(name, sizeof name, "%s, packed", cases[i].name);
        support_check_hostile(name, read_file,
                              support_write_pieces("hostile.gz", cases[i].write, FILE_SIZE, true));
    }
}

/* Appends count copies of a gzip member that holds size bytes of text; returns the path. */
static const char *write_members(const char *text, size_t size, int count)
{
    static char path[300];
    unsigned char packed[1 << 17];
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)text,
                       .avail_in = (uInt)size,
                       .next_out = packed,
                       .avail_out = sizeof packed};
    assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    deflateEnd(&stream);
    snprintf(path, sizeof path, "%s/bomb.gz", support_scratch());
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (int k = 0; k < count; ++k)
        fwrite(packed, 1, stream.total_out, file);
    fclose(file);
    return path;
}

/* A billion lines, and as many bytes of one atom, in about a megabyte each. */
static void refuses_gzip_bombs(void **state)
{
    (void)state;
    enum { SIZE = 81 * 100000, COUNT = 124 };
    char *text = malloc(SIZE + 1);
    assert_non_null(text);
    memset(text, '\n', SIZE);
    cardo_structure *s;
    cardo_error error = {0};
    const char *path = write_members(text, SIZE, COUNT);
    support_check_hostile("a billion lines, packed", read_file, path);
    assert_fails(cardo_structure_read(path, 0, &s, &error), &error, CARDO_ERROR_INPUT,
                 "takes more memory than a file of its size may");
    for (int k = 0; k < SIZE / 81; ++k)
        snprintf(text + (size_t)81 * (size_t)k, 82, "%-80s\n",
                 "ATOM      1  CA  ALA A   1       1.000   2.000   3.000");
    path = write_members(text, SIZE, COUNT);
    support_check_hostile("one atom, packed", read_file, path);
    assert_fails(cardo_structure_read(path, 0, &s, &error), &error, CARDO_ERROR_INPUT,
                 "takes more memory than a file of its size may");
    free(text);
}

/* Ten gigabytes of nothing, a device without end, a folder. */
static void refuses_what_is_no_file(void **state)
{
    (void)state;
    cardo_structure *s;
    cardo_error error = {0};
    char path[300];
    snprintf(path, sizeof path, "%s/sparse", support_scratch());
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(ftruncate(fileno(file), 10LL << 30), 0);
    fclose(file);
    assert_fails(cardo_structure_read(path, 0, &s, &error), &error, CARDO_ERROR_FILE,
                 "holds more than");
    unlink(path);
    assert_fails(cardo_structure_read("/dev/zero", 0, &s, &error), &error, CARDO_ERROR_FILE,
                 "is a device");
    assert_fails(cardo_structure_read(support_scratch(), 0, &s, &error), &error, CARDO_ERROR_FILE,
                 "is a folder");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(survives_large_files),
        cmocka_unit_test(survives_compressed_files),
        cmocka_unit_test(refuses_gzip_bombs),
        cmocka_unit_test(refuses_what_is_no_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
