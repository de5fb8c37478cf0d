/* Events of a run by its model file: coordinates that reach values. */
#ifndef CARDO_STUDY_DYNAMICS_EVENTS_H
#define CARDO_STUDY_DYNAMICS_EVENTS_H

#include "base/field.h"
#include "dynamics/simulation.h"

typedef struct cardo_events_options {
    char events[CARDO_FIELD_STRING_SIZE];
} cardo_events_options;

extern const cardo_field cardo_events_fields[];

/* What the option asks for; the simulation watches through pointers into this. */
typedef struct cardo_watch {
    int count;
    cardo_coordinate_target targets[32];
    char names[32][64];
} cardo_watch;

/* Reads "BODY=VALUE [rising|falling] [stop]; ..." (BODY.K: its K-th coordinate) and adds the events
 * to the simulation. The watch lives as long. */
cardo_status cardo_watch_add(const cardo_events_options *options, cardo_simulation *simulation,
                             cardo_watch *watch, cardo_error *error);

#endif
