/* Least squares of stations (cardo/fit.h): Levenberg-Marquardt steps with exact Jacobians (Marquardt 1963, J. SIAM 11, 431). J^T J comes from
 * composite weights of subtrees, as a mass matrix comes from composite inertias, in O(n depth). Under constraints steps are taken
 * in a basis of the speeds that these leave, and each is brought back onto the manifold. */
#include "base/linalg.h"
#include "base/memory.h"
#include "cardo/fit.h"
#include "cardo/manifold.h"
#include "multibody/tree/operators.h"
#include "multibody/tree/state.h"

#include <string.h>

enum { MOST_TRIALS = 400, STALLED = 12 };

/* Sums over the targets of a subtree, about a common point: weight, first and second moments of
 * places, residuals. */
typedef struct composite {
    double w;
    cardo_vec3 s;             /* sum w d             */
    double m[6];              /* sum w d d^T: xx yy zz xy xz yz */
    cardo_vec3 moment, force; /* sum w d x r, sum w r */
} composite;

typedef struct solver {
    const cardo_system *system;
    cardo_state *state;
    const cardo_station_targets *targets;
    int nbody, nq, nu;
    double *x;             /* stations                                  (nstation x 3) */
    double *q, *trial;     /* (nq) */
    double *step, *qdot;   /* (nu), (nq) */
    double *gradient;      /* (nu) */
    double *A, *factored;  /* J^T W J                                   (nu x nu)      */
    composite *sum;        /* (nbody) */
    cardo_spatial *H;      /* columns of the hinge maps, at the point   (nu)           */
    cardo_body_info *info; /* (nbody) */
    cardo_vec3 point;
    /* With position rows: */
    bool constrained;
    int nfree;            /* freedoms here                                              */
    double *T, *AT;       /* basis of free speeds, A T                        (nu x nu) */
    double *reduced;      /* T^T A T                                          (nu x nu) */
    double *along, *free; /* T^T gradient, the step in the basis                   (nu) */
    double *errors;       /* position errors                                     */
    bool *off;            /* constraints that were switched off for the fit      */
    int nposition, nconstraint;
} solver;

static void solver_clear(solver *s)
{
    cardo_free(s->x);
    cardo_free(s->q);
    cardo_free(s->trial);
    cardo_free(s->step);
    cardo_free(s->qdot);
    cardo_free(s->gradient);
    cardo_free(s->A);
    cardo_free(s->factored);
    cardo_free(s->sum);
    cardo_free(s->H);
    cardo_free(s->info);
    cardo_free(s->T);
    cardo_free(s->AT);
    cardo_free(s->reduced);
    cardo_free(s->along);
    cardo_free(s->free);
    cardo_free(s->errors);
    cardo_free(s->off);
}

/* Constraints that are none of positions do not say where the system can be. */
static cardo_status switch_others(solver *s, bool on, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int i = 0; i < s->nconstraint && status == CARDO_OK; ++i) {
        cardo_constraint_info info;
        status = cardo_system_constraint(s->system, i, &info, error);
        if (status != CARDO_OK || info.nposition > 0)
            continue;
        if (!on)
            s->off[i] = cardo_state_has_constraint(s->state, i);
        if (s->off[i])
            status = cardo_state_set_constraint(s->state, i, on, error);
    }
    return status;
}

static cardo_status constrained_start(solver *s, cardo_error *error)
{
    cardo_status status;
    cardo_constraint_counts counts;
    const size_t nu = (size_t)s->nu;
    cardo_system_constraint_counts(s->system, &counts);
    s->nposition = counts.nposition;
    s->constrained = counts.nposition > 0;
    if (!s->constrained)
        return CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&s->T, nu * nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->AT, nu * nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->reduced, nu * nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->along, nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->free, nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->errors, counts.nposition, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->off, counts.nconstraint, error));
    s->nconstraint = counts.nconstraint;
    CARDO_TRY(switch_others(s, false, error));
    status = cardo_assemble_q(s->system, s->state, NULL, NULL, error);
done:
    return status;
}

static cardo_status solver_start(solver *s, const cardo_system *system, cardo_state *state,
                                 const cardo_station_targets *targets, cardo_error *error)
{
    cardo_status status;
    *s = (solver){.system = system, .state = state, .targets = targets};
    s->nbody = cardo_system_nbody(system);
    s->nq = cardo_system_nq(system);
    s->nu = cardo_system_nu(system);
    size_t nu = (size_t)s->nu;
    CARDO_TRY(CARDO_ALLOCATE(&s->x, 3 * cardo_system_nstation(system), error));
    CARDO_TRY(CARDO_ALLOCATE(&s->q, s->nq, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->trial, s->nq, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->qdot, s->nq, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->step, nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->gradient, nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->A, nu * nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->factored, nu * nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->sum, s->nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->H, nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->info, s->nbody, error));
    for (int b = 0; b < s->nbody; ++b)
        cardo_system_body(system, b, &s->info[b]);
    for (int i = 0; i < targets->n; ++i)
        s->point = v3_add_scaled(s->point, 1.0 / targets->n, v3_load(targets->position + 3 * i));
    status = constrained_start(s, error);
done:
    return status;
}

static double weight_of(const cardo_station_targets *targets, int i)
{
    return targets->weight ? targets->weight[i] : 1.0;
}

static cardo_status place(solver *s, const double *q, double *squares, cardo_error *error)
{
    const cardo_station_targets *t = s->targets;
    cardo_state_set_q(s->state, q);
    cardo_status status = cardo_realize(s->system, s->state, CARDO_STAGE_POSITION, error);
    if (status == CARDO_OK)
        status = cardo_station_positions(s->system, s->state, s->x, error);
    *squares = 0;
    for (int i = 0; i < t->n && status == CARDO_OK; ++i) {
        cardo_vec3 r = v3_sub(v3_load(s->x + 3 * t->station[i]), v3_load(t->position + 3 * i));
        *squares += weight_of(t, i) * v3_dot(r, r);
    }
    return status;
}

static void add_target(solver *s, int i)
{
    const cardo_station_targets *t = s->targets;
    composite *c = &s->sum[cardo_system_station_body(s->system, t->station[i])];
    cardo_vec3 x = v3_load(s->x + 3 * t->station[i]), d = v3_sub(x, s->point);
    cardo_vec3 r = v3_sub(x, v3_load(t->position + 3 * i));
    double w = weight_of(t, i);
    c->w += w;
    c->s = v3_add_scaled(c->s, w, d);
    c->m[0] += w * d.x * d.x;
    c->m[1] += w * d.y * d.y;
    c->m[2] += w * d.z * d.z;
    c->m[3] += w * d.x * d.y;
    c->m[4] += w * d.x * d.z;
    c->m[5] += w * d.y * d.z;
    c->moment = v3_add_scaled(c->moment, w, v3_cross(d, r));
    c->force = v3_add_scaled(c->force, w, r);
}

static void sum_subtrees(solver *s)
{
    memset(s->sum, 0, (size_t)s->nbody * sizeof *s->sum);
    for (int i = 0; i < s->targets->n; ++i)
        add_target(s, i);
    for (int b = s->nbody - 1; b > 0; --b) {
        composite *to = &s->sum[s->info[b].parent];
        const composite *from = &s->sum[b];
        to->w += from->w;
        to->s = v3_add(to->s, from->s);
        for (int k = 0; k < 6; ++k)
            to->m[k] += from->m[k];
        to->moment = v3_add(to->moment, from->moment);
        to->force = v3_add(to->force, from->force);
    }
}

/* sum w (d x v, v) for the velocities v of a rigid motion: the composite's "momentum". */
static cardo_spatial momentum(const composite *c, cardo_spatial V)
{
    cardo_vec3 w = V.angular;
    cardo_vec3 dd_w = v3(c->m[0] * w.x + c->m[3] * w.y + c->m[4] * w.z,
                         c->m[3] * w.x + c->m[1] * w.y + c->m[5] * w.z,
                         c->m[4] * w.x + c->m[5] * w.y + c->m[2] * w.z);
    double trace = c->m[0] + c->m[1] + c->m[2];
    return (cardo_spatial){
        v3_add(v3_sub(v3_scale(trace, w), dd_w), v3_cross(c->s, V.linear)),
        v3_add(v3_scale(c->w, V.linear), v3_cross(w, c->s)),
    };
}

static double spatial_product(cardo_spatial a, cardo_spatial b)
{
    return v3_dot(a.angular, b.angular) + v3_dot(a.linear, b.linear);
}

static cardo_status list_columns(solver *s, cardo_error *error)
{
    cardo_status status;
    memset(s->step, 0, (size_t)s->nu * sizeof *s->step);
    cardo_state_set_u(s->state, s->step);
    CARDO_TRY(cardo_realize(s->system, s->state, CARDO_STAGE_VELOCITY, error));
    const cardo_transform *X_GB = cardo_state_X_GB(s->state);
    for (int b = 1; b < s->nbody; ++b) {
        cardo_mobilizer_motion motion;
        if (s->info[b].nu == 0)
            continue;
        CARDO_TRY(cardo_body_mobilizer_motion(s->system, s->state, b, &motion, error));
        for (int k = 0; k < s->info[b].nu; ++k) {
            cardo_spatial h = motion.hinge_map[k];
            h.linear = v3_add(h.linear, v3_cross(h.angular, v3_sub(s->point, X_GB[b].p)));
            s->H[s->info[b].u_first + k] = h;
        }
    }
done:
    return status;
}

/* Both in a basis of the free speeds. */
static cardo_status reduce(solver *s, cardo_error *error)
{
    const size_t n = (size_t)s->nu;
    cardo_status status;
    CARDO_TRY(cardo_realize(s->system, s->state, CARDO_STAGE_DYNAMICS, error));
    CARDO_TRY(cardo_free_basis(s->system, s->state, s->T, &s->nfree, error));
    const size_t m = (size_t)s->nfree;
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < m; ++j) {
            double sum = 0;
            for (size_t k = 0; k < n; ++k)
                sum += (k <= i ? s->A[i * n + k] : s->A[k * n + i]) * s->T[k * m + j];
            s->AT[i * m + j] = sum;
        }
    for (size_t i = 0; i < m; ++i) {
        s->along[i] = 0;
        for (size_t k = 0; k < n; ++k)
            s->along[i] += s->T[k * m + i] * s->gradient[k];
        for (size_t j = 0; j <= i; ++j) {
            double sum = 0;
            for (size_t k = 0; k < n; ++k)
                sum += s->T[k * m + i] * s->AT[k * m + j];
            s->reduced[i * m + j] = sum;
        }
    }
done:
    return status;
}

/* How steep the sum is, along the manifold where there is one. */
static double slope_of(const solver *s)
{
    const int n = s->constrained ? s->nfree : s->nu;
    const double *g = s->constrained ? s->along : s->gradient;
    return sqrt(cardo_dot(n, g, g));
}

/* J^T W J (lower triangle) and J^T W r. */
static cardo_status linearize(solver *s, cardo_error *error)
{
    cardo_status status = list_columns(s, error);
    if (status != CARDO_OK)
        return status;
    sum_subtrees(s);
    memset(s->A, 0, (size_t)s->nu * (size_t)s->nu * sizeof *s->A);
    for (int b = s->nbody - 1; b > 0; --b)
        for (int k = 0; k < s->info[b].nu; ++k) {
            int row = s->info[b].u_first + k;
            cardo_spatial p = momentum(&s->sum[b], s->H[row]);
            s->gradient[row] = v3_dot(s->H[row].angular, s->sum[b].moment) +
                               v3_dot(s->H[row].linear, s->sum[b].force);
            for (int a = b; a > 0; a = s->info[a].parent)
                for (int c = 0; c < s->info[a].nu; ++c) {
                    int column = s->info[a].u_first + c;
                    if (column <= row)
                        s->A[(size_t)row * (size_t)s->nu + (size_t)column] =
                            spatial_product(s->H[column], p);
                }
        }
    return s->constrained ? reduce(s, error) : CARDO_OK;
}

/* (A + damping) x = -gradient for n unknowns; false when that cannot be solved. */
static bool solve_damped(solver *s, int count, const double *A, const double *gradient,
                         double damping, double *x)
{
    const size_t n = (size_t)count;
    double largest = 0;
    for (size_t i = 0; i < n; ++i)
        largest = fmax(largest, A[i * n + i]);
    memcpy(s->factored, A, n * n * sizeof *A);
    for (size_t i = 0; i < n; ++i) {
        double *diagonal = &s->factored[i * n + i];
        *diagonal += damping * *diagonal + 1e-14 * largest;
        if (!(*diagonal > 0))
            *diagonal = 1;
        x[i] = -gradient[i];
    }
    return cardo_cholesky_solve(count, s->factored, 1, x, NULL) == CARDO_OK;
}

/* The step at a damping; false when the equations cannot be solved with it. */
static bool solve(solver *s, double damping)
{
    if (!s->constrained)
        return solve_damped(s, s->nu, s->A, s->gradient, damping, s->step);
    if (s->nfree > 0 && !solve_damped(s, s->nfree, s->reduced, s->along, damping, s->free))
        return false;
    for (int i = 0; i < s->nu; ++i)
        s->step[i] = cardo_dot(s->nfree, s->T + (size_t)i * (size_t)s->nfree, s->free);
    return true;
}

/* Moves to q along the step, back on the manifold; *squares is HUGE_VAL where there is no way back. */
static cardo_status try_step(solver *s, double *squares, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(cardo_multiply_n(s->system, s->state, s->step, s->qdot, error));
    for (int k = 0; k < s->nq; ++k)
        s->trial[k] = s->q[k] + s->qdot[k];
    if (s->constrained) {
        cardo_state_set_q(s->state, s->trial);
        status = cardo_project_q(s->system, s->state, 0, error);
        *squares = HUGE_VAL;
        if (status == CARDO_ERROR_NUMERICAL)
            return CARDO_OK;
        CARDO_TRY(status);
        memcpy(s->trial, cardo_state_q(s->state), (size_t)s->nq * sizeof *s->trial);
    }
    status = place(s, s->trial, squares, error);
done:
    return status;
}

/* Whether a step has come farther. Where the sum is flat to rounding its slope tells; the state is then linearized anew. */
static cardo_status is_better(solver *s, double squares, double tried, double slope, bool *better,
                              cardo_error *error)
{
    cardo_status status = CARDO_OK;
    *better = tried < squares;
    if (!(fabs(tried - squares) <= 1e-13 * squares))
        return CARDO_OK;
    status = linearize(s, error);
    *better = status == CARDO_OK && slope_of(s) < slope;
    return status;
}

/* Largest position error where the state is. */
static cardo_status find_violation(solver *s, double *violation, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    if (s->constrained)
        status = cardo_constraint_position_errors(s->system, s->state, s->errors, error);
    for (int i = 0; i < s->nposition && status == CARDO_OK; ++i)
        *violation = fmax(*violation, fabs(s->errors[i]));
    return status;
}

static cardo_status improve(solver *s, cardo_station_fit *fit, cardo_error *error)
{
    cardo_status status;
    double squares, tried, damping = 1e-4;
    int stalled = 0;
    memcpy(s->q, cardo_state_q(s->state), (size_t)s->nq * sizeof *s->q);
    CARDO_TRY(place(s, s->q, &squares, error));
    CARDO_TRY(linearize(s, error));
    for (int trial = 0; trial < MOST_TRIALS && stalled < STALLED && s->nu > 0; ++trial) {
        bool better;
        const double slope = slope_of(s);
        fit->iterations = trial + 1;
        if (!solve(s, damping)) {
            damping = fmax(10 * damping, 1e-12);
            ++stalled;
            continue;
        }
        CARDO_TRY(try_step(s, &tried, error));
        CARDO_TRY(is_better(s, squares, tried, slope, &better, error));
        if (better) {
            const bool flat = squares - tried < 1e-12 * squares;
            squares = tried;
            memcpy(s->q, cardo_state_q(s->state), (size_t)s->nq * sizeof *s->q);
            CARDO_TRY(linearize(s, error));
            stalled = flat && !(slope_of(s) < 0.5 * slope) ? stalled + 1 : 0;
            damping *= 0.1;
        } else {
            CARDO_TRY(place(s, s->q, &tried, error));
            CARDO_TRY(linearize(s, error));
            damping = fmax(10 * damping, 1e-12);
            ++stalled;
        }
    }
    fit->converged = stalled >= STALLED || s->nu == 0;
    CARDO_TRY(place(s, s->q, &squares, error));
    CARDO_TRY(find_violation(s, &fit->violation, error));
    double total = 0;
    for (int i = 0; i < s->targets->n; ++i)
        total += weight_of(s->targets, i);
    fit->rmsd = total > 0 ? sqrt(squares / total) : 0;
done:
    return status;
}

static cardo_status check(const cardo_system *system, const cardo_station_targets *targets,
                          cardo_error *error)
{
    if (targets->n < 1)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "there are no places to fit");
    for (int i = 0; i < targets->n; ++i) {
        const double *y = targets->position + 3 * i;
        if (targets->station[i] < 0 || targets->station[i] >= cardo_system_nstation(system))
            return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "target %d is station %d of %d", i,
                              targets->station[i], cardo_system_nstation(system));
        if (!isfinite(y[0]) || !isfinite(y[1]) || !isfinite(y[2]) || !(weight_of(targets, i) >= 0))
            return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                              "the place or weight of target %d is no number to fit", i);
    }
    return CARDO_OK;
}

cardo_status cardo_fit_stations(const cardo_system *system, cardo_state *state,
                                const cardo_station_targets *targets, cardo_station_fit *fit,
                                cardo_error *error)
{
    solver s = {0};
    cardo_status status = check(system, targets, error);
    *fit = (cardo_station_fit){0};
    if (status == CARDO_OK)
        status = solver_start(&s, system, state, targets, error);
    if (status == CARDO_OK)
        status = improve(&s, fit, error);
    cardo_status switched = switch_others(&s, true, status == CARDO_OK ? error : NULL);
    if (status == CARDO_OK)
        status = switched;
    if (status == CARDO_OK)
        status = cardo_realize(system, state, CARDO_STAGE_POSITION, error);
    solver_clear(&s);
    return status;
}
