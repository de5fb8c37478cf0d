#include "sampling/variables/kind.h"

#include <math.h>

static cardo_status distance(const cardo_vec3 *centre, double *value, cardo_vec3 *slope,
                             cardo_error *error)
{
    (void)error;
    const cardo_vec3 d = v3_sub(centre[1], centre[0]);
    *value = v3_norm(d);
    if (slope) {
        slope[1] = *value > 0 ? v3_scale(1 / *value, d) : v3(0, 0, 0);
        slope[0] = v3_neg(slope[1]);
    }
    return CARDO_OK;
}

const cardo_variable_kind cardo_variable_distance = {
    .name = "distance",
    .doc = "between the centres of mass of two selections",
    .unit = "nm",
    .highest = (double)INFINITY,
    .ngroup = 2,
    .of_centres = distance,
};
