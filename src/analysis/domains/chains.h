/* Domains of structures of many chains: each chain is searched by itself, and what moves as one body is then joined
 * across chains. The search of all chains at once splits a domain off where that shortens the description of all
 * displacements, which one lobe of very many does not. */
#ifndef CARDO_ANALYSIS_DOMAINS_CHAINS_H
#define CARDO_ANALYSIS_DOMAINS_CHAINS_H

#include "analysis/domains/finder.h"

/* The chains of a displacement. Zero-initialise; release with cardo_domain_chains_clear. */
typedef struct cardo_domain_chains {
    int n;
    int *first;  /* residue of each; the last entry is the number of residues            (n + 1) */
    int *like;   /* the first chain that this one is a copy of, in both structures; itself   (n) */
    bool *small; /* too small for a domain of its own                                        (n) */
    bool
        by_themselves; /* is each to be searched by itself? Where two are copies, or where they are many */
} cardo_domain_chains;

/* Lists them. Copies are chains that one rigid motion brings onto each other within 0.01 A in each of both structures. */
cardo_status cardo_domain_chains_list(const cardo_displacement *displacement,
                                      const cardo_domain_options *options,
                                      cardo_domain_chains *chains, cardo_error *error);
void cardo_domain_chains_clear(cardo_domain_chains *chains);

/* Joins parts of chains (part[n], 0.. rising with the
 * chain) that move as one rigid body: body[npart], numbered by falling size and then by their first residue, and how many. Two bodies are
 * one where the ratio of finder.h is below options->ratio, whether they touch or not; parts of one chain stay apart. Small chains
 * go with the body whose motion leaves the least of theirs. More bodies than options->most: those that differ least are joined. */
cardo_status cardo_domain_parts_join(const cardo_displacement *displacement,
                                     const cardo_domain_options *options,
                                     const cardo_domain_chains *chains, const int *part, int npart,
                                     int *body, int *nbody, cardo_error *error);

#endif
