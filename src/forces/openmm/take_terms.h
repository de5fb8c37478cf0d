/* An OpenMM System read back into terms. */
#ifndef CARDO_FORCES_OPENMM_TAKE_TERMS_H
#define CARDO_FORCES_OPENMM_TAKE_TERMS_H

#include "forces/openmm/openmm.h"
#include "forces/terms/terms.h"

struct OpenMM_Force_struct;

/* Moves what a Force says into parts->own when it is of a class that terms can hold and does
 * nothing beyond them: harmonic bonds and angles, periodic and RB torsions, CMAP over chains of five
 * atoms, the first NonbondedForce (NoCutoff or CutoffNonPeriodic, without switching function and
 * global parameters), the first GBSAOBCForce; none of them periodic. *taken says whether it was:
 * otherwise parts are as before. class is the Force's class. Call it inside a guard. */
cardo_status cardo_openmm_take_force(const struct OpenMM_Force_struct *force, const char *class,
                                     cardo_openmm_parts *parts, bool *taken, cardo_error *error);

#endif
