/* Whether a conformation of a model is one that heat makes: bonds, angles and omegas of its strands, and how near heavy
 * atoms of its bodies come (forces/relax/thermal_bounds.h and approaches.h say what the bounds are). Crystal
 * conformations of the model's structures, side chains as deposited, widen them, and so does the model's start where it has side chains of
 * another structure. */
#ifndef CARDO_STUDY_SESSION_BOUNDS_H
#define CARDO_STUDY_SESSION_BOUNDS_H

#include "forces/relax/broken_bounds.h"
#include "study/session/session.h"

/* Residues that follow each other in a chain and are between bodies: with a bond of the backbone that turns, or a link
 * of the chain, or a crosslink, that is cut. */
typedef struct cardo_strand_residues {
    int first, last; /* residues of the reference */
} cardo_strand_residues;

typedef struct cardo_bounds_view {
    const cardo_session *session;
    int nstrand;
    cardo_strand_residues *strand;
    int *strand_of_residue; /* -1: in none                                     (nresidue) */
    struct cardo_thermal_bounds *thermal;
    struct cardo_approaches *approaches;
    double *positions; /* of the look at hand, nm                             (natom x 3) */
    double **
        known; /* of each structure, NaN where it has no such atom, and of the start (nknown of natom x 3) */
    int nknown;
    cardo_broken_bounds broken; /* what the last look found, worst first */
} cardo_bounds_view;

/* session is borrowed. CARDO_ERROR_UNSUPPORTED where it has no list of energy terms (no force field, a serialized system or
 * a coarse-grained energy). Clear *view also after a failure. */
cardo_status cardo_bounds_view_open(const cardo_session *session, cardo_bounds_view *view,
                                    cardo_error *error);
void cardo_bounds_view_clear(cardo_bounds_view *view);

/* Fills view->broken from a state of the session's system (POSITION), or from positions of its atoms (natom x 3, nm,
 * finite). */
cardo_status cardo_bounds_view_look(cardo_bounds_view *view, const cardo_state *state,
                                    cardo_error *error);
cardo_status cardo_bounds_view_look_at(cardo_bounds_view *view, const double *positions,
                                       cardo_error *error);

enum { CARDO_BROKEN_BOUND_TEXT = 256 };

/* "bond A:ALA66 C - A:LEU67 N 1.62 A (1.24 to 1.43)", "contact A:TYR14 CZ - A:ALA164 CB 2.31 A (2.98 or more)"; returns
 * text. */
char *cardo_broken_bound_text(const cardo_session *session, const cardo_broken_bound *broken,
                              char text[CARDO_BROKEN_BOUND_TEXT]);

#endif
