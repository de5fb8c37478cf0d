/* mmCIF files: what the PDB archive distributes, without the limits of columns. */
#ifndef CARDO_STRUCTURE_MMCIF_MMCIF_H
#define CARDO_STRUCTURE_MMCIF_MMCIF_H

#include "structure/atoms/structure.h"

#include <stdio.h>

/* Writes the structure as one mmCIF data block (cell, sequences, disulfides, links, atoms), with positions (natom x
 * 3, nm) in place of the structure's own when not NULL. It reads back to the same structure. */
cardo_status cardo_mmcif_write(FILE *stream, const cardo_structure *structure,
                               const double *positions, cardo_error *error);

/* One of several models of such a block, from 1 on and in order: model 1 writes all that comes before the
 * atoms too. After the last one "#\n" ends the block. */
cardo_status cardo_mmcif_write_model(FILE *stream, const cardo_structure *structure,
                                     const double *positions, int model, cardo_error *error);

#endif
