/* Domains of a single structure: what its softest modes would move rigidly. A prediction. */
#ifndef CARDO_ANALYSIS_DOMAINS_PREDICTION_H
#define CARDO_ANALYSIS_DOMAINS_PREDICTION_H

#include "analysis/domains/motions.h"

typedef struct cardo_domain_prediction {
    cardo_structure *displaced;    /* the structure moved along the mode                       */
    int *match;                    /* every residue to itself                                  */
    int mode;                      /* 1: the softest                                           */
    double stiffness;              /* of the mode over the softest's                           */
    cardo_domain_motions *motions; /* between both; angles mean nothing but their directions   */
} cardo_domain_prediction;

/* Displaces the structure along its softest modes in turn, 0.1 nm of root mean square, and finds
 * domains in each; the first mode that has some is taken, or the softest when none of 6 has.
 * cutoff: of the elastic network, nm. The caller owns *out. */
cardo_status cardo_domains_predict(const cardo_structure *structure, double cutoff,
                                   const cardo_domain_options *options,
                                   cardo_domain_prediction **out, cardo_error *error);
void cardo_domain_prediction_destroy(cardo_domain_prediction *prediction);

#endif
