/* Moments of a turned body. Harmonics of one order turn among themselves, by the matrix that takes their values in fixed directions to
 * those in the turned ones: a least-squares fit that is exact, whose inverse is made once. */
#include "forces/rigid/far.h"

#include "base/linalg.h"
#include "base/memory.h"
#include "base/units.h"
#include "forces/rigid/kernels/harmonics.h"

#include <math.h>
#include <string.h>

enum {
    MOST_HARMONICS = (CARDO_FAR_ORDER + 1) * (CARDO_FAR_ORDER + 1),
    MOST_OF_ORDER = 2 * CARDO_FAR_ORDER + 1,
    MOST_POINTS = 2 * MOST_OF_ORDER
};

/* Where the inverse of an order begins. */
static size_t inverse_at(const cardo_far *far, int n)
{
    return (size_t)(n * n) * (size_t)far->npoint;
}

static void orthonormal(int order, const double *scale, const double *x, double *values)
{
    cardo_harmonics(order, x[0], x[1], x[2], values);
    for (int c = 0; c < (order + 1) * (order + 1); ++c)
        values[c] *= scale[c];
}

/* (Y Y^T)^-1 Y for the values Y of an order. */
static cardo_status invert(cardo_far *far, int n, const double *values, cardo_error *error)
{
    const int size = 2 * n + 1, all = (far->order + 1) * (far->order + 1);
    double gram[MOST_OF_ORDER * MOST_OF_ORDER] = {0}, *to = far->inverse + inverse_at(far, n);
    double columns[MOST_OF_ORDER * MOST_POINTS];
    for (int a = 0; a < size; ++a) {
        for (int k = 0; k < far->npoint; ++k)
            columns[a * far->npoint + k] = values[k * all + n * n + a];
        for (int b = 0; b < size; ++b)
            for (int k = 0; k < far->npoint; ++k)
                gram[a * size + b] += values[k * all + n * n + a] * values[k * all + n * n + b];
    }
    cardo_status status = cardo_cholesky_solve(size, gram, far->npoint, columns, error);
    for (int k = 0; k < far->npoint; ++k)
        for (int a = 0; a < size; ++a)
            to[k * size + a] = columns[a * far->npoint + k];
    return status;
}

cardo_status cardo_far_turn_create(cardo_far *far, cardo_error *error)
{
    cardo_status status;
    const int all = (far->order + 1) * (far->order + 1);
    double *values = NULL;
    const double golden = CARDO_PI * (3 - sqrt(5));
    far->npoint = 2 * (2 * far->order + 1);
    CARDO_TRY(CARDO_ALLOCATE(&values, far->npoint * all, error));
    CARDO_TRY(CARDO_ALLOCATE(&far->point, 3 * far->npoint, error));
    CARDO_TRY(CARDO_ALLOCATE(&far->inverse, far->npoint * all, error));
    for (int k = 0; k < far->npoint; ++k) {
        /* Even over half a sphere: the other half has the same values but for their sign. */
        const double z = (k + 0.5) / far->npoint, rho = sqrt(1 - z * z);
        double *x = far->point + 3 * k;
        x[0] = rho * cos(golden * k);
        x[1] = rho * sin(golden * k);
        x[2] = z;
        orthonormal(far->order, far->scale, x, values + k * all);
    }
    for (int n = 0; n <= far->order; ++n)
        CARDO_TRY(invert(far, n, values, error));
done:
    cardo_free(values);
    return status;
}

/* The matrix that turns an order (2 n + 1 square). */
static void matrix_of(const cardo_far *far, int n, const double *turned, double *matrix)
{
    const int size = 2 * n + 1, all = (far->order + 1) * (far->order + 1);
    const double *inverse = far->inverse + inverse_at(far, n);
    memset(matrix, 0, sizeof *matrix * (size_t)(size * size));
    for (int k = 0; k < far->npoint; ++k)
        for (int a = 0; a < size; ++a) {
            const double value = turned[k * all + n * n + a];
            for (int b = 0; b < size; ++b)
                matrix[a * size + b] += value * inverse[k * size + b];
        }
}

static void put(cardo_far *far, int node, int k, double value)
{
    cardo_far_put(far->moment, far->moment_single, (size_t)node * (size_t)far->record + (size_t)k,
                  value);
}

static void turn_charges(cardo_far *far, const cardo_rigid_kernels *kernels, int body,
                         cardo_mat33 R)
{
    const int all = (far->order + 1) * (far->order + 1);
    const int first = far->root[body], nodes = far->root[body + 1] - first;
    double tile[MOST_OF_ORDER * CARDO_FAR_TOGETHER] __attribute__((aligned(64)));
    double turned[MOST_POINTS * MOST_HARMONICS], matrix[MOST_OF_ORDER * MOST_OF_ORDER];
    double out[MOST_OF_ORDER * CARDO_FAR_TOGETHER] __attribute__((aligned(64)));
    for (int k = 0; k < far->npoint; ++k) {
        const cardo_vec3 x = m33_mul_v3(R, v3_load(far->point + 3 * k));
        orthonormal(far->order, far->scale, (double[]){x.x, x.y, x.z}, turned + k * all);
    }
    for (int n = 0; n <= far->order; ++n) {
        const int size = 2 * n + 1;
        matrix_of(far, n, turned, matrix);
        for (int a = 0; a < size; ++a)
            for (int b = 0; b < size; ++b)
                matrix[a * size + b] /= far->scale[n * n + a];
        for (int from = 0; from < nodes; from += CARDO_FAR_TOGETHER) {
            const int count = nodes - from < CARDO_FAR_TOGETHER ? nodes - from : CARDO_FAR_TOGETHER;
            int stride = cardo_far_stride(nodes);
            const size_t at = (size_t)all * far->first_own[body] +
                              (size_t)(n * n) * (size_t)stride + (size_t)from;
            const double *own = cardo_far_own_columns(&far->own_charge, at, size, &stride, tile);
            kernels->turn(size, matrix, own, stride, out);
            for (int k = 0; k < count; ++k)
                for (int a = 0; a < size; ++a)
                    put(far, first + from + k, n * n + a, out[CARDO_FAR_TOGETHER * a + k]);
        }
    }
}

/* R S R^T for S = xx, yy, zz, xy, xz, yz. */
static void turn_second(cardo_mat33 R, const double *s, double *to)
{
    const cardo_mat33 S = {{{s[0], s[3], s[4]}, {s[3], s[1], s[5]}, {s[4], s[5], s[2]}}};
    const cardo_mat33 RS = m33_mul(R, S);
    static const int at[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    for (int k = 0; k < 6; ++k) {
        const double *a = RS.m[at[k][0]], *b = R.m[at[k][1]];
        to[k] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    }
}

static void turn_dispersion(cardo_far *far, int node, cardo_mat33 R)
{
    const int charges = (far->order + 1) * (far->order + 1);
    for (int r = 0; r < far->rank; ++r) {
        const double *from = far->own_dispersion +
                             CARDO_FAR_DISPERSION * ((size_t)node * (size_t)far->rank + (size_t)r);
        double to[CARDO_FAR_DISPERSION];
        to[0] = from[0];
        v3_store(to + 1, m33_mul_v3(R, v3_load(from + 1)));
        turn_second(R, from + 4, to + 4);
        to[10] = from[10];
        for (int k = 0; k < CARDO_FAR_DISPERSION; ++k)
            put(far, node, charges + CARDO_FAR_DISPERSION * r + k, to[k]);
    }
}

void cardo_far_turn(cardo_far *far, const cardo_rigid_kernels *kernels, int body, cardo_transform X)
{
    const int first = far->root[body], nodes = far->root[body + 1] - first;
    turn_charges(far, kernels, body, X.R);
    for (int k = first; k < first + nodes; ++k) {
        turn_dispersion(far, k, X.R);
        const cardo_vec3 place = xform_point(X, v3_load(far->station + 3 * (size_t)k));
        v3_store(far->place + 3 * (size_t)k, place);
        far->seen[k].x = (float)place.x;
        far->seen[k].y = (float)place.y;
        far->seen[k].z = (float)place.z;
    }
}
