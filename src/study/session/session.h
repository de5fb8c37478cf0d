/* What a session is made of (cardo/session.h). */
#ifndef CARDO_STUDY_SESSION_SESSION_H
#define CARDO_STUDY_SESSION_SESSION_H

#include "base/communicator.h"
#include "cardo/constraints.h"
#include "cardo/session.h"
#include "dynamics/evaluation/evaluate.h"
#include "forces/coarse/energy.h"
#include "forces/openmm/openmm.h"
#include "forces/terms/terms.h"
#include "model/model.h"
#include "multibody/tree/state.h"
#include "study/session/listener.h"

/* What bringing the state onto the constraints has found and changed (study/session/assembly.h). */
typedef struct cardo_assembled {
    int freedoms; /* degrees of freedom: speeds, less independent rows; speeds without constraints */
    double violation; /* largest error of positions before                                       */
    char worst[CARDO_CONSTRAINT_ROW_NAME]; /* the row that has it; "": none has any               */
    double moved; /* rms of atoms, nm; 0: nothing changed                                     */
} cardo_assembled;

/* The members are for studies to read; what changes them is in cardo/session.h. */
struct cardo_session {
    cardo_listener listener;
    cardo_communicator *communicator; /* NULL: this process alone                                 */
    bool forces_optional, unevaluated;
    cardo_model *model;
    double kappa; /* of salt in the solvent, 1/nm; 0: none                                   */
    cardo_terms *terms; /* NULL with a serialized System or a coarse-grained energy               */
    double *masses;     /* of the atoms as the force field has them, or NULL: standard ones       */
    cardo_system *system;
    cardo_force_provider *provider; /* NULL: no force field                                       */
    cardo_force_provider
        *restrained;              /* the provider's and those of ligands' restraints, or NULL    */
    cardo_force_provider *pulled; /* these and the pull of a scattering curve, or NULL       */
    cardo_force_provider *table;  /* forces looked up instead, or NULL                          */
    cardo_evaluator *evaluator;
    cardo_openmm_parts *parts;   /* of provider rigid; else NULL                                  */
    cardo_coarse_energy *coarse; /* the energy that provider computes, when it is coarse-grained  */
    char engine[64];             /* of provider rigid: "rigid, mixed precision"                   */
    char not_rigid[128];         /* why provider auto took OpenMM; empty: it did not              */
    cardo_state *state;          /* at the model's initial q, on the constraints                  */
    cardo_assembled assembled;   /* what that has changed                                         */
    bool *held; /* coordinates that were placed: assembly leaves them; or NULL (nq) */
    struct cardo_judgement
        *judgement;        /* of provider rigid (study/session/judge.h), or NULL               */
    cardo_error no_forces; /* why there is no provider, where that is allowed                     */
};

/* Notes for the listener, about what is going to be done: how large the model is, and what is noted of its structures. */
void cardo_session_tell_size(const cardo_session *session, const char *about);
/* The model's forces with those that hold its ligands and the pull of a curve, and without a table; NULL: none. */
cardo_force_provider *cardo_session_own_forces(const cardo_session *session);
/* Builds system, state and evaluator anew after motions of the model's bodies were changed; the state stands where it
 * stood, and a table of forces goes. After a failure they are as before. */
cardo_status cardo_session_rebuild(cardo_session *session, cardo_error *error);
/* A state at POSITION with all hinges that were fitted to several structures as the last of these has them, all else
 * as the session's state; NULL where there are none but the one with this speed (-1: all count). The caller owns
 * *out. */
cardo_status cardo_session_last_structures(const cardo_session *session, int speed,
                                           cardo_state **out, cardo_error *error);

#endif
