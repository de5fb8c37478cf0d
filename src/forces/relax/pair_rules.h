/* Which pairs of atoms have a Lennard-Jones energy by the combination rule, and with which numbers.
 * Internal to src/forcefield. */
#ifndef CARDO_FORCES_RELAX_PAIR_RULES_H
#define CARDO_FORCES_RELAX_PAIR_RULES_H

#include "forces/terms/partners.h"

typedef struct cardo_pair_rules {
    const cardo_terms *terms;
    cardo_partners partners; /* by exceptions */
} cardo_pair_rules;

/* terms is borrowed. Clear *rules also after a failure. */
cardo_status cardo_pair_rules_make(const cardo_terms *terms, cardo_pair_rules *rules,
                                   cardo_error *error);
void cardo_pair_rules_clear(cardo_pair_rules *rules);

/* Lorentz-Berthelot's sigma (nm) and epsilon (kJ/mol) of a pair; false when it has an exception or
 * no energy. */
bool cardo_pair_rules_take(const cardo_pair_rules *rules, int a, int b, double *sigma,
                           double *epsilon);

/* 4 epsilon ((sigma/r)^12 - (sigma/r)^6), kJ/mol; HUGE_VAL where the atoms coincide. square: r^2, nm^2. */
double cardo_lennard_jones(double sigma, double epsilon, double square);

#endif
