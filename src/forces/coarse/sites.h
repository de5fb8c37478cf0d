/* Where a coarse-grained energy's sites are: the C-alpha atoms of a model. */
#ifndef CARDO_FORCES_COARSE_SITES_H
#define CARDO_FORCES_COARSE_SITES_H

#include "forces/coarse/energy.h"
#include "model/model.h"

/* An energy without terms over the C-alpha atoms of a model, body by body, with the rows of its
 * pairs. Without two bodies that have sites, CARDO_ERROR_INPUT. The caller owns *out. */
cardo_status cardo_coarse_sites_find(const cardo_model *model, cardo_coarse_energy **out,
                                     cardo_error *error);

/* How many residues along one chain lie between the two sites' residues, plus one; a large number
 * for different chains. */
int cardo_coarse_separation(const cardo_model *model, const cardo_coarse_sites *sites, int a,
                            int b);

/* Is one of two bodies (of the model) the other's parent, by a joint that holds them at a distance:
 * any but a free one? Then nothing else need hold the chain between them. */
bool cardo_coarse_is_held(const cardo_model *model, int a, int b);

/* Where the sites are in structure k of the model, as far as rigid bodies can be there: each domain
 * is superposed on the structure by its C-alpha atoms, in the structure's own frame; sites of pieces
 * between bonds that turn are where the structure has them. position (nsite x 3), nm; known (nsite):
 * false where the structure says nothing about the site, or its residue is not in it. Of the
 * reference itself, its own positions. */
cardo_status cardo_coarse_positions(const cardo_model *model, const cardo_coarse_sites *sites,
                                    int structure, double *position, bool *known,
                                    cardo_error *error);

#endif
