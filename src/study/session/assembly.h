/* A session's start on the constraints of its model. */
#ifndef CARDO_STUDY_SESSION_ASSEMBLY_H
#define CARDO_STUDY_SESSION_ASSEMBLY_H

#include "base/result.h"
#include "study/session/session.h"

/* Brings the state onto the constraints with the least change of coordinates, those that the session holds (held) fixed, counts
 * degrees of freedom, and keeps what came of it; a state that obeys already stays as it is to the bit. Without constraints it
 * only counts. Realizes POSITION. CARDO_ERROR_NUMERICAL names the row that is farthest off where that cannot be done. */
cardo_status cardo_session_assemble(cardo_session *session, cardo_error *error);

/* Brings the state onto the constraints while these coordinates (nq; NULL: none) stay; nothing without constraints. Realizes
 * POSITION. */
cardo_status cardo_session_close_loops(const cardo_session *session, const bool *held,
                                       cardo_error *error);
/* Has the model constraints? */
bool cardo_session_is_constrained(const cardo_session *session);

/* A note for the listener, where the model's start was moved: by how much. */
void cardo_session_tell_assembly(const cardo_session *session);

/* Adds "constraints": each with its kind, rows and switch, how many rows and their rank, redundant ones by name, and what
 * assembly found and changed. Nothing for a model without constraints. */
cardo_status cardo_constraints_fill(cardo_session *session, cardo_result *into, cardo_error *error);

#endif
