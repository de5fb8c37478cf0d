#include "sampling/walkers/bias.h"
#include "sampling/walkers/bias_grid.h"

#include <stddef.h>

static double evaluate_none(const cardo_bias_potential *bias, double xi, double *slope)
{
    (void)bias;
    (void)xi;
    *slope = 0;
    return 0;
}

static double evaluate_harmonic(const cardo_bias_potential *bias, double xi, double *slope)
{
    double stiffness = bias->values[CARDO_HARMONIC_STIFFNESS];
    double stretch =
        cardo_periodic_difference(xi, bias->values[CARDO_HARMONIC_CENTRE], bias->period);
    *slope = stiffness * stretch;
    return 0.5 * stiffness * stretch * stretch;
}

const cardo_bias_kind cardo_bias_none = {
    .name = "none", .doc = "no bias", .evaluate = evaluate_none};

const cardo_bias_kind cardo_bias_harmonic = {
    .name = "harmonic",
    .doc = "a spring to a centre: centre, stiffness",
    .evaluate = evaluate_harmonic,
};

const cardo_bias_kind *const cardo_bias_kinds[] = {&cardo_bias_none, &cardo_bias_harmonic,
                                                   &cardo_bias_grid, NULL};
