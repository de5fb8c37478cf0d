/* Bodies of point masses, so that a test knows mass, metric and momenta without the engine: a slider
 * whose sqrt(det M) varies several-fold along its way, and two hinges in a row with a floppy last
 * body, each on a free base or one welded to ground. */
#ifndef CARDO_TESTS_DYNAMICS_POINT_MODELS_H
#define CARDO_TESTS_DYNAMICS_POINT_MODELS_H

#include "dynamics/evaluation/callback_provider.h"
#include "dynamics/simulation.h"

#include <stdbool.h>

enum { POINT_BODIES = 3, POINTS_A_BODY = 4, POINT_COORDINATES = 2 };

typedef enum point_kind { POINT_SLIDER, POINT_HINGES, POINT_KINDS } point_kind;

typedef struct point_model {
    point_kind kind;
    bool welded;
    int nbody, ninternal;
    cardo_transform X_PF[POINT_BODIES]; /* [0]: not used */
    cardo_vec3 point[POINT_BODIES][POINTS_A_BODY];
    double mass[POINT_BODIES][POINTS_A_BODY];
    double lowest[POINT_COORDINATES],
        highest[POINT_COORDINATES]; /* beyond: no weight, or a period */
    bool periodic[POINT_COORDINATES];
    cardo_system *system;
    cardo_state *state;
    cardo_force_provider *provider;
} point_model;

/* Body by body with its points as stations, the first free or welded, and a potential of the internal
 * coordinates alone. The model stays where it is: the provider knows its address. */
void point_model_create(point_model *model, point_kind kind, bool welded);
void point_model_destroy(point_model *model);

/* Internal coordinates of the model's state, periodic ones within their range. */
void point_model_internal(const point_model *model, double *q);

/* U, kJ/mol, and ln sqrt(det M) by the positions of the points alone. */
double point_model_potential(const point_model *model, const double *q);
double point_model_half_log_det(const point_model *model, const double *q);

/* Kinetic energies of translation, rotation and internal motion, from the stations of the state. */
void point_model_shares(const point_model *model, double shares[3]);

/* Cumulative probabilities of coordinate k at n + 1 evenly spaced values over its range, in the
 * density exp(-U/kT), times sqrt(det M) in the rigid ensemble. */
void point_model_cumulative(const point_model *model, int k, double kT, bool rigid, int n,
                            double *cumulative);

#endif
