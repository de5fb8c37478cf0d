/* An attempt at a model that makes its motion: of one that is flexible, wells for its torsions, one geometry of its domains for both ends, and
 * torsions that go with the hinge are looked for, each step kept where a trial shows that it helps (README.md). */
#ifndef CARDO_STUDY_DOMAINS_ATTEMPT_H
#define CARDO_STUDY_DOMAINS_ATTEMPT_H

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
    double moved;                   /* its heavy atoms, from the first structure's, rms, nm */
    char *settled;          /* path of its file, or NULL: the model is the first structure's */
    cardo_led_torsions led; /* that the model has                       */
    double most_rise;       /* of the way where residues are held, kJ/mol; 0: none are yet */
    char note[160];
} cardo_domain_attempt;

/* Begins one at the model as it was found. Clear *out also after a failure. */
cardo_status cardo_domain_attempt_begin(const cardo_domain_model *model, const char *path,
                                        int rounds, const cardo_listener *listener,
                                        cardo_domain_attempt *out, cardo_error *error);
void cardo_domain_attempt_clear(cardo_domain_attempt *attempt);

/* Tries, and leaves the model's files as they were tried last. Of a rigid model its paths are followed once. Clear *trial also after a failure. */
cardo_status cardo_domain_attempt_run(cardo_domain_attempt *attempt, cardo_motion_trial *trial,
                                      cardo_error *error);

/* Writes all of the model's files anew, with where to begin and what to say of its motion (cardo_domain_model); either may be NULL. */
cardo_status cardo_domain_attempt_write(cardo_domain_attempt *attempt, const char *start,
                                        const char *tried, cardo_error *error);

#endif
