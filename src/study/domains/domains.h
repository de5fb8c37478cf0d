/* The study "domains": from structures to rigid domains, hinges and a model that runs. It takes files, no model; its session
 * is for the listener alone (cardo_session_create). */
#ifndef CARDO_STUDY_DOMAINS_DOMAINS_H
#define CARDO_STUDY_DOMAINS_DOMAINS_H

#include "analysis/domains/finder.h"
#include "base/writer.h"
#include "structure/atoms/frame_reader.h"
#include "study/prepare/prepared.h"
#include "study/session/study.h"

/* Who is told on the way; functions may be NULL. What they are given is lent for the call. */
typedef struct cardo_domains_observer {
    void *user;
    /* The first structure was prepared for the model's force field; or, with kept, looked at and left as it is. */
    void (*prepared)(void *user, const cardo_wanted *wanted, const cardo_prepared *prepared,
                     bool kept);
    /* All is found and in the result, and nothing of a model is written yet. */
    cardo_status (*found)(void *user, const cardo_result *result, cardo_error *error);
} cardo_domains_observer;

/* How domains are looked for, and what model is made of them. */
typedef struct cardo_domains_choices {
    double
        identity; /* share of equal residues that is enough for two structures to be compared; 0: by the rule of
                       structure/atoms/superpose.h */
    long long
        stride; /* of frames of a trajectory; 0: so that CARDO_DOMAIN_FRAMES are looked at at most */
    double cutoff; /* nm, of the elastic network that predicts from one structure */
    int joint;     /* 0: path, or pin in a prediction; k: cardo_domain_joints[k - 1] */
    int base;      /* 1: welded to ground */
    bool prepare, allow_guesses;
    char name[CARDO_FIELD_STRING_SIZE],
        forcefield[CARDO_FIELD_STRING_SIZE]; /* in place of those below, which are NULL */
} cardo_domains_choices;

/* The study's options. Zero-initialise; inputs are needed. */
typedef struct cardo_domains_options {
    cardo_domains_choices how;
    cardo_domain_options search;
    cardo_study_inputs inputs; /* FILE, FILE#CHAIN, FILE#MODEL:CHAIN (study/domains/inputs.h) */
    const cardo_frame_reader
        *frames; /* of trajectories among them; NULL: there are none             */
    const char
        *forcefield; /* file of the model's; NULL: the usual one for what the structures hold */
    const cardo_domains_observer *observer;
    /* A model that runs: NAME.xml, NAME.domains.xml, scripts for PyMOL and ChimeraX, and what the model needs of structures
     * that are no files yet. Through a writer whose place is a folder on disk ("." for the working directory), as the
     * structures are read again from there. NULL: none is written. */
    const char *name;
    const cardo_writer *writer;
} cardo_domains_options;

extern const cardo_field cardo_domains_fields[]; /* of how */

#endif
