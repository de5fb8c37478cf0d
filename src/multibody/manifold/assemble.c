/* Assembly: the nearest q at which all position rows vanish.
 *
 * With weights S of speeds, A = G S^-1 G^T: the step of least norm that removes errors p is -S^-1 G^T A^-1 p, and the part along
 * the manifold of a slope g of the change is S^-1 (g - G^T A^-1 G S^-1 g). Steps down that part, their length after Barzilai and
 * Borwein (1988), are each followed by steps that close; the change must fall. */
#include "base/memory.h"
#include "cardo/manifold.h"
#include "multibody/manifold/rows.h"
#include "multibody/manifold/semidefinite.h"
#include "multibody/manifold/solve.h"
#include "multibody/tree/operators.h"

#include <math.h>
#include <string.h>

enum { MOST_CLOSING = 60, MOST_HALVINGS = 40 };
static const double default_tolerance = 1e-13, longest_step = 0.6;
/* Rows whose own part is less are taken as dependent: Newton steps must not be sent far by rounding. */
static const double least_independent = 1e-12;

/* What a call works on. */
typedef struct assembling {
    const cardo_system *system;
    cardo_state *state;
    const constraint_list *list;
    constraint_cache *c;
    const double *weights;
    double tolerance;
    int nrow; /* position rows in Y, at the places c->active says */
    int rank;
} assembling;

static double weight_of(const assembling *w, int i)
{
    return w->weights ? w->weights[i] : 1;
}

/* N^T x for one body. */
static void body_n_transposed(const body_plan *body, const double *q, const double *x, double *out)
{
    const cardo_joint *joint = &body->joint;
    for (int j = 0; j < body->nu; ++j) {
        double unit[CARDO_MOBILIZER_MAX_U] = {0}, column[CARDO_MOBILIZER_MAX_Q];
        if (!joint->mobilizer->multiply_n) {
            out[j] = x[j];
            continue;
        }
        unit[j] = 1;
        joint->mobilizer->multiply_n(joint, q, unit, column);
        out[j] = 0;
        for (int i = 0; i < body->nq; ++i)
            out[j] += column[i] * x[i];
    }
}

/* Weights of speeds: the diagonal of N^T W N; prescribed mobilities do not yield. */
static void weigh_speeds(const assembling *w)
{
    for (int k = 1; k < w->system->nbody; ++k) {
        const body_plan *body = &w->system->bodies[k];
        const cardo_joint *joint = &body->joint;
        for (int j = 0; j < body->nu; ++j) {
            double unit[CARDO_MOBILIZER_MAX_U] = {0}, column[CARDO_MOBILIZER_MAX_Q] = {0}, sum = 0;
            unit[j] = 1;
            if (joint->mobilizer->multiply_n)
                joint->mobilizer->multiply_n(joint, w->state->q + body->q_first, unit, column);
            else
                column[j] = 1;
            /* a coordinate that is held here and now by none of a joint's speeds may be moved by them farther on */
            for (int i = 0; i < body->nq; ++i) {
                const double weight = weight_of(w, body->q_first + i);
                if (isinf(weight) && joint->mobilizer->multiply_n)
                    sum = INFINITY;
                else if (column[i] != 0)
                    sum += column[i] * column[i] * weight;
            }
            w->c->inverse[body->u_first + j] =
                (body->prescribed >> j & 1U) || !(sum > 0) ? 0 : 1 / sum;
        }
    }
}

/* Largest error of position rows (nrow of them in errors), and where. */
static double largest(const assembling *w, const double *errors, int *row)
{
    double most = 0;
    *row = w->list->nposition > 0 ? 0 : -1;
    for (int i = 0; i < w->list->nposition; ++i)
        if (!(fabs(errors[i]) <= most)) {
            most = fabs(errors[i]);
            *row = i;
        }
    return most;
}

/* Errors at the state's q, in c->errors. */
static cardo_status errors_here(const assembling *w, double *most, int *row, cardo_error *error)
{
    cardo_status status = cardo_realize(w->system, w->state, CARDO_STAGE_POSITION, error);
    if (status != CARDO_OK)
        return status;
    cardo_rows_position(w->system, w->state, w->c->errors);
    *most = largest(w, w->c->errors, row);
    return CARDO_OK;
}

/* A of the position rows that are on, factored in place of Y. */
static cardo_status factor_here(assembling *w, cardo_error *error)
{
    constraint_cache *c = w->c;
    const int stride = w->list->nrow;
    cardo_status status = CARDO_OK;
    cardo_rows_prepare(w->system, w->state);
    c->factored = c->eliminated = false;
    w->nrow = 0;
    for (int row = 0; row < w->list->nposition; ++row)
        if (is_on(w->state, c->place[2 * row]))
            c->active[w->nrow++] = row;
    for (int j = 0; j < w->nrow; ++j) {
        memset(c->multiplied, 0, (size_t)stride * sizeof *c->multiplied);
        c->multiplied[c->active[j]] = 1;
        CARDO_TRY(cardo_multiply_gt(w->system, w->state, c->multiplied, c->speeds, error));
        for (int i = 0; i < w->system->nu; ++i)
            c->speeds[i] *= c->inverse[i];
        CARDO_TRY(cardo_multiply_g(w->system, w->state, c->speeds, c->multiplied, error));
        for (int i = j; i < w->nrow; ++i)
            c->Y[i * stride + j] = c->multiplied[c->active[i]];
        c->scale[j] = fmax(c->Y[j * stride + j], cardo_row_size(w->system, w->state, c->active[j]));
    }
    w->rank = cardo_semidefinite_factor(w->nrow, stride, c->Y, c->shortest, c->scale, c->order,
                                        least_independent);
done:
    return status;
}

/* speeds = S^-1 G^T A^-1 rows. */
static cardo_status answer(const assembling *w, const double *rows, double *speeds,
                           cardo_error *error)
{
    constraint_cache *c = w->c;
    for (int i = 0; i < w->nrow; ++i)
        c->vector[i] = rows[c->active[i]];
    cardo_semidefinite_solve(w->nrow, w->list->nrow, w->rank, c->Y, c->shortest, c->order,
                             c->vector, c->vector, c->more);
    memset(c->multiplied, 0, (size_t)w->list->nrow * sizeof *c->multiplied);
    for (int i = 0; i < w->nrow; ++i)
        c->multiplied[c->active[i]] = c->vector[i];
    cardo_status status = cardo_multiply_gt(w->system, w->state, c->multiplied, speeds, error);
    for (int i = 0; i < w->system->nu; ++i)
        speeds[i] *= c->inverse[i];
    return status;
}

/* q = from + factor N speeds, N at the state's q. Needs POSITION. */
static void move(const assembling *w, const double *from, double factor, const double *speeds)
{
    double *q = w->state->cache->qdot;
    cardo_n_product(w->state, speeds, q);
    for (int i = 0; i < w->system->nq; ++i)
        q[i] = from[i] + factor * q[i];
    cardo_state_set_q(w->state, q);
}

static double length_of(const assembling *w, const double *speeds)
{
    double most = 0;
    for (int i = 0; i < w->system->nu; ++i)
        most = fmax(most, fabs(speeds[i]));
    return most;
}

/* Steps of least norm from the state's q until no error is above the tolerance, and once more where that still helps. */
static cardo_status close_loops(assembling *w, bool *closed, cardo_error *error)
{
    constraint_cache *c = w->c;
    double most, next;
    int row;
    cardo_status status;
    *closed = false;
    CARDO_TRY(errors_here(w, &most, &row, error));
    for (int step = 0; step < MOST_CLOSING && most > 0; ++step) {
        const bool last = most <= w->tolerance;
        CARDO_TRY(factor_here(w, error));
        CARDO_TRY(answer(w, c->errors, c->speeds, error));
        const double far = length_of(w, c->speeds);
        double factor = far > longest_step ? -longest_step / far : -1;
        memcpy(c->best, w->state->q, (size_t)w->system->nq * sizeof *c->best);
        for (int halving = 0;; ++halving) {
            move(w, c->best, factor, c->speeds);
            CARDO_TRY(errors_here(w, &next, &row, error));
            if (next < most || last || halving == 12)
                break;
            cardo_state_set_q(w->state, c->best);
            CARDO_TRY(cardo_realize(w->system, w->state, CARDO_STAGE_POSITION, error));
            factor *= 0.5;
        }
        if (!(next < most)) {
            /* rounding, or an impasse */
            cardo_state_set_q(w->state, c->best);
            CARDO_TRY(errors_here(w, &most, &row, error));
            break;
        }
        most = next;
        if (last)
            break;
    }
    *closed = most <= w->tolerance;
done:
    return status;
}

static double change_of(const assembling *w)
{
    double sum = 0;
    for (int i = 0; i < w->system->nq; ++i) {
        const double d = w->state->q[i] - w->c->start[i];
        sum += d != 0 ? weight_of(w, i) * d * d : 0;
    }
    return sum;
}

/* The slope of half the change along the manifold: S^-1 (g - G^T A^-1 G S^-1 g). */
static cardo_status slope_here(assembling *w, double *slope, cardo_error *error)
{
    constraint_cache *c = w->c;
    double *d = w->state->cache->qdotdot;
    cardo_status status;
    CARDO_TRY(cardo_realize(w->system, w->state, CARDO_STAGE_POSITION, error));
    CARDO_TRY(factor_here(w, error));
    for (int i = 0; i < w->system->nq; ++i) {
        const double change = w->state->q[i] - c->start[i];
        d[i] = change != 0 ? weight_of(w, i) * change : 0;
    }
    for (int k = 1; k < w->system->nbody; ++k) {
        const body_plan *body = &w->system->bodies[k];
        body_n_transposed(body, w->state->q + body->q_first, d + body->q_first,
                          slope + body->u_first);
    }
    /* twice: what the first projection leaves across the manifold is rounding of what it removed */
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; pass == 0 && i < w->system->nu; ++i)
            slope[i] *= c->inverse[i];
        CARDO_TRY(cardo_multiply_g(w->system, w->state, slope, c->errors, error));
        CARDO_TRY(answer(w, c->errors, c->speeds, error));
        for (int i = 0; i < w->system->nu; ++i)
            slope[i] -= c->speeds[i];
    }
done:
    return status;
}

/* Scalar product as S measures speeds. */
static double product(const assembling *w, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < w->system->nu; ++i)
        if (w->c->inverse[i] > 0)
            sum += a[i] * b[i] / w->c->inverse[i];
    return sum;
}

/* Down the slope of the change along the manifold, from a closed q. */
static cardo_status descend(assembling *w, int most_steps, int *steps, cardo_error *error)
{
    constraint_cache *c = w->c;
    const int nq = w->system->nq, nu = w->system->nu;
    double *from = c->closed, change = change_of(w), length = 1, steepness, next_steepness;
    cardo_status status;
    CARDO_TRY(slope_here(w, c->slope, error));
    steepness = product(w, c->slope, c->slope);
    for (; *steps < most_steps && steepness > 1e-30 * (1 + change); ++*steps) {
        bool better = false;
        memcpy(from, w->state->q, (size_t)nq * sizeof *from);
        memcpy(c->last, c->slope, (size_t)nu * sizeof *c->last);
        double next = change;
        for (int halving = 0; halving < MOST_HALVINGS && !better; ++halving) {
            cardo_state_set_q(w->state, from);
            CARDO_TRY(cardo_realize(w->system, w->state, CARDO_STAGE_POSITION, error));
            const double far = length * length_of(w, c->last);
            if (far > longest_step)
                length *= longest_step / far;
            bool closed;
            move(w, from, -length, c->last);
            CARDO_TRY(close_loops(w, &closed, error));
            next = change_of(w);
            /* where the change is flat to rounding, its slope tells */
            better = closed && next <= change + 1e-14 * (1 + change);
            if (better) {
                CARDO_TRY(slope_here(w, c->slope, error));
                next_steepness = product(w, c->slope, c->slope);
                better = next < change - 1e-13 * (1 + change) || next_steepness < steepness;
            }
            if (!better)
                length *= 0.5;
        }
        if (!better) {
            cardo_state_set_q(w->state, from);
            break;
        }
        /* slopes at both ends, taken as if the manifold were flat: s = -length last, y = slope - last */
        double s_y = 0, y_y = 0;
        for (int i = 0; i < nu; ++i)
            if (c->inverse[i] > 0) {
                const double y = c->slope[i] - c->last[i];
                s_y -= length * c->last[i] * y / c->inverse[i];
                y_y += y * y / c->inverse[i];
            }
        length = s_y > 0 && y_y > 0 ? fmin(fmax(s_y / y_y, 0.05), 20) : 1;
        change = next;
        steepness = next_steepness;
    }
done:
    return status;
}

static cardo_status check_turned(const assembling *w, cardo_error *error)
{
    for (int i = 0; i < w->list->head.count; ++i)
        if (is_on(w->state, i) && cardo_rows_are_turned(w->system, w->state, i)) {
            const constraint_plan *plan = &w->list->plans[i];
            return CARDO_FAIL(
                error, CARDO_ERROR_NUMERICAL,
                "assembly ends where the frames of constraint %d%s%s (%s) are turned by "
                "180 degrees against each other: start from nearer",
                i, plan->name ? " " : "", plan->name ? plan->name : "", plan->kind->name);
        }
    return CARDO_OK;
}

static cardo_status fail_open(const assembling *w, double most, int row, cardo_error *error)
{
    char name[CARDO_CONSTRAINT_ROW_NAME];
    bool holds = false;
    for (int i = 0; w->weights && i < w->system->nq; ++i)
        holds = holds || isinf(w->weights[i]);
    return CARDO_FAIL(
        error, CARDO_ERROR_NUMERICAL,
        "no configuration was found that fulfils the constraints: the largest error that "
        "is left is %.3g, of %s; start from nearer, or see whether constraints "
        "contradict each other%s",
        most, cardo_constraint_row_name(w->system, row, name), holds ? " or what is held" : "");
}

/* Whether rows that depend on others here are independent a little way off: at a closed configuration towards which some direction leads that
 * no row forbids. Leaves q as it is. */
static cardo_status find_branch(assembling *w, bool *branch, cardo_error *error)
{
    const double far = 1e-3;
    constraint_cache *c = w->c;
    const int nu = w->system->nu, rank = w->rank;
    const size_t bytes = (size_t)w->system->nq * sizeof(double);
    const cardo_stage stage = cardo_state_stage(w->state);
    cardo_status status;
    bool closed = false;
    memcpy(c->closed, w->state->q, bytes);
    for (int i = 0; i < nu; ++i)
        c->slope[i] = c->inverse[i] > 0 ? cos(1.0 + 2.4 * i) : 0;
    CARDO_TRY(cardo_multiply_g(w->system, w->state, c->slope, c->errors, error));
    CARDO_TRY(answer(w, c->errors, c->speeds, error));
    for (int i = 0; i < nu; ++i)
        c->slope[i] -= c->speeds[i];
    const double length = length_of(w, c->slope);
    if (length > 1e-6) {
        move(w, c->closed, far / length, c->slope);
        CARDO_TRY(close_loops(w, &closed, error));
    }
    if (closed)
        CARDO_TRY(factor_here(w, error));
    *branch = closed && w->rank > rank;
    w->rank = rank;
    cardo_state_lower_stage(w->state, CARDO_STAGE_TIME);
    memcpy(w->state->q, c->closed, bytes);
    c->has_rows = c->factored = c->eliminated = false;
    status = cardo_realize(w->system, w->state, stage, error);
done:
    return status;
}

cardo_status cardo_assemble_q(const cardo_system *system, cardo_state *state,
                              const cardo_assembly_options *options, cardo_assembly *assembly,
                              cardo_error *error)
{
    cardo_assembly_options own = {.size = sizeof own};
    cardo_assembly made = {.worst_row = -1};
    cardo_status status = CARDO_OK;
    if (options)
        CARDO_TRY(cardo_take_sized(options, options->size, &own, sizeof own,
                                   "cardo_assembly_options", error));
    if (assembly)
        *assembly = made;
    if (!system->constraints)
        return cardo_realize(system, state, CARDO_STAGE_POSITION, error);
    assembling w = {.system = system,
                    .state = state,
                    .list = list_of(system),
                    .c = state->cache->constraints,
                    .weights = own.weights,
                    .tolerance = own.tolerance > 0 ? own.tolerance : default_tolerance};
    constraint_cache *c = w.c;
    bool closed = true;
    CARDO_TRY(errors_here(&w, &made.violation, &made.worst_row, error));
    weigh_speeds(&w);
    if (!(made.violation <= w.tolerance)) {
        memcpy(c->start, state->q, (size_t)system->nq * sizeof *c->start);
        CARDO_TRY(close_loops(&w, &closed, error));
        if (closed && !own.any)
            CARDO_TRY(descend(&w, own.most_steps > 0 ? own.most_steps : 500, &made.steps, error));
        CARDO_TRY(errors_here(&w, &made.violation, &made.worst_row, error));
        made.change = change_of(&w);
        status = made.violation <= w.tolerance
                     ? check_turned(&w, error)
                     : fail_open(&w, made.violation, made.worst_row, error);
        if (status != CARDO_OK) {
            cardo_state_set_q(state, c->start);
            goto done;
        }
    }
    CARDO_TRY(factor_here(&w, error));
    made.rank = w.rank;
    /* where all rows are independent no more can be */
    if (assembly && w.rank < w.nrow)
        CARDO_TRY(find_branch(&w, &made.branch, error));
    if (assembly)
        *assembly = made;
done:
    return status;
}
