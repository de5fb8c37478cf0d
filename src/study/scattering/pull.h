/* Forces of a provider, and the pull of a measured scattering curve: weight times chi^2 is an energy. */
#ifndef CARDO_STUDY_SCATTERING_PULL_H
#define CARDO_STUDY_SCATTERING_PULL_H

#include "model/model.h"
#include "multibody/force.h"

typedef struct cardo_curve_pull {
    const char *path; /* of the curve: q, I and sigma                                       */
    double weight;    /* kJ/mol a unit of chi^2; kT/2: the energy is -kT ln(likelihood)       */
    double c1, c2;    /* held; scale, and a background where wanted, are fitted each time     */
    double low, high; /* of q, 1/nm; high 0: all                                              */
    bool background;
} cardo_curve_pull;

/* A provider of the forces of `forces` (borrowed) and of the pull, whose energy is its last term, "saxs", in the slowest of force groups. Forces are
 * the exact derivatives of its energy by the poses of bodies; the hydration layer rides with them as it is at the model's start (experiment/saxs/rigid.h).
 * A conformation that is more than twice as large as the start's is CARDO_RECOVERABLE. The caller owns *out. */
cardo_status cardo_pulled_provider_create(cardo_force_provider *forces, const cardo_model *model,
                                          const cardo_system *system, const cardo_curve_pull *pull,
                                          cardo_force_provider **out, cardo_error *error);

#endif
