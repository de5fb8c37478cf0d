/* Chains that fill spheres as a globular protein's backbone does: test molecules with domains that are
 * known. */
#ifndef CARDO_TESTS_BLOB_H
#define CARDO_TESTS_BLOB_H

#include "analysis/domains/finder.h"

#include <stdint.h>

/* Writes count points from position[first] on: a chain with steps of 0.38 nm that stays within
 * radius of centre and whose points keep 0.4 nm apart. */
void blob_fill(double *position, int first, int count, cardo_vec3 centre, double radius,
               uint64_t *seed);

/* A displacement of n residues in blobs of one chain: blob k (centres 2 radius apart along x) holds
 * residues end[k - 1] to end[k] - 1 and moves by X[k]; both conformations get noise, nm, in each
 * coordinate. Nothing is turned as a whole. */
void blob_displacement(cardo_displacement *displacement, int nblob, const int *end,
                       const cardo_transform *X, double noise, uint64_t seed);

#endif
