/* A model along its paths, at rest: conformations for the reference. */
#ifndef CARDO_STUDY_REFERENCE_COURSE_H
#define CARDO_STUDY_REFERENCE_COURSE_H

#include "study/session/session.h"

typedef struct cardo_course_options {
    int iterations;   /* most at a place, each way                                    */
    double tolerance; /* of generalized forces (cardo_minimization_options)           */
} cardo_course_options;

/* The lower of both ways, place by place. */
typedef struct cardo_course {
    int nplace, nq;
    double *q;           /* fraction of all paths, 0: first structure, 1: last (nplace)          */
    double *coordinates; /* (nplace x nq)                                                        */
    double *energy;      /* kJ/mol (nplace)                                                      */
    double hysteresis;   /* largest difference between the way there and the way back, kJ/mol    */
    double force;        /* the largest generalized force that is left at a place                */
    int freedoms;        /* that are minimized; 0: the model is rigid but for its paths          */
    bool interrupted;
} cardo_course;

/* Puts the first coordinate of every path at n evenly spaced fractions, 0 to 1 and, where there are other freedoms, back, each time with the
 * energy minimized in these from where the place before has left them. The session, which needs an evaluator, is afterwards as it was. No path
 * is CARDO_ERROR_INPUT. Zero-initialise *out; clear it also after a failure. */
cardo_status cardo_course_cool(cardo_session *session, int n, const cardo_course_options *options,
                               cardo_course *out, cardo_error *error);
void cardo_course_clear(cardo_course *course);

#endif
