/* A constant mass matrix A, of a kinetic energy 1/2 u^T A u, by its Cholesky factor. */
#ifndef CARDO_MULTIBODY_ALGEBRA_MASS_MATRIX_H
#define CARDO_MULTIBODY_ALGEBRA_MASS_MATRIX_H

#include "base/status.h"

/* A = L L^T. Rows one after another. */
typedef struct mass_matrix {
    int n;
    double *A;      /* (n x n)                                */
    double *L;      /* (n x n), zero above the diagonal       */
    double log_det; /* ln det A                               */
} mass_matrix;

/* A copy of A (n x n), factored; CARDO_ERROR_SINGULAR where it is not positive definite. The caller owns *out. */
cardo_status cardo_mass_matrix_create(int n, const double *A, mass_matrix **out,
                                      cardo_error *error);
void cardo_mass_matrix_destroy(mass_matrix *self);

/* out and v (n each) may be the same but for _multiply. */
void cardo_mass_matrix_multiply(const mass_matrix *self, const double *v,
                                double *out);                                        /* A v      */
void cardo_mass_matrix_solve(const mass_matrix *self, const double *v, double *out); /* A^-1 v   */
/* W = L^-T, so that A^-1 = W W^T: W v, W^-1 v, W^T v, W^-T v. */
void cardo_mass_matrix_root_solve_transposed(const mass_matrix *self, const double *v, double *out);
void cardo_mass_matrix_root_multiply_transposed(const mass_matrix *self, const double *v,
                                                double *out);
void cardo_mass_matrix_root_solve(const mass_matrix *self, const double *v, double *out);
void cardo_mass_matrix_root_multiply(const mass_matrix *self, const double *v, double *out);

/* Entry j of A v. */
double cardo_mass_matrix_momentum(const mass_matrix *self, int j, const double *v);
/* 1/2 v^T A v */
double cardo_mass_matrix_energy(const mass_matrix *self, const double *v);

#endif
