/* Exposures by rigid bodies: points that a body leaves free on its own atoms are found once, and of a conformation only what other bodies cover of
 * them. */
#ifndef CARDO_EXPERIMENT_SAXS_INTERFACE_H
#define CARDO_EXPERIMENT_SAXS_INTERFACE_H

#include "experiment/saxs/scatterers.h"

typedef struct cardo_interface cardo_interface;

/* For nbody bodies, body (scatterers->n) the one of each scatterer, where the scatterers are; borrowed. The caller owns *out. */
cardo_status cardo_interface_make(const cardo_scatterers *scatterers, int nbody, const int *body,
                                  cardo_interface **out, cardo_error *error);
void cardo_interface_destroy(cardo_interface *interface);

/* Exposures (scatterers->n) in the conformation of poses (12 numbers a body as in rigid.h). As those of exposure.h, with points that turn with their
 * body. Allocates nothing; calls in several threads are allowed. */
void cardo_interface_find(const cardo_interface *interface, const double *pose, double *exposure);

#endif
