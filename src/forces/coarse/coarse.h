/* Coarse-grained force fields: a data file and a model become an energy, and that a force provider.
 *
 * A data file is XML with the root <CoarseForceField kind="...">, whose attributes are the kind's
 * parameters (forces/coarse/kind.h). In a model file it stands where an atomistic force field's files do:
 * <forcefield files="double-basin.xml" parameters="barrier=25, difference=-5"/>. */
#ifndef CARDO_FORCES_COARSE_COARSE_H
#define CARDO_FORCES_COARSE_COARSE_H

#include "forces/coarse/energy.h"
#include "model/model.h"
#include "multibody/force.h"

/* Is this force-field file a coarse-grained one? False also where it cannot be read. */
bool cardo_coarse_is_file(const char *path);

/* The energy of a model by a data file. parameters: "name=value" with commas between, which replace
 * the file's, or NULL. Unknown names and kinds are CARDO_ERROR_INPUT with a suggestion. The caller
 * owns *out. */
cardo_status cardo_coarse_energy_create(const cardo_model *model, const char *path,
                                        const char *parameters, cardo_coarse_energy **out,
                                        cardo_error *error);

/* A provider of the energy on body poses: nbody bodies, ground (0) among them; body_of_atom (natom)
 * and stations (natom x 3, nm, in body frames) of the atoms that the sites are. The energy is
 * borrowed and outlives the provider. Terms as the energy has them. compute allocates nothing; the
 * same bits for the same poses. Poses that are not finite are CARDO_ERROR_NUMERICAL, sites that
 * coincide CARDO_RECOVERABLE. */
cardo_status cardo_coarse_provider_create(const cardo_coarse_energy *energy, int nbody,
                                          const int *body_of_atom, const double *stations,
                                          cardo_force_provider **out, cardo_error *error);

#endif
