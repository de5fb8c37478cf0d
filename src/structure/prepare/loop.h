/* Backbones for residues that a chain lacks, by cyclic coordinate descent (Canutescu & Dunbrack,
 * Protein Sci. 12, 963, 2003). Internal to prepare. */
#ifndef CARDO_STRUCTURE_PREPARE_LOOP_H
#define CARDO_STRUCTURE_PREPARE_LOOP_H

#include "structure/prepare/draft.h"

enum { CARDO_MOST_CLOSED = 8 };

/* Seeks positions of N, CA and C of n residues (1 ... CARDO_MOST_CLOSED, names: their components)
 * between residue r - 1 and r of the draft, whose atoms stay. position (3 n). False in *found, and
 * words in why, when none has standard bond lengths, angles and trans peptides within what relaxing
 * mends, and no clash. */
cardo_status cardo_loop_find(const cardo_draft *draft, int r, int n,
                             const cardo_component *const *components, cardo_vec3 *position,
                             bool *found, char why[128], cardo_error *error);

#endif
