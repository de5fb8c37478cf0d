/* Modes of a model with all that is told of them: the work behind cardo modes. */
#ifndef CARDO_CLI_MODE_SET_H
#define CARDO_CLI_MODE_SET_H

#include "analysis/modes.h"
#include "base/field.h"
#include "cli/setup.h"

#include <stdbool.h>

typedef enum cardo_mode_stiffness { CARDO_MODES_NETWORK, CARDO_MODES_FORCES } cardo_mode_stiffness;
typedef enum cardo_mode_nodes {
    CARDO_NODES_CA,
    CARDO_NODES_HEAVY,
    CARDO_NODES_ALL
} cardo_mode_nodes;

typedef struct cardo_mode_options {
    int stiffness, nodes, joints; /* joints: 0 the model's, 1 all free */
    double cutoff, spring;        /* nm, kJ/mol/nm^2 */
    int power, count;
    double step;        /* of differences of forces, in the coordinates' units */
    double temperature; /* K */
    char compare[CARDO_FIELD_STRING_SIZE];
    int animate, frames;
    double amplitude; /* nm, root mean square over the points shown */
} cardo_mode_options;

extern const cardo_field cardo_mode_fields[];

/* One mode as it is told. */
typedef struct cardo_mode_line {
    int number;                   /* from 1, rigid motions counted */
    double eigenvalue, amplitude; /* ps^-2; thermal root mean square over C-alpha, nm */
    double collectivity, overlap, cumulative;
} cardo_mode_line;

typedef struct cardo_mode_set {
    cardo_modes *modes;
    int nrigid, nmode;     /* modes of no stiffness; modes behind them */
    cardo_mode_line *line; /* (nmode) */
    int nca;
    int *ca;              /* C-alpha atoms                                (nca)             */
    double *displacement; /* of C-alpha by mode, of v^T M v = 1, rigid motion of the whole
                             taken out                                   (nmode x nca x 3) */
    double *fluctuation;  /* mean square, nm^2                            (nca)             */
    double b_correlation; /* with the file's B factors; 0 where these are all alike         */
    bool compared;        /* overlaps are there */
    double observed_rmsd; /* of the displacement compared with, nm                          */
    int nobserved;        /* C-alpha atoms in it                                            */
    double residual;      /* largest generalized force where forces make K                  */
    double asymmetry;     /* of K by differences, as a share of its largest entry           */
    long long evaluations;
} cardo_mode_set;

/* Stiffness, modes, amplitudes and overlaps of the model at its start. Zero-initialise *set;
 * cardo_mode_set_clear frees what is there, also after a failure. */
cardo_status cardo_mode_set_make(cardo_setup *setup, const cardo_mode_options *options,
                                 cardo_mode_set *set, cardo_error *error);
void cardo_mode_set_clear(cardo_mode_set *set);

#endif
