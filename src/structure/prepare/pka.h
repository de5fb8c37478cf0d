/* pKa values of the residues of a structure, shifted by what is around them, after the empirical rules of
 * Li, Robertson & Jensen, Proteins 61, 704 (2005), in a simplified form. Internal to prepare. */
#ifndef CARDO_STRUCTURE_PREPARE_PKA_H
#define CARDO_STRUCTURE_PREPARE_PKA_H

#include "structure/prepare/draft.h"

enum { CARDO_MOST_GIVERS = 5 };

typedef enum cardo_site_kind {
    CARDO_SITE_CARBOXYL, /* ASP, GLU, the end of a chain: acids        */
    CARDO_SITE_CYSTEINE,
    CARDO_SITE_HISTIDINE, /* bases                                      */
    CARDO_SITE_LYSINE,
    CARDO_SITE_FIRST, /* the amino group at the beginning of a chain */
    CARDO_SITE_ARGININE,
    CARDO_SITE_TYROSINE, /* from here on no pKa: parts of hydrogen bonds */
    CARDO_SITE_HYDROXYL,
    CARDO_SITE_AMIDE,
    CARDO_SITE_INDOLE,
    CARDO_SITE_PEPTIDE_NH,
    CARDO_SITE_PEPTIDE_CO,
    CARDO_NSITE_KIND
} cardo_site_kind;

/* A group that titrates or takes part in hydrogen bonds: where it takes them, and where it gives them (protons
 * where the heavy atoms place them, else the heavy atom). */
typedef struct cardo_site {
    cardo_site_kind kind;
    int residue;
    bool side_chain;
    cardo_vec3 centre; /* of its charge */
    int ntaker, ngiver;
    cardo_vec3 taker[2], giver[CARDO_MOST_GIVERS];
    int giver_atom[CARDO_MOST_GIVERS]; /* which nitrogen of the group has this proton   */
    cardo_vec3 axis;                   /* of a peptide: from N to H, or from C to O     */
    bool held;                         /* by a metal of the file, left out or not       */
    double model, pka;                 /* of the group alone; in its place              */
    int near, touching;                /* heavy atoms within 15.5 A; beside it          */
    double burial, bonds, charges;     /* shifts: pka is model and these                */
    double bias, ordered; /* pka of the last sweep, apart in pairs that have an order */
    double most[2];       /* the largest shifts by bonds and charges ...   */
    int partner[2];       /* ... and the sites that make them, or -1        */
} cardo_site;

typedef struct cardo_sites {
    int count, capacity;
    cardo_site *site;
} cardo_sites;

/* Finds all of them; zero-initialise *sites, release with cardo_sites_clear also after a failure. */
cardo_status cardo_sites_find(cardo_sites *sites, const cardo_draft *draft, cardo_error *error);
void cardo_sites_clear(cardo_sites *sites);

static inline bool cardo_site_titrates(const cardo_site *site)
{
    return site->kind <= CARDO_SITE_ARGININE;
}
static inline bool cardo_site_is_acid(const cardo_site *site)
{
    return site->kind <= CARDO_SITE_CYSTEINE;
}

/* Fills pka and the shifts of those that titrate. */
cardo_status cardo_sites_shift(cardo_sites *sites, const cardo_draft *draft, cardo_error *error);

/* The site that decides the residue's protonation state (not chain ends; arginine has one state), or NULL. */
const cardo_site *cardo_site_of(const cardo_sites *sites, int residue);

#endif
