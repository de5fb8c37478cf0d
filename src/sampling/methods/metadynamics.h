/* What well-tempered metadynamics leaves beside its samples: hills. */
#ifndef CARDO_SAMPLING_METHODS_METADYNAMICS_H
#define CARDO_SAMPLING_METHODS_METADYNAMICS_H

#include "sampling/sampling.h"

/* A hill: that of one walker after one round. Unless the range is a whole period its ends are
 * mirrors: a hill has two images, and a walker beyond an end lays it at its own image. */
typedef struct cardo_hill {
    double time;          /* ps, of the walker since its samples count                            */
    double centre, width; /* in the variable's unit                                               */
    double height;        /* kJ/mol, as it was added                                              */
    double bias_factor;
} cardo_hill;

/* The hills that were laid after the last round, one a walker (number of walkers). The study is by the
 * method metadynamics and has made a round. */
void cardo_metadynamics_hills(const cardo_sampling *sampling, cardo_hill *hills);

#endif
