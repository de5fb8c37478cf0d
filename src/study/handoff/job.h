/* What the study "handoff" is made of: the model's hinges as other programs compute their q, frames along them, and the files. */
#ifndef CARDO_STUDY_HANDOFF_JOB_H
#define CARDO_STUDY_HANDOFF_JOB_H

#include "base/writer.h"
#include "study/handoff/hinge_angle.h"
#include "study/session/session.h"

typedef struct cardo_handoff_choices {
    double from, to; /* q of all hinges together */
    int places;
    int iterations;  /* most, of relaxing a frame; 0: frames as the model has them */
    double gradient; /* kJ/mol/nm: the largest that relaxing leaves */
} cardo_handoff_choices;

typedef struct cardo_handoff {
    cardo_session *session;
    const cardo_handoff_choices *how;
    const cardo_writer *writer; /* NULL: no files */
    int nhinge;                 /* that turn about one axis */
    cardo_hinge_angle *hinge;   /* (nhinge) */
    double *first;              /* positions of the first frame, nm (natom x 3) */
    cardo_error
        not_for_amber; /* its message: why AMBER's files cannot hold the terms; "": they can */
    bool interrupted;
} cardo_handoff;

/* Relaxed frames along q, written, each a row of table "frames". */
cardo_status cardo_handoff_frames(cardo_handoff *handoff, cardo_result *into, cardo_error *error);

/* system.xml, hinges.json and run_openmm.py; plumed.dat; topol.top, conf.gro and minimize.mdp; topology.prmtop and dynamics.mdin,
 * each as far as the terms and hinges allow it: a row of table "programs" with what can be run, or why not. */
cardo_status cardo_handoff_openmm(const cardo_handoff *handoff, cardo_result *programs,
                                  cardo_error *error);
cardo_status cardo_handoff_plumed(const cardo_handoff *handoff, cardo_result *programs,
                                  cardo_error *error);
cardo_status cardo_handoff_gromacs(const cardo_handoff *handoff, cardo_result *programs,
                                   cardo_error *error);
cardo_status cardo_handoff_amber(const cardo_handoff *handoff, cardo_result *programs,
                                 cardo_error *error);
/* Fills not_for_amber, which frames and files go by. */
cardo_status cardo_handoff_amber_look(cardo_handoff *handoff, cardo_error *error);
/* Writes positions (natom x 3, nm) as STEM.rst7, where AMBER can hold the terms. */
cardo_status cardo_handoff_amber_frame(const cardo_handoff *handoff, const char *stem,
                                       const double *positions, cardo_error *error);
/* A row of "programs". */
void cardo_handoff_tell(cardo_result *programs, const char *program, const char *command,
                        const char *note);

#endif
