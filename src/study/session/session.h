/* A session: a model opened for work. Structures and model, bodies as a system, the state where it starts, and who
 * computes its forces. Studies take one; a program or a host opens and closes it. Nothing here prints, knows a
 * command line, or changes the process that it lives in. */
#ifndef CARDO_STUDY_SESSION_SESSION_H
#define CARDO_STUDY_SESSION_SESSION_H

#include "base/communicator.h"
#include "dynamics/evaluation/evaluate.h"
#include "forces/coarse/energy.h"
#include "forces/openmm/openmm.h"
#include "forces/terms/terms.h"
#include "model/model.h"
#include "multibody/tree/state.h"
#include "study/session/listener.h"

/* How to open. Zero-initialise and set size. */
typedef struct cardo_session_options {
    size_t size; /* sizeof(cardo_session_options): it may grow                                    */
    int nsetting;
    const char *const
        *setting;         /* "forcefield.platform=CPU", "simulate.steps=1000", in place of what a
                                   model file says; the last one of a name wins      (nsetting)   */
    bool forces_optional; /* a force field that is missing or cannot be applied is no failure:
                                   session->no_forces says why there are none                     */
    cardo_communicator
        *communicator; /* whose members open alike and do studies together; NULL: this
                         process alone. Borrowed, until the session is closed                         */
    bool model_alone;  /* stop when the model is read, so that it may be changed or asked first;
                         cardo_session_build goes on                                              */
} cardo_session_options;

/* Two structures and the residues of their domains, in place of a model file (model/model.h). */
typedef struct cardo_session_pair {
    const char *open, *closed; /* files; FILE#CHAIN, FILE#MODEL:CHAIN                */
    const char *stationary, *mobile, *hinge; /* residues; hinge may be NULL                       */
    const char *interpolation; /* "screw" (NULL too) or "euler"                      */
} cardo_session_pair;

/* The members are for studies to read; what changes them is below. */
typedef struct cardo_session {
    cardo_listener listener;
    cardo_communicator *communicator; /* or NULL */
    bool forces_optional;
    cardo_model *model;
    cardo_terms *terms; /* NULL with a serialized System or a coarse-grained energy               */
    double *masses;     /* of the atoms as the force field has them, or NULL: standard ones       */
    cardo_system *system;
    cardo_force_provider *provider; /* NULL: no force field                                       */
    cardo_force_provider *table;    /* forces looked up instead, or NULL                          */
    cardo_evaluator *evaluator;
    cardo_openmm_parts *parts;   /* of provider rigid; else NULL                                  */
    cardo_coarse_energy *coarse; /* the energy that provider computes, when it is coarse-grained  */
    char engine[64];             /* of provider rigid: "rigid, mixed precision"                   */
    char not_rigid[128];         /* why provider auto took OpenMM; empty: it did not              */
    cardo_state *state;          /* at the model's initial q                                      */
    struct cardo_judgement
        *judgement;        /* of provider rigid (study/session/judge.h), or NULL               */
    cardo_error no_forces; /* why there is no provider, where that is allowed                     */
} cardo_session;

/* Opens a model file. options and listener may be NULL; the listener is copied, and what it points at must last as
 * long as the session. It hears what reading the structures has met and which provider was taken. A setting that
 * means nothing is CARDO_ERROR_USAGE and named; every problem of the file is named with file:line. After a failure
 * nothing is left and *out is NULL. The caller closes *out. */
cardo_status cardo_session_open(const char *path, const cardo_session_options *options,
                                const cardo_listener *listener, cardo_session **out,
                                cardo_error *error);

/* The same from two structures; of settings there is structure.numbering (author, label). */
cardo_status cardo_session_open_pair(const cardo_session_pair *pair,
                                     const cardo_session_options *options,
                                     const cardo_listener *listener, cardo_session **out,
                                     cardo_error *error);

/* The same from a model in memory, which the session takes over, also when this fails. It has no settings. */
cardo_status cardo_session_open_model(cardo_model *model, const cardo_session_options *options,
                                      const cardo_listener *listener, cardo_session **out,
                                      cardo_error *error);

/* A session without a model, for studies that take files: what is told goes to the listener (which may be NULL). */
cardo_status cardo_session_create(const cardo_listener *listener, cardo_session **out,
                                  cardo_error *error);

/* Forces, system, state and evaluator of a session that was opened with model_alone. After a failure it may only be
 * closed. */
cardo_status cardo_session_build(cardo_session *session, cardo_error *error);

/* Notes for the listener, about what is going to be done: how large the model is, and what is noted of its structures. */
void cardo_session_tell_size(const cardo_session *session, const char *about);

/* Frees all of it. NULL is fine. */
void cardo_session_close(cardo_session *session);

/* Makes every joint of the model free, so that bodies move as blocks of their own, and builds system,
 * state and evaluator anew; nothing where they are free already. After a failure the session may only be closed. */
cardo_status cardo_session_free_joints(cardo_session *session, cardo_error *error);

/* Builds system, state and evaluator anew after motions of the model's bodies were changed; the state stands where it
 * stood, and a table of forces goes. After a failure they are as before. */
cardo_status cardo_session_rebuild(cardo_session *session, cardo_error *error);

/* The provider that a study uses: the table, or the force field itself; NULL: there are no forces. */
cardo_force_provider *cardo_session_forces(const cardo_session *session);

/* Puts the state at these coordinates (nq), or one of them at a value; realizes POSITION. */
cardo_status cardo_session_set_coordinates(cardo_session *session, const double *q,
                                           cardo_error *error);
/* A state at POSITION with all hinges that were fitted to several structures as the last of these has them, all else
 * as the session's state; NULL where there are none but the one with this speed (-1: all count). The caller owns
 * *out. */
cardo_status cardo_session_last_structures(const cardo_session *session, int speed,
                                           cardo_state **out, cardo_error *error);
cardo_status cardo_session_set_coordinate(cardo_session *session, int coordinate, double value,
                                          cardo_error *error);
/* The same from "BODY=VALUE" or "BODY.K=VALUE"; another text is CARDO_ERROR_USAGE. */
cardo_status cardo_session_place(cardo_session *session, const char *text, cardo_error *error);

#endif
