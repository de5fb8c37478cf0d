/* Any mobilizer as a joint that closes a loop.
 *
 * With e what a fit of the mobilizer's coordinates leaves of the pose, and n a basis of what H cannot do, n^T H = 0: p = n . e,
 * v = n . V_FM. On the constraint V_FM = H u, so that the turning of n that n^T H = 0 asks for, ndot = -H (H^T H)^-1 Hdot^T n,
 * gives ndot . V_FM = -n . Hdot u: whichever basis is taken at an instant, the rates fit it.
 *
 * A line reaches every orientation, if not at once: that it does not spin is no condition on positions, and its row is one of
 * velocities. */
#include "base/memory.h"
#include "multibody/algebra/exponential.h"
#include "multibody/constraints/parts/check.h"
#include "multibody/constraints/parts/placed.h"
#include "multibody/mobilizers/descriptor.h"
#include "multibody/quantities/fit.h"
#include "multibody/tree/state_internal.h"

#include <math.h>
#include <string.h>

enum { MAX = CARDO_MOBILIZER_MAX_U };

typedef struct closing_joint {
    body_plan plan; /* of which the mobilizer alone counts */
    cardo_transform frame1, frame2;
    double start[CARDO_MOBILIZER_MAX_Q];
} closing_joint;

static void release(void *data)
{
    closing_joint *own = data;
    if (own)
        cardo_joint_release(&own->plan.joint);
    cardo_free(own);
}

static void set_start(closing_joint *own)
{
    const cardo_joint *joint = &own->plan.joint;
    if (joint->mobilizer->default_q)
        joint->mobilizer->default_q(joint, own->start);
    else if (joint->mobilizer->has_orientation && !joint->euler)
        own->start[0] = 1;
}

static cardo_status compile(const cardo_system *system, const void *parameters,
                            constraint_shape *shape, cardo_error *error)
{
    const cardo_joint_closure *p = parameters;
    const double numbers[6] = {p->frame1.p.x, p->frame1.p.y, p->frame1.p.z,
                               p->frame2.p.x, p->frame2.p.y, p->frame2.p.z};
    closing_joint *own = NULL;
    cardo_status status;
    CARDO_TRY(cardo_constraint_check_pair(system, p->body1, p->body2, error));
    CARDO_TRY(cardo_constraint_check_numbers(numbers, 6, error));
    CARDO_TRY(cardo_constraint_check_rotation(&p->frame1.R, error));
    CARDO_TRY(cardo_constraint_check_rotation(&p->frame2.R, error));
    if (!p->mobilizer)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "the joint has no mobilizer");
    CARDO_TRY(CARDO_ALLOCATE(&own, 1, error));
    shape->data = own;
    own->frame1 = p->frame1;
    own->frame2 = p->frame2;
    own->plan.reversed = p->reversed;
    CARDO_TRY(cardo_joint_compile(p->mobilizer, p->parameters, p->euler, &own->plan.joint, error));
    own->plan.nq = (unsigned char)own->plan.joint.nq;
    own->plan.nu = (unsigned char)own->plan.joint.nu;
    if (own->plan.nu >= 6)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "a %s mobilizer with %d mobilities constrains nothing",
                          p->mobilizer->name, own->plan.nu);
    set_start(own);
    shape->nvelocity = own->plan.joint.mobilizer->lacks_spin ? 1 : 0;
    shape->nposition = 6 - own->plan.nu - shape->nvelocity;
    shape->nbody = 2;
    shape->bodies[0] = p->body1;
    shape->bodies[1] = p->body2;
done:
    return status;
}

/* The joint as it stands: frames in ground, coordinates that fit, H and what it leaves free. */
typedef struct fitted {
    cardo_transform X_GF, X_GM, X_FM, fit;
    double q[CARDO_MOBILIZER_MAX_Q], cache[CARDO_MOBILIZER_MAX_CACHE];
    cardo_spatial H[MAX];
    double basis[6][6]; /* columns: nu of H's range, then the complement */
    double upper[6][6]; /* H = basis upper                              */
} fitted;

static double entry(const cardo_spatial *a, int i)
{
    const double v[6] = {a->angular.x, a->angular.y, a->angular.z,
                         a->linear.x,  a->linear.y,  a->linear.z};
    return v[i];
}

/* Householder's factorization of H: basis is orthogonal. Of the two reflections that serve one is kept where the column has its diagonal
 * at zero, as axes have, and where it does change the determinant of [H, complement] does not: rows that turn over on a smooth way
 * would pass for a branch point. */
static void complement(int n, fitted *f)
{
    double a[6][6] = {{0}};
    bool turned = false;
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) {
            a[i][j] = j < n ? entry(&f->H[j], i) : 0;
            f->basis[i][j] = i == j;
        }
    for (int k = 0; k < n; ++k) {
        double v[6] = {0}, norm = 0, square = 0;
        for (int i = k; i < 6; ++i)
            norm += a[i][k] * a[i][k];
        norm = sqrt(norm);
        for (int i = k; i < 6; ++i)
            v[i] = a[i][k];
        const bool other = v[k] < -0.5 * norm;
        v[k] += other ? -norm : norm;
        turned = turned != other;
        for (int i = k; i < 6; ++i)
            square += v[i] * v[i];
        if (!(square > 0))
            continue;
        for (int j = 0; j < 6; ++j) {
            double in_a = 0, in_basis = 0;
            for (int i = k; i < 6; ++i) {
                in_a += v[i] * a[i][j];
                in_basis += v[i] * f->basis[j][i];
            }
            for (int i = k; i < 6; ++i) {
                a[i][j] -= 2 * in_a / square * v[i];
                f->basis[j][i] -= 2 * in_basis / square * v[i];
            }
        }
    }
    for (int i = 0; turned && i < 6; ++i)
        f->basis[i][5] = -f->basis[i][5];
    memcpy(f->upper, a, sizeof a);
}

static void fit(const closing_joint *own, const cardo_constraint_work *work, fitted *f)
{
    const body_plan *plan = &own->plan;
    f->X_GF = xform_mul(work->X_GB[0], own->frame1);
    f->X_GM = xform_mul(work->X_GB[1], own->frame2);
    f->X_FM = xform_mul(xform_inverse(f->X_GF), f->X_GM);
    memcpy(f->q, own->start, sizeof f->q);
    cardo_fit_joint(plan, &f->X_FM, f->q);
    cardo_joint_position(plan, f->q, f->cache, &f->fit, f->H);
    complement(plan->nu, f);
}

/* Of row i, a column of the basis: a motion of M in F that the mobilizer does not have. Of those that lines lack, the spin, which is
 * the last row, is the first column: their angular columns come before the linear ones. */
static cardo_spatial missing(const closing_joint *own, const fitted *f, int i)
{
    const int nrow = 6 - own->plan.nu, first = own->plan.joint.mobilizer->lacks_spin ? 1 : 0;
    const int c = own->plan.nu + (i + first) % nrow;
    return (cardo_spatial){{f->basis[0][c], f->basis[1][c], f->basis[2][c]},
                           {f->basis[3][c], f->basis[4][c], f->basis[5][c]}};
}

static void position(const void *data, const cardo_constraint_work *work, double *error)
{
    const closing_joint *own = data;
    fitted f;
    fit(own, work, &f);
    const cardo_vec3 turn = cardo_rotation_log(m33_mul(f.X_FM.R, m33_transpose(f.fit.R)));
    const cardo_spatial left = {turn, v3_sub(f.X_FM.p, f.fit.p)};
    const int nposition = 6 - own->plan.nu - (own->plan.joint.mobilizer->lacks_spin ? 1 : 0);
    for (int i = 0; i < nposition; ++i)
        error[i] = spatial_dot(missing(own, &f, i), left);
}

static void rows(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    const closing_joint *own = data;
    fitted f;
    fit(own, work, &f);
    const cardo_vec3 arm1 = v3_sub(f.X_GM.p, work->X_GB[0].p);
    const cardo_vec3 arm2 = v3_sub(f.X_GM.p, work->X_GB[1].p);
    for (int i = 0; i < 6 - own->plan.nu; ++i) {
        const cardo_spatial n = spatial_rotate(f.X_GF.R, missing(own, &f, i));
        out->bodies[2 * i] = spatial_negative(force_shift(n, arm1));
        out->bodies[2 * i + 1] = force_shift(n, arm2);
    }
}

/* -H (H^T H)^-1 Hdot^T n = -Q1 R^-T Hdot^T n, in F. */
static cardo_spatial turning(const closing_joint *own, const fitted *f, const cardo_spatial *Hdot,
                             cardo_spatial n)
{
    const int nu = own->plan.nu;
    double x[MAX], rate[6] = {0};
    for (int j = 0; j < nu; ++j) {
        x[j] = spatial_dot(Hdot[j], n);
        for (int k = 0; k < j; ++k)
            x[j] -= f->upper[k][j] * x[k];
        x[j] /= f->upper[j][j];
        for (int i = 0; i < 6; ++i)
            rate[i] -= f->basis[i][j] * x[j];
    }
    return (cardo_spatial){v3_load(rate), v3_load(rate + 3)};
}

/* Speeds of the mobilizer that come nearest to the velocity of M in F: R u = Q1^T V. */
static void fit_speeds(const closing_joint *own, const fitted *f, cardo_spatial V_FM, double *u)
{
    for (int j = own->plan.nu - 1; j >= 0; --j) {
        u[j] = 0;
        for (int i = 0; i < 6; ++i)
            u[j] += f->basis[i][j] * entry(&V_FM, i);
        for (int k = j + 1; k < own->plan.nu; ++k)
            u[j] -= f->upper[j][k] * u[k];
        u[j] /= f->upper[j][j];
    }
}

static void rates(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    const closing_joint *own = data;
    fitted f;
    fit(own, work, &f);
    const cardo_spatial *V1 = &work->V_GB[0], *V2 = &work->V_GB[1];
    const cardo_vec3 arm1 = v3_sub(f.X_GM.p, work->X_GB[0].p);
    const cardo_vec3 arm2 = v3_sub(f.X_GM.p, work->X_GB[1].p);
    const cardo_vec3 v2 = velocity_at(V2, arm2);
    const cardo_spatial relative = {v3_sub(V2->angular, V1->angular),
                                    v3_sub(v2, velocity_at(V1, arm1))};
    const cardo_spatial V_FM = spatial_rotate(m33_transpose(f.X_GF.R), relative);
    double u[MAX];
    cardo_spatial Hdot[MAX];
    fit_speeds(own, &f, V_FM, u);
    cardo_joint_rate(&own->plan, f.q, u, f.cache, &f.fit, f.H, Hdot);
    const cardo_vec3 rate1 = v3_sub(v2, V1->linear), rate2 = v3_sub(v2, V2->linear);
    for (int i = 0; i < 6 - own->plan.nu; ++i) {
        const cardo_spatial in_F = missing(own, &f, i), n = spatial_rotate(f.X_GF.R, in_F);
        cardo_spatial ndot = spatial_rotate(f.X_GF.R, turning(own, &f, Hdot, in_F));
        ndot.angular = v3_add(ndot.angular, v3_cross(V1->angular, n.angular));
        ndot.linear = v3_add(ndot.linear, v3_cross(V1->angular, n.linear));
        cardo_spatial a = force_shift(ndot, arm1), b = force_shift(ndot, arm2);
        a.angular = v3_add(a.angular, v3_cross(rate1, n.linear));
        b.angular = v3_add(b.angular, v3_cross(rate2, n.linear));
        out->bodies[2 * i] = spatial_negative(a);
        out->bodies[2 * i + 1] = b;
    }
}

static void closure(const void *data, cardo_joint_closure *out)
{
    const closing_joint *own = data;
    out->frame1 = own->frame1;
    out->frame2 = own->frame2;
    out->mobilizer = own->plan.joint.mobilizer;
    out->reversed = own->plan.reversed;
}

const cardo_constraint cardo_constraint_joint = {
    .name = "joint",
    .doc = "any mobilizer as a joint that closes a loop",
    .compile = compile,
    .release = release,
    .position = position,
    .rows = rows,
    .rates = rates,
    .closure = closure,
};
