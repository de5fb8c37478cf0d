/* Residues of different bodies that come near each other along the paths. */
#ifndef CARDO_MODEL_NEAR_H
#define CARDO_MODEL_NEAR_H

#include "model/model.h"

/* Called for two residues (r < t) of different bodies whose boxes are near at a place of the paths;
 * position: all atoms there (natom x 3, nm). */
typedef void cardo_near_visit(void *user, int sample, int r, int t, const double *position);

typedef struct cardo_near_walk {
    const double *position;     /* of the reference's atoms, nm, or NULL: its own  (natom x 3) */
    const int *body_of_residue; /* -1: of none, passed over                        (nresidue)  */
    double distance;            /* nm                                                          */
    int nsample;
    const double *fraction; /* of all paths                                    (nsample)   */
    const cardo_transform
        *pose; /* of every body of the model relative to where the reference has it
                                    (nsample x nbody); NULL: as the paths lead it, all else standing still */
    cardo_near_visit *visit;
    void *user;
} cardo_near_walk;

/* Visits pairs of residues, sample by sample. Residues next to each other or to a common one
 * along a chain are not visited: what brings them near is the cut between them. */
cardo_status cardo_model_walk_near(const cardo_model *model, const cardo_near_walk *walk,
                                   cardo_error *error);

/* Marks residues that come within a distance (nm, between heavy atoms) of a residue of another body
 * somewhere along the paths: near (nresidue). */
cardo_status cardo_model_near(const cardo_model *model, const int *body_of_residue, double distance,
                              bool *near, cardo_error *error);

/* The domain body that each residue rides with where torsions stand still (nresidue). */
void cardo_model_riders(const cardo_model *model, int *body_of_residue);

#endif
