#include "sampling/variables/kind.h"

/* Sine of a bond angle below which the planes are rounding. */
static const double straight = 1e-12;

/* Angle between the planes of centres 1 2 3 and 2 3 4, by IUPAC's sign: positive where the far end
 * is turned clockwise, looking along the axis from 2 to 3. Slopes after Blondel & Karplus, J.
 * Comput. Chem. 17, 1132 (1996), eq. 27. */
static cardo_status dihedral(const cardo_vec3 *centre, double *value, cardo_vec3 *slope,
                             cardo_error *error)
{
    const cardo_vec3 F = v3_sub(centre[0], centre[1]), G = v3_sub(centre[1], centre[2]);
    const cardo_vec3 H = v3_sub(centre[3], centre[2]);
    const cardo_vec3 A = v3_cross(F, G), B = v3_cross(H, G);
    const double AA = v3_dot(A, A), BB = v3_dot(B, B), GG = v3_dot(G, G);
    const double axis = sqrt(GG), least = straight * straight;
    if (!(AA > least * v3_dot(F, F) * GG) || !(BB > least * v3_dot(H, H) * GG))
        return CARDO_FAIL(error, CARDO_RECOVERABLE,
                          "centres %s lie on a line, so there is no dihedral",
                          AA > least * v3_dot(F, F) * GG ? "2, 3 and 4" : "1, 2 and 3");
    *value = atan2(v3_dot(v3_cross(B, A), G) / axis, v3_dot(A, B));
    if (!slope)
        return CARDO_OK;
    const double f = v3_dot(F, G) / (AA * axis), h = v3_dot(H, G) / (BB * axis);
    const cardo_vec3 S = v3_sub(v3_scale(f, A), v3_scale(h, B));
    slope[0] = v3_scale(-axis / AA, A);
    slope[3] = v3_scale(axis / BB, B);
    slope[1] = v3_sub(S, slope[0]);
    slope[2] = v3_neg(v3_add(S, slope[3]));
    return CARDO_OK;
}

const cardo_variable_kind cardo_variable_dihedral = {
    .name = "dihedral",
    .doc = "of the centres of mass of four selections, about the line from the second to the third",
    .unit = "rad",
    .period = 6.283185307179586477,
    .ngroup = 4,
    .of_centres = dihedral,
};
