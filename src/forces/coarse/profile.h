/* The energy along the paths of a model, all moved together: its two wells and the ridge between
 * them, and the mixing that gives them the heights that are asked for. */
#ifndef CARDO_FORCES_COARSE_PROFILE_H
#define CARDO_FORCES_COARSE_PROFILE_H

#include "forces/coarse/energy.h"
#include "model/model.h"

/* Energies along the paths, so that mixtures of the basins can be tried without evaluating them. */
typedef struct cardo_coarse_profile {
    int npoint, nbasin;
    double *fraction; /* of the paths: 0 first structure, 1 last                     (npoint) */
    double *rest;     /* what is not mixed, kJ/mol                                   (npoint) */
    double *basin;    /* V_k without its offset, kJ/mol                    (npoint x nbasin) */
} cardo_coarse_profile;

/* Is any body of the model joined by a path? */
bool cardo_coarse_has_path(const cardo_model *model);

/* Evaluates npoint places from fraction -0.25 to 1.25. CARDO_ERROR_INPUT when the model has no path.
 * The caller clears *out. */
cardo_status cardo_coarse_profile_make(const cardo_model *model, const cardo_coarse_energy *energy,
                                       int npoint, cardo_coarse_profile *out, cardo_error *error);
void cardo_coarse_profile_clear(cardo_coarse_profile *profile);

/* What is fitted to the wells: all energies of the profile are multiplied by scale, then offsets are
 * added to the basins and these are mixed with the mixing energy (kJ/mol). */
typedef struct cardo_coarse_mixture {
    double scale, mixing;
    double offset[CARDO_COARSE_MOST_BASINS];
} cardo_coarse_mixture;

/* The wells of a mixture: of all ways to cut the profile in two, the one whose ridge stands highest
 * above the lower ends of both sides. values: room for npoint numbers. */
cardo_coarse_wells cardo_coarse_profile_wells(const cardo_coarse_profile *profile,
                                              const cardo_coarse_mixture *mixture, double *values);

/* With mixture->scale and mixing as they are, finds the second of two basins' offset such that the
 * second well lies difference (kJ/mol) above the first. False when the wells have run into each
 * other: there are no two, or one is farther than 0.2 from its end of the path. */
bool cardo_coarse_profile_level(const cardo_coarse_profile *profile, double difference,
                                cardo_coarse_mixture *mixture, cardo_coarse_wells *wells,
                                double *values);

/* Finds scale too, such that the ridge stands barrier (kJ/mol) above the first well.
 * CARDO_ERROR_INPUT when the mixing energy is too large for so low a barrier. */
cardo_status cardo_coarse_profile_solve(const cardo_coarse_profile *profile, double barrier,
                                        double difference, cardo_coarse_mixture *mixture,
                                        cardo_coarse_wells *wells, cardo_error *error);

#endif
