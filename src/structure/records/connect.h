/* What a file says is bonded, as residues and atoms of the structure. */
#ifndef CARDO_STRUCTURE_RECORDS_CONNECT_H
#define CARDO_STRUCTURE_RECORDS_CONNECT_H

#include "structure/records/records.h"

/* Fills the bridges (room for all records is there) and links of out, whose residues and atoms are
 * there. One whose end is not in the structure is left out; of several
 * residues of one number that with the record's residue name is meant, then the first. CONECT records tell what neither an SSBOND nor a LINK record does (structure/records/conect.h). */
cardo_status cardo_connections_fill(const cardo_records *records, cardo_structure *out,
                                    cardo_error *error);

#endif
