/* The study "fit": the coordinates of a model that best reproduce given atom positions. A session that was opened with
 * model_alone will do; its state stays where it stands. */
#ifndef CARDO_STUDY_FIT_FIT_H
#define CARDO_STUDY_FIT_FIT_H

#include "study/session/study.h"

/* The study's options. Zero-initialise; only inputs are needed. */
typedef struct cardo_fit_options {
    double
        identity; /* share of equal residues that is enough for two structures to be compared; 0: by the rule of
                        structure/atoms/superpose.h */
    int model; /* this model or frame of each file; 0: what its name says, else all */
    bool keep; /* frames stay in the result; else only the listener gets them (part) */
    char chains[CARDO_FIELD_STRING_SIZE]; /* of the structures, with commas between; "": all */
    char atoms
        [CARDO_FIELD_TEXT_SIZE]; /* a selection of the model's atoms; "": all where the structure has just the
                        model's, heavy atoms where the model has torsions, else C-alpha of the domains */
    cardo_study_inputs inputs;        /* FILE, FILE#CHAIN or FILE#MODEL:CHAIN */
    const cardo_frame_reader *frames; /* of trajectories among them; NULL: there are none */
    const cardo_writer *writer; /* gets a table "fit.csv" of coordinates and a trajectory "fit" */
} cardo_fit_options;

#endif
