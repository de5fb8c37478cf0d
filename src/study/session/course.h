/* The way that a model's paths lead, from the first structure to the last, on the manifold of its constraints. */
#ifndef CARDO_STUDY_SESSION_COURSE_H
#define CARDO_STUDY_SESSION_COURSE_H

#include "study/session/session.h"

/* At a place of the way; state: the session's, at POSITION. */
typedef cardo_status (*cardo_course_visitor)(void *context, int place, cardo_error *error);

/* Leads all paths together through n places (0: first structure, 1: last) and visits each. All else stands still, or, where there
 * are constraints, moves as little as they let it, in steps of at most 0.05 of the way. *reached: how many places there were before constraints
 * let the paths go no farther; 0 for a model without paths. The session's state is where it was, afterwards. */
cardo_status cardo_session_course(const cardo_session *session, int n, const double *fraction,
                                  cardo_course_visitor visit, void *context, int *reached,
                                  cardo_error *error);

/* Has the model paths? */
bool cardo_session_has_course(const cardo_session *session);

#endif
