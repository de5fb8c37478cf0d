/* Radius of gyration and forward intensity of a curve by Guinier's law. */
#ifndef CARDO_EXPERIMENT_SAXS_GUINIER_H
#define CARDO_EXPERIMENT_SAXS_GUINIER_H

#include "experiment/saxs/curve.h"

typedef struct cardo_guinier {
    double gyration, gyration_sigma; /* nm                        */
    double forward, forward_sigma;   /* I(0), in the file's unit  */
    double low, high;                /* of q, 1/nm                */
    int points;
    double reduced; /* chi^2 of the line over its degrees of freedom */
} cardo_guinier;

/* A weighted line through ln I against q^2 from the curve's first point up to q Rg = 1.3 (Guinier & Fournet 1955), found in
 * turns; errors are the fit's own, times sqrt(reduced) where that is above 1. False: fewer than five points lie there, or
 * intensity does not fall. */
bool cardo_guinier_find(const cardo_curve *curve, cardo_guinier *out);

#endif
