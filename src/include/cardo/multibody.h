/* The multibody engine: trees of rigid bodies in their own coordinates. It knows no molecule.
 *
 *   cardo_system_create                     bodies with cardo_system_add_body, each on its parent by a mobilizer
 *                                           (cardo_mobilizer_find); points by _add_stations, forces by _add_force, motions by
 *                                           _prescribe; then cardo_system_finalize: it never changes again
 *   cardo_system_add_constraint             closed loops, couplers, held speeds (cardo/constraints.h), before finalize;
 *                                           cardo/manifold.h assembles and projects, and has multipliers, rank and operational space
 *   cardo_state_create                      time, coordinates q, speeds u; any number for one system
 *   cardo_state_set_q, _set_u, _set_forces  what varies; lowers the stage
 *   cardo_realize                           computes up to a stage; views (cardo_state_X_GB ...) and operators
 *                                           (cardo/operators.h) need the stage that their comments name
 *   cardo_state_destroy, cardo_system_destroy
 *
 * cardo/dynamics.h advances a state in time. Whoever creates destroys; a system outlives its states; views are
 * borrowed until the state changes. A system may be shared by threads, a state belongs to one at a time.
 *
 * Units are nm, ps, Da, kJ/mol, radian, or any others that fit together as these do (kJ/mol = Da nm^2/ps^2), such
 * as m, s, kg, J. */
#ifndef CARDO_MULTIBODY_H
#define CARDO_MULTIBODY_H

#include <cardo/constraints.h>
#include <cardo/contact.h>
#include <cardo/elements.h>
#include <cardo/fit.h>
#include <cardo/functions.h>
#include <cardo/geometry.h>
#include <cardo/impact.h>
#include <cardo/manifold.h>
#include <cardo/mobilizers.h>
#include <cardo/motion.h>
#include <cardo/operators.h>
#include <cardo/planar.h>
#include <cardo/provider.h>
#include <cardo/sdfast.h>
#include <cardo/stabilization.h>
#include <cardo/state.h>
#include <cardo/status.h>
#include <cardo/system.h>

#endif
