/* A session: a model opened for work. Structures and model, bodies as a system, the state where it starts, and who
 * computes its forces. Studies take one; a program or a host opens and closes it. Nothing here prints, knows a
 * command line, or changes the process that it lives in. */
#ifndef CARDO_SESSION_H
#define CARDO_SESSION_H

#include <cardo/communicator.h>
#include <cardo/listener.h>
#include <cardo/model.h>
#include <cardo/provider.h>
#include <cardo/state.h>

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cardo_session cardo_session;

/* How to open. Zero-initialise and set size. */
typedef struct cardo_session_options {
    size_t size; /* sizeof(cardo_session_options): it may grow                                    */
    int nsetting;
    const char *const
        *setting;         /* "forcefield.platform=CPU", "simulate.steps=1000", in place of what a
                                   model file says; the last one of a name wins      (nsetting)   */
    bool forces_optional; /* a force field that is missing or cannot be applied is no failure:
                                   cardo_session_no_forces says why there are none                */
    cardo_communicator
        *communicator; /* whose members open alike and do studies together; NULL: this
                         process alone. Borrowed, until the session is closed                         */
    bool model_alone;  /* stop when the model is read, so that it may be changed or asked first;
                         cardo_session_build goes on                                              */
    bool unevaluated; /* nothing that computes forces is made, which of large bodies takes long: for
                         who looks at bonds and contacts alone. A provider that cannot be told from its
                         terms (OpenMM) may be made all the same                                  */
} cardo_session_options;

/* Two structures and the residues of their domains, in place of a model file. */
typedef struct cardo_session_pair {
    const char *open, *closed; /* files; FILE#CHAIN, FILE#MODEL:CHAIN                */
    const char *stationary, *mobile, *hinge; /* residues; hinge may be NULL                       */
    const char *interpolation; /* "screw" (NULL too) or "euler"                      */
} cardo_session_pair;

/* Opens a model file. options and listener may be NULL; the listener is copied, and what it points at must last as
 * long as the session. It hears what reading the structures has met and which provider was taken. A setting that
 * means nothing is CARDO_ERROR_USAGE and named; every problem of the file is named with file:line. After a failure
 * nothing is left and *out is NULL. The caller closes *out. */
CARDO_API cardo_status cardo_session_open(const char *path, const cardo_session_options *options,
                                          const cardo_listener *listener, cardo_session **out,
                                          cardo_error *error);

/* The same from two structures; of settings there is structure.numbering (author, label). */
CARDO_API cardo_status cardo_session_open_pair(const cardo_session_pair *pair,
                                               const cardo_session_options *options,
                                               const cardo_listener *listener, cardo_session **out,
                                               cardo_error *error);

/* The same from a model in memory, which the session takes over, also when this fails. It has no settings. */
CARDO_API cardo_status cardo_session_open_model(cardo_model *model,
                                                const cardo_session_options *options,
                                                const cardo_listener *listener, cardo_session **out,
                                                cardo_error *error);

/* A session without a model, for studies that take files: what is told goes to the listener (which may be NULL). */
CARDO_API cardo_status cardo_session_create(const cardo_listener *listener, cardo_session **out,
                                            cardo_error *error);

/* Forces, system, state and evaluator of a session that was opened with model_alone. After a failure it may only be
 * closed. */
CARDO_API cardo_status cardo_session_build(cardo_session *session, cardo_error *error);

/* Frees all of it. NULL is fine. */
CARDO_API void cardo_session_close(cardo_session *session);

/* Makes every joint of the model free, so that bodies move as blocks of their own, and builds system,
 * state and evaluator anew; nothing where they are free already. After a failure the session may only be closed. */
CARDO_API cardo_status cardo_session_free_joints(cardo_session *session, cardo_error *error);

/* What it is made of; all belongs to the session. The state may be changed between studies. */
CARDO_API const cardo_model *cardo_session_model(const cardo_session *session);
CARDO_API const cardo_system *cardo_session_system(const cardo_session *session);
CARDO_API cardo_state *cardo_session_state(const cardo_session *session);
/* The provider that a study uses: a table, or the force field itself; NULL: there are no forces. */
CARDO_API cardo_force_provider *cardo_session_forces(const cardo_session *session);
/* Why there are none, or NULL: there are. */
CARDO_API const cardo_error *cardo_session_no_forces(const cardo_session *session);

/* Puts the state at these coordinates (nq), or one of them at a value; realizes POSITION. */
CARDO_API cardo_status cardo_session_set_coordinates(cardo_session *session, const double *q,
                                                     cardo_error *error);
CARDO_API cardo_status cardo_session_set_coordinate(cardo_session *session, int coordinate,
                                                    double value, cardo_error *error);
/* The same from "BODY=VALUE" or "BODY.K=VALUE"; another text is CARDO_ERROR_USAGE. */
CARDO_API cardo_status cardo_session_place(cardo_session *session, const char *text,
                                           cardo_error *error);

#ifdef __cplusplus
}
#endif

#endif
