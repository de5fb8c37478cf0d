/* Boxes as their corners meet others. */
#ifndef CARDO_MULTIBODY_CONTACT_BOX_H
#define CARDO_MULTIBODY_CONTACT_BOX_H

#include "multibody/contact/shape.h"

/* The box less its rounding; corners are spheres of that radius about points of its edges. */
typedef struct box_data {
    cardo_vec3 half;  /* of the box itself                       */
    cardo_vec3 inner; /* half less the rounding                  */
    double rounding;
    int ncorner;
    cardo_vec3 *corners; /* in its frame                 (ncorner) */
} box_data;

/* From the inner box to a point: distance (less than 0: how deep inside) and the unit vector along which it grows. */
double cardo_box_distance(const box_data *box, cardo_vec3 point, cardo_vec3 *along);

#endif
