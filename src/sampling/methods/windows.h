/* Umbrella windows: where they stand, how stiff they are, and whether neighbours overlap. */
#ifndef CARDO_SAMPLING_METHODS_WINDOWS_H
#define CARDO_SAMPLING_METHODS_WINDOWS_H

#include "sampling/methods/method.h"

typedef struct cardo_windows {
    int count;
    double first, spacing;    /* centres, in the variable's unit                                */
    double stiffness;         /* kJ/mol per square of the unit                                  */
    int nbeyond[2];           /* of count: beyond the lower and the upper end of the range      */
    double spacing_beyond[2]; /* of these, from the range's last window on                      */
} cardo_windows;

/* Of the k-th. */
double cardo_windows_centre(const cardo_windows *windows, int k);

/* Chooses what of count and stiffness is 0. On a flat landscape a window's samples have the standard
 * deviation s = sqrt(kT / stiffness), and neighbours stand 3/2 s apart. With neither given a probe
 * of `probe` steps at nine places looks how the landscape is curved: a spring of twice the sharpest
 * downward curvature holds a walker on any slope, and there are at least 16 windows. Where the free
 * energy rises steeply at an end of the range, springs that end there do not hold walkers there: windows go
 * on beyond it until they do, farther apart where it is curved upwards, since walkers hardly follow there. */
cardo_status cardo_windows_choose(cardo_sampling *sampling, int count, double stiffness,
                                  long long probe, const volatile sig_atomic_t *interrupt,
                                  cardo_windows *windows, cardo_end *end, cardo_error *error);

/* Whether the time step is short enough for springs of such a stiffness: they turn by sqrt(stiffness
 * g M^-1 g) h a step, g = dxi/dq at the study's start, and above 1 integrators are about to fail:
 * CARDO_ERROR_INPUT that says which stiffness and step would do. */
cardo_status cardo_windows_check_step(const cardo_sampling *sampling, double stiffness,
                                      cardo_error *error);

/* The spring that holds the variable to a `parts`th of the range (standard deviation), or the stiffest
 * one that the time step follows: of walls, and for leading a walker along. */
cardo_status cardo_windows_stiffest(const cardo_sampling *sampling, int parts, double *stiffness,
                                    cardo_error *error);

/* The windows that a crew has. */
cardo_windows cardo_windows_of(const cardo_crew *crew, int ntemperature);

/* Puts the springs of the windows onto walkers first .. first + count - 1. */
cardo_status cardo_windows_set(const cardo_windows *windows, cardo_sampling *sampling,
                               cardo_crew *crew, int first, cardo_error *error);

/* Whether the windows, equilibrated in sampling->crew, saw the landscape fall away more sharply than
 * half their stiffness holds: a ridge between the places of the probe. Then *windows become stiffer
 * and more, unless that would be more than 200. */
bool cardo_windows_stiffen(cardo_sampling *sampling, cardo_windows *windows);

/* Whether the outermost of the windows, equilibrated in sampling->crew, sample the ends of the range, to half
 * a spacing. Where not, *windows go on further, unless that would be more than 200 in all. Those beyond an end stand half as far apart where
 * neighbours of them overlap too little. */
bool cardo_windows_extend(cardo_sampling *sampling, cardo_windows *windows);

/* Says which part of the range walkers of these windows leave out at its ends: CARDO_ERROR_INPUT where the
 * windows were `chosen` by the program, a note where they are as somebody gave them. */
cardo_status cardo_windows_check_ends(const cardo_sampling *sampling, const cardo_windows *windows,
                                      bool chosen, cardo_error *error);

/* Whether what neighbours among the walkers first .. first + count - 1 have seen, the second half of
 * their samples, overlaps: Bhattacharyya's coefficient of two Gaussians with their means and
 * variances is 0.755 as chosen above on a flat landscape. Below 0.02 is CARDO_ERROR_INPUT that says
 * between which windows and what to do; *least is the lowest found. Where there are fewer than 20
 * samples it goes by the springs alone, as on a flat landscape. */
cardo_status cardo_windows_check(const cardo_windows *windows, const cardo_crew *crew, int first,
                                 double *least, cardo_error *error);

#endif
