#include "base/linalg.h"

#include "base/memory.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

cardo_status cardo_svd33(const cardo_mat33 *A, cardo_mat33 *U, double s[3], cardo_mat33 *V,
                         cardo_error *error)
{
    double a[9], u[9], vt[9], unconverged[3];
    memcpy(a, A->m, sizeof a);
    int info = LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'A', 'A', 3, 3, a, 3, s, u, 3, vt, 3, unconverged);
    if (info != 0)
        return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                          "the singular value decomposition of a 3x3 matrix failed (dgesvd %d)",
                          info);
    memcpy(U->m, u, sizeof u);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            V->m[i][j] = vt[3 * j + i];
    return CARDO_OK;
}

cardo_status cardo_least_squares(int rows, int columns, double *A, double *b, double rcond,
                                 int *rank, cardo_error *error)
{
    int *pivot;
    cardo_status status = CARDO_ALLOCATE(&pivot, columns, error);
    if (status != CARDO_OK)
        return status;
    int info =
        LAPACKE_dgelsy(LAPACK_ROW_MAJOR, rows, columns, 1, A, columns, b, 1, pivot, rcond, rank);
    cardo_free(pivot);
    if (info != 0)
        return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL, "least squares %d x %d failed (dgelsy %d)",
                          rows, columns, info);
    return CARDO_OK;
}

cardo_status cardo_band_solve(int n, int below, int above, double *A, double *b, cardo_error *error)
{
    int *pivot;
    cardo_status status = CARDO_ALLOCATE(&pivot, n, error);
    if (status != CARDO_OK)
        return status;
    int info =
        LAPACKE_dgbsv(LAPACK_COL_MAJOR, n, below, above, 1, A, 2 * below + above + 1, pivot, b, n);
    cardo_free(pivot);
    if (info != 0)
        return CARDO_FAIL(error, info > 0 ? CARDO_ERROR_SINGULAR : CARDO_ERROR_NUMERICAL,
                          "%d equations with a band matrix are singular (dgbsv %d)", n, info);
    return CARDO_OK;
}

cardo_status cardo_band_cholesky(int n, int below, double *A, cardo_error *error)
{
    const int info = LAPACKE_dpbtrf_work(LAPACK_COL_MAJOR, 'L', n, below, A, below + 1);
    if (info != 0)
        return CARDO_FAIL(error, info > 0 ? CARDO_ERROR_SINGULAR : CARDO_ERROR_NUMERICAL,
                          "a band matrix of %d rows is not positive definite (dpbtrf %d)", n, info);
    return CARDO_OK;
}

void cardo_band_cholesky_half(int n, int below, const double *L, bool transposed, double *b)
{
    LAPACKE_dtbtrs_work(LAPACK_COL_MAJOR, 'L', transposed ? 'T' : 'N', 'N', n, below, 1, L,
                        below + 1, b, n);
}

cardo_status cardo_cholesky_solve(int n, double *A, int nrhs, double *b, cardo_error *error)
{
    int info = LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', n, A, n);
    if (info > 0)
        return CARDO_FAIL(error, CARDO_ERROR_SINGULAR,
                          "the %d x %d matrix is not positive definite (leading minor %d)", n, n,
                          info);
    if (info == 0 && b)
        info = LAPACKE_dpotrs(LAPACK_ROW_MAJOR, 'L', n, nrhs, A, n, b, nrhs);
    if (info != 0)
        return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                          "the Cholesky solution of %d equations failed (%d)", n, info);
    return CARDO_OK;
}

cardo_status cardo_symmetric_eigen(int n, double *A, double *values, cardo_error *error)
{
    int info = LAPACKE_dsyevd(LAPACK_ROW_MAJOR, 'V', 'L', n, A, n, values);
    if (info != 0)
        return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                          "the eigenproblem of order %d failed (dsyevd %d)", n, info);
    return CARDO_OK;
}

/* By one-sided Jacobi rotations, which no threads share. A matrix that is moved up until it has no negative eigenvalues is its own singular value decomposition. */
cardo_status cardo_symmetric_eigen_repeatable(int n, double *A, double *values, cardo_error *error)
{
    cardo_status status;
    double *U = NULL, *V = NULL, stat[6], up = 0;
    const size_t size = (size_t)n;
    for (size_t k = 0; k < size * size; ++k)
        up += A[k] * A[k];
    up = sqrt(up);
    CARDO_TRY(CARDO_ALLOCATE(&U, size * size, error));
    CARDO_TRY(CARDO_ALLOCATE(&V, size * size, error));
    for (size_t k = 0; k < size * size; ++k)
        U[k] = A[k] + (k % (size + 1) == 0 ? up : 0);
    const int info =
        LAPACKE_dgesvj(LAPACK_COL_MAJOR, 'G', 'U', 'V', n, n, U, n, values, n, V, n, stat);
    if (info != 0)
        CARDO_TRY(CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                             "the eigenproblem of order %d failed (dgesvj %d)", n, info));
    for (size_t r = 0; r < size; ++r)
        for (size_t a = 0; a < size; ++a)
            A[a * size + (size - 1 - r)] = V[r * size + a];
    for (int r = 0; r < n / 2; ++r) {
        const double first = values[r];
        values[r] = values[n - 1 - r];
        values[n - 1 - r] = first;
    }
    for (int r = 0; r < n; ++r)
        values[r] = stat[0] * values[r] - up;
done:
    cardo_free(U);
    cardo_free(V);
    return status;
}

/* Eigenvectors are free in sign; which one comes out would depend on the library. */
static void fix_sign(int n, double *vector)
{
    int largest = 0;
    for (int k = 1; k < n; ++k)
        if (fabs(vector[k]) > fabs(vector[largest]))
            largest = k;
    if (vector[largest] > 0)
        return;
    for (int k = 0; k < n; ++k)
        vector[k] = -vector[k];
}

cardo_status cardo_generalized_eigen(int n, double *A, double *B, int count, double *values,
                                     double *vectors, cardo_error *error)
{
    double *all;
    cardo_status status = CARDO_ALLOCATE(&all, n, error);
    if (status != CARDO_OK)
        return status;
    /* Symmetric matrices are the same by rows and by columns, and columns of vectors are rows here. */
    int info = LAPACKE_dsygvd(LAPACK_COL_MAJOR, 1, 'V', 'L', n, A, n, B, n, all);
    if (info > n)
        status = CARDO_FAIL(error, CARDO_ERROR_SINGULAR,
                            "the second matrix of the generalized eigenproblem of order %d is not "
                            "positive definite (leading minor %d)",
                            n, info - n);
    else if (info != 0)
        status = CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                            "the generalized eigenproblem of order %d failed (dsygvd %d)", n, info);
    for (int k = 0; k < count && status == CARDO_OK; ++k) {
        values[k] = all[k];
        memcpy(vectors + (size_t)k * (size_t)n, A + (size_t)k * (size_t)n,
               (size_t)n * sizeof *vectors);
        fix_sign(n, vectors + (size_t)k * (size_t)n);
    }
    cardo_free(all);
    return status;
}

cardo_status cardo_packed_cholesky(int n, double *A, cardo_error *error)
{
    int info = LAPACKE_dpftrf(LAPACK_COL_MAJOR, 'N', 'L', n, A);
    if (info > 0)
        return CARDO_FAIL(error, CARDO_ERROR_SINGULAR,
                          "the %d x %d matrix is not positive definite (leading minor %d)", n, n,
                          info);
    if (info != 0)
        return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                          "the Cholesky factorization of order %d failed (dpftrf %d)", n, info);
    return CARDO_OK;
}

cardo_status cardo_packed_solve(int n, const double *factor, int nrhs, double *b,
                                cardo_error *error)
{
    int info = LAPACKE_dpftrs(LAPACK_COL_MAJOR, 'N', 'L', n, nrhs, factor, b, n);
    if (info != 0)
        return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                          "the solution of %d equations failed (dpftrs %d)", n, info);
    return CARDO_OK;
}
