#include "sampling/variables/superposition.h"

#include <string.h>

/* One rotation of Jacobi's method: A <- J^T A J, V <- V J with A[p][r] made 0. */
static void jacobi_rotate(double A[4][4], double V[4][4], int p, int r)
{
    const double theta = (A[r][r] - A[p][p]) / (2 * A[p][r]);
    const double t = copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1));
    const double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 4; ++k) {
        const double a = A[k][p], b = A[k][r], v = V[k][p], w = V[k][r];
        A[k][p] = c * a - s * b;
        A[k][r] = s * a + c * b;
        V[k][p] = c * v - s * w;
        V[k][r] = s * v + c * w;
    }
    for (int k = 0; k < 4; ++k) {
        const double a = A[p][k], b = A[r][k];
        A[p][k] = c * a - s * b;
        A[r][k] = s * a + c * b;
    }
    A[p][r] = A[r][p] = 0;
}

/* Eigenvectors of a symmetric 4 x 4 matrix in the columns of V, eigenvalues on A's diagonal. Jacobi's
 * cyclic method is at rounding after six sweeps or so; 30 are never needed. */
static void jacobi(double A[4][4], double V[4][4])
{
    memset(V, 0, 16 * sizeof V[0][0]);
    for (int k = 0; k < 4; ++k)
        V[k][k] = 1;
    for (int sweep = 0; sweep < 30; ++sweep) {
        double off = 0, size = 0;
        for (int p = 0; p < 4; ++p)
            for (int r = 0; r < 4; ++r)
                *(p == r ? &size : &off) += fabs(A[p][r]);
        if (!(off > 1e-18 * size))
            return;
        for (int p = 0; p < 3; ++p)
            for (int r = p + 1; r < 4; ++r)
                if (A[p][r] != 0)
                    jacobi_rotate(A, V, p, r);
    }
}

/* The quaternion of the largest eigenvalue of Horn's matrix. */
bool cardo_best_rotation(cardo_mat33 C, cardo_mat33 *R)
{
    double V[4][4],
        A[4][4] = {
            {C.m[0][0] + C.m[1][1] + C.m[2][2], C.m[2][1] - C.m[1][2], C.m[0][2] - C.m[2][0],
             C.m[1][0] - C.m[0][1]},
            {0, C.m[0][0] - C.m[1][1] - C.m[2][2], C.m[0][1] + C.m[1][0], C.m[0][2] + C.m[2][0]},
            {0, 0, C.m[1][1] - C.m[0][0] - C.m[2][2], C.m[1][2] + C.m[2][1]},
            {0, 0, 0, C.m[2][2] - C.m[0][0] - C.m[1][1]},
        };
    int best = 0;
    for (int p = 1; p < 4; ++p)
        for (int r = 0; r < p; ++r)
            A[p][r] = A[r][p];
    jacobi(A, V);
    for (int k = 1; k < 4; ++k)
        if (A[k][k] > A[best][best])
            best = k;
    for (int k = 0; k < 4; ++k)
        if (k != best && !(A[best][best] - A[k][k] > 1e-12 * fabs(A[best][best])))
            return false;
    *R = m33_from_quat(
        quat_unit((cardo_quaternion){V[0][best], V[1][best], V[2][best], V[3][best]}));
    return true;
}
