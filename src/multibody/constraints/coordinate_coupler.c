#include "base/memory.h"
#include "multibody/algebra/orientation.h"
#include "multibody/constraints/parts/check.h"
#include "multibody/functions/function.h"
#include "multibody/mobilizers/descriptor.h"

enum { MAX = CARDO_FUNCTION_MAX_ARGS };

/* A body whose speeds are not the rates of its coordinates: all its mobilities are listed one after the other. */
typedef struct coupled_body {
    int body, nq, nu, first; /* among the constraint's mobilities */
} coupled_body;

typedef struct coupler {
    cardo_compiled_function *function;
    int narg,
        argument[MAX]; /* which of the constraint's coordinates each argument is              */
    int slot[MAX];     /* of coordinate i: its mobility among the constraint's, unless it has */
    int body[MAX],
        own[MAX]; /* a body below (else -1), and its number there                              */
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

/* Lists a mobility, once; returns its number in the list. */
static int list_mobility(cardo_mobility_of mobility, constraint_shape *shape)
{
    for (int m = 0; m < shape->nmobility; ++m)
        if (shape->mobilities[m].body == mobility.body &&
            shape->mobilities[m].mobility == mobility.mobility)
            return m;
    shape->mobilities[shape->nmobility] = mobility;
    return shape->nmobility++;
}

static int list_body(const cardo_joint *joint, int body, coupler *own, constraint_shape *shape)
{
    for (int b = 0; b < own->nbody; ++b)
        if (own->bodies[b].body == body)
            return b;
    own->bodies[own->nbody] = (coupled_body){body, joint->nq, joint->nu, shape->nmobility};
    for (int j = 0; j < joint->nu; ++j)
        shape->mobilities[shape->nmobility++] = (cardo_mobility_of){body, j};
    return own->nbody++;
}

static cardo_status compile(const cardo_system *system, const void *parameters,
                            constraint_shape *shape, cardo_error *error)
{
    const cardo_coordinate_coupler *p = parameters;
    coupler *own = NULL;
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
        const cardo_coordinate_of c = p->coordinates[i];
        const cardo_joint *joint = cardo_system_joint(system, c.body);
        const bool plain = !joint->mobilizer->multiply_n;
        own->own[i] = c.coordinate;
        own->slot[i] = plain ? list_mobility((cardo_mobility_of){c.body, c.coordinate}, shape) : 0;
        own->body[i] = plain ? -1 : list_body(joint, c.body, own, shape);
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
    double x[MAX] = {0}, value;
    for (int i = 0; i < own->narg; ++i)
        x[i] = work->q[work->coordinates[own->argument[i]]];
    cardo_function_evaluate(own->function, x, &value, gradient, hessian);
    return value;
}

static void position(const void *data, const cardo_constraint_work *work, double *error)
{
    double gradient[MAX], hessian[MAX * MAX];
    error[0] = evaluate(data, work, gradient, hessian);
}

/* Where a body's coordinates begin in q. */
static const double *coordinates_of(const coupler *own, const cardo_constraint_work *work, int b)
{
    int i = 0;
    while (own->body[i] != b)
        ++i;
    return work->q + work->coordinates[i] - own->own[i];
}

/* The columns of a body's N (nu x nq). */
static void columns_of(const cardo_joint *joint, const double *q, double *N)
{
    for (int j = 0; j < joint->nu; ++j) {
        double unit[CARDO_MOBILIZER_MAX_U] = {0};
        unit[j] = 1;
        joint->mobilizer->multiply_n(joint, q, unit, N + j * joint->nq);
    }
}

/* What is needed of bodies whose speeds are not the rates of coordinates. */
typedef struct turned_body {
    double N[CARDO_MOBILIZER_MAX_U * CARDO_MOBILIZER_MAX_Q];
    double rate[CARDO_MOBILIZER_MAX_Q], drift[CARDO_MOBILIZER_MAX_Q]; /* N u, Ndot u */
} turned_body;

static void look_at(const coupler *own, const cardo_constraint_work *work, bool moving,
                    turned_body *turned)
{
    for (int b = 0; b < own->nbody; ++b) {
        const coupled_body *body = &own->bodies[b];
        const cardo_joint *joint = cardo_system_joint(work->system, body->body);
        const double *q = coordinates_of(own, work, b);
        columns_of(joint, q, turned[b].N);
        if (!moving)
            continue;
        const double *u = work->u + work->mobilities[body->first];
        joint->mobilizer->multiply_n(joint, q, u, turned[b].rate);
        joint->mobilizer->multiply_n_dot(joint, q, u, turned[b].drift);
    }
}

/* Adds a force on argument i's coordinate to mobilities: N^T of it. */
static void add_force(const coupler *own, const turned_body *turned, int i, double force,
                      double *mobilities)
{
    const int c = own->argument[i], b = own->body[c];
    if (b < 0) {
        mobilities[own->slot[c]] += force;
        return;
    }
    for (int j = 0; j < own->bodies[b].nu; ++j)
        mobilities[own->bodies[b].first + j] +=
            force * turned[b].N[j * own->bodies[b].nq + own->own[c]];
}

/* Rows, and, where there are velocities, rates, H qdot, where all speeds are the rates of coordinates. */
static void put_plain(const coupler *own, const cardo_constraint_work *work,
                      cardo_constraint_rows *rows, cardo_constraint_rows *rates)
{
    double gradient[MAX], hessian[MAX * MAX];
    const int n = own->narg;
    evaluate(own, work, gradient, hessian);
    for (int i = 0; rows && i < n; ++i)
        rows->mobilities[own->slot[own->argument[i]]] += gradient[i];
    for (int j = 0; rates && j < n; ++j) {
        const double rate = work->u[work->mobilities[own->slot[own->argument[j]]]];
        for (int i = 0; i < n; ++i)
            rates->mobilities[own->slot[own->argument[i]]] += hessian[i * n + j] * rate;
    }
}

/* Rows, and, where there are velocities, rates: H qdot as forces on coordinates; where N changes, what that does to the second
 * derivative is in the offset. */
static void put(const coupler *own, const cardo_constraint_work *work, cardo_constraint_rows *rows,
                cardo_constraint_rows *rates)
{
    double gradient[MAX], hessian[MAX * MAX], rate[MAX];
    turned_body turned[MAX];
    if (own->nbody == 0) {
        put_plain(own, work, rows, rates);
        return;
    }
    evaluate(own, work, gradient, hessian);
    look_at(own, work, rates != NULL, turned);
    for (int i = 0; rows && i < own->narg; ++i)
        add_force(own, turned, i, gradient[i], rows->mobilities);
    for (int i = 0; rates && i < own->narg; ++i) {
        const int c = own->argument[i], b = own->body[c];
        rate[i] = b < 0 ? work->u[work->mobilities[own->slot[c]]] : turned[b].rate[own->own[c]];
        rates->offset[0] += b < 0 ? 0 : gradient[i] * turned[b].drift[own->own[c]];
    }
    for (int i = 0; rates && i < own->narg; ++i) {
        double force = 0;
        for (int j = 0; j < own->narg; ++j)
            force += hessian[i * own->narg + j] * rate[j];
        add_force(own, turned, i, force, rates->mobilities);
    }
}

static void rows(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    put(data, work, out, NULL);
}

static void rates(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    put(data, work, NULL, out);
}

static void rows_and_rates(const void *data, const cardo_constraint_work *work,
                           cardo_constraint_rows *rows_out, cardo_constraint_rows *rates_out)
{
    put(data, work, rows_out, rates_out);
}

/* Angular velocity of a joint's speeds in the axes of these, F's or, of lines, M's. */
static cardo_vec3 turn_of(const cardo_joint *joint, const double *u)
{
    return v3(u[0], u[1], joint->mobilizer->lacks_spin ? 0 : u[2]);
}

/* Ndot(u) v, with speeds v that are held. Of the two orders of the derivatives along u and v multiply_n_dot knows half the sum, as what is
 * quadratic in its speeds; they differ by the spin of the two turns' cross product. On lines, where that spin is lacking, it is
 * N(v)'s order that is wanted. */
static void turn_columns(const cardo_joint *joint, const double *q, const double *u,
                         const double *v, double *out)
{
    double sum[CARDO_MOBILIZER_MAX_U], of_sum[CARDO_MOBILIZER_MAX_Q], of_u[CARDO_MOBILIZER_MAX_Q];
    double of_v[CARDO_MOBILIZER_MAX_Q], spin[CARDO_MOBILIZER_MAX_Q] = {0};
    cardo_vec3 w = v3_cross(turn_of(joint, v), turn_of(joint, u));
    for (int j = 0; j < joint->nu; ++j)
        sum[j] = u[j] + v[j];
    joint->mobilizer->multiply_n_dot(joint, q, sum, of_sum);
    joint->mobilizer->multiply_n_dot(joint, q, u, of_u);
    joint->mobilizer->multiply_n_dot(joint, q, v, of_v);
    if (joint->mobilizer->lacks_spin)
        w = m33_mul_v3(orientation_matrix(joint->euler, q), w);
    orientation_rate(joint->euler, q, w, spin);
    for (int i = 0; i < joint->nq; ++i)
        out[i] = 0.5 * (of_sum[i] - of_u[i] - of_v[i] + spin[i]);
}

static void entry_rates(const void *data, const cardo_constraint_work *work,
                        cardo_constraint_rows *out)
{
    const coupler *own = data;
    double gradient[MAX], hessian[MAX * MAX];
    if (own->nbody == 0)
        return;
    evaluate(own, work, gradient, hessian);
    for (int b = 0; b < own->nbody; ++b) {
        const coupled_body *body = &own->bodies[b];
        const cardo_joint *joint = cardo_system_joint(work->system, body->body);
        for (int j = 0; j < body->nu; ++j) {
            double v[CARDO_MOBILIZER_MAX_U] = {0}, turned[CARDO_MOBILIZER_MAX_Q];
            v[j] = 1;
            turn_columns(joint, coordinates_of(own, work, b),
                         work->u + work->mobilities[body->first], v, turned);
            for (int i = 0; i < own->narg; ++i)
                if (own->body[own->argument[i]] == b)
                    out->mobilities[body->first + j] +=
                        gradient[i] * turned[own->own[own->argument[i]]];
        }
    }
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
    .entry_rates = entry_rates,
};
