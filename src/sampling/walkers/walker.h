/* A walker: one simulation of the system under a bias of the sampled variable, at one temperature,
 * with a stream of random numbers of its own.
 *
 * Every member of a communicator knows all walkers: their biases, temperatures, records and series. Only
 * the one that owns a walker has its simulation and moves it. After a round the owner writes all
 * that the walker is, and what it has seen in the round, into its record, plain numbers, which
 * everyone then gets. */
#ifndef CARDO_SAMPLING_WALKERS_WALKER_H
#define CARDO_SAMPLING_WALKERS_WALKER_H

#include "dynamics/simulation.h"
#include "sampling/variables/slow.h"
#include "sampling/variables/variable.h"
#include "sampling/walkers/bias.h"

#include <stdbool.h>

typedef struct cardo_walker cardo_walker;

/* Configurations along the variable, in no order. */
typedef struct cardo_way {
    int n, nq;
    double *xi; /* the variable                                                    (n) */
    double *q;  /*                                                            (n x nq) */
} cardo_way;

/* What all walkers of a study have in common. All is borrowed. */
typedef struct cardo_walk {
    const cardo_system *system;
    const cardo_state *start;       /* where they begin, but for the variable's value             */
    const cardo_way *way;           /* in place of start, the nearest of these; NULL: none        */
    cardo_force_provider *provider; /* the model's forces; NULL: none                             */
    const cardo_variable *variable;
    const cardo_integrator *integrator;
    const void *integrator_options; /* NULL: defaults                                         */
    cardo_simulation_options
        simulation;         /* temperature and replica: of each walker its own          */
    int round;              /* steps between exchanges with the others                */
    int interval;           /* steps between samples; divides round                   */
    const cardo_slow *slow; /* other coordinates that each sample has; NULL: none              */
    /* Of how many crews that are moved at a time this is one, and which, from 0; 0: of one. */
    int crews, crew;
    /* What else a walker is asked for at every step: adds to ngather numbers, zero at the beginning
     * of a round. 0: nothing. */
    int ngather;
    cardo_status (*gather)(void *user, const cardo_walker *walker, const cardo_frame *frame,
                           double *gathered, cardo_error *error);
    void *gather_user;
} cardo_walk;

/* Head of a record; then the snapshot's values, ngather gathered numbers, and for each sample of the
 * round the variable, the potential and the slow coordinates. */
enum { CARDO_RECORD_STEP, CARDO_RECORD_RANDOM, CARDO_RECORD_SAMPLES, CARDO_RECORD_HEAD };

struct cardo_walker {
    const cardo_walk *walk;
    int number;
    cardo_bias_potential bias;
    double temperature; /* K                                                                      */
    double place;       /* of the variable, where it began                                        */
    bool moved;     /* record or bias were changed since: forces are to be evaluated anew         */
    bool rests;     /* stands still in its crew's rounds                                          */
    double *record; /* borrowed from the crew                                                 */
    /* Samples so far: variable, and potential energy without bias and without Fixman's (kJ/mol). */
    int nsample, capacity[3];
    double *xi, *potential;
    double *slow; /* the walk's slow coordinates                        (nsample x walk->slow->n) */
    /* The owner's; NULL in other members. */
    cardo_state *state;
    cardo_force_provider *provider;
    cardo_simulation *simulation;
    int nbuffer;    /* samples of this round                                                     */
    double *buffer; /* variable, potential and slow coordinates of each                          */
    double
        *gathered; /* (ngather)                                                                 */
};

/* Slow coordinates of each sample. */
int cardo_walk_slow_count(const cardo_walk *walk);
/* Numbers in the record of a walker: the same for all of a walk. nsnapshot: numbers in a snapshot. */
int cardo_walker_record_size(const cardo_walk *walk, int nsnapshot);
/* The parts of a record. q and u lie in the snapshot (nq, then nu). */
double *cardo_walker_record_q(const cardo_walker *walker);
double *cardo_walker_record_u(const cardo_walker *walker);
const double *cardo_walker_record_gathered(const cardo_walker *walker, int nsnapshot);

/* Numbers in a snapshot of such a walker: needs a simulation, which is made and destroyed. */
cardo_status cardo_walker_snapshot_size(const cardo_walk *walk, int *nsnapshot, cardo_error *error);

/* Makes state, provider and simulation; number, bias, temperature and walk are set. */
cardo_status cardo_walker_open(cardo_walker *walker, cardo_error *error);
/* Frees what the walker has; its bias and series too. */
void cardo_walker_clear(cardo_walker *walker);

/* From the start, or the nearest of the way, brings the variable to the walker's place, starts the simulation, and writes the record, with one
 * sample: that of the start. */
cardo_status cardo_walker_start(cardo_walker *walker, cardo_error *error);
/* Goes on from the record. */
cardo_status cardo_walker_restore(cardo_walker *walker, cardo_error *error);
/* Makes a round's steps, first evaluating anew where the walker was moved. The record stays. */
cardo_status cardo_walker_advance(cardo_walker *walker, const volatile sig_atomic_t *interrupt,
                                  cardo_end *end, cardo_error *error);
/* Writes the record. */
void cardo_walker_write(cardo_walker *walker);
/* Adds the record's samples to the series: every member does. */
cardo_status cardo_walker_take_samples(cardo_walker *walker, int nsnapshot, cardo_error *error);

#endif
