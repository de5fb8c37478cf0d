/* What of a conformation lies outside bounds, as a list: the worst first, counted by kind. */
#ifndef CARDO_FORCES_RELAX_BROKEN_BOUNDS_H
#define CARDO_FORCES_RELAX_BROKEN_BOUNDS_H

#include "base/status.h"

typedef enum cardo_bound_kind {
    CARDO_BOUND_BOND,
    CARDO_BOUND_ANGLE,
    CARDO_BOUND_OMEGA,   /* torsion of a peptide bond                    */
    CARDO_BOUND_CONTACT, /* distance of two atoms that are not bonded    */
    CARDO_BOUND_KINDS
} cardo_bound_kind;

/* "bond", "angle", "omega", "contact". */
extern const char *const cardo_bound_kind_names[CARDO_BOUND_KINDS];

typedef struct cardo_broken_bound {
    cardo_bound_kind kind;
    int natom, atom[4];
    int strand;       /* of the one who asked; -1: none, as contacts have               */
    double value;     /* nm or rad                                                      */
    double low, high; /* the bounds; a contact has no upper one: HUGE_VAL               */
    double beyond;    /* above 1: deviation in parts of the largest allowed; of contacts
                         the least distance allowed in parts of the distance            */
} cardo_broken_bound;

typedef struct cardo_broken_bounds {
    int count[CARDO_BOUND_KINDS];  /* outside bounds                                     */
    int looked[CARDO_BOUND_KINDS]; /* looked at; of contacts pairs that came near        */
    int nbroken, capacity;
    cardo_broken_bound *broken; /* worst first once sorted                  (nbroken) */
} cardo_broken_bounds;

/* Empties the list; keeps its memory. Zero-initialise before the first use. */
void cardo_broken_bounds_empty(cardo_broken_bounds *list);
/* Adds one and counts it. */
cardo_status cardo_broken_bounds_add(cardo_broken_bounds *list, const cardo_broken_bound *broken,
                                     cardo_error *error);
/* Worst first; equal ones by kind, then by atoms. */
void cardo_broken_bounds_sort(cardo_broken_bounds *list);
/* A contact of atoms that stand in one another, so that no minimization leads them out: nearer than two thirds of the least distance allowed, two
 * carbons at 2.0 A. NULL: none is. */
const cardo_broken_bound *cardo_broken_bounds_knot(const cardo_broken_bounds *list);
void cardo_broken_bounds_clear(cardo_broken_bounds *list);

#endif
