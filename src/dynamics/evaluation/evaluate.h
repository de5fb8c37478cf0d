/* One evaluation of the forces: stations out to the provider, forces back into the state.
 *
 * A cardo_evaluator owns the working memory, so that an evaluation allocates nothing. It holds the
 * results of the last evaluation (energy, energies by term, forces on bodies and mobilities),
 * counts evaluations, and belongs to one thread at a time, like the state it serves. */
#ifndef CARDO_DYNAMICS_EVALUATION_EVALUATE_H
#define CARDO_DYNAMICS_EVALUATION_EVALUATE_H

#include "multibody/force.h"
#include "multibody/tree/state.h"
#include "multibody/tree/system.h"

#include <stdbool.h>

typedef struct cardo_evaluator cardo_evaluator;

/* Working memory for a finalized system. provider is borrowed and outlives the evaluator; NULL: no
 * forces, energy zero. The caller owns *out. */
cardo_status cardo_evaluator_create(const cardo_system *system, cardo_force_provider *provider,
                                    cardo_evaluator **out, cardo_error *error);
void cardo_evaluator_destroy(cardo_evaluator *evaluator);

/* From now on every evaluation adds Fixman's potential kT/2 ln det M (kT in kJ/mol) to the energy,
 * its forces to those on mobilities, and a last term "fixman": without it the coordinates of a
 * thermal system have the density sqrt(det M) exp(-U/kT), with it exp(-U/kT) (Fixman 1974). ln det M
 * in the units of the speeds, so its zero means nothing. Once, before the first evaluation. */
cardo_status cardo_evaluator_add_fixman(cardo_evaluator *evaluator, double kT, cardo_error *error);

/* Whether the next evaluations ask the provider for energies by term (they may cost a provider
 * extra calls). Forces and total energy do not depend on it. */
void cardo_evaluator_want_terms(cardo_evaluator *evaluator, bool want);

bool cardo_evaluator_wants_terms(const cardo_evaluator *evaluator);

/* Evaluates the provider once at the state's q (and u, for providers that read it) and sets the
 * state's applied forces. Realizes POSITION, with Fixman's potential DYNAMICS; leaves the state below ACCELERATION. CARDO_RECOVERABLE
 * and failures of the provider are passed on; an energy or a force that is not finite is
 * CARDO_ERROR_NUMERICAL. */
cardo_status cardo_evaluate(cardo_evaluator *evaluator, cardo_state *state, cardo_error *error);

/* Evaluates some force groups of the provider (multibody/force.h) alone: the results, and the
 * state's forces, are those of these groups; or, with add, they come on top of the last results,
 * which were of the other groups at the same q. Fixman's potential is in group 0. Otherwise as
 * cardo_evaluate. */
cardo_status cardo_evaluate_groups(cardo_evaluator *evaluator, cardo_state *state, unsigned groups,
                                   bool add, cardo_error *error);
/* Force groups of the provider; 1 where it is undivided or there is none. */
int cardo_evaluator_ngroup(const cardo_evaluator *evaluator);

/* Evaluations so far; one call of the provider each. */
long long cardo_evaluator_count(const cardo_evaluator *evaluator);

/* Results of the last evaluation, borrowed. Energy in kJ/mol; term energies (nterm) as of the last
 * evaluation that was asked for them; forces on bodies (nbody; about body origins, ground axes) and
 * on mobilities (nu). */
double cardo_evaluator_energy(const cardo_evaluator *evaluator);
int cardo_evaluator_nterm(const cardo_evaluator *evaluator);
const char *cardo_evaluator_term_name(const cardo_evaluator *evaluator, int term);
const double *cardo_evaluator_terms(const cardo_evaluator *evaluator);
const cardo_spatial *cardo_evaluator_body_forces(const cardo_evaluator *evaluator);
const double *cardo_evaluator_mobility_forces(const cardo_evaluator *evaluator);
/* Potential energy, kJ/mol: that of the last evaluation and that of the system's own gravity and
 * force elements at the state's q, which must be the q of that evaluation. POSITION. */
cardo_status cardo_evaluator_potential(const cardo_evaluator *evaluator, const cardo_state *state,
                                       double *potential, cardo_error *error);
/* The provider, or NULL. */
cardo_force_provider *cardo_evaluator_provider(const cardo_evaluator *evaluator);

/* Generalized forces J^T F + mobility forces (nu) of the last evaluation at the state's q, which
 * must be the q of that evaluation, with POSITION realized: -dU/dq where qdot = u. */
cardo_status cardo_evaluator_generalized_forces(const cardo_evaluator *evaluator,
                                                const cardo_state *state, double *generalized,
                                                cardo_error *error);

/* The results of the last evaluation as plain numbers, so that a restored run goes on without
 * another evaluation (which a provider that is not deterministic would not repeat bitwise). load
 * also sets the state's forces. */
int cardo_evaluator_value_count(const cardo_evaluator *evaluator);
void cardo_evaluator_save(const cardo_evaluator *evaluator, double *values);
void cardo_evaluator_load(cardo_evaluator *evaluator, cardo_state *state, const double *values);

#endif
