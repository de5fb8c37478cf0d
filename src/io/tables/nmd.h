/* Normal modes for NMWiz of VMD: the .nmd format, one text line a field. */
#ifndef CARDO_IO_TABLES_NMD_H
#define CARDO_IO_TABLES_NMD_H

#include "structure/atoms/structure.h"

/* Writes atomically. atom (natom): which atoms of the structure, and
 * position (natom x 3, nm) where they are. displacement (nmode x natom x 3, nm)
 * is written with each mode of unit length behind scale (nmode), its size in angstrom. numbers (nmode):
 * what the modes are called. */
cardo_status cardo_nmd_write(const char *path, const char *title, const cardo_structure *structure,
                             int natom, const int *atom, const double *position, int nmode,
                             const int *numbers, const double *scale, const double *displacement,
                             cardo_error *error);

#endif
