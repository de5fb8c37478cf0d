/* The domains that were found, as a result. */
#ifndef CARDO_STUDY_DOMAINS_RESULT_H
#define CARDO_STUDY_DOMAINS_RESULT_H

#include "analysis/domains/ensemble.h"
#include "analysis/domains/prediction.h"
#include "base/result.h"
#include "study/domains/inputs.h"

/* What was found; prediction: NULL unless there was one structure; state: of the hinges in every
 * member, nhinge each, or NULL (a member that cannot be compared has angle -1). */
typedef struct cardo_domain_findings {
    const cardo_domain_inputs *inputs;
    const cardo_domain_motions *motions;
    const cardo_domain_prediction *prediction;
    const cardo_hinge_state *state;
    const int *lead;         /* of hinges that are copies (nhinge), or NULL                      */
    bool symmetric;          /* copies are to go by one coordinate                               */
    const char *left_out[2]; /* waters, ions and ligands of the two structures, or ""           */
    const char *note;        /* about the reference, or ""                                      */
} cardo_domain_findings;

/* Fills a group: the verdict and what it rests on, then "pair", "domains", "strands", "hinges", "methods" and
 * "structures". */
cardo_status cardo_domains_fill(const cardo_domain_findings *findings, cardo_result *into,
                                cardo_error *error);

#endif
