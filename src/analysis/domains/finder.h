/* Rigid domains of a molecule, found from two sets of corresponding points.
 *
 * A domain is a set of residues that one rigid motion carries from the first set to the second. Two
 * methods propose domains: clustering of the rotations of short windows of backbone (Hayward &
 * Berendsen 1998, Proteins 30, 144), and recursive rigid fitting, which knows nothing of rotations
 * of windows. Both split from the top down, and for both the number of domains follows from the data:
 *
 * - a domain is split when that shortens the description of the displacements. Its length, in nats,
 *     L = (3 n / c) ln r + 3 K ln(n / c) + W ln n
 *   for n residues, of which c along the chain move alike, with the mean distance r that K rigid
 *   motions leave and W places where the chain passes from one domain to another. (Laplace's law for
 *   the distances; half a logarithm of the data for each of the six parameters of a motion, as in
 *   Schwarz 1978, Ann. Stat. 6, 461.)
 * - domains that touch are joined again when the motion between them is small beside what happens
 *   inside of them: the root mean square of the displacement that the one's motion instead of the
 *   other's means for the smaller, divided by the root mean square of what both rigid motions leave
 *   (Hayward & Berendsen's ratio of 1 is about 2.5 here);
 * - a piece smaller than the smallest domain goes to the domain before or after it.
 *
 * Chains that are copies of each other, or more than eight, are searched one by one, copies once, and
 * what moves as one body is joined across chains by the same ratio (chains.h). Few other chains are
 * searched together.
 *
 * Where the methods find different numbers of domains, the fewer are taken, unless those that only
 * one method sees move twice as clearly. */
#ifndef CARDO_ANALYSIS_DOMAINS_FINDER_H
#define CARDO_ANALYSIS_DOMAINS_FINDER_H

#include "base/field.h"
#include "base/vec.h"

#include <stdbool.h>

/* What domains are looked for in: n residues in two conformations, in order along their chains. */
typedef struct cardo_displacement {
    int n;
    double *a, *b;                   /* C-alpha, nm                                     (n x 3) */
    double *a_backbone, *b_backbone; /* N, CA, C; CA in place of one that is missing    (n x 9) */
    int *
        chain; /* index of the chain of each residue, rising                                   (n) */
} cardo_displacement;

cardo_status cardo_displacement_allocate(cardo_displacement *displacement, int n,
                                         cardo_error *error);
void cardo_displacement_clear(cardo_displacement *displacement);

typedef struct cardo_domain_options {
    int window;   /* residues whose rotation is looked at together                            */
    int smallest; /* residues of a domain                                                     */
    double ratio; /* motion between two domains to deformation of them, at least              */
    double
        correlation;  /* residues along the chain that move alike: c                              */
    double precision; /* nm; distances below it mean nothing                                      */
    double contact;   /* nm; C-alpha atoms closer than this touch                                 */
    int most;         /* domains                                                                  */
} cardo_domain_options;

extern const cardo_field cardo_domain_option_fields[];
cardo_domain_options cardo_domain_options_default(void);

/* Residues shared out among domains. Zero-initialise; release with cardo_partition_clear. */
typedef struct cardo_partition {
    int n, ndomain;
    int *domain; /* of each residue, 0.. in order of size                                (n) */
    cardo_transform *X; /* rigid motion of each domain: X a is nearest to b, by mean distance
                           (room for ndomain at least) */
    int *size;     /* residues of each domain                                                  */
    double mean;   /* mean distance that is left, nm: r                                        */
    double rms;    /* root mean square of it, nm                                               */
    double length; /* of the description, nats: L                                              */
} cardo_partition;

void cardo_partition_clear(cardo_partition *partition);

/* A method that proposes domains; the table ends with NULL. */
typedef struct cardo_domain_method cardo_domain_method;
extern const cardo_domain_method *const cardo_domain_methods[];
const char *cardo_domain_method_name(const cardo_domain_method *method);

enum { CARDO_DOMAIN_METHODS = 2 };

typedef struct cardo_found_domains {
    cardo_partition best; /* refined by rigid fitting of both, the shorter   */
    cardo_partition
        by_method[CARDO_DOMAIN_METHODS]; /* as each method proposes                     */
    double
        agreement; /* fraction of residues to which both methods give the same domain           */
    double
        rms_before; /* that one rigid motion of all leaves, nm                                   */
    int *like; /* residue of the first chain that each one's chain is a copy of, itself where it is
                  none; NULL where all chains were searched at once                          (n) */
} cardo_found_domains;

/* Finds the domains by all methods. Fewer than 2 residues more than a window needs, or points on one
 * line, are CARDO_ERROR_INPUT. Zero-initialise *found; cardo_found_domains_clear also after a
 * failure. About n^2 + 100 n K^2 operations for K domains of what is searched together. */
cardo_status cardo_domains_find(const cardo_displacement *displacement,
                                const cardo_domain_options *options, cardo_found_domains *found,
                                cardo_error *error);
void cardo_found_domains_clear(cardo_found_domains *found);

/* The largest fraction of residues on which two divisions agree, over one-to-one assignments of
 * domains, found greedily. first, second: n indices from 0, or negative: not compared.
 * CARDO_ERROR_MEMORY. */
cardo_status cardo_domains_agreement(int n, const int *first, const int *second, double *agreement,
                                     cardo_error *error);

/* The motion between domains p and q beside the deformation inside of them, as above. */
double cardo_partition_ratio(const cardo_displacement *displacement,
                             const cardo_partition *partition, int p, int q);

#endif
