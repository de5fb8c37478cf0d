/* The neck correction of GBn and GBn2: the space between two atoms that no water fits into (Mongan
 * et al., J. Chem. Theory Comput. 3, 156, 2007). */
#ifndef CARDO_FORCES_FFXML_SECTIONS_GB_NECK_H
#define CARDO_FORCES_FFXML_SECTIONS_GB_NECK_H

#include "forces/ffxml/definitions/section.h"

enum { CARDO_NECK_SIZE = 21 };

/* Where the neck integral of two atoms is largest (nm), and how large (1/nm), by the two radii in
 * steps of 0.005 nm from 0.10 to 0.20 nm; rows run over the first radius. */
typedef struct cardo_neck_table {
    double distance[CARDO_NECK_SIZE * CARDO_NECK_SIZE];
    double strength[CARDO_NECK_SIZE * CARDO_NECK_SIZE];
} cardo_neck_table;

/* Reads implicit/neck.xml of Cardo's data. The caller owns *out (cardo_free). */
cardo_status cardo_neck_table_read(cardo_neck_table **out, cardo_error *error);

/* Sorts the atoms into kinds of equal radius, and interpolates the tables for every pair of kinds.
 * CARDO_ERROR_UNSUPPORTED with the atom's name for a radius outside the tables. */
cardo_status cardo_neck_assign(cardo_assignment *assignment, cardo_error *error);

#endif
