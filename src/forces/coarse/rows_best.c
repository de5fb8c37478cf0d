#include "forces/coarse/rows.h"

#ifdef CARDO_COARSE_X86
extern const cardo_coarse_rows cardo_coarse_rows_avx2;
#endif

const cardo_coarse_rows *cardo_coarse_rows_best(void)
{
#ifdef CARDO_COARSE_X86
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2"))
        return &cardo_coarse_rows_avx2;
#endif
    return &cardo_coarse_rows_plain;
}
