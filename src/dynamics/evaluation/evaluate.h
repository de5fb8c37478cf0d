/* What integrators ask of an evaluator (cardo/evaluator.h) beside its results. */
#ifndef CARDO_DYNAMICS_EVALUATION_EVALUATE_H
#define CARDO_DYNAMICS_EVALUATION_EVALUATE_H

#include "cardo/evaluator.h"
#include "multibody/force.h"
#include "multibody/tree/state.h"
#include "multibody/tree/system.h"

#include <stdbool.h>

/* Density of the coordinates that a thermostat samples. */
typedef enum cardo_ensemble {
    CARDO_ENSEMBLE_RIGID,  /* sqrt(det M) exp(-U/kT): that of hinges that are rigid by nature     */
    CARDO_ENSEMBLE_FIXMAN, /* exp(-U/kT): Fixman's potential is added to U                        */
    /* On the manifold of constraints both have a factor sqrt(det Y / det G G^T); in these sqrt(det Y) is taken out. */
    CARDO_ENSEMBLE_CLOSURE, /* sqrt(det M / det G G^T) exp(-U/kT)                                 */
    CARDO_ENSEMBLE_FULL     /* exp(-U/kT) / sqrt(det G G^T)                                       */
} cardo_ensemble;

/* From now on every evaluation adds what an ensemble (cardo_ensemble) has besides U: Fixman's potential for `fixman` and `full`, and
 * for `closure` and `full` kT/2 ln det Y, Y = G M^-1 G^T, with a term "closure" after the others: without the two a thermal system on
 * the manifold of its constraints has the density sqrt(det M det Y / det G G^T) exp(-U/kT). Only rows of positions have such a density:
 * CARDO_ERROR_UNSUPPORTED for others. Once, before the first evaluation. */
cardo_status cardo_evaluator_add_ensemble(cardo_evaluator *evaluator, int ensemble, double kT,
                                          cardo_error *error);

/* Generalized forces (nu) of the ensemble's potential, part of the last results; NULL where there is none, or no constraints. On the
 * manifold of constraints that potential may be steeper than any force field where a loop is nearly stretched, so it moves with the
 * inertial flights, which take parts of a step as short as they must be, and not with the kicks at their ends. */
const double *cardo_evaluator_ensemble_forces(const cardo_evaluator *evaluator);
/* The same (nu) at the state's q, not kept. DYNAMICS realized. */
cardo_status cardo_evaluator_find_ensemble_forces(cardo_evaluator *evaluator, cardo_state *state,
                                                  double *forces, cardo_error *error);

/* From now on every evaluation adds Fixman's potential kT/2 ln det M (kT in kJ/mol) to the energy,
 * its forces to those on mobilities, and a last term "fixman": without it the coordinates of a
 * thermal system have the density sqrt(det M) exp(-U/kT), with it exp(-U/kT) (Fixman 1974). ln det M
 * in the units of the speeds, so its zero means nothing. Once, before the first evaluation. */
cardo_status cardo_evaluator_add_fixman(cardo_evaluator *evaluator, double kT, cardo_error *error);

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
