/* One residue against one template: which atom is which. */
#ifndef CARDO_FORCES_FFXML_MATCHING_MATCH_SEARCH_H
#define CARDO_FORCES_FFXML_MATCHING_MATCH_SEARCH_H

#include "forces/ffxml/definitions/section.h"

/* Working memory for the largest residue. Atoms of a residue are counted from its first.
 * Zero-initialise but for the assignment. */
typedef struct cardo_search {
    const cardo_assignment *assignment;
    const cardo_template *template;
    int residue, natom, first, capacity;
    uint64_t signature;     /* of the residue's elements                            */
    int *degree, *external; /* bonds inside and out of the residue                  */
    int *candidates;        /* template atoms that each atom could be               */
    int *order;             /* atoms in the order of the search                     */
    int *match;             /* template atom of each atom, -1: none yet             */
    int *best;              /* the mapping of the first template that fitted        */
    bool *taken;            /* template atoms in use                                */
    unsigned char *state;   /* while ordering                                       */
    long steps;
} cardo_search;

cardo_status cardo_search_allocate(cardo_search *search, cardo_error *error);
void cardo_search_clear(cardo_search *search);

/* Looks at a residue: its bonds, and the signature of its elements. */
void cardo_search_start(cardo_search *search, int residue);

/* Does the template fit the residue? match then has the first mapping found. */
bool cardo_search_fits(cardo_search *search, const cardo_template *t);

/* Was the search for this residue given up? */
bool cardo_search_exhausted(const cardo_search *search);

/* The one of n templates that fits the residue, or NULL; best has the mapping. Several may fit only
 * if they give all atoms equal types and parameters. */
cardo_status cardo_search_among(cardo_search *search, int n, const cardo_template *const *templates,
                                const cardo_template **found, cardo_error *error);

/* Writes what fitted, with this mapping, into the assignment. */
void cardo_search_record(cardo_assignment *assignment, int residue, const cardo_template *t,
                         const int *mapping);

/* Number of bonds from an atom to other residues. */
int cardo_external_bonds(const cardo_assignment *assignment, int atom);

#endif
