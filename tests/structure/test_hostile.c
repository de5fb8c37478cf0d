/* Input made to exhaust: no file may crash a reader, hang it, or take more than fifty times its
 * size. */
#include "support/support.h"

#include "structure/pdb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

enum { FILE_SIZE = 2000000, LONGEST_SECONDS = 10, MEMORY_RATIO = 50 };

/* Writes the k-th piece of a file; returns its length. */
typedef int piece_writer(char *text, size_t size, int k);

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

static const struct {
    const char *name;
    piece_writer *write;
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
};

static const char *write_case(piece_writer *write)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/hostile", support_scratch());
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    char piece[512];
    for (int size = 0, k = 0; size < FILE_SIZE; ++k) {
        int n = write(piece, sizeof piece, k);
        fwrite(piece, 1, (size_t)n, file);
        size += n;
    }
    fclose(file);
    return path;
}

/* Reads path in a process of its own; returns its largest resident memory in bytes (path NULL:
 * nothing is read). */
static double read_elsewhere(const char *path)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(LONGEST_SECONDS);
        cardo_structure *s = NULL;
        cardo_error error = {0};
        cardo_status status = path ? cardo_structure_read(path, 0, &s, &error) : CARDO_OK;
        bool said = status == CARDO_OK || strstr(error.message, path);
        cardo_structure_destroy(s);
        _exit(said ? 0 : 1);
    }
    struct rusage usage;
    int status;
    assert_int_equal(wait4(child, &status, 0, &usage), child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("reading ended with status %d (signal %d: 14 is a timeout)", status,
                 WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    return 1024.0 * (double)usage.ru_maxrss;
}

static void check_file(const char *name, const char *path, double size)
{
    struct timespec start, end;
    double idle = read_elsewhere(NULL);
    clock_gettime(CLOCK_MONOTONIC, &start);
    double ratio = (read_elsewhere(path) - idle) / size;
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds =
        (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
    print_message("%-26s %6.3f s, %5.1f times its size\n", name, seconds, ratio);
#ifndef __SANITIZE_ADDRESS__
    assert_true(ratio < MEMORY_RATIO);
#endif
}

static void survives_large_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        check_file(cases[i].name, write_case(cases[i].write), FILE_SIZE);
}

/* 400 MB of blank lines, or of one atom, in under 2 MB. */
static void refuses_gzip_bombs(void **state)
{
    (void)state;
    char path[200], block[81 * 100];
    for (int k = 0; k < 100; ++k)
        snprintf(block + 81 * k, sizeof block - 81 * (size_t)k, "%-80s\n",
                 "ATOM      1  CA  ALA A   1       1.000   2.000   3.000");
    snprintf(path, sizeof path, "%s/bomb.gz", support_scratch());
    gzFile file = gzopen(path, "wb6");
    for (int k = 0; k < 50000; ++k)
        gzwrite(file, block, sizeof block - 1);
    gzclose(file);
    FILE *packed = fopen(path, "rb");
    fseek(packed, 0, SEEK_END);
    double size = (double)ftell(packed);
    fclose(packed);
    check_file("gzip bomb", path, size);
    cardo_structure *s;
    cardo_error error = {0};
    assert_fails(cardo_structure_read(path, 0, &s, &error), &error, CARDO_ERROR_FILE,
                 "holds more than");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(survives_large_files),
        cmocka_unit_test(refuses_gzip_bombs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
