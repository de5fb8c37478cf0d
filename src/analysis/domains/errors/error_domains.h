/* Rigid domains of one predicted structure, by what its predictor says of how parts stand to each other.
 *
 * Residues are nodes of a graph, tied by 1/e^power where the predicted error e (mean of both ways) is below a cutoff; communities of the graph
 * (analysis/domains/errors/communities.h) are what may be rigid, as in Croll's pae_to_domains and ChimeraX. Then:
 * - a community of fewer residues than the smallest domain, or in which the median error is above the cutoff, is no domain;
 * - two between which the median error is below the cutoff stand firm to each other, and are one;
 * - each residue goes to the domain to which its mean error is least, or to none where that is large;
 * - pieces of fewer than five residues along the chain go to what is around them; loops of a domain stay with it;
 * - ends of pieces with a low pLDDT are let go; where two domains meet without anything between, some residues on both sides are.
 * What is left between domains are linkers, and at the ends of chains tails. */
#ifndef CARDO_ANALYSIS_DOMAINS_ERRORS_ERROR_DOMAINS_H
#define CARDO_ANALYSIS_DOMAINS_ERRORS_ERROR_DOMAINS_H

#include "analysis/domains/motions.h"

typedef struct cardo_error_options {
    double cutoff;     /* nm */
    double power;      /* of 1/e */
    double resolution; /* of the modularity: more make more domains */
    double confident;  /* pLDDT below which ends of domains are let go */
    int width;         /* residues on each side that turn where two domains meet */
} cardo_error_options;

extern const cardo_field cardo_error_option_fields[];

/* What another choice of cutoff and resolution gives. */
typedef struct cardo_error_choice {
    double cutoff, resolution;
    int ndomain;
    double agreement; /* share of residues in the same domain as with the choice that was taken */
} cardo_error_choice;

enum { CARDO_ERROR_CHOICES = 6, CARDO_ERROR_MOST_DOMAINS = 64 };

typedef struct cardo_error_domains {
    int n, ndomain; /* ndomain 0: nothing is rigid                                         */
    int *
        domain; /* of each residue, 0.. in order of size; linkers and tails have that of the nearest along
                           the chain, -1: there is none in it                               (n) */
    bool *loose; /* linkers and tails                                                (n) */
    double modularity;
    double *between; /* median error of residues of two domains, and inside of one, nm
                                                                         (ndomain x ndomain) */
    cardo_error_choice choice[CARDO_ERROR_CHOICES];
    bool stable; /* every other choice gives as many domains, and 95 % of residues the same one */
} cardo_error_domains;

/* error: n x n, nm; chain (n): index of each residue's chain, rising; confidence: pLDDT (n), or NULL. smallest: residues of a domain.
 * Zero-initialise *found; cardo_error_domains_clear also after a failure. Some 100 n^2 operations. */
cardo_status cardo_error_domains_find(int n, const double *error, const int *chain,
                                      const double *confidence, int smallest,
                                      const cardo_error_options *options,
                                      cardo_error_domains *found, cardo_error *failure);
void cardo_error_domains_clear(cardo_error_domains *found);

/* The same as motions without any: a tree of domains on the strands between them (hinges without a fit, in which nstrand is
 * 0 where a domain hangs on nothing). reference: the structure of these n residues; two domains at least. The caller owns *out. */
cardo_status cardo_error_domains_tree(const cardo_error_domains *found,
                                      const cardo_structure *reference, cardo_domain_motions **out,
                                      cardo_error *error);

#endif
