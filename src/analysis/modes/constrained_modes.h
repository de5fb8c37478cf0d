/* Part of modes.h: modes on the manifold of constraints. */
#ifndef CARDO_ANALYSIS_MODES_CONSTRAINED_MODES_H
#define CARDO_ANALYSIS_MODES_CONSTRAINED_MODES_H

#include "analysis/modes/mode_vectors.h"

/* cardo_modes_create where the system has constraints. DYNAMICS. */
cardo_status cardo_modes_create_constrained(const cardo_system *system, const cardo_state *state,
                                            const double *K, bool invariant, int count,
                                            cardo_modes **out, cardo_error *error);

#endif
