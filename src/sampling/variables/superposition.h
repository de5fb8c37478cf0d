/* The best rotation of one set of points on another, without a library and without memory. */
#ifndef CARDO_SAMPLING_VARIABLES_SUPERPOSITION_H
#define CARDO_SAMPLING_VARIABLES_SUPERPOSITION_H

#include "base/vec.h"

#include <stdbool.h>

/* The proper rotation R that minimizes sum w |R reference - place|^2 for the correlation C = sum w
 * place reference^T, both from their weighted centres (Horn, J. Opt. Soc. Am. A 4, 629 (1987),
 * section 4A). False where several are equally good, as for points on a line. */
bool cardo_best_rotation(cardo_mat33 C, cardo_mat33 *R);

#endif
