/* Random numbers: Philox4x32-10 (Salmon et al. 2011), counter-based, through Random123.
 *
 * A stream is a key (seed, study, replica, purpose) and a position; draw number k of a stream is a
 * pure function of both, so streams are the same on any number of threads and a run continues from
 * the stored position alone. */
#ifndef CARDO_BASE_RANDOM_H
#define CARDO_BASE_RANDOM_H

#include <stdint.h>

typedef struct cardo_random {
    uint64_t seed;     /* the user's                                                     */
    uint32_t stream;   /* which stream of that seed: purpose and replica                 */
    uint64_t position; /* blocks of two numbers drawn so far: the whole state */
} cardo_random;

/* A stream at its beginning. */
cardo_random cardo_random_start(uint64_t seed, uint32_t stream);

/* n uniform numbers in (0, 1), 52 bits each; advances the position by ceil(n/2) blocks. */
void cardo_random_uniform(cardo_random *random, int n, double *out);

/* n independent standard normal numbers (Box-Muller); advances the position by
 * ceil(n/2) blocks, so a call never leaves a cached half behind. */
void cardo_random_normal(cardo_random *random, int n, double *out);

#endif
