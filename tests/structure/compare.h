/* Comparing structures, and what is counted of a file's records. */
#ifndef CARDO_TESTS_STRUCTURE_COMPARE_H
#define CARDO_TESTS_STRUCTURE_COMPARE_H

#include "structure/records/records.h"

/* NULL when a and b agree in everything but source, serials, lines and the counts of alternates;
 * else what differs, in a static buffer. Positions may differ by tolerance (nm), occupancies and B
 * factors by half of their last PDB digit. */
const char *structures_differ(const cardo_structure *a, const cardo_structure *b, double tolerance);

/* Counts by identity: chain ids, residues (chain, number, insertion code), names (residues with
 * each of their names: more than residues where alternates differ in it), sites (residue and atom
 * name), and residues with a carbon called CA. */
typedef struct record_counts {
    int chains, residues, names, sites, carbon_alphas;
    double sum[3]; /* of the positions, angstrom */
} record_counts;

record_counts count_records(const cardo_records *records);

#endif
