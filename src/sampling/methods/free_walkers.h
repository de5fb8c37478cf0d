/* Walkers that roam over the whole range under one bias that they share: what metadynamics and
 * adaptive force have in common. */
#ifndef CARDO_SAMPLING_METHODS_FREE_WALKERS_H
#define CARDO_SAMPLING_METHODS_FREE_WALKERS_H

#include "sampling/methods/method.h"
#include "sampling/walkers/bias_grid.h"

/* Does the range go round a whole period? Then there are no walls. */
bool cardo_range_is_round(const cardo_sampling *sampling);

/* Walkers, and the grid that each has. */
typedef struct cardo_free_walkers {
    int nwalker, nnode;
    double low, spacing; /* of the nodes                                                       */
    bool strata;         /* each keeps to an equal part of the range                           */
} cardo_free_walkers;

/* Makes walkers spread evenly over the range; walls at its ends, or at the ends of each one's own part,
 * hold them to a fiftieth of it, or as stiffly as the time step allows. Equilibrates them. Strata of a
 * range that goes round a period are an input error. */
cardo_status cardo_free_walkers_prepare(cardo_sampling *sampling, const cardo_free_walkers *walkers,
                                        const volatile sig_atomic_t *interrupt, cardo_end *end,
                                        cardo_error *error);

/* After the bias of the first walker was changed: all others get it within walls of their own, and all
 * evaluate anew. */
void cardo_free_walkers_share(cardo_sampling *sampling);

/* How often walkers went from one end of the range (its first tenth) to the other, all together; on a
 * range that goes round a period from its middle to the opposite side. */
int cardo_free_walkers_passages(const cardo_sampling *sampling);
/* The same where each walker keeps to an equal part of the range, over that part: of the walker that
 * went least often. */
int cardo_free_walkers_least_passages(const cardo_sampling *sampling);

#endif
