/* Hinges of a mode: where along a chain its rotation changes.
 *
 * Every residue turns with the body that carries it. Beside the bond between residues i and i + 1 the
 * rotations of five residues on either side are averaged; the length of the difference of the two
 * means is the turn there. A hinge is where the turn is the largest within five residues and larger
 * than the spread of the rotations, the root mean square of their deviations from their mean over all
 * residues. Two rigid parts turn against each other by at least twice the spread, whatever their
 * sizes; a molecule that bends evenly over its length has no hinge. Ends of chains shorter than five
 * residues are no parts. */
#ifndef CARDO_ANALYSIS_MODES_MODE_HINGES_H
#define CARDO_ANALYSIS_MODES_MODE_HINGES_H

#include "base/status.h"

typedef struct cardo_mode_hinge {
    int before;    /* residue before the hinge; the next one is after it */
    double turn;   /* in the rotations' unit                              */
    double spread; /* turn as a multiple of the spread                    */
} cardo_mode_hinge;

/* Finds them in the order of the residues. rotation (n x 3): of each residue; chain (n): equal for
 * residues of one chain, which follow each other. The caller owns *hinges (cardo_free; NULL when there
 * are none). */
cardo_status cardo_mode_hinges(int n, const double *rotation, const int *chain,
                               cardo_mode_hinge **hinges, int *count, cardo_error *error);

#endif
