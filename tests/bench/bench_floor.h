/* The plain kernel beside which forces are timed. */
#ifndef CARDO_TESTS_BENCH_FLOOR_H
#define CARDO_TESTS_BENCH_FLOOR_H

/* Places (nm), charges times the root of the Coulomb constant, sigma/2, 2 sqrt(epsilon). */
typedef struct bench_floor_atoms {
    float *x, *y, *z, *charge, *half_sigma, *root_epsilon;
} bench_floor_atoms;

/* Energy of all pairs of na with nb atoms; adds the force on the former to force[3]. */
float bench_floor(int na, const bench_floor_atoms *a, int nb, const bench_floor_atoms *b,
                  float *restrict force);

#endif
