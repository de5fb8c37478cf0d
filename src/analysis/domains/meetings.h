/* Where domains touch, and the tree in which they hang on each other. */
#ifndef CARDO_ANALYSIS_DOMAINS_MEETINGS_H
#define CARDO_ANALYSIS_DOMAINS_MEETINGS_H

#include "analysis/domains/finder.h"
#include "analysis/domains/strands.h"

/* Of each pair of domains, both ways. Zero-initialise; release with cardo_domain_meetings_clear. */
typedef struct cardo_domain_meetings {
    int *contacts[2]; /* pairs of residues that touch, in each structure  (ndomain x ndomain) */
    double *nearest;  /* least distance in the first, squared, nm^2       (ndomain x ndomain) */
} cardo_domain_meetings;

/* Counts them: pairs of C-alpha within 1 nm, of residues that do not bend and are ten or more apart along a chain, since nearer ones touch
 * because the chain holds them. domain, bends: of each residue of the displacement. */
cardo_status cardo_domains_meet(const cardo_displacement *displacement, const int *domain,
                                int ndomain, const bool *bends, cardo_domain_meetings *meetings,
                                cardo_error *error);
void cardo_domain_meetings_clear(cardo_domain_meetings *meetings);

/* A maximal spanning tree of domains from the first: strands, then contacts, then nearness (Prim 1957, Bell Syst. Tech. J. 36, 1389).
 * parent (ndomain): -1 of the first; child (ndomain - 1): the others, parents before children. */
cardo_status cardo_domain_tree_grow(int ndomain, const cardo_hinge_strand *strand, int nstrand,
                                    const cardo_domain_meetings *meetings, int *parent, int *child,
                                    cardo_error *error);

#endif
