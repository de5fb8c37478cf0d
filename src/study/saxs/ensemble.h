/* Shares of conformations that a curve asks for, and what of them it tells whatever one thought before. */
#ifndef CARDO_STUDY_SAXS_ENSEMBLE_H
#define CARDO_STUDY_SAXS_ENSEMBLE_H

#include "experiment/saxs/ensemble_fit.h"
#include "study/saxs/context.h"
#include "study/saxs/measured.h"

enum { CARDO_SAXS_FEWEST_TO_SMOOTH = 9, CARDO_SAXS_MOST_SHARES = 301 };

typedef struct cardo_saxs_question {
    cardo_conformations all;
    const char *const *names; /* of structures (n); NULL: places of a coordinate */
    const char *coordinate;   /* its name                                    */
    const double *q;          /* and its values (n)                          */
    bool prior_said;          /* not all conformations alike                 */
    const char *prior_name;   /* what it is; NULL: a free energy that was given */
    double one;               /* chi^2 of the best conformation alone, of all that is fitted      */
    const cardo_saxs_measured *measured; /* what joins the curve; NULL: nothing */
    bool has_boundary;                   /* of its own, in place of the option's        */
    double boundary;
} cardo_saxs_question;

/* A group "ensemble": shares, their bounds from the curve alone (profile likelihood), of more than eight conformations the
 * distribution nearest to the prior, by cross-validation, and a verdict. Where no ensemble explains the curve there are no shares. */
cardo_status cardo_saxs_ensemble(cardo_saxs_context *context, const cardo_saxs_question *question,
                                 cardo_result *into, cardo_error *error);

/* Shares (n) by a free energy along the coordinate, from a file of two columns and more (its value, kJ/mol) or a folder of `cardo sample`
 * (pmf.csv); "": all alike. Values of the coordinate that the file does not reach are CARDO_ERROR_INPUT. */
cardo_status cardo_saxs_prior(const char *path, double temperature, int n, const double *q,
                              double *prior, cardo_error *error);

#endif
