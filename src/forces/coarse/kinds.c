#include "forces/coarse/kind.h"

#include <stddef.h>

#define ENTRY(name) &cardo_coarse_##name,
const cardo_coarse_kind *const cardo_coarse_kinds[] = {CARDO_COARSE_KINDS(ENTRY) NULL};
#undef ENTRY
