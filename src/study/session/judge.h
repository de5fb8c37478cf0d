/* OpenMM as the judge of provider rigid: before a run is begun, the energies by term and the
 * generalized forces that rigid gives where it starts are compared with those of OpenMM for the same
 * force field and structure, built anew from it. src/forces/rigid/README.md says where the bounds come from. */
#ifndef CARDO_STUDY_SESSION_JUDGE_H
#define CARDO_STUDY_SESSION_JUDGE_H

#include "study/session/judgement.h"
#include "study/session/session.h"

/* Judges the forces of provider rigid at the session's state, which it realizes to POSITION, into session->judgement, unless
 * another provider computes them or forcefield.check-forces=no. What lies beyond its bound is
 * CARDO_ERROR_NUMERICAL, with its name, both numbers and the bound. A place that cannot be evaluated,
 * since atoms overlap, is told in passed_over and is no failure: the run meets it itself. The listener
 * hears the verdict as a note about forcefield.check-forces. */
cardo_status cardo_judge(cardo_session *session, cardo_error *error);

/* Fills worst and share; CARDO_ERROR_NUMERICAL as above. A number that is not finite is beyond any bound. */
cardo_status cardo_judgement_verdict(cardo_judgement *judgement, cardo_error *error);

enum { CARDO_JUDGEMENT_TEXT = 1024 };

/* The one line about it; "" where nothing was to be judged. Returns text. */
const char *cardo_judgement_text(const cardo_session *session, char text[CARDO_JUDGEMENT_TEXT]);

/* NULL is fine. */
void cardo_judgement_destroy(cardo_judgement *judgement);

#endif
