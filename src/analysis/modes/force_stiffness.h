/* The stiffness that forces have at a state: K by central differences of generalized forces.
 *
 * Row a is what the generalized forces lose when the state moves along speed a (cardo_move_along), so
 * K holds f . d2x/dqdq as well where forces are not zero. Four evaluations a speed (differences of fourth order), of forces in
 * single precision two.
 *
 * Under constraints the forces are those of the Lagrangian, f - G^T l with the multipliers l that bear f at the state: K then has sum
 * l_i H_pi, the curvature of the manifold (modes.h). Rows are along what of a speed lies along the manifold, and so is what is kept of
 * them: across it rows of constraints need not be the gradients of anything. The state must be on the manifold. */
#ifndef CARDO_ANALYSIS_MODES_FORCE_STIFFNESS_H
#define CARDO_ANALYSIS_MODES_FORCE_STIFFNESS_H

#include "base/communicator.h"
#include "dynamics/evaluation/evaluate.h"

/* How good K is. Shares are of its largest entry. */
typedef struct cardo_stiffness_quality {
    double step; /* half width of the differences                                       */
    double
        residual; /* largest generalized force at the state that no constraint bears, and whose it is */
    int residual_speed;
    double asymmetry;      /* largest |K_ab - K_ba|                                               */
    double rounding;       /* what the forces' rounding makes of it: the largest difference expected
                          among as many pairs of Gaussian errors                              */
    double truncation;     /* what the step's width makes of it, where the asymmetry is largest   */
    long long evaluations; /* of this member                                                  */
} cardo_stiffness_quality;

/* K (nu x nu, overwritten), made symmetric. step: half width in the speeds' units; 0 chooses 1e-4, or
 * 3e-3 for forces in single precision. invariant: as for cardo_modes_create; the rows of the first
 * free body's six speeds are then left zero and not evaluated. The forces' rounding is measured by
 * differences of high order along a line (More & Wild 2011, SIAM J. Sci. Comput. 33, 1292): 7
 * evaluations; truncation by the step doubled for two rows. Rows are shared out over the communicator (NULL:
 * one process); the bits of K do not depend on it where forces depend on places alone. The state is left where it was, realized
 * to VELOCITY, or DYNAMICS under constraints. */
cardo_status cardo_force_stiffness(const cardo_system *system, cardo_state *state,
                                   cardo_evaluator *evaluator, double step, bool invariant,
                                   cardo_communicator *communicator, double *K,
                                   cardo_stiffness_quality *quality, cardo_error *error);

#endif
