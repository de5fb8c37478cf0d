/* What cardo domains prints. */
#ifndef CARDO_CLI_DOMAIN_REPORT_H
#define CARDO_CLI_DOMAIN_REPORT_H

#include "analysis/domains/ensemble.h"
#include "analysis/domains/prediction.h"
#include "cli/domain_inputs.h"
#include "io/results/json.h"

/* What was found; prediction: NULL unless there was one structure; state: of the hinges in every
 * member, nhinge each, or NULL (a member that cannot be compared has angle -1). */
typedef struct cardo_domain_report {
    const cardo_domain_inputs *inputs;
    const cardo_domain_motions *motions;
    const cardo_domain_prediction *prediction;
    const cardo_hinge_state *state;
    const char *left_out[2]; /* waters, ions and ligands of the two structures, or ""           */
    const char *note;        /* about the reference, or ""                                      */
    cardo_json *preparation; /* of the reference, or NULL; the JSON report takes it             */
} cardo_domain_report;

cardo_status cardo_domain_report_print(const cardo_domain_report *report, cardo_error *error);
cardo_status cardo_domain_report_json(const cardo_domain_report *report, cardo_error *error);

#endif
