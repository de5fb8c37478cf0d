/* One geometry of a model's rigid parts that suits both ends of its motion.
 *
 * Crystals of the first structure packed its domains for the first structure: closed, they meet in places that a few hundredths of a nanometre
 * would smooth. Here all atoms are free and the sum of the energies at both ends is minimized, with what lies in a rigid domain
 * the same in its frame at both, and the domains' poses held (study/reference/poses.h). What turns has a place of its own at either end.
 */
#ifndef CARDO_STUDY_DOMAINS_SHARED_GEOMETRY_H
#define CARDO_STUDY_DOMAINS_SHARED_GEOMETRY_H

#include "study/session/session.h"

typedef struct cardo_shared_geometry {
    int natom, nled;
    double *positions; /* of the reference, for the first end, nm (natom x 3)                  */
    double *last;      /* likewise for the last end (natom x 3)                                */
    double *
        led; /* coordinates at the last end of bodies that do not hang by a bond, in their order (nled) */
    double before[2], after[2]; /* energies of all atoms at both ends, kJ/mol                  */
    int iterations;
} cardo_shared_geometry;

/* How the ends of the sum are weighed. */
typedef struct cardo_shared_balance {
    int iterations; /* most, of all atoms by themselves at each end                             */
    double to_last; /* by how much more the last end is to be above these than the first, kJ/mol */
} cardo_shared_balance;

/* first, last: coordinates of the session's system at both ends (nq), of which the first end takes torsions alone: its
 * domains stand as in the first structure. turning: residues whose side chains are to turn (nresidue), NULL: all that do; others are parts of
 * what they hang on, as at the first end. balance: weights of the ends by which that is so; NULL: both count alike. The session's state stands where it was afterwards. CARDO_ERROR_UNSUPPORTED without
 * energy terms. Zero-initialise *out; clear it also after a failure. */
cardo_status cardo_shared_geometry_find(cardo_session *session, const double *first,
                                        const double *last, const bool *turning, int iterations,
                                        const cardo_shared_balance *balance,
                                        cardo_shared_geometry *out, cardo_error *error);
/* Coordinates at the last end (nq) of a model that was made from positions; *fits: false where that has other atoms or joints. */
cardo_status cardo_shared_geometry_end(const cardo_session *session,
                                       const cardo_shared_geometry *geometry, double *q, bool *fits,
                                       cardo_error *error);
void cardo_shared_geometry_clear(cardo_shared_geometry *geometry);

#endif
