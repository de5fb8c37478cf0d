/* Analytic landscapes on a coordinate whose M varies, what sampling must find on them, and studies
 * ready to run. */
#ifndef CARDO_TESTS_SAMPLING_LANDSCAPES_H
#define CARDO_TESTS_SAMPLING_LANDSCAPES_H

#include "models.h"
#include "sampling/methods/estimate.h"
#include "sampling/sampling.h"

typedef enum landscape_shape {
    LANDSCAPE_HARMONIC,
    LANDSCAPE_DOUBLE_WELL, /* barrier 12 kJ/mol between wells at 0 and 1          */
    LANDSCAPE_RUGGED,      /* ripples of 5 kJ/mol, eight of them, on a wide well  */
    LANDSCAPES,
    LANDSCAPE_STEEP = LANDSCAPES, /* flat up to 0.6, then up to 90 kJ/mol at 1.2, 120 kT per unit */
    LANDSCAPE_WALL                /* flat up to 1.1, then up to 40 kJ/mol at 1.2, 320 kT per unit */
} landscape_shape;

extern const char *const landscape_names[];

/* A model and all that a study of it takes; options may be set before it is run. */
typedef struct landscape {
    test_model model;
    landscape_shape shape;
    int coordinate; /* the sampled one: the last                         */
    cardo_variable *variable;
    cardo_simulation_options simulation;
    const cardo_integrator *integrator;
    double integrator_options[32];
    cardo_sampling_options options;
    const cardo_sampling_method *method;
    char method_options[2048];
    const cardo_sampling_listener *listener; /* NULL: nobody */
} landscape;

/* U(q), kJ/mol, and its slope. */
double landscape_energy(landscape_shape shape, double q, double *slope);

/* make's model with the landscape on its last coordinate in place of its forces, at 300 K, sampled from
 * -0.2 to 1.2. fixman: in that ensemble. Under hmc each step is a move of 4 flights, and a sample. */
void landscape_make(landscape *landscape, void (*make)(test_model *), landscape_shape shape,
                    bool fixman, const cardo_integrator *integrator, const char *method);
void landscape_clear(landscape *landscape);
/* Further force on two coordinates: the first is drawn to a wave in the second, U = k/2 (q0 - a sin 3
 * q1)^2. It adds the same to F at every q1, and noise to the force on it. */
void landscape_couple(landscape *landscape);
/* Sets an option of the study, the simulation, the integrator or the method, whichever has it. */
void landscape_set(landscape *landscape, const char *name, const char *value);
/* The study; communicator as in cardo_sampling_plan. */
cardo_status landscape_study(landscape *landscape, cardo_communicator *communicator,
                             cardo_sampling **out, cardo_error *error);
/* Prepares it where it is not restored, and runs it to its end. */
cardo_status landscape_run(cardo_sampling *sampling, cardo_error *error);
/* A study from end to end, and what it finds; the caller clears *out. */
cardo_status landscape_estimate(landscape *landscape, cardo_communicator *communicator,
                                const cardo_estimate_request *request, cardo_estimate *out,
                                cardo_error *error);

/* The same in one process; a failure fails the test. */
void landscape_find(landscape *landscape, const cardo_estimate_request *request,
                    cardo_estimate *out);

/* The density of the last coordinate but for a factor: exp(-U/kT), in the rigid ensemble times sqrt(det
 * M), which depends on that coordinate alone in these models. Moves the model's state. */
double landscape_density(landscape *landscape, double q);

#endif
