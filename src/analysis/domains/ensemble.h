/* More than two structures: which two differ most, and where the others stand between them. */
#ifndef CARDO_ANALYSIS_DOMAINS_ENSEMBLE_H
#define CARDO_ANALYSIS_DOMAINS_ENSEMBLE_H

#include "analysis/domains/motions.h"

/* One structure of an ensemble, its residues in the order of the first. */
typedef struct cardo_ensemble_member {
    const cardo_structure *structure;
    const int *match; /* residue for each of the first's, or -1; NULL for the first itself */
} cardo_ensemble_member;

/* The two members whose common C-alpha differ most after superposition, in their order: pair[2], and
 * the root mean square of the difference, nm. Of more than 64 members, the one farthest from the
 * first and the one farthest from that. */
cardo_status cardo_ensemble_extremes(int n, const cardo_ensemble_member *member, int pair[2],
                                     double *rmsd, cardo_error *error);

/* Where a structure stands on a hinge that was found between two others. */
typedef struct cardo_hinge_state {
    double angle; /* of the child's rotation since the reference, radian                 */
    double share; /* of it about the hinge's axis, 0: the reference, 1: the target       */
    double rmsd;  /* that rigid parent and child leave, nm                               */
} cardo_hinge_state;

/* The state of every hinge (state[motions->nhinge]) in a structure; match: its residue for each of
 * the reference's, or -1. */
cardo_status cardo_hinge_states(const cardo_structure *reference,
                                const cardo_domain_motions *motions,
                                const cardo_structure *structure, const int *match,
                                cardo_hinge_state *state, cardo_error *error);

#endif
