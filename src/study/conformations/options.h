/* The study "conformations": shapes of a model on strands that turn, without clashes. */
#ifndef CARDO_STUDY_CONFORMATIONS_OPTIONS_H
#define CARDO_STUDY_CONFORMATIONS_OPTIONS_H

#include "study/session/study.h"

typedef struct cardo_conformations_options {
    int count;       /* conformations that are kept               */
    long long moves; /* between two of them; 0: 20 a residue that turns, and 100 at least */
    long long seed;
    double scale;               /* of contact distances                      */
    int format;                 /* of CARDO_TRAJECTORY_FORMATS, 0: the first */
    const cardo_writer *writer; /* the trajectory and conformations.csv; NULL: none */
} cardo_conformations_options;

#endif
