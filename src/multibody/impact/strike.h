/* The speeds after an impact. */
#ifndef CARDO_MULTIBODY_IMPACT_STRIKE_H
#define CARDO_MULTIBODY_IMPACT_STRIKE_H

#include "cardo/impact.h"

#include <stdbool.h>

/* Rows that take part: those of contacts that touch, with their signs, and those of all that goes on holding, which are free. */
typedef struct strike {
    int n;
    const double *Y;           /* (n x n), of signed rows                      */
    const bool *free;          /* (n)                                          */
    const double *restitution; /* (n) */
    const double *capture;     /* (n): closing no faster than this it gives nothing back */
    const int *pair;           /* (n), which two bodies; of free rows: nothing */
    double *v;                 /* rates: before, then after              (n) */
    double *P;                 /* impulses                               (n) */
    double *q, *x, *work;      /* room: n, n, 3 n^2 + 6 n                    */
    bool *held;                /* n */
    int *numbers, *subset;     /* 3 n, n */
    double *sub;               /* n^2 */
    double level;              /* speeds below this are none */
} strike;

cardo_status cardo_strike_newton(strike *s, cardo_error *error);
cardo_status cardo_strike_poisson(strike *s, cardo_error *error);
cardo_status cardo_strike_sequential(strike *s, cardo_error *error);

#endif
