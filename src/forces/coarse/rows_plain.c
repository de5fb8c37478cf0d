/* For any processor. */
#define ROWS      cardo_coarse_rows_plain
#define ROWS_NAME "plain"
#include "forces/coarse/rows.inc"
