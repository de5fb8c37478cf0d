/* Compiled for AVX-512 (F, DQ, VL). */
#define RIGID_SET      cardo_rigid_kernels_avx512
#define RIGID_SET_NAME "avx512"
#include "forces/rigid/kernels/set.inc"
