/* What well-tempered metadynamics leaves beside its samples: hills, and the samples' weights. */
#ifndef CARDO_SAMPLING_METADYNAMICS_H
#define CARDO_SAMPLING_METADYNAMICS_H

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

/* ln of the weights exp(V/kT - c(t)) of all samples behind the first `skip` rounds, walker by walker
 * (analysis/metadynamics_weights.h): the hills are laid once more, from the walkers' series.
 * count[nwalker]; xi and log_weight hold at most all samples of all walkers. */
cardo_status cardo_metadynamics_weigh(const cardo_sampling *sampling, long long skip, int *count,
                                      double *xi, double *log_weight, cardo_error *error);

#endif
