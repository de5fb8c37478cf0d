/* Energies of pairs inside bodies, which are constant, of two blocks at a time. */
#ifndef CARDO_FORCES_RIGID_INSIDE_PAIRS_H
#define CARDO_FORCES_RIGID_INSIDE_PAIRS_H

#include "forces/rigid/model.h"
#include "forces/terms/partners.h"

/* Exceptions, by atom and by block; and the solvent's rules without Born radii. */
typedef struct cardo_inside {
    const cardo_rigid_model *model;
    const cardo_rigid_view_double *view; /* atoms of one body as they stand in its frame       */
    cardo_partners partners;             /* by exceptions                                      */
    int *first_tied, *tied; /* blocks of the own body that exceptions tie each one to, not it
                                            itself, rising                  (nblock + 1)       */
    cardo_rigid_rules plain;
} cardo_inside;

typedef struct cardo_inside_energy {
    double pairs,
        solvent; /* Lennard-Jones and Coulomb; what is plain of the solvent's pairs, kJ/mol */
} cardo_inside_energy;

/* Lists the exceptions; release with cardo_inside_clear, also after a failure. */
cardo_status cardo_inside_list(cardo_inside *inside, const cardo_terms *terms, cardo_error *error);
void cardo_inside_clear(cardo_inside *inside);
/* Is a block tied to one of the blocks from ... to - 1? */
bool cardo_inside_is_tied(const cardo_inside *inside, int block, int from, int to);
/* Two blocks of one body, or one with itself, atom by atom: each pair once, Lennard-Jones and Coulomb without exceptions. */
void cardo_inside_by_atoms(const cardo_inside *inside, int block, int other,
                           cardo_inside_energy *energy);
/* A block and others of its body that it is not tied to: share of their energy. */
void cardo_inside_by_blocks(const cardo_inside *inside, int block, int n, const int *columns,
                            double share, cardo_inside_energy *energy);

/* Small bodies in a block that they share, in which a body's atoms follow each other; their solvent is computed with all others'. */
void cardo_inside_small_bodies(const cardo_inside *inside, int block, cardo_inside_energy *energy);

#endif
