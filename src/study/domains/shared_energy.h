/* The energy of all atoms at both ends of a model's motion, as a function of one geometry of its rigid parts.
 *
 * Variables are the atoms at the first end, then those of the last end that are no part of a domain: what lies in a domain is
 * the same in its frame at both. Distances that the model keeps while what it frees turns are drawn to the same at both ends by springs, and
 * gradients have no part that would move a domain at the first end (study/reference/poses.h). */
#ifndef CARDO_STUDY_DOMAINS_SHARED_ENERGY_H
#define CARDO_STUDY_DOMAINS_SHARED_ENERGY_H

#include "base/minimize.h"
#include "study/session/session.h"

enum { CARDO_SHARED_FIRST, CARDO_SHARED_LAST, CARDO_SHARED_ENDS };

typedef struct cardo_shared_energy cardo_shared_energy;

/* As cardo_shared_geometry_find has them: coordinates at both ends (nq), and residues whose side chains turn (nresidue; NULL: all that
 * do). CARDO_ERROR_UNSUPPORTED without energy terms. Borrows the session, whose state stands where it was afterwards; the
 * caller owns *out. */
cardo_status cardo_shared_energy_create(cardo_session *session, const double *first,
                                        const double *last, const bool *turning,
                                        cardo_shared_energy **out, cardo_error *error);
void cardo_shared_energy_destroy(cardo_shared_energy *energy);

/* How many variables there are, and these (nm), which begin at the given ends. Lent, to be written to. */
int cardo_shared_energy_size(const cardo_shared_energy *energy);
double *cardo_shared_energy_variables(cardo_shared_energy *energy);

/* A cardo_objective (base/minimize.h) of a cardo_shared_energy: kJ/mol, kJ/mol/nm. */
cardo_status cardo_shared_energy_evaluate(void *energy, int n, const double *x, double *value,
                                          double *gradient, cardo_error *error);

/* How much the sum leans to the last end, -1 to 1: weights of the ends are 1 - to_last and 1 + to_last. 0 at first. */
void cardo_shared_energy_lean(cardo_shared_energy *energy, double to_last);

/* Sets how a minimization of the sum, or of one end by itself, is scaled, and the length of its first step. */
void cardo_shared_energy_scale(cardo_shared_energy *energy, cardo_minimize_options *options);
void cardo_shared_energy_scale_alone(cardo_shared_energy *energy, cardo_minimize_options *options);

/* Likewise an objective: all atoms of one end by themselves (natom x 3), with domains held where the last evaluation had them at the end
 * of _hold. */
cardo_status cardo_shared_energy_evaluate_alone(void *energy, int n, const double *x, double *value,
                                                double *gradient, cardo_error *error);
void cardo_shared_energy_hold(cardo_shared_energy *energy, int end);

/* Of the last evaluation: an end's positions (natom x 3, nm; lent), and its energy (kJ/mol) without springs. */
const double *cardo_shared_energy_positions(const cardo_shared_energy *energy, int end);
double cardo_shared_energy_of(const cardo_shared_energy *energy, int end);

#endif
