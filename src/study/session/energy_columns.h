/* Energies of a place as cells of a row, in tables of places. */
#ifndef CARDO_STUDY_SESSION_ENERGY_COLUMNS_H
#define CARDO_STUDY_SESSION_ENERGY_COLUMNS_H

#include "base/result.h"
#include "study/session/session.h"

/* "potential_kJ_per_mol", in kJ/mol. */
void cardo_add_potential(double potential, cardo_result *table);
/* A column for each term of the energy, as the session's evaluator has them; there false: NaN. */
void cardo_add_terms(const cardo_session *session, bool there, cardo_result *table);

#endif
