/* Modes of a model with all that is told of them. */
#ifndef CARDO_STUDY_MODES_SET_H
#define CARDO_STUDY_MODES_SET_H

#include "analysis/modes/force_stiffness.h"
#include "analysis/modes/mode_hinges.h"
#include "analysis/modes/modes.h"
#include "dynamics/minimization.h"
#include "study/modes/options.h"
#include "study/session/session.h"

#include <stdbool.h>

/* One mode as it is told. */
typedef struct cardo_mode_line {
    int number;                   /* from 1, rigid motions counted */
    double eigenvalue, amplitude; /* ps^-2; thermal root mean square over C-alpha, nm */
    double variance;              /* kT/lambda; 0 where lambda is not positive        */
    double collectivity, overlap, cumulative;
    cardo_mode_hinge *hinge; /* residues as indices into set->ca (nhinge) */
    int nhinge;
} cardo_mode_line;

/* The displacement between the model's structures as far as both have C-alpha atoms. */
typedef struct cardo_mode_observation {
    int n;
    int *index;           /* into set->ca                                        (n)     */
    double *here, *moved; /* places, nm, and how far the other structure's are from them when
                             it is superposed                                    (n x 3) */
    double rmsd;          /* nm                                                          */
} cardo_mode_observation;

typedef struct cardo_mode_set {
    cardo_modes *modes;
    int nrigid, nmode;     /* modes of no stiffness; modes after them */
    cardo_mode_line *line; /* (nmode) */
    int nca;
    int *ca;              /* C-alpha atoms                                (nca)             */
    double *displacement; /* of C-alpha by mode, of v^T M v = 1, rigid motion of the whole
                             taken out                                   (nmode x nca x 3) */
    double *fluctuation;  /* mean square, nm^2                            (nca)             */
    bool b_known;         /* the file's B factors differ                                    */
    double b_correlation; /* with them                                                      */
    bool compared;        /* overlaps are there */
    cardo_mode_observation observed;
    bool minimized; /* the state stands in a minimum, as far as the search came */
    cardo_minimization_result minimization;
    cardo_stiffness_quality quality; /* where forces make K */
} cardo_mode_set;

/* Frees what is there. */
void cardo_mode_set_clear(cardo_mode_set *set);

/* Displacements of C-alpha atoms (nca) in nmode modes after the first nrigid, as far as they are no
 * rigid motion of the whole: nmode x nca x 3, which the caller owns. */
cardo_status cardo_mode_displacements(const cardo_system *system, const cardo_state *state,
                                      const cardo_modes *modes, int nrigid, int nmode, int nca,
                                      const int *ca, double **displacement, cardo_error *error);

/* What nmode displacements (nmode x set->nca x 3) do of the observed one: overlap and cumulative
 * overlap of each (nmode). */
cardo_status cardo_mode_overlaps(const cardo_mode_set *set, int nmode, const double *displacement,
                                 double *overlap, double *cumulative, cardo_error *error);

#endif
