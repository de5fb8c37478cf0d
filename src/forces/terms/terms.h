/* A force field applied to a structure: lists of every energy term. OpenMM Systems, and providers
 * of our own, are made from them. Indices are atoms of the structure; units nm, kJ/mol, rad, e, Da. */
#ifndef CARDO_FORCES_TERMS_TERMS_H
#define CARDO_FORCES_TERMS_TERMS_H

#include "base/status.h"
#include "forces/terms/gb_model.h"

#include <stdbool.h>

typedef struct cardo_bond_term {
    int a, b;
    double length, k; /* E = k/2 (r - length)^2 */
} cardo_bond_term;

typedef struct cardo_angle_term {
    int a, b, c;
    double angle, k; /* E = k/2 (theta - angle)^2 */
} cardo_angle_term;

typedef struct cardo_torsion_term {
    int a, b, c, d, periodicity;
    double phase, k; /* E = k (1 + cos(n phi - phase)) */
} cardo_torsion_term;

typedef struct cardo_harmonic_torsion_term {
    int a, b, c, d;
    double angle,
        k; /* E = k (phi - angle)^2 with phi in -pi ... pi: the difference is not wrapped */
} cardo_harmonic_torsion_term;

typedef struct cardo_rb_torsion_term {
    int a, b, c, d;
    double coefficient[6]; /* E = sum of c_n cos^n(phi - pi) */
} cardo_rb_torsion_term;

/* Energies on a periodic grid: energy[i + size j] at phi = 2 pi i/size, psi = 2 pi j/size. */
typedef struct cardo_cmap {
    int size;
    double *energy; /* kJ/mol (size x size) */
} cardo_cmap;

/* A bicubic spline through the map at the torsions of atoms 0-3 (phi) and 1-4 (psi). */
typedef struct cardo_cmap_term {
    int map, atom[5];
} cardo_cmap_term;

typedef struct cardo_exception_term {
    int a, b;
    double charge_product, sigma, epsilon; /* 0, 1, 0: excluded */
} cardo_exception_term;

/* Whoever makes terms fills these with all of them. Whoever reads terms does so by cardo_terms_bond()
 * and its kin, since of identical chains the first one's alone are kept. */
typedef struct cardo_term_lists {
    cardo_bond_term *bond;
    cardo_angle_term *angle;
    cardo_torsion_term *torsion;                   /* proper and improper */
    cardo_harmonic_torsion_term *harmonic_torsion; /* CHARMM's impropers */
    cardo_rb_torsion_term *rb_torsion;
    cardo_cmap_term *cmap;
    cardo_exception_term *exception;
} cardo_term_lists;

/* The same for numbers of single atoms, which cardo_terms_mass() and its kin read. NULL: there are none. */
typedef struct cardo_atom_numbers {
    double *mass;                     /* (natom) */
    double *charge, *sigma, *epsilon; /* (natom), Lorentz-Berthelot */
    double *gb_radius, *gb_scale;     /* nm without offset; screening factor (natom) */
} cardo_atom_numbers;

typedef struct cardo_terms {
    int natom;
    cardo_atom_numbers number;
    int nbond, nangle, ntorsion, nharmonic_torsion, nrb_torsion, ncmap,
        nexception; /* of all chains */
    cardo_term_lists list;
    int ncopy; /* natom/ncopy atoms follow each other so often with the same numbers and terms, and those of the first
                  are kept; 0, 1: all are */
    int nmap;
    cardo_cmap *map;
    bool has_nonbonded;
    int nspecial_pair; /* exceptions beyond 1-4, for pairs of types with a rule of their own: exact
                          with all pairs only */
    bool has_gb;       /* generalized Born solvent with the ACE surface term */
    const cardo_gb_model *gb_model; /* NULL: OBC2 */
    double *gb_curve; /* alpha, beta, gamma where the model has them by atom (natom x 3) */
    int nneck;        /* kinds of atoms in the neck tables of GBn and GBn2               */
    int *neck_kind;   /* (natom) */
    double *neck_distance, *neck_strength; /* nm, 1/nm (nneck x nneck) */
    double solute_dielectric, solvent_dielectric;
    double surface_area_energy; /* kJ/mol/nm^2, 2.25936 by default */
    double
        kappa; /* of salt in the solvent, 1/nm: inverse Debye length, less what ions exclude; 0: none */
} cardo_terms;

void cardo_terms_destroy(cardo_terms *terms);
/* Masses of all atoms, Da (natom). */
void cardo_terms_masses(const cardo_terms *terms, double *masses);

/* The terms' generalized Born model, which has_gb says they have. */
const cardo_gb_model *cardo_gb_model_of(const cardo_terms *terms);

/* From the number of a term among all `count` of its kind to that in its list; returns how far its atoms are from
 * those there. */
static inline int cardo_terms_shift(const cardo_terms *terms, int count, int *number)
{
    if (terms->ncopy < 2)
        return 0;
    const int listed = count / terms->ncopy, copy = *number / listed;
    *number -= copy * listed;
    return copy * (terms->natom / terms->ncopy);
}

/* Of an atom that is one of terms' natom, where there are such numbers. */
static inline int cardo_terms_atom(const cardo_terms *terms, int atom)
{
    return terms->ncopy < 2 ? atom : atom % (terms->natom / terms->ncopy);
}

static inline double cardo_terms_mass(const cardo_terms *terms, int atom)
{
    return terms->number.mass[cardo_terms_atom(terms, atom)];
}

static inline double cardo_terms_charge(const cardo_terms *terms, int atom)
{
    return terms->number.charge[cardo_terms_atom(terms, atom)];
}

static inline double cardo_terms_sigma(const cardo_terms *terms, int atom)
{
    return terms->number.sigma[cardo_terms_atom(terms, atom)];
}

static inline double cardo_terms_epsilon(const cardo_terms *terms, int atom)
{
    return terms->number.epsilon[cardo_terms_atom(terms, atom)];
}

static inline double cardo_terms_gb_radius(const cardo_terms *terms, int atom)
{
    return terms->number.gb_radius[cardo_terms_atom(terms, atom)];
}

static inline double cardo_terms_gb_scale(const cardo_terms *terms, int atom)
{
    return terms->number.gb_scale[cardo_terms_atom(terms, atom)];
}

/* Each of the nbond bonds, nangle angles and so on, by its number from 0. */
static inline cardo_bond_term cardo_terms_bond(const cardo_terms *terms, int k)
{
    const int shift = cardo_terms_shift(terms, terms->nbond, &k);
    cardo_bond_term t = terms->list.bond[k];
    t.a += shift, t.b += shift;
    return t;
}

static inline cardo_angle_term cardo_terms_angle(const cardo_terms *terms, int k)
{
    const int shift = cardo_terms_shift(terms, terms->nangle, &k);
    cardo_angle_term t = terms->list.angle[k];
    t.a += shift, t.b += shift, t.c += shift;
    return t;
}

static inline cardo_torsion_term cardo_terms_torsion(const cardo_terms *terms, int k)
{
    const int shift = cardo_terms_shift(terms, terms->ntorsion, &k);
    cardo_torsion_term t = terms->list.torsion[k];
    t.a += shift, t.b += shift, t.c += shift, t.d += shift;
    return t;
}

static inline cardo_harmonic_torsion_term cardo_terms_harmonic_torsion(const cardo_terms *terms,
                                                                       int k)
{
    const int shift = cardo_terms_shift(terms, terms->nharmonic_torsion, &k);
    cardo_harmonic_torsion_term t = terms->list.harmonic_torsion[k];
    t.a += shift, t.b += shift, t.c += shift, t.d += shift;
    return t;
}

static inline cardo_rb_torsion_term cardo_terms_rb_torsion(const cardo_terms *terms, int k)
{
    const int shift = cardo_terms_shift(terms, terms->nrb_torsion, &k);
    cardo_rb_torsion_term t = terms->list.rb_torsion[k];
    t.a += shift, t.b += shift, t.c += shift, t.d += shift;
    return t;
}

static inline cardo_cmap_term cardo_terms_cmap(const cardo_terms *terms, int k)
{
    const int shift = cardo_terms_shift(terms, terms->ncmap, &k);
    cardo_cmap_term t = terms->list.cmap[k];
    for (int i = 0; i < 5; ++i)
        t.atom[i] += shift;
    return t;
}

static inline cardo_exception_term cardo_terms_exception(const cardo_terms *terms, int k)
{
    const int shift = cardo_terms_shift(terms, terms->nexception, &k);
    cardo_exception_term t = terms->list.exception[k];
    t.a += shift, t.b += shift;
    return t;
}

#endif
