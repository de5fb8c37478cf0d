/* A hinge's q from positions of atoms alone, as other programs compute it: by the torsion of four points, each a weighted mean of
 * C-alphas.
 *
 * Weights of a point p are those of the best affine map of a domain: w_i = 1/n + (p - m)' S^-1 (x_i - m), with the mean m of its n
 * C-alphas and S = sum (x_i - m)(x_i - m)'. They add up to 1, some are negative, and as long as the domain is rigid their mean is p
 * wherever the domain goes. Points 2 and 3 lie on the screw's axis and point 1 beside it, all three of the domain that stands; point 4 is
 * of the one that moves. The torsion is (q - 1/2) times the screw's angle, so that it is far from where it wraps. */
#ifndef CARDO_STUDY_HANDOFF_HINGE_ANGLE_H
#define CARDO_STUDY_HANDOFF_HINGE_ANGLE_H

#include "model/model.h"

enum { CARDO_HINGE_POINTS = 4 };

typedef struct cardo_hinge_angle {
    const char *name; /* of the body that moves; borrowed from the model */
    int body;         /* index into the model's */
    double angle;     /* from q = 0 to 1, radian */
    int n[CARDO_HINGE_POINTS];
    int *atom[CARDO_HINGE_POINTS];      /* (n) */
    double *weight[CARDO_HINGE_POINTS]; /* (n), which add up to 1 */
} cardo_hinge_angle;

/* Of a body that hangs on another by a path between two structures; the model is borrowed. CARDO_ERROR_UNSUPPORTED, with why, of
 * another joint, or of one that hardly turns. Zero-initialise *out; clear it also after a failure. */
cardo_status cardo_hinge_angle_find(const cardo_model *model, int body, cardo_hinge_angle *out,
                                    cardo_error *error);
/* q at positions (natom x 3, any unit). */
double cardo_hinge_angle_q(const cardo_hinge_angle *hinge, const double *positions);
void cardo_hinge_angle_clear(cardo_hinge_angle *hinge);

/* Marks the C-alphas (C4' of nucleotides) of a body's annotated domain: mark[natom], others stay. Returns how many. */
int cardo_domain_alphas(const cardo_model *model, int body, bool *mark);

#endif
