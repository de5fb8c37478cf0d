/* Hinges that are copies of each other, as those of the chains of a ring. */
#ifndef CARDO_ANALYSIS_DOMAINS_COPIES_H
#define CARDO_ANALYSIS_DOMAINS_COPIES_H

#include "analysis/domains/motions.h"

/* lead[k] (nhinge): of the hinges that hinge k is a copy of, it among them, the one whose child has the lowest number; k itself where
 * there are none. Copies turn domains of the same residues, by number and name, on the same parent or on copies of it, by angles
 * that differ by no more than 5 % and a degree, and along their axes by no more than half an angstrom. */
void cardo_hinge_copies(const cardo_structure *reference, const cardo_domain_motions *motions,
                        int *lead);
/* Does domain p hang on a hinge that hinge k leads? */
bool cardo_hinge_leads(const cardo_domain_motions *motions, const int *lead, int k, int p);
/* The children of the hinges that hinge k leads, in order of their numbers: their names with `between` before all but the first, and
 * with `suffix` after each. Returns how many; text is cut where it is full. */
int cardo_hinge_copies_text(const cardo_domain_motions *motions, const int *lead, int k,
                            const char *between, const char *suffix, char *text, size_t size);

#endif
