/* An attempt at a model that makes its motion: of one that is flexible, wells for its torsions, one geometry of its domains for both ends, and
 * torsions that go with the hinge are looked for, each step kept where a trial shows that it helps (README.md). */
#ifndef CARDO_STUDY_DOMAINS_ATTEMPT_H
#define CARDO_STUDY_DOMAINS_ATTEMPT_H

#include "study/domains/attempt_model.h"

/* Tries, and leaves the model's files as they were tried last. Of a rigid model its paths are followed once. Clear *trial also after a failure. */
cardo_status cardo_domain_attempt_run(cardo_domain_attempt *attempt, cardo_motion_trial *trial,
                                      cardo_error *error);

#endif
