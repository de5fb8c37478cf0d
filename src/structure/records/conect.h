/* CONECT records: bonds between residues that neither a LINK nor an SSBOND record tells. */
#ifndef CARDO_STRUCTURE_RECORDS_CONECT_H
#define CARDO_STRUCTURE_RECORDS_CONECT_H

#include "structure/records/records.h"

#include <stddef.h>

/* Adds the pairs of CONECT records to the links and bridges of out, whose atoms, links and bridges
 * are there: once each, and only where they are not there already. Bonds inside of a residue and
 * those that a chain of ATOM records has anyway are left out; so are pairs that are too far apart
 * for a bond and serial numbers that several atoms have, which are counted in out. */
cardo_status cardo_conect_fill(const cardo_records *records, cardo_structure *out,
                               cardo_error *error);

/* Words about the pairs that were left out (text: size bytes); false when there are none. */
bool cardo_conect_far_words(const cardo_structure *structure, char *text, size_t size);
bool cardo_conect_unclear_words(const cardo_structure *structure, char *text, size_t size);

#endif
