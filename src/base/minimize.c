#include "base/minimize.h"

#include "base/memory.h"

#include <lbfgs.h>
#include <math.h>
#include <string.h>

/* What the callbacks share. Variables of the library are x / unit, or y / unit. */
typedef struct run {
    cardo_objective objective;
    void *context;
    const cardo_minimize_options *options;
    cardo_minimize_result *result;
    double *x, *gradient;         /* at the point that was evaluated last       (n) */
    double *begin;                /* where y is nothing                         (n) */
    double *best, *best_gradient; /*                                    (n) */
    double best_value, best_told; /* what the function came to, and what the library was told */
    double *last, *last_gradient; /* of the iteration before, in the library's variables    (n) */
    double last_value, last_told;
    double value; /* at the point that was evaluated last */
    bool begun;   /* the first point has been handed to the library */
    int before;   /* iterations until it was                        */
    cardo_status status;
    cardo_error *error;
} run;

static const double out_of_reach = 1e30;

static double largest_of(int n, const double *v)
{
    double largest = 0;
    for (int i = 0; i < n; ++i)
        largest = fmax(largest, fabs(v[i]));
    return largest;
}

static void place(run *r, const lbfgsfloatval_t *y, int n)
{
    const cardo_minimize_scaling *scaling = r->options->scaling;
    for (int i = 0; i < n; ++i)
        r->x[i] = y[i] * r->options->unit;
    if (!scaling)
        return;
    scaling->forth(scaling->context, r->x);
    for (int i = 0; i < n; ++i)
        r->x[i] += r->begin[i];
}

static void turn_back(const run *r, lbfgsfloatval_t *gradient, int n)
{
    const cardo_minimize_scaling *scaling = r->options->scaling;
    memcpy(gradient, r->gradient, (size_t)n * sizeof *gradient);
    if (scaling)
        scaling->back(scaling->context, gradient);
    for (int i = 0; i < n; ++i)
        gradient[i] *= r->options->unit;
}

static void keep_last(run *r, int n, const double *y, const double *gradient, double told)
{
    memcpy(r->last, y, (size_t)n * sizeof *r->last);
    memcpy(r->last_gradient, gradient, (size_t)n * sizeof *r->last_gradient);
    r->last_value = r->value;
    r->last_told = told;
}

/* Relative to the iteration before; by the gradients where values hardly differ (as the approximate Wolfe conditions of Hager & Zhang 2005 do). */
static double tell(const run *r, int n, const double *y, const double *gradient)
{
    double difference = r->value - r->last_value;
    if (fabs(difference) < r->options->rounding) {
        difference = 0;
        for (int i = 0; i < n; ++i)
            difference += 0.5 * (r->last_gradient[i] + gradient[i]) * (y[i] - r->last[i]);
    }
    return r->last_told + difference;
}

static lbfgsfloatval_t evaluate(void *instance, const lbfgsfloatval_t *y, lbfgsfloatval_t *gradient,
                                const int n, const lbfgsfloatval_t step)
{
    (void)step;
    run *r = instance;
    double value = out_of_reach;
    cardo_status status = r->status;
    place(r, y, n);
    const bool begins = !r->begun;
    if (begins) { /* it is known already */
        r->begun = true;
        value = r->best_value;
        memcpy(r->gradient, r->best_gradient, (size_t)n * sizeof *r->gradient);
    } else {
        ++r->result->evaluations;
        if (status == CARDO_OK)
            status = r->objective(r->context, n, r->x, &value, r->gradient, r->error);
    }
    if (status != CARDO_OK || !isfinite(value)) {
        if (status != CARDO_OK && status != CARDO_RECOVERABLE)
            r->status = status;
        memset(gradient, 0, (size_t)n * sizeof *gradient);
        return out_of_reach;
    }
    turn_back(r, gradient, n);
    r->value = value;
    if (begins)
        keep_last(r, n, y, gradient, r->best_told);
    const double told = tell(r, n, y, gradient);
    if (told < r->best_told) {
        r->best_value = value;
        r->best_told = told;
        memcpy(r->best, r->x, (size_t)n * sizeof *r->best);
        memcpy(r->best_gradient, r->gradient, (size_t)n * sizeof *r->gradient);
        r->result->largest_gradient = largest_of(n, r->gradient);
    }
    return told;
}

static int progress(void *instance, const lbfgsfloatval_t *y, const lbfgsfloatval_t *gradient,
                    const lbfgsfloatval_t value, const lbfgsfloatval_t y_norm,
                    const lbfgsfloatval_t gradient_norm, const lbfgsfloatval_t step, int n,
                    int iteration, int evaluations)
{
    (void)y_norm, (void)gradient_norm, (void)step, (void)evaluations;
    run *r = instance;
    keep_last(r, n, y, gradient, value);
    r->result->iterations = r->before + iteration;
    r->result->converged = largest_of(n, r->gradient) <= r->options->largest_gradient;
    if (r->options->progress && r->status == CARDO_OK)
        r->status = r->options->progress(r->context, r->result->iterations, &r->result->converged,
                                         r->error);
    return r->result->converged || r->status != CARDO_OK;
}

static cardo_status allocate(run *r, int n, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&r->x, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&r->gradient, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&r->begin, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&r->best, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&r->last, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&r->last_gradient, n, error));
    status = CARDO_ALLOCATE(&r->best_gradient, n, error);
done:
    return status;
}

/* From the best point so far, for some iterations. */
static cardo_status go_on(run *r, int n, int iterations, lbfgsfloatval_t *y)
{
    const cardo_minimize_options *options = r->options;
    const cardo_minimize_scaling *scaling = options->scaling;
    lbfgs_parameter_t parameters;
    if (scaling)
        r->status = scaling->make(scaling->context, r->best, r->best_gradient, r->error);
    if (r->status != CARDO_OK)
        return r->status;
    memcpy(r->begin, r->best, (size_t)n * sizeof *r->begin);
    for (int i = 0; i < n; ++i)
        y[i] = scaling ? 0 : r->best[i] / options->unit;
    lbfgs_parameter_init(&parameters);
    if (options->memory > 0)
        parameters.m = options->memory;
    parameters.max_iterations = iterations;
    parameters.epsilon = 1e-12;     /* progress decides */
    parameters.max_linesearch = 20; /* shorter steps than that are rounding */
    parameters.linesearch = LBFGS_LINESEARCH_BACKTRACKING_WOLFE;
    r->begun = false;
    r->before = r->result->iterations;
    lbfgs(n, y, NULL, evaluate, progress, r, &parameters);
    return r->status;
}

/* On a ridge, whose slope grows steeper on the way down, the library's line search goes to and fro between too short and too far, and finds no step. */
static cardo_status run_through(run *r, int n, lbfgsfloatval_t *y)
{
    enum { MOST_ANEW = 5 };
    const cardo_minimize_scaling *scaling = r->options->scaling;
    const int most = r->options->most_iterations;
    int anew = r->options->anew ? MOST_ANEW : 0;
    bool on = most > 0;
    while (on && r->status == CARDO_OK) {
        const int left = most - r->result->iterations;
        const bool shorter = scaling && scaling->iterations > 0 && scaling->iterations < left;
        const double before = r->best_told;
        go_on(r, n, shorter ? scaling->iterations : left, y);
        on = shorter && r->result->iterations > r->before;
        if (!on && r->best_told < before && anew-- > 0)
            on = true;
        on = on && !r->result->converged && r->result->iterations < most;
    }
    return r->status;
}

cardo_status cardo_minimize(int n, double *x, cardo_objective objective, void *context,
                            const cardo_minimize_options *options, cardo_minimize_result *result,
                            cardo_error *error)
{
    cardo_status status = CARDO_OK;
    *result = (cardo_minimize_result){0};
    run r = {.objective = objective,
             .context = context,
             .options = options,
             .result = result,
             .error = error};
    lbfgsfloatval_t *y = NULL;
    if (n == 0)
        return CARDO_OK;
    CARDO_TRY(allocate(&r, n, error));
    CARDO_TRY(objective(context, n, x, &result->first_value, r.best_gradient, error));
    result->evaluations = 1;
    result->largest_gradient = largest_of(n, r.best_gradient);
    r.best_value = r.best_told = result->first_value;
    memcpy(r.best, x, (size_t)n * sizeof *x);
    y = lbfgs_malloc(n);
    if (!y) {
        status = CARDO_FAIL(error, CARDO_ERROR_MEMORY, "no memory for %d variables", n);
        goto done;
    }
    status = run_through(&r, n, y);
    memcpy(x, r.best, (size_t)n * sizeof *x);
    result->value = r.best_value;
done:
    if (y)
        lbfgs_free(y);
    cardo_free(r.x);
    cardo_free(r.gradient);
    cardo_free(r.begin);
    cardo_free(r.best);
    cardo_free(r.last);
    cardo_free(r.last_gradient);
    cardo_free(r.best_gradient);
    return status;
}
