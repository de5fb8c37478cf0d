#include "analysis/fit/station_fit.h"

#include "base/linalg.h"
#include "base/memory.h"
#include "multibody/tree/operators.h"

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
    return CARDO_OK;
}

/* The step at a damping; false when the equations cannot be solved with it. */
static bool solve(solver *s, double damping)
{
    size_t n = (size_t)s->nu;
    double largest = 0;
    for (size_t i = 0; i < n; ++i)
        largest = fmax(largest, s->A[i * n + i]);
    memcpy(s->factored, s->A, n * n * sizeof *s->A);
    for (size_t i = 0; i < n; ++i) {
        double *diagonal = &s->factored[i * n + i];
        *diagonal += damping * *diagonal + 1e-14 * largest;
        if (!(*diagonal > 0))
            *diagonal = 1;
        s->step[i] = -s->gradient[i];
    }
    return cardo_cholesky_solve(s->nu, s->factored, 1, s->step, NULL) == CARDO_OK;
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
        fit->iterations = trial + 1;
        if (!solve(s, damping)) {
            damping = fmax(10 * damping, 1e-12);
            ++stalled;
            continue;
        }
        CARDO_TRY(cardo_multiply_n(s->system, s->state, s->step, s->qdot, error));
        for (int k = 0; k < s->nq; ++k)
            s->trial[k] = s->q[k] + s->qdot[k];
        CARDO_TRY(place(s, s->trial, &tried, error));
        if (tried < squares) {
            stalled = squares - tried < 1e-12 * squares ? stalled + 1 : 0;
            squares = tried;
            memcpy(s->q, cardo_state_q(s->state), (size_t)s->nq * sizeof *s->q);
            CARDO_TRY(linearize(s, error));
            damping *= 0.1;
        } else {
            CARDO_TRY(place(s, s->q, &tried, error));
            damping = fmax(10 * damping, 1e-12);
            ++stalled;
        }
    }
    fit->converged = stalled >= STALLED || s->nu == 0;
    CARDO_TRY(place(s, s->q, &squares, error));
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

cardo_status cardo_station_fit_improve(const cardo_system *system, cardo_state *state,
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
    solver_clear(&s);
    return status;
}

cardo_status cardo_station_fit_run(const cardo_system *system, cardo_state *state,
                                   const cardo_station_targets *targets, cardo_station_fit *fit,
                                   cardo_error *error)
{
    cardo_status status;
    cardo_station_fit other;
    cardo_state *start = NULL;
    CARDO_TRY(cardo_state_create(system, &start, error));
    cardo_state_copy(start, state);
    CARDO_TRY(cardo_station_fit_start(system, start, targets, error));
    CARDO_TRY(cardo_station_fit_improve(system, start, targets, &other, error));
    CARDO_TRY(cardo_station_fit_improve(system, state, targets, fit, error));
    if (other.rmsd < fit->rmsd) {
        cardo_state_copy(state, start);
        *fit = other;
    }
done:
    cardo_state_destroy(start);
    return status;
}
