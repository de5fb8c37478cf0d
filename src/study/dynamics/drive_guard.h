/* Part of the study `drive`: whether anything can follow the course. */
#ifndef CARDO_STUDY_DYNAMICS_DRIVE_GUARD_H
#define CARDO_STUDY_DYNAMICS_DRIVE_GUARD_H

#include "study/dynamics/dynamics.h"

/* Zero-initialise. */
typedef struct cardo_drive_guard {
    const cardo_dynamics *dynamics; /* borrowed */
    int q;                          /* the driven coordinate */
    cardo_strain_view view;
    cardo_observer observer; /* to be called after all others */
    double lowest_potential;
    bool impossible;         /* the motion was: from here on, and worst there */
    double first_q, worst_q; /* driven coordinate                             */
    cardo_strain first, worst;
} cardo_drive_guard;

/* Looks where a row is written, at the end, and wherever the energy is higher than anything possible would have it. What is
 * impossible ends the run with CARDO_ERROR_NUMERICAL, unless strain=warn. */
cardo_status cardo_drive_guard_open(cardo_drive_guard *guard, const cardo_dynamics *dynamics, int q,
                                    cardo_error *error);

/* Adds "impossible", where it was: what, and where along the course. */
void cardo_drive_guard_fill(const cardo_drive_guard *guard, cardo_result *into);

void cardo_drive_guard_clear(cardo_drive_guard *guard);

#endif
