/* Walkers that roam over the whole range under one bias that they share: what metadynamics and
 * adaptive force have in common. */
#ifndef CARDO_SAMPLING_FREE_WALKERS_H
#define CARDO_SAMPLING_FREE_WALKERS_H

#include "sampling/bias_grid.h"
#include "sampling/method.h"

/* Does the range go round a whole period? Then there are no walls. */
bool cardo_range_is_round(const cardo_sampling *sampling);

/* Makes nwalker walkers spread evenly over the range, each with a grid of nnode nodes from low on,
 * spacing apart; walls at the ends of the range hold them to a fiftieth of it, or as stiffly as the
 * time step allows. Equilibrates them. */
cardo_status cardo_free_walkers_prepare(cardo_sampling *sampling, int nwalker, int nnode,
                                        double low, double spacing,
                                        const volatile sig_atomic_t *interrupt, cardo_end *end,
                                        cardo_error *error);

/* After the bias of the first walker was changed: all others get it, and all evaluate anew. */
void cardo_free_walkers_share(cardo_sampling *sampling);

/* How often walkers went from one end of the range (its first tenth) to the other, all together. */
int cardo_free_walkers_passages(const cardo_sampling *sampling);

#endif
