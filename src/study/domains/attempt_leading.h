/* Torsions that leap along a trial's way, or that lost the wells in which it began at its last end, are led by the paths, as long as the model makes its
 * motion better so. */
#ifndef CARDO_STUDY_DOMAINS_ATTEMPT_LEADING_H
#define CARDO_STUDY_DOMAINS_ATTEMPT_LEADING_H

#include "study/domains/attempt_model.h"

/* Leads what leapt or was lost in a trial, in further trials until nothing does or that helps no more; the trial is the last of these. */
cardo_status cardo_attempt_lead(cardo_domain_attempt *attempt, cardo_motion_trial *trial,
                                cardo_error *error);
/* As lead, and the trial stays: *last, zero at first, is the last of these, or zero where leading did not help. */
cardo_status cardo_attempt_lead_leaping(cardo_domain_attempt *attempt,
                                        const cardo_motion_trial *trial, cardo_motion_trial *last,
                                        cardo_error *error);

#endif
