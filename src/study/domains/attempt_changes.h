/* What is changed of a model whose places all atoms have judged: one geometry for all of them, and residues that need not turn. Each change stays where
 * another trial, judged again, shows that it helps. */
#ifndef CARDO_STUDY_DOMAINS_ATTEMPT_CHANGES_H
#define CARDO_STUDY_DOMAINS_ATTEMPT_CHANGES_H

#include "study/domains/attempt_model.h"

/* Judges the trial. Where strain is above two thirds of what a model may have, since leading what leaps costs some, a geometry that weighs all judged places so that
 * none is strained much more than others; and again where it is above all of that, as long as something is taken off it: all atoms come lower where
 * a geometry suits them better, and show then which places are still strained. */
cardo_status cardo_attempt_balance(cardo_domain_attempt *attempt, cardo_motion_trial *trial,
                                   cardo_error *error);
/* Holds what need not turn (freezing.h) of a model that is strained less than it may be, as long as it is good from end to end and its cycle closed. What is led
 * stays so. */
cardo_status cardo_attempt_freeze(cardo_domain_attempt *attempt, cardo_motion_trial *trial,
                                  cardo_error *error);

#endif
