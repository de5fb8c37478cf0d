#include "structure/compare.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char message[200];

static const char *atoms_differ(const cardo_structure *a, const cardo_structure *b,
                                double tolerance)
{
    for (int i = 0; i < a->natom; ++i) {
        const char *what = NULL;
        if (memcmp(&a->atom_name[i], &b->atom_name[i], sizeof(cardo_name)) != 0)
            what = "name";
        else if (a->element[i] != b->element[i])
            what = "element";
        else if (a->atom_residue[i] != b->atom_residue[i])
            what = "residue";
        else if (fabs((double)(a->occupancy[i] - b->occupancy[i])) > 0.00501)
            what = "occupancy";
        else if (fabs((double)(a->b_factor[i] - b->b_factor[i])) > 0.00501)
            what = "B factor";
        for (int k = 3 * i; k < 3 * i + 3; ++k)
            if (!(fabs(a->position[k] - b->position[k]) <= tolerance))
                what = "position";
        if (what) {
            snprintf(message, sizeof message, "%s of atom %d (%s and %s)", what, i,
                     a->atom_name[i].text, b->atom_name[i].text);
            return message;
        }
    }
    return NULL;
}

static const char *residues_differ(const cardo_structure *a, const cardo_structure *b)
{
    for (int r = 0; r < a->nresidue; ++r) {
        const char *what = NULL;
        if (memcmp(&a->residue_name[r], &b->residue_name[r], sizeof(cardo_name)) != 0)
            what = "name";
        else if (a->residue_number[r] != b->residue_number[r] || a->insertion[r] != b->insertion[r])
            what = "number";
        else if (a->hetero[r] != b->hetero[r])
            what = "ATOM/HETATM";
        else if (a->residue_chain[r] != b->residue_chain[r])
            what = "chain";
        if (what) {
            char one[40], other[40];
            snprintf(message, sizeof message, "%s of residue %d (%s and %s)", what, r,
                     cardo_residue_label(a, r, one), cardo_residue_label(b, r, other));
            return message;
        }
    }
    return NULL;
}

static const char *sequences_differ(const cardo_structure *a, const cardo_structure *b)
{
    if (a->npolymer != b->npolymer || a->nmonomer != b->nmonomer) {
        snprintf(message, sizeof message, "counts: %d/%d polymers, %d/%d monomers", a->npolymer,
                 b->npolymer, a->nmonomer, b->nmonomer);
        return message;
    }
    for (int p = 0; p < a->npolymer; ++p)
        if (memcmp(&a->polymer[p], &b->polymer[p], sizeof a->polymer[p]) != 0)
            return "polymer";
    for (int m = 0; m < a->nmonomer; ++m) {
        const cardo_monomer *one = &a->monomer[m], *other = &b->monomer[m];
        if (memcmp(&one->name, &other->name, sizeof one->name) == 0 &&
            one->residue == other->residue && one->number == other->number &&
            one->insertion == other->insertion && one->numbered == other->numbered)
            continue;
        snprintf(message, sizeof message, "monomer %d (%s %d%c of residue %d and %s %d%c of %d)", m,
                 one->name.text, one->number, one->insertion ? one->insertion : ' ', one->residue,
                 other->name.text, other->number, other->insertion ? other->insertion : ' ',
                 other->residue);
        return message;
    }
    return NULL;
}

static int compare_links(const void *a, const void *b)
{
    const int *one = a, *other = b;
    return one[0] != other[0] ? one[0] - other[0] : one[1] - other[1];
}

/* Links in whatever order, either end first. */
static const char *links_differ(const cardo_structure *a, const cardo_structure *b)
{
    const char *difference = a->nlink == b->nlink ? NULL : "number of links";
    size_t n = (size_t)a->nlink;
    int(*ends)[2] = difference ? NULL : calloc(2 * n + 1, sizeof *ends);
    for (size_t k = 0; ends && k < 2 * n; ++k) {
        const int *atom = k < n ? a->link[k].atom : b->link[k - n].atom;
        ends[k][0] = atom[0] < atom[1] ? atom[0] : atom[1];
        ends[k][1] = atom[0] < atom[1] ? atom[1] : atom[0];
    }
    if (ends) {
        qsort(ends, n, sizeof *ends, compare_links);
        qsort(ends + n, n, sizeof *ends, compare_links);
        difference = memcmp(ends, ends + n, n * sizeof *ends) == 0 ? NULL : "link";
    }
    free(ends);
    return difference;
}

const char *structures_differ(const cardo_structure *a, const cardo_structure *b, double tolerance)
{
    if (a->natom != b->natom || a->nresidue != b->nresidue || a->nchain != b->nchain ||
        a->nbridge != b->nbridge || a->has_cell != b->has_cell) {
        snprintf(message, sizeof message,
                 "counts: %d/%d atoms, %d/%d residues, %d/%d chains, %d/%d bridges, %d/%d cells",
                 a->natom, b->natom, a->nresidue, b->nresidue, a->nchain, b->nchain, a->nbridge,
                 b->nbridge, a->has_cell, b->has_cell);
        return message;
    }
    const char *difference = residues_differ(a, b);
    if (!difference)
        difference = atoms_differ(a, b, tolerance);
    for (int c = 0; c < a->nchain && !difference; ++c)
        if (memcmp(&a->chain_id[c], &b->chain_id[c], sizeof(cardo_name)) != 0)
            difference = "chain id";
    for (int k = 0; k < a->nbridge && !difference; ++k)
        if (memcmp(&a->bridge[k], &b->bridge[k], sizeof a->bridge[k]) != 0)
            difference = "bridge";
    if (!difference)
        difference = sequences_differ(a, b);
    if (!difference)
        difference = links_differ(a, b);
    for (int k = 0; k < 6 && !difference; ++k)
        if (fabs(a->cell[k] - b->cell[k]) > 0.00501)
            difference = "cell";
    return difference;
}

/* Everything that identifies a site, comparable by memcmp: blanks are zero. */
typedef struct site_key {
    cardo_name chain;
    int number;
    char insertion, padding[3];
    cardo_name atom;
} site_key;

static int compare_keys(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(site_key));
}

record_counts count_records(const cardo_records *records)
{
    record_counts counts = {0};
    size_t n = (size_t)records->nrecord, alpha = 0;
    site_key *keys = calloc(3 * n + 1, sizeof *keys), *alphas = keys + n, *names = keys + 2 * n;
    for (size_t i = 0; i < n; ++i) {
        const cardo_record *record = &records->record[i];
        const cardo_residue_identity *id = &records->run[record->run].identity;
        keys[i].chain = id->chain;
        keys[i].number = id->number;
        keys[i].insertion = id->insertion;
        names[i] = keys[i];
        names[i].atom = id->name;
        keys[i].atom = record->name;
        if (record->element == 6 && strcmp(record->name.text, "CA") == 0)
            alphas[alpha++] = keys[i];
        for (int k = 0; k < 3; ++k)
            counts.sum[k] += 10 * record->position[k];
    }
    qsort(keys, n, sizeof *keys, compare_keys);
    qsort(names, n, sizeof *keys, compare_keys);
    qsort(alphas, alpha, sizeof *keys, compare_keys);
    for (size_t i = 0; i < n; ++i) {
        bool first = i == 0;
        counts.chains += first || memcmp(&keys[i - 1], &keys[i], sizeof(cardo_name)) != 0;
        counts.residues += first || memcmp(&keys[i - 1], &keys[i], offsetof(site_key, atom)) != 0;
        counts.names += first || compare_keys(&names[i - 1], &names[i]) != 0;
        counts.sites += first || compare_keys(&keys[i - 1], &keys[i]) != 0;
    }
    for (size_t i = 0; i < alpha; ++i)
        counts.carbon_alphas += i == 0 || compare_keys(&alphas[i - 1], &alphas[i]) != 0;
    free(keys);
    return counts;
}
