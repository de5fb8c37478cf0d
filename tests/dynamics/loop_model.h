/* A closed molecular loop of tests/reference/multibody/loops.json.gz with its potential, for dynamics on constraints. */
#ifndef CARDO_TESTS_DYNAMICS_LOOP_MODEL_H
#define CARDO_TESTS_DYNAMICS_LOOP_MODEL_H

#include "cardo/provider.h"
#include "cardo/state.h"

#include <jansson.h>

enum { LOOP_MOST = 16 };

/* U = sum k (1 + cos(n theta - delta)) over torsions, the hinge being coordinate 0, + k_h/2 (q_h - q0)^2. */
typedef struct loop_model {
    const json_t *file; /* borrowed */
    cardo_system *system;
    cardo_state *state; /* assembled */
    cardo_force_provider *provider;
    int ntorsion;
    double k[LOOP_MOST], n[LOOP_MOST], delta[LOOP_MOST];
    double hinge_k, hinge_q0, kT;
} loop_model;

/* scale: of the domain's mass and inertia (1: as in the file). The density without det M and det Y does not know them, and a light
 * domain finds its way sooner. */
void loop_open(loop_model *model, const json_t *file, double scale);
void loop_close(loop_model *model);

#endif
