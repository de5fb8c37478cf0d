/* Which residues of a structure are which of a polymer's sequence. */
#ifndef CARDO_STRUCTURE_RECORDS_SEQUENCE_H
#define CARDO_STRUCTURE_RECORDS_SEQUENCE_H

#include "structure/records/records.h"

/* The place of a residue as the file itself gives it. */
typedef struct cardo_sequence_place {
    cardo_name asym; /* of its polymer; empty: not given */
    int place;       /* from 1; 0: not given             */
} cardo_sequence_place;

/* Fills the polymers and monomers of out, whose residues and chains are there, from the records.
 * given[r] (nresidue) is what the file says about each residue. Where it says nothing (PDB), the
 * residues of a chain are laid along its sequence: runs of residues that are bonded, or numbered on,
 * stay together; the longest goes first, to where all names agree; the others go on either side,
 * each to the nearest such place to where the numbering wants it. A run that fits nowhere (more than a quarter of its names differ)
 * stays out. Polymers without any residue are left out. */
cardo_status cardo_sequences_fill(const cardo_records *records, const cardo_sequence_place *given,
                                  cardo_structure *out, cardo_error *error);

#endif
