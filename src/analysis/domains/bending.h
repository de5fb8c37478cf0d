/* Bending residues: where the rotation of the backbone passes from one domain's to the next's. */
#ifndef CARDO_ANALYSIS_DOMAINS_BENDING_H
#define CARDO_ANALYSIS_DOMAINS_BENDING_H

#include "analysis/domains/finder.h"

/* Marks them: bending[n]. Beginning at each place where the chain passes from one domain to another,
 * residues bend as long as their window turns otherwise than their own domain by more than two
 * standard deviations above the mean of that domain (Hayward & Berendsen 1998), but no more than
 * twice the window on either side. The two residues at the place itself always do. */
cardo_status cardo_domains_bending(const cardo_displacement *displacement,
                                   const cardo_domain_options *options,
                                   const cardo_partition *partition, bool *bending,
                                   cardo_error *error);

#endif
