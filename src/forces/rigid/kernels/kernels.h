/* The inner loops: what pairs of blocks of atoms give each other.
 *
 * Atoms stand in blocks of CARDO_BLOCK slots (layout.h); slots left over at the end of a block
 * repeat its last atom without charge, well depth or radius, so that they give nothing. Every
 * kernel takes one block (the rows, i) and a list of blocks (the columns, j), adds what the rows
 * get to sums in double, and is compiled for three widths of vectors from one text
 * (kernel.inc). */
#ifndef CARDO_FORCES_RIGID_KERNELS_KERNELS_H
#define CARDO_FORCES_RIGID_KERNELS_KERNELS_H

#include "cardo/geometry.h"
#include "forces/rigid/kernels/monomials.h"

#include <stdbool.h>
#include <stdint.h>

enum { CARDO_BLOCK = 16 };

/* One number a slot, 64-byte aligned. charge is scaled by the root of its energy constant; half
 * sigma and 2 sqrt(epsilon), so that pairs add the former and multiply the latter. For the solvent:
 * intrinsic radius less offset, scaled radius s and powers; Born radius B, 1/(2 B); dE/dI, the
 * derivative by the descreening integral. In single precision and within a tolerance alone:
 * 1/sqrt(2 B); B0, which is B where no other body is; ln(B/B0); 1/sqrt(2 sqrt(B B0)). */
#define CARDO_RIGID_VIEW(real)                                                                     \
    {                                                                                              \
        real *x, *y, *z;                                                                           \
        real *x_rest, *y_rest, *z_rest;                                                            \
        real *charge, *half_sigma, *root_epsilon;                                                  \
        real *gb_charge, *offset_radius, *scaled, *scaled2, *scaled3;                              \
        real *born, *half_inverse_born, *chain, *root_inverse_born;                                \
        real *born_alone, *growth, *root_inverse_middle;                                           \
    }
typedef struct cardo_rigid_view_float CARDO_RIGID_VIEW(float) cardo_rigid_view_float;
typedef struct cardo_rigid_view_double CARDO_RIGID_VIEW(double) cardo_rigid_view_double;

/* A function of sqrt(D) = r/(2 sqrt(B B)) of pairs in pieces about knots, of which kernels have so many. The last piece is nothing. */
enum { CARDO_TABLE_KNOTS = 32, CARDO_EXCESS_TERMS = 5, CARDO_BENT_TERMS = 4 };
typedef struct cardo_rigid_table {
    double beyond; /* D from which on it is nothing                                          */
    float scale;   /* knots in a unit of sqrt(D)                                             */
    float piece[CARDO_EXCESS_TERMS][CARDO_TABLE_KNOTS];
} cardo_rigid_table;

/* tables.c: of what solvent pairs have beyond plain ones (excess.inc), and of the second derivative of their energy by both radii's logarithms (inside.inc);
 * for so many knots, and D, unless it is that already. */
void cardo_rigid_tabulate_excess(int knots, double beyond, cardo_rigid_table *table);
void cardo_rigid_tabulate_bent(int knots, cardo_rigid_table *table);

/* What all pairs share. A cutoff of 0: none. */
typedef struct cardo_rigid_rules {
    double cutoff;           /* nm, Lennard-Jones and Coulomb                             */
    double field_k, field_c; /* reaction field: E = q q (1/r + k r^2 - c)                 */
    double gb_cutoff;        /* nm, descreening and solvent                               */
    double gb_strength;      /* solvent energy of charges far apart over their Coulomb energy  */
    double plain_beyond;     /* r^2/(4 B B) where the solvent pair is taken for -q q/r         */
    double near_descreening; /* nm, nearer than this mixed rows' descreening is computed in full */
    bool loose; /* a tolerance leaves room for shorter series of descreening in single precision */
    double kappa;              /* of salt, 1/nm; 0: none. With it -q q/f becomes
                              -q q (gb_inner - gb_outer exp(-kappa f))/f                      */
    double gb_inner, gb_outer; /* inverse dielectric constants over their difference           */
    /* Within a tolerance, in single precision without salt, where kernels have knots; else NULL. */
    const cardo_rigid_table *excess, *bent;
} cardo_rigid_rules;

/* Nearer than this atoms push each other so hard that rounded places leave an error of some 1e-5 of it, and that single precision may not hold it. nm */
#define CARDO_RIGID_CLASH 0.06

/* One block against a list of blocks. */
typedef struct cardo_rigid_job {
    int block, count;   /* rows: block and how many of its slots are atoms                */
    const int *columns; /* blocks                                                         */
    int ncolumn;
    double energy;      /* added to: kJ/mol, pairs once                                   */
    double pair_energy; /* added to by pairs_and_solvent: Lennard-Jones and Coulomb       */
    double *force;      /* added to: on rows, kJ/mol/nm          (3 x CARDO_BLOCK)         */
    double *row_sum;    /* added to: descreening or solvent sums (CARDO_BLOCK)             */
    double *column_sum; /* added to: the same of columns         (nslot); NULL: not wanted */
    double *
        column_force; /* added to: on columns, kJ/mol/nm: x, y and z of each block from first_column
                             on (3 x CARDO_BLOCK a block); NULL: not wanted, columns belong to one body */
    int first_column;
    /* together_inside: of each column, 1 over the least charge times growth of a row that is done with it; the largest growth (ncolumn) */
    const float *matters, *most_grown;
    bool clashing; /* set by descreen_loosely where atoms are nearer than CARDO_RIGID_CLASH   */
    bool anywhere; /* columns at any distance, and not near ones alone                      */
} cardo_rigid_job;

/* Highest order of multipoles, numbers that dispersion is split into, and room for a node's moments. */
enum {
    CARDO_FAR_ORDER = 16,
    CARDO_FAR_RANK = 6,
    CARDO_FAR_DISPERSION =
        11, /* moments of one such number: its sum, three first ones, six second ones, and of distance^4 */
    CARDO_FAR_RECORD =
        (CARDO_FAR_ORDER + 1) * (CARDO_FAR_ORDER + 1) + CARDO_FAR_DISPERSION * CARDO_FAR_RANK + 3,
    CARDO_FAR_ROUND = CARDO_MONOMIAL_ORDER / 2 + 2, /* moments of even powers of the distance */
    CARDO_FAR_VOLUMES =
        CARDO_MONOMIALS + CARDO_FAR_ROUND + 3, /* room for a node's moments of volume            */
    CARDO_FAR_TOGETHER = 16,                   /* nodes that are turned together                 */
    CARDO_FAR_COLUMNS = 128,                   /* nodes at most that act on one together         */
    CARDO_FAR_ASKED = 128,                     /* nodes that are asked together                  */
    CARDO_FAR_PULLS = 8                        /* numbers of a column that acts                  */
};

/* What walks down trees ask of a node first, in ground axes: nm. */
typedef struct cardo_rigid_far_seen {
    float x, y, z, radius;
    float volume_power, volume_extent; /* of descreening (far.h)                            */
    float plain; /* products of two nodes': how far apart their solvent's pairs are plain  */
    int child;   /* as far.h has it                                                         */
} cardo_rigid_far_seen;

/* What errors of a node's series follow from, beside the sizes of its multipoles: sum of the first dispersion number, and of it times
 * distance^3 from the place; sum of the roots of 4 epsilon sigma^12. */
typedef struct cardo_rigid_far_bulk {
    double radius, nblock, attraction, third, repulsion;
} cardo_rigid_far_bulk;

/* A node whose errors with others are asked for. */
typedef struct cardo_rigid_far_asked {
    int order;                         /* the first that series leave out                  */
    double power[CARDO_FAR_ORDER + 2]; /* of the node's multipoles, weighted, by order     */
    const double *powers;              /* of all nodes               (nnode x (order + 1)) */
    double place[3];
    const double *places; /* of all nodes                         (nnode x 3) */
    cardo_rigid_far_bulk bulk;
    const cardo_rigid_far_bulk *bulks; /* of all nodes                                     */
    double left_out;                   /* as far.h has it                                  */
} cardo_rigid_far_asked;

/* A node that asks which others may descreen it by their series: those beyond all three of a gap, a multiple of both radii, and the squared
 * distance factor volume_power (extent + volume_extent). */
typedef struct cardo_rigid_far_descreened {
    cardo_rigid_far_seen row;
    float gap, factor, extent;
} cardo_rigid_far_descreened;

/* A node against a list of nodes, by their multipoles (far.h). */
typedef struct cardo_rigid_far_job {
    int order, rank; /* of the charges' multipoles; numbers of dispersion          */
    int record; /* moments of a node: (order + 1)^2 + CARDO_FAR_DISPERSION rank, and up to whole fours  */
    const double *strength; /* of each number, negative where it attracts   (rank)        */
    const void *row;        /* the node's moments, in the kernel's precision (record)     */
    double place[4];        /* its place, nm; the fourth is not used                      */
    const double *places;   /* of all nodes                           (nnode x 3, and one) */
    const int *columns;     /* nodes                                                      */
    int ncolumn;
    double (*pull)[CARDO_FAR_COLUMNS]; /* set: force on the node by each column, torque about its
                                          place, energy, and that of charges alone         (8) */
    double *
        field; /* added to: derivatives of the energy by the row's charges' harmonics, as far.inc has them, without their sign, and by
                      numbers of dispersion ((order + 1)^2 + CARDO_FAR_DISPERSION rank); NULL: not wanted */
} cardo_rigid_far_job;

/* Atoms of blocks, seen from a node's place. */
typedef struct cardo_rigid_far_particles {
    const cardo_rigid_view_double *view;
    int nblock;
    const int *blocks;
    double place[3]; /* nm */
} cardo_rigid_far_particles;

/* Where what columns push a node by goes to. */
typedef struct cardo_rigid_far_push {
    const double *place; /* the node's, nm (3)               */
    double sign;         /* -1: it is taken back             */
    const int *columns;  /* nodes                            */
    int ncolumn;
    const int *bodies;     /* of all nodes                   */
    cardo_spatial *wrench; /* on bodies, about the origin    */
} cardo_rigid_far_push;

/* A node's descreening by a list of nodes, by their moments of volume. */
typedef struct cardo_rigid_far_radii {
    const cardo_monomials *monomials;
    int nround;          /* moments of even powers of the distance, from 0                   */
    const double *round; /* factors of their products, by the power of the row's   (nround)  */
    int record;      /* of a node: moments, of the distance's powers too, and up to whole fours  */
    double place[4]; /* the node's, nm; the fourth is not used                          */
    const double *places; /* of all nodes                                (nnode x 3, and one) */
    const int *columns;   /* nodes                                                           */
    int ncolumn;
    double *
        field; /* added to: the integrals' series about the place, and by powers of the distance from it (size + nround) */
    const double *chain; /* moments of dE/dI                         (size + nround)        */
    double (*pull)
        [CARDO_FAR_COLUMNS]; /* set: force on the node by each column, torque about its place (6) */
} cardo_rigid_far_radii;

/* The kernels of one precision. */
#define CARDO_RIGID_KERNELS(view, real)                                                                                                      \
    {                                                                                                                                        \
        /* Lennard-Jones and Coulomb: energy, force. */                                                                                      \
        void (*pairs)(const view *, const cardo_rigid_rules *, cardo_rigid_job *);                                                           \
        /* Descreening integrals by atoms farther than four scaled radii: row_sum, column_sum. */                                            \
        void (*descreen_far)(const view *, const cardo_rigid_rules *, cardo_rigid_job *);                                                    \
        /* Solvent pair energies between bodies: energy, force, row_sum, column_sum. */                                                      \
        void (*solvent)(const view *, const cardo_rigid_rules *, cardo_rigid_job *);                                                         \
        /* Within a body: energy, row_sum, column_sum. */                                                                                    \
        void (*solvent_inside)(const view *, const cardo_rigid_rules *, cardo_rigid_job *);                                                  \
        /* Forces through descreening of and by far atoms: force. */                                                                         \
        void (*chain_far)(const view *, const cardo_rigid_rules *, cardo_rigid_job *);                                                       \
        /* Without cutoffs, and solvent pairs plain where rules->plain_beyond says so. pairs and       \
         * solvent at once: pair_energy, energy, force, row_sum, column_sum; within a body, less     \
         * -q q/r: energy, row_sum, column_sum; less that between bodies, without salt: force too. */                                     \
        void (*pairs_and_solvent)(const view *, const cardo_rigid_rules *, cardo_rigid_job *);                                               \
        void (*excess_inside)(const view *, const cardo_rigid_rules *, cardo_rigid_job *);                                                   \
        void (*excess_between)(const view *, const cardo_rigid_rules *, cardo_rigid_job *);                                                  \
        /* Nodes by their moments (nnode x record). */                                                                                       \
        void (*far)(const real *moments, cardo_rigid_far_job *);                                                                             \
        /* descreen_far of the rows by the columns alone: row_sum; the force through it.  */                                                 \
        void (*descreen_rows)(const view *, const cardo_rigid_rules *, cardo_rigid_job *);                                                   \
        void (*chain_rows)(const view *, const cardo_rigid_rules *, cardo_rigid_job *);                                                      \
        /* The same at any distance. */                                                                                                      \
        void (*descreen_mixed_rows)(const view *, const cardo_rigid_rules *, cardo_rigid_job *);                                             \
        void (*chain_mixed_rows)(const view *, const cardo_rigid_rules *, cardo_rigid_job *);                                                \
        /* Descreening of nodes, farther than six scaled radii, by moments of volume (nnode x record): field; the force through it: pull. */ \
        void (*far_descreen)(const real *moments, cardo_rigid_far_radii *);                                                                  \
        void (*far_chain)(const real *moments, cardo_rigid_far_radii *);                                                                     \
    }

typedef struct cardo_rigid_kernels {
    const char *name;
    struct CARDO_RIGID_KERNELS(cardo_rigid_view_float, float) single;
    struct CARDO_RIGID_KERNELS(cardo_rigid_view_double, double) full;
    /* Within a tolerance, by rules->excess with so many knots (0: not here): what pairs_and_solvent
     * and excess_between do. */
    int knots;
    void (*tabled_pairs)(const cardo_rigid_view_float *, const cardo_rigid_rules *,
                         cardo_rigid_job *);
    void (*tabled_between)(const cardo_rigid_view_float *, const cardo_rigid_rules *,
                           cardo_rigid_job *);
    /* At any distance; double alone. pairs_masked: one column; mask is all bits set or none for each
     * row and column (CARDO_BLOCK x CARDO_BLOCK). */
    void (*pairs_masked)(const cardo_rigid_view_double *, const cardo_rigid_rules *,
                         const int64_t *mask, cardo_rigid_job *);
    void (*descreen_near)(const cardo_rigid_view_double *, const cardo_rigid_rules *,
                          cardo_rigid_job *);
    void (*chain_near)(const cardo_rigid_view_double *, const cardo_rigid_rules *,
                       cardo_rigid_job *);
    /* The same within a tolerance, in single precision; without cutoffs. */
    void (*pairs_masked_loosely)(const cardo_rigid_view_float *, const cardo_rigid_rules *,
                                 const int64_t *mask, cardo_rigid_job *);
    void (*descreen_loosely)(const cardo_rigid_view_float *, const cardo_rigid_rules *,
                             cardo_rigid_job *);
    void (*chain_loosely)(const cardo_rigid_view_float *, const cardo_rigid_rules *,
                          cardo_rigid_job *);
    /* Within a body, without salt: what excess_inside does, less what either atom's radius does alone: energy, row_sum, column_sum. */
    void (*together_inside)(const cardo_rigid_view_float *, const cardo_rigid_rules *,
                            cardo_rigid_job *);
    /* descreen_near of the rows by the columns alone. */
    void (*descreen_near_rows)(const cardo_rigid_view_double *, const cardo_rigid_rules *,
                               cardo_rigid_job *);
    /* Answers, 1 or 0, to what a node asks of n others: may they descreen it by their series; are their solvent's pairs plain. */
    void (*ask_descreening)(const cardo_rigid_far_descreened *, const cardo_rigid_far_seen *seen,
                            int n, const int *nodes, int *answers);
    void (*ask_plain)(const cardo_rigid_far_seen *row, const cardo_rigid_far_seen *seen, int n,
                      const int *nodes, int *answers);
    /* Errors of the series of up to CARDO_FAR_ASKED nodes, kJ/mol/nm. */
    void (*far_errors)(const cardo_rigid_far_asked *, int n, const int *nodes, double *errors);
    /* Takes forces and torques about the origin from columns' bodies; totals: sums of all numbers, with torques about the origin. Torques of pull are then so, too. */
    void (*push)(const cardo_rigid_far_push *, int numbers, double (*pull)[CARDO_FAR_COLUMNS],
                 double *totals);
    /* Products of a matrix (size x size) and CARDO_FAR_TOGETHER vectors: out and in hold them as columns, rows of
     * in stride apart. */
    void (*turn)(int size, const double *matrix, const double *in, int stride, double *out);
    /* Of a block's atoms from slot first on, seen from a place: adds what a series is there to sums (CARDO_BLOCK); moments of their dE/dI. */
    void (*add_series)(const cardo_monomials *, const cardo_rigid_view_double *, int first,
                       const double place[3], const double *series, double *sums);
    void (*chain_moments)(const cardo_monomials *, const cardo_rigid_view_double *, int first,
                          const double place[3], double *moments);
    /* Of atoms of blocks: harmonics of charges, moments of dispersion's numbers (nblock x rank x CARDO_BLOCK, of all blocks) and of weights (nslot), all set;
     * and what fields push the atoms by, added to forces of each of the blocks: share times that on charges; on numbers; on weights. */
    void (*particle_charges)(const cardo_rigid_far_particles *, int order, double *moments);
    void (*particle_numbers)(const cardo_rigid_far_particles *, int rank, const double *numbers,
                             double *moments);
    void (*particle_moments)(const cardo_rigid_far_particles *, const cardo_monomials *,
                             const double *weights, double *moments);
    void (*particle_charge_forces)(const cardo_rigid_far_particles *, int order, double share,
                                   const double *field, double (*force)[3 * CARDO_BLOCK]);
    void (*particle_number_forces)(const cardo_rigid_far_particles *, int rank,
                                   const double *numbers, const double *field,
                                   double (*force)[3 * CARDO_BLOCK]);
    void (*particle_slopes)(const cardo_rigid_far_particles *, const cardo_monomials *,
                            const double *weights, const double *series,
                            double (*force)[3 * CARDO_BLOCK]);
} cardo_rigid_kernels;

/* The widest set that this processor runs, or the named one ("avx512", "avx2", "plain"; NULL when it
 * does not run here). */
const cardo_rigid_kernels *cardo_rigid_kernels_best(void);
const cardo_rigid_kernels *cardo_rigid_kernels_named(const char *name);

#endif
