/* Patches: changes of residue templates, such as a chain's end or a disulfide. */
#ifndef CARDO_FORCES_FFXML_DEFINITIONS_PATCH_H
#define CARDO_FORCES_FFXML_DEFINITIONS_PATCH_H

#include "forces/ffxml/definitions/parameters.h"

/* Adds the patches of a <Patches> element. */
cardo_status cardo_patches_read(cardo_forcefield *forcefield, const cardo_xml *document,
                                const cardo_xml_element *element, cardo_error *error);

/* Once all templates and patches are read: gathers which patch may be applied to which template, as
 * <AllowPatch> and <ApplyToResidue> of a file say. Names of patches or residues that no file has are
 * left out. */
cardo_status cardo_patches_allow(cardo_forcefield *forcefield, const cardo_xml *document,
                                 cardo_error *error);

/* Sorts what cardo_patches_allow gathered by template. */
void cardo_patches_finish(cardo_forcefield *forcefield);

/* Makes a template from another one by one side of a patch. *applies is false, and nothing is made,
 * where the patch does not fit the template: an atom that it adds is there already, or one that it
 * changes or bonds is not. The caller clears *out (cardo_template_clear). */
cardo_status cardo_patch_apply(const cardo_patch *patch, int side, const cardo_template *base,
                               cardo_template *out, bool *applies, cardo_error *error);

void cardo_patches_clear(cardo_forcefield *forcefield);

#endif
