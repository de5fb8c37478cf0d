/* A part of results: a model's strain beyond what all atoms ask along its paths. */
#ifndef CARDO_STUDY_REFERENCE_ALL_ATOMS_H
#define CARDO_STUDY_REFERENCE_ALL_ATOMS_H

#include "base/result.h"
#include "study/session/session.h"

/* Cools the model along its paths (course.h), sweeps the reference (reference.h), and adds "all_atoms": what was held and how far it
 * came, the table "all_atoms" with a row for each place, and the verdict in words. */
cardo_status cardo_all_atoms_fill(cardo_session *session, int places, int iterations, int sweeps,
                                  cardo_result *into, cardo_error *error);

#endif
