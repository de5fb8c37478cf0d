/* The knee of Seth et al. 2010, Fig. 6: as the shank turns, its centre rolls and slides on the thigh's end along two splines that were measured. */
#ifndef CARDO_EXAMPLES_KNEE_JOINT_H
#define CARDO_EXAMPLES_KNEE_JOINT_H

#include <cardo/multibody.h>

enum { KNEE_KNOTS = 9 };

/* Angles (radian) and where the centre is at each (m). */
extern const double knee_angle[KNEE_KNOTS], knee_x[KNEE_KNOTS], knee_y[KNEE_KNOTS];

/* Parameters of a function-based mobilizer: one coordinate, the angle about z. */
extern const cardo_function_based knee_joint;

#endif
