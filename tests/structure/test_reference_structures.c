/* test_reference_structures DIR: every file that DIR/expected.json lists is read to the stated
 * counts or refused with a message that names it; what is read survives writing as PDB and as
 * mmCIF; files NAME.pdb and NAME.cif of one entry give one structure. DIR/expected_pdb_folder.json
 * is followed too when it and its files are there. */
#include "support/support.h"

#include "base/memory.h"
#include "base/text.h"
#include "structure/compare.h"
#include "structure/mmcif/mmcif.h"
#include "structure/pdb/pdb.h"
#include "structure/records/format.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int failures, passed, missing;
static cardo_error error;

static void report(const char *file, const char *what)
{
    printf("FAILED %s: %s\n", file, what);
    ++failures;
}

static void compare_number(const char *file, const json_t *expected, const char *key, double found,
                           double tolerance)
{
    char text[200];
    const json_t *value = json_object_get(expected, key);
    if (!value || fabs(json_number_value(value) - found) <= tolerance)
        return;
    snprintf(text, sizeof text, "%s is %.10g, expected %.10g", key, found,
             json_number_value(value));
    report(file, text);
}

static bool has_chain(const cardo_records *records, const char *id)
{
    while (*id == ' ')
        ++id;
    for (int run = 0; run < records->nrun; ++run)
        if (strcmp(records->run[run].identity.chain.text, id) == 0)
            return true;
    return false;
}

static void compare_records(const char *file, const json_t *expected, const cardo_records *records)
{
    record_counts counts = count_records(records);
    int altlocs = 0;
    size_t k;
    json_t *item;
    for (int i = 0; i < records->nrecord; ++i)
        altlocs += records->record[i].altloc != '\0';
    compare_number(file, expected, "models", records->nmodel, 0);
    compare_number(file, expected, "atoms", records->nrecord, 0);
    compare_number(file, expected, "atom_records", records->nrecord, 0);
    compare_number(file, expected, "altloc_atoms", altlocs, 0);
    compare_number(file, expected, "chains", counts.chains, 0);
    compare_number(file, expected, "residues", counts.residues, 0);
    compare_number(file, expected, "ca_residues", counts.carbon_alphas, 0);
    compare_number(file, expected, "distinct_sites", counts.sites, 0);
    json_array_foreach(json_object_get(expected, "chain_ids"), k,
                       item) if (!has_chain(records, json_string_value(item)))
        report(file, "a chain id is missing");
    json_array_foreach(json_object_get(expected, "model_atoms"), k,
                       item) if ((int)k >= records->nmodel ||
                                 records->model[k].natom != json_integer_value(item))
        report(file, "the number of atoms of a model is wrong");
    json_array_foreach(json_object_get(expected, "sum_xyz"), k,
                       item) if (fabs(json_number_value(item) - counts.sum[k]) >
                                 (records->nrecord > 50000 ? 0.5 : 0.01))
        report(file, "the sum of coordinates is wrong");
}

/* One site is one atom, but where a residue has two names or residue numbers repeat. */
static void compare_structure(const char *file, const cardo_records *records,
                              const cardo_structure *s)
{
    record_counts counts = count_records(records);
    if (s->nresidue == counts.residues && counts.names == counts.residues &&
        s->natom != counts.sites)
        report(file, "the structure does not have one atom a site");
    if (s->nresidue < counts.residues)
        report(file, "the structure lacks residues");
}

typedef cardo_status writer(FILE *stream, const cardo_structure *s, const double *positions,
                            cardo_error *e);

/* PDB holds three digits of an angstrom; tolerance is in nm. */
static void check_round_trip(const char *file, const cardo_structure *s, writer *write,
                             const char *name, double tolerance)
{
    char *text = NULL, what[400];
    size_t size = 0;
    cardo_structure *back = NULL;
    FILE *stream = open_memstream(&text, &size);
    cardo_status status = write(stream, s, NULL, &error);
    fclose(stream);
    if (status == CARDO_ERROR_UNSUPPORTED) {
        printf("note   %s: %s\n", file, error.message);
    } else {
        const char *path = support_write("round-trip", text);
        if (status == CARDO_OK)
            status = cardo_structure_read(path, 0, &back, &error);
        const char *difference =
            status == CARDO_OK ? structures_differ(s, back, tolerance) : error.message;
        snprintf(what, sizeof what, "after writing as %s: %s", name, difference ? difference : "");
        if (difference)
            report(file, what);
    }
    cardo_structure_destroy(back);
    free(text);
}

static cardo_status write_pdb(FILE *stream, const cardo_structure *s, const double *positions,
                              cardo_error *e)
{
    return cardo_pdb_write(stream, s, positions, 0, e);
}

static void check_read(const char *path, const char *file, const json_t *entry, bool must_fail,
                       bool may_fail)
{
    cardo_records records = {0};
    const cardo_read_options options = {.model = 0};
    cardo_structure *s = NULL;
    error = (cardo_error){0};
    cardo_status status = cardo_records_read(path, &options, &records, &error);
    if (status == CARDO_OK)
        status = cardo_structure_read(path, 0, &s, &error);
    if (status != CARDO_OK) {
        if (!must_fail && !may_fail)
            report(file, error.message);
        else if (!strstr(error.message, file))
            report(file, "the error does not name the file");
    } else if (must_fail) {
        report(file, "this file must be refused");
    } else {
        compare_records(file, json_object_get(entry, "expected"), &records);
        compare_structure(file, &records, s);
        check_round_trip(file, s, write_pdb, "PDB", 5.001e-5);
        check_round_trip(file, s, cardo_mmcif_write, "mmCIF", 1e-9);
    }
    cardo_structure_destroy(s);
    cardo_records_destroy(&records);
}

/* NAME.cif against NAME.pdb: when the table says that both have the same atoms, they must be one
 * structure. */
static void check_twin(const char *folder, const json_t *entry, const json_t *entries)
{
    const char *file = json_string_value(json_object_get(entry, "file"));
    const json_t *expected = json_object_get(entry, "expected");
    const char *extension = strstr(file, ".cif");
    size_t k;
    json_t *other;
    if (!extension || !json_object_get(expected, "sum_xyz"))
        return;
    json_array_foreach(entries, k, other)
    {
        const char *twin = json_string_value(json_object_get(other, "file"));
        char path[4096];
        cardo_structure *a = NULL, *b = NULL;
        if (strncmp(twin, file, (size_t)(extension - file)) != 0 ||
            strcmp(twin + (extension - file), ".pdb") != 0 ||
            !json_equal(json_object_get(expected, "sum_xyz"),
                        json_object_get(json_object_get(other, "expected"), "sum_xyz")))
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, file);
        cardo_status status = cardo_structure_read(path, 0, &a, &error);
        snprintf(path, sizeof path, "%s/%s", folder, twin);
        if (status == CARDO_OK)
            status = cardo_structure_read(path, 0, &b, &error);
        /* Old mmCIF files call modified residues of a chain ATOM, PDB files always HETATM. */
        if (status == CARDO_OK && a->nresidue == b->nresidue)
            memcpy(a->hetero, b->hetero, (size_t)a->nresidue * sizeof *a->hetero);
        const char *difference = status == CARDO_OK ? structures_differ(a, b, 1e-9) : error.message;
        printf("twins  %s and %s: %s\n", file, twin, difference ? difference : "the same");
        failures += difference != NULL;
        cardo_structure_destroy(a);
        cardo_structure_destroy(b);
    }
}

static void check_entries(const char *folder, const json_t *entries)
{
    size_t k;
    json_t *entry;
    json_array_foreach(entries, k, entry)
    {
        const char *file = json_string_value(json_object_get(entry, "file"));
        const char *outcome = json_string_value(json_object_get(entry, "status"));
        char path[4096];
        int before = failures;
        snprintf(path, sizeof path, "%s/%s", folder, file);
        if (access(path, R_OK) != 0) {
            printf("absent %s\n", file);
            ++missing;
            continue;
        }
        check_read(path, file, entry, strcmp(outcome, "error") == 0,
                   strcmp(outcome, "ok-or-error") == 0);
        check_twin(folder, entry, entries);
        passed += failures == before;
    }
}

static bool check_table(const char *folder, const char *table, const char *base)
{
    char path[4096];
    json_error_t parse_error;
    snprintf(path, sizeof path, "%s/%s", folder, table);
    json_t *root = json_load_file(path, 0, &parse_error);
    if (!root) {
        printf("%s: %s\n", path, parse_error.text);
        return false;
    }
    snprintf(path, sizeof path, "%s%s", folder, base);
    check_entries(path, json_object_get(root, "files"));
    json_decref(root);
    return true;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s DIR\n", argv[0]);
        return 2;
    }
    if (access(argv[1], R_OK) != 0) {
        printf("SKIPPED: no reference folder at %s\n", argv[1]);
        return 77;
    }
    bool found = check_table(argv[1], "expected.json", "");
    char path[4096];
    snprintf(path, sizeof path, "%s/expected_pdb_folder.json", argv[1]);
    if (access(path, R_OK) == 0)
        check_table(argv[1], "expected_pdb_folder.json", "/../../..");
    printf("%d files as expected, %d findings, %d files absent\n", passed, failures, missing);
    return failures > 0 || passed == 0 || !found;
}
