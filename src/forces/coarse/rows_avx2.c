/* Compiled for AVX2, without fused multiply-add: the bits are the plain ones'. */
#define ROWS      cardo_coarse_rows_avx2
#define ROWS_NAME "avx2"
#include "forces/coarse/rows.inc"
