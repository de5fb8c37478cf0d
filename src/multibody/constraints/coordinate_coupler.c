#include "base/memory.h"
#include "multibody/constraints/check.h"
#include "multibody/functions/function.h"
#include "multibody/mobilizers/descriptor.h"

#include <string.h>

enum { MAX = CARDO_FUNCTION_MAX_ARGS };

/* A body whose coordinates the function has: its mobilities are listed one after the other. */
typedef struct coupled_body {
    int body, nu, first; /* among the constraint's mobilities */
} coupled_body;

typedef struct coupler {
    cardo_compiled_function *function;
    int narg, argument[MAX]; /* which of the constraint's coordinates each argument is       */
    int body[MAX], own[MAX]; /* of coordinate i: its body below, and its number there        */
    int nbody;
    coupled_body bodies[MAX];
} coupler;

static void release(void *data)
{
    coupler *own = data;
    if (own)
        cardo_function_destroy(own->function);
    cardo_free(own);
}

/* Lists a body with its mobilities, once; returns its number in the list. */
static int list_body(const cardo_system *system, int body, int *listed, coupler *own,
                     constraint_shape *shape)
{
    for (int b = 0; b < own->nbody; ++b)
        if (listed[b] == body)
            return b;
    const cardo_joint *joint = cardo_system_joint(system, body);
    listed[own->nbody] = body;
    own->bodies[own->nbody] = (coupled_body){body, joint->nu, shape->nmobility};
    for (int j = 0; j < joint->nu; ++j)
        shape->mobilities[shape->nmobility++] = (cardo_mobility_of){body, j};
    return own->nbody++;
}

static cardo_status compile(const cardo_system *system, const void *parameters,
                            constraint_shape *shape, cardo_error *error)
{
    const cardo_coordinate_coupler *p = parameters;
    coupler *own = NULL;
    int listed[MAX];
    cardo_status status;
    if (p->ncoordinate < 1 || p->ncoordinate > MAX)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "a coupler of %d coordinates: there may be 1 to %d", p->ncoordinate,
                          (int)MAX);
    for (int i = 0; i < p->ncoordinate; ++i)
        CARDO_TRY(cardo_constraint_check_coordinate(system, p->coordinates[i], error));
    CARDO_TRY(CARDO_ALLOCATE(&own, 1, error));
    shape->data = own;
    CARDO_TRY(cardo_function_compile(&p->function, &own->function, error));
    own->narg = cardo_function_narg(own->function);
    for (int i = 0; i < own->narg; ++i) {
        own->argument[i] = cardo_function_arg(own->function, i);
        if (own->argument[i] < 0 || own->argument[i] >= p->ncoordinate)
            return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                              "argument %d of the function is coordinate %d of %d", i,
                              own->argument[i], p->ncoordinate);
    }
    for (int i = 0; i < p->ncoordinate; ++i) {
        own->body[i] = list_body(system, p->coordinates[i].body, listed, own, shape);
        own->own[i] = p->coordinates[i].coordinate;
        shape->coordinates[i] = p->coordinates[i];
    }
    shape->ncoordinate = p->ncoordinate;
    shape->nposition = 1;
done:
    return status;
}

/* Value, gradient and Hessian (narg x narg) by argument. */
static double evaluate(const coupler *own, const cardo_constraint_work *work, double *gradient,
                       double *hessian)
{
    double x[MAX], value;
    for (int i = 0; i < own->narg; ++i)
        x[i] = work->q[work->coordinates[own->argument[i]]];
    cardo_function_evaluate(own->function, x, &value, gradient, hessian);
    return value;
}

static void position(const void *data, const cardo_constraint_work *work, double *error)
{
    error[0] = evaluate(data, work, NULL, NULL);
}

/* Adds to a body's mobilities N^T of a factor at one of its coordinates. */
static void add_force(const coupler *own, const cardo_constraint_work *work, int i, double factor,
                      double *mobilities)
{
    const coupled_body *body = &own->bodies[own->body[i]];
    const cardo_joint *joint = cardo_system_joint(work->system, body->body);
    const cardo_mobilizer *mobilizer = joint->mobilizer;
    double *out = mobilities + body->first;
    if (!mobilizer->multiply_n) {
        out[own->own[i]] += factor;
        return;
    }
    const double *q = work->q + work->coordinates[i] - own->own[i];
    for (int j = 0; j < body->nu; ++j) {
        double unit[CARDO_MOBILIZER_MAX_U] = {0}, column[CARDO_MOBILIZER_MAX_Q];
        unit[j] = 1;
        mobilizer->multiply_n(joint, q, unit, column);
        out[j] += factor * column[own->own[i]];
    }
}

static void put_rows(const coupler *own, const cardo_constraint_work *work, const double *gradient,
                     cardo_constraint_rows *out)
{
    for (int i = 0; i < own->narg; ++i)
        add_force(own, work, own->argument[i], gradient[i], out->mobilities);
}

static void rows(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    double gradient[MAX], hessian[MAX * MAX];
    evaluate(data, work, gradient, hessian);
    put_rows(data, work, gradient, out);
}

/* The rate of coordinate i, and what of its second derivative udot does not bring in. */
static double coordinate_rate(const coupler *own, const cardo_constraint_work *work, int i,
                              double *drift)
{
    const coupled_body *body = &own->bodies[own->body[i]];
    const cardo_joint *joint = cardo_system_joint(work->system, body->body);
    const cardo_mobilizer *mobilizer = joint->mobilizer;
    const double *u = work->u + work->mobilities[body->first];
    *drift = 0;
    if (!mobilizer->multiply_n)
        return u[own->own[i]];
    const double *q = work->q + work->coordinates[i] - own->own[i];
    double rate[CARDO_MOBILIZER_MAX_Q], change[CARDO_MOBILIZER_MAX_Q];
    mobilizer->multiply_n(joint, q, u, rate);
    mobilizer->multiply_n_dot(joint, q, u, change);
    *drift = change[own->own[i]];
    return rate[own->own[i]];
}

/* The rates of rows are H qdot as forces on coordinates; where N changes, what that does to the second derivative is in the
 * offset. */
static void put_rates(const coupler *own, const cardo_constraint_work *work, const double *gradient,
                      const double *hessian, cardo_constraint_rows *out)
{
    double rate[MAX], drift;
    for (int i = 0; i < own->narg; ++i) {
        rate[i] = coordinate_rate(own, work, own->argument[i], &drift);
        out->offset[0] += gradient[i] * drift;
    }
    for (int i = 0; i < own->narg; ++i) {
        double factor = 0;
        for (int j = 0; j < own->narg; ++j)
            factor += hessian[i * own->narg + j] * rate[j];
        add_force(own, work, own->argument[i], factor, out->mobilities);
    }
}

static void rates(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    double gradient[MAX], hessian[MAX * MAX];
    evaluate(data, work, gradient, hessian);
    put_rates(data, work, gradient, hessian, out);
}

static void rows_and_rates(const void *data, const cardo_constraint_work *work,
                           cardo_constraint_rows *rows_out, cardo_constraint_rows *rates_out)
{
    double gradient[MAX], hessian[MAX * MAX];
    evaluate(data, work, gradient, hessian);
    put_rows(data, work, gradient, rows_out);
    put_rates(data, work, gradient, hessian, rates_out);
}

static const char *const names[] = {"coordinates", NULL};

const cardo_constraint cardo_constraint_coordinate_coupler = {
    .name = "coordinate-coupler",
    .doc = "a function of several coordinates is zero",
    .row_names = names,
    .compile = compile,
    .release = release,
    .position = position,
    .rows = rows,
    .rates = rates,
    .rows_and_rates = rows_and_rates,
};
