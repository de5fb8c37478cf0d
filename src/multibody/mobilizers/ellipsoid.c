#include "base/memory.h"
#include "multibody/algebra/orientation.h"
#include "multibody/mobilizers/orientation_joint.h"
#include "multibody/mobilizers/parameters.h"

/* M's z axis in F, and six numbers that are the tree's */
enum { NORMAL, OF_THE_TREE = NORMAL + 3, CACHED = OF_THE_TREE + 6 };

static cardo_status compile(const void *parameters, cardo_joint *joint, cardo_error *error)
{
    const cardo_ellipsoid *ellipsoid = parameters;
    const cardo_vec3 r = ellipsoid->radii;
    if (!(isfinite(r.x) && isfinite(r.y) && isfinite(r.z) && r.x >= 0 && r.y >= 0 && r.z >= 0))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "no ellipsoid has the radii %g, %g, %g", r.x,
                          r.y, r.z);
    cardo_ellipsoid *copy;
    cardo_status status = CARDO_ALLOCATE(&copy, 1, error);
    if (status == CARDO_OK)
        *copy = *ellipsoid;
    joint->data = copy;
    return status;
}

static void release(cardo_joint *joint)
{
    cardo_free(joint->data);
}

/* Each component of v times the radius along it. */
static cardo_vec3 stretch(const cardo_joint *joint, cardo_vec3 v)
{
    const cardo_ellipsoid *ellipsoid = joint->data;
    const cardo_vec3 r = ellipsoid->radii;
    return v3(r.x * v.x, r.y * v.y, r.z * v.z);
}

/* Columns for the three angular velocities of a point that moves with n. */
static void columns(const cardo_joint *joint, cardo_vec3 n, bool turning, cardo_spatial *H)
{
    for (int k = 0; k < 3; ++k) {
        const cardo_vec3 axis = v3(k == 0, k == 1, k == 2);
        H[k].angular = turning ? axis : v3(0, 0, 0);
        H[k].linear = stretch(joint, v3_cross(axis, n));
    }
}

static void position(const cardo_joint *joint, const double *q, double *cache,
                     cardo_transform *X_FM, cardo_spatial *H)
{
    X_FM->R = orientation_matrix(joint->euler, q);
    const cardo_vec3 n = m33_column(X_FM->R, 2);
    X_FM->p = stretch(joint, n);
    v3_store(cache + NORMAL, n);
    columns(joint, n, true, H);
}

static void rate(const cardo_joint *joint, const double *q, const double *u, const double *cache,
                 cardo_spatial *Hdot)
{
    (void)q;
    columns(joint, v3_cross(v3_load(u), v3_load(cache + NORMAL)), false, Hdot);
}

static cardo_spatial bias(const cardo_joint *joint, const double *q, const double *u,
                          const double *cache)
{
    (void)q;
    const cardo_vec3 w = v3_load(u), ndot = v3_cross(w, v3_load(cache + NORMAL));
    return (cardo_spatial){{0, 0, 0}, stretch(joint, v3_cross(w, ndot))};
}

static const char *const u_names[] = {"omega_x", "omega_y", "omega_z"};

const cardo_mobilizer cardo_mobilizer_ellipsoid = {
    .name = "ellipsoid",
    .doc =
        "turns every way while its origin moves on an ellipsoid, at the point its z axis points to",
    .kind = CARDO_MOBILIZER_ELLIPSOID,
    .nq = 4,
    .nq_euler = 3,
    .nu = 3,
    .has_orientation = true,
    .ncache = CACHED,
    .q_names = cardo_orientation_q_names,
    .q_names_euler = cardo_orientation_q_names_euler,
    .u_names = u_names,
    .compile = compile,
    .release = release,
    .position = position,
    .rate = rate,
    .bias = bias,
    .multiply_n = cardo_ball_multiply_n,
    .multiply_n_inverse = cardo_ball_multiply_n_inverse,
    .multiply_n_dot = cardo_ball_multiply_n_dot,
    .fit_q = cardo_orientation_fit_q,
    .regularity = cardo_orientation_regularity,
};
