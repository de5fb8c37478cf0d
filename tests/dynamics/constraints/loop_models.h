/* Closed molecular loops (tests/reference/multibody/loops.json.gz) that move under their potential, and the exact marginals of their
 * three ensembles. */
#ifndef CARDO_TESTS_DYNAMICS_LOOP_MODELS_H
#define CARDO_TESTS_DYNAMICS_LOOP_MODELS_H

#include "dynamics/evaluation/callback_provider.h"
#include "dynamics/simulation.h"

#include <jansson.h>

enum { LOOP_MOST_Q = 16, LOOP_MOST_BINS = 24 };

typedef struct loop_model {
    cardo_system *system;
    cardo_state *state;
    cardo_force_provider *provider;
    const json_t *file;  /* borrowed */
    int ntorsion, first; /* coordinate of the first torsion: 1 after a hinge, else 0 */
    double k[LOOP_MOST_Q], n[LOOP_MOST_Q], delta[LOOP_MOST_Q]; /* of torsions, kJ/mol and radian */
    double hinge_k, hinge_q0;                                  /* of a hinge                      */
    double kT;                                                 /* kJ/mol */
    int freedoms;
} loop_model;

/* By name ("loop_k3_ball"), at its assembled configuration. */
void loop_model_create(loop_model *model, const char *name);
/* A system of the trajectories ("traj_rod_loop.json"), without forces but gravity, at its first sample. */
void loop_model_create_trajectory(loop_model *model, const char *name);
void loop_model_destroy(loop_model *model);

/* Probabilities of a coordinate's bins in an ensemble ("rigid", "closure_corrected", "fully_corrected"), and their edges (one more than bins). Returns
 * how many bins there are; 0: there is no marginal of this coordinate. */
int loop_model_bins(const loop_model *model, const char *ensemble, int coordinate, double *edges,
                    double *probabilities);
/* The bin of a value of the coordinate: torsions are wrapped to (-pi, pi]; -1: outside. */
int loop_model_bin(int coordinate, const double *edges, int nbin, double value);
/* Half the sum of differences of two distributions. */
double loop_model_variation(const double *a, const double *b, int n);

/* Largest position error at the state. */
double loop_model_violation(const loop_model *model);

#endif
