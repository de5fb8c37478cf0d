/* What the force field itself asks along a model's paths: all atoms free, in the same solvent, only the domains' poses held
 * (poses.h), minimized from the model's conformations. What the model's energy rises by beyond that is the model's own strain.
 *
 * One sweep goes from the first place to the last and back; each place begins with the model's conformation there and what atoms had
 * moved from it at the place before, turned with their bodies. The lower of the two ways is the reference, and how far they are apart
 * is its hysteresis: what minimizing cannot tell. */
#ifndef CARDO_STUDY_REFERENCE_REFERENCE_H
#define CARDO_STUDY_REFERENCE_REFERENCE_H

#include "study/session/session.h"

typedef struct cardo_reference_options {
    int iterations; /* most at a place, each way                                             */
    double
        tolerance; /* kJ/mol/nm: a place is converged when no component of the gradient is above */
    int sweeps; /* most, there and back, until the hysteresis is below what strain may be judged by */
} cardo_reference_options;

cardo_reference_options cardo_reference_options_default(void);

/* Where minimizing at one place has come to, on one of the ways. */
typedef struct cardo_reference_way {
    double energy;   /* kJ/mol */
    double gradient; /* the largest component that is left, kJ/mol/nm                         */
    double fell;     /* in the last quarter of the iterations, kJ/mol                         */
    int iterations, evaluations;
    bool converged; /* to the tolerance */
} cardo_reference_way;

enum { CARDO_REFERENCE_UP, CARDO_REFERENCE_DOWN, CARDO_REFERENCE_WAYS };

typedef struct cardo_reference_place {
    double q;
    double model; /* energy of the model's conformation, kJ/mol */
    cardo_reference_way way[CARDO_REFERENCE_WAYS];
    double lower;  /* of both ways                                                              */
    double strain; /* model - lower, above its least along the course                           */
} cardo_reference_place;

enum { CARDO_REFERENCE_ENGINE = 160 };

typedef struct cardo_reference {
    int nplace, nterm, natom, ndomain, sweeps;
    cardo_reference_place *place;
    const char *const *term; /* names, of the provider below                                   */
    double *model_term;      /* energies by term, kJ/mol (nplace x nterm)                      */
    double *reference_term;  /* of the lower way (nplace x nterm)                              */
    double *positions;       /* of the lower way, nm (nplace x natom x 3)                      */
    double hysteresis;       /* largest difference of the ways, kJ/mol                         */
    double strain;           /* largest - least of model - lower, kJ/mol                       */
    double fell;             /* largest of all places, kJ/mol                                  */
    bool interrupted;        /* by the listener's stop                                         */
    cardo_force_provider *provider;
    char engine[CARDO_REFERENCE_ENGINE]; /* what computes all atoms, for logs */
} cardo_reference;

/* kJ/mol: a reference with a larger hysteresis tells nothing, and a model with more strain is not to be believed. */
enum { CARDO_REFERENCE_MOST = 60 };

/* Sweeps along n places: q (n), for the reader alone, and the model's coordinates there (n x nq of the session's system, in rising order
 * of q). The session's state stands where it was afterwards. Needs terms (CARDO_ERROR_UNSUPPORTED with a serialized System) and an
 * evaluator. Progress goes to the session's listener. Zero-initialise *out; clear it also after a failure. */
cardo_status cardo_reference_sweep(cardo_session *session, int n, const double *q,
                                   const double *coordinates,
                                   const cardo_reference_options *options, cardo_reference *out,
                                   cardo_error *error);
void cardo_reference_clear(cardo_reference *reference);

#endif
