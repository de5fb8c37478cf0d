/* Force providers: positions or poses in, forces and energies out.
 *
 * This is all that the mechanics knows about where forces come from. A molecular engine is one provider, a
 * callback another; a provider that works on body poses and never touches station positions fits as
 * well. */
#ifndef CARDO_PROVIDER_H
#define CARDO_PROVIDER_H

#include <cardo/geometry.h>
#include <cardo/status.h>

#ifdef __cplusplus
extern "C" {
#endif

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
    double *term_energies; /* out: by term, as many as the provider has; or NULL: not wanted     */
    const double
        *station_forces; /* out: kJ/mol/nm in ground, borrowed from the provider until its next
                            call; NULL when it has none                  (nstation x 3)    */
    cardo_spatial *body_forces; /* in/out: the provider ADDS forces on bodies   (nbody)           */
    double *mobility_forces;    /* in/out: the provider ADDS generalized forces (nu)              */
} cardo_force_evaluation;

/* A provider made of one function. It sets evaluation->energy and adds to evaluation->body_forces and
 * mobility_forces, or leaves station forces in memory of its own at evaluation->station_forces.
 * CARDO_RECOVERABLE: this configuration cannot be evaluated (a clash beyond the numbers' range): the caller
 * may reject a move or shorten a step. Other failures are fatal. */
typedef cardo_status (*cardo_provider_callback)(void *user, cardo_force_evaluation *evaluation,
                                                cardo_error *error);

/* traits as above; it is deterministic when the function is. user is borrowed. The caller owns *out. */
CARDO_API cardo_status cardo_callback_provider_create(cardo_provider_callback callback, void *user,
                                                      unsigned traits, cardo_force_provider **out,
                                                      cardo_error *error);
/* NULL is fine. */
CARDO_API void cardo_force_provider_destroy(cardo_force_provider *provider);

/* What it is called, and one line of help. */
CARDO_API const char *cardo_force_provider_name(const cardo_force_provider *provider);
CARDO_API const char *cardo_force_provider_doc(const cardo_force_provider *provider);
CARDO_API unsigned cardo_force_provider_traits(const cardo_force_provider *provider);

#ifdef __cplusplus
}
#endif

#endif
