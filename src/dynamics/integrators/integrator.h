/* Integrators: each a const descriptor in a file of its own, listed in integrators.c.
 *
 * A step takes the state from one realized ACCELERATION (forces of its own q) to the next. An
 * integrator keeps no memory between steps but what its descriptor declares: `keep` numbers, which
 * the checkpoint saves. */
#ifndef CARDO_DYNAMICS_INTEGRATORS_INTEGRATOR_H
#define CARDO_DYNAMICS_INTEGRATORS_INTEGRATOR_H

#include "cardo/manifold.h"
#include "cardo/simulation.h"

#include "base/field.h"
#include "base/random.h"
#include "dynamics/evaluation/evaluate.h"
#include "dynamics/evaluation/events.h"
#include "dynamics/evaluation/handlers.h"

#include <stdbool.h>

/* What a step works on. Lengths: nq, nu of the system. */
typedef struct cardo_integration {
    const cardo_system *system;
    cardo_state *state;
    cardo_evaluator *evaluator;
    double timestep; /* ps                                                                */
    double kT;       /* kJ/mol, of the bath                                               */
    int degrees;     /* degrees of freedom that share the kinetic energy                  */
    int internal; /* of these, those of internal motion (dynamics/thermostats/bath.h)              */
    bool tied;    /* constraints reach ground, so all motion counts as internal          */
    cardo_random random; /* the bath's stream                                                 */
    const void *options; /* the integrator's own struct                                       */
    double *keep;        /* memory that lives from step to step        (descriptor->keep)       */
    double *work;        /* scratch, worth nothing between steps       (descriptor->work)       */
    double *rows;        /* scratch, three numbers for each row of constraints                  */
    void *engine;        /* what descriptor->open made; never saved                             */
    int nq, nu;
    /* Events to look for within the step; NULL: none. An ADAPTIVE integrator does it itself. */
    cardo_events *events;
    /* Handlers whose witnesses are looked at; NULL: none. An ADAPTIVE integrator does it itself, and ends its step at the first that
     * passes. */
    cardo_handlers *handlers;
    /* Looks for branch points of constraints on the way; NULL: none. The simulation's, which looks at each step's end; an ADAPTIVE
     * integrator does so itself at steps of its own in between. */
    cardo_branch_watch *branches;
    long long *branch_points; /* where they are counted and passed; NULL: a run ends at one */
    /* The last good step, or the piece of one under way, for whoever rejects what came of it: its q (nq) and its evaluation (as
     * cardo_evaluator_save writes it). The simulation's. */
    const double *good_q, *good_evaluation;
} cardo_integration;

enum {
    CARDO_INTEGRATOR_THERMOSTAT = 1
                                  << 0, /* samples a temperature: energy is exchanged with a bath */
    CARDO_INTEGRATOR_STOCHASTIC = 1 << 1, /* draws random numbers */
    CARDO_INTEGRATOR_SYMPLECTIC = 1 << 2, /* keeps phase-space volume when M depends on q */
    CARDO_INTEGRATOR_REVERSIBLE = 1 << 3,
    CARDO_INTEGRATOR_WARM = 1 << 4, /* has no meaning at a temperature of zero */
    /* May go back to the last good step by itself, so it is not stopped for a jump of energy. */
    CARDO_INTEGRATOR_REJECTS = 1 << 5,
    /* Chooses its steps by an accuracy; the run's time step is the time between its reports. */
    CARDO_INTEGRATOR_ADAPTIVE = 1 << 6,
    CARDO_INTEGRATOR_STATIC = 1 << 7, /* no dynamics: no energy is conserved from step to step */
    CARDO_INTEGRATOR_UNCONSTRAINED = 1 << 8, /* does not keep a system's constraints            */
    /* Integrates udot as it is, whatever the system's method of stabilization (cardo/stabilization.h); others go along the manifold. */
    CARDO_INTEGRATOR_STABILIZED = 1 << 9
};

struct cardo_integrator {
    const char *name;
    const char *doc;      /* one line                                                        */
    const char *citation; /* where the method comes from                                     */
    unsigned traits;
    int evaluations; /* force evaluations a step, with the default options; 0: varies            */
    int starting_evaluations; /* so many more in its first three steps together */
    const cardo_field
        *fields;         /* its own options; the time step and temperature are the simulation's */
    size_t options_size; /* of the struct that fields describe                          */
    /* The field that says how fast the bath acts, a time in ps or a rate in 1/ps, and the fewest steps
     * that its time must hold. NULL: no bath, or one that acts once a step. */
    const char *bath_field;
    double bath_steps;
    int (*keep_count)(int nq, int nu); /* NULL: none                                          */
    int (*work_count)(int nq, int nu); /* NULL: none                                          */
    /* Makes and frees integration->engine: memory that is neither plain numbers nor saved. open is
     * called once, with everything else in place; close also after its failure. NULL: none. */
    cardo_status (*open)(cardo_integration *integration, cardo_error *error);
    void (*close)(cardo_integration *integration);
    /* Brings keep to its beginning; NULL: zero is right. The state is realized to ACCELERATION. */
    cardo_status (*start)(cardo_integration *integration, cardo_error *error);
    /* Drops what keep holds of earlier steps, as the state has been set, or the next step is of another length; baths keep theirs. NULL: there
     * is nothing. The state is realized to ACCELERATION. */
    cardo_status (*forget)(cardo_integration *integration, cardo_error *error);
    /* One step, time included; leaves the state realized to ACCELERATION. On failure the state is
     * undefined; the caller restores the last good one. */
    cardo_status (*step)(cardo_integration *integration, cardo_error *error);
    /* Energy that the bath has given the system so far, kJ/mol, so that K + U - bath is conserved;
     * NULL: none. */
    double (*bath_energy)(const cardo_integration *integration);
    /* One line for people on how the run went so far, without its end of line; NULL: none. */
    void (*report)(const cardo_integration *integration, char *text, size_t size);
};

/* The kinds, in the order of the table: a new one is a file (here, or among thermostats and Monte Carlo) and a line here. */
// clang-format off
#define CARDO_INTEGRATORS(X) \
    X(verlet) \
    X(leapfrog) \
    X(respa) \
    X(langevin) \
    X(baoab) \
    X(andersen) \
    X(csvr) \
    X(nose_hoover) \
    X(hmc) \
    X(ghmc) \
    X(euler) \
    X(heun) \
    X(rk4) \
    X(adams_bashforth_moulton) \
    X(gear) \
    X(merson) \
    X(adams) \
    X(bdf)
// clang-format on
#define CARDO_INTEGRATORS_DECLARE(name) extern const cardo_integrator cardo_integrator_##name;
CARDO_INTEGRATORS(CARDO_INTEGRATORS_DECLARE)
#undef CARDO_INTEGRATORS_DECLARE

/* All integrators, NULL-terminated. */
extern const cardo_integrator *const cardo_integrators[];

/* The time in which the bath acts by these options, ps: 0 where it has none of its own, HUGE_VAL
 * where its rate is zero, so that there is no bath. */
double cardo_integrator_bath_time(const cardo_integrator *integrator, const void *options);
/* CARDO_ERROR_INPUT, with what to write instead, where that is too short for the time step (ps). */
cardo_status cardo_integrator_check_bath(const cardo_integrator *integrator, const void *options,
                                         double timestep, cardo_error *error);

/* Options of `verlet`. */
typedef struct cardo_verlet_options {
    double flight_tolerance; /* relative accuracy of the free motion between kicks */
} cardo_verlet_options;

/* Options of `respa`. */
typedef struct cardo_respa_options {
    cardo_verlet_options verlet;
    int inner_steps; /* of the fast forces in one of the slow ones                       */
} cardo_respa_options;

/* Options of `leapfrog`. */
typedef struct cardo_leapfrog_options {
    double solve_tolerance; /* of the implicit speeds, relative, in the metric of M            */
    bool reverse_check;     /* the step back must lead to the start                            */
} cardo_leapfrog_options;

/* Options of `rk-merson`, `adams` and `bdf`. */
typedef struct cardo_adaptive_options {
    double accuracy; /* alpha: local error over unit scales                              */
    int memory;      /* steps of its own after which the method begins anew             */
} cardo_adaptive_options;

/* Options of `langevin` and `baoab`. */
typedef struct cardo_langevin_options {
    cardo_verlet_options verlet; /* first, so that its fields serve both */
    double friction; /* 1/ps                                                            */
} cardo_langevin_options;

/* Their table, for every splitting of Langevin dynamics. */
extern const cardo_field cardo_langevin_fields[];

/* Options of `andersen`. */
typedef struct cardo_andersen_options {
    cardo_verlet_options verlet;
    double rate; /* 1/ps                                                                */
} cardo_andersen_options;

/* Options of `csvr`. */
typedef struct cardo_csvr_options {
    cardo_verlet_options verlet;
    double relaxation; /* ps                                                            */
} cardo_csvr_options;

/* Options of `nose-hoover`. */
typedef struct cardo_nose_hoover_options {
    cardo_verlet_options verlet;
    double relaxation; /* ps                                                            */
    int chain;         /* thermostats, each watching the one before                     */
} cardo_nose_hoover_options;

/* How a Monte Carlo move flies: both keep phase-space volume and are their own inverse. */
typedef enum cardo_propagator {
    CARDO_PROPAGATOR_VERLET,
    CARDO_PROPAGATOR_LEAPFROG /* with the check that the way back leads to each step's start */
} cardo_propagator;

/* Options of `hmc`. */
typedef struct cardo_monte_carlo_options {
    cardo_verlet_options verlet;
    int flights;       /* steps a move                                                      */
    double jitter;     /* the time step of a move varies by this fraction                   */
    int propagator;    /* cardo_propagator                                                  */
    int burn_in;       /* first moves, in which the time step is adapted                    */
    double acceptance; /* what the step is adapted to                                    */
} cardo_monte_carlo_options;

/* The names of the propagators, for tables of options. */
extern const char *const cardo_propagator_choices[];

/* Options of `ghmc`. */
typedef struct cardo_ghmc_options {
    cardo_monte_carlo_options move;
    double friction; /* 1/ps                                                            */
} cardo_ghmc_options;

#endif
