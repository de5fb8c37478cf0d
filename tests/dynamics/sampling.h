/* Long runs of small systems, and means of what they pass with standard errors that know of
 * correlation. */
#ifndef CARDO_TESTS_DYNAMICS_SAMPLING_H
#define CARDO_TESTS_DYNAMICS_SAMPLING_H

#include "models.h"

enum { MOST_SAMPLES = 120000, MOST_SPEEDS = 7 };

typedef struct sampling_plan {
    void (*make)(test_model *);
    const cardo_integrator *integrator;
    const char *const *settings; /* name, value, ... of the integrator's options, NULL; those that
                                    it has not are passed over */
    const char *ensemble;        /* NULL: the default                                     */
    double timestep, temperature;
    long long seed;
    int samples, stride; /* one sample every stride steps                                  */
} sampling_plan;

/* One series a quantity. */
typedef struct sampling_series {
    int n, nu;
    double kinetic[MOST_SAMPLES], kinetic_square[MOST_SAMPLES];
    double share[MOST_SPEEDS][MOST_SAMPLES]; /* a speed times its momentum                    */
    double position[MOST_SAMPLES];           /* the last coordinate                           */
    double scratch[MOST_SAMPLES];
    char report[256];
} sampling_series;

/* Runs the plan, after 2000 steps that do not count. The model is left for the caller to destroy.
 * The series is static and holds until the next call. */
sampling_series *sample(const sampling_plan *plan, test_model *model);

/* Mean of n values, with its standard error, the largest of those that growing blocks give
 * (Flyvbjerg & Petersen 1989), as long as there are a hundred blocks. Destroys the values. */
void mean_and_error(double *values, int n, double *mean, double *error);

/* The mean is as expected within so many standard errors, and the standard error below the most
 * that makes the check worth something. Prints both. Destroys the values. */
void assert_mean(const char *what, double *values, int n, double expected, double sigmas,
                 double most);

#endif
