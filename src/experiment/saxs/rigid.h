/* Rigid bodies' amplitudes, made once: expanded in spherical harmonics about each body's middle, turned and shifted for each conformation.
 *
 * A(q s) = sqrt(4 pi) sum_lm i^l b_lm(q) Y_lm(s), b_lm real (Stuhrmann 1970, Acta Cryst. A26, 297). What a body scatters alone is the sum of b b', and
 * what two scatter with each other is an integral over s in a frame whose z goes through both middles: a sum over m and over
 * Gauss and Legendre's points of cos(theta). Nothing of a conformation's cost depends on the number of atoms. */
#ifndef CARDO_EXPERIMENT_SAXS_RIGID_H
#define CARDO_EXPERIMENT_SAXS_RIGID_H

#include "experiment/saxs/partials.h"
#include "experiment/saxs/scatterers.h"

#include <stddef.h>

typedef struct cardo_rigid_bodies cardo_rigid_bodies;
/* Room to work in, one a thread, and the layer of its latest conformation. */
typedef struct cardo_rigid_work cardo_rigid_work;

/* Tables of nbody bodies; body (scatterers->n): the one of each scatterer. nq values of q (1/nm), falling. size: no two
 * middles of bodies are ever further from each other (nm). tolerance (1e-1 to 1e-12): of I(q) in Debye's sum. Exposures are those of scatterers;
 * the scatterers are borrowed. A body without scatterers is CARDO_ERROR_ARGUMENT. The caller owns *out. */
cardo_status cardo_rigid_bodies_make(const cardo_scatterers *scatterers, int nbody, const int *body,
                                     int nq, const double *q, double size, double tolerance,
                                     cardo_rigid_bodies **out, cardo_error *error);
void cardo_rigid_bodies_destroy(cardo_rigid_bodies *bodies);
/* Bytes of the tables. */
size_t cardo_rigid_bodies_size(const cardo_rigid_bodies *bodies);

/* The caller owns *out, and destroys it before the bodies. */
cardo_status cardo_rigid_work_make(const cardo_rigid_bodies *bodies, cardo_rigid_work **out,
                                   cardo_error *error);
void cardo_rigid_work_destroy(cardo_rigid_work *work);

/* Takes other exposures (scatterers->n) for the conformations that follow; costs by the number of those that differ from what the tables were made
 * with. Allocates nothing. */
void cardo_rigid_renew(cardo_rigid_work *work, const double *exposure);

/* The six partial profiles, out[nq x CARDO_PARTIALS], of bodies that poses carry from where the tables were made: x -> R x + p, 12 numbers a
 * body (R by rows, p in nm). Allocates nothing; the bits depend on poses and exposures alone. Middles further from each other than the tables' size are
 * CARDO_ERROR_ARGUMENT. */
cardo_status cardo_rigid_find(cardo_rigid_work *work, const double *pose, double *out,
                              cardo_error *error);

/* Derivatives of the sum of weight (nq x CARDO_PARTIALS) times the profiles, gradient[6 x nbody]: by a small turn of each body about where its middle is,
 * and by a shift, in ground axes. The layer rides with its atoms. Errors as of cardo_rigid_find. Allocates nothing. */
cardo_status cardo_rigid_gradient(cardo_rigid_work *work, const double *pose, const double *weight,
                                  double *gradient, cardo_error *error);
/* Where that is (nm). */
void cardo_rigid_middle(const cardo_rigid_bodies *bodies, int body, const double *pose,
                        double out[3]);

/* Multiplications of vectors that a conformation asks for, for a choice between engines. */
double cardo_rigid_cost(const cardo_rigid_bodies *bodies);

#endif
