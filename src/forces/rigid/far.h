/* Far fields of rigid bodies: each body carries a tree over its blocks, and each node of it the multipoles of
 * its atoms, constants in the body's frame that a pose only turns.
 *
 * An evaluation walks from nodes of one body, the rows, down the trees of others. Two nodes whose series converges well enough
 * act by their multipoles, on their bodies at once; blocks that are left at the end act atom by atom. */
#ifndef CARDO_FORCES_RIGID_FAR_H
#define CARDO_FORCES_RIGID_FAR_H

#include "base/memory.h"
#include "base/status.h"
#include "base/vec.h"
#include "forces/rigid/kernels/kernels.h"
#include "forces/rigid/layout/layout.h"
#include "multibody/force.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cardo_rigid_model cardo_rigid_model;
typedef struct cardo_rigid_work cardo_rigid_work;

/* The blocks first_block ... first_block + nblock - 1 of a body. */
typedef struct cardo_far_node {
    int first_block, nblock;
    int child;     /* the first of two, the second after it; -1: a block */
    double radius; /* around its place, of all atoms, nm              */
    /* Of descreening (far_volumes.c), raised to such powers that a distance's square is compared with products of them: usual derivatives of the
     * energy by the integrals of all atoms, and how far they are from the place. Volume of all balls, and how far they are, are in `seen`. */
    double chain_power, chain_extent;
} cardo_far_node;

/* Moments in bodies' frames: in double, or, once cardo_far_settle has been called, in single where evaluations take them so; the other is NULL. */
typedef struct cardo_far_own {
    double *full;
    float *single;
} cardo_far_own;

/* Series of descreening (far_volumes.c). Moments are of nodes, in ground axes. */
typedef struct cardo_far_volumes {
    cardo_monomials monomials;
    double share; /* of what a pair of nodes may be off by, of that by its charges       */
    int record;   /* as cardo_rigid_far_radii has it                                     */
    int nround;   /* the same                                                           */
    double round[CARDO_FAR_ROUND];
    cardo_far_own own; /* moments of volume, as own_charge                                 */
    double *moment;    /* the same at a pose, and of powers of the distance (nnode x record); once
                       cardo_far_settle has been called NULL where single precision takes its place */
    float *moment_single;
    cardo_pages moments; /* of `moment`                                                     */
    double *chain; /* of dE/dI, the latter of nodes that are rows alone (nnode x (size + nround)) */
    double *
        chain_moment; /* the same as other nodes see them, of rows, as `moment`; where there are shared trees, NULL as there */
    float *chain_moment_single;
    double round_share
        [CARDO_FAR_ROUND]
        [CARDO_FAR_ROUND]; /* of moments of the distance's powers, of a ball's middle's */
    double *sum;           /* descreening by other bodies, 1/nm                 (nslot)           */
} cardo_far_volumes;

/* Blocks of a node whose way down the trees is one piece of work. */
enum { CARDO_FAR_ROW_BLOCKS = 16 };

/* Are these lists a task's now? */
typedef struct cardo_far_claim {
    atomic_bool busy;
} cardo_far_claim;

/* Nodes that are rows together, and cut into tasks. */
typedef struct cardo_far_rows {
    int nrow, ntask;
    int *row;   /* nodes                                           (nrow)                   */
    int *first; /* of a task                                       (ntask + 1)              */
    cardo_far_claim *claim; /* of lists                             (ntask)                  */
    int16_t **note;  /* what a task's walk for sums came by         (ntask)                  */
    int *noted;      /* how much; -1: more than there is room for   (ntask)                  */
    int *first_note; /* room for that                         (ntask + 1)              */
    cardo_pages lists, notes;
} cardo_far_rows;

/* Trees over the blocks that small bodies share (far_shared.c): nodes root[nbody] ... root[nbody + 1] - 1. Their shape is one for all poses; which block stands
 * where in them, and all that belongs to nodes, is found anew at each pose. */
enum { CARDO_FAR_SHARED_BLOCKS = 16 };

typedef struct cardo_far_seat {
    double x[3];
    int block;
} cardo_far_seat;

typedef struct cardo_far_shared {
    int nrow,
        *row; /* trees' roots: nodes of so many blocks at most; 0: there are none, and shared blocks act block by block */
    int *first; /* of a node's blocks among `block`               (nodes of shared blocks)  */
    cardo_far_seat
        *seat;       /* blocks as they stand in the trees              (shared blocks)           */
    int *block, *at; /* the same; and where a shared block stands      (shared blocks)           */
    double *number;  /* of dispersion                       (nblock x rank x CARDO_BLOCK)        */
    double *ball
        [CARDO_MONOMIAL_ORDER / 2 +
         1]; /* moments of an atom's ball about its middle along an axis, of orders 0, 2 ... (nslot) */
    double *
        field; /* of descreening at nodes                     (nodes of shared blocks x (size + nround)) */
} cardo_far_shared;

/* What a task needs while it walks. */
typedef struct cardo_far_lists {
    int number;         /* among those of all tasks        */
    int *list;          /* room for a row's lists of nodes */
    int *queue, *taken; /* and for two of all nodes        */
    int *count;         /* and for numbers of all bodies, and of shared blocks */
} cardo_far_lists;

typedef struct cardo_far {
    int order, rank, record; /* as cardo_rigid_far_job has them                              */
    bool single;             /* series in single precision                                  */
    double tolerance;
    double allowed;        /* error of the force of one pair of nodes now, kJ/mol/nm       */
    double allowed_before; /* in the pass before this one; 0: it is the first              */
    double size;           /* root mean square radius of bodies, nm                        */
    double
        levers; /* where there are many small bodies, that over the same of bodies with blocks of their own, on which an error of a force is one of a larger
                      torque than others'; else 1 */
    int nnode;
    int *
        root; /* of a body, as many as before where it has no blocks of its own; of shared blocks; nnode (nbody + 2) */
    cardo_far_node *node;       /*                                                (nnode)      */
    int *body;                  /* whose nodes they are                           (nnode)      */
    cardo_rigid_far_seen *seen; /*                                          (nnode)      */
    cardo_rigid_far_bulk *bulk; /*                                          (nnode)      */
    double *power;              /* squared sizes of the multipoles of order 0 ... order + 1
                                                                    (nnode x (order + 2))   */
    double *weight;             /* of products of two nodes' powers in an error   (order + 2)  */
    double *scale;              /* that makes harmonics orthonormal    ((order + 2)^2)          */
    double strength[CARDO_FAR_RANK];
    double left_out;          /* share of the attraction that the numbers miss               */
    double *station;          /* places of nodes in their body's frame, nm      (nnode x 3)  */
    size_t *first_own;        /* of a body, in columns of own_charge            (nbody + 1)  */
    cardo_far_own own_charge; /* harmonics, orthonormal, of each body
                                (order + 1)^2 x its nodes, up to whole cardo_far_stride     */
    double *own_dispersion;   /* in the body's frame    (nnode x rank x CARDO_FAR_DISPERSION) */
    int npoint;               /* directions by which harmonics are turned                    */
    double *point;            /*                                                (npoint x 3) */
    double *inverse;          /* from values there to harmonics, by order                    */
    double *place;            /* in the common frame, nm               (nnode x 3, and one)  */
    double *moment; /* in ground axes                             (nnode x record); NULL as in
                                volumes                                                     */
    float *moment_single;
    cardo_pages moments; /* of `moment`                                              */
    double most_plain;   /* plain_beyond of the precision that there is                      */
    double *largest;     /* Born radius of a node, nm                            (nnode)      */
    cardo_far_volumes volumes; /* none in vacuum                                             */
    cardo_far_rows rows;
    cardo_far_shared shared;
} cardo_far;

/* far_tree.c: its trees, from the places in layout; NULL to *out where all pairs are quicker. tolerance: of a body's force,
 * relative to their root mean square. The rest, from the views' parameters. Errors are CARDO_ERROR_MEMORY. */
cardo_status cardo_far_plant(const cardo_rigid_model *model, double tolerance, cardo_far **out,
                             cardo_error *error);
cardo_status cardo_far_fill(cardo_rigid_model *model, cardo_error *error);
/* When all is done that is done once, and in double: moments in single precision take the place of those in double where
 * evaluations take the former. */
cardo_status cardo_far_settle(const cardo_rigid_model *model, cardo_error *error);
void cardo_far_destroy(cardo_far *far);
/* Lists that no other task has now, the first of them, so that no more take room than threads are at work; to be given back. Their numbers are anyone's. */
cardo_far_lists cardo_far_take_lists(const cardo_far *far);
void cardo_far_give_back(const cardo_far *far, const cardo_far_lists *lists);

/* Sets number `at` of moments at a pose in the precisions that are there. */
static inline void cardo_far_put(double *moment, float *single, size_t at, double value)
{
    if (moment)
        moment[at] = value;
    if (single)
        single[at] = (float)value;
}

/* Columns of own_charge that a body with so many nodes takes. */
static inline int cardo_far_stride(int nodes)
{
    return (nodes + CARDO_FAR_TOGETHER - 1) / CARDO_FAR_TOGETHER * CARDO_FAR_TOGETHER;
}

/* As kernels turn them: size rows of CARDO_FAR_TOGETHER columns from number `first` on, where rows are *stride apart. tile (size x CARDO_FAR_TOGETHER): room for those that are
 * in single. */
static inline const double *cardo_far_own_columns(const cardo_far_own *own, size_t first, int size,
                                                  int *stride, double *tile)
{
    if (own->full)
        return own->full + first;
    for (int a = 0; a < size; ++a)
        for (int k = 0; k < CARDO_FAR_TOGETHER; ++k)
            tile[a * CARDO_FAR_TOGETHER + k] =
                (double)own->single[first + (size_t)a * (size_t)*stride + (size_t)k];
    *stride = CARDO_FAR_TOGETHER;
    return tile;
}

/* far_moments.c: multipoles in the body's frame and the sizes that errors follow from, with the numbers of dispersion. */
cardo_status cardo_far_moments(const cardo_rigid_model *model, cardo_far *far, const double *number,
                               cardo_error *error);

/* far_turn.c: what turning needs; places and moments of a body's nodes at a pose in the common frame. */
cardo_status cardo_far_turn_create(cardo_far *far, cardo_error *error);
void cardo_far_turn(cardo_far *far, const cardo_rigid_kernels *kernels, int body,
                    cardo_transform X);

/* far_volumes.c: moments of volume in the body's frame, and what errors follow from; at a pose, after the places; those of dE/dI, from the derivatives in the
 * views. */
cardo_status cardo_far_volumes_create(const cardo_rigid_model *model, cardo_far *far,
                                      cardo_error *error);
void cardo_far_volumes_clear(cardo_far_volumes *volumes);
void cardo_far_turn_volumes(cardo_far *far, const cardo_rigid_kernels *kernels, int body,
                            cardo_mat33 R);
void cardo_far_raise_chain(cardo_rigid_model *model, int body);
/* Does moment a of descreening, a monomial's or after these one of an even power of the distance, change its sign as another node sees it? */
static inline bool cardo_far_is_odd(const cardo_monomials *m, int a)
{
    const unsigned char *power = m->of[a < m->size ? a : 0].power;
    return (power[0] + power[1] + power[2]) % 2 == 1;
}
/* Puts a node's moments as other nodes see them. */
void cardo_far_put_seen(const cardo_far_volumes *volumes, int node, const double *moments,
                        double *full, float *single);
/* Of a node, once its moments of dE/dI are known: as other nodes see them, in the order of moments of volume. */
void cardo_far_show_chain(const cardo_far *far, int node);
/* What errors follow from: how many atoms a node has, their volume, sums of their squared distances from its place, also by volume. */
void cardo_far_size_up(cardo_far *far, int node, double atoms, double volume, double second,
                       double second_of_balls);
/* Moments of a ball of radius s about its middle, of volume s^3 (size). */
void cardo_far_moments_of_ball(const cardo_monomials *monomials, double s, double *moments);
/* Squared distances of a block's atoms from a node's place. */
void cardo_far_block_distances(const cardo_rigid_model *model, int node, int block,
                               double r2[CARDO_BLOCK]);

/* far_descreening.c: one task: descreening of bodies' own atoms by other such bodies to far->volumes.sum; the forces through it, from the
 * derivatives in the views and their moments, to work->wrench. */
void cardo_far_descreen(const cardo_rigid_model *model, int task, cardo_rigid_work *work);
void cardo_far_chain(const cardo_rigid_model *model, int task, cardo_rigid_work *work);
/* Descreening of a task's rows by their own bodies, in place of that by others. */
void cardo_far_descreen_inside(const cardo_rigid_model *model, int task, cardo_rigid_work *work);

/* May two nodes, one of shared blocks, descreen each other by their series? The same whichever comes first. */
bool cardo_far_descreen_each_other(const cardo_rigid_model *model, double error, int a, int b);
/* What that asks for: of r^2, by which what series leave out of a force is small enough. */
double cardo_far_descreening_error(const cardo_far *far, double share);

/* far_shared.c: memory; trees and moments at a pose, once the atoms and their blocks' spheres have their places; moments of dE/dI of one tree. */
cardo_status cardo_far_shared_create(const cardo_rigid_model *model, cardo_far *far,
                                     const double *number, cardo_error *error);
void cardo_far_shared_clear(cardo_far_shared *shared);
void cardo_far_shared_place(cardo_rigid_model *model);
void cardo_far_shared_raise_chain(cardo_rigid_model *model, int row);
/* The blocks of a node of shared ones; do two nodes, one of shared blocks, hold atoms that do not interact, or by rules of their own? */
const int *cardo_far_shared_blocks(const cardo_far *far, int node);
bool cardo_far_shared_exclusions(const cardo_rigid_model *model, int shared, int other);
/* Forces on the atoms of a node of shared blocks: those of fields, and what is left of the node's force. */
typedef struct cardo_far_spread {
    double force[CARDO_FAR_SHARED_BLOCKS][3 * CARDO_BLOCK] __attribute__((aligned(64)));
} cardo_far_spread;
void cardo_far_shared_by_charges(const cardo_rigid_model *model, int node, const double *field,
                                 cardo_far_spread *to);
void cardo_far_shared_by_descreening(const cardo_rigid_model *model, int node,
                                     const double *descreened, const double *descreening,
                                     cardo_far_spread *to);
void cardo_far_shared_spread(const cardo_rigid_model *model, int node, const double *total,
                             cardo_far_spread *spread, cardo_rigid_work *work);

/* far_shared_rows.c: a tree of shared blocks against all bodies, and other such trees: descreening, with what does not interact of other pairs; pairs and solvent; forces through
 * descreening. Sums and forces to work, as units of the rounds have them. */
void cardo_far_shared_descreen(const cardo_rigid_model *model, int row, cardo_rigid_work *work);
void cardo_far_shared_pairs(const cardo_rigid_model *model, int row, cardo_rigid_work *work);
void cardo_far_shared_chain(const cardo_rigid_model *model, int row, cardo_rigid_work *work);

/* far_aim.c: what one pair of nodes may be off by, first for forces as they are usually, or as bonded terms have them, then for those on
 * bodies (nbody, about the common origin) that a pass has found: true, and another pass has to refine it. */
void cardo_far_aim(cardo_rigid_model *model);
/* The same for what is constant inside bodies. */
void cardo_far_aim_inside(cardo_rigid_model *model);
bool cardo_far_refine(cardo_rigid_model *model, const cardo_spatial *total);

/* The rows, and how they are cut into tasks. */
cardo_status cardo_far_rows_create(const cardo_rigid_model *model, cardo_far *far,
                                   cardo_error *error);

/* far_rows.c: one task: forces to work->wrench about the common origin, energy to work->energy; with a solvent, for which
 * cardo_far_find_largest is called before, its energy and sums there, the rest to work->pair_energy. */
void cardo_far_task(const cardo_rigid_model *model, int task, cardo_rigid_work *work);
void cardo_far_find_largest(const cardo_rigid_model *model);

/* What two nodes' series leave out of their force, of up to CARDO_FAR_ASKED columns, kJ/mol/nm: infinite where they are too near; and with
 * salt, whose charges have no multipoles. */
void cardo_far_errors(const cardo_rigid_model *model, int row, int n, const int *columns,
                      double *errors);

/* Of two bodies with blocks of their own, does the first give the rows? */
static inline bool cardo_far_gives_rows(int body, int other)
{
    return body != other && ((body + other) % 2 == 0) == (body < other);
}

#endif
