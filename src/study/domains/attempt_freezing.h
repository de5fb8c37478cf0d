/* Residues that need not turn are held again. */
#ifndef CARDO_STUDY_DOMAINS_ATTEMPT_FREEZING_H
#define CARDO_STUDY_DOMAINS_ATTEMPT_FREEZING_H

#include "study/domains/attempt_model.h"

/* Holds what need not turn (freezing.h) of a model that is strained less than it may be, as long as it is good from end to end and its cycle closed: first many
 * residues at a time, with a geometry that makes up for a part of what that costs, then each that can be spared by itself, with all else as it is. What is led
 * stays so. */
cardo_status cardo_attempt_freeze(cardo_domain_attempt *attempt, cardo_motion_trial *trial,
                                  cardo_error *error);

#endif
