/* Random constraints that a configuration fulfils: their parameters are measured there. */
#ifndef CARDO_TESTS_RANDOM_LOOPS_H
#define CARDO_TESTS_RANDOM_LOOPS_H

#include "cardo/constraints.h"
#include "cardo/system.h"

#include <stdint.h>

/* A tree of nbody bodies with nloop random constraints, which hold at q (room for nq); when redundant, some of them twice. The
 * kind is drawn, or is the one given, a joint then without lines, whose rows are not of positions alone. */
cardo_system *random_loops(int nbody, int nloop, bool redundant, const cardo_constraint *kind,
                           uint64_t *seed, double *q);

/* Names of the kinds that have rows of positions alone. */
enum { RANDOM_POSITION_KINDS = 10 };
extern const char *const random_position_kinds[RANDOM_POSITION_KINDS];

#endif
