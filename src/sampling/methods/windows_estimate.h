/* The estimate of a study whose walkers have biases that stand: MBAR over all of them. */
#ifndef CARDO_SAMPLING_METHODS_WINDOWS_ESTIMATE_H
#define CARDO_SAMPLING_METHODS_WINDOWS_ESTIMATE_H

#include "sampling/methods/estimate.h"

/* A cardo_sampling_method's estimate. Every walker is a state: u_k(x) = (U(x) + V_k(xi)) / kT_k; the profile
 * is that without a bias at the study's temperature. together: walkers exchange places. */
cardo_status cardo_windows_estimate(const cardo_sampling *sampling, bool together,
                                    const cardo_estimate_request *request, cardo_estimate *estimate,
                                    cardo_error *error);

#endif
