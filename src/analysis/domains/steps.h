/* Steps of domain finding on a partition; see finder.h. */
#ifndef CARDO_ANALYSIS_DOMAINS_STEPS_H
#define CARDO_ANALYSIS_DOMAINS_STEPS_H

#include "analysis/domains/finder.h"

/* What the search works on: the displacement, and what is made of it once. */
typedef struct domain_search {
    const cardo_displacement *d;
    cardo_domain_options options;
    cardo_mat33
        *rotation;    /* of the window about each residue                                  (n) */
    int *touch_first; /* start of the residues that each one touches in a              (n + 1) */
    int *touch;
    double *cost;   /* of residues in domains or candidates                       rows of n */
    double *weight; /* of each residue in a fit                                            (n) */
    double *points; /* gathered for a fit                                              (n x 6) */
    int *trace;     /* of the assignment along the chain                             (most x n) */
    int *list;      /* residues of a domain                                                (n) */
    int *piece;     /* residues of a connected piece of it                                 (n) */
    bool *seen;     /* by the search for pieces                                            (n) */
    bool *met;      /* domains, by the same                                             (most) */
    double mean_distance, mean_turn; /* nm, radian: the weights of both in the vote             */
} domain_search;

enum { DOMAIN_CANDIDATES = 100 };

struct cardo_domain_method {
    const char *name;
    /* Motions that parts of residues list[count] may have, spread over them; returns how many. */
    int (*candidates)(domain_search *search, int count, const int *list,
                      cardo_transform X[DOMAIN_CANDIDATES]);
    /* The motion with the least mean cost for residues list[count]; false when there is none. */
    bool (*fit)(domain_search *search, int count, const int *list, cardo_transform *X);
    /* What it costs to give a residue to a body with this motion: nm or radian. */
    double (*cost)(const domain_search *search, int residue, const cardo_transform *X);
    /* Do pieces that do not touch each other make domains of their own? They do where motions are
     * rotations alone, which far parts may share. */
    bool separates;
};

extern const cardo_domain_method cardo_rigid_fitting, cardo_rotation_windows;

/* Both together: distance and turn, each in units of its mean over all residues. */
extern const cardo_domain_method cardo_domain_vote;

/* What is linear in residues alone, as fits and turns need it: rotation, weight, points and list. */
cardo_status cardo_domain_search_begin(domain_search *search,
                                       const cardo_displacement *displacement,
                                       const cardo_domain_options *options, cardo_error *error);
/* All of it; rows of residues for options->most domains. */
cardo_status cardo_domain_search_create(domain_search *search,
                                        const cardo_displacement *displacement,
                                        const cardo_domain_options *options, cardo_error *error);
void cardo_domain_search_clear(domain_search *search);

/* |X a - b| of a residue. */
double cardo_domain_distance(const domain_search *search, int residue, const cardo_transform *X);

/* The angle between the rotation of a residue's window and X's, radian. */
double cardo_domain_turn(const domain_search *search, int residue, const cardo_transform *X);

/* The proper rotation nearest to a matrix; false where that is not one. */
bool cardo_nearest_rotation(const cardo_mat33 *A, cardo_mat33 *R);

/* The rigid motion of residues list[count] (NULL: 0, 1, ...) that leaves the least mean distance:
 * least squares, reweighted. False when they lie on a line. */
bool cardo_domain_fit(domain_search *search, int count, const int *list, cardo_transform *X);

/* Least squares alone. */
bool cardo_domain_fit_squares(domain_search *search, int count, const int *list,
                              cardo_transform *X);

/* How many domains a search of n residues has room for: options->most, but no more than 32 or than domains of the smallest size
 * would fill them. */
int cardo_domain_room(const cardo_domain_options *options, int n);

/* Finds domains by one search of all residues, as cardo_domains_find; options->most is what there is room for. */
cardo_status cardo_domains_find_whole(const cardo_displacement *displacement,
                                      const cardo_domain_options *options,
                                      cardo_found_domains *found, cardo_error *error);

cardo_status cardo_partition_create(cardo_partition *partition, int n, int most,
                                    cardo_error *error);
void cardo_partition_copy(cardo_partition *into, const cardo_partition *from);

/* Splits domain p: of the method's candidates, the two that leave the least sum of costs become the
 * motions of p and of a new last domain. False when there are no two. */
bool cardo_partition_split(domain_search *search, const cardo_domain_method *method,
                           cardo_partition *partition, int p);

/* Gives every residue to a domain: the least sum of costs and of a penalty for every change of
 * domain along a chain. */
void cardo_partition_assign(domain_search *search, const cardo_domain_method *method,
                            cardo_partition *partition);

/* Assigns and fits in turn until nothing changes. False when a domain is left without a fit. */
bool cardo_partition_refine(domain_search *search, const cardo_domain_method *method,
                            cardo_partition *partition);

/* Gives pieces below the smallest size away, and removes domains that are too small or empty. */
bool cardo_partition_tidy(domain_search *search, const cardo_domain_method *method,
                          cardo_partition *partition);

/* Makes every piece of a domain that does not touch the rest a domain, as long as there is room. */
void cardo_partition_separate(domain_search *search, cardo_partition *partition);

/* Fits each domain rigidly; mean, rms and length. False when a domain cannot be fitted. */
bool cardo_partition_measure(domain_search *search, cardo_partition *partition);

/* Makes q part of p; the last domain takes q's place. */
void cardo_partition_join(cardo_partition *partition, int p, int q);

/* Do two domains touch, or follow each other in a chain? */
bool cardo_partition_neighbours(const domain_search *search, const cardo_partition *partition,
                                int p, int q);

/* Numbers the domains by falling size. */
void cardo_partition_sort(cardo_partition *partition);

#endif
