#include "fuzz/read.h"

#include "fuzz/file.h"

#include "structure/mmcif/mmcif.h"
#include "structure/pdb/pdb.h"
#include "structure/records/remarks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const cardo_read_options options;

static void check_consistent(const cardo_structure *s)
{
    fuzz_require(s->natom > 0 && s->nresidue > 0 && s->nchain > 0, "an empty structure");
    fuzz_require(s->residue_first[0] == 0 && s->residue_first[s->nresidue] == s->natom,
                 "first atoms");
    fuzz_require(s->chain_first[0] == 0 && s->chain_first[s->nchain] == s->nresidue,
                 "first residues");
    for (int c = 0; c < s->nchain; ++c) {
        fuzz_require(s->chain_first[c] < s->chain_first[c + 1], "an empty chain");
        for (int r = s->chain_first[c]; r < s->chain_first[c + 1]; ++r) {
            fuzz_require(s->residue_chain[r] == c, "chain of a residue");
            fuzz_require(s->residue_first[r] < s->residue_first[r + 1], "an empty residue");
            for (int i = s->residue_first[r]; i < s->residue_first[r + 1]; ++i)
                fuzz_require(s->atom_residue[i] == r, "residue of an atom");
        }
    }
    for (int i = 0; i < 3 * s->natom; ++i)
        fuzz_require(fabs(s->position[i]) <= 1e5 + 1e-9, "position");
    for (int b = 0; b < s->nbridge; ++b)
        for (int k = 0; k < 2; ++k)
            fuzz_require(s->bridge[b].residue[k] >= 0 && s->bridge[b].residue[k] < s->nresidue,
                         "bridge");
}

static void check_lists(const cardo_structure *s)
{
    int next = 0, residue = 0;
    for (int p = 0; p < s->npolymer; ++p) {
        fuzz_require(s->polymer[p].first == next && s->polymer[p].count > 0, "polymers");
        next += s->polymer[p].count;
    }
    fuzz_require(next == s->nmonomer, "monomers");
    for (int m = 0; m < s->nmonomer; ++m)
        fuzz_require(s->monomer[m].residue >= -1 && s->monomer[m].residue < s->nresidue,
                     "residue of a monomer");
    for (int k = 0; k < s->nlink; ++k)
        for (int end = 0; end < 2; ++end)
            fuzz_require(s->link[k].atom[end] >= 0 && s->link[k].atom[end] < s->natom, "link");
    for (int k = 0; k < s->nalternate; ++k) {
        fuzz_require(s->alternate[k].residue >= residue && s->alternate[k].residue < s->nresidue,
                     "residue of an alternate");
        residue = s->alternate[k].residue;
    }
    fuzz_require(s->nalternate == s->naltloc, "number of alternates");
}

static void ignore_remark(void *user, const char *text)
{
    (void)user;
    fuzz_require(text[0] != '\0', "an empty remark");
}

/* A part keeps its lists in order too. */
static void check_part(const cardo_structure *s)
{
    bool *keep = calloc((size_t)s->natom, sizeof *keep);
    cardo_structure *part = NULL;
    cardo_error error = {0};
    for (int i = 0; keep && i < s->natom; ++i)
        keep[i] = i == 0 || i % 3 != 1;
    fuzz_require(keep && cardo_structure_subset(s, keep, &part, &error) == CARDO_OK,
                 "no part of a structure");
    int alternates = part->naltloc;
    part->naltloc = part->nalternate;
    check_consistent(part);
    check_lists(part);
    part->naltloc = alternates;
    cardo_structure_destroy(part);
    free(keep);
}

/* What mmCIF holds is read back whole. Repeated identities can join differently, since labels of
 * alternates are gone. */
static void check_written(const cardo_structure *s)
{
    char *text = NULL;
    size_t size = 0;
    cardo_error error = {0};
    cardo_records back = {0};
    FILE *stream = open_memstream(&text, &size);
    fuzz_require(cardo_mmcif_write(stream, s, NULL, &error) == CARDO_OK, "mmCIF is not written");
    fclose(stream);
    cardo_status status = cardo_format_mmcif.read(text, size, "back", &options, &back, &error);
    fuzz_require(status == CARDO_OK, error.message);
    fuzz_require(back.nrecord == s->natom, "mmCIF lost atoms");
    for (int i = 0; i < s->natom; ++i)
        fuzz_require(fabs(back.record[i].position[0] - s->position[3 * i]) < 1e-8,
                     "mmCIF moved an atom");
    cardo_records_destroy(&back);
    free(text);
    stream = open_memstream(&text, &size);
    status = cardo_pdb_write(stream, s, NULL, 0, &error);
    fclose(stream);
    if (status == CARDO_OK) {
        status = cardo_format_pdb.read(text, size, "back", &options, &back, &error);
        fuzz_require(status == CARDO_OK, error.message);
        fuzz_require(back.nrecord == s->natom, "PDB lost atoms");
        cardo_records_destroy(&back);
    }
    free(text);
}

void fuzz_read(const cardo_structure_format *format, const uint8_t *data, size_t size)
{
    cardo_records records = {0};
    cardo_structure *s = NULL;
    cardo_error error = {0};
    format->detect((const char *)data, size);
    cardo_status status =
        format->read((const char *)data, size, "fuzz", &options, &records, &error);
    if (status == CARDO_OK)
        status = cardo_structure_assemble(&records, "fuzz", &s, &error);
    if (status == CARDO_OK) {
        check_consistent(s);
        check_lists(s);
        check_part(s);
        cardo_structure_remarks(s, ignore_remark, NULL);
        check_written(s);
    } else {
        fuzz_require(strncmp(error.message, "fuzz:", 5) == 0,
                     "an error without the name of the file");
    }
    cardo_structure_destroy(s);
    cardo_records_destroy(&records);
}
