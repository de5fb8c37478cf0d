/* What the error-controlled integrators share: the accuracy, the scales it is measured by, reports
 * between the steps, and a past that can be found again after a restart.
 *
 * A step of the run is the way to the next report. The method takes its own steps, past the report,
 * and the state there is read off its polynomial: reports never bend the step sequence. After
 * `memory` steps of its own the method begins anew from where it stands. keep holds that beginning,
 * so a restored run goes the way from there again, to the same bits where the forces are
 * deterministic; a state that this way does not lead to (because somebody has set it) is a new
 * beginning. */
#ifndef CARDO_DYNAMICS_INTEGRATORS_ADAPTIVE_H
#define CARDO_DYNAMICS_INTEGRATORS_ADAPTIVE_H

#include "dynamics/integrators/integrator.h"
#include "dynamics/integrators/sundials.h"

/* The descriptor's functions; open is called with the method by each of them. */
extern const cardo_field cardo_adaptive_fields[];
int cardo_adaptive_keep_count(int nq, int nu);
int cardo_adaptive_work_count(int nq, int nu);
cardo_status cardo_adaptive_open(cardo_integration *integration, cardo_ode_method method,
                                 cardo_error *error);
void cardo_adaptive_close(cardo_integration *integration);
cardo_status cardo_adaptive_start(cardo_integration *integration, cardo_error *error);
cardo_status cardo_adaptive_forget(cardo_integration *integration, cardo_error *error);
cardo_status cardo_adaptive_step(cardo_integration *integration, cardo_error *error);
void cardo_adaptive_report(const cardo_integration *integration, char *text, size_t size);

#endif
