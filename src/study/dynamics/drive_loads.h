/* Part of the study `drive`: the force that the course takes and what hinges bear, as more columns of the table. */
#ifndef CARDO_STUDY_DYNAMICS_DRIVE_LOADS_H
#define CARDO_STUDY_DYNAMICS_DRIVE_LOADS_H

#include "study/dynamics/driven_bodies.h"
#include "study/dynamics/dynamics.h"
#include "study/session/hinge_loads.h"

/* What a hinge carried at most, over the rows of the table. */
typedef struct cardo_most_load {
    double torque, force; /* kJ/mol, kJ/mol/nm */
} cardo_most_load;

/* Zero-initialise. */
typedef struct cardo_drive_loads {
    const cardo_session *session;      /* borrowed */
    const cardo_driven_bodies *driven; /* borrowed */
    cardo_recorder_columns more;       /* for the recorder */
    cardo_column *columns;
    cardo_hinge_loads loads;
    cardo_most_load *hinges; /* (loads.count) */
    double *motive;          /* (nu) */
    double range[2];         /* of the motive force, over the rows of the table */
} cardo_drive_loads;

cardo_status cardo_drive_loads_open(cardo_drive_loads *self, const cardo_session *session,
                                    const cardo_driven_bodies *driven, cardo_error *error);

/* Adds the range of the motive force and the most that each hinge carried; of torsions, which may be hundreds, the most that
 * any of them did. */
void cardo_drive_loads_fill(const cardo_drive_loads *self, cardo_result *into);

void cardo_drive_loads_clear(cardo_drive_loads *self);

#endif
