/* The free energy along a variable that was sampled without a bias, from its COLVAR file. */
#ifndef CARDO_CLI_MIXED_PROFILE_H
#define CARDO_CLI_MIXED_PROFILE_H

#include "base/status.h"
#include "sampling/variables/variable.h"

#include <stdbool.h>

typedef struct cardo_profile_plan {
    const char *folder, *colvar; /* the folder for the results; the file with the samples        */
    const char *title;
    const cardo_variable *variable;
    double kT;     /* kJ/mol                                             */
    double target; /* kT: the standard error that is hoped for; 0: none */
    int bins;
    bool quiet, json; /* says nothing; prints the profile as JSON */
} cardo_profile_plan;

/* Writes pmf.csv (F = -kT ln p with standard errors that know of correlation) and its picture, and says
 * on standard output how many independent samples there are and what is thought of them. The second
 * column of the file has the variable. */
cardo_status cardo_profile_from_colvar(const cardo_profile_plan *plan, cardo_error *error);

#endif
