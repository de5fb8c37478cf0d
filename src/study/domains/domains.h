/* The study "domains": from structures to rigid domains, hinges and a model that runs. It takes files, no model; its session
 * is for the listener alone (cardo_session_create). */
#ifndef CARDO_STUDY_DOMAINS_DOMAINS_H
#define CARDO_STUDY_DOMAINS_DOMAINS_H

#include "analysis/domains/errors/error_domains.h"
#include "analysis/domains/finder.h"
#include "base/writer.h"
#include "structure/atoms/frame_reader.h"
#include "study/prepare/prepared.h"
#include "study/session/study.h"

enum {
    CARDO_DOMAINS_RIGID,   /* domains throughout */
    CARDO_DOMAINS_FLEXIBLE /* strands and side chains give way */
};

/* How domains are looked for, and what model is made of them. */
typedef struct cardo_domains_choices {
    double
        identity; /* share of equal residues that is enough for two structures to be compared; 0: by the rule of
                       structure/atoms/superpose.h */
    long long
        stride; /* of frames of a trajectory; 0: so that CARDO_DOMAIN_FRAMES are looked at at most */
    double cutoff;        /* nm, of the elastic network that predicts from one structure */
    int joint;            /* 0: path, or pin in a prediction; k: cardo_domain_joints[k - 1] */
    int base;             /* 1: welded to ground */
    int motion;           /* CARDO_DOMAINS_... of the model that is written */
    int iterations;       /* of a minimization where its motion is tried */
    int cycle_iterations; /* likewise, where a cycle stops and forces are left */
    int reference; /* iterations of all atoms, at a place and each way, by which strain is judged; 0: it is not */
    double
        hold; /* kJ/mol of strain up to which residues that need not turn are held again; 0: none are */
    int heat; /* steps of dynamics in a round of annealing where that trial turns back */
    int rounds; /* of it, in a second attempt where the first comes to no whole motion; 0: there is none */
    bool prepare, allow_guesses;
    bool symmetric;   /* hinges that are copies go by one coordinate */
    int ligand_joint; /* 1: those that are kept move near their sites, else they are welded */
    char keep
        [CARDO_FIELD_TEXT_SIZE]; /* "ligands", "ions", names of residues, commas between; ""   */
    char pae
        [CARDO_FIELD_TEXT_SIZE]; /* file of predicted errors, by which domains are found; "": none */
    char name[CARDO_FIELD_TEXT_SIZE], forcefield[CARDO_FIELD_TEXT_SIZE]; /* ""; as below */
} cardo_domains_choices;

/* The study's options. Zero-initialise; inputs are needed. */
typedef struct cardo_domains_options {
    cardo_domains_choices how;
    cardo_domain_options search;
    cardo_error_options errors; /* with how.pae */
    cardo_study_inputs inputs;  /* FILE, FILE#CHAIN, FILE#MODEL:CHAIN (study/domains/inputs.h) */
    const cardo_frame_reader
        *frames; /* of trajectories among them; NULL: there are none             */
    /* A model that runs: NAME.xml, NAME.domains.xml, scripts for PyMOL and ChimeraX, and what the model needs of structures
     * that are no files yet. Through a writer whose place is a folder on disk ("." for the working directory), as the
     * structures are read again from there. NULL: none is written. */
    const cardo_writer *writer;
    /* Set by the study from how: the model's name without folder and ending, NULL: none; the force field's file, NULL: the usual
     * one for what the structures hold. */
    char model[CARDO_FIELD_STRING_SIZE];
    const char *name, *forcefield;
} cardo_domains_options;

#endif
