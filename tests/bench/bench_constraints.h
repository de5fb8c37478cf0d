/* What bench_constraints times, and how Simbody is asked for the same. */
#ifndef CARDO_BENCH_CONSTRAINTS_H
#define CARDO_BENCH_CONSTRAINTS_H

#include "bench/bench_models.h"
#include "cardo/geometry.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A chain of pins as it is; its last body welded to ground where it stands; a rod from every third body to the third after. Then
 * the constrained models of Seth et al. 2010, Tables 1 and 2, one body on ground: a free body and three rows, a planar body and
 * two couplers; each with the bodies alone before. */
typedef enum bench_closure {
    BENCH_OPEN,
    BENCH_END_WELD,
    BENCH_RODS,
    BENCH_FREE_BODY,
    BENCH_THREE_ROWS,
    BENCH_PLANAR_BODY,
    BENCH_TWO_COUPLERS
} bench_closure;

/* The points of rods on their first and second body. */
static inline cardo_vec3 bench_rod_point(int end)
{
    return end ? (cardo_vec3){-0.02, 0.1, 0.07} : (cardo_vec3){0.05, 0.03, -0.08};
}

/* The body of each table: mass, centre of mass, inertia about the origin (xx yy zz xy xz yz); the ellipsoid's radii; where the
 * timed state begins, a quaternion first. */
typedef struct bench_single {
    double mass, com[3], inertia[6], radii[3];
    double q[7], u[6];
} bench_single;
extern const bench_single bench_ellipsoid,
    bench_knee; /* the knee's q and u are those of its angle alone */

/* One of these systems in Simbody, n bodies of a chain; NULL when built without it. */
typedef struct bench_simbody bench_simbody;
bench_simbody *bench_simbody_open(bench_closure closure, int n);
void bench_simbody_close(bench_simbody *system);
/* Seconds a forward dynamics of it, mean of some calls. */
double bench_simbody_batch(bench_simbody *system, int calls);

#ifdef __cplusplus
}
#endif

#endif
