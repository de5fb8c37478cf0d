#include "forces/rigid/kernels/kernels.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

extern const cardo_rigid_kernels cardo_rigid_kernels_plain;
#ifdef CARDO_RIGID_X86
extern const cardo_rigid_kernels cardo_rigid_kernels_avx2, cardo_rigid_kernels_avx512;
#endif

const cardo_rigid_kernels *cardo_rigid_kernels_named(const char *name)
{
#ifdef CARDO_RIGID_X86
    __builtin_cpu_init();
    bool fused = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (strcmp(name, "avx512") == 0)
        return fused && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                       __builtin_cpu_supports("avx512vl")
                   ? &cardo_rigid_kernels_avx512
                   : NULL;
    if (strcmp(name, "avx2") == 0)
        return fused ? &cardo_rigid_kernels_avx2 : NULL;
#endif
    return strcmp(name, "plain") == 0 ? &cardo_rigid_kernels_plain : NULL;
}

const cardo_rigid_kernels *cardo_rigid_kernels_best(void)
{
    static const char *const widest_first[] = {"avx512", "avx2", "plain"};
    const cardo_rigid_kernels *kernels = NULL;
    for (int k = 0; !kernels; ++k)
        kernels = cardo_rigid_kernels_named(widest_first[k]);
    return kernels;
}
