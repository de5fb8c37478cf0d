#include "base/units.h"
#include "sampling/variables/kind.h"

/* Sine of an angle below which its plane is rounding. */
static const double straight = 1e-12;

/* Between the arms from the second centre to the first and to the third: atan2(|a x b|, a . b), with
 * d/da = -n x a / a^2 and d/db = n x b / b^2 for the unit normal n. */
static cardo_status angle(const cardo_vec3 *centre, double *value, cardo_vec3 *slope,
                          cardo_error *error)
{
    const cardo_vec3 a = v3_sub(centre[0], centre[1]), b = v3_sub(centre[2], centre[1]);
    const cardo_vec3 normal = v3_cross(a, b);
    const double aa = v3_dot(a, a), bb = v3_dot(b, b), sine = v3_norm(normal);
    if (!(aa > 0 && bb > 0))
        return CARDO_FAIL(error, CARDO_RECOVERABLE,
                          "centre %d lies on the second one, so there is no angle", aa > 0 ? 3 : 1);
    *value = atan2(sine, v3_dot(a, b));
    if (!slope)
        return CARDO_OK;
    if (sine <= straight * sqrt(aa * bb)) {
        slope[0] = slope[1] = slope[2] = v3(0, 0, 0);
        return CARDO_OK;
    }
    const cardo_vec3 n = v3_scale(1 / sine, normal);
    slope[0] = v3_scale(-1 / aa, v3_cross(n, a));
    slope[2] = v3_scale(1 / bb, v3_cross(n, b));
    slope[1] = v3_neg(v3_add(slope[0], slope[2]));
    return CARDO_OK;
}

const cardo_variable_kind cardo_variable_angle = {
    .name = "angle",
    .doc = "between the centres of mass of three selections, at the second",
    .unit = "rad",
    .highest = CARDO_PI,
    .ngroup = 3,
    .of_centres = angle,
};
