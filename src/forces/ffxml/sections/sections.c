#include "forces/ffxml/definitions/section.h"

#include <string.h>

const cardo_section *const cardo_sections[] = {
    &cardo_section_bond,
    &cardo_section_angle,
    &cardo_section_urey_bradley,
    &cardo_section_torsion,
    &cardo_section_custom_torsion,
    &cardo_section_rb_torsion,
    &cardo_section_cmap,
    &cardo_section_nonbonded,
    &cardo_section_lennard_jones,
    &cardo_section_gb,
    NULL,
};

const cardo_section *cardo_section_find(const char *element)
{
    for (int i = 0; cardo_sections[i]; ++i)
        if (strcmp(cardo_sections[i]->element, element) == 0)
            return cardo_sections[i];
    return NULL;
}
