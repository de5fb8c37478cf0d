/* Which heavy atoms of different bodies come near each other along the paths, and whose side chains
 * give way. */
#ifndef CARDO_MODEL_CLASH_H
#define CARDO_MODEL_CLASH_H

#include "model/model.h"

/* Two heavy atoms of different bodies, at a place of the paths. */
typedef struct cardo_approach {
    int atom[2];     /* -1: none within reach                                                */
    double distance; /* nm                                                                   */
    double fraction; /* of all paths, 0: first structure, 1: last                            */
} cardo_approach;

typedef struct cardo_clash_list {
    int nfraction;
    cardo_approach *nearest; /* at each fraction                                  (nfraction) */
    int npair, capacity;
    cardo_approach *pair; /* the nearest approach of two residues that come nearer than 0.3 nm,
                          nearest first                                        (npair)     */
} cardo_clash_list;

/* Looks along the paths with torsions standing still and bodies on strands following the screw
 * between their structures, or where pose (nfraction x nbody; NULL: so) has each body relative to the
 * reference. positions: atoms of the reference (natom x 3, nm), or NULL: its own.
 * Nothing beyond 0.5 nm is looked at. The caller clears *out, also after a failure. */
cardo_status cardo_clashes_find(const cardo_model *model, const double *positions, int nfraction,
                                const double *fractions, const cardo_transform *pose,
                                cardo_clash_list *out, cardo_error *error);
void cardo_clash_list_clear(cardo_clash_list *list);

#endif
