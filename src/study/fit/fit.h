/* The study "fit": the coordinates of a model that best reproduce given atom positions. A session that was opened with
 * model_alone will do; its state stays where it stands. */
#ifndef CARDO_STUDY_FIT_FIT_H
#define CARDO_STUDY_FIT_FIT_H

#include "base/writer.h"
#include "structure/atoms/structure_source.h"

/* Who takes every frame when it is fitted: a group, lent for the call. */
typedef struct cardo_fit_observer {
    void *user;
    cardo_status (*frame)(void *user, const cardo_result *frame, cardo_error *error);
} cardo_fit_observer;

/* The study's options. Zero-initialise; only structures are needed. */
typedef struct cardo_fit_options {
    double
        identity; /* share of equal residues that is enough for two structures to be compared; 0: by the rule of
                        structure/atoms/superpose.h */
    const char *
        atoms; /* a selection of the model's atoms; NULL: all where the structure has just the model's, heavy
                        atoms where the model has torsions, else C-alpha of the domains */
    const cardo_structure_source *structures;
    const cardo_fit_observer
        *observer;              /* NULL: the result keeps all frames; else it keeps none   */
    const cardo_writer *writer; /* gets a table "fit.csv" of coordinates and a trajectory "fit" */
} cardo_fit_options;

extern const cardo_field cardo_fit_fields[];

#endif
