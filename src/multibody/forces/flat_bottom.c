#include "multibody/forces/check.h"

#include <math.h>

static cardo_status check_sizes(const cardo_flat_bottom *p, cardo_error *error)
{
    const int n = p->shape == CARDO_FLAT_BOTTOM_BOX ? 3 : 1;
    if (p->shape != CARDO_FLAT_BOTTOM_BOX && p->shape != CARDO_FLAT_BOTTOM_SPHERE)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "shape %d of a flat bottom is none",
                          p->shape);
    for (int k = 0; k < n; ++k)
        if (!(p->extent[k] >= 0))
            return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                              "a flat bottom reaches %g nm, which is less than nothing",
                              p->extent[k]);
    if (!(p->stiffness > 0))
        return CARDO_FAIL(
            error, CARDO_ERROR_ARGUMENT,
            "the wall of a flat bottom has stiffness %g kJ/mol/nm^2; a wall needs one "
            "above zero",
            p->stiffness);
    return CARDO_OK;
}

static cardo_status check(const cardo_system *system, const void *parameters, cardo_error *error)
{
    const cardo_flat_bottom *p = parameters;
    const double numbers[7] = {p->extent[0], p->extent[1], p->extent[2], p->stiffness,
                               p->point2.x,  p->point2.y,  p->point2.z};
    cardo_status status;
    CARDO_TRY(cardo_force_check_body(system, p->body1, error));
    CARDO_TRY(cardo_force_check_body(system, p->body2, error));
    CARDO_TRY(cardo_force_check_numbers(numbers, 7, error));
    status = check_sizes(p, error);
done:
    return status;
}

/* How far x is beyond the flat part, along each axis of the frame: the force is against it. */
static cardo_vec3 beyond(const cardo_flat_bottom *p, cardo_vec3 x)
{
    if (p->shape == CARDO_FLAT_BOTTOM_SPHERE) {
        const double distance = v3_norm(x);
        return distance > p->extent[0] ? v3_scale(1 - p->extent[0] / distance, x) : v3(0, 0, 0);
    }
    double out[3];
    v3_store(out, x);
    for (int k = 0; k < 3; ++k)
        out[k] = copysign(fmax(fabs(out[k]) - p->extent[k], 0), out[k]);
    return v3_load(out);
}

static double compute(const void *parameters, const cardo_force_work *work)
{
    const cardo_flat_bottom *p = parameters;
    const cardo_transform X_GF = xform_mul(work->X_GB[p->body1], p->frame1);
    const cardo_vec3 point = xform_point(work->X_GB[p->body2], p->point2);
    const cardo_vec3 out = beyond(p, m33_tmul_v3(X_GF.R, v3_sub(point, X_GF.p)));
    if (work->body_forces) {
        const cardo_vec3 force = m33_mul_v3(X_GF.R, v3_scale(-p->stiffness, out));
        const cardo_vec3 arm1 = v3_sub(point, work->X_GB[p->body1].p);
        const cardo_vec3 arm2 = v3_sub(point, work->X_GB[p->body2].p);
        const cardo_spatial on1 = {v3_cross(arm1, force), force},
                            on2 = {v3_cross(arm2, force), force};
        work->body_forces[p->body1] = spatial_sub(work->body_forces[p->body1], on1);
        work->body_forces[p->body2] = spatial_add(work->body_forces[p->body2], on2);
    }
    return 0.5 * p->stiffness * v3_dot(out, out);
}

double cardo_flat_bottom_volume(const cardo_flat_bottom *well, double kT)
{
    const double half = sqrt(0.5 * M_PI * kT / well->stiffness); /* integral of the wall outside */
    if (well->shape == CARDO_FLAT_BOTTOM_BOX)
        return 8 * (well->extent[0] + half) * (well->extent[1] + half) * (well->extent[2] + half);
    const double r = well->extent[0], square = kT / well->stiffness;
    return 4 * M_PI * (r * r * r / 3 + r * r * half + 2 * r * square + square * half);
}

double cardo_flat_bottom_release(const cardo_flat_bottom *well, double kT)
{
    return -kT * log(CARDO_STANDARD_VOLUME / cardo_flat_bottom_volume(well, kT));
}

const cardo_force_element cardo_force_flat_bottom = {
    .name = "flat-bottom",
    .doc = "holds a point within a box or a sphere of another body",
    .parameter_size = sizeof(cardo_flat_bottom),
    .check = check,
    .compute = compute,
};
