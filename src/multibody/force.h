/* The force-provider contract: positions or poses in, forces and energies out.
 *
 * This is all that the mechanics knows about where forces come from. A molecular engine is one provider, a
 * callback another; a provider that works on body poses and never touches station positions fits as
 * well. */
#ifndef CARDO_MULTIBODY_FORCE_H
#define CARDO_MULTIBODY_FORCE_H

#include "base/status.h"
#include "base/vec.h"

/* A force on a body: torque about the body origin, then force, in ground axes. kJ/mol, kJ/mol/nm.
 */
typedef struct cardo_spatial {
    cardo_vec3 angular, linear;
} cardo_spatial;

enum {
    CARDO_FORCE_DETERMINISTIC = 1 << 0, /* the same input gives the same bits */
    CARDO_FORCE_SINGLE = 1 << 1, /* computed in single precision                                */
    CARDO_FORCE_WANTS_POSES = 1 << 2, /* reads X_GB, not station positions */
    /* Energy and forces depend on the stations' places relative to each other alone: all may be given
     * turned and shifted, and forces come back so; nothing else is added to them. */
    CARDO_FORCE_INVARIANT = 1 << 4,
    CARDO_FORCE_THREAD_SAFE =
        1 << 3 /* compute may run in several threads on different evaluations   */
};

typedef struct cardo_force_provider cardo_force_provider;

/* One evaluation: inputs, then outputs. Buffers belong to whoever the comments say. */
typedef struct cardo_force_evaluation {
    double time;                 /* ps                                                            */
    int nbody;                   /* bodies, ground included                                       */
    const cardo_transform *X_GB; /* pose of each body, [0] is ground            (nbody)           */
    int nstation;                /* stations (atoms)                                              */
    const double
        *station_positions; /* nm, in ground; NULL for providers that want poses (nstation x 3) */
    int nq, nu;
    const double *q, *u; /* generalized coordinates and speeds                            */
    unsigned groups;     /* which force groups, a bit each; 0: all. Of providers that have groups */

    double energy;         /* out: potential energy, kJ/mol                                 */
    double *term_energies; /* out: by term, provider->nterm of them; or NULL: not wanted     */
    const double
        *station_forces; /* out: kJ/mol/nm in ground, borrowed from the provider until its next
                            call; NULL when it has none                  (nstation x 3)    */
    cardo_spatial *body_forces; /* in/out: the provider ADDS forces on bodies   (nbody)           */
    double *mobility_forces;    /* in/out: the provider ADDS generalized forces (nu)              */
} cardo_force_evaluation;

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

/* Calls provider->destroy; NULL is fine. */
static inline void cardo_force_provider_destroy(cardo_force_provider *provider)
{
    if (provider)
        provider->destroy(provider);
}

/* Calls provider->use_cores where it has one; NULL is fine. */
static inline cardo_status cardo_force_provider_use_cores(cardo_force_provider *provider, int cores,
                                                          cardo_error *error)
{
    return provider && provider->use_cores ? provider->use_cores(provider, cores, error) : CARDO_OK;
}

#endif
