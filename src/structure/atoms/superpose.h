/* Least-squares superposition of point sets (Kabsch 1976, through an SVD) and residue matching. */
#ifndef CARDO_STRUCTURE_ATOMS_SUPERPOSE_H
#define CARDO_STRUCTURE_ATOMS_SUPERPOSE_H

#include "base/vec.h"
#include "cardo/structure.h"
#include "structure/atoms/structure.h"

/* How alike two structures' sequences are. */
typedef struct cardo_likeness {
    int paired, same; /* residues that pair, and those of them with one name                  */
    int residues[2];  /* polymer residues of both                                             */
    int shorter;      /* of the chains that pair: residues of the shorter ones                */
    double identity;  /* same/paired                                                          */
    double needed;    /* the identity that was enough                                         */
} cardo_likeness;

/* For every residue of a, the corresponding residue of b or -1: match[a->nresidue]. Only amino
 * acids and nucleotides are matched, k-th polymer chain to k-th, or to another that is more alike
 * where the k-th is not; chains without a partner stay unmatched. Residues pair by author number and
 * insertion code where their names agree in at least 90 % of the pairs; otherwise by global
 * sequence alignment with substitution scores and affine gaps (structure/atoms/substitution.h). Sequences that
 * are not alike enough (cardo_identity_needed) are CARDO_ERROR_INPUT, which says how they differ.
 * least: the identity that is enough, from 0 to 1, whatever pairs; negative: by that rule.
 * likeness may be NULL; it is filled in any case. */
cardo_status cardo_match_alike(const cardo_structure *a, const cardo_structure *b, double least,
                               int *match, cardo_likeness *likeness, cardo_error *error);

/* The share of equal names from which on proteins, or nucleic acids, of which this many residues pair are
 * taken for relatives: above 30 %, or above what strangers reach by chance, which is more the shorter the
 * alignment is (Rost 1999, Protein Eng. 12, 85: 480 L^(-0.32 (1 + exp(-L/1000))) per cent, 45 at 43 residues and
 * all below 12); of nucleic acids, which have four letters only, 70 %. */
double cardo_identity_needed(int paired, bool nucleic);

#endif
