/* Which residues of a structure must give way where its domains move: strands between them, and what turns beside these. */
#ifndef CARDO_STUDY_DOMAINS_GIVING_H
#define CARDO_STUDY_DOMAINS_GIVING_H

#include "analysis/domains/motions.h"
#include "model/model.h"

/* Marks the residues whose phi and psi are to turn (giving: of the reference's residues, false before): those of strands
 * that link domains with two more on either side, and of the ten on either side those whose phi or psi differs by more than 20
 * degrees between the two structures. Allocates nothing. */
void cardo_giving_choose(const cardo_model *two, const cardo_domain_motions *motions, bool *giving);

/* Lets go of what cannot turn: three residues or fewer in a row, of no strand and not at a chain's end, hang in their domain on both ends, and six
 * torsions close that loop. */
void cardo_giving_tidy(const cardo_structure *reference, const cardo_domain_motions *motions,
                       bool *giving);

#endif
