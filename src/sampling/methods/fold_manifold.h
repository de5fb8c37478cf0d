/* Folds of a variable where constraints leave one freedom. */
#ifndef CARDO_SAMPLING_METHODS_FOLD_MANIFOLD_H
#define CARDO_SAMPLING_METHODS_FOLD_MANIFOLD_H

#include "sampling/methods/fold.h"

/* Follows the curve that the constraints leave from the start to either side, as long as the variable is in the range or a twentieth of
 * it beyond: does dxi/ds change its sign where the energy is no more than 40 kT above the lowest that was passed? Systems with more
 * freedoms are not looked at. fold: as cardo_fold_find's. */
cardo_status cardo_fold_follow(const cardo_sampling_plan *plan, double kT, cardo_fold *fold,
                               cardo_error *error);

#endif
