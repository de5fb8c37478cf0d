#include "model/constraints/kinds.h"

#include <string.h>

#define ADDRESS(name) &cardo_written_##name,
const cardo_written_constraint *const cardo_written_constraints[] = {
    CARDO_WRITTEN_CONSTRAINTS(ADDRESS) NULL};
#undef ADDRESS

const cardo_written_constraint *cardo_written_constraint_find(const char *name)
{
    for (int k = 0; cardo_written_constraints[k]; ++k)
        if (strcmp(cardo_constraint_name(cardo_written_constraints[k]->kind), name) == 0)
            return cardo_written_constraints[k];
    return NULL;
}

const cardo_field *cardo_model_constraint_fields(const cardo_constraint *kind)
{
    const cardo_written_constraint *written =
        cardo_written_constraint_find(cardo_constraint_name(kind));
    return written ? written->fields : NULL;
}

const char *cardo_model_constraint_example(const cardo_constraint *kind)
{
    const cardo_written_constraint *written =
        cardo_written_constraint_find(cardo_constraint_name(kind));
    return written ? written->example : NULL;
}
