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
    double *x, *gradient; /* at the point that was evaluated last       (n) */
    double *begin;        /* where y is nothing                         (n) */
    double *best;         /*                                            (n) */
    double best_value;
    bool begun; /* the first point has been handed to the library */
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

static lbfgsfloatval_t evaluate(void *instance, const lbfgsfloatval_t *y, lbfgsfloatval_t *gradient,
                                const int n, const lbfgsfloatval_t step)
{
    (void)step;
    run *r = instance;
    double value = out_of_reach;
    cardo_status status = r->status;
    place(r, y, n);
    if (!r->begun) { /* it is known already */
        r->begun = true;
        value = r->result->first_value;
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
    if (value < r->best_value) {
        r->best_value = value;
        memcpy(r->best, r->x, (size_t)n * sizeof *r->best);
        r->result->largest_gradient = largest_of(n, r->gradient);
    }
    return value;
}

static int progress(void *instance, const lbfgsfloatval_t *y, const lbfgsfloatval_t *gradient,
                    const lbfgsfloatval_t value, const lbfgsfloatval_t y_norm,
                    const lbfgsfloatval_t gradient_norm, const lbfgsfloatval_t step, int n,
                    int iteration, int evaluations)
{
    (void)y, (void)gradient, (void)value, (void)y_norm, (void)gradient_norm, (void)step,
        (void)evaluations;
    run *r = instance;
    r->result->iterations = iteration;
    r->result->converged = largest_of(n, r->gradient) <= r->options->largest_gradient;
    if (r->options->progress && r->status == CARDO_OK)
        r->status = r->options->progress(r->context, iteration, &r->result->converged, r->error);
    return r->result->converged || r->status != CARDO_OK;
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
             .best_value = INFINITY,
             .error = error};
    lbfgsfloatval_t *y = NULL;
    lbfgs_parameter_t parameters;
    if (n == 0)
        return CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&r.x, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&r.gradient, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&r.best, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&r.begin, n, error));
    CARDO_TRY(objective(context, n, x, &result->first_value, r.gradient, error));
    result->evaluations = 1;
    y = lbfgs_malloc(n);
    if (!y) {
        status = CARDO_FAIL(error, CARDO_ERROR_MEMORY, "no memory for %d variables", n);
        goto done;
    }
    for (int i = 0; i < n; ++i)
        y[i] = options->scaling ? 0 : x[i] / options->unit;
    memcpy(r.begin, x, (size_t)n * sizeof *x);
    memcpy(r.best, x, (size_t)n * sizeof *x);
    lbfgs_parameter_init(&parameters);
    if (options->memory > 0)
        parameters.m = options->memory;
    parameters.max_iterations = options->most_iterations;
    parameters.epsilon = 1e-12;     /* progress decides */
    parameters.max_linesearch = 20; /* shorter steps than that are rounding */
    parameters.linesearch = LBFGS_LINESEARCH_BACKTRACKING_STRONG_WOLFE;
    if (options->most_iterations > 0)
        lbfgs(n, y, NULL, evaluate, progress, &r, &parameters);
    memcpy(x, r.best, (size_t)n * sizeof *x);
    result->value = r.best_value < result->first_value ? r.best_value : result->first_value;
    status = r.status;
done:
    if (y)
        lbfgs_free(y);
    cardo_free(r.x);
    cardo_free(r.gradient);
    cardo_free(r.best);
    cardo_free(r.begin);
    return status;
}
