/* Strain of a configuration: which energy terms are far above what heat puts into them, inside
 * rigid bodies, where they never change, and between bodies, where they drive or tear.
 *
 * Measures, at 300 K:
 *  - Heat gives a harmonic term kT/2 on average (equipartition), whatever its stiffness. Terms of one
 *    kind that hold more than kT each, twice that, are hot as a whole.
 *  - Of n such terms the highest holds about kT ln n. One of 1e5 terms above 20 kT (50 kJ/mol) is a
 *    chance below 1e-4. Between bodies such a term is strained; a contact of two atoms that may share
 *    a hydrogen (N, O, F, S) from 40 kT on (100 kJ/mol), as a hydrogen bond's charges pay for the
 *    rest. Crystal structures are rougher than heat: inside bodies, where all it does is to add a
 *    constant, any term counts from 40 kT on.
 *  - Between bodies a contact above 100 kJ/mol is a clash, and a bond or angle above 350 kJ/mol is
 *    torn: bonds of carbon with carbon and nitrogen break there. No molecule passes, and a force
 *    field says nothing about what lies beyond. */
#ifndef CARDO_FORCES_RELAX_STRAIN_H
#define CARDO_FORCES_RELAX_STRAIN_H

#include "forces/terms/terms.h"

typedef enum cardo_strain_kind {
    CARDO_STRAIN_BOND,
    CARDO_STRAIN_ANGLE,
    CARDO_STRAIN_IMPROPER, /* harmonic torsions; others are bounded and cannot tear anything */
    CARDO_STRAIN_CONTACT,  /* Lennard-Jones energy of two atoms                              */
    CARDO_STRAIN_KINDS
} cardo_strain_kind;

/* "bond", "angle", "improper", "contact". */
extern const char *const cardo_strain_kind_names[CARDO_STRAIN_KINDS];

typedef enum cardo_strain_place {
    CARDO_STRAIN_INSIDE,  /* all atoms in one rigid body: a constant */
    CARDO_STRAIN_BETWEEN, /* changes as the model moves              */
    CARDO_STRAIN_PLACES
} cardo_strain_place;

/* One energy term where it stands. */
typedef struct cardo_strained {
    cardo_strain_kind kind;
    int natom, atom[4];
    bool polar;    /* a contact of two atoms that may share a hydrogen                   */
    double value;  /* nm or rad                                                          */
    double ideal;  /* where its energy is lowest, nm or rad                              */
    double energy; /* above the lowest for bonded terms, of the pair for contacts, kJ/mol */
} cardo_strained;

typedef struct cardo_strain_sum {
    int count;            /* terms, contacts: those within 0.5 nm                */
    double energy;        /* of bonded terms all; of contacts those above 0      */
    double with_hydrogen; /* of that, in terms with a hydrogen             */
} cardo_strain_sum;

enum { CARDO_STRAIN_LISTED = 12 };

typedef struct cardo_strain {
    cardo_strain_sum sum[CARDO_STRAIN_KINDS][CARDO_STRAIN_PLACES];
    /* The highest of each place, highest first, and the highest contact between bodies whatever
     * its energy; natom 0: there is none. */
    int nlisted[CARDO_STRAIN_PLACES];
    cardo_strained listed[CARDO_STRAIN_PLACES][CARDO_STRAIN_LISTED];
    cardo_strained contact;
    int nstrained;   /* between bodies, above 20 or 40 kT                  */
    int nimpossible; /* of these, clashes and torn terms                   */
    int nfrozen;     /* inside bodies, above 40 kT                         */
} cardo_strain;

typedef enum cardo_strain_verdict {
    CARDO_STRAIN_EASY,
    CARDO_STRAIN_ROUGH,     /* single terms inside bodies, which drive nothing */
    CARDO_STRAIN_HOT,       /* bonds, angles or impropers as a whole           */
    CARDO_STRAIN_STRAINED,  /* between bodies                                  */
    CARDO_STRAIN_IMPOSSIBLE /* between bodies: clashes or torn terms           */
} cardo_strain_verdict;

cardo_strain_verdict cardo_strain_judge(const cardo_strain *strain);
/* Does this one term count in that verdict? */
bool cardo_strained_counts(const cardo_strained *term, cardo_strain_place place);
bool cardo_strained_is_impossible(const cardo_strained *term);

/* kJ/mol: the energy that a clash has. */
double cardo_strain_clash(void);
/* Mean energy of a term of the kind over both places, in kT; and whether that is hot: above 1 and
 * five standard deviations of a mean of so few terms. */
double cardo_strain_mean(const cardo_strain *strain, cardo_strain_kind kind);
bool cardo_strain_is_hot(const cardo_strain *strain, cardo_strain_kind kind);

typedef struct cardo_strain_search cardo_strain_search;

/* body_of_atom and element (natom each; atomic numbers), and terms, are borrowed. The caller owns
 * *out. */
cardo_status cardo_strain_search_create(const cardo_terms *terms, const int *body_of_atom,
                                        const unsigned char *element, cardo_strain_search **out,
                                        cardo_error *error);
void cardo_strain_search_destroy(cardo_strain_search *search);

/* Looks at a configuration; positions: natom x 3, nm, finite. Allocates nothing. */
void cardo_strain_look(cardo_strain_search *search, const double *positions, cardo_strain *out);

/* Calls visit for every bonded term of the kinds above. */
typedef void (*cardo_strained_visitor)(void *context, const cardo_strained *term);
void cardo_strained_visit(const cardo_terms *terms, const double *positions,
                          cardo_strained_visitor visit, void *context);

#endif
