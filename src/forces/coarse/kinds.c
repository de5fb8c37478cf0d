#include "forces/coarse/kind.h"

#include <stddef.h>

const cardo_coarse_kind *const cardo_coarse_kinds[] = {
    &cardo_coarse_double_basin, &cardo_coarse_elastic_network, &cardo_coarse_kim_hummer, NULL};
