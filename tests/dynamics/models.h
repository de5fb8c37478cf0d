/* Small systems with analytic potentials, for tests of dynamics and its files. */
#ifndef CARDO_TESTS_DYNAMICS_MODELS_H
#define CARDO_TESTS_DYNAMICS_MODELS_H

#include "dynamics/evaluation/callback_provider.h"
#include "dynamics/simulation.h"
#include "multibody/functions/function.h"

typedef struct test_model {
    cardo_system *system;
    cardo_state *state;
    cardo_force_provider *provider;
    double stiffness;       /* kJ/mol per square of whatever the springs pull */
    double rest;            /* rest position of the springs on coordinates    */
    int calls;              /* calls of the provider                          */
    int fail_at;            /* the call that fails, 0: none                   */
    cardo_status fail_with; /* CARDO_OK: by an energy that is not a number */
} test_model;

/* A point-like body of 10 Da and inertia 0.4 Da nm^2 on a pin, 1.5 nm off its axis, gravity 20
 * nm/ps^2 along -y from the provider; q = 0 hangs. I = 0.4 + 10 1.5^2 about the pin; weight times
 * arm = 300 kJ/mol. */
void model_pendulum(test_model *model);
/* The same body on a ball: three speeds. */
void model_top(test_model *model);
/* A straight chain of 100 pins in turned directions with a spring on each. */
void model_chain(test_model *model);
/* Ten links on pins in turned directions, a kink at each. */
void model_links(test_model *model);
/* model_free whose arm swings to and fro by 0.3 rad at a rate (rad/ps), or at rate 0 stands at 0.3:
 * six degrees of freedom. Its arm, the coordinate of model_path, and the second angle of model_loose
 * as a motion says or where it is held. */
void model_swung(test_model *model, double rate);
void model_driven_arm(test_model *model, const cardo_function *motion);
void model_driven_path(test_model *model, const cardo_function *motion);
void model_held(test_model *model, const double *angle);
/* One coordinate whose M changes with q: an Euler path turned about a point far off the body;
 * spring on q. */
void model_path(test_model *model);
/* The same path carried by a wheel on a pin: M of both changes with the last coordinate alone. */
void model_carried_path(test_model *model);
/* A double pendulum in the plane with a spring on each angle. */
void model_double(test_model *model);
/* The same, with a rod from the lower end to ground, so long that it holds at q = 0.7, -0.4. */
void model_tied(test_model *model);
/* The same as model_double without the springs. */
void model_loose(test_model *model);
/* Means of the cosine and the sine of twice the angle between its links with the density sqrt(det
 * M), by quadrature. Moves the model's state. */
void model_loose_marginal(const test_model *model, double *cosine, double *sine);
/* One pin, constant M = 3 Da nm^2, spring of 300 kJ/mol/rad^2 with rest at 0: frequency 10/ps. */
void model_spring(test_model *model);
/* Two such wheels, "hidden" and "wheel", which only forces join. */
void model_wheels(test_model *model);
/* A free body (quaternion) held by a spring on its origin, with another on a pin with a spring: 7
 * speeds. */
void model_free(test_model *model);
void model_destroy(test_model *model);

#endif
