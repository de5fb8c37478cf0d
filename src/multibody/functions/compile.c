#include "base/memory.h"
#include "multibody/functions/compiled.h"
#include "multibody/functions/function.h"

#include <math.h>
#include <string.h>

static cardo_status check_sizes(const cardo_function *f, cardo_error *error)
{
    static const struct {
        const char *name;
        int narg, ncoefficient; /* -1: any */
    } needs[] = {
        [CARDO_FUNCTION_CONSTANT] = {"constant", -1, 1},
        [CARDO_FUNCTION_LINEAR] = {"linear", -1, -1},
        [CARDO_FUNCTION_POLYNOMIAL] = {"polynomial", 1, -1},
        [CARDO_FUNCTION_SINUSOID] = {"sinusoid", 1, 3},
        [CARDO_FUNCTION_MULTIPOLY] = {"multipoly", -1, -1},
        [CARDO_FUNCTION_SPLINE] = {"spline", 1, 0},
        [CARDO_FUNCTION_CLAMPED_SPLINE] = {"clamped spline", 1, 2},
        [CARDO_FUNCTION_QUINTIC_SPLINE] = {"quintic spline", 1, 0},
        [CARDO_FUNCTION_CALLBACK] = {"callback", -1, -1},
    };
    if ((unsigned)f->kind > CARDO_FUNCTION_CALLBACK)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "there is no function of kind %d",
                          (int)f->kind);
    const char *name = needs[f->kind].name;
    if (f->narg < 0 || f->narg > CARDO_FUNCTION_MAX_ARGS ||
        (needs[f->kind].narg >= 0 && f->narg != needs[f->kind].narg))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "a %s function cannot have %d arguments", name,
                          f->narg);
    int need = f->kind == CARDO_FUNCTION_LINEAR ? f->narg + 1 : needs[f->kind].ncoefficient;
    if (f->ncoefficient < 0 || (need >= 0 && f->ncoefficient != need))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "a %s function of %d arguments cannot have %d "
                          "coefficients",
                          name, f->narg, f->ncoefficient);
    for (int i = 0; i < f->ncoefficient; ++i)
        if (!isfinite(f->coefficients[i]))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "coefficient %d of a %s function is %g", i,
                              name, f->coefficients[i]);
    if (f->kind == CARDO_FUNCTION_CALLBACK && !f->callback)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "a callback function without callback");
    for (int i = 0; f->kind == CARDO_FUNCTION_MULTIPOLY && i < f->ncoefficient * f->narg; ++i)
        if (f->exponents[i] < 0)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "exponent %d of a multipoly function is %d: not negative, please", i,
                              f->exponents[i]);
    return CARDO_OK;
}

static bool is_spline(cardo_function_kind kind)
{
    return kind == CARDO_FUNCTION_SPLINE || kind == CARDO_FUNCTION_CLAMPED_SPLINE ||
           kind == CARDO_FUNCTION_QUINTIC_SPLINE;
}

cardo_status cardo_function_compile(const cardo_function *definition, cardo_compiled_function **out,
                                    cardo_error *error)
{
    cardo_compiled_function *f = NULL;
    cardo_status status = check_sizes(definition, error);
    *out = NULL;
    if (status != CARDO_OK)
        return status;
    CARDO_TRY(CARDO_ALLOCATE(&f, 1, error));
    f->kind = definition->kind;
    f->narg = definition->narg;
    memcpy(f->args, definition->args, sizeof f->args);
    f->callback = definition->callback;
    f->user = definition->user;
    f->ncoefficient = definition->ncoefficient;
    CARDO_TRY(CARDO_ALLOCATE(&f->coefficients, f->ncoefficient, error));
    if (f->ncoefficient > 0)
        memcpy(f->coefficients, definition->coefficients,
               (size_t)f->ncoefficient * sizeof *f->coefficients);
    if (f->kind == CARDO_FUNCTION_MULTIPOLY && f->narg > 0) {
        size_t n = (size_t)f->ncoefficient * (size_t)f->narg;
        CARDO_TRY(CARDO_ALLOCATE(&f->exponents, n, error));
        memcpy(f->exponents, definition->exponents, n * sizeof *f->exponents);
    }
    if (is_spline(f->kind))
        CARDO_TRY(cardo_spline_compile(definition, f, error));
    *out = f;
    f = NULL;
done:
    cardo_function_destroy(f);
    return status;
}

void cardo_function_destroy(cardo_compiled_function *function)
{
    if (!function)
        return;
    cardo_free(function->coefficients);
    cardo_free(function->exponents);
    cardo_free(function->knots);
    cardo_free(function->bins);
    cardo_free(function->pieces);
    cardo_free(function);
}

int cardo_function_narg(const cardo_compiled_function *function)
{
    return function->narg;
}

int cardo_function_arg(const cardo_compiled_function *function, int i)
{
    return function->args[i];
}

static void polynomial(const cardo_compiled_function *f, double x, double out[3])
{
    double value = 0, first = 0, half_second = 0;
    for (int i = 0; i < f->ncoefficient; ++i) {
        half_second = half_second * x + first;
        first = first * x + value;
        value = value * x + f->coefficients[i];
    }
    out[0] = value;
    out[1] = first;
    out[2] = 2 * half_second;
}

static void sinusoid(const cardo_compiled_function *f, double x, double out[3])
{
    double amplitude = f->coefficients[0], frequency = f->coefficients[1];
    double phase = frequency * x + f->coefficients[2];
    out[0] = amplitude * sin(phase);
    out[1] = amplitude * frequency * cos(phase);
    out[2] = -amplitude * frequency * frequency * sin(phase);
}

void cardo_function_evaluate1(const cardo_compiled_function *function, double x, double out[3])
{
    switch (function->kind) {
    case CARDO_FUNCTION_CONSTANT:
        out[0] = function->coefficients[0];
        out[1] = out[2] = 0;
        return;
    case CARDO_FUNCTION_LINEAR:
        if (function->narg == 1) {
            out[0] = function->coefficients[0] * x + function->coefficients[1];
            out[1] = function->coefficients[0];
            out[2] = 0;
            return;
        }
        break;
    case CARDO_FUNCTION_POLYNOMIAL:
        polynomial(function, x, out);
        return;
    case CARDO_FUNCTION_SINUSOID:
        sinusoid(function, x, out);
        return;
    case CARDO_FUNCTION_SPLINE:
    case CARDO_FUNCTION_CLAMPED_SPLINE:
    case CARDO_FUNCTION_QUINTIC_SPLINE:
        cardo_spline_evaluate_piece(function, cardo_spline_piece(function, x), x, out);
        return;
    case CARDO_FUNCTION_MULTIPOLY:
    case CARDO_FUNCTION_CALLBACK:
        break;
    }
    out[1] = out[2] = 0;
    cardo_function_evaluate(function, &x, &out[0], &out[1], &out[2]);
}

static double power(double x, int n)
{
    double y = 1;
    for (int i = 0; i < n; ++i)
        y *= x;
    return y;
}

/* Coefficient times the product over arguments of the d_i-th derivative of x_i^e_i. */
static double monomial(const cardo_compiled_function *f, int term, const double *x, const int *d)
{
    double product = f->coefficients[term];
    for (int i = 0; i < f->narg; ++i) {
        int e = f->exponents[term * f->narg + i];
        for (int k = 0; k < d[i]; ++k)
            product *= e - k;
        product *= e < d[i] ? 0.0 : power(x[i], e - d[i]);
    }
    return product;
}

static void multipoly(const cardo_compiled_function *f, const double *x, double *value,
                      double *gradient, double *hessian)
{
    const int n = f->narg;
    *value = 0;
    memset(gradient, 0, (size_t)n * sizeof *gradient);
    memset(hessian, 0, (size_t)(n * n) * sizeof *hessian);
    for (int t = 0; t < f->ncoefficient; ++t) {
        int d[CARDO_FUNCTION_MAX_ARGS] = {0};
        *value += monomial(f, t, x, d);
        for (int i = 0; i < n; ++i) {
            ++d[i];
            gradient[i] += monomial(f, t, x, d);
            for (int j = 0; j < n; ++j) {
                ++d[j];
                hessian[i * n + j] += monomial(f, t, x, d);
                --d[j];
            }
            --d[i];
        }
    }
}

static void linear(const cardo_compiled_function *f, const double *x, double *value,
                   double *gradient, double *hessian)
{
    const int n = f->narg;
    *value = f->coefficients[n];
    for (int i = 0; i < n; ++i) {
        *value += f->coefficients[i] * x[i];
        gradient[i] = f->coefficients[i];
    }
    memset(hessian, 0, (size_t)(n * n) * sizeof *hessian);
}

void cardo_function_evaluate(const cardo_compiled_function *function, const double *x,
                             double *value, double *gradient, double *hessian)
{
    const int n = function->narg;
    double g[CARDO_FUNCTION_MAX_ARGS], h[CARDO_FUNCTION_MAX_ARGS * CARDO_FUNCTION_MAX_ARGS];
    if (!gradient)
        gradient = g;
    if (!hessian)
        hessian = h;
    if (function->kind == CARDO_FUNCTION_CONSTANT) {
        *value = function->coefficients[0];
        memset(gradient, 0, (size_t)n * sizeof *gradient);
        memset(hessian, 0, (size_t)(n * n) * sizeof *hessian);
    } else if (function->kind == CARDO_FUNCTION_LINEAR) {
        linear(function, x, value, gradient, hessian);
    } else if (function->kind == CARDO_FUNCTION_MULTIPOLY) {
        multipoly(function, x, value, gradient, hessian);
    } else if (function->kind == CARDO_FUNCTION_CALLBACK) {
        function->callback(function->user, n, x, value, gradient, hessian);
    } else {
        double out[3];
        cardo_function_evaluate1(function, x[0], out);
        *value = out[0];
        gradient[0] = out[1];
        hessian[0] = out[2];
    }
}
