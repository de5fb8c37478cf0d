/* Energy maps over two dihedral angles: the bicubic spline, periodic in both, through a grid. */
#ifndef CARDO_FORCES_RIGID_BONDED_CMAP_H
#define CARDO_FORCES_RIGID_BONDED_CMAP_H

#include "base/status.h"

typedef struct cardo_rigid_map cardo_rigid_map;

/* energy[i + size j] (kJ/mol) at angles 2 pi i/size and 2 pi j/size; size from 2. */
cardo_status cardo_rigid_map_create(int size, const double *energy, cardo_rigid_map **out,
                                    cardo_error *error);
void cardo_rigid_map_destroy(cardo_rigid_map *map);

/* Energy at angles phi, psi in -2 pi ... 2 pi, and its two slopes (kJ/mol/rad). */
double cardo_rigid_map_energy(const cardo_rigid_map *map, double phi, double psi, double slope[2]);

#endif
