/* OpenMM ForceField XML: reading it, matching residues to templates, assigning parameters. */
#ifndef CARDO_FORCES_FFXML_FORCEFIELD_H
#define CARDO_FORCES_FFXML_FORCEFIELD_H

#include "forces/terms/terms.h"
#include "structure/atoms/structure.h"
#include "topology/bonds.h"

typedef struct cardo_forcefield cardo_forcefield;

/* Reads one or more force-field files (and what they include), all of one parameter set. Paths are
 * resolved already. implicit/NAME.xml is known by its name where NAME is a model
 * of gb_model.h (solvent dielectric 78.5); other scripts are CARDO_ERROR_UNSUPPORTED, as are force
 * sections that this version does not know, by name and line. The caller owns *out. */
cardo_status cardo_forcefield_read(int npath, const char *const *paths, cardo_forcefield **out,
                                   cardo_error *error);
void cardo_forcefield_destroy(cardo_forcefield *forcefield);

/* Adds the implicit solvent of that name ("obc2": forces/terms/gb_model.h lists them), with its radii
 * by element and bonds. Asked for OBC2, a force field with <GBSAOBCForce> keeps its own radii;
 * another model beside one that is there is CARDO_ERROR_INPUT. */
cardo_status cardo_forcefield_use_solvent(cardo_forcefield *forcefield, const char *name,
                                          cardo_error *error);

/* Matches every residue to a template by its bond graph and lists every term. All residues that
 * fail are in the message, each with its label, the nearest template, missing and surplus atoms,
 * and what to do. The caller owns *out. */
cardo_status cardo_forcefield_assign(const cardo_forcefield *forcefield,
                                     const cardo_structure *structure, const cardo_bonds *bonds,
                                     cardo_terms **out, cardo_error *error);

#endif
