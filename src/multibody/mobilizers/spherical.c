#include "base/memory.h"
#include "multibody/algebra/angle.h"
#include "multibody/mobilizers/descriptor.h"
#include "multibody/mobilizers/parameters.h"

typedef struct spherical {
    double azimuth_offset, zenith_offset;
    double azimuth_sign, zenith_sign, radial_sign;
    bool along_x;
} spherical;

/* What position() leaves behind: the axis of the zenith angle, M's radial axis, and M's origin, in
 * F. */
typedef struct evaluation {
    cardo_vec3 zenith_axis, radial_axis, p;
} evaluation;

static cardo_status compile(const void *parameters, cardo_joint *joint, cardo_error *error)
{
    const cardo_spherical *definition = parameters;
    if (!isfinite(definition->azimuth_offset) || !isfinite(definition->zenith_offset))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "offsets of spherical coordinates are %g, %g",
                          definition->azimuth_offset, definition->zenith_offset);
    spherical *data;
    cardo_status status = CARDO_ALLOCATE(&data, 1, error);
    if (status != CARDO_OK)
        return status;
    *data = (spherical){definition->azimuth_offset,           definition->zenith_offset,
                        definition->azimuth_negated ? -1 : 1, definition->zenith_negated ? -1 : 1,
                        definition->radial_negated ? -1 : 1,  definition->radial_along_x};
    joint->data = data;
    return CARDO_OK;
}

static void release(cardo_joint *joint)
{
    cardo_free(joint->data);
}

static void position(const cardo_joint *joint, const double *q, double *cache,
                     cardo_transform *X_FM, cardo_spatial *H)
{
    const spherical *data = joint->data;
    evaluation *e = (evaluation *)cache;
    const double azimuth = data->azimuth_sign * q[0] + data->azimuth_offset;
    const double zenith = data->zenith_sign * q[1] + data->zenith_offset;
    const double radius = data->radial_sign * q[2];
    const double c = cos(azimuth), s = sin(azimuth);
    X_FM->R = m33_mul(rotation_z(c, s), rotation_y(cos(zenith), sin(zenith)));
    e->zenith_axis = v3_scale(data->zenith_sign, v3(-s, c, 0));
    e->radial_axis = v3_scale(data->radial_sign, m33_column(X_FM->R, data->along_x ? 0 : 2));
    e->p = X_FM->p = v3_scale(data->radial_sign * radius, e->radial_axis);
    const cardo_vec3 azimuth_axis = v3(0, 0, data->azimuth_sign);
    H[0] = (cardo_spatial){azimuth_axis, v3_cross(azimuth_axis, X_FM->p)};
    H[1] = (cardo_spatial){e->zenith_axis, v3_cross(e->zenith_axis, X_FM->p)};
    H[2] = (cardo_spatial){{0, 0, 0}, e->radial_axis};
}

static void rate(const cardo_joint *joint, const double *q, const double *u, const double *cache,
                 cardo_spatial *Hdot)
{
    (void)q;
    const spherical *data = joint->data;
    const evaluation *e = (const evaluation *)cache;
    const cardo_vec3 azimuth_axis = v3(0, 0, data->azimuth_sign);
    const cardo_vec3 turning = v3_scale(u[0], azimuth_axis);
    const cardo_vec3 w = v3_add_scaled(turning, u[1], e->zenith_axis);
    const cardo_vec3 pdot = v3_add_scaled(v3_cross(w, e->p), u[2], e->radial_axis);
    const cardo_vec3 axis_rate = v3_cross(turning, e->zenith_axis);
    Hdot[0] = (cardo_spatial){{0, 0, 0}, v3_cross(azimuth_axis, pdot)};
    Hdot[1] = (cardo_spatial){axis_rate,
                              v3_add(v3_cross(axis_rate, e->p), v3_cross(e->zenith_axis, pdot))};
    Hdot[2] = (cardo_spatial){{0, 0, 0}, v3_cross(w, e->radial_axis)};
}

static void fit_q(const cardo_joint *joint, const cardo_transform *X_FM, double *q)
{
    const spherical *data = joint->data;
    const cardo_mat33 R = X_FM->R;
    const double azimuth = atan2(-R.m[0][1], R.m[1][1]);
    const cardo_mat33 rest = m33_mul(rotation_z(cos(azimuth), -sin(azimuth)), R);
    const double zenith = angle_about_y(rest);
    q[0] = angle_near(data->azimuth_sign * (azimuth - data->azimuth_offset), q[0]);
    q[1] = angle_near(data->zenith_sign * (zenith - data->zenith_offset), q[1]);
    q[2] = data->radial_sign * v3_dot(m33_column(R, data->along_x ? 0 : 2), X_FM->p);
}

static const char *const names[] = {"azimuth", "zenith", "radius"};

const cardo_mobilizer cardo_mobilizer_spherical_coordinates = {
    .name = "spherical-coordinates",
    .doc = "azimuth about z, zenith about the turned y, and distance along the turned z (or x)",
    .nq = 3,
    .nq_euler = 3,
    .nu = 3,
    .ncache = sizeof(evaluation) / sizeof(double),
    .q_names = names,
    .u_names = names,
    .compile = compile,
    .release = release,
    .position = position,
    .rate = rate,
    .fit_q = fit_q,
};
