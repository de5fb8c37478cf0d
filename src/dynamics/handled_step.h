/* A step of a run in pieces: up to each event that is handled (cardo/events.h), and on from what its handler leaves. */
#ifndef CARDO_DYNAMICS_HANDLED_STEP_H
#define CARDO_DYNAMICS_HANDLED_STEP_H

#include "dynamics/integrators/integrator.h"

typedef struct cardo_handled cardo_handled;

/* What pieces ask of the run that they are of. */
typedef struct cardo_handled_run {
    void *user;
    /* Books the work of motions over the last `time` (ps), since run->good_q; 0: begins to. */
    cardo_status (*book)(void *user, double time, cardo_error *error);
    /* Constraints may be others: counts degrees of freedom. */
    cardo_status (*recount)(void *user, cardo_error *error);
} cardo_handled_run;

/* Integrator, integration and events of a run, borrowed; keep: numbers that the integrator keeps. The integration's handlers become these.
 * CARDO_ERROR_UNSUPPORTED names an integrator whose steps have no moments in them. The caller owns *out. */
cardo_status cardo_handled_create(const cardo_integrator *integrator, cardo_integration *run,
                                  int keep, const cardo_handled_run *hooks, cardo_handled **out,
                                  cardo_error *error);
void cardo_handled_destroy(cardo_handled *handled);

/* What a snapshot holds of it. */
int cardo_handled_value_count(const cardo_handled *handled);
void cardo_handled_save(const cardo_handled *handled, double *values);
/* Before the state is realized. */
cardo_status cardo_handled_load(cardo_handled *handled, const double *values, cardo_error *error);

/* A run begins, or, with `goes_on`, goes on from a state that somebody has set. */
cardo_status cardo_handled_begin(cardo_handled *handled, bool goes_on, cardo_error *error);
/* One step of the run, the work of motions included; *stopped: a handler has ended the run at the state's time, which may be before the
 * step's end. */
cardo_status cardo_handled_step(cardo_handled *handled, long long step, bool *stopped,
                                cardo_error *error);
/* What handlers have brought in, kJ/mol. */
double cardo_handled_energy(const cardo_handled *handled);

#endif
