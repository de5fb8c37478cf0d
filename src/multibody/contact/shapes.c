#include "multibody/contact/shape.h"

#include <string.h>

#define ENTRY(name) &cardo_contact_##name##_shape,
static const cardo_contact_shape *const shapes[] = {CARDO_CONTACT_SHAPES(ENTRY) NULL};
#undef ENTRY

const cardo_contact_shape *const *cardo_contact_shape_list(void)
{
    return shapes;
}

const cardo_contact_shape *cardo_contact_shape_find(const char *name)
{
    for (int i = 0; shapes[i]; ++i)
        if (strcmp(shapes[i]->name, name) == 0)
            return shapes[i];
    return NULL;
}

const char *cardo_contact_shape_name(const cardo_contact_shape *shape)
{
    return shape->name;
}

const char *cardo_contact_shape_doc(const cardo_contact_shape *shape)
{
    return shape->doc;
}
