/* SD/FAST's names of joints. */
#ifndef CARDO_MULTIBODY_SDFAST_JOINTS_H
#define CARDO_MULTIBODY_SDFAST_JOINTS_H

#include <stdbool.h>

typedef struct sdfast_joint {
    const char *name;
    const char *mobilizer;
    int least_pins, most_pins;
    int axis; /* of the mobilizer's frame that the first pin is: 0 x, 2 z */
} sdfast_joint;

/* By its name, with or without an r before it; NULL: there is none. */
const sdfast_joint *cardo_sdfast_joint(const char *name, bool *reversed);
/* The joint of a mobilizer; NULL: there is none. */
const sdfast_joint *cardo_sdfast_joint_of(const char *mobilizer);
/* All names, in a text. */
const char *cardo_sdfast_joint_names(void);

#endif
