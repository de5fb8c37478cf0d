/* The study `simulate`: dynamics of a model, step by step. */
#ifndef CARDO_STUDY_DYNAMICS_SIMULATE_H
#define CARDO_STUDY_DYNAMICS_SIMULATE_H

#include "study/dynamics/dynamics.h"
#include "study/dynamics/events.h"

typedef struct cardo_simulate_options {
    cardo_dynamics_options dynamics;
    cardo_events_options events;
    cardo_masses_options masses;
} cardo_simulate_options;

#endif
