/* How a motion under constraints is kept on them: options of the solver of accelerations, and what is done after a step.
 *
 * Accelerations obey G udot + b = 0, and positions and speeds drift off by what each step errs. With p the position errors and v the velocity errors:
 *
 *   projection            after a step q and then u go back by the least change as M measures it; the default, and what all integrators can do
 *   baumgarte             G udot + b + 2 alpha v + beta^2 p = 0 (Baumgarte 1972, Comput. Methods Appl. Mech. Eng. 1, 1): nothing is done afterwards.
 *                         alpha = beta = 0 is direct integration, which drifts. cardo_baumgarte_by_z_plane has values for a step
 *   penalty               (M + k G^T G) udot = f - k G^T (b + 2 omega mu v + omega^2 p): constraints are stiff, damped oscillators, and may be redundant
 *   augmented-lagrangian  that, `solves` times, the last one's forces being carried over (Bayo, Garcia de Jalon & Serna 1988, Comput. Methods Appl. Mech. Eng.
 *                         71, 183): converges to what multipliers give, without singular equations
 *   partitioning          of coordinates: only as many as there are degrees of freedom count, those that stand apart most from the others, and
 *                         the others follow from the rows at every stage of a step (Wehage & Haug 1982, J. Mech. Des. 104, 247)
 *   null-space            speeds are a combination of a basis of the null space of G (Kamman & Huston 1984, J. Appl. Mech. 51, 899): accelerations are
 *                         those along it, and after a step u is projected on it. Positions drift
 *
 * Speeds and velocity errors are u and those of cardo_constraint_velocity_errors; rows of speeds have 2 alpha v and 2 omega mu v, too, those of
 * accelerations nothing. */
#ifndef CARDO_STABILIZATION_H
#define CARDO_STABILIZATION_H

#include <cardo/constraints.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cardo_stabilization_method {
    CARDO_STABILIZATION_PROJECTION,
    CARDO_STABILIZATION_BAUMGARTE,
    CARDO_STABILIZATION_PENALTY,
    CARDO_STABILIZATION_AUGMENTED_LAGRANGIAN,
    CARDO_STABILIZATION_PARTITIONING,
    CARDO_STABILIZATION_NULL_SPACE,
    CARDO_STABILIZATION_METHODS /* how many there are */
} cardo_stabilization_method;

/* Zero-initialise, then set what the method needs. */
typedef struct cardo_stabilization {
    cardo_stabilization_method method;
    double alpha, beta; /* 1/ps; baumgarte                                                  */
    double stiffness;   /* k, more than 0; penalty, augmented-lagrangian                     */
    double omega, mu;   /* 1/ps, and a number; likewise                                      */
    int solves;         /* of augmented-lagrangian, 1 or more                                */
} cardo_stabilization;

/* "projection", "baumgarte" ... */
CARDO_API const char *cardo_stabilization_name(cardo_stabilization_method method);

/* The method of a system, before it is finalized. CARDO_ERROR_ARGUMENT names what is not a number or out of range. */
CARDO_API cardo_status cardo_system_set_stabilization(cardo_system *system,
                                                      const cardo_stabilization *stabilization,
                                                      cardo_error *error);
/* What was set. */
CARDO_API cardo_stabilization cardo_system_stabilization(const cardo_system *system);

/* What the method does after a step, to q and then u: nothing with baumgarte, penalty and augmented-lagrangian. tolerance: largest position error that is left
 * where positions are brought back, 0: 1e-13; of speeds, that times the largest of them and 1. CARDO_ERROR_NUMERICAL where there is no way back. Lowers the stage where
 * something changed. */
CARDO_API cardo_status cardo_stabilize(const cardo_system *system, cardo_state *state,
                                       double tolerance, cardo_error *error);
/* What it does to q and u at a stage of a step: something with partitioning alone. */
CARDO_API cardo_status cardo_stabilize_stage(const cardo_system *system, cardo_state *state,
                                             double tolerance, cardo_error *error);

/* alpha and beta of Baumgarte's method for an explicit Runge-Kutta method of 1, 2 or 4 stages and as high an order at a step of h: the two roots s of s^2 + 2 alpha s
 * + beta^2 go to z = R(h s) = 0 in the z-plane, R the method's 1 + h s + ... + (h s)^n / n!, where what there is of errors dies out in one
 * step. 2 stages: 1/h and sqrt(2)/h, the choice by Taylor's series. */
CARDO_API cardo_status cardo_baumgarte_by_z_plane(int stages, double h, double *alpha, double *beta,
                                                  cardo_error *error);

#ifdef __cplusplus
}
#endif

#endif
