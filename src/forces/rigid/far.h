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

#include <stdbool.h>
#include <stddef.h>

typedef struct cardo_rigid_model cardo_rigid_model;
typedef struct cardo_rigid_work cardo_rigid_work;

/* The blocks first_block ... first_block + nblock - 1 of a body. */
typedef struct cardo_far_node {
    int first_block, nblock, body;
    int child;     /* the first of two, the second after it; -1: a block */
    double radius; /* around its place, of all atoms, nm              */
    double attraction,
        third; /* sum of the first dispersion number, and of it times distance^3 from the place */
    double repulsion; /* sum of the roots of 4 epsilon sigma^12 */
    /* Of descreening (far_descreening.c): sum of the cubes of scaled radii, nm^3; mean of their squares, nm^2; */
    double volume, scaled2;
    double amount; /* atoms, times the usual derivative of the energy by a descreening integral  */
    double left_out, spread_left_out; /* of errors, times powers of the distance              */
} cardo_far_node;

/* Points that stand for a node's atoms (far_points.c), in blocks after those of atoms. A node of so few blocks has its own atoms. */
typedef struct cardo_far_points {
    int blocks, degree;      /* of the points of a node; the moments that they keep           */
    int first_block, nblock; /* the first block that is not of atoms, and how many are not    */
    int *first, *count;      /* blocks of a node's points                         (nnode)     */
    size_t *fit_at;          /* where its matrix begins                           (nnode)     */
    double *fit;             /* from points of both halves: points x those of halves          */
    double *station;         /* in the body's frame, nm             (16 nblock x 3)           */
    double *sum; /* descreening by other bodies, at atoms and points, 1/nm (all blocks' slots) */
} cardo_far_points;

/* Nodes that are rows together, and cut into tasks. */
typedef struct cardo_far_rows {
    int nrow, ntask;
    int *row;   /* nodes                                           (nrow)                   */
    int *first; /* of a task                                       (ntask + 1)              */
    int **list; /* room for a task's lists of nodes                (ntask)                  */
    cardo_pages lists;
} cardo_far_rows;

typedef struct cardo_far {
    int order, rank, record; /* as cardo_rigid_far_job has them                              */
    bool single;             /* series in single precision                                  */
    double tolerance;
    double allowed;        /* error of the force of one pair of nodes now, kJ/mol/nm       */
    double allowed_before; /* in the pass before this one; 0: it is the first              */
    double size;           /* root mean square radius of bodies, nm                        */
    int nnode;
    int *root; /* of a body; -1: it has no blocks of its own; root[nbody]: nnode   (nbody + 1) */
    cardo_far_node *node; /*                                                (nnode)      */
    double *power;        /* squared sizes of the multipoles of order 0 ... order + 1
                                                                    (nnode x (order + 2))   */
    double *weight;       /* of products of two nodes' powers in an error   (order + 2)  */
    double *scale;        /* that makes harmonics orthonormal    ((order + 2)^2)          */
    double strength[CARDO_FAR_RANK];
    double left_out;        /* share of the attraction that the numbers miss               */
    double *station;        /* places of nodes in their body's frame, nm      (nnode x 3)  */
    size_t *first_own;      /* of a body, in columns of own_charge            (nbody + 1)  */
    double *own_charge;     /* harmonics in the body's frame, orthonormal, of each body
                                (order + 1)^2 x its nodes, up to whole cardo_far_stride     */
    double *own_dispersion; /* 10 rank numbers in the body's frame            (nnode)      */
    int npoint;             /* directions by which harmonics are turned                    */
    double *point;          /*                                                (npoint x 3) */
    double *inverse;        /* from values there to harmonics, by order                    */
    double *place;          /* in the common frame, nm                        (nnode x 3)  */
    double *moment;         /* in ground axes                             (nnode x record) */
    float *moment_single;
    double most_plain;       /* plain_beyond of the precision that there is                      */
    double *largest;         /* Born radius of a node, nm                            (nnode)      */
    cardo_far_points points; /* none in vacuum                                               */
    cardo_far_rows rows;
} cardo_far;

/* far_tree.c: its trees, from the places in layout; NULL to *out where all pairs are quicker. tolerance: of a body's force,
 * relative to their root mean square. The rest, from the views' parameters. Errors are CARDO_ERROR_MEMORY. */
cardo_status cardo_far_plant(const cardo_rigid_model *model, double tolerance, cardo_far **out,
                             cardo_error *error);
cardo_status cardo_far_fill(cardo_rigid_model *model, cardo_error *error);
void cardo_far_destroy(cardo_far *far);

/* Columns of own_charge that a body with so many nodes takes. */
static inline int cardo_far_stride(int nodes)
{
    return (nodes + CARDO_FAR_TOGETHER - 1) / CARDO_FAR_TOGETHER * CARDO_FAR_TOGETHER;
}

/* far_moments.c: multipoles in the body's frame and the sizes that errors follow from. */
cardo_status cardo_far_moments(const cardo_rigid_model *model, cardo_far *far, cardo_error *error);
/* far_dispersion.c: splits the attraction of types of atoms into products of numbers; number (nslot x rank), zero in slots left over. */
cardo_status cardo_far_dispersion(const cardo_rigid_model *model, cardo_far *far, double **number,
                                  cardo_error *error);

/* far_turn.c: what turning needs; places and moments of a body's nodes at a pose in the common frame. */
cardo_status cardo_far_turn_create(cardo_far *far, cardo_error *error);
void cardo_far_turn(cardo_far *far, const cardo_rigid_kernels *kernels, int body,
                    cardo_transform X);

/* far_points.c: how many there are; all of them, with the views' volumes; their places at a pose. */
void cardo_far_points_count(const cardo_rigid_layout *layout, cardo_far *far, double tolerance);
cardo_status cardo_far_points_create(cardo_rigid_model *model, cardo_far *far, cardo_error *error);
void cardo_far_points_clear(cardo_far_points *points);
void cardo_far_place_points(cardo_rigid_model *model, int body, cardo_transform X);
/* Numbers, one a slot, that a node's points take over from its halves' points; and the other way, what a field at a node's
 * points is at those of its halves. */
void cardo_far_raise(const cardo_far *far, int node, double *numbers);
void cardo_far_lower(const cardo_far *far, int node, double *numbers);

static inline bool cardo_far_has_own_points(const cardo_far *far, int node)
{
    return far->node[node].nblock <= far->points.blocks;
}

/* far_descreening.c: one task: descreening of bodies' own atoms by other such bodies to far->points.sum; the forces through it, from the
 * derivatives in the views, to work->wrench. Before the latter, points take derivatives over from atoms. */
void cardo_far_descreen(const cardo_rigid_model *model, int task, cardo_rigid_work *work);
void cardo_far_chain(const cardo_rigid_model *model, int task, cardo_rigid_work *work);
/* Descreening of a task's rows by their own bodies, in place of that by others. */
void cardo_far_descreen_inside(const cardo_rigid_model *model, int task, cardo_rigid_work *work);
void cardo_far_raise_chain(cardo_rigid_model *model, int body);

/* far_aim.c: what one pair of nodes may be off by, first for forces as they are usually, or as bonded terms have them, then for those on
 * bodies (nbody, about the common origin) that a pass has found: true, and another pass has to refine it. */
void cardo_far_aim(cardo_rigid_model *model);
/* The same for what is constant inside bodies. */
void cardo_far_aim_inside(cardo_rigid_model *model);
bool cardo_far_refine(cardo_rigid_model *model, const cardo_spatial *total);

/* far_rows.c: one task: forces to work->wrench about the common origin, energy to work->energy; with a solvent, for which
 * cardo_far_find_largest is called before, its energy and sums there, the rest to work->pair_energy. */
cardo_status cardo_far_rows_create(const cardo_rigid_model *model, cardo_far *far,
                                   cardo_error *error);
void cardo_far_task(const cardo_rigid_model *model, int task, cardo_rigid_work *work);
void cardo_far_find_largest(const cardo_rigid_model *model);

/* What two nodes' series leave out of their force: the first order left out, of charges as if they were turned by chance, of dispersion
 * from its third moments; and repulsion, which has no series. Infinite where it is more than any pass allows, and with salt, whose charges have
 * no multipoles. kJ/mol/nm */
double cardo_far_error_of(const cardo_rigid_model *model, int row, int column);

/* Of two bodies with blocks of their own, does the first give the rows? */
static inline bool cardo_far_gives_rows(int body, int other)
{
    return body != other && ((body + other) % 2 == 0) == (body < other);
}

#endif
