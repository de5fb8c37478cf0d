/* Exact sums over all atoms as the judge of provider rigid. */
#ifndef CARDO_STUDY_SESSION_JUDGE_SUMS_H
#define CARDO_STUDY_SESSION_JUDGE_SUMS_H

#include "study/session/judgement.h"
#include "study/session/session.h"

/* Part of cardo_judge: fills forces with Born radii, their derivatives and forces of 1000 atoms, by sums over
 * all atoms (forces/rigid/sums/sums.h). */
cardo_status cardo_judge_by_sums(cardo_session *session, cardo_judgement *judgement,
                                 cardo_error *error);

/* Forces on all atoms from pairs with other bodies, kJ/mol/nm (natom x 3, ground), in double precision: bonded terms may balance
 * them, and do where all atoms are at rest. The session is realized to POSITION. */
cardo_status cardo_pair_forces(const cardo_session *session, double *forces, cardo_error *error);

#endif
