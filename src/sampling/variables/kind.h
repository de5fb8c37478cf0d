/* What a collective variable is made of: the descriptor, and what a variable keeps. */
#ifndef CARDO_SAMPLING_VARIABLES_KIND_H
#define CARDO_SAMPLING_VARIABLES_KIND_H

#include "base/vec.h"
#include "multibody/force.h"
#include "sampling/variables/variable.h"

#include <stdbool.h>

/* The share of a group's weight that is on one body, and the centre of that share. */
typedef struct variable_part {
    int body;
    double share;      /* of the group's weight: they add up to 1 */
    cardo_vec3 centre; /* in the body frame, nm                   */
} variable_part;

/* A group as its kind needs it: the centre of mass follows from one part a body, or from all
 * stations. */
typedef struct variable_centre {
    int npart, nstation;
    variable_part *part;
    int *station;  /* (nstation) */
    double *share; /* (nstation) */
} variable_centre;

struct cardo_variable_kind {
    const char *name;
    const char *doc; /* one line */
    const char *unit;
    double period;
    double lowest, highest; /* values lie between, where these differ */
    int ngroup;

    /* Functions of the groups' centres alone: value, and where slope is not NULL its derivative with
     * each centre (ngroup). NULL for kinds with the functions below. */
    cardo_status (*of_centres)(const cardo_vec3 *centre, double *value, cardo_vec3 *slope,
                               cardo_error *error);

    /* Kinds of another make: checks the definition, sets variable->data, unit and period. */
    cardo_status (*compile)(cardo_variable *variable, const cardo_variable_definition *definition,
                            cardo_error *error);
    void (*release)(void *data);
    /* Value, and where gradient (nu) is not NULL the gradient. POSITION is realized. */
    cardo_status (*evaluate)(const cardo_variable *variable, const cardo_state *state,
                             double *value, double *gradient, cardo_error *error);
    /* The value for station positions (nstation x 3). NULL: a pose is needed. */
    cardo_status (*evaluate_at)(const cardo_variable *variable, const double *positions,
                                double *value, cardo_error *error);
};

struct cardo_variable {
    const cardo_variable_kind *kind;
    const cardo_system *system;
    char *name;
    const char *unit;
    double period;
    variable_centre centre[CARDO_VARIABLE_MAX_GROUPS];
    cardo_spatial *body_forces; /* working memory (nbody) */
    void *data;                 /* the kind's own         */
};

#endif
