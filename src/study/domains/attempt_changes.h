/* What is changed of a model whose places all atoms have judged. Each change stays where another trial, judged again, shows that it helps: one geometry
 * for all places here, residues that need not turn in attempt_freezing.h. */
#ifndef CARDO_STUDY_DOMAINS_ATTEMPT_CHANGES_H
#define CARDO_STUDY_DOMAINS_ATTEMPT_CHANGES_H

#include "study/domains/attempt_model.h"

/* Another model of a judged trial, and what comes of it. */
typedef struct cardo_attempt_change {
    double most_strain, most_rise; /* that it may have, kJ/mol */
    const bool *giving, *turning;  /* NULL: as they are        */
    const double *at;              /* as cardo_attempt_settle_with has it */
    bool
        leading; /* where it loses the wells of its last end, or opens the cycle, what leaps there is led */
    bool
        again; /* where it is only strained too much, all atoms have seen other places by then, and it gets one geometry more */
    bool done; /* it helps, and stays      */
} cardo_attempt_change;

/* Is what came of the change, next, worth the time that all atoms take? */
bool cardo_change_is_worth_judging(const cardo_attempt_change *change,
                                   const cardo_motion_trial *next, const cardo_motion_trial *trial);
/* Once both are judged: does it cost no range, and is it strained no more than it may be, or, where it closes a cycle that was open, than any
 * model? Where strain was not known before: is it the better model? */
bool cardo_change_helps(const cardo_attempt_change *change, const cardo_motion_trial *next,
                        const cardo_motion_trial *trial);

/* Is it one that gets a geometry more: strained by less than one bound too much? */
bool cardo_change_is_strained_alone(const cardo_attempt_change *change,
                                    const cardo_motion_trial *next,
                                    const cardo_motion_trial *trial);

/* From a judged trial a geometry that weighs its places so that none is strained much more than others. Torsions stay in their wells: nothing is
 * heated. Where that does not help, the model is as it was. next: zero, and zero again. */
cardo_status cardo_attempt_try_change(cardo_domain_attempt *attempt, cardo_motion_trial *trial,
                                      cardo_attempt_change *change, cardo_motion_trial *next,
                                      cardo_error *error);

/* Of a judged trial: where strain is above two thirds of what a model may have, since leading what leaps costs some, a geometry that weighs all judged places so that
 * none is strained much more than others; and again where it is above all of that, as long as something is taken off it: all atoms come lower where
 * a geometry suits them better, and show then which places are still strained. */
cardo_status cardo_attempt_balance(cardo_domain_attempt *attempt, cardo_motion_trial *trial,
                                   cardo_error *error);

#endif
