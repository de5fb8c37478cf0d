/* Energies by term and generalized forces of a session where its state stands. */
#ifndef CARDO_STUDY_SESSION_ENERGIES_H
#define CARDO_STUDY_SESSION_ENERGIES_H

#include "study/session/session.h"

/* Zero-initialise. */
typedef struct cardo_energies {
    int nterm, nu;
    const char **term; /* names, lent by the session                                     (nterm)  */
    double *energy;    /* of the terms, kJ/mol                                           (nterm)  */
    double potential;  /* kJ/mol                                                                  */
    double *force;     /* generalized, kJ/mol per unit of the speed                      (nu)     */
    const char *note;  /* what to know of the solvent's cost before a long run, or NULL; static   */
} cardo_energies;

/* Evaluates at the session's state (POSITION), with terms. Needs a provider. Clear *energies also after a failure. */
cardo_status cardo_session_energies(cardo_session *session, cardo_energies *energies,
                                    cardo_error *error);
void cardo_energies_clear(cardo_energies *energies);

/* Is speed k that of a body which <flexible> made, of which there are many? */
bool cardo_session_is_torsion(const cardo_session *session, int mobility);

#endif
