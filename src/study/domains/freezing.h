/* Which residues need not turn: what it costs to hold the torsions of one at the same values all along a model's way.
 *
 * A place of the way is a minimum, near which the energy is quadratic: with the compliance G, the inverse of the stiffness along the constraints'
 * manifold with the paths standing still, torsions S that are held d away from where they stand cost 1/2 d^T (G_SS)^-1 d, all else moves by
 * G_.S (G_SS)^-1 d, and what is left free has the compliance G - G_.S (G_SS)^-1 G_S. (the Schur complement). Torsions that turn by
 * tens of degrees leave their well's parabola, so that what is chosen here is to be tried. */
#ifndef CARDO_STUDY_DOMAINS_FREEZING_H
#define CARDO_STUDY_DOMAINS_FREEZING_H

#include "study/session/session.h"

typedef struct cardo_freezing cardo_freezing;

/* At coordinates of nplace minima (nplace x nq) of the session's energy, which are copied; of minima that were not quite reached the size of curvatures
 * counts. Two evaluations a speed and place. The session is borrowed and stands where it was afterwards; so is its listener's stop, which ends it
 * with CARDO_ERROR_INTERRUPTED. cardo_freezing_destroy. */
cardo_status cardo_freezing_create(cardo_session *session, int nplace, const double *coordinates,
                                   cardo_freezing **out, cardo_error *error);
void cardo_freezing_destroy(cardo_freezing *freezing);

/* Places, and what may be bounded, at most. */
enum { CARDO_FROZEN_PLACES = 16, CARDO_FROZEN_LEVELS = 2 };

/* What costs are added to: energies at the places, kJ/mol (nplace), of which the largest may then be this much above the least. Borrowed. */
typedef struct cardo_frozen_level {
    const double *at;
    double bound;
} cardo_frozen_level;

typedef struct cardo_frozen {
    int n;                            /* residues */
    double cost[CARDO_FROZEN_PLACES]; /* kJ/mol (nplace) */
    double *
        coordinates; /* where the minima are to be expected (nplace x nq), loops closed where they can be; owned: cardo_free */
} cardo_frozen;

/* Holds residue after residue, the one that leaves most room below the bounds of all levels first, at most this many of them and as long as no bound is
 * broken. giving: whose backbone turns; these are held from the ends of their strands on, where they become parts of the domain. turning: whose
 * side chain does. In both (nresidue) what is held becomes false. */
cardo_status cardo_freezing_choose(const cardo_freezing *freezing, int nlevel,
                                   const cardo_frozen_level *level, int most, bool *giving,
                                   bool *turning, cardo_frozen *out, cardo_error *error);

/* What holding each residue by itself where it stands at the first place would come to: the level that comes nearest to its bound, as a share of that; infinite
 * for residues that cannot be held. share (nresidue). */
cardo_status cardo_freezing_weigh(const cardo_freezing *freezing, int nlevel,
                                  const cardo_frozen_level *level, const bool *giving,
                                  const bool *turning, double *share, cardo_error *error);

#endif
