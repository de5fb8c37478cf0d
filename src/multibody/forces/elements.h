/* The kinds of force elements, each a const descriptor in a file of its own, listed in table.c. */
#ifndef CARDO_MULTIBODY_FORCES_ELEMENTS_H
#define CARDO_MULTIBODY_FORCES_ELEMENTS_H

#include "multibody/contact/contact.h"
#include "multibody/tree/force_element.h"

extern const cardo_force_element cardo_force_mobility_spring, cardo_force_mobility_damper,
    cardo_force_mobility_constant, cardo_force_two_point_spring, cardo_force_two_point_damper,
    cardo_force_two_point_constant, cardo_force_body_constant, cardo_force_linear_bushing,
    cardo_force_flat_bottom, cardo_force_callback;

/* All kinds, NULL-terminated. */
extern const cardo_force_element *const cardo_force_elements[];

#endif
