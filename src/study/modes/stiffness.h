/* The modes of a model, of whatever makes its stiffness. */
#ifndef CARDO_STUDY_MODES_STIFFNESS_H
#define CARDO_STUDY_MODES_STIFFNESS_H

#include "study/modes/set.h"

/* Replaces "auto" and 0 among the network's options by what they mean for this model. Peptide planes
 * turn without moving C-alpha atoms much, so a network of these alone would leave torsions too
 * soft. */
cardo_status cardo_choose_network_options(const cardo_session *session, cardo_mode_options *options,
                                          cardo_error *error);

/* Atoms of the first structure of a kind (cardo_mode_nodes), which the caller owns. */
cardo_status cardo_choose_mode_atoms(const cardo_structure *structure, int nodes, int *count,
                                     int **atoms, cardo_error *error);

/* Whether an atom is a C-alpha. */
bool cardo_is_alpha_carbon(const cardo_structure *structure, int atom);

/* The count lowest modes of the elastic network, for the system at the state: the model's own or one
 * of its bodies (analysis/modes/free_bodies.h). VELOCITY. The caller owns *modes. */
cardo_status cardo_network_modes(const cardo_session *session, const cardo_system *system,
                                 const cardo_state *state, const cardo_mode_options *options,
                                 int count, cardo_modes **modes, cardo_error *error);

/* The count lowest modes of the force field, after a minimization where the options want it; fills
 * what set tells of both. The caller owns set->modes. */
cardo_status cardo_force_modes(cardo_session *session, const cardo_mode_options *options, int count,
                               cardo_communicator *communicator, cardo_mode_set *set,
                               cardo_error *error);

#endif
