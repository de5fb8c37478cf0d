/* Free energies along the hinge of closed loops (tests/dynamics/constraints/loop_models.h) that are known without sampling, and studies of them. */
#ifndef CARDO_TESTS_SAMPLING_LOOP_CURVES_H
#define CARDO_TESTS_SAMPLING_LOOP_CURVES_H

#include "landscapes.h"
#include "loop_models.h"

/* A loop, and a study along one of its coordinates. loop must stay where it is. */
typedef struct loop_study {
    loop_model loop;
    landscape study; /* its model is borrowed from the loop */
} loop_study;

/* At kT of the reference, by hmc in short flights; coordinate 0 is the hinge. ensemble: cardo_ensemble. */
void loop_study_make(loop_study *s, const char *loop, int ensemble, int coordinate,
                     const char *method, double from, double to);
void loop_study_clear(loop_study *s);

/* F in kT in bins over the study's range, normalized as the estimates are: e^(-A/kT) times the length that M measures, by small steps of
 * q, of the curve's part on which the loop stands as long as the coordinate is in the range; or, round, of the whole curve. The loop has one
 * freedom. */
void loop_curve_profile(loop_study *s, bool round, int nbin, double *F);

#endif
