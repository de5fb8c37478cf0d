#include "analysis/free_energy/mbar.h"
#include "base/memory.h"

#include <math.h>

void cardo_mbar_shares(const cardo_mbar *mbar, int first, int n, double *shares)
{
    const cardo_mbar_data *d = &mbar->data;
    for (int k = 0; k < d->nstate; ++k) {
        const double *u = d->u + (size_t)k * (size_t)d->ncolumn + first;
        double own = d->count[k] > 0 ? mbar->f[k] + log(d->count[k]) : -HUGE_VAL;
        for (int j = 0; j < n; ++j)
            shares[(size_t)j * (size_t)d->nstate + (size_t)k] =
                exp(own - u[j] - mbar->log_mixture[first + j]);
    }
}

void cardo_mbar_log_weights(const cardo_mbar *mbar, const double *target, double *log_weight)
{
    for (int n = 0; n < mbar->nsample; ++n) {
        int c = mbar->data.column ? mbar->data.column[n] : n;
        log_weight[n] = -(target ? target[c] : 0) - mbar->log_mixture[c];
    }
}

/* W^T W of the normalized weights of all states. */
static void products_of_weights(const cardo_mbar *mbar, double *weight, double *products)
{
    const cardo_mbar_data *d = &mbar->data;
    const int nstate = d->nstate;
    for (int n = 0; n < mbar->nsample; ++n) {
        int c = d->column ? d->column[n] : n;
        for (int k = 0; k < nstate; ++k)
            weight[k] = exp(mbar->f[k] - d->u[(size_t)k * (size_t)d->ncolumn + (size_t)c] -
                            mbar->log_mixture[c]);
        for (int i = 0; i < nstate; ++i)
            for (int j = 0; j <= i; ++j)
                products[i * nstate + j] += weight[i] * weight[j];
    }
    for (int i = 0; i < nstate; ++i)
        for (int j = 0; j < i; ++j)
            products[j * nstate + i] = products[i * nstate + j];
}

static void multiply(int n, const double *A, const double *B, double *C)
{
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            double sum = 0;
            for (int k = 0; k < n; ++k)
                sum += A[i * n + k] * B[k * n + j];
            C[i * n + j] = sum;
        }
}

/* Eq. 8, W^T (I - W N W^T)^+ W, is W^T W + (W^T W N) (N - N W^T W N)^+ (N W^T W), the pseudo-inverse
 * in the middle being that of the objective's curvature. */
cardo_status cardo_mbar_independent_errors(const cardo_mbar *mbar, double *sigma,
                                           cardo_error *error)
{
    cardo_status status;
    const int n = mbar->data.nstate;
    size_t size = (size_t)n * (size_t)n;
    double *weight = NULL, *products = NULL, *left = NULL, *middle = NULL, *theta = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&weight, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&products, size, error));
    CARDO_TRY(CARDO_ALLOCATE(&left, size, error));
    CARDO_TRY(CARDO_ALLOCATE(&middle, size, error));
    CARDO_TRY(CARDO_ALLOCATE(&theta, size, error));
    products_of_weights(mbar, weight, products);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            left[i * n + j] = products[i * n + j] * mbar->data.count[j];
    multiply(n, left, mbar->inverse, middle);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            double sum = products[i * n + j];
            for (int k = 0; k < n; ++k)
                sum += middle[i * n + k] * left[j * n + k];
            theta[i * n + j] = sum;
        }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            sigma[i * n + j] =
                sqrt(fmax(0, theta[i * n + i] + theta[j * n + j] - 2 * theta[i * n + j]));
done:
    cardo_free(weight);
    cardo_free(products);
    cardo_free(left);
    cardo_free(middle);
    cardo_free(theta);
    return status;
}
