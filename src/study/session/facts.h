/* What a session's results come from, for the record of a run (cardo_record) and for checkpoints. */
#ifndef CARDO_STUDY_SESSION_FACTS_H
#define CARDO_STUDY_SESSION_FACTS_H

#include "base/result.h"
#include "study/session/session.h"

/* Adds to a group: OpenMM's version, platform, judgement and force field of the forces, the model with its structures'
 * notes and hashes, and "start", the coordinates where the session stands. */
void cardo_session_facts(const cardo_session *session, cardo_result *into);

/* Lines for checkpoints about what the forces depend on besides the model's bodies: platform,
 * solvent, method, cutoff. The caller owns *text. */
cardo_status cardo_describe_forces(const cardo_session *session, char **text, cardo_error *error);

#endif
