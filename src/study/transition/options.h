/* The study "transition": from two structures of a protein to how it moves between them and what that costs. It runs the other
 * studies one after the other, each in a part of its place, and says what they come to together. */
#ifndef CARDO_STUDY_TRANSITION_OPTIONS_H
#define CARDO_STUDY_TRANSITION_OPTIONS_H

#include "study/session/study.h"
#include "study/transition/notes.h"

/* What moves, and by which energy. */
enum {
    CARDO_RUNG_AUTO,    /* of options: the highest that holds */
    CARDO_RUNG_COARSE,  /* C-alpha atoms, rigid domains       */
    CARDO_RUNG_RIGID,   /* all atoms, rigid domains           */
    CARDO_RUNG_FLEXIBLE /* all atoms; strands and side chains give way */
};

enum { CARDO_TRANSITION_HINGES = 4 }; /* along which free energies are computed */

typedef struct cardo_transition_options {
    struct cardo_transition_choices {
        double time; /* minutes in which all is to be done */
        int rung; /* CARDO_RUNG_...: the highest that is tried; auto: flexible, as far as the time goes */
        double temperature; /* K */
        long long seed;
        double identity; /* as in domains */
        bool symmetric;  /* likewise */
    } how;
    cardo_study_inputs inputs;
    const cardo_frame_reader *frames;
    const cardo_writer *writer;
    const cardo_study_runner *runner; /* finds and runs the studies that it is made of */
} cardo_transition_options;

/* A study on its way. */
typedef struct cardo_transition {
    const cardo_transition_options *options;
    const cardo_listener *listener; /* of the host */
    cardo_step_notes notes;
    cardo_step_notes told; /* warnings that the host has heard, as names */
    bool goes_on;
} cardo_transition;

#define CARDO_TRANSITION_PLAN "plan.cardo"

/* Did the host say stop? */
static inline bool cardo_transition_stopped(const cardo_transition *t)
{
    return t->listener->stop && *t->listener->stop;
}

/* Borrowed texts and numbers of what a step came to; NULL and NaN: nothing. */
#define CARDO_STEP_SAID(t, step, name)  cardo_step_text(&(t)->notes, (step), (name))
#define CARDO_STEP_VALUE(t, step, name) cardo_step_number(&(t)->notes, (step), (name))

#endif
