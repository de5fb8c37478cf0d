#include "multibody/quantities/fit.h"
#include "base/number.h"
#include "multibody/algebra/exponential.h"
#include "multibody/tree/state_internal.h"

#include <string.h>

enum { ROWS = 6, MAX = CARDO_MOBILIZER_MAX_U };

static void spatial_store(double *a, cardo_spatial s)
{
    v3_store(a, s.angular);
    v3_store(a + 3, s.linear);
}

/* Singular values of n columns of six (one-sided Jacobi): on return the columns are U diag(s), V (n
 * x n, rows) holds the rotations. */
static void singular_values(int n, double columns[MAX][ROWS], double V[MAX][MAX], double *s)
{
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            V[i][j] = i == j;
    for (int sweep = 0; sweep < 30; ++sweep) {
        double largest = 0;
        for (int i = 0; i < n; ++i)
            for (int j = i + 1; j < n; ++j) {
                double a = 0, b = 0, c = 0;
                for (int r = 0; r < ROWS; ++r) {
                    a += columns[i][r] * columns[i][r];
                    b += columns[j][r] * columns[j][r];
                    c += columns[i][r] * columns[j][r];
                }
                const double size = sqrt(a * b);
                if (!(fabs(c) > 1e-300) || fabs(c) <= 1e-16 * size)
                    continue;
                largest = fmax(largest, fabs(c) / size);
                const double z = (b - a) / (2 * c);
                const double t = (z < 0 ? -1 : 1) / (fabs(z) + sqrt(1 + z * z));
                const double cosine = 1 / sqrt(1 + t * t), sine = cosine * t;
                for (int r = 0; r < ROWS; ++r) {
                    const double x = columns[i][r], y = columns[j][r];
                    columns[i][r] = cosine * x - sine * y;
                    columns[j][r] = sine * x + cosine * y;
                }
                for (int r = 0; r < n; ++r) {
                    const double x = V[i][r], y = V[j][r];
                    V[i][r] = cosine * x - sine * y;
                    V[j][r] = sine * x + cosine * y;
                }
            }
        if (largest < 1e-15)
            break;
    }
    for (int i = 0; i < n; ++i) {
        double sum = 0;
        for (int r = 0; r < ROWS; ++r)
            sum += columns[i][r] * columns[i][r];
        s[i] = sqrt(sum);
    }
}

/* Least squares of minimum norm for n columns: x = V diag(s / (s^2 + damping)) U^T b. */
static void solve(int n, const cardo_spatial *H, const double b[ROWS], double damping, double *x)
{
    double columns[MAX][ROWS], V[MAX][MAX], s[MAX], largest = 0;
    for (int i = 0; i < n; ++i)
        spatial_store(columns[i], H[i]);
    singular_values(n, columns, V, s);
    for (int i = 0; i < n; ++i) {
        largest = fmax(largest, s[i]);
        x[i] = 0;
    }
    for (int i = 0; i < n; ++i) {
        double projection = 0;
        if (!(s[i] > 1e-12 * largest))
            continue;
        for (int r = 0; r < ROWS; ++r)
            projection += columns[i][r] * b[r];
        for (int j = 0; j < n; ++j)
            x[j] += V[i][j] * projection / (s[i] * s[i] + damping);
    }
}

static void normalise(const cardo_joint *joint, double *q)
{
    if (!joint->mobilizer->has_orientation || joint->euler)
        return;
    cardo_quaternion unit = quat_unit((cardo_quaternion){q[0], q[1], q[2], q[3]});
    q[0] = unit.w;
    q[1] = unit.x;
    q[2] = unit.y;
    q[3] = unit.z;
}

/* Rotation and position that are missing from X_FM(q) to the target; returns the sum of squares. */
static double miss(const body_plan *body, const cardo_transform *target, const double *q,
                   cardo_spatial *H, double e[ROWS])
{
    double cache[CARDO_MOBILIZER_MAX_CACHE];
    cardo_transform X;
    cardo_joint_position(body, q, cache, &X, H);
    const cardo_vec3 turn = cardo_rotation_log(m33_mul(target->R, m33_transpose(X.R)));
    v3_store(e, turn);
    v3_store(e + 3, v3_sub(target->p, X.p));
    double sum = 0;
    for (int r = 0; r < ROWS; ++r)
        sum += e[r] * e[r];
    return sum;
}

/* q + N step */
static void take_step(const body_plan *body, const double *q, const double *step, double *out)
{
    const cardo_joint *joint = &body->joint;
    double qdot[CARDO_MOBILIZER_MAX_Q];
    if (joint->mobilizer->multiply_n)
        joint->mobilizer->multiply_n(joint, q, step, qdot);
    else
        memcpy(qdot, step, (size_t)body->nu * sizeof *step);
    for (int i = 0; i < body->nq; ++i)
        out[i] = q[i] + qdot[i];
    normalise(joint, out);
}

/* Levenberg-Marquardt from q; returns the sum of squares that is left. */
static double improve(const body_plan *body, const cardo_transform *target, double *q)
{
    enum { ITERATIONS = 200 };
    cardo_spatial H[MAX], trial_H[MAX];
    double e[ROWS], trial_e[ROWS], step[MAX], trial[CARDO_MOBILIZER_MAX_Q], damping = 1e-6;
    double sum = miss(body, target, q, H, e);
    for (int i = 0; i < ITERATIONS && damping < 1e8; ++i) {
        solve(body->nu, H, e, damping, step);
        take_step(body, q, step, trial);
        double trial_sum = miss(body, target, trial, trial_H, trial_e);
        if (!(trial_sum < sum)) {
            damping = damping < 1e-9 ? 1e-9 : 10 * damping;
            if (sum < 1e-30)
                break;
            continue;
        }
        const bool done = sum - trial_sum <= 1e-16 * sum;
        sum = trial_sum;
        memcpy(q, trial, (size_t)body->nq * sizeof *q);
        memcpy(H, trial_H, sizeof H);
        memcpy(e, trial_e, sizeof e);
        damping *= 0.1;
        if (done)
            break;
    }
    return sum;
}

static bool all_finite(const double *a, int n)
{
    for (int i = 0; i < n; ++i)
        if (!isfinite(a[i]))
            return false;
    return true;
}

double cardo_fit_joint(const body_plan *plan, const cardo_transform *X_FM, double *q)
{
    const cardo_joint *joint = &plan->joint;
    double other[CARDO_MOBILIZER_MAX_Q], unused[ROWS];
    normalise(joint, q);
    if (plan->nu == 0)
        return miss(plan, X_FM, q, NULL, unused);
    memcpy(other, q, sizeof(double) * (size_t)plan->nq);
    double sum = improve(plan, X_FM, q);
    if (!joint->mobilizer->fit_q)
        return sum;
    const cardo_transform seen = plan->reversed ? xform_inverse(*X_FM) : *X_FM;
    joint->mobilizer->fit_q(joint, &seen, other);
    const double other_sum = improve(plan, X_FM, other);
    /* of two fits as good as rounding lets them be, the closed form's */
    if (other_sum <= sum || other_sum < 1e-26) {
        sum = other_sum;
        memcpy(q, other, sizeof(double) * (size_t)plan->nq);
    }
    return sum;
}

cardo_status cardo_fit_q(const cardo_system *system, int body, const cardo_transform *X_FM,
                         double *q, double *residual, cardo_error *error)
{
    const body_plan *plan = &system->bodies[body];
    if (!all_finite(q, plan->nq) || !all_finite(&X_FM->R.m[0][0], 9) || !all_finite(&X_FM->p.x, 3))
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "body %d: the pose to fit is not finite",
                          body);
    const double sum = cardo_fit_joint(plan, X_FM, q);
    if (residual)
        *residual = sqrt(sum);
    return CARDO_OK;
}

cardo_status cardo_fit_u(const cardo_system *system, int body, const double *q,
                         const cardo_spatial *V_FM, double *u, double *residual, cardo_error *error)
{
    const body_plan *plan = &system->bodies[body];
    double cache[CARDO_MOBILIZER_MAX_CACHE], b[ROWS], sum = 0;
    cardo_transform X;
    cardo_spatial H[MAX], V = spatial_zero();
    spatial_store(b, *V_FM);
    if (!all_finite(q, plan->nq) || !all_finite(b, ROWS))
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "body %d: the velocity to fit is not finite",
                          body);
    cardo_joint_position(plan, q, cache, &X, H);
    solve(plan->nu, H, b, 0, u);
    for (int j = 0; j < plan->nu; ++j)
        V = spatial_add_scaled(V, u[j], H[j]);
    spatial_store(b, spatial_sub(*V_FM, V));
    for (int r = 0; r < ROWS; ++r)
        sum += b[r] * b[r];
    if (residual)
        *residual = sqrt(sum);
    return CARDO_OK;
}

double cardo_mobilizer_regularity(const cardo_system *system, int body, const double *q)
{
    const body_plan *plan = &system->bodies[body];
    const cardo_joint *joint = &plan->joint;
    double cache[CARDO_MOBILIZER_MAX_CACHE], columns[MAX][ROWS], V[MAX][MAX], s[MAX];
    double regularity = joint->mobilizer->regularity ? joint->mobilizer->regularity(joint, q) : 1;
    cardo_transform X;
    cardo_spatial H[MAX];
    cardo_joint_position(plan, q, cache, &X, H);
    for (int j = 0; j < plan->nu; ++j) {
        const double length = sqrt(spatial_dot(H[j], H[j]));
        if (!(length > 1e-300))
            return 0;
        spatial_store(columns[j], spatial_scale(1.0 / length, H[j]));
    }
    singular_values(plan->nu, columns, V, s);
    double smallest = HUGE_VAL, largest = 0;
    for (int j = 0; j < plan->nu; ++j) {
        smallest = fmin(smallest, s[j]);
        largest = fmax(largest, s[j]);
    }
    return plan->nu > 0 ? fmin(regularity, smallest / largest) : 1;
}

cardo_status cardo_check_regularity(const cardo_system *system, const double *q, double threshold,
                                    cardo_error *error)
{
    char text[CARDO_ERROR_MESSAGE_SIZE / 2] = "";
    size_t used = 0;
    for (int k = 1; k < system->nbody; ++k) {
        const body_plan *plan = &system->bodies[k];
        const double regularity = cardo_mobilizer_regularity(system, k, q + plan->q_first);
        if (regularity >= threshold || used >= sizeof text)
            continue;
        const char *name = system->sources[k].name;
        int n = cardo_format(text + used, sizeof text - used, "%s body %d%s%s (%s, %.2g)",
                             used > 0 ? "," : "", k, name ? " " : "", name ? name : "",
                             plan->joint.mobilizer->name, regularity);
        used += n > 0 ? (size_t)n : 0;
    }
    if (used == 0)
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_SINGULAR,
                      "mobilizers at a singular position (regularity below %g):%s", threshold,
                      text);
}
