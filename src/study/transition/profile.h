/* What a free energy along a hinge says of its two ends: wells, barrier, and the difference. */
#ifndef CARDO_STUDY_TRANSITION_PROFILE_H
#define CARDO_STUDY_TRANSITION_PROFILE_H

#include <stdbool.h>

enum { CARDO_PROFILE_POINTS = 50 };

/* kT: what is higher than that heat does not reach in the time of anything that is simulated. */
enum { CARDO_PROFILE_HIGH = 40 };

/* In kT, F above its lowest value. */
typedef struct cardo_hinge_profile {
    int n;
    double q[CARDO_PROFILE_POINTS], free_energy[CARDO_PROFILE_POINTS],
        sigma[CARDO_PROFILE_POINTS]; /* NaN: not known there */

    bool whole;         /* known from 0 to 1, and nowhere higher than CARDO_PROFILE_HIGH     */
    bool wells;         /* a minimum on either side of 0.5, with something higher between     */
    double at[2], f[2]; /* the lowest places below and above q = 0.5                          */
    double barrier_at, barrier; /* the highest place between them, above the lower well        */
    double end
        [2]; /* F next to q = 0 and 1, between them; NaN: not known                                  */
    double between; /* the highest between 0 and 1                                            */
    double difference,
        error; /* -ln of the ratio of what lies above 0.5 to what lies below, and what the errors of the
                                  points make of it                                              */
    double lowest,
        highest; /* places between which F is at most CARDO_PROFILE_HIGH, around the lowest one */
} cardo_hinge_profile;

/* From n, q, free_energy and sigma the rest. */
void cardo_hinge_profile_judge(cardo_hinge_profile *profile);

#endif
