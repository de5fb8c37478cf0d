/* Taking clashes away before a minimization: the model's soft-core energy, hardened in stages. */
#ifndef CARDO_STUDY_SESSION_SOFT_START_H
#define CARDO_STUDY_SESSION_SOFT_START_H

#include "dynamics/minimization.h"
#include "study/session/session.h"

/* Told of the stages, from 1, with this softness and weight of the bonded energies; result NULL
 * before it. */
typedef void (*cardo_soft_stage)(void *user, int stage, double softness, double bonded,
                                 const cardo_minimization_result *result);

/* Minimizes bonded energies and soft-core Lennard-Jones energies between bodies from the state of
 * the session, at softness 0.5, 0.1 and
 * 0.02, with weak bonds first. Needs session->terms. observer as in
 * cardo_minimization_run; stage (may be NULL) is called with observer->user. */
cardo_status cardo_soft_start(cardo_session *session, const cardo_minimization_options *options,
                              const cardo_minimization_observer *observer, cardo_soft_stage stage,
                              bool *interrupted, cardo_error *error);

#endif
