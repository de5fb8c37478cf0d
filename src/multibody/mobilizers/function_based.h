/* Parameters of the function-based mobilizer (Seth et al. 2010, section 4): rotation and position
 * of M in F as functions of one to six coordinates.
 *
 * R_FM = R(axes[0], f0) R(axes[1], f1) R(axes[2], f2), p_FM = f3 axes[3] + f4 axes[4] + f5 axes[5];
 * qdot = u. H = [W theta_q ; A p_q], Hdot = [Wdot theta_q + W thetadot_q ; A pdot_q] (eq. 20-35).
 */
#ifndef CARDO_MULTIBODY_MOBILIZERS_FUNCTION_BASED_H
#define CARDO_MULTIBODY_MOBILIZERS_FUNCTION_BASED_H

#include "base/vec.h"
#include "multibody/functions/function.h"

/* Parameters of cardo_mobilizer_function_based: copied. */
typedef struct cardo_function_based {
    int ncoordinate; /* 1..6                                                            */
    cardo_function functions[6]; /* three rotations (radian), three translations (nm); narg = 0 and
                                    kind constant: fixed */
    cardo_vec3
        axes[6]; /* need not be unit; all zero: x y z x y z. The three rotation axes are those of
                    body-fixed successive rotations, the three translation axes are fixed in F */
} cardo_function_based;

#endif
