/* Planar mechanisms of the reference figures (tests/reference/multibody/planar.json.gz). */
#ifndef CARDO_TESTS_PLANAR_MODELS_H
#define CARDO_TESTS_PLANAR_MODELS_H

#include "cardo/operators.h"
#include "cardo/planar.h"

#include <jansson.h>

enum { PLANAR_BODIES = 8, PLANAR_JOINTS = 24, PLANAR_KNOTS = 64, PLANAR_Q = 24, PLANAR_ROWS = 24 };

/* A description with what it points to. */
typedef struct planar_model {
    cardo_planar planar;
    cardo_planar_body bodies[PLANAR_BODIES];
    cardo_planar_joint joints[PLANAR_JOINTS];
    cardo_planar_force forces[4];
    double knots[PLANAR_JOINTS][PLANAR_KNOTS], values[PLANAR_JOINTS][PLANAR_KNOTS];
} planar_model;

/* Fills a model from a file's `system`. */
void planar_model_read(const json_t *file, planar_model *model);
/* Compiles it with a method of stabilization (NULL: projection), with a state. */
void planar_model_make(planar_model *model, cardo_planar_form form,
                       const cardo_stabilization *stabilization, cardo_mechanism **mechanism,
                       cardo_state **state);
/* Numbers under a key into out (room for n); returns how many. */
int planar_numbers(const json_t *object, const char *key, double *out, int n);
/* Kinetic and potential energy at the state, realized to VELOCITY here. */
double planar_energy(const cardo_system *system, cardo_state *state);

#endif
