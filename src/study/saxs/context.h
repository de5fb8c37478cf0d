/* What the parts of study "saxs" share. */
#ifndef CARDO_STUDY_SAXS_CONTEXT_H
#define CARDO_STUDY_SAXS_CONTEXT_H

#include "experiment/saxs/curve_fit.h"
#include "experiment/saxs/profile.h"
#include "study/saxs/options.h"

typedef struct cardo_saxs_context {
    cardo_session *session; /* for its listener */
    const cardo_saxs_options *options;
    const char *curve_path, *model_path; /* borrowed from the inputs; model NULL: none */
    const char *frames_path;             /* a trajectory; NULL: none */
    char found[CARDO_FIELD_STRING_SIZE]; /* where a run's folder has it */
    cardo_curve curve;
    cardo_curve_fit_options how;
    int threads;
    double *best_fit; /* of what explains the curve best (curve.n)  */
    char best_name[CARDO_FIELD_STRING_SIZE];
    cardo_curve_fit best; /* chi_square 0: there is none yet          */
} cardo_saxs_context;

/* Sorts the inputs into curve, model and structures; no curve, or several, is CARDO_ERROR_INPUT. */
cardo_status cardo_saxs_sort_inputs(cardo_saxs_context *context, cardo_error *error);

/* Each structure among the inputs against the curve: a table "structures". */
cardo_status cardo_saxs_structures(cardo_saxs_context *context, cardo_result *into,
                                   cardo_error *error);

/* The model along its coordinate: a table "hinge", the best place with its uncertainty, and what may be said of it. */
cardo_status cardo_saxs_hinge(cardo_saxs_context *context, cardo_result *into, cardo_error *error);

/* A structure's curve without data: tables "predicted" and "distances". */
cardo_status cardo_saxs_predict(cardo_saxs_context *context, cardo_result *into,
                                cardo_error *error);

/* Frames of a trajectory: their groups, and which shares of these the curve asks for. */
cardo_status cardo_saxs_frames(cardo_saxs_context *context, cardo_result *into, cardo_error *error);

/* Takes a fit as the best so far where it is; fitted (curve.n). */
void cardo_saxs_take(cardo_saxs_context *context, const char *name, const cardo_curve_fit *fit,
                     const double *fitted);

/* Cells of a fit for a row or a group. */
void cardo_saxs_fill_fit(const cardo_curve_fit *fit, cardo_result *into);

enum { CARDO_SAXS_EXPLAINED, CARDO_SAXS_ERRORS_TOO_LARGE, CARDO_SAXS_MISFIT };
/* What a fit is worth: reduced chi^2 against what chance allows (three standard deviations), and the residuals' runs. */
int cardo_saxs_judge(const cardo_curve_fit *fit, int points);
/* The same in a sentence. */
char *cardo_saxs_verdict(const cardo_curve_fit *fit, int points, char text[512]);

#endif
