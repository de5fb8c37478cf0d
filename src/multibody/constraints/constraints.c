#include "multibody/constraints/constraint.h"
#include "multibody/constraints/parts/descriptor.h"

#include <string.h>

#define ENTRY(name) &cardo_constraint_##name,
static const cardo_constraint *const kinds[] = {CARDO_CONSTRAINTS(ENTRY) NULL};
#undef ENTRY

const cardo_constraint *const *cardo_constraint_list(void)
{
    return kinds;
}

const char *cardo_constraint_name(const cardo_constraint *constraint)
{
    return constraint->name;
}

const char *cardo_constraint_doc(const cardo_constraint *constraint)
{
    return constraint->doc;
}

const cardo_constraint *cardo_constraint_find(const char *name)
{
    for (int i = 0; kinds[i]; ++i)
        if (strcmp(kinds[i]->name, name) == 0)
            return kinds[i];
    return NULL;
}
