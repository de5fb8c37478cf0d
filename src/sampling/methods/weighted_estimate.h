/* Profile, basins, bootstrap and convergence of a study whose samples have weights. */
#ifndef CARDO_SAMPLING_METHODS_WEIGHTED_ESTIMATE_H
#define CARDO_SAMPLING_METHODS_WEIGHTED_ESTIMATE_H

#include "analysis/free_energy/weighted_samples.h"
#include "sampling/methods/estimate.h"

/* Fills what of the estimate comes from weights; its samples, nsample and basins are there. */
cardo_status cardo_weighted_estimate(const cardo_sampling *sampling,
                                     const cardo_weighted_samples *samples,
                                     const cardo_estimate_request *request, cardo_estimate *e,
                                     cardo_error *error);

#endif
