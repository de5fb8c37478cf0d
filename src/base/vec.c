#include "base/vec.h"

cardo_transform cardo_transform_identity(void)
{
    return xform_identity();
}

cardo_transform cardo_transform_turn(cardo_vec3 axis, double angle, cardo_vec3 p)
{
    return (cardo_transform){m33_rotation(v3_unit(axis), angle), p};
}

cardo_transform cardo_transform_multiply(cardo_transform X_AB, cardo_transform X_BC)
{
    return xform_mul(X_AB, X_BC);
}

cardo_transform cardo_transform_inverse(cardo_transform X_AB)
{
    return xform_inverse(X_AB);
}

cardo_vec3 cardo_transform_point(cardo_transform X_AB, cardo_vec3 p_B)
{
    return xform_point(X_AB, p_B);
}
