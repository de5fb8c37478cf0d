/* Which residues of the records are one chain. */
#ifndef CARDO_STRUCTURE_RECORDS_ASSEMBLE_CHAINS_H
#define CARDO_STRUCTURE_RECORDS_ASSEMBLE_CHAINS_H

#include "structure/records/records.h"

/* chain[k] of residue k, whose first records are those of run[k] (n residues, in the order of the file); the
 * chains are counted in the order in which they begin. A chain is a stretch of residues with one id up to a TER
 * record (or what stands for it). A residue of a polymer goes on with the chain of its id that stands apart, or
 * after a TER, where the two are bonded; where chains take turns without any TER; and where a TER follows every
 * residue. So do residues of no polymer after a TER, with the one before
 * where their numbers go on. */
cardo_status cardo_chains_find(const cardo_records *records, int n, const int *run, int *chain,
                               cardo_error *error);

#endif
