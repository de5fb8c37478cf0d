/* The part of a set-up that finds who computes the model's forces. */
#ifndef CARDO_CLI_SETUP_FORCES_H
#define CARDO_CLI_SETUP_FORCES_H

#include "cli/setup.h"

/* Sets setup->provider, or setup->parts or setup->coarse, of which cardo_setup_pose_provider makes it
 * when there is a system; masses[natom] to those of the force field (Da) where it has any, which
 * *have_masses tells. What prevents it stands in setup->no_forces, and is an error where need_forces. */
cardo_status cardo_setup_add_forces(cardo_setup *setup, bool need_forces, double *masses,
                                    bool *have_masses, cardo_error *error);

/* The provider that works on body poses, rigid or coarse-grained, for the compiled system in its
 * present state (POSITION). */
cardo_status cardo_setup_pose_provider(cardo_setup *setup, cardo_error *error);

#endif
