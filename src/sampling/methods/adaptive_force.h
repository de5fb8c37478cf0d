/* What adaptive biasing force leaves: forces along a coordinate. */
#ifndef CARDO_SAMPLING_METHODS_ADAPTIVE_FORCE_H
#define CARDO_SAMPLING_METHODS_ADAPTIVE_FORCE_H

#include "analysis/free_energy/mean_force_blocks.h"
#include "sampling/sampling.h"

/* The nodes, and the sums over blocks of time, for cardo_integrate_blocks. Borrowed, valid until
 * the next round. The study is by the method adaptive-force. */
cardo_force_nodes cardo_adaptive_force_nodes(const cardo_sampling *sampling);
cardo_force_blocks cardo_adaptive_force_blocks(const cardo_sampling *sampling);

#endif
