/* What scatters: the atoms of a structure with their hydrogens, the solvent that they displace, and how much of each
 * the water around reaches. */
#ifndef CARDO_EXPERIMENT_SAXS_SCATTERERS_H
#define CARDO_EXPERIMENT_SAXS_SCATTERERS_H

#include "base/status.h"
#include "structure/atoms/structure.h"

/* Electrons of bulk water in a nm^3. */
#define CARDO_BULK_DENSITY 334.0

/* A sort of scatterers: an element and its hydrogens that are no scatterers of their own. */
typedef struct cardo_scatterer_kind {
    int element, hydrogens;
    double volume; /* of solvent that one displaces, nm^3 */
} cardo_scatterer_kind;

enum { CARDO_MOST_SCATTERER_KINDS = 64 };

typedef struct cardo_scatterers {
    int n;
    double *position; /* nm                                      (n x 3) */
    int *kind;        /*                                         (n)     */
    int *atom;        /* of the structure                        (n)     */
    double *exposure; /* share of its surface that water reaches (n)     */
    int nkind;
    cardo_scatterer_kind kinds[CARDO_MOST_SCATTERER_KINDS];
    double mean_volume; /* nm^3                                     */
    double electrons;   /* in all                                   */
    bool explicit_hydrogens;
    int left_out;     /* atoms of water, or of elements without tables */
    int guessed;      /* atoms of residues whose hydrogens are not known */
    char example[48]; /* the first of them, "A:HEM200"                 */
} cardo_scatterers;

/* Makes them from a structure: explicit where it has hydrogens (all atoms scatter for themselves), else each atom with the hydrogens that its
 * residue gives it. Water is left out. Volumes of displaced solvent are those of CRYSOL (Svergun, Barberato & Koch 1995,
 * J. Appl. Cryst. 28, 768, Table 1), after Fraser et al. 1978. Exposures are zero until they are found (experiment/saxs/exposure.h).
 * Zero-initialise *out; the caller clears it. A structure in which nothing scatters is CARDO_ERROR_INPUT. */
cardo_status cardo_scatterers_make(const cardo_structure *structure, cardo_scatterers *out,
                                   cardo_error *error);
void cardo_scatterers_clear(cardo_scatterers *scatterers);

/* Takes the positions of another conformation of the structure (natom x 3, nm); exposures stay. */
void cardo_scatterers_move(cardo_scatterers *scatterers, const double *positions);

/* Radius of gyration (nm) of the atoms, weighted by their electrons less those of displaced water, and the
 * largest distance between two of them. */
double cardo_scatterers_gyration(const cardo_scatterers *scatterers);
/* The same where poses carry bodies (12 numbers a body: rigid.h), body (n) the one of each scatterer. */
double cardo_scatterers_gyration_posed(const cardo_scatterers *scatterers, const int *body,
                                       const double *pose);
double cardo_scatterers_diameter(const cardo_scatterers *scatterers);
/* A bound for the largest distance, at most some hundredths above it, that grows with the number of atoms alone. */
double cardo_scatterers_reach(const cardo_scatterers *scatterers);

#endif
