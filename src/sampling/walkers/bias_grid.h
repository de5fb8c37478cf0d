/* A bias on a grid, between walls: hills that grow, or the integral of a mean force.
 *
 * Between nodes V is the cubic that has values and slopes of both (Hermite's), so the force is the exact
 * gradient of the energy. Beyond the outermost nodes V goes on straight. Beyond the walls a spring
 * is added. */
#ifndef CARDO_SAMPLING_WALKERS_BIAS_GRID_H
#define CARDO_SAMPLING_WALKERS_BIAS_GRID_H

#include "sampling/walkers/bias.h"

extern const cardo_bias_kind cardo_bias_grid;

/* The numbers of `grid`: these, V at the nodes, dV/dxi at the nodes. Where the variable has a period
 * the nodes go round it, the last one a spacing before the first. */
enum {
    CARDO_GRID_LOW, /* the first node                        */
    CARDO_GRID_SPACING,
    CARDO_GRID_WALL_LOW,
    CARDO_GRID_WALL_HIGH,
    CARDO_GRID_WALL_STIFFNESS, /* kJ/mol per square; 0: no walls    */
    CARDO_GRID_HEAD
};

/* A bias of nnode >= 2 nodes, zero everywhere, without walls. The caller clears it. */
cardo_status cardo_bias_grid_create(cardo_bias_potential *bias, double period, int nnode,
                                    double low, double spacing, cardo_error *error);
int cardo_bias_grid_count(const cardo_bias_potential *bias);
double cardo_bias_grid_place(const cardo_bias_potential *bias, int node);
double *cardo_bias_grid_values(const cardo_bias_potential *bias); /* V, kJ/mol (nnode)          */
double *cardo_bias_grid_slopes(const cardo_bias_potential *bias); /* kJ/mol per unit (nnode)    */

/* V without the walls. */
double cardo_bias_grid_inside(const cardo_bias_potential *bias, double xi);
/* Adds height exp(-(xi - centre)^2 / (2 width^2)), over the nearest image of a period. */
void cardo_bias_grid_add(cardo_bias_potential *bias, double centre, double width, double height);

#endif
