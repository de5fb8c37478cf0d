/* Residues of a draft by where they are: a grid of cells (Quentrec & Brot 1973). Internal to prepare. */
#ifndef CARDO_STRUCTURE_PREPARE_RESIDUE_CELLS_H
#define CARDO_STRUCTURE_PREPARE_RESIDUE_CELLS_H

#include "structure/prepare/draft.h"

typedef struct cardo_residue_cells {
    const cardo_draft *draft; /* whose residues they are; NULL: nobody's                        */
    int count;                /* its residues                                                   */
    double side;              /* nm                                                             */
    cardo_vec3 low;           /* the first cell's corner                                        */
    int n[3];                 /* cells along each axis                                          */
    int *first, *residue;     /* residue[first[c] .. first[c + 1]): those of a cell             */
    int *found, nfound;       /* what the last search found, in their order (count)             */
} cardo_residue_cells;

/* Residues whose first atom was within reach (nm) of a point when the cells were made, and some more: cells->found. Cells are made
 * when they are of another draft, or of another number of residues; release them with cardo_residue_cells_clear. Residues without atoms are
 * left out, unless their component is not known (NULL): such a residue, of any size, is always found. */
cardo_status cardo_residue_cells_search(cardo_residue_cells *cells, const cardo_draft *draft,
                                        cardo_vec3 centre, double reach, cardo_error *error);
void cardo_residue_cells_clear(cardo_residue_cells *cells);

#endif
