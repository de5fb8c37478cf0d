#include "dynamics/integrators/leapfrog_step.h"

#include "cardo/manifold.h"
#include "dynamics/coordinates/constrained.h"
#include "multibody/algebra/exponential.h"
#include "multibody/mobilizers/descriptor.h"
#include "multibody/tree/motion.h"
#include "multibody/tree/operators.h"

#include <math.h>
#include <string.h>

/* Each iteration gains a digit or so at sensible steps. */
enum { MOST_ITERATIONS = 100 };
/* What a coordinate may change by in a step: beyond that an iteration has gone astray. */
static const double farthest = 1e6;

typedef struct leapfrog {
    const cardo_integration *run;
    double h;
    double *q0, *q1;                        /* (nq) */
    double *p, *v, *sum, *gradient, *other; /* (nu); sum: (M(q0) + M(q1)) v */
    double *given; /* (nu): what constraints give                                          */
    double *
        lambda; /* multipliers of those at q0 (nrow), then room for two such arrays; NULL: no constraints */
} leapfrog;

int cardo_leapfrog_work_count(int nq, int nu)
{
    return 3 * nq + 8 * nu;
}

static leapfrog lay_out(const cardo_integration *run, double h)
{
    double *work = run->work;
    const int nq = run->nq, nu = run->nu;
    double *numbers = work + 2 * nq;
    return (leapfrog){run,
                      h,
                      work,
                      work + nq,
                      numbers,
                      numbers + nu,
                      numbers + 2 * nu,
                      numbers + 3 * nu,
                      numbers + 4 * nu,
                      numbers + 7 * nu,
                      cardo_constraint_row_count(run->system) > 0 ? run->rows : NULL};
}

cardo_status cardo_leapfrog_check(const cardo_system *system, cardo_error *error)
{
    if (cardo_system_nprescribed(system) > 0)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "leapfrog keeps phase-space volume, which a prescribed motion does not: "
                          "use verlet");
    for (int body = 1; body < cardo_system_nbody(system); ++body) {
        cardo_body_info info;
        cardo_system_body(system, body, &info);
        const cardo_mobilizer *mobilizer = info.mobilizer;
        bool turns = mobilizer->has_orientation && !info.euler && info.nq == info.nu + 1;
        if (mobilizer->multiply_n && !turns)
            return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                              "leapfrog cannot move body %s on its %s%s: use verlet",
                              info.name ? info.name : "unnamed", mobilizer->name,
                              info.euler ? " with Euler angles" : "");
    }
    return CARDO_OK;
}

/* ------------ orientations ------------ */

/* q of the orientation that q turned by the vector x. */
static void turn(const double q[4], cardo_vec3 x, double to[4])
{
    double angle = v3_norm(x), c = cos(0.5 * angle);
    double s = angle > 0 ? sin(0.5 * angle) / angle : 0.5;
    cardo_vec3 a = v3_scale(s, x), b = v3(q[1], q[2], q[3]);
    cardo_vec3 vector = v3_add(v3_add(v3_scale(c, b), v3_scale(q[0], a)), v3_cross(a, b));
    to[0] = c * q[0] - v3_dot(a, b);
    v3_store(to + 1, vector);
}

typedef void (*block_function)(const cardo_body_info *info, leapfrog *self, double *numbers);

/* Calls a function for every body whose first speeds turn an orientation. */
static void for_orientations(leapfrog *self, block_function function, double *numbers)
{
    for (int body = 1; body < cardo_system_nbody(self->run->system); ++body) {
        cardo_body_info info;
        cardo_system_body(self->run->system, body, &info);
        if (info.mobilizer->has_orientation)
            function(&info, self, numbers);
    }
}

/* numbers <- A(h v) numbers */
static void bend(const cardo_body_info *info, leapfrog *self, double *numbers)
{
    cardo_vec3 x = v3_scale(self->h, v3_load(self->v + info->u_first));
    double *block = numbers + info->u_first;
    v3_store(block, cardo_left_jacobian_solve(x, v3_load(block)));
}

/* numbers <- A(h v)^T numbers */
static void bend_back(const cardo_body_info *info, leapfrog *self, double *numbers)
{
    cardo_vec3 x = v3_scale(-self->h, v3_load(self->v + info->u_first));
    double *block = numbers + info->u_first;
    v3_store(block, cardo_left_jacobian_solve(x, v3_load(block)));
}

/* The gradient lacks v x p of what the momenta's rate has: angular speeds are no rates of
 * coordinates. numbers: momenta. */
static void subtract_precession(const cardo_body_info *info, leapfrog *self, double *numbers)
{
    double *block = self->gradient + info->u_first;
    cardo_vec3 v = v3_load(self->v + info->u_first), p = v3_load(numbers + info->u_first);
    v3_store(block, v3_sub(v3_load(block), v3_cross(v, p)));
}

/* q1 = q0 (+) h v. CARDO_RECOVERABLE beyond half a turn, where A has no sense. */
static cardo_status displace(leapfrog *self, cardo_error *error)
{
    const cardo_system *system = self->run->system;
    for (int body = 1; body < cardo_system_nbody(system); ++body) {
        cardo_body_info info;
        cardo_system_body(system, body, &info);
        const double *q0 = self->q0 + info.q_first, *v = self->v + info.u_first;
        double *q1 = self->q1 + info.q_first;
        int turned = info.mobilizer->has_orientation ? 1 : 0;
        for (int k = 3 * turned; k < info.nu; ++k)
            q1[k + turned] = q0[k + turned] + self->h * v[k];
        if (!turned)
            continue;
        cardo_vec3 x = v3_scale(self->h, v3_load(v));
        if (!(v3_norm(x) < 3.0))
            return CARDO_FAIL(error, CARDO_RECOVERABLE,
                              "body %s would turn by %.3g radians in one step: use a shorter one",
                              info.name ? info.name : "unnamed", v3_norm(x));
        turn(q0, x, q1);
    }
    return CARDO_OK;
}

/* ------------ the equation ------------ */

/* other = M(q) v, and, when asked for, gradient = dT/dq(q, v). */
static cardo_status look_at(leapfrog *self, const double *q, bool gradient, cardo_error *error)
{
    const cardo_integration *run = self->run;
    cardo_status status;
    cardo_state_set_q(run->state, q);
    cardo_state_set_u(run->state, self->v);
    CARDO_TRY(cardo_realize(run->system, run->state,
                            gradient ? CARDO_STAGE_VELOCITY : CARDO_STAGE_POSITION, error));
    CARDO_TRY(cardo_multiply_m(run->system, run->state, self->v, self->other, error));
    if (!gradient)
        return CARDO_OK;
    CARDO_TRY(cardo_momentum_rate(run->system, run->state, self->gradient, error));
    for_orientations(self, subtract_precession, self->other);
done:
    return status;
}

static void forget_multipliers(leapfrog *self)
{
    const int nrow = cardo_constraint_row_count(self->run->system);
    for (int i = 0; i < nrow; ++i)
        self->lambda[i] = 0;
}

/* given = G^T lambda at q0, where the state is. */
static cardo_status constraints_at_start(leapfrog *self, cardo_error *error)
{
    const cardo_integration *run = self->run;
    return self->lambda
               ? cardo_multiply_gt(run->system, run->state, self->lambda, self->given, error)
               : CARDO_OK;
}

/* Leaves q1, sum, and in other what is missing on the left of the first equation; the state at q1.
 */
static cardo_status find_residual(leapfrog *self, cardo_error *error)
{
    const int nu = self->run->nu;
    cardo_status status;
    CARDO_TRY(displace(self, error));
    CARDO_TRY(look_at(self, self->q0, true, error));
    for (int k = 0; k < nu; ++k)
        self->sum[k] = self->other[k];
    CARDO_TRY(constraints_at_start(self, error));
    CARDO_TRY(look_at(self, self->q1, false, error));
    for (int k = 0; k < nu; ++k) {
        self->sum[k] += self->other[k];
        self->other[k] = 0.5 * self->sum[k];
    }
    for_orientations(self, bend, self->other);
    for (int k = 0; k < nu; ++k)
        self->other[k] = self->p[k] - (self->other[k] - 0.5 * self->h * self->gradient[k]);
    for (int k = 0; k < nu && self->lambda; ++k)
        self->other[k] -= self->given[k];
done:
    return status;
}

/* With what is missing in other: multipliers by which a correction of v also removes the position errors at q1, p(q1) + h G dv = 0,
 * as if G were the same at q0; the correction is what they leave. */
static cardo_status yield_to_constraints(leapfrog *self, double *correction, cardo_error *error)
{
    const cardo_integration *run = self->run;
    cardo_constraint_counts counts;
    cardo_status status;
    if (!self->lambda)
        return CARDO_OK;
    cardo_system_constraint_counts(run->system, &counts);
    double *more = self->lambda + counts.nrow, *errors = more + counts.nrow;
    CARDO_TRY(cardo_constraint_position_errors(run->system, run->state, errors, error));
    CARDO_TRY(cardo_multiply_g(run->system, run->state, correction, more, error));
    for (int i = 0; i < counts.nposition; ++i)
        more[i] += errors[i] / self->h;
    CARDO_TRY(cardo_solve_y(run->system, run->state, more, more, error));
    for (int i = 0; i < counts.nrow; ++i)
        self->lambda[i] += more[i];
    CARDO_TRY(cardo_multiply_gt(run->system, run->state, more, self->given, error));
    for (int k = 0; k < run->nu; ++k)
        self->other[k] -= self->given[k];
    CARDO_TRY(cardo_multiply_minv(run->system, run->state, self->other, correction, error));
done:
    return status;
}

/* Solves for v, from the v that is there, by the mass matrix at q1. Sizes are square roots of twice
 * the kinetic energies. */
static cardo_status solve(leapfrog *self, double tolerance, cardo_error *error)
{
    const cardo_integration *run = self->run;
    const int nu = run->nu;
    double *correction = self->gradient, before = HUGE_VAL;
    cardo_status status;
    forget_multipliers(self);
    bool sane = true;
    for (int iteration = 0; iteration < MOST_ITERATIONS && sane; ++iteration) {
        double miss = 0, size = 0;
        CARDO_TRY(find_residual(self, error));
        CARDO_TRY(cardo_realize(run->system, run->state, CARDO_STAGE_DYNAMICS, error));
        CARDO_TRY(cardo_multiply_minv(run->system, run->state, self->other, correction, error));
        CARDO_TRY(yield_to_constraints(self, correction, error));
        for (int k = 0; k < nu; ++k) {
            miss += correction[k] * self->other[k];
            size += 0.5 * self->v[k] * self->sum[k];
        }
        miss = sqrt(fmax(miss, 0) / size);
        if (size == 0 || miss <= tolerance || (miss < 1e-11 && miss > 0.5 * before))
            return CARDO_OK;
        if (!isfinite(miss))
            break;
        before = miss;
        for (int k = 0; k < nu; ++k) {
            self->v[k] += correction[k];
            sane = sane && fabs(self->h * self->v[k]) < farthest;
        }
    }
    return CARDO_FAIL(error, CARDO_RECOVERABLE,
                      "the speeds are too high for this time step: the implicit equation of "
                      "leapfrog has no solution near them");
done:
    return status;
}

/* p1 without its half kick, and the state at q1 with the speeds that belong to it. */
static cardo_status arrive(leapfrog *self, cardo_error *error)
{
    const cardo_integration *run = self->run;
    double *u = self->other;
    cardo_status status;
    CARDO_TRY(look_at(self, self->q1, true, error));
    for (int k = 0; k < run->nu; ++k)
        self->p[k] = 0.5 * self->sum[k];
    for_orientations(self, bend_back, self->p);
    for (int k = 0; k < run->nu; ++k)
        self->p[k] += 0.5 * self->h * self->gradient[k];
    CARDO_TRY(cardo_realize(run->system, run->state, CARDO_STAGE_DYNAMICS, error));
    CARDO_TRY(cardo_multiply_minv(run->system, run->state, self->p, u, error));
    CARDO_TRY(cardo_project_free_speeds(run->system, run->state, u, error));
    cardo_state_set_u(run->state, u);
done:
    return status;
}

/* From q1 and p1 the solver must find -v; the speeds there are its first guess, as they were of the
 * way out. Leaves q1 and u as they were. */
static cardo_status check_way_back(leapfrog *self, double tolerance, cardo_error *error)
{
    const cardo_integration *run = self->run;
    const int nq = run->nq, nu = run->nu;
    double *there = self->p + 5 * nu; /* u and v */
    double *start = self->p + 8 * nu; /* q0 */
    double miss = 0, size = 0;
    cardo_status status;
    memcpy(there, cardo_state_u(run->state), (size_t)nu * sizeof *there);
    memcpy(there + nu, self->v, (size_t)nu * sizeof *there);
    memcpy(start, self->q0, (size_t)nq * sizeof *start);
    leapfrog back = *self;
    back.q0 = self->q1;
    back.q1 = self->q0;
    for (int k = 0; k < nu; ++k) {
        back.p[k] = -self->p[k];
        back.v[k] = -there[k];
    }
    status = solve(&back, tolerance, error);
    if (status != CARDO_OK && status != CARDO_RECOVERABLE)
        return status;
    for (int k = 0; k < nu; ++k) {
        double off = back.v[k] + there[nu + k];
        miss += off * off;
        size += back.v[k] * back.v[k];
    }
    if (status != CARDO_OK || miss > 1e-16 * size)
        status = CARDO_FAIL(error, CARDO_RECOVERABLE,
                            "the step back does not lead to its start: the time step is too long");
    cardo_state_set_q(run->state, back.q0);
    cardo_state_set_u(run->state, there);
    return status;
}

/* ------------ the step ------------ */

/* u += time M^-1 f for all that pulls, gravity and force elements too: udot without what the speeds
 * bring about. DYNAMICS; leaves DYNAMICS. */
static cardo_status kick(leapfrog *self, double time, cardo_error *error)
{
    const cardo_integration *run = self->run;
    double *bias = self->sum, *rate = self->gradient;
    cardo_status status;
    CARDO_TRY(cardo_realize(run->system, run->state, CARDO_STAGE_ACCELERATION, error));
    CARDO_TRY(cardo_bias(run->system, run->state, bias, error));
    CARDO_TRY(cardo_multiply_minv(run->system, run->state, bias, rate, error));
    const double *u = cardo_state_u(run->state), *udot = cardo_state_udot(run->state);
    for (int k = 0; k < run->nu; ++k)
        rate[k] += udot[k];
    CARDO_TRY(cardo_project_free_speeds(run->system, run->state, rate, error));
    for (int k = 0; k < run->nu; ++k)
        self->v[k] = u[k] + time * rate[k];
    cardo_state_set_u(run->state, self->v);
    CARDO_TRY(cardo_realize(run->system, run->state, CARDO_STAGE_DYNAMICS, error));
done:
    return status;
}

static cardo_status drift(leapfrog *self, const cardo_leapfrog_options *options, bool *one_way,
                          cardo_error *error)
{
    const cardo_integration *run = self->run;
    cardo_status status;
    memcpy(self->q0, cardo_state_q(run->state), (size_t)run->nq * sizeof *self->q0);
    memcpy(self->v, cardo_state_u(run->state), (size_t)run->nu * sizeof *self->v);
    CARDO_TRY(cardo_multiply_m(run->system, run->state, self->v, self->p, error));
    CARDO_TRY(solve(self, options->solve_tolerance, error));
    CARDO_TRY(arrive(self, error));
    if (!options->reverse_check)
        goto done;
    status = check_way_back(self, options->solve_tolerance, error);
    if (one_way && status == CARDO_RECOVERABLE)
        *one_way = true;
done:
    return status;
}

cardo_status cardo_leapfrog_step(cardo_integration *run, double h,
                                 const cardo_leapfrog_options *options, bool *one_way,
                                 cardo_error *error)
{
    leapfrog self = lay_out(run, h);
    cardo_status status = CARDO_OK;
    if (run->nu > 0) {
        CARDO_TRY(kick(&self, 0.5 * h, error));
        CARDO_TRY(drift(&self, options, one_way, error));
    }
    cardo_state_set_time(run->state, cardo_state_time(run->state) + h);
    CARDO_TRY(cardo_evaluate(run->evaluator, run->state, error));
    if (run->nu > 0)
        CARDO_TRY(kick(&self, 0.5 * h, error));
    CARDO_TRY(cardo_realize(run->system, run->state, CARDO_STAGE_ACCELERATION, error));
done:
    return status;
}

static cardo_status leapfrog_start(cardo_integration *run, cardo_error *error)
{
    cardo_status status =
        cardo_require_still_constraints(run->system, run->state, "leapfrog", error);
    return status == CARDO_OK ? cardo_leapfrog_check(run->system, error) : status;
}

static cardo_status leapfrog_step(cardo_integration *run, cardo_error *error)
{
    return cardo_leapfrog_step(run, run->timestep, run->options, NULL, error);
}

static const cardo_field leapfrog_fields[] = {
    {"solve-tolerance", CARDO_FIELD_DOUBLE, offsetof(cardo_leapfrog_options, solve_tolerance), "",
     "1e-15", 1e-16, 1e-6, NULL, "relative accuracy of the speeds that a step is implicit in"},
    {"reverse-check", CARDO_FIELD_BOOL, offsetof(cardo_leapfrog_options, reverse_check), "", "no",
     0, 0, NULL, "end the run where the way back does not lead to a step's start"},
    {0},
};

const cardo_integrator cardo_integrator_leapfrog = {
    .name = "leapfrog",
    .doc =
        "generalized leapfrog: constant energy, second order, symplectic, implicit in the speeds",
    .citation = "Hairer, Lubich, Wanner 2006, VI.6; Bou-Rabee, Marsden 2009",
    .traits = CARDO_INTEGRATOR_SYMPLECTIC | CARDO_INTEGRATOR_REVERSIBLE,
    .evaluations = 1,
    .fields = leapfrog_fields,
    .options_size = sizeof(cardo_leapfrog_options),
    .work_count = cardo_leapfrog_work_count,
    .start = leapfrog_start,
    .step = leapfrog_step,
};
