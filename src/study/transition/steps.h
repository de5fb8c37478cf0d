/* The steps of a transition: which studies, on what, with which options. */
#ifndef CARDO_STUDY_TRANSITION_STEPS_H
#define CARDO_STUDY_TRANSITION_STEPS_H

#include "study/transition/options.h"
#include "study/transition/profile.h"

typedef struct cardo_step {
    const char *name; /* also of its part of the place: "coarse-modes" */
    const char *what; /* in words; %s: the hinge's domain */
    const char *study;
    const char *model; /* the step that made its model; NULL: it works on the files */
    const char *start; /* the step whose coordinates it begins from; NULL: the model's */
    int rung;
    int hinge;  /* which it is about, from 0; -1: all */
    bool looks; /* the plan is made when it is done  */
} cardo_step;

/* In their order; ends with a name of NULL. */
extern const cardo_step cardo_steps[];

enum { CARDO_STEP_OPTIONS = 16, CARDO_STEP_TEXT = 2048 };

/* Options of a step's study. */
typedef struct cardo_step_options {
    int n;
    char text[CARDO_STEP_OPTIONS][300];
} cardo_step_options;

/* The name of hinge k's domain, and how many hinges there are, of which at most CARDO_TRANSITION_HINGES count. */
int cardo_transition_hinges(const cardo_transition *t,
                            char name[CARDO_TRANSITION_HINGES][CARDO_FIELD_STRING_SIZE]);
/* The step's words. */
char *cardo_step_words(const cardo_transition *t, const cardo_step *step,
                       char text[CARDO_STEP_TEXT]);
/* The step that made the model on which this one works: coarse steps take the energy of contacts where there are no two wells. */
const char *cardo_step_model(const cardo_transition *t, const cardo_step *step);
void cardo_step_set_options(const cardo_transition *t, const cardo_step *step,
                            cardo_step_options *options);
/* "2 min"; returns text. */
char *cardo_time_words(double seconds, char text[32]);
/* Seconds that it will take, by what an evaluation of its forces takes; 0: that is not known. */
double cardo_step_predict(const cardo_transition *t, const cardo_step *step);
/* Whether there is something to do, as far as is known when it begins. reason: why not, or "", where the step means nothing
 * in this case. */
bool cardo_step_is_wanted(const cardo_transition *t, const cardo_step *step,
                          char reason[CARDO_STEP_TEXT]);
/* Notes what its result says. */
void cardo_step_take(cardo_transition *t, const cardo_step *step, const cardo_session *session,
                     const cardo_result *result);
/* The free energy that such a step came to; false: none. */
bool cardo_step_profile(const cardo_transition *t, const char *step, cardo_hinge_profile *profile);
#endif
