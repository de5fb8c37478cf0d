/* Native contacts: which residues of different bodies touch in a structure. */
#ifndef CARDO_FORCES_COARSE_NATIVE_H
#define CARDO_FORCES_COARSE_NATIVE_H

#include "forces/coarse/sites.h"

/* What counts as a contact. */
typedef struct cardo_native_rules {
    bool calpha;    /* by C-alpha atoms alone, else by any two heavy atoms                     */
    double cutoff;  /* nm                                                                      */
    int separation; /* along one chain at least, in residues                                   */
} cardo_native_rules;

/* Do most residues of the structure have side chains? */
bool cardo_native_has_side_chains(const cardo_structure *structure);

/* Marks the contacts of structure k among the pairs of sites of different bodies: contact has a
 * place for every pair of the energy's rows (energy->row). Pairs with a site that the structure does
 * not know are none. */
cardo_status cardo_native_contacts(const cardo_model *model, const cardo_coarse_energy *energy,
                                   int structure, const cardo_native_rules *rules, bool *contact,
                                   cardo_error *error);

#endif
