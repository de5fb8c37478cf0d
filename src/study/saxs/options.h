/* The study "saxs": structures, and a model along a coordinate, against a measured scattering curve. */
#ifndef CARDO_STUDY_SAXS_OPTIONS_H
#define CARDO_STUDY_SAXS_OPTIONS_H

#include "study/session/study.h"

typedef struct cardo_saxs_options {
    int unit;         /* of the file's q: CARDO_CURVE_...                           */
    double low, high; /* of q, 1/nm; high 0: all                                    */
    double c1_low, c1_high, c2_low, c2_high;
    bool background;
    char coordinate[CARDO_FIELD_STRING_SIZE]; /* of the model; "": its first path or hinge */
    double from, to;
    int places;
    double tolerance;                    /* of I(q); 0: Debye's sum */
    char prior[CARDO_FIELD_STRING_SIZE]; /* free energy along the coordinate; "": none */
    char distances
        [CARDO_FIELD_STRING_SIZE]; /* labels and measured pairs, fitted together with the curve; "": none */
    double temperature, boundary; /* boundary: of the coordinate, between two sides      */
    double theta;                 /* confidence in the prior; 0: by cross-validation     */
    bool predict;                 /* the curve of a structure, without data */
    int predicted_points;
    double predicted_c1, predicted_c2, predicted_error; /* error: of I; 0: no column of errors */
    cardo_study_inputs
        inputs; /* one curve, structures (FILE, FILE#CHAIN, FILE#MODEL:CHAIN), a model file,
                   a trajectory or the folder of a run */
    const cardo_frame_reader *frames; /* of trajectories; NULL: none are read */
    const cardo_writer *writer; /* fit.csv, structures.csv, hinge.csv and pictures; NULL: none */
} cardo_saxs_options;

#endif
