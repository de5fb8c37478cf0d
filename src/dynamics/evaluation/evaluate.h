/* What integrators ask of an evaluator (cardo/evaluator.h) beside its results. */
#ifndef CARDO_DYNAMICS_EVALUATION_EVALUATE_H
#define CARDO_DYNAMICS_EVALUATION_EVALUATE_H

#include "cardo/evaluator.h"
#include "multibody/force.h"
#include "multibody/tree/state.h"
#include "multibody/tree/system.h"

#include <stdbool.h>

/* From now on every evaluation adds Fixman's potential kT/2 ln det M (kT in kJ/mol) to the energy,
 * its forces to those on mobilities, and a last term "fixman": without it the coordinates of a
 * thermal system have the density sqrt(det M) exp(-U/kT), with it exp(-U/kT) (Fixman 1974). ln det M
 * in the units of the speeds, so its zero means nothing. Once, before the first evaluation. */
cardo_status cardo_evaluator_add_fixman(cardo_evaluator *evaluator, double kT, cardo_error *error);
/* The same with a choice: kT/2 ln det M (masses), and kT/2 ln det Y of constraints (closures; cardo/manifold.h), as one term. */
cardo_status cardo_evaluator_add_log_dets(cardo_evaluator *evaluator, double kT, bool masses,
                                          bool closures, cardo_error *error);

/* Evaluates some force groups of the provider (multibody/force.h) alone: the results, and the
 * state's forces, are those of these groups; or, with add, they come on top of the last results,
 * which were of the other groups at the same q. Fixman's potential is in group 0. Otherwise as
 * cardo_evaluate. */
cardo_status cardo_evaluate_groups(cardo_evaluator *evaluator, cardo_state *state, unsigned groups,
                                   bool add, cardo_error *error);
/* Force groups of the provider; 1 where it is undivided or there is none. */
int cardo_evaluator_ngroup(const cardo_evaluator *evaluator);

/* The provider, or NULL. */
cardo_force_provider *cardo_evaluator_provider(const cardo_evaluator *evaluator);

/* The results of the last evaluation as plain numbers, so that a restored run goes on without
 * another evaluation (which a provider that is not deterministic would not repeat bitwise). load
 * also sets the state's forces. */
int cardo_evaluator_value_count(const cardo_evaluator *evaluator);
void cardo_evaluator_save(const cardo_evaluator *evaluator, double *values);
void cardo_evaluator_load(cardo_evaluator *evaluator, cardo_state *state, const double *values);

#endif
