/* The systems that bench_multibody times, and how it hands them to Simbody. */
#ifndef CARDO_BENCH_MODELS_H
#define CARDO_BENCH_MODELS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bench_joint {
    BENCH_PIN,
    BENCH_BALL,
    BENCH_FREE,
    BENCH_ELLIPSOID,
    BENCH_KNEE
} bench_joint;

/* A chain, or a binary tree, of n equal bodies. */
typedef struct bench_model {
    const char *name;
    bench_joint joint;
    int tree; /* parent of body k (from 1) is k / 2 instead of k - 1 */
    int n;
} bench_model;

/* What both engines build bodies from: uniform boxes hung by a corner, frames turned so that no
 * axis is special. */
typedef struct bench_body {
    double mass, com[3], inertia[6];  /* about the body origin: xx yy zz xy xz yz              */
    double R_PF[9], p_PF[3], p_BM[3]; /* X_BM has no rotation                                  */
    double radii[3];                  /* ellipsoid                                             */
} bench_body;

/* The knee's translation splines against its angle (as in Seth et al. 2010, Fig. 6). */
enum { BENCH_KNOTS = 9 };
extern const double bench_knee_angle[BENCH_KNOTS], bench_knee_x[BENCH_KNOTS],
    bench_knee_y[BENCH_KNOTS];

void bench_body_properties(int k, bench_body *body);

/* Nanoseconds a body for a full forward dynamics by Simbody; 0 when built without it. */
double bench_simbody_forward(const bench_model *model, double seconds);

#ifdef __cplusplus
}
#endif

#endif
