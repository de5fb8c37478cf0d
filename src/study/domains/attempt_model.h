/* The model of an attempt: what it is made of, its files, and trials of it. For the parts of attempts. */
#ifndef CARDO_STUDY_DOMAINS_ATTEMPT_MODEL_H
#define CARDO_STUDY_DOMAINS_ATTEMPT_MODEL_H

#include "study/domains/model.h"
#include "study/domains/motion_trial.h"
#include "study/domains/shared_geometry.h"
#include "study/session/listener.h"

typedef struct cardo_domain_attempt {
    cardo_domain_model model; /* as it was found, a copy: what it points to is borrowed */
    const char *path;         /* its file; borrowed                                     */
    const cardo_listener *listener;
    int rounds;     /* of annealing where a trial turns back; 0: it is heated once    */
    double *motion; /* of side chains (nresidue) */
    bool *turning;  /* residues whose side chains turn where they need to (nresidue) */
    bool *giving;   /* those whose backbone turns, too (nresidue)                    */
    int nresidue;
    cardo_shared_geometry geometry; /* from which the model is made, or nothing */
    const cardo_motion_trial
        *against;           /* of trials, as they have it; borrowed, or NULL              */
    double farthest;        /* of its last end, as trials have it (motion_trial.h)                */
    double moved;           /* its heavy atoms, from the first structure's, rms, nm */
    char *settled;          /* path of its file, or NULL: the model is the first structure's */
    cardo_led_torsions led; /* that the model has                       */
    bool
        led_in_vain; /* to lead what leaps in the model's last trial did not help, whatever way it was led by */
    bool balanced_in_vain; /* nor did a geometry for all judged places */
    double reference;      /* seconds by the clock that all atoms took, of judging alone */
    char note[160];
} cardo_domain_attempt;

/* Which residues turn, and what is led: what a change that does not stay is taken back to. */
typedef struct cardo_attempt_choice {
    bool *giving, *turning; /* (nresidue) */
    cardo_led_torsions led;
} cardo_attempt_choice;

/* A copy of what it is now. Clear *out also after a failure. */
cardo_status cardo_attempt_choice_keep(const cardo_domain_attempt *attempt,
                                       cardo_attempt_choice *out, cardo_error *error);
/* Makes it what it was, less the files; what is led is handed back, and kept has none any more. */
void cardo_attempt_choice_restore(cardo_domain_attempt *attempt, cardo_attempt_choice *kept);
void cardo_attempt_choice_clear(cardo_attempt_choice *kept);

/* All that a change may alter of a model: its geometry, and which residues turn and what is led. */
typedef struct cardo_attempt_standing {
    cardo_shared_geometry geometry;
    cardo_attempt_choice choice;
} cardo_attempt_standing;

/* A copy of what it is now. Clear *out also after a failure. */
cardo_status cardo_attempt_standing_keep(const cardo_domain_attempt *attempt,
                                         cardo_attempt_standing *out, cardo_error *error);
/* Makes the model, its files too, what it was; kept has nothing any more. */
cardo_status cardo_attempt_take_back(cardo_domain_attempt *attempt, cardo_attempt_standing *kept,
                                     cardo_error *error);
void cardo_attempt_standing_clear(cardo_attempt_standing *kept);

/* Begins one at the model as it was found. Clear *out also after a failure. */
cardo_status cardo_domain_attempt_begin(const cardo_domain_model *model, const char *path,
                                        int rounds, const cardo_listener *listener,
                                        cardo_domain_attempt *out, cardo_error *error);
void cardo_domain_attempt_clear(cardo_domain_attempt *attempt);

/* Writes all of the model's files anew, with where to begin and what to say of its motion (cardo_domain_model); either may be NULL. */
cardo_status cardo_domain_attempt_write(cardo_domain_attempt *attempt, const char *start,
                                        const char *tried, cardo_error *error);

/* Tries the model as its file has it. shorter: only to look for the ends of the way; cold: without heat; before: a trial of the same bodies, to go on from its
 * last end without heat, which would bring torsions to other wells; NULL: none. */
cardo_status cardo_attempt_run(const cardo_domain_attempt *attempt, bool shorter, bool cold,
                               const cardo_motion_trial *before, cardo_motion_trial *trial,
                               cardo_error *error);
/* Looks at all atoms, too (cardo_motion_trial_judge). Both tell what came of it. */
cardo_status cardo_attempt_judge(cardo_domain_attempt *attempt, cardo_motion_trial *trial,
                                 cardo_error *error);
/* As run; *begun: the model stands somewhere to begin from. One made of a geometry may not, where the motion is no possible one; the trial is
 * clear then. */
cardo_status cardo_attempt_run_if_it_stands(const cardo_domain_attempt *attempt, bool shorter,
                                            bool cold, const cardo_motion_trial *before,
                                            cardo_motion_trial *trial, bool *begun,
                                            cardo_error *error);

/* Which side chains turn, of those that a trial found to: with at least this much motion, rad. */
void cardo_attempt_choose_turning(cardo_domain_attempt *attempt, double least);
/* Makes the model's domains of a geometry for both ends of a trial, or for all places of a judged one, if all atoms can be computed there (*done), and writes
 * it. at: coordinates of these places in the place of the trial's own, or NULL. */
cardo_status cardo_attempt_settle_with(cardo_domain_attempt *attempt,
                                       const cardo_motion_trial *trial, bool judged,
                                       const double *at, bool *done, cardo_error *error);

/* Writes the model with where to begin and what to say of its motion, either or both NULL; as it is made of the geometry, of which the file is written
 * first; or of the first structure. */
cardo_status cardo_attempt_write_model(const cardo_domain_attempt *attempt, const char *start,
                                       const char *tried, cardo_error *error);
cardo_status cardo_attempt_write_geometry(cardo_domain_attempt *attempt, cardo_error *error);
cardo_status cardo_attempt_write_settled(cardo_domain_attempt *attempt, cardo_error *error);
cardo_status cardo_attempt_write_unsettled(cardo_domain_attempt *attempt, cardo_error *error);

/* Coordinates at every so many places of a trial, one after the other. The caller owns them. */
cardo_status cardo_attempt_gather(const cardo_motion_trial *trial, int every, double **coordinates,
                                  cardo_error *error);
/* Places where a bound is broken. */
int cardo_attempt_count_broken(const cardo_motion_trial *trial);

#endif
