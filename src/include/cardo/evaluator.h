/* One evaluation of the forces: stations out to the provider, forces back into the state.
 *
 * A cardo_evaluator owns the working memory, so that an evaluation allocates nothing. It holds the
 * results of the last evaluation (energy, energies by term, forces on bodies and mobilities),
 * counts evaluations, and belongs to one thread at a time, like the state it serves. */
#ifndef CARDO_EVALUATOR_H
#define CARDO_EVALUATOR_H

#include <cardo/provider.h>
#include <cardo/state.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cardo_evaluator cardo_evaluator;

/* Working memory for a finalized system. provider is borrowed and outlives the evaluator; NULL: no
 * forces, energy zero. The caller owns *out. */
CARDO_API cardo_status cardo_evaluator_create(const cardo_system *system,
                                              cardo_force_provider *provider, cardo_evaluator **out,
                                              cardo_error *error);
CARDO_API void cardo_evaluator_destroy(cardo_evaluator *evaluator);

/* Whether the next evaluations ask the provider for energies by term (they may cost a provider
 * extra calls). Forces and total energy do not depend on it. */
CARDO_API void cardo_evaluator_want_terms(cardo_evaluator *evaluator, bool want);

CARDO_API bool cardo_evaluator_wants_terms(const cardo_evaluator *evaluator);

/* Evaluates the provider once at the state's q (and u, for providers that read it) and sets the
 * state's applied forces. Realizes POSITION, with Fixman's potential DYNAMICS; leaves the state below ACCELERATION. CARDO_RECOVERABLE
 * and failures of the provider are passed on; an energy or a force that is not finite is
 * CARDO_ERROR_NUMERICAL. */
CARDO_API cardo_status cardo_evaluate(cardo_evaluator *evaluator, cardo_state *state,
                                      cardo_error *error);

/* Evaluations so far; one call of the provider each. */
CARDO_API long long cardo_evaluator_count(const cardo_evaluator *evaluator);

/* Results of the last evaluation, borrowed. Energy in kJ/mol; term energies (nterm) as of the last
 * evaluation that was asked for them; forces on bodies (nbody; about body origins, ground axes) and
 * on mobilities (nu). */
CARDO_API double cardo_evaluator_energy(const cardo_evaluator *evaluator);
CARDO_API int cardo_evaluator_nterm(const cardo_evaluator *evaluator);
CARDO_API const char *cardo_evaluator_term_name(const cardo_evaluator *evaluator, int term);
CARDO_API const double *cardo_evaluator_terms(const cardo_evaluator *evaluator);
CARDO_API const cardo_spatial *cardo_evaluator_body_forces(const cardo_evaluator *evaluator);
CARDO_API const double *cardo_evaluator_mobility_forces(const cardo_evaluator *evaluator);
/* Potential energy, kJ/mol: that of the last evaluation and that of the system's own gravity and
 * force elements at the state's q, which must be the q of that evaluation. POSITION. */
CARDO_API cardo_status cardo_evaluator_potential(const cardo_evaluator *evaluator,
                                                 const cardo_state *state, double *potential,
                                                 cardo_error *error);
/* Generalized forces J^T F + mobility forces (nu) of the last evaluation at the state's q, which
 * must be the q of that evaluation, with POSITION realized: -dU/dq where qdot = u. */
CARDO_API cardo_status cardo_evaluator_generalized_forces(const cardo_evaluator *evaluator,
                                                          const cardo_state *state,
                                                          double *generalized, cardo_error *error);

#ifdef __cplusplus
}
#endif

#endif
