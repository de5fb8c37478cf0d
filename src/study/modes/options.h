/* How modes are found, and which of them is told. */
#ifndef CARDO_STUDY_MODES_OPTIONS_H
#define CARDO_STUDY_MODES_OPTIONS_H

#include "base/field.h"

#include <stdbool.h>

typedef enum cardo_mode_stiffness { CARDO_MODES_NETWORK, CARDO_MODES_FORCES } cardo_mode_stiffness;
typedef enum cardo_mode_nodes {
    CARDO_NODES_AUTO,
    CARDO_NODES_CA,
    CARDO_NODES_HEAVY,
    CARDO_NODES_ALL
} cardo_mode_nodes;
typedef enum cardo_mode_correlations {
    CARDO_CORRELATIONS_AUTO,
    CARDO_CORRELATIONS_YES,
    CARDO_CORRELATIONS_NO
} cardo_mode_correlation_choice;

typedef struct cardo_mode_options {
    int stiffness, nodes, joints; /* joints: 0 the model's, 1 all free */
    double cutoff, spring;        /* nm (0: by nodes), kJ/mol/nm^2 */
    int power, count;
    bool minimize;      /* first, where forces make K */
    double tolerance;   /* of that, kJ/mol per unit of a coordinate */
    int iterations;     /* of that */
    double step;        /* of differences of forces, in the coordinates' units; 0: by precision */
    double temperature; /* K */
    char compare[CARDO_FIELD_STRING_SIZE], against[CARDO_FIELD_STRING_SIZE];
    int correlations, animate, frames;
    double amplitude; /* nm, root mean square over the points shown */
} cardo_mode_options;

extern const cardo_field cardo_mode_fields[];

#endif
