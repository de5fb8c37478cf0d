/* The study "distances": between labels, as FRET and DEER see them. */
#ifndef CARDO_STUDY_DISTANCES_OPTIONS_H
#define CARDO_STUDY_DISTANCES_OPTIONS_H

#include "study/session/study.h"

typedef struct cardo_distances_options {
    double spacing; /* of the grid, nm                                     */
    int points;     /* of a cloud that averages are taken over             */
    double bin;     /* of distributions, nm                                */
    char coordinate[CARDO_FIELD_STRING_SIZE]; /* of a model; "": its first */
    double from, to;
    int places;
    double depth, rate, dimension; /* of DEER's signal: modulation, background in 1/us */
    double time;                   /* of it, us */
    int times;
    char signal
        [CARDO_FIELD_TEXT_SIZE]; /* file of a measured one, from which distances are found; "": none */
    int replicates;              /* for their errors */
    cardo_study_inputs inputs; /* a table of labels, and structures, or a model, and trajectories */
    const cardo_frame_reader *frames;
    const cardo_writer *writer; /* distances.csv, distributions.csv, signals.csv; NULL: none */
} cardo_distances_options;

#endif
