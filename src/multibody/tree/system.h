/* A multibody system (cardo/system.h), and what its parts ask of it. */
#ifndef CARDO_MULTIBODY_TREE_SYSTEM_H
#define CARDO_MULTIBODY_TREE_SYSTEM_H

#include "base/status.h"
#include "base/vec.h"
#include "cardo/system.h"
#include "multibody/mobilizers/mobilizer.h"

/* The body's mobilizer with its parameters compiled, as if not reversed: names of coordinates and
 * speeds come from cardo_joint_q_name and cardo_joint_u_name of multibody/mobilizers/descriptor.h.
 * Borrowed. */
struct cardo_joint;
const struct cardo_joint *cardo_system_joint(const cardo_system *system, int body);

#endif
