/* Distance, angle and dihedral of points with their gradients, and how gradients change as the points move. */
#ifndef CARDO_MULTIBODY_CONSTRAINTS_PARTS_INTERNAL_GEOMETRY_H
#define CARDO_MULTIBODY_CONSTRAINTS_PARTS_INTERNAL_GEOMETRY_H

#include "base/vec.h"

/* n points, 2: their distance, nm; 3: the angle at the second; 4: the dihedral about the line between the middle ones, rad in
 * -pi ... pi, positive as IUPAC-IUB (1970) has it. */
double cardo_internal_value(int n, const cardo_vec3 *point);

/* Gradient by each point (n); of dihedrals Blondel & Karplus, J. Comput. Chem. 17, 1132 (1996). Zero where it has none: points
 * that coincide, of angles and dihedrals points in a line. */
void cardo_internal_gradient(int n, const cardo_vec3 *point, cardo_vec3 *gradient);

/* Time derivative of the gradient (n) while points move with these velocities (n). */
void cardo_internal_gradient_rate(int n, const cardo_vec3 *point, const cardo_vec3 *velocity,
                                  cardo_vec3 *rate);

#endif
