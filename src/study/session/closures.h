/* Geometry of strands that are closed rigidly, where it is the force field's. */
#ifndef CARDO_STUDY_SESSION_CLOSURES_H
#define CARDO_STUDY_SESSION_CLOSURES_H

#include "study/session/session.h"

/* Puts the closures of the session's model that are to have the force field's geometry (geometry="forcefield") there: equilibrium
 * length and angles of its terms, planar impropers and omega. Before the system is made. CARDO_ERROR_INPUT where the session has
 * no terms, or these do not tell. */
cardo_status cardo_session_set_closures(cardo_session *session, cardo_error *error);

#endif
