/* The rigid pieces that are left when bonds turn, and the tree that they hang in.
 *
 * A piece is what no turning bond divides: the rigid part of a domain (its core), or atoms held
 * together by the other bonds. Turning bonds join pieces; where they close a loop one of them is
 * cut. */
#ifndef CARDO_TOPOLOGY_TORSION_TREE_H
#define CARDO_TOPOLOGY_TORSION_TREE_H

#include "topology/rotatable_bonds.h"

typedef struct cardo_torsion_piece {
    int body;     /* the domain body whose core this is, or -1                                */
    int atom;     /* its first atom                                                           */
    int parent;   /* the piece that it hangs on, or -1: ground                                */
    int turn;     /* the bond about which it turns, or -1: the joint of its domain body; a piece
                   without body and bond hangs on nothing                                    */
    bool outward; /* the bond's first atom is on the parent                                   */
    double mass;
} cardo_torsion_piece;

typedef struct cardo_torsion_tree {
    int npiece;
    cardo_torsion_piece *piece; /* parents before children                    (npiece)       */
    int *piece_of_atom;         /*                                            (natom)        */
    int *piece_of_body;         /*                                            (nbody)        */
    int ncut;
    int *cut; /* turning bonds that would close a loop                        (ncut)         */
} cardo_torsion_tree;

/* A domain body to hang. */
typedef struct cardo_torsion_body {
    int parent;          /* earlier body, or -1                                              */
    bool strand;         /* hangs on the parent by turning bonds, instead of by its own joint */
    const bool *through; /* of a strand: residues one of which it must lead through (nresidue), or
                            NULL: the first strand along the chain                           */
} cardo_torsion_body;

/* What the tree is made of. body_of_residue (nresidue): domain body or -1; loose (nresidue):
 * residues whose backbone turns, which belong to no core. */
typedef struct cardo_torsion_input {
    const cardo_structure *structure;
    const cardo_bonds *bonds;
    int nbody;
    const cardo_torsion_body *body;
    const int *body_of_residue;
    const bool *loose;
    int nturn;
    const cardo_turn *turn;
    const bool *
        closing; /* turning bonds by which nothing hangs: loops are cut there (nturn); NULL: none */
} cardo_torsion_input;

/* Builds the tree. Pieces without inertia about their own bond are merged with what hangs on them,
 * or else with what they hang on. A loop is cut at a closing bond, or else halfway between the cores that it ties. A strand
 * body that no strand ties to its parent is CARDO_ERROR_INPUT that names the body by number
 * (*failed). The caller clears *out with cardo_torsion_tree_clear, also after a failure. */
cardo_status cardo_torsion_tree_build(const cardo_torsion_input *input, cardo_torsion_tree *out,
                                      int *failed, cardo_error *error);
void cardo_torsion_tree_clear(cardo_torsion_tree *tree);

#endif
