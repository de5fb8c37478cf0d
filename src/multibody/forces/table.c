#include "multibody/forces/elements.h"

#include <string.h>

const cardo_force_element *const cardo_force_elements[] = {
    &cardo_force_mobility_spring,  &cardo_force_mobility_damper,  &cardo_force_mobility_constant,
    &cardo_force_two_point_spring, &cardo_force_two_point_damper, &cardo_force_two_point_constant,
    &cardo_force_body_constant,    &cardo_force_linear_bushing,   &cardo_force_flat_bottom,
    &cardo_force_contact,          &cardo_force_callback,         NULL,
};

const cardo_force_element *cardo_force_element_find(const char *name)
{
    for (int i = 0; cardo_force_elements[i]; ++i)
        if (strcmp(cardo_force_elements[i]->name, name) == 0)
            return cardo_force_elements[i];
    return NULL;
}

const cardo_force_element *const *cardo_force_element_list(void)
{
    return cardo_force_elements;
}

const char *cardo_force_element_name(const cardo_force_element *element)
{
    return element->name;
}

const char *cardo_force_element_doc(const cardo_force_element *element)
{
    return element->doc;
}
