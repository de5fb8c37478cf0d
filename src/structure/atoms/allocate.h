/* Making a structure whose arrays a reader, or a copy, fills. */
#ifndef CARDO_STRUCTURE_ATOMS_ALLOCATE_H
#define CARDO_STRUCTURE_ATOMS_ALLOCATE_H

#include "structure/atoms/structure.h"

/* Allocates a structure with arrays of these sizes (natom, nresidue, nchain, nbridge set; the rest
 * zero). */
cardo_status cardo_structure_allocate(const char *source, int natom, int nresidue, int nchain,
                                      int nbridge, cardo_structure **out, cardo_error *error);

#endif
