/* What a session knows of itself, filled into results: the same parts in every study. */
#ifndef CARDO_STUDY_SESSION_RESULT_H
#define CARDO_STUDY_SESSION_RESULT_H

#include "base/result.h"
#include "study/session/session.h"
#include "study/session/strain.h"

/* Adds "forces_judged": how the forces compare with the judge's (study/session/judge.h), and the line about it; nothing where
 * nothing was to be judged. */
void cardo_judgement_fill(const cardo_session *session, cardo_result *into);

/* Adds "strain": verdict, sums and terms. */
void cardo_strain_fill(const cardo_session *session, const cardo_strain *strain,
                       cardo_result *into);

/* Evaluates at the session's state and adds "platform", "engine", "energies_kJ_per_mol" by term,
 * "potential_kJ_per_mol" and "generalized_forces"; those on torsions are hidden, as they are many. */
cardo_status cardo_energies_fill(cardo_session *session, cardo_result *into, cardo_error *error);

/* Adds the ionic strength, where the model names it, and kappa of a solvent that has salt. */
void cardo_session_fill_salt(const cardo_session *session, cardo_result *into);

#endif
