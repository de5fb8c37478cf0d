/* Strands: runs of bending residues where a chain passes from one domain to another. */
#ifndef CARDO_ANALYSIS_DOMAINS_STRANDS_H
#define CARDO_ANALYSIS_DOMAINS_STRANDS_H

#include "structure/atoms/structure.h"

/* A run of bending residues where the chain passes from one domain to another. */
typedef struct cardo_hinge_strand {
    int first, last;      /* residues                                                       */
    int before, after;    /* domains that it joins                                          */
    double axis_distance; /* of its nearest C-alpha from the axis; negative when the two domains are
                             not joined by a hinge of the tree                              */
} cardo_hinge_strand;

/* Are two residues of chains of one name? False where s is no residue of the structure. */
bool cardo_strands_same_chain(const cardo_structure *structure, int r, int s);
/* Lists the runs of bending residues that have a domain (nresidue each; domain below 0: none); those at a chain's ends join a domain to
 * itself. The caller owns *out (cardo_free). */
cardo_status cardo_strands_list(const cardo_structure *structure, const bool *bending,
                                const int *domain, cardo_hinge_strand **out, int *count,
                                cardo_error *error);
/* How many of count join domains p and q. */
int cardo_strands_between(const cardo_hinge_strand *strand, int count, int p, int q);

#endif
