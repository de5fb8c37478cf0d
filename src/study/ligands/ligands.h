/* The ligands of a model, as results and notes tell them. */
#ifndef CARDO_STUDY_LIGANDS_LIGANDS_H
#define CARDO_STUDY_LIGANDS_LIGANDS_H

#include "base/result.h"
#include "study/session/session.h"

/* Where no bath says how hot it is, K. */
#define CARDO_LIGANDS_TEMPERATURE 300

/* A table "ligands" with their contacts where the session's state stands (POSITION), and of those that are held near a site its volume and
 * the free energy of letting them out of it to 1 mol/L at this temperature (K). Nothing without ligands. */
cardo_status cardo_ligands_fill(const cardo_session *session, double kelvin, cardo_result *into,
                                cardo_error *error);
/* The same of what holds them, as notes for the listener. */
void cardo_ligands_tell(const cardo_session *session, double kelvin, const char *about);

#endif
