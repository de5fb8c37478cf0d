/* A coarse-grained energy: one site a residue, and the pairs of sites that act on each other.
 *
 * U = repulsive cores + wells and humps + lists of pairs and angles + mixture of basins, those that
 * a kind has. Cores, wells and humps are between all pairs of sites of different bodies, and as
 * tables. A basin is a list of pairs at rest in one structure; several basins mix exponentially (Best, Chen & Hummer 2005, Structure 13, 1755, eq. 2):
 *
 *   exp(-U_mixed / kT) = sum over basins k of exp(-(V_k + offset_k) / kT),
 *
 * so that the lowest basin rules and kT, the mixing energy, rounds the ridge between two of them. It
 * is a parameter of the energy and has nothing to do with the temperature of a simulation. One
 * basin alone is its own mixture. Pairs of sites of one body are never in it: they are constants. */
#ifndef CARDO_FORCES_COARSE_ENERGY_H
#define CARDO_FORCES_COARSE_ENERGY_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* How the energy of a pair depends on its distance r. */
typedef enum cardo_pair_shape {
    CARDO_PAIR_SPRING,  /* energy/2 (r - length)^2, energy in kJ/mol/nm^2                        */
    CARDO_PAIR_CONTACT, /* energy [5 (length/r)^12 - 6 (length/r)^10]: a well of that depth there */
    CARDO_PAIR_CORE,    /* energy (length/r)^12                                                  */
    CARDO_PAIR_CHARGES  /* energy exp(-r/length) / r, energy in kJ/mol nm: Debye and Hueckel      */
} cardo_pair_shape;

typedef struct cardo_coarse_pair {
    int site[2];
    cardo_pair_shape shape;
    double energy; /* kJ/mol */
    double length; /* nm     */
} cardo_coarse_pair;

/* Pairs whose energies are added up. */
typedef struct cardo_coarse_list {
    int npair, capacity;
    cardo_coarse_pair *pair;
} cardo_coarse_list;

typedef struct cardo_coarse_basin {
    char *name;    /* of its structure   */
    double offset; /* kJ/mol             */
    cardo_coarse_list pairs;
} cardo_coarse_basin;

/* A flexible chain's angle between three sites: two parabolas mixed (forces/coarse/kim_hummer.c). */
typedef struct cardo_coarse_angle {
    int site[3];
} cardo_coarse_angle;

/* exp(-steepness U) = exp(-steepness (k_helix (t - helix)^2 + above)) + exp(-steepness k_strand (t -
 * strand)^2), t the angle. */
typedef struct cardo_coarse_angle_rule {
    double steepness;         /* mol/kJ          */
    double k_helix, k_strand; /* kJ/mol/radian^2 */
    double helix, strand;     /* radian          */
    double above;             /* kJ/mol          */
} cardo_coarse_angle_rule;

/* The sites, body by body. */
typedef struct cardo_coarse_sites {
    int nsite;
    int *atom;         /* of the model's reference, which carries it                    (nsite) */
    int *residue;      /*                                                               (nsite) */
    int *body;         /* of the model, rising                                          (nsite) */
    int *next;         /* the first site of a later body: the partners of site i are
                          next[i] .. nsite - 1                                          (nsite) */
    double *reference; /* nm, where the reference has them                          (nsite x 3) */
} cardo_coarse_sites;

enum {
    CARDO_COARSE_MOST_BASINS = 8,
    CARDO_COARSE_MOST_LISTS = 3,
    CARDO_COARSE_MOST_TERMS = CARDO_COARSE_MOST_LISTS + 3
};

/* Two wells and the ridge between them along the paths of a model (forces/coarse/profile.h), places as
 * fractions of the paths, by parabolas through the three points nearest to each. */
typedef struct cardo_coarse_wells {
    bool two; /* false: there is only one, and nothing else is filled in */
    double well[2], energy[2];
    double ridge, ridge_energy;
} cardo_coarse_wells;

struct cardo_coarse_kind;

typedef struct cardo_coarse_energy {
    const struct cardo_coarse_kind *kind;
    cardo_coarse_sites sites;
    size_t *row;  /* where a site's partners begin in tables of pairs; one more at the end
                     (nsite + 1); rows are padded with zeros to whole blocks of four             */
    double *core; /* energy length^12 of repulsive cores, kJ/mol nm^12; 0: none; or NULL       */
    /* Lennard-Jones wells (hump 0) and humps (1), kJ/mol and nm^2, or NULL: with L = depth4 [(s/r)^12 -
     * (s/r)^6], a well is L; a hump is L + depth4/2 within 2^(1/6) s, and -L beyond. */
    double *depth4, *sigma2, *hump;
    int nlist;
    cardo_coarse_list list[CARDO_COARSE_MOST_LISTS];
    int nangle, angle_capacity;
    cardo_coarse_angle *angle; /* their energies belong to the last list */
    cardo_coarse_angle_rule angle_rule;
    int nbasin;
    cardo_coarse_basin basin[CARDO_COARSE_MOST_BASINS];
    cardo_coarse_wells wells;
    double mixing; /* kT of the mixture, kJ/mol; unused with one basin                           */
    int nterm;
    const char *term_name[CARDO_COARSE_MOST_TERMS]; /* in the order above, those that are there */
    char summary[768]; /* lines about it for people, each with its line end                   */
} cardo_coarse_energy;

struct cardo_coarse_rows;

/* Places and forces of one evaluation; all of it owned by whoever made it. */
typedef struct cardo_coarse_work {
    const struct cardo_coarse_rows
        *rows;         /* the inner loops that are used (forces/coarse/rows.h)      */
    int stride;        /* doubles from one coordinate to the next                              */
    double *position;  /* in: x of all sites, then y, then z                      (3 x stride) */
    double *force;     /* out, likewise, kJ/mol/nm                                (3 x stride) */
    double *own_force; /* of each basin                                  (nbasin x 3 x stride) */
    double basin[CARDO_COARSE_MOST_BASINS];  /* out: V_k + offset_k, kJ/mol                     */
    double weight[CARDO_COARSE_MOST_BASINS]; /* out: of each basin in the mixture, sum 1        */
    double term[CARDO_COARSE_MOST_TERMS];    /* out: by term                                    */
    double energy;                           /* out: their sum                                  */
} cardo_coarse_work;

cardo_status cardo_coarse_work_create(const cardo_coarse_energy *energy, cardo_coarse_work *work,
                                      cardo_error *error);
void cardo_coarse_work_clear(cardo_coarse_work *work);

/* Energy and forces where work->position says. Sites that coincide are CARDO_RECOVERABLE. Bitwise
 * the same for the same input. */
cardo_status cardo_coarse_evaluate(const cardo_coarse_energy *energy, cardo_coarse_work *work,
                                   cardo_error *error);

/* Appends a pair. */
cardo_status cardo_coarse_add_pair(cardo_coarse_list *list, cardo_coarse_pair pair,
                                   cardo_error *error);

/* Appends a line to the summary, without line end; what does not fit is cut. */
void cardo_coarse_say(cardo_coarse_energy *energy, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void cardo_coarse_energy_destroy(cardo_coarse_energy *energy);

#endif
