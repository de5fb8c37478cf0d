/* What bench_constraints times, and how Simbody is asked for the same. */
#ifndef CARDO_BENCH_CONSTRAINTS_H
#define CARDO_BENCH_CONSTRAINTS_H

#include "bench/bench_models.h"
#include "cardo/geometry.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A chain of pins as it is; its last body welded to ground where it stands; a rod from every third body to the third after. */
typedef enum bench_closure { BENCH_OPEN, BENCH_END_WELD, BENCH_RODS } bench_closure;

/* The points of rods on their first and second body. */
static inline cardo_vec3 bench_rod_point(int end)
{
    return end ? (cardo_vec3){-0.02, 0.1, 0.07} : (cardo_vec3){0.05, 0.03, -0.08};
}

/* Seconds of a forward dynamics by Simbody; 0 when built without it. */
double bench_simbody_closure(bench_closure closure, int n, double seconds);

#ifdef __cplusplus
}
#endif

#endif
