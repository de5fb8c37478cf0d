/* A planar mechanism as it was compiled (cardo/planar.h). */
#ifndef CARDO_MULTIBODY_PLANAR_MECHANISM_H
#define CARDO_MULTIBODY_PLANAR_MECHANISM_H

#include "cardo/planar.h"

/* A body's joint on its parent in the system's tree. */
typedef struct planar_link {
    int node;    /* the body's number in the system                                            */
    int parent;  /* body of the mechanism, 0: ground                                           */
    int joint;   /* that is its mobilizer, -1: it is free in the plane                          */
    bool onward; /* the body is the joint's body 2, so that its parent is body 1               */
} planar_link;

struct cardo_mechanism {
    int nbody, njoint;
    cardo_system *system;
    cardo_planar_joint *joints; /* (njoint), without names and functions */
    planar_link *links;         /* (nbody + 1)                          */
    int *order;                 /* (nbody): bodies as the system has them */
    int *constraint;            /* (njoint): of a joint, -1: none        */
};

/* The direction along which a translational joint slides, on body 1: its normal turned by -90 degrees. */
static inline void planar_slide(const cardo_planar_joint *joint, double along[2])
{
    along[0] = joint->normal1[1];
    along[1] = -joint->normal1[0];
}

#endif
