/* Residues of a structure in orders in which those that an item of a selection means stand together, so that
 * a list of a million items is looked up, and not gone through. */
#ifndef CARDO_STRUCTURE_ATOMS_SELECTION_INDEX_H
#define CARDO_STRUCTURE_ATOMS_SELECTION_INDEX_H

#include "structure/atoms/structure.h"

#include <stddef.h>

/* One order of the residues, and which stretches of it are marked. */
typedef struct cardo_residue_order {
    int *residue; /*                                                       (nresidue)     */
    int *change;  /* by how many stretches more are marked from here on    (nresidue + 1) */
} cardo_residue_order;

typedef struct cardo_selection_index {
    const cardo_structure *structure;
    cardo_residue_order place; /* by chain id, then as in the file                           */
    cardo_residue_order
        number; /* by chain id, number, insertion code, then as in the file: a chain takes
                                   the same stretch of both                                   */
    cardo_residue_order name; /* by residue name; empty until it is asked for               */
    int *rank;                /* of a residue in place                        (nresidue)    */
} cardo_selection_index;

/* first ... end - 1 of an order. */
typedef struct cardo_stretch {
    int first, end;
} cardo_stretch;

/* Clear it also after a failure. */
cardo_status cardo_selection_index_build(const cardo_structure *structure,
                                         cardo_selection_index *index, cardo_error *error);
void cardo_selection_index_clear(cardo_selection_index *index);

/* The residues of the chain with this id (length bytes), in place and in number. */
cardo_stretch cardo_index_chain(const cardo_selection_index *index, const char *id, size_t length);
/* Those of a stretch of a chain that are numbered from low to high, ends included, in number. */
cardo_stretch cardo_index_numbers(const cardo_selection_index *index, cardo_stretch chain,
                                  int low_number, char low_insertion, int high_number,
                                  char high_insertion);
/* Those of this name (length bytes), in name. */
cardo_status cardo_index_name(cardo_selection_index *index, const char *name, size_t length,
                              cardo_stretch *out, cardo_error *error);

void cardo_index_mark(cardo_residue_order *order, cardo_stretch stretch);
/* Sets marked[residue] of every residue in a marked stretch of any order. */
void cardo_index_collect(const cardo_selection_index *index, bool *marked);

#endif
