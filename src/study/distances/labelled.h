/* A molecule with labels: their clouds in the frames of the bodies that carry them, and placed in conformations. */
#ifndef CARDO_STUDY_DISTANCES_LABELLED_H
#define CARDO_STUDY_DISTANCES_LABELLED_H

#include "experiment/labels/label_distance.h"
#include "experiment/labels/label_table.h"
#include "structure/atoms/structure.h"

typedef struct cardo_labelled {
    const cardo_label_table *table; /* borrowed */
    int natom;
    int *atom, *body;          /* heavy atoms, and the body of each (natom)                     */
    int *rank;                 /* of its body's atoms (natom)                                    */
    double *radius;            /* (natom)                                                        */
    double *reference;         /* where they were when clouds were made, nm (natom x 3)          */
    int *attachment;           /* of each label, an atom of the structure; (nlabel)              */
    int *carrier;              /* its body                                                       */
    cardo_label_cloud *cloud;  /* (nlabel)                                                */
    double *now;               /* scratch: atoms in a conformation, and obstacles (2 natom x 3)  */
    double *other_radius;      /* (natom)                                                      */
    int most;                  /* places of a label that are taken                               */
    int *nplace;               /* of each label in the conformation (nlabel)                     */
    double *position, *weight; /* (nlabel x most x 3), (nlabel x most)                    */
} cardo_labelled;

/* Finds the labelled residues and makes the clouds, each with the obstacles of its own body but for the side chain that it takes
 * the place of. atom_body: of each atom of the structure, or NULL: all are one. Zero-initialise; cardo_labelled_clear also after a failure. */
cardo_status cardo_labelled_make(const cardo_label_table *table, const cardo_structure *structure,
                                 const int *atom_body, double spacing, int most,
                                 cardo_labelled *out, cardo_error *error);
void cardo_labelled_clear(cardo_labelled *labelled);

/* Places the clouds where the structure's atoms are at positions (of all atoms, x 3, nm): each moves with its body, by superposition, and gives
 * way to the atoms of other bodies. */
cardo_status cardo_labelled_place(cardo_labelled *labelled, const double *positions,
                                  cardo_error *error);

/* Places of a label there. */
cardo_label_places cardo_labelled_places(const cardo_labelled *labelled, int label);

#endif
