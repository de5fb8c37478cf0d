#include "multibody/mobilizers/function_based.h"
#include "base/memory.h"
#include "multibody/functions/function_single.h"
#include "multibody/mobilizers/descriptor.h"

#include <string.h>

enum { ROTATIONS = FUNCTION_ROTATIONS, FUNCTIONS = 6, MAX = CARDO_FUNCTION_MAX_ARGS };

typedef struct function_based {
    function_single single; /* first, because it is all that the tree knows */
    int n;                  /* coordinates */
    cardo_vec3 axes[FUNCTIONS];
    cardo_compiled_function *functions[FUNCTIONS];
} function_based;

/* What position() leaves behind: the rotation axes in F, and gradient and Hessian of every function
 * by coordinate. */
typedef struct evaluation {
    cardo_vec3 W[ROTATIONS];
    double gradient[FUNCTIONS][MAX];
    double hessian[FUNCTIONS][MAX][MAX];
} evaluation;

/* The same for a single coordinate: second derivatives of the motion in it. */
typedef struct single_evaluation {
    cardo_spatial second, of_the_tree;
} single_evaluation;

_Static_assert(sizeof(evaluation) <= CARDO_MOBILIZER_MAX_CACHE * sizeof(double),
               "a joint's cache must have room for an evaluation");

static void release(cardo_joint *joint)
{
    function_based *data = joint->data;
    if (!data)
        return;
    for (int f = 0; f < FUNCTIONS; ++f)
        cardo_function_destroy(data->functions[f]);
    cardo_free(data);
}

static cardo_status check_arguments(const cardo_function *function, int which, int n,
                                    cardo_error *error)
{
    for (int i = 0; i < function->narg; ++i)
        if (function->args[i] < 0 || function->args[i] >= n)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "function %d depends on coordinate %d, but the mobilizer has %d "
                              "(counted from 0)",
                              which, function->args[i], n);
    return CARDO_OK;
}

static bool same_knots(const cardo_compiled_function *a, const cardo_compiled_function *b)
{
    return cardo_function_is_spline(a) && cardo_function_is_spline(b) && a->npiece == b->npiece &&
           memcmp(a->knots, b->knots, (size_t)(a->npiece + 1) * sizeof *a->knots) == 0;
}

/* Sorts a function for the case of a single coordinate. */
static void prepare(function_based *data, int f, const cardo_function *definition)
{
    function_single *single = &data->single;
    const bool constant = definition->kind == CARDO_FUNCTION_CONSTANT;
    const int t = single->nturn, s = single->nslide;
    if (f >= ROTATIONS && constant) {
        single->base = v3_add_scaled(single->base, definition->coefficients[0], data->axes[f]);
    } else if (f >= ROTATIONS) {
        single->slide[s].function = data->functions[f];
        single->slide[s].axis = data->axes[f];
        single->slide[s].knots_of_last =
            s > 0 && same_knots(data->functions[f], single->slide[s - 1].function);
        ++single->nslide;
    } else if (!constant || definition->coefficients[0] != 0) {
        single->turn[t].function = data->functions[f];
        single->turn[t].axis = data->axes[f];
        single->turn[t].fixed = constant;
        single->turn[t].about_z = data->axes[f].z == 1;
        ++single->nturn;
    }
    single->plain = single->nturn == 1 && single->turn[0].about_z && !single->turn[0].fixed;
}

static cardo_status compile(const void *parameters, cardo_joint *joint, cardo_error *error)
{
    const cardo_function_based *definition = parameters;
    if (definition->ncoordinate < 1 || definition->ncoordinate > MAX)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "a function-based mobilizer has 1 to %d coordinates, not %d", (int)MAX,
                          definition->ncoordinate);
    function_based *data = NULL;
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&data, 1, error));
    joint->data = data;
    data->n = definition->ncoordinate;
    for (int f = 0; f < FUNCTIONS; ++f) {
        double length = v3_norm(definition->axes[f]);
        cardo_vec3 axis = v3(f % 3 == 0, f % 3 == 1, f % 3 == 2);
        data->axes[f] = length > 0 ? v3_scale(1.0 / length, definition->axes[f]) : axis;
        CARDO_TRY(check_arguments(&definition->functions[f], f, data->n, error));
        CARDO_TRY(cardo_function_compile(&definition->functions[f], &data->functions[f], error));
        prepare(data, f, &definition->functions[f]);
    }
    joint->nq = joint->nu = data->n;
    if (data->n == 1)
        joint->kind = CARDO_MOBILIZER_FUNCTION;
    joint->ncache =
        (int)((data->n == 1 ? sizeof(single_evaluation) : sizeof(evaluation)) / sizeof(double));
done:
    return status;
}

/* Evaluates function f at q, and spreads its derivatives from arguments to coordinates. */
static double evaluate(const function_based *data, int f, const double *q, evaluation *e)
{
    const cardo_compiled_function *function = data->functions[f];
    int narg = cardo_function_narg(function), n = data->n;
    double x[MAX], value, gradient[MAX], hessian[MAX * MAX];
    for (int a = 0; a < n; ++a) {
        e->gradient[f][a] = 0;
        for (int b = 0; b < n; ++b)
            e->hessian[f][a][b] = 0;
    }
    for (int i = 0; i < narg; ++i)
        x[i] = q[cardo_function_arg(function, i)];
    cardo_function_evaluate(function, x, &value, gradient, hessian);
    for (int i = 0; i < narg; ++i) {
        int a = cardo_function_arg(function, i);
        e->gradient[f][a] += gradient[i];
        for (int j = 0; j < narg; ++j)
            e->hessian[f][a][cardo_function_arg(function, j)] += hessian[i * narg + j];
    }
    return value;
}

static void position(const cardo_joint *joint, const double *q, double *cache,
                     cardo_transform *X_FM, cardo_spatial *H)
{
    const function_based *data = joint->data;
    evaluation *e = (evaluation *)cache;
    if (data->n == 1) {
        function_curve curve;
        function_turns(&data->single, q[0], &curve);
        function_slides(&data->single, q[0], &curve);
        *X_FM = (cardo_transform){curve.R, curve.p};
        H[0] = curve.first;
        spatial_put(&((single_evaluation *)cache)->second, curve.second);
        return;
    }
    X_FM->R = m33_identity();
    for (int f = 0; f < ROTATIONS; ++f) {
        double angle = evaluate(data, f, q, e);
        e->W[f] = m33_mul_v3(X_FM->R, data->axes[f]);
        if (angle != 0)
            X_FM->R = m33_mul(X_FM->R, m33_rotation(data->axes[f], angle));
    }
    X_FM->p = v3(0, 0, 0);
    for (int f = ROTATIONS; f < FUNCTIONS; ++f)
        X_FM->p = v3_add_scaled(X_FM->p, evaluate(data, f, q, e), data->axes[f]);
    for (int a = 0; a < data->n; ++a) {
        cardo_spatial column = {{0, 0, 0}, {0, 0, 0}};
        for (int f = 0; f < ROTATIONS; ++f) {
            column.angular = v3_add_scaled(column.angular, e->gradient[f][a], e->W[f]);
            column.linear = v3_add_scaled(column.linear, e->gradient[f + ROTATIONS][a],
                                          data->axes[f + ROTATIONS]);
        }
        H[a] = column;
    }
}

static void rate(const cardo_joint *joint, const double *q, const double *u, const double *cache,
                 cardo_spatial *Hdot)
{
    (void)q;
    const function_based *data = joint->data;
    const evaluation *e = (const evaluation *)cache;
    const int n = data->n;
    if (n == 1) {
        Hdot[0] = spatial_scale(u[0], ((const single_evaluation *)cache)->second);
        return;
    }
    /* Each axis is carried by the rotations before it. */
    cardo_vec3 carried = v3(0, 0, 0), Wdot[ROTATIONS];
    for (int f = 0; f < ROTATIONS; ++f) {
        double speed = 0;
        for (int a = 0; a < n; ++a)
            speed += e->gradient[f][a] * u[a];
        Wdot[f] = v3_cross(carried, e->W[f]);
        carried = v3_add_scaled(carried, speed, e->W[f]);
    }
    for (int a = 0; a < n; ++a) {
        cardo_spatial column = {{0, 0, 0}, {0, 0, 0}};
        for (int f = 0; f < ROTATIONS; ++f) {
            double turning = 0, sliding = 0;
            for (int b = 0; b < n; ++b) {
                turning += e->hessian[f][a][b] * u[b];
                sliding += e->hessian[f + ROTATIONS][a][b] * u[b];
            }
            column.angular = v3_add_scaled(column.angular, turning, e->W[f]);
            column.angular = v3_add_scaled(column.angular, e->gradient[f][a], Wdot[f]);
            column.linear = v3_add_scaled(column.linear, sliding, data->axes[f + ROTATIONS]);
        }
        Hdot[a] = column;
    }
}

static cardo_spatial bias(const cardo_joint *joint, const double *q, const double *u,
                          const double *cache)
{
    cardo_spatial Hdot[MAX], sum = spatial_zero();
    if (joint->nu == 1)
        return spatial_scale(u[0] * u[0], ((const single_evaluation *)cache)->second);
    rate(joint, q, u, cache, Hdot);
    for (int a = 0; a < joint->nu; ++a)
        sum = spatial_add_scaled(sum, u[a], Hdot[a]);
    return sum;
}

static const char *const names[] = {"q1", "q2", "q3", "q4", "q5", "q6"};

const cardo_mobilizer cardo_mobilizer_function_based = {
    .name = "function-based",
    .doc = "three rotations and three translations as functions of 1 to 6 coordinates",
    .sizes = "1 to 6",
    .q_names = names,
    .compile = compile,
    .release = release,
    .position = position,
    .rate = rate,
    .bias = bias,
};
