/* AMBER's way of keeping a structure in two files: topologies (prmtop, parm7) with the atoms, and
 * coordinates (inpcrd, rst7, NetCDF restarts). */
#ifndef CARDO_STRUCTURE_AMBER_AMBER_H
#define CARDO_STRUCTURE_AMBER_AMBER_H

#include "structure/amber/prmtop_file.h"
#include "structure/atoms/structure.h"

#include <stdio.h>

/* Makes the structure of a topology: residues are numbered from 1, in chain A; elements by atomic
 * number where the file has them, else by mass; positions are zero. The caller owns *out. */
cardo_status cardo_prmtop_structure(const cardo_prmtop_file *file, cardo_structure **out,
                                    cardo_error *error);

/* Reads the coordinates of natom atoms into position (natom x 3, nm): ASCII (inpcrd, rst7), or NetCDF
 * restarts (.ncrst; of trajectories the first frame). Another number of atoms is
 * CARDO_ERROR_INPUT. */
cardo_status cardo_amber_coordinates_read(const char *path, int natom, double *position,
                                          cardo_error *error);

/* Prints the coordinates of natom atoms (natom x 3, nm) as a restart without velocities (rst7): seven digits after
 * the point, fewer where twelve columns have no room. title: one line. */
void cardo_amber_restart_print(const char *title, int natom, const double *position, FILE *stream);

/* Is this file, plain or gzip, a topology? */
bool cardo_is_prmtop(const char *path);

/* Reads a topology's structure with its coordinates; coordinates NULL: from the file beside it that
 * has the same name but for .rst7, .inpcrd, .ncrst, .rst or .crd at the end. The caller owns *out. */
cardo_status cardo_amber_structure_read(const char *path, const char *coordinates,
                                        cardo_structure **out, cardo_error *error);

#endif
