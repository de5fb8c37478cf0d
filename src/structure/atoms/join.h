/* Two structures as one. */
#ifndef CARDO_STRUCTURE_ATOMS_JOIN_H
#define CARDO_STRUCTURE_ATOMS_JOIN_H

#include "structure/atoms/structure.h"

/* The atoms of a, then those of b, in chains of their own; polymers and cell are those of a. The caller owns *out. */
cardo_status cardo_structure_join(const cardo_structure *a, const cardo_structure *b,
                                  cardo_structure **out, cardo_error *error);

#endif
