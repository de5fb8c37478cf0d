/* What mobilizers with an orientation share, as functions of the descriptor: balls, which turn every
 * way, and lines, which do not spin about their own z. Free joints and free lines put their
 * translation after it. */
#ifndef CARDO_MULTIBODY_MOBILIZERS_ORIENTATION_JOINT_H
#define CARDO_MULTIBODY_MOBILIZERS_ORIENTATION_JOINT_H

#include "multibody/mobilizers/descriptor.h"

/* Coordinate names: an orientation, then x, y, z. */
extern const char *const cardo_orientation_q_names[7];
extern const char *const cardo_orientation_q_names_euler[6];

/* First translation coordinate after the orientation. */
static inline int orientation_size(const cardo_joint *joint)
{
    return joint->euler ? 3 : 4;
}

/* q of the orientation of X_FM, nearest to the q that comes in. */
void cardo_orientation_fit_q(const cardo_joint *joint, const cardo_transform *X_FM, double *q);
/* 0 where the second angle is +-90 degrees; 1 for quaternions. */
double cardo_orientation_regularity(const cardo_joint *joint, const double *q);

/* Speeds are the angular velocity of M in F, expressed in F. */
void cardo_ball_multiply_n(const cardo_joint *joint, const double *q, const double *u,
                           double *qdot);
void cardo_ball_multiply_n_inverse(const cardo_joint *joint, const double *q, const double *qdot,
                                   double *u);
void cardo_ball_multiply_n_dot(const cardo_joint *joint, const double *q, const double *u,
                               double *ndot_u);

/* What a line's position leaves behind: M's x and y axes in F. */
typedef struct line_evaluation {
    cardo_vec3 axes[2];
} line_evaluation;

/* Speeds are x and y of the angular velocity of M in F, expressed in M. Orientation and two columns
 * of H, or of its rate; X_FM's position is left alone. */
void cardo_line_position(const cardo_joint *joint, const double *q, double *cache,
                         cardo_transform *X_FM, cardo_spatial *H);
void cardo_line_rate(const cardo_joint *joint, const double *q, const double *u,
                     const double *cache, cardo_spatial *Hdot);
void cardo_line_multiply_n(const cardo_joint *joint, const double *q, const double *u,
                           double *qdot);
void cardo_line_multiply_n_inverse(const cardo_joint *joint, const double *q, const double *qdot,
                                   double *u);
void cardo_line_multiply_n_dot(const cardo_joint *joint, const double *q, const double *u,
                               double *ndot_u);

#endif
