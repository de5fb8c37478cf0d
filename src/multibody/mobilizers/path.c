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
    int nextra;
    cardo_path_extra extra[CARDO_PATH_EXTRAS];
} path;

/* What position() leaves behind, in F: first and second derivatives of M's origin on the path in q, and that of the
 * angular velocity; directions of turns and shifts, the path's own the first; and what leads from the origin as it is
 * before each of them to M's. */
typedef struct evaluation {
    cardo_vec3 angular_second, position_first, position_second;
    cardo_vec3 direction[1 + CARDO_PATH_EXTRAS], arm[1 + CARDO_PATH_EXTRAS];
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
    if (definition->nextra < 0 || definition->nextra > CARDO_PATH_EXTRAS)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "a path has up to %d coordinates more, not %d",
                          CARDO_PATH_EXTRAS, definition->nextra);
    for (int k = 0; k < definition->nextra; ++k)
        if (!(fabs(v3_norm(definition->extra[k].axis) - 1) < 1e-9))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "the axis of coordinate %d beside a path is no unit vector", k + 1);
    path *data = NULL;
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&data, 1, error));
    joint->data = data;
    joint->nq = joint->nu = 1 + definition->nextra;
    joint->ncache = (int)(sizeof(evaluation) / sizeof(double));
    data->kind = definition->kind;
    data->count = definition->count;
    data->X_0 = definition->X_FM[0];
    data->nextra = definition->nextra;
    for (int k = 0; k < data->nextra; ++k)
        data->extra[k] = definition->extra[k];
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

/* From the path to M, one coordinate after the other. */
static void lead_off(const path *data, const double *q, evaluation *e, cardo_transform *X_FM)
{
    cardo_vec3 origin[1 + CARDO_PATH_EXTRAS] = {X_FM->p};
    for (int k = 1; k <= data->nextra; ++k) {
        const cardo_path_extra *extra = &data->extra[k - 1];
        e->direction[k] = m33_mul_v3(X_FM->R, extra->axis);
        origin[k] = X_FM->p;
        if (extra->shift)
            X_FM->p = v3_add_scaled(X_FM->p, q[k], e->direction[k]);
        else
            X_FM->R = m33_mul(X_FM->R, m33_rotation(extra->axis, q[k]));
    }
    for (int k = 0; k <= data->nextra; ++k)
        e->arm[k] = v3_sub(X_FM->p, origin[k]);
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
    e->angular_second = m.angular_second;
    e->position_first = v3_add(swing, m.t.first);
    e->position_second = v3_add(
        v3_add(v3_cross(m.angular_second, arm), v3_cross(m.angular_first, swing)), m.t.second);
    e->direction[0] = m.angular_first;
    lead_off(data, q, e, X_FM);
    H[0].angular = m.angular_first;
    H[0].linear = v3_add(e->position_first, v3_cross(m.angular_first, e->arm[0]));
    for (int k = 1; k <= data->nextra; ++k) {
        const cardo_vec3 d = e->direction[k];
        H[k] = data->extra[k - 1].shift ? (cardo_spatial){v3(0, 0, 0), d}
                                        : (cardo_spatial){d, v3_cross(d, e->arm[k])};
    }
}

/* Angular velocity w of what carries each direction, and the velocity v of the origin before it; the last are M's own. */
static void find_speeds(const path *data, const double *q, const double *u, const evaluation *e,
                        cardo_vec3 *w, cardo_vec3 *v)
{
    w[0] = v[0] = v3(0, 0, 0);
    w[1] = v3_scale(u[0], e->direction[0]);
    v[1] = v3_scale(u[0], e->position_first);
    for (int k = 1; k <= data->nextra; ++k) {
        const cardo_vec3 d = e->direction[k];
        const bool shift = data->extra[k - 1].shift;
        w[k + 1] = shift ? w[k] : v3_add_scaled(w[k], u[k], d);
        v[k + 1] = v[k];
        if (shift)
            v[k + 1] = v3_add(v[k], v3_add_scaled(v3_scale(q[k], v3_cross(w[k], d)), u[k], d));
    }
}

static void rate(const cardo_joint *joint, const double *q, const double *u, const double *cache,
                 cardo_spatial *Hdot)
{
    const path *data = joint->data;
    const evaluation *e = (const evaluation *)cache;
    cardo_vec3 w[2 + CARDO_PATH_EXTRAS], v[2 + CARDO_PATH_EXTRAS];
    find_speeds(data, q, u, e, w, v);
    const cardo_vec3 end = v[1 + data->nextra];
    Hdot[0].angular = v3_scale(u[0], e->angular_second);
    Hdot[0].linear = v3_add(
        v3_scale(u[0], e->position_second),
        v3_add(v3_cross(Hdot[0].angular, e->arm[0]), v3_cross(e->direction[0], v3_sub(end, v[1]))));
    for (int k = 1; k <= data->nextra; ++k) {
        const cardo_vec3 d = e->direction[k], turned = v3_cross(w[k], d);
        Hdot[k] = data->extra[k - 1].shift
                      ? (cardo_spatial){v3(0, 0, 0), turned}
                      : (cardo_spatial){turned, v3_add(v3_cross(turned, e->arm[k]),
                                                       v3_cross(d, v3_sub(end, v[k])))};
    }
}

bool cardo_path_shifts(const cardo_joint *joint, int k)
{
    const path *data = joint->data;
    return data->extra[k - 1].shift;
}

static const char *q_name(const cardo_joint *joint, int k)
{
    const path *data = joint->data;
    return k == 0 || !data->extra[k - 1].name ? "q" : data->extra[k - 1].name;
}

const cardo_mobilizer cardo_mobilizer_path = {
    .name = "path",
    .doc = "moves along a path through two or more given transforms: screw, euler or spline; up to "
           "five coordinates off it",
    .sizes = "1 to 6",
    .q_name = q_name,
    .compile = compile,
    .release = release,
    .position = position,
    .rate = rate,
};
