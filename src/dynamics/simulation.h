/* What studies ask of a simulation (cardo/simulation.h): options as structs, snapshots. */
#ifndef CARDO_DYNAMICS_SIMULATION_H
#define CARDO_DYNAMICS_SIMULATION_H

#include "cardo/simulation.h"
#include "dynamics/evaluation/evaluate.h"
#include "dynamics/evaluation/events.h"
#include "dynamics/integrators/integrator.h"

#include <stdint.h>

typedef enum cardo_start_velocities {
    CARDO_VELOCITIES_DRAW, /* Maxwell-Boltzmann at the temperature                              */
    CARDO_VELOCITIES_ZERO,
    CARDO_VELOCITIES_KEEP /* what the state holds                                              */
} cardo_start_velocities;

typedef enum cardo_branch_choice { CARDO_BRANCHES_STOP, CARDO_BRANCHES_PASS } cardo_branch_choice;

typedef struct cardo_simulation_options {
    long long steps;    /* of the whole run                                                 */
    double timestep;    /* ps; between reports where the integrator chooses its own steps   */
    double temperature; /* K: of the first draw and of the bath                             */
    long long seed;
    int replica;            /* another stream of the same seed                                  */
    int velocities;         /* cardo_start_velocities                                           */
    int ensemble;           /* cardo_ensemble                                                   */
    double max_energy_jump; /* kJ/mol: the most that the conserved energy may change in a step  */
    int branch_points;      /* cardo_branch_choice                                              */
} cardo_simulation_options;

extern const cardo_field cardo_simulation_fields[];
/* "rigid": the word of a cardo_ensemble. */
const char *cardo_ensemble_name(int ensemble);

/* Everything is borrowed but the option structs, which are copied. integrator_options NULL:
 * defaults. provider NULL: no forces. The caller owns *out. */
cardo_status cardo_simulation_create(const cardo_system *system, cardo_state *state,
                                     cardo_force_provider *provider,
                                     const cardo_integrator *integrator,
                                     const cardo_simulation_options *options,
                                     const void *integrator_options, cardo_simulation **out,
                                     cardo_error *error);
/* Takes away the observers that have this user pointer. */
void cardo_simulation_remove_observers(cardo_simulation *simulation, const void *user);

/* The events watched for, or NULL. */
const cardo_events *cardo_simulation_events(const cardo_simulation *simulation);

/* The state that the simulation moves. */
cardo_state *cardo_simulation_state(const cardo_simulation *simulation);
const cardo_evaluator *cardo_simulation_evaluator(const cardo_simulation *simulation);
const cardo_integrator *cardo_simulation_integrator(const cardo_simulation *simulation);
const cardo_simulation_options *cardo_simulation_get_options(const cardo_simulation *simulation);
const void *cardo_simulation_integrator_options(const cardo_simulation *simulation);

/* All that a run needs to go on bitwise alike. values: time, q, u, last evaluation, the
 * integrator's keep, reference energies. */
typedef struct cardo_snapshot {
    long long step;
    uint64_t random_position;
    int nvalue;
    double *values; /* kJ/mol, nm, ps, radian: as each comes (nvalue) */
} cardo_snapshot;

/* Numbers in a snapshot of this simulation. */
int cardo_simulation_snapshot_size(const cardo_simulation *simulation);
/* Writes the last good step into a snapshot whose values array the caller provides. */
void cardo_simulation_save(const cardo_simulation *simulation, cardo_snapshot *snapshot);
/* Takes the place of cardo_simulation_start: goes on from a snapshot. A wrong number of values is
 * CARDO_ERROR_INPUT. */
cardo_status cardo_simulation_restore(cardo_simulation *simulation, const cardo_snapshot *snapshot,
                                      cardo_error *error);

/* Goes on from other coordinates q (nq) and speeds u (nu), either NULL: as they are, with forces
 * evaluated anew, since what adds to them from outside may have changed: an exchange of
 * configurations, a bias that has grown. Step, time, the bath's books and its random stream go on.
 * Not for integrators that remember earlier steps. */
cardo_status cardo_simulation_renew(cardo_simulation *simulation, const double *q, const double *u,
                                    cardo_error *error);

#endif
