/* Many conformations in few groups: what a curve cannot tell apart stands together, so that shares of a hundred thousand frames are shares of
 * some hundreds of groups. A profile is linear in the shares: a group's mean profile is exactly that of its members alike. */
#ifndef CARDO_EXPERIMENT_SAXS_GROUPS_H
#define CARDO_EXPERIMENT_SAXS_GROUPS_H

#include "experiment/saxs/curve.h"
#include "experiment/saxs/partials.h"

typedef struct cardo_profile_groups {
    const cardo_curve *curve;
    int nproperty; /* what was measured beside the curve */
    int n, most;
    double
        width; /* chi^2 between a group's first member and any other is less, each scaled to the curve at c1 = c2 = 1 */
    double *
        first; /* the first member's profile and properties over sigma (most x (curve->n + nproperty)) */
    double *partials; /* sums over members                     (most x curve->n x CARDO_PARTIALS) */
    double *volume, *gyration;  /* likewise                     (most)                    */
    double *property;           /* likewise, over sigma         (most x nproperty)        */
    long long *count, *example; /* members, and the first one's number (most)            */
    double *work; /* (curve->n x CARDO_PARTIALS + nproperty)                              */
} cardo_profile_groups;

/* For nproperty averages that were measured beside the curve. Zero-initialise *out; the caller clears it. The curve is borrowed. */
cardo_status cardo_profile_groups_make(const cardo_curve *curve, int nproperty, int most,
                                       cardo_profile_groups *out, cardo_error *error);
void cardo_profile_groups_clear(cardo_profile_groups *groups);

/* Adds conformation `number` with its partial profiles (curve->n x CARDO_PARTIALS), mean displaced volume, radius of gyration (nm) and properties
 * (nproperty, each over the standard error of what was measured; NULL: none) to the nearest group, or to one of its own. Where there are more than can be, width grows fourfold and groups are joined: which they are depends on the order. Allocates
 * nothing. */
void cardo_profile_groups_add(cardo_profile_groups *groups, long long number,
                              const double *partials, double volume, double gyration,
                              const double *property);

/* Sums become means, groups stand by rising radius of gyration. Nothing is added afterwards. */
void cardo_profile_groups_close(cardo_profile_groups *groups);

#endif
