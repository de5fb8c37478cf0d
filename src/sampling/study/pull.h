/* The way along the variable: configurations that a walker came by when a spring led it from the
 * study's start to both ends of the range, so that all other coordinates could give way.
 *
 * A walker that is put to a far place as the start stands, side chains and other hinges unmoved, may
 * begin in a clash or in a state that it takes very long to leave. Walkers begin from the way instead. */
#ifndef CARDO_SAMPLING_STUDY_PULL_H
#define CARDO_SAMPLING_STUDY_PULL_H

#include "sampling/methods/method.h"

/* Leads a walker over the range in `steps` steps (of the whole range) and fills sampling->way, from
 * which walkers begin from now on: from the start to either end, or, in a replica of odd number, back
 * from the end that is farther from the start, where it has first dwelt for the study's equilibration,
 * to the other one. A spring that cannot bring the variable near an end is CARDO_ERROR_INPUT that says
 * how far it came. A collective call. */
cardo_status cardo_sampling_pull(cardo_sampling *sampling, long long steps,
                                 const volatile sig_atomic_t *interrupt, cardo_end *end,
                                 cardo_error *error);

#endif
