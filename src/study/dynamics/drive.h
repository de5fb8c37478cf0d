/* The study `drive`: a coordinate of a model led along a course of its own, and what that takes. */
#ifndef CARDO_STUDY_DYNAMICS_DRIVE_H
#define CARDO_STUDY_DYNAMICS_DRIVE_H

#include "dynamics/drive.h"
#include "dynamics/minimization.h"
#include "study/dynamics/dynamics.h"

enum { CARDO_DRIVE_DYNAMIC, CARDO_DRIVE_QUASI_STATIC };

typedef struct cardo_driven_options {
    char body[CARDO_FIELD_STRING_SIZE]; /* empty: the one that has a path */
    int coordinate;                     /* of its mobilizer, from 1 */
    int mode;                           /* CARDO_DRIVE_... */
} cardo_driven_options;

extern const cardo_field cardo_driven_fields[];

typedef struct cardo_drive_study_options {
    cardo_dynamics_options dynamics;
    cardo_minimization_options rest; /* of the quasi-static mode                                  */
    cardo_driven_options driven;
    cardo_drive_options course;
    bool from_start; /* the course begins where the model does, whatever course.from says        */
    bool
        to_its_end; /* so many steps as the course takes, whatever dynamics.simulation.steps says */
} cardo_drive_study_options;

#endif
