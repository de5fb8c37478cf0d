/* What a model keeps while it moves, drawn to the same at all places of its motion by springs (shared_energy.h).
 *
 * Distances tell how far atoms of a rigid part are apart, but hardly how flat a peptide group or a ring is; signed volumes of four atoms do. */
#ifndef CARDO_STUDY_DOMAINS_SHARED_ALIKE_H
#define CARDO_STUDY_DOMAINS_SHARED_ALIKE_H

#include "base/vec.h"
#include "model/model.h"
#include "topology/bonds.h"

enum { CARDO_ALIKE_ATOMS = 4 };

/* The distance of two atoms, or (b - a) . ((c - a) x (d - a)) of four. */
typedef struct cardo_alike {
    int natom;
    int atom[CARDO_ALIKE_ATOMS];
    double stiffness; /* kJ/mol/nm^2, or kJ/mol/nm^6 */
} cardo_alike;

/* Where the atoms are. */
typedef struct cardo_alike_atoms {
    const cardo_model *model;
    const cardo_bonds *bonds;
    const int
        *body; /* that an atom rides on, parts of which do not turn against each other (natom) */
    const int *own; /* below 0: of a domain, alike everywhere (natom)                            */
    const double *positions; /* at some place, nm (natom x 3)                                     */
} cardo_alike_atoms;

/* Lists what is alike; *list (owned by the caller: cardo_free) has *n of them. */
cardo_status cardo_alike_list(const cardo_alike_atoms *atoms, cardo_alike **list, int *n,
                              cardo_error *error);

/* Its value at positions (natom x 3), nm or nm^3, and the slope of that with each of its atoms. */
double cardo_alike_measure(const cardo_alike *alike, const double *positions,
                           cardo_vec3 slope[CARDO_ALIKE_ATOMS]);

#endif
