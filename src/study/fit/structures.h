/* Structures that come one after the other: models of PDB and mmCIF files, frames of trajectories. */
#ifndef CARDO_STUDY_FIT_STRUCTURES_H
#define CARDO_STUDY_FIT_STRUCTURES_H

#include "structure/atoms/frame_reader.h"
#include "structure/atoms/structure.h"
#include "study/session/study.h"

typedef struct cardo_fit_structures cardo_fit_structures;

/* Which they are; all is borrowed until they are closed. */
typedef struct cardo_fit_structures_choice {
    cardo_study_inputs inputs; /* FILE, FILE#CHAIN or FILE#MODEL:CHAIN                          */
    const cardo_frame_reader
        *frames; /* of trajectories among them; NULL: there are none              */
    const char
        *chains; /* where a path names none: these alone, with commas between; NULL: all     */
    int model;   /* this model or frame of each file; 0: what the path says, else all        */
    const cardo_structure
        *atoms; /* those of the trajectories' frames, in their order              */
} cardo_fit_structures_choice;

/* The caller closes *out (NULL is fine). */
cardo_status cardo_fit_structures_open(const cardo_fit_structures_choice *choice,
                                       cardo_fit_structures **out, cardo_error *error);
void cardo_fit_structures_close(cardo_fit_structures *self);

/* The next one, which holds until the next call, and the name of its file; *structure is NULL after the last. */
cardo_status cardo_fit_structures_next(cardo_fit_structures *self, const char **file,
                                       const cardo_structure **structure, cardo_error *error);

#endif
