/* What is going to be studied, for the head of a result. */
#ifndef CARDO_STUDY_SESSION_HEAD_H
#define CARDO_STUDY_SESSION_HEAD_H

#include "base/result.h"
#include "study/session/session.h"

/* Adds the model's name and size, what its structures are noted for ("notes"), and, where there are forces, who computes
 * them ("engine", "solvent", its salt, "method", "choice": why this provider) and whether always to the same bits
 * ("deterministic"). */
void cardo_session_head(const cardo_session *session, cardo_result *into);

/* Tells the listener what begins now: the head, what the forces were judged to be, and what add puts there (NULL:
 * nothing more). */
cardo_status cardo_session_announce(const cardo_session *session,
                                    void (*add)(const void *self, cardo_result *head),
                                    const void *self, cardo_error *error);

#endif
