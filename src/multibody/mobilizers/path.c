#include "multibody/mobilizers/path.h"
#include "base/memory.h"
#include "multibody/algebra/exponential.h"
#include "multibody/algebra/orientation.h"
#include "multibody/functions/function.h"
#include "multibody/mobilizers/descriptor.h"

typedef struct path {
    cardo_path_kind kind;
    int count;
    cardo_transform X_0;
    cardo_vec3 angles, displacement; /* euler: per unit of q */
    cardo_vec3 phi, rho; /* screw: twist of M in F at F's origin, per unit of q                */
    double angle;        /* screw: |phi|                                                  */
    cardo_vec3 axis, across,
        inward; /* screw: phi/|phi|, axis x rho / angle, axis x (axis x rho) / angle   */
    cardo_compiled_function *splines[6]; /* spline: exponential coordinates phi, rho */
    int nangle;
    cardo_path_angle beside[CARDO_PATH_ANGLES];
} path;

/* What position() leaves behind: derivatives of angular velocity and of M's origin in q; angular
 * velocities, in F, at unit speed of the path and of the angles. */
typedef struct evaluation {
    cardo_vec3 angular_second, position_second;
    cardo_vec3 turning[1 + CARDO_PATH_ANGLES];
} evaluation;

cardo_screw_axis cardo_screw_axis_of(const cardo_transform *D)
{
    cardo_screw_axis screw = {.point = {0, 0, 0}};
    cardo_vec3 phi = cardo_rotation_log(D->R);
    screw.angle = v3_norm(phi);
    if (screw.angle < 1e-12) {
        screw.angle = 0;
        screw.shift = v3_norm(D->p);
        screw.axis = screw.shift > 0 ? v3_scale(1.0 / screw.shift, D->p) : v3(0, 0, 1);
        return screw;
    }
    screw.axis = v3_scale(1.0 / screw.angle, phi);
    screw.shift = v3_dot(screw.axis, D->p);
    cardo_vec3 across = v3_add_scaled(D->p, -screw.shift, screw.axis);
    cardo_vec3 turned = v3_cross(screw.axis, across);
    screw.point = v3_scale(0.5, v3_add_scaled(across, 1.0 / tan(0.5 * screw.angle), turned));
    return screw;
}

static void release(cardo_joint *joint)
{
    path *data = joint->data;
    if (!data)
        return;
    for (int k = 0; k < 6; ++k)
        cardo_function_destroy(data->splines[k]);
    cardo_free(data);
}

static void compile_screw(path *data, const cardo_transform *D)
{
    data->phi = cardo_rotation_log(D->R);
    data->rho = cardo_left_jacobian_solve(data->phi, D->p);
    data->angle = v3_norm(data->phi);
    if (data->angle < 1e-12) {
        data->angle = 0;
        data->phi = v3(0, 0, 0);
        return;
    }
    data->axis = v3_scale(1.0 / data->angle, data->phi);
    data->across = v3_scale(1.0 / data->angle, v3_cross(data->axis, data->rho));
    data->inward = v3_cross(data->axis, data->across);
}

/* The logarithm of R that continues the one before: whole turns about the same axis are added where
 * that is nearer. */
static cardo_vec3 continued_log(cardo_mat33 R, cardo_vec3 before)
{
    static const double turn = 6.283185307179586476925;
    cardo_vec3 phi = cardo_rotation_log(R);
    double angle = v3_norm(phi);
    if (angle < 1e-9)
        return phi;
    cardo_vec3 axis = v3_scale(1.0 / angle, phi);
    double turns = nearbyint((v3_dot(before, axis) - angle) / turn);
    return v3_add_scaled(phi, turns * turn, axis);
}

static cardo_status compile_spline(path *data, const cardo_path *definition, cardo_error *error)
{
    const double largest = 5.5; /* radian; the coordinates are singular at a whole turn, 6.28 */
    const int n = definition->count;
    double *knots = NULL, *values = NULL;
    cardo_vec3 before = v3(0, 0, 0);
    cardo_transform X_0_inverse = xform_inverse(data->X_0);
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&knots, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&values, (size_t)n * 6, error));
    for (int i = 0; i < n; ++i) {
        cardo_transform D = xform_mul(definition->X_FM[i], X_0_inverse);
        cardo_vec3 phi = continued_log(D.R, before);
        if (v3_norm(phi) > largest) {
            status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                                "transform %d of a spline path turns by %.0f degrees from the "
                                "first: at most %.0f; start the path nearer to its middle",
                                i, v3_norm(phi) * 57.29577951308232, largest * 57.29577951308232);
            goto done;
        }
        cardo_vec3 rho = cardo_left_jacobian_solve(phi, D.p);
        const double coordinates[6] = {phi.x, phi.y, phi.z, rho.x, rho.y, rho.z};
        knots[i] = i;
        for (int k = 0; k < 6; ++k)
            values[k * n + i] = coordinates[k];
        before = phi;
    }
    for (int k = 0; k < 6; ++k) {
        cardo_function spline = {.kind = CARDO_FUNCTION_SPLINE, .narg = 1, .nknot = n};
        spline.knots = knots;
        spline.values = values + (size_t)k * (size_t)n;
        CARDO_TRY(cardo_function_compile(&spline, &data->splines[k], error));
    }
done:
    cardo_free(knots);
    cardo_free(values);
    return status;
}

static cardo_status compile(const void *parameters, cardo_joint *joint, cardo_error *error)
{
    const cardo_path *definition = parameters;
    if (definition->count < 2)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "a path needs at least 2 transforms, not %d",
                          definition->count);
    if (definition->kind != CARDO_PATH_SPLINE && definition->count != 2)
        return CARDO_FAIL(
            error, CARDO_ERROR_INPUT, "a %s path joins 2 transforms, not %d: use a spline path",
            definition->kind == CARDO_PATH_SCREW ? "screw" : "euler", definition->count);
    if (definition->nangle < 0 || definition->nangle > CARDO_PATH_ANGLES)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "a path has up to %d angles, not %d",
                          CARDO_PATH_ANGLES, definition->nangle);
    for (int k = 0; k < definition->nangle; ++k)
        if (!(fabs(v3_norm(definition->angle[k].axis) - 1) < 1e-9))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "the axis of angle %d of a path is no unit vector", k + 1);
    path *data = NULL;
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&data, 1, error));
    joint->data = data;
    joint->nq = joint->nu = 1 + definition->nangle;
    joint->ncache = (int)(sizeof(evaluation) / sizeof(double));
    data->kind = definition->kind;
    data->count = definition->count;
    data->X_0 = definition->X_FM[0];
    data->nangle = definition->nangle;
    for (int k = 0; k < data->nangle; ++k)
        data->beside[k] = definition->angle[k];
    const cardo_transform D = xform_mul(definition->X_FM[1], xform_inverse(data->X_0));
    if (data->kind == CARDO_PATH_SPLINE) {
        CARDO_TRY(compile_spline(data, definition, error));
    } else if (data->kind == CARDO_PATH_EULER) {
        data->angles = m33_to_euler(D.R);
        data->displacement = D.p;
    } else {
        compile_screw(data, &D);
    }
done:
    return status;
}

/* Rotation and displacement of the path, X = {R, t} X_0, with derivatives in q. */
typedef struct motion {
    cardo_mat33 R;
    curve3 t;
    cardo_vec3 angular_first, angular_second; /* angular velocity at qdot = 1, and its derivative */
} motion;

static motion screw_motion(const path *data, double q)
{
    motion m = {.R = m33_identity(), .angular_first = data->phi};
    double x = q * data->angle, s = sin(x), versine = 1 - cos(x);
    if (data->angle > 0)
        m.R = m33_rotation(data->axis, x);
    m.t.value = v3_scale(q, data->rho);
    m.t.value = v3_add_scaled(m.t.value, versine, data->across);
    m.t.value = v3_add_scaled(m.t.value, x - s, data->inward);
    m.t.first = v3_add(data->rho, v3_cross(data->phi, m.t.value));
    m.t.second = v3_cross(data->phi, m.t.first);
    return m;
}

static motion euler_motion(const path *data, double q)
{
    const double rates[3] = {data->angles.x, data->angles.y, data->angles.z};
    const double angles[3] = {q * rates[0], q * rates[1], q * rates[2]};
    motion m = {.R = m33_from_euler(angles[0], angles[1], angles[2])};
    m.angular_first = euler_angular_velocity(angles, rates);
    m.angular_second = euler_velocity_bias(angles, rates);
    m.t.value = v3_scale(q, data->displacement);
    m.t.first = data->displacement;
    m.t.second = v3(0, 0, 0);
    return m;
}

static motion spline_motion(const path *data, double q)
{
    double c[6][3];
    for (int k = 0; k < 6; ++k)
        cardo_function_evaluate1(data->splines[k], q, c[k]);
    curve3 phi = {v3(c[0][0], c[1][0], c[2][0]), v3(c[0][1], c[1][1], c[2][1]),
                  v3(c[0][2], c[1][2], c[2][2])};
    curve3 rho = {v3(c[3][0], c[4][0], c[5][0]), v3(c[3][1], c[4][1], c[5][1]),
                  v3(c[3][2], c[4][2], c[5][2])};
    /* w = V phi'; its derivative is that of V applied to the curve phi' */
    curve3 rate = {phi.first, phi.second, {0, 0, 0}};
    curve3 w = cardo_left_jacobian_curve(&phi, &rate);
    return (motion){.R = cardo_rotation_exp(phi.value),
                    .t = cardo_left_jacobian_curve(&phi, &rho),
                    .angular_first = w.value,
                    .angular_second = w.first};
}

static void position(const cardo_joint *joint, const double *q, double *cache,
                     cardo_transform *X_FM, cardo_spatial *H)
{
    const path *data = joint->data;
    evaluation *e = (evaluation *)cache;
    const motion m = data->kind == CARDO_PATH_SCREW   ? screw_motion(data, q[0])
                     : data->kind == CARDO_PATH_EULER ? euler_motion(data, q[0])
                                                      : spline_motion(data, q[0]);
    const cardo_vec3 arm = m33_mul_v3(m.R, data->X_0.p);
    const cardo_vec3 swing = v3_cross(m.angular_first, arm);
    X_FM->R = m33_mul(m.R, data->X_0.R);
    X_FM->p = v3_add(arm, m.t.value);
    H[0].angular = m.angular_first;
    H[0].linear = v3_add(swing, m.t.first);
    e->angular_second = m.angular_second;
    e->position_second = v3_add(
        v3_add(v3_cross(m.angular_second, arm), v3_cross(m.angular_first, swing)), m.t.second);
    e->turning[0] = m.angular_first;
    for (int k = 0; k < data->nangle; ++k) {
        e->turning[1 + k] = m33_mul_v3(X_FM->R, data->beside[k].axis);
        H[1 + k] = (cardo_spatial){e->turning[1 + k], v3(0, 0, 0)};
        X_FM->R = m33_mul(X_FM->R, m33_rotation(data->beside[k].axis, q[1 + k]));
    }
}

static void rate(const cardo_joint *joint, const double *q, const double *u, const double *cache,
                 cardo_spatial *Hdot)
{
    (void)q;
    const path *data = joint->data;
    const evaluation *e = (const evaluation *)cache;
    Hdot[0].angular = v3_scale(u[0], e->angular_second);
    Hdot[0].linear = v3_scale(u[0], e->position_second);
    cardo_vec3 w = v3_scale(u[0], e->turning[0]); /* of what carries the axis */
    for (int k = 1; k <= data->nangle; ++k) {
        Hdot[k] = (cardo_spatial){v3_cross(w, e->turning[k]), v3(0, 0, 0)};
        w = v3_add_scaled(w, u[k], e->turning[k]);
    }
}

static const char *q_name(const cardo_joint *joint, int k)
{
    const path *data = joint->data;
    return k == 0 || !data->beside[k - 1].name ? "q" : data->beside[k - 1].name;
}

const cardo_mobilizer cardo_mobilizer_path = {
    .name = "path",
    .doc = "moves along a path through two or more given transforms: screw, euler or spline; up to "
           "two angles off it",
    .sizes = "1 to 3",
    .q_name = q_name,
    .compile = compile,
    .release = release,
    .position = position,
    .rate = rate,
};
