/* The energy of all atoms at places of a model's motion, as a function of one geometry of its rigid parts.
 *
 * Variables are the atoms at the first place, then, for each other place, those that are no part of a domain: what lies in a domain is
 * the same in its frame at all. What the model keeps while it moves is drawn to the same as at the first place by springs (shared_alike.h), and
 * gradients have no part that would move a domain at the first place (study/reference/poses.h). */
#ifndef CARDO_STUDY_DOMAINS_SHARED_ENERGY_H
#define CARDO_STUDY_DOMAINS_SHARED_ENERGY_H

#include "base/minimize.h"
#include "study/domains/shared_scaling.h"
#include "study/session/session.h"

typedef struct cardo_shared_energy cardo_shared_energy;

/* As cardo_shared_geometry_find has them: coordinates at 2 to CARDO_SHARED_MOST places (nplace x nq), and residues whose side chains turn (nresidue;
 * NULL: all that do). CARDO_ERROR_UNSUPPORTED without energy terms. Borrows the session, whose state stands where it was afterwards; the
 * caller owns *out. */
cardo_status cardo_shared_energy_create(cardo_session *session, int nplace,
                                        const double *coordinates, const bool *turning,
                                        cardo_shared_energy **out, cardo_error *error);
void cardo_shared_energy_destroy(cardo_shared_energy *energy);

/* How many variables there are, and these (nm), which begin at the given places. Lent, to be written to. */
int cardo_shared_energy_size(const cardo_shared_energy *energy);
double *cardo_shared_energy_variables(cardo_shared_energy *energy);

/* A cardo_objective (base/minimize.h) of a cardo_shared_energy: kJ/mol, kJ/mol/nm. */
cardo_status cardo_shared_energy_evaluate(void *energy, int n, const double *x, double *value,
                                          double *gradient, cardo_error *error);

/* Weights of the places in the sum (nplace), 1 at first. Springs of places that count more are as much stiffer. */
void cardo_shared_energy_weigh(cardo_shared_energy *energy, const double *weight);

/* Makes the springs so many times as stiff. */
void cardo_shared_energy_stiffen(cardo_shared_energy *energy, double times);

/* Sets how a minimization of the sum is scaled, and the length of its first step. */
void cardo_shared_energy_scale(cardo_shared_energy *energy, cardo_minimize_options *options);

/* Of the last evaluation: a place's positions (natom x 3, nm; lent), and its energy (kJ/mol) without springs. */
const double *cardo_shared_energy_positions(const cardo_shared_energy *energy, int place);
double cardo_shared_energy_of(const cardo_shared_energy *energy, int place);
/* The springs' part of the last evaluation, kJ/mol: how far what is to be alike is from that. */
double cardo_shared_energy_springs(const cardo_shared_energy *energy);

#endif
