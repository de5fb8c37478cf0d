#include "model/constraints/kinds.h"

#include <string.h>

#define ADDRESS(name) &cardo_written_##name,
const cardo_written_constraint *const cardo_written_constraints[] = {
    CARDO_WRITTEN_CONSTRAINTS(ADDRESS) NULL};
#undef ADDRESS

const char *cardo_written_constraint_name(const cardo_written_constraint *written)
{
    return written->name ? written->name : cardo_constraint_name(written->kind);
}

const cardo_written_constraint *cardo_written_constraint_find(const char *name)
{
    for (int k = 0; cardo_written_constraints[k]; ++k)
        if (strcmp(cardo_written_constraint_name(cardo_written_constraints[k]), name) == 0)
            return cardo_written_constraints[k];
    return NULL;
}

bool cardo_model_constraint_element(int number, cardo_model_constraint_words *out)
{
    enum { COUNT = sizeof cardo_written_constraints / sizeof *cardo_written_constraints - 1 };
    if (number < 0 || number >= COUNT)
        return false;
    const cardo_written_constraint *written = cardo_written_constraints[number];
    *out = (cardo_model_constraint_words){.name = cardo_written_constraint_name(written),
                                          .doc = written->doc ? written->doc
                                                              : cardo_constraint_doc(written->kind),
                                          .example = written->example,
                                          .attributes = written->fields};
    return true;
}
