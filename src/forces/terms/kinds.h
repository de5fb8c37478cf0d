/* What the kinds of terms are made of, for those who treat all kinds alike. */
#ifndef CARDO_FORCES_TERMS_KINDS_H
#define CARDO_FORCES_TERMS_KINDS_H

#include "forces/terms/terms.h"

#include <stddef.h>

enum {
    CARDO_TERM_KINDS = 7,
    CARDO_TERM_MOST_ATOMS = 5,
    CARDO_TERM_MOST_BYTES = sizeof(cardo_rb_torsion_term)
};

/* Offsets are bytes. */
typedef struct cardo_term_kind {
    size_t count, list; /* in cardo_terms, of the number of terms and of their list */
    size_t size;        /* of a term */
    size_t atoms;       /* in a term, of its atoms */
    int natom;
    size_t whole; /* in a term, of what else is an int: nwhole, 0 or 1 */
    int nwhole;
    size_t numbers; /* in a term, of its doubles */
    int nnumber;
} cardo_term_kind;

extern const cardo_term_kind cardo_term_kinds[CARDO_TERM_KINDS];

/* How many terms of a kind there are, of all chains. */
int cardo_terms_count(const cardo_terms *terms, const cardo_term_kind *kind);
/* The list of a kind, which stays the terms'; NULL: none. */
unsigned char *cardo_terms_list(const cardo_terms *terms, const cardo_term_kind *kind);
/* Puts a list, which is the terms' from then on, in the place of a kind's; the old one is released. */
void cardo_terms_put_list(cardo_terms *terms, const cardo_term_kind *kind, void *list);
/* Writes a term as cardo_terms_bond() and its kin return it, by its number from 0. */
void cardo_terms_read(const cardo_terms *terms, const cardo_term_kind *kind, int number,
                      void *term);

#endif
