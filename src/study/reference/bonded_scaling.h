/* Bonds, angles and torsions as squares of a minimization's scaling (study/reference/band_scaling.h): all that is much stiffer than contacts are. */
#ifndef CARDO_STUDY_REFERENCE_BONDED_SCALING_H
#define CARDO_STUDY_REFERENCE_BONDED_SCALING_H

#include "forces/terms/terms.h"
#include "study/reference/band_scaling.h"

/* Stiffness of all else about an atom, kJ/mol/nm^2, by the gradient there (kJ/mol/nm): a hundredth of a bond's, and as much as lets no atom go farther than
 * 0.05 nm by its own force. Between a third and four times as much minimizes LAO about as well; without the second, what overlaps would be thrown apart at once. */
double cardo_bonded_scaling_rest(const double gradient[3]);

/* Atoms of a term are no farther apart than this in the order of a structure, but where one ties residues that do not follow each other. */
enum { CARDO_BONDED_SCALING_FARTHEST = 40 };

/* Where the terms' atoms are among what is minimized. */
typedef struct cardo_scaled_atoms {
    const double *positions; /* (natom x 3, nm)                                                */
    const int *slot;         /* (natom); NULL: their own numbers                               */
    const int *
        frame; /* of slots, among lead, by which their displacements are turned (natom); below 0: none; NULL: none is */
    const cardo_transform
        *lead; /* from there to where the positions are                          */
} cardo_scaled_atoms;

/* To be called by what adds a scaling's squares. */
void cardo_bonded_scaling_add(cardo_band_scaling *scaling, const cardo_terms *terms,
                              const cardo_scaled_atoms *atoms);

/* Of an atom, slope as its slot has it. */
cardo_vec3 cardo_scaled_slope(const cardo_scaled_atoms *atoms, int atom, cardo_vec3 slope);

#endif
