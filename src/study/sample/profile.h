/* A free energy along a variable in a result: the same parts whichever way it was found. */
#ifndef CARDO_STUDY_SAMPLE_PROFILE_H
#define CARDO_STUDY_SAMPLE_PROFILE_H

#include "base/result.h"

/* F(xi) at n places, in kT. */
typedef struct cardo_profile_lines {
    const char *coordinate, *unit;
    double kT; /* kJ/mol                                                               */
    int n;
    const double *xi;        /*                                               (n)            */
    const double *F, *sigma; /* kT; NaN: not sampled                          (n)            */
    const double *bootstrap; /* standard errors by another way, kT, or NULL   (n)            */
    const double *effective; /* samples that each place is worth, or NULL     (n)            */
} cardo_profile_lines;

/* Adds "variable", "unit", and "xi", "F_kJ_per_mol", "sigma_kJ_per_mol" as arrays, and the table "profile" of the file
 * pmf.csv: the same with F above its lowest, and what else there is. */
void cardo_profile_fill(const cardo_profile_lines *lines, cardo_result *into);

#endif
