/* Compiled for AVX2 with FMA. */
#define RIGID_SET      cardo_rigid_kernels_avx2
#define RIGID_SET_NAME "avx2"
#include "forces/rigid/kernels/set.inc"
