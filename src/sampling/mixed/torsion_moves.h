/* Turns of one hinge by any angle: a Metropolis move that jumps over barriers which a hybrid Monte Carlo
 * move would have to climb.
 *
 * A turn by an angle drawn evenly from the whole circle, about the axis where the atoms have it now,
 * keeps Cartesian volume (sampling/mixed/hinges.h) and is as likely as the way back, so that taking it with
 * probability min(1, exp(-dU/kT)) leaves e^(-U/kT)dx as it is: no momenta, no mass, no metric term.
 * It costs one evaluation (Metropolis et al. 1953). */
#ifndef CARDO_SAMPLING_MIXED_TORSION_MOVES_H
#define CARDO_SAMPLING_MIXED_TORSION_MOVES_H

#include "multibody/tree/state.h"
#include "sampling/mixed/cartesian.h"

typedef struct cardo_torsion_moves {
    int npin;  /* hinges that turn all the way round: pins                          */
    int *pin;  /* their coordinates                                   (npin)        */
    double *q; /* working memory                                      (nq)          */
    cardo_random random;
    double moves, accepted; /* so far                                                 */
} cardo_torsion_moves;

/* Finds the pins. The caller sets random and frees with cardo_torsion_moves_clear, also after a failure. */
cardo_status cardo_torsion_moves_open(cardo_torsion_moves *turns, const cardo_system *system,
                                      cardo_error *error);
void cardo_torsion_moves_clear(cardo_torsion_moves *turns);

/* One turn of one pin. system was compiled (cardo_hinges_compile) from earlier positions of the atoms
 * and state stands where they are now, evaluated; afterwards both stand where the move left them, the
 * atoms evaluated and, where it was rejected, the same to the bit. */
cardo_status cardo_torsion_moves_make(cardo_torsion_moves *turns, const cardo_system *system,
                                      cardo_state *state, cardo_cartesian *atoms,
                                      cardo_error *error);

#endif
