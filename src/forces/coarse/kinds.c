#include "forces/coarse/kind.h"

#include <stddef.h>

#define ENTRY(name) &cardo_coarse_##name,
const cardo_coarse_kind *const cardo_coarse_kinds[] = {CARDO_COARSE_KINDS(ENTRY) NULL};
#undef ENTRY

const cardo_coarse_kind *const *cardo_coarse_kind_list(void)
{
    return cardo_coarse_kinds;
}

const char *cardo_coarse_kind_file(const cardo_coarse_kind *kind)
{
    return kind->file;
}

const char *cardo_coarse_kind_doc(const cardo_coarse_kind *kind)
{
    return kind->doc;
}

const char *cardo_coarse_kind_citation(const cardo_coarse_kind *kind)
{
    return kind->citation;
}

const cardo_field *cardo_coarse_kind_options(const cardo_coarse_kind *kind)
{
    return kind->fields;
}
