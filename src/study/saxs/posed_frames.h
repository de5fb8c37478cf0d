/* Frames of rigid bodies, several at once: the pose of each body is a superposition of its scatterers where the tables were made. */
#ifndef CARDO_STUDY_SAXS_POSED_FRAMES_H
#define CARDO_STUDY_SAXS_POSED_FRAMES_H

#include "experiment/saxs/profile.h"

typedef struct cardo_posed_frame {
    double *positions; /* of all atoms (natom x 3, nm): what is to be looked at  */
    double *partials;  /* (plan->nq x CARDO_PARTIALS)                            */
    double gyration;   /* nm                                                     */
    double loosest;    /* rms of a body's scatterers about its pose, nm          */
    bool rigid;        /* none is looser than 0.01 nm; else there are no partials */
} cardo_posed_frame;

typedef struct cardo_posed_frames {
    int room; /* as many at once */
    cardo_posed_frame *frame;
    struct cardo_posed_worker *worker; /* one a thread */
    const cardo_profile_plan *plan;
    const cardo_scatterers *scatterers;
    const int *body;
    double *made; /* where the scatterers stand (n x 3) */
    int nbody, asked;
} cardo_posed_frames;

/* For frames of natom atoms, by plan->bodies, which are those of body (scatterers->n). All but the frames are borrowed; scatterers stand as the tables
 * have them. Zero-initialise *out; the caller clears it, also after a failure. */
cardo_status cardo_posed_frames_make(const cardo_profile_plan *plan,
                                     const cardo_scatterers *scatterers, int nbody, const int *body,
                                     int natom, cardo_posed_frames *out, cardo_error *error);
void cardo_posed_frames_clear(cardo_posed_frames *frames);

/* Fills the first n frames (at most frames->room) from their positions by the plan's threads: bitwise the same on any number of these. */
cardo_status cardo_posed_frames_find(cardo_posed_frames *frames, int n, cardo_error *error);

#endif
