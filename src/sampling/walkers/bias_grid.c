#include "sampling/walkers/bias_grid.h"

#include <math.h>
#include <stdbool.h>

cardo_status cardo_bias_grid_create(cardo_bias_potential *bias, double period, int nnode,
                                    double low, double spacing, cardo_error *error)
{
    cardo_status status =
        cardo_bias_create(bias, &cardo_bias_grid, period, CARDO_GRID_HEAD + 2 * nnode, error);
    if (status != CARDO_OK)
        return status;
    bias->values[CARDO_GRID_LOW] = low;
    bias->values[CARDO_GRID_SPACING] = spacing;
    return CARDO_OK;
}

int cardo_bias_grid_count(const cardo_bias_potential *bias)
{
    return (bias->nvalue - CARDO_GRID_HEAD) / 2;
}

double cardo_bias_grid_place(const cardo_bias_potential *bias, int node)
{
    return bias->values[CARDO_GRID_LOW] + node * bias->values[CARDO_GRID_SPACING];
}

double *cardo_bias_grid_values(const cardo_bias_potential *bias)
{
    return bias->values + CARDO_GRID_HEAD;
}

double *cardo_bias_grid_slopes(const cardo_bias_potential *bias)
{
    return cardo_bias_grid_values(bias) + cardo_bias_grid_count(bias);
}

static double interpolate(const cardo_bias_potential *bias, double xi, double *slope)
{
    const int n = cardo_bias_grid_count(bias);
    const double h = bias->values[CARDO_GRID_SPACING];
    const double *V = cardo_bias_grid_values(bias), *S = cardo_bias_grid_slopes(bias);
    const bool round = bias->period > 0 && h * (n - 0.5) > bias->period;
    double x = xi - bias->values[CARDO_GRID_LOW];
    if (round)
        x -= bias->period * floor(x / bias->period);
    else if (bias->period > 0) /* of a part of it: the nearest way to its middle */
        x = 0.5 * h * (n - 1) + cardo_periodic_difference(x, 0.5 * h * (n - 1), bias->period);
    if (!round && (x <= 0 || x >= h * (n - 1))) {
        int end = x <= 0 ? 0 : n - 1;
        *slope = S[end];
        return V[end] + S[end] * (x - h * end);
    }
    int i = (int)(x / h);
    i = i < n ? i : n - 1;
    const int j = i + 1 < n ? i + 1 : 0;
    const double t = x / h - i, r = 1 - t;
    *slope = 6 * t * r * (V[j] - V[i]) / h + r * (1 - 3 * t) * S[i] + t * (3 * t - 2) * S[j];
    return r * r * (1 + 2 * t) * V[i] + t * t * (3 - 2 * t) * V[j] +
           h * t * r * (r * S[i] - t * S[j]);
}

static double evaluate(const cardo_bias_potential *bias, double xi, double *slope)
{
    double energy = interpolate(bias, xi, slope);
    const double stiffness = bias->values[CARDO_GRID_WALL_STIFFNESS];
    if (!(stiffness > 0))
        return energy;
    const double low = bias->values[CARDO_GRID_WALL_LOW], high = bias->values[CARDO_GRID_WALL_HIGH];
    /* Of a period the nearest way back to the middle between the walls. */
    double middle = 0.5 * (low + high);
    double x = middle + cardo_periodic_difference(xi, middle, bias->period);
    double beyond = x < low ? x - low : x > high ? x - high : 0;
    *slope += stiffness * beyond;
    return energy + 0.5 * stiffness * beyond * beyond;
}

double cardo_bias_grid_inside(const cardo_bias_potential *bias, double xi)
{
    double slope;
    return interpolate(bias, xi, &slope);
}

void cardo_bias_grid_add(cardo_bias_potential *bias, double centre, double width, double height)
{
    const int n = cardo_bias_grid_count(bias);
    double *V = cardo_bias_grid_values(bias), *S = cardo_bias_grid_slopes(bias);
    for (int i = 0; i < n; ++i) {
        double d = cardo_periodic_difference(cardo_bias_grid_place(bias, i), centre, bias->period);
        double hill = height * exp(-0.5 * d * d / (width * width));
        V[i] += hill;
        S[i] -= hill * d / (width * width);
    }
}

const cardo_bias_kind cardo_bias_grid = {
    .name = "grid",
    .doc = "values and slopes at even places, between walls",
    .evaluate = evaluate,
};
