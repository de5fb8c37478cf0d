/* What forces were judged to be (study/session/judge.h). */
#ifndef CARDO_STUDY_SESSION_JUDGEMENT_H
#define CARDO_STUDY_SESSION_JUDGEMENT_H

/* A number that both have. */
typedef struct cardo_judged {
    char name[96];
    double rigid, judge;
    double bound; /* of their difference */
} cardo_judged;

typedef struct cardo_judgement {
    char against[128];     /* "OpenMM, CPU platform"                                            */
    char passed_over[512]; /* why nothing was compared; empty: it was                           */
    int nterm, nforce;     /* energies by term and their total; generalized forces, or samples  */
    cardo_judged *term;    /* kJ/mol                                                  (nterm)   */
    cardo_judged *force;   /* kJ/mol per unit of the speed                            (nforce)  */
    const cardo_judged *worst; /* the one that differs most beside its bound                     */
    double share;              /* of its bound                                                   */
} cardo_judgement;

#endif
