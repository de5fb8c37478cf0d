/* Springs from every body of a system to places in ground, as a force provider: a potential that is bounded below and stationary
 * nowhere by symmetry. */
#ifndef CARDO_TESTS_ANCHORED_H
#define CARDO_TESTS_ANCHORED_H

#include "cardo/provider.h"
#include "cardo/system.h"

#include <stdint.h>

enum { ANCHORED_MOST_BODIES = 32, ANCHORED_SPRINGS = 3 };

typedef struct anchored {
    int nbody;
    double stiffness; /* kJ/mol/nm^2 */
    cardo_vec3 point[ANCHORED_MOST_BODIES][ANCHORED_SPRINGS],
        anchor[ANCHORED_MOST_BODIES][ANCHORED_SPRINGS];
    cardo_force_provider *provider;
} anchored;

/* Random springs for the bodies of a system. */
void anchored_create(anchored *self, const cardo_system *system, double stiffness, uint64_t *seed);
void anchored_destroy(anchored *self);

#endif
