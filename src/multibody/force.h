/* What a force provider is made of (cardo/provider.h). */
#ifndef CARDO_MULTIBODY_FORCE_H
#define CARDO_MULTIBODY_FORCE_H

#include "base/status.h"
#include "base/vec.h"
#include "cardo/provider.h"

struct cardo_force_provider {
    const char *name;
    const char *doc;
    unsigned traits;
    /* Force groups, from the slowest (bit 0) to the fastest, whose energies and forces sum to the
     * whole; 0 or 1: undivided, and `groups` of an evaluation has no meaning. */
    int ngroup;
    int nterm;
    const char *const
        *term_names; /* short words for table headers: "bond", "angle", ...  (nterm)  */

    /* Where the provider wants station positions written (nstation x 3, its own memory), or NULL
     * when any buffer will do. Spares a copy. */
    double *position_buffer;

    /* Evaluates. CARDO_RECOVERABLE: this configuration cannot be evaluated (a clash beyond the
     * numbers' range): the caller may reject a move or shorten a step. Other failures are fatal. */
    cardo_status (*compute)(cardo_force_provider *self, cardo_force_evaluation *evaluation,
                            cardo_error *error);
    void (*destroy)(cardo_force_provider *self); /* frees self and all it owns */

    /* Of a provider that runs as many threads as there are cores: how many of them it may take from
     * now on, others being at work too. Results do not depend on it. NULL: it has been told its
     * threads, or runs in one. */
    cardo_status (*use_cores)(cardo_force_provider *self, int cores, cardo_error *error);
};

/* Calls provider->use_cores where it has one; NULL is fine. */
cardo_status cardo_force_provider_use_cores(cardo_force_provider *provider, int cores,
                                            cardo_error *error);

#endif
