/* Mechanisms of several coordinates, sampled along one of them, and what sampling must find: densities
 * in which det M and a potential that couples the joints take part. */
#ifndef CARDO_TESTS_SAMPLING_LINKAGES_H
#define CARDO_TESTS_SAMPLING_LINKAGES_H

#include "landscapes.h"

enum { LINKAGE_BINS = 18 };

typedef enum linkage_kind {
    LINKAGE_SHOULDER, /* of a double pendulum: the first angle, on which det M does not depend */
    LINKAGE_ELBOW,    /* the second one                                                       */
    LINKAGE_CHAIN,    /* of ten bodies on pins in turned directions: the sixth                */
    LINKAGES
} linkage_kind;

extern const char *const linkage_names[];

/* A study of a linkage's angle over its whole circle, by a method, in one of the ensembles; it is a
 * landscape whose forces are its own. Under hmc with moves of 8 flights. */
void linkage_make(landscape *landscape, linkage_kind kind, bool fixman, const char *method);

/* F of bins over the circle (-ln of mean densities, kT) and its standard error. Of the pendulum by
 * quadrature over the other angle, with det M written down by hand: exact. Of the chain from `draws`
 * independent draws of all angles, each from its own torsion's density, weighed by sqrt(det M) and the
 * couplings. */
void linkage_truth(landscape *landscape, linkage_kind kind, int draws, double F[LINKAGE_BINS],
                   double sigma[LINKAGE_BINS]);

#endif
