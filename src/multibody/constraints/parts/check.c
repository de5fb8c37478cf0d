#include "multibody/constraints/parts/check.h"

#include "base/memory.h"
#include "multibody/mobilizers/descriptor.h"

#include <math.h>
#include <string.h>

static cardo_status check_body(const cardo_system *system, int body, cardo_error *error)
{
    if (body >= 0 && body < cardo_system_nbody(system))
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "there is no body %d: the last is %d", body,
                      cardo_system_nbody(system) - 1);
}

cardo_status cardo_constraint_check_pair(const cardo_system *system, int body1, int body2,
                                         cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(check_body(system, body1, error));
    CARDO_TRY(check_body(system, body2, error));
    if (body1 == body2)
        status = CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                            "body %d cannot be constrained to itself: it is rigid", body1);
done:
    return status;
}

cardo_status cardo_constraint_check_coordinate(const cardo_system *system, cardo_coordinate_of c,
                                               cardo_error *error)
{
    cardo_status status = check_body(system, c.body, error);
    if (status != CARDO_OK)
        return status;
    const struct cardo_joint *joint = cardo_system_joint(system, c.body);
    if (c.coordinate >= 0 && c.coordinate < joint->nq)
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "body %d has no coordinate number %d: it has %d",
                      c.body, c.coordinate, joint->nq);
}

cardo_status cardo_constraint_check_mobility(const cardo_system *system, cardo_mobility_of m,
                                             cardo_error *error)
{
    cardo_status status = check_body(system, m.body, error);
    if (status != CARDO_OK)
        return status;
    const struct cardo_joint *joint = cardo_system_joint(system, m.body);
    if (m.mobility >= 0 && m.mobility < joint->nu)
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "body %d has no speed number %d: it has %d",
                      m.body, m.mobility, joint->nu);
}

cardo_status cardo_constraint_check_numbers(const double *numbers, int n, cardo_error *error)
{
    for (int i = 0; i < n; ++i)
        if (!isfinite(numbers[i]))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "a parameter is %g", numbers[i]);
    return CARDO_OK;
}

cardo_status cardo_constraint_check_rotation(const cardo_mat33 *R, cardo_error *error)
{
    const cardo_mat33 product = m33_mul(*R, m33_transpose(*R));
    bool right = m33_determinant(*R) > 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            right = right && fabs(product.m[i][j] - (i == j)) < 1e-9;
    if (!right)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "the axes of a frame are not a rotation");
    return CARDO_OK;
}

cardo_status cardo_constraint_make_unit(cardo_vec3 *direction, cardo_error *error)
{
    const double length = v3_norm(*direction);
    if (!(length > 1e-100) || !isfinite(length))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "the direction (%g, %g, %g) has no length",
                          direction->x, direction->y, direction->z);
    *direction = v3_scale(1 / length, *direction);
    return CARDO_OK;
}

cardo_status cardo_constraint_keep(constraint_shape *shape, const void *parameters, size_t size,
                                   cardo_error *error)
{
    cardo_status status = cardo_allocate(&shape->data, 1, size, error);
    if (status == CARDO_OK)
        memcpy(shape->data, parameters, size);
    return status;
}

cardo_status cardo_constraint_keep_pair(constraint_shape *shape, int body1, int body2,
                                        int nposition, const void *parameters, size_t size,
                                        cardo_error *error)
{
    shape->nposition = nposition;
    shape->nbody = 2;
    shape->bodies[0] = body1;
    shape->bodies[1] = body2;
    return cardo_constraint_keep(shape, parameters, size, error);
}
