/* What the studies that make dynamics share: options, files, the loop, and what is to be told of it. */
#ifndef CARDO_STUDY_DYNAMICS_DYNAMICS_H
#define CARDO_STUDY_DYNAMICS_DYNAMICS_H

#include "dynamics/simulation.h"
#include "study/dynamics/masses.h"
#include "study/dynamics/recorder.h"
#include "study/session/session.h"
#include "study/session/strain.h"

#include <stddef.h>

enum { CARDO_MOST_INTEGRATOR_OPTIONS = 1024, CARDO_MOST_TALLIED = 16, CARDO_DYNAMICS_TABLES = 4 };

typedef struct cardo_dynamics_options {
    cardo_simulation_options simulation;
    cardo_recorder_options files;
    cardo_strain_options strain;
    const cardo_integrator *integrator;
    union {
        max_align_t align;
        char bytes[CARDO_MOST_INTEGRATOR_OPTIONS];
    } integrator_options;
    const cardo_writer *writer; /* NULL: no files */
} cardo_dynamics_options;

/* The tables of such options, behind those that are there; returns how many there are then. */
int cardo_dynamics_targets(cardo_dynamics_options *options, int n, cardo_option_target *target);

/* What a run showed, gathered step by step, also over the parts of a run that was continued: numbers that checkpoints
 * keep. */
typedef struct cardo_tally {
    double count, temperature, first_conserved, last_conserved, lowest_potential, highest_potential;
    double low[CARDO_MOST_TALLIED], high[CARDO_MOST_TALLIED], sum[CARDO_MOST_TALLIED];
} cardo_tally;

/* More numbers that checkpoints keep, of the study's own. */
typedef struct cardo_remembered {
    const char *name;
    double *values;
    int count;
} cardo_remembered;

/* All that one run needs, with one owner. Zero-initialise and set what is borrowed. */
typedef struct cardo_dynamics {
    cardo_session *session; /* borrowed, like all up to remembered */
    const char *study;
    const cardo_dynamics_options *options;
    int nown;
    const cardo_record_options *own;       /* options of the study's own     (nown)         */
    const cardo_masses_options *masses;    /* NULL: those of the bodies                   */
    const cardo_recorder_columns *columns; /* more of the table's; NULL: none               */
    const cardo_observer *last; /* called after all others, the recorder among them; NULL: nobody */
    int nremembered;
    cardo_remembered remembered[2];
    cardo_simulation *simulation;
    cardo_recorder *recorder;
    char *extra;        /* lines that a checkpoint must agree with */
    cardo_result *into; /* borrowed */
    cardo_tally tally;
    double
        constraint_error; /* largest of positions that a step has left, nm or radian              */
    double *errors;       /* rows of positions; NULL: the system has no constraints              */
    int ntallied;
    int tallied[CARDO_MOST_TALLIED]; /* coordinates */
    long long first;                 /* step from which this part went on */
    cardo_end end;
    double seconds;
} cardo_dynamics;

/* Options of a run that goes on against those of before, strain of the start told and the impossible refused, forces
 * judged, a force table where one is wanted, and the simulation. Adds the head to the result, of which the
 * listener hears. */
cardo_status cardo_dynamics_create(cardo_dynamics *self, cardo_result *into, cardo_error *error);

/* Runs from the start or the checkpoint to the end, or until the listener says stop, and closes the files, also on
 * failure. */
cardo_status cardo_dynamics_perform(cardo_dynamics *self, cardo_error *error);

/* Adds how it ended and what it showed. outcome: what the end is called in place of "done"; NULL: that. */
void cardo_dynamics_fill(const cardo_dynamics *self, const char *outcome, cardo_result *into);

void cardo_dynamics_clear(cardo_dynamics *self);

#endif
