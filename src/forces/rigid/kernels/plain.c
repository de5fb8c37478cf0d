/* For any processor: 128-bit vectors of the compiler's own. */
#define RIGID_SET      cardo_rigid_kernels_plain
#define RIGID_SET_NAME "plain"
#include "forces/rigid/kernels/set.inc"
