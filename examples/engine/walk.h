/* What the examples share: a body to hang, a classical Runge-Kutta walk in time, and a check that
 * ends the program. */
#ifndef CARDO_EXAMPLES_WALK_H
#define CARDO_EXAMPLES_WALK_H

#include <cardo/multibody.h>

/* A box of mass 1.5 and sides 0.1, 0.3, 0.2, its centre at com from the body origin. */
cardo_mass_properties walk_box(cardo_vec3 com);

/* A system of one body on ground, in gravity along -y. Ends the program when it cannot be made. */
cardo_system *walk_one_body(const cardo_body_definition *body);
cardo_state *walk_state(const cardo_system *system);

/* Realizes to ACCELERATION; ends the program on failure. */
void walk_realize(const cardo_system *system, cardo_state *state);

/* One step of the fourth-order Runge-Kutta method. */
void walk_step(const cardo_system *system, cardo_state *state, double h);

/* Kinetic and potential energy. */
double walk_energy(const cardo_system *system, cardo_state *state);

/* Prints the check; ends the program with status 1 unless |value - expected| <= tolerance. */
void walk_check(const char *what, double value, double expected, double tolerance);

#endif
