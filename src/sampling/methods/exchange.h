/* Replica exchange: walkers of a grid of windows and temperatures swap configurations.
 *
 * After a round neighbours (windows in one round, temperatures in the next) swap with probability
 * min(1, exp(-d)), d = u_i(x_j) + u_j(x_i) - u_i(x_i) - u_j(x_j), u_i(x) = (U(x) + V_i(xi)) / kT_i
 * (Sugita, Kitao, Okamoto 2000). Speeds go along, times sqrt(T_new / T_old). det M and Fixman's
 * potential over kT do not depend on the walker and drop out. */
#ifndef CARDO_SAMPLING_METHODS_EXCHANGE_H
#define CARDO_SAMPLING_METHODS_EXCHANGE_H

#include "sampling/methods/method.h"

/* Walker t * nwindow + w has window w and temperature t. */
typedef struct cardo_exchange_grid {
    int nwindow, ntemperature;
} cardo_exchange_grid;

/* Numbers that the exchange keeps for a grid. */
int cardo_exchange_keep_count(cardo_exchange_grid grid);
/* Brings them to their beginning. */
void cardo_exchange_start(cardo_exchange_grid grid, double *keep);
/* The exchanges after a round; every walker's last sample is that of its present place. */
void cardo_exchange(cardo_sampling *sampling, cardo_exchange_grid grid, double *keep);
/* How often configurations went from the first window to the last one or back, all together. */
int cardo_exchange_passages(cardo_exchange_grid grid, const double *keep);
/* Fractions of swaps taken, and how often a replica went from the first window to the last and
 * back: lines for people. */
void cardo_exchange_report(cardo_exchange_grid grid, const double *keep, char *text, size_t size);

#endif
