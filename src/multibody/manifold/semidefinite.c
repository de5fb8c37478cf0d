/* Y = L L^T with rows in the order of pivots; the upper part [L_11; L_21] of L is kept, and T = L_21 L_11^-1. With B = [1 T^T],
 * Y = B^T Y_11 B and Y^+ = B^T (B B^T)^-1 Y_11^-1 (B B^T)^-1 B: a complete orthogonal factorization, made by B's. */
#include "multibody/manifold/semidefinite.h"

#include <math.h>

#define AT(A, i, j) (A)[(i)*stride + (j)]

/* Exchanges rows and columns a < b of a symmetric matrix's lower triangle. */
static void exchange(int n, int stride, double *Y, int a, int b)
{
    for (int j = 0; j < a; ++j) {
        const double x = AT(Y, a, j);
        AT(Y, a, j) = AT(Y, b, j);
        AT(Y, b, j) = x;
    }
    for (int k = a + 1; k < b; ++k) {
        const double x = AT(Y, k, a);
        AT(Y, k, a) = AT(Y, b, k);
        AT(Y, b, k) = x;
    }
    for (int i = b + 1; i < n; ++i) {
        const double x = AT(Y, i, a);
        AT(Y, i, a) = AT(Y, i, b);
        AT(Y, i, b) = x;
    }
    const double x = AT(Y, a, a);
    AT(Y, a, a) = AT(Y, b, b);
    AT(Y, b, b) = x;
}

/* Cholesky's factor of the lower triangle, in place. */
static void factor_definite(int n, int stride, double *A)
{
    for (int j = 0; j < n; ++j) {
        for (int k = 0; k < j; ++k)
            for (int i = j; i < n; ++i)
                AT(A, i, j) -= AT(A, i, k) * AT(A, j, k);
        const double root = sqrt(AT(A, j, j));
        for (int i = j; i < n; ++i)
            AT(A, i, j) /= root;
    }
}

static void solve_definite(int n, int stride, const double *L, double *x)
{
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < i; ++k)
            x[i] -= AT(L, i, k) * x[k];
        x[i] /= AT(L, i, i);
    }
    for (int i = n - 1; i >= 0; --i) {
        x[i] /= AT(L, i, i);
        for (int k = 0; k < i; ++k)
            x[k] -= AT(L, i, k) * x[i];
    }
}

/* The rows of T, in place of L_21, and the factor of 1 + T^T T. */
static void factor_shortest(int n, int stride, int rank, double *Y, double *shortest)
{
    for (int i = rank; i < n; ++i)
        for (int j = rank - 1; j >= 0; --j) {
            AT(Y, i, j) /= AT(Y, j, j);
            for (int k = 0; k < j; ++k)
                AT(Y, i, k) -= AT(Y, i, j) * AT(Y, j, k);
        }
    for (int a = 0; a < rank; ++a)
        for (int b = 0; b <= a; ++b) {
            double sum = a == b;
            for (int i = rank; i < n; ++i)
                sum += AT(Y, i, a) * AT(Y, i, b);
            AT(shortest, a, b) = sum;
        }
    factor_definite(rank, stride, shortest);
}

int cardo_semidefinite_factor(int n, int stride, double *Y, double *shortest, const double *scale,
                              int *order, double least)
{
    for (int i = 0; i < n; ++i)
        order[i] = i;
    int rank = 0;
    for (; rank < n; ++rank) {
        int pivot = rank;
        double largest = -1;
        for (int i = rank; i < n; ++i) {
            const double left = AT(Y, i, i) / scale[order[i]];
            if (left > largest) {
                largest = left;
                pivot = i;
            }
        }
        if (!(largest > least))
            break;
        if (pivot != rank) {
            const int at = order[rank];
            exchange(n, stride, Y, rank, pivot);
            order[rank] = order[pivot];
            order[pivot] = at;
        }
        const double root = sqrt(AT(Y, rank, rank));
        AT(Y, rank, rank) = root;
        for (int i = rank + 1; i < n; ++i)
            AT(Y, i, rank) /= root;
        for (int i = rank + 1; i < n; ++i)
            for (int j = rank + 1; j <= i; ++j)
                AT(Y, i, j) -= AT(Y, i, rank) * AT(Y, j, rank);
    }
    if (rank > 0 && rank < n)
        factor_shortest(n, stride, rank, Y, shortest);
    return rank;
}

void cardo_semidefinite_solve(int n, int stride, int rank, const double *Y, const double *shortest,
                              const int *order, const double *b, double *x, double *work)
{
    for (int i = 0; i < n; ++i)
        work[i] = b[order[i]];
    for (int i = rank; i < n; ++i)
        for (int j = 0; j < rank; ++j)
            work[j] += AT(Y, i, j) * work[i];
    if (rank < n)
        solve_definite(rank, stride, shortest, work);
    solve_definite(rank, stride, Y, work);
    if (rank < n)
        solve_definite(rank, stride, shortest, work);
    for (int i = rank; i < n; ++i) {
        work[i] = 0;
        for (int j = 0; j < rank; ++j)
            work[i] += AT(Y, i, j) * work[j];
    }
    for (int i = 0; i < n; ++i)
        x[order[i]] = work[i];
}

/* z = B^T (B B^T)^-1 L_11^-T e */
void cardo_semidefinite_root(int n, int stride, int rank, const double *Y, const double *shortest,
                             const int *order, int column, double *z, double *work)
{
    for (int i = 0; i < n; ++i)
        work[i] = i == column;
    for (int i = column; i >= 0; --i) {
        work[i] /= AT(Y, i, i);
        for (int k = 0; k < i; ++k)
            work[k] -= AT(Y, i, k) * work[i];
    }
    if (rank < n)
        solve_definite(rank, stride, shortest, work);
    for (int i = rank; i < n; ++i) {
        work[i] = 0;
        for (int j = 0; j < rank; ++j)
            work[i] += AT(Y, i, j) * work[j];
    }
    for (int i = 0; i < n; ++i)
        z[order[i]] = work[i];
}

double cardo_semidefinite_log_det(int n, int stride, int rank, const double *Y,
                                  const double *shortest)
{
    double sum = 0;
    for (int i = 0; i < rank; ++i)
        sum += 2 * log(AT(Y, i, i)) + (rank < n ? 2 * log(AT(shortest, i, i)) : 0);
    return sum;
}
