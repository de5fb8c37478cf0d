/* What the tables of rigid bodies' amplitudes are made of. Eight values of q stand side by side in a vector; nothing of this kind is
 * passed or returned by value. */
#ifndef CARDO_EXPERIMENT_SAXS_RIGID_TABLES_H
#define CARDO_EXPERIMENT_SAXS_RIGID_TABLES_H

#include "experiment/saxs/harmonics.h"
#include "experiment/saxs/partials.h"
#include "experiment/saxs/scatterers.h"

#include <stddef.h>

enum { CARDO_RIGID_LANES = 8, CARDO_RIGID_AMPLITUDES = 3, CARDO_RIGID_POINTS = 4 };

typedef double cardo_eight __attribute__((vector_size(64), aligned(64), may_alias));

/* Gauss and Legendre's points with cos(theta) > 0, a multiple of CARDO_RIGID_POINTS of them. */
typedef struct cardo_rigid_rule {
    int points;
    double *x, *weight;
    double *
        legendre; /* P_lm of the points, CARDO_RIGID_POINTS side by side: ((l(l + 1)/2 + m) x 4) a group */
} cardo_rigid_rule;

/* Eight values of q, and what is made for them. */
typedef struct cardo_rigid_block {
    double q[CARDO_RIGID_LANES]; /* falling; the last of all repeated where there are fewer */
    int degree;                  /* the largest of all bodies'                              */
    int nrule;
    cardo_rigid_rule *rule; /* by the number of points, rising */
} cardo_rigid_block;

typedef struct cardo_rigid_body {
    int natom, *atom;
    double middle[3], radius;
    int *degree;        /* (blocks)                                          */
    size_t *first;      /* where a block's coefficients begin (blocks + 1)   */
    cardo_eight *b;     /* ((l^2 + l + m) x 3: V, E, W) of each block, signs of i^l inside */
    cardo_eight *alone; /* six partials (blocks x 6)                         */
} cardo_rigid_body;

struct cardo_rigid_bodies {
    const cardo_scatterers *scatterers;
    int nbody, nq, nblock;
    double size, tolerance;
    cardo_rigid_block *block;
    cardo_rigid_body *body;
    double *exposure; /* with which the tables were made (n)   */
    double *water;    /* amplitude of a wholly exposed atom (8 x blocks) */
    int degree;       /* the largest of all                    */
    cardo_harmonics harmonics;
    cardo_quarter_turn turn;
};

struct cardo_rigid_work {
    const struct cardo_rigid_bodies *bodies;
    cardo_eight *turned[2], *between, *moved; /* ((degree + 1)^2 x 3) */
    cardo_eight *layer;                       /* W of all bodies anew, as in b but W alone */
    size_t *layer_first;                      /* (nbody)              */
    cardo_eight *alone;                       /* (nbody x blocks x 6) */
    double *harmonics, *legendre;             /* of one direction     */
    cardo_eight *ratio;                       /* (degree + ...)       */
    int renewed;                              /* exposures are not those of the tables */
};

/* Partials that bodies a and b scatter with each other, added to sum (6): coefficients are turned so that z leads from a's middle to b's, distance
 * apart. */
void cardo_rigid_cross(const cardo_rigid_block *block, const cardo_rigid_rule *rule, int degree_a,
                       const cardo_eight *a, int degree_b, const cardo_eight *b, double distance,
                       cardo_eight *sum);

/* The same, and derivatives by the distance added to by_distance (6). */
void cardo_rigid_cross_slope(const cardo_rigid_block *block, const cardo_rigid_rule *rule,
                             int degree_a, const cardo_eight *a, int degree_b, const cardo_eight *b,
                             double distance, cardo_eight *sum, cardo_eight *by_distance);

/* Derivatives of coefficients by an angle of turning about an axis (0 x, 1 y, 2 z). */
void cardo_rigid_generate(const cardo_quarter_turn *turn, int degree, int axis,
                          const cardo_eight *from, cardo_eight *between, cardo_eight *to);

/* Turns coefficients up to a degree by Rz(alpha) Ry(beta) Rz(gamma), but for half a turn about z that all share; between: room.
 * layer: W anew, without V and E between; NULL: that of from. */
void cardo_rigid_turn(const cardo_quarter_turn *turn, int degree, const double angle[3],
                      const cardo_eight *from, const cardo_eight *layer, cardo_eight *between,
                      cardo_eight *to);

/* Adds an atom at place (from the body's middle) with n amplitudes (n x 8) to coefficients (lm x stride; the first n of each).
 * ratio holds degree + CARDO_RIGID_BEYOND, harmonics and legendre as for cardo_spherical_harmonics. */
void cardo_rigid_add(const cardo_harmonics *table, int degree, const double q[CARDO_RIGID_LANES],
                     const double place[3], int n, const cardo_eight *amplitude, int stride,
                     cardo_eight *out, cardo_eight *ratio, double *harmonics, double *legendre);
enum { CARDO_RIGID_BEYOND = 60 };

/* Six partials of coefficients with themselves. */
void cardo_rigid_alone(int degree, const cardo_eight *b, cardo_eight *sum);

/* The three of them that the layer has a part in, for a layer anew. */
void cardo_rigid_alone_layer(int degree, const cardo_eight *b, const cardo_eight *layer,
                             cardo_eight *sum);

#endif
