/* One geometry of a model's rigid parts that suits both ends of its motion, or other places of it as well.
 *
 * Crystals of the first structure packed its domains for the first structure: closed, they meet in places that a few hundredths of a nanometre
 * would smooth. Here all atoms are free and the sum of the energies at these places is minimized, with what lies in a rigid domain
 * the same in its frame at all, and the domains' poses held (study/reference/poses.h). What turns stands at each place where it likes.
 */
#ifndef CARDO_STUDY_DOMAINS_SHARED_GEOMETRY_H
#define CARDO_STUDY_DOMAINS_SHARED_GEOMETRY_H

#include "analysis/domains/files.h"
#include "study/session/session.h"

typedef struct cardo_shared_geometry {
    int natom, nplace;
    double *
        positions; /* of the reference, nm, at all places, the first end's first (nplace x natom x 3) */
    double before[2], after[2]; /* energies of all atoms at both ends, kJ/mol                  */
    double
        strain; /* of places above their least, the largest difference, kJ/mol; NaN: that was not asked */
    double
        springs; /* what is left of the springs' energy, kJ/mol: what is to be alike is not quite */
    int iterations;
    int nstand;
    cardo_domain_stand *stand,
        *end; /* where paths are at the first end, and at the last (nstand) */
} cardo_shared_geometry;

/* The places: coordinates of the session's system (nplace x nq, the ends first and last), 2 to CARDO_SHARED_MOST of them (shared_energy.h). */
typedef struct cardo_shared_places {
    int nplace;
    const double *coordinates;
    const double *
        least; /* what all atoms come to by themselves, kJ/mol (nplace): places are weighed so that the largest rise above it is small. NULL: all count alike */
} cardo_shared_places;

/* turning: residues whose torsions are to turn (nresidue), NULL: all that do; others are parts of
 * what they hang on, as at the first end. The session's state stands where it was afterwards. CARDO_ERROR_UNSUPPORTED without
 * energy terms. Zero-initialise *out; clear it also after a failure. */
cardo_status cardo_shared_geometry_find(cardo_session *session, const cardo_shared_places *places,
                                        const bool *turning, int iterations,
                                        cardo_shared_geometry *out, cardo_error *error);
/* Coordinates of a model that was made from positions (nq) at which its atoms are nearest to the last end's, loops closed where they can be; *fits: false
 * where it has other atoms. CARDO_ERROR_NUMERICAL where atoms stay farther away (rms, nm): strands cannot follow. left_out: residues whose atoms do not
 * count (nresidue); NULL: all count. */
cardo_status cardo_shared_geometry_end(const cardo_session *session,
                                       const cardo_shared_geometry *geometry, const bool *left_out,
                                       double farthest, double *q, bool *fits, cardo_error *error);
/* Into *out, which has none; the caller clears it, also after a failure. */
cardo_status cardo_shared_geometry_copy(const cardo_shared_geometry *geometry,
                                        cardo_shared_geometry *out, cardo_error *error);
void cardo_shared_geometry_clear(cardo_shared_geometry *geometry);

#endif
