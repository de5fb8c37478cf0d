/* Pairs of atoms that are near each other, by a grid of cells (Quentrec & Brot 1973). */
#ifndef CARDO_FORCES_RELAX_NEAR_PAIRS_H
#define CARDO_FORCES_RELAX_NEAR_PAIRS_H

#include "base/status.h"
#include "base/vec.h"

typedef struct cardo_near_pairs cardo_near_pairs;

/* For natom atoms and pairs not farther apart than reach, nm. The caller owns *out. */
cardo_status cardo_near_pairs_create(int natom, double reach, cardo_near_pairs **out,
                                     cardo_error *error);
void cardo_near_pairs_destroy(cardo_near_pairs *pairs);

/* One pair: r goes from a to b, square is its length squared, nm^2. */
typedef void (*cardo_pair_visitor)(void *context, int a, int b, cardo_vec3 r, double square);

/* Calls visit once for every pair within reach; positions: natom x 3, nm, finite. The order depends
 * on positions alone. Allocates nothing. */
void cardo_near_pairs_visit(cardo_near_pairs *pairs, const double *positions,
                            cardo_pair_visitor visit, void *context);

#endif
