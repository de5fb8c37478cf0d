/* Ligands that the model of domains keeps: of the first structure, or of the second and then placed in the first. */
#ifndef CARDO_STUDY_DOMAINS_KEPT_H
#define CARDO_STUDY_DOMAINS_KEPT_H

#include "analysis/domains/files.h"
#include "study/domains/reference.h"

/* What is kept of the pair. Zero-initialise. */
typedef struct cardo_kept {
    int n;
    cardo_domain_ligand *ligand; /* of the model that is written; texts are its own (n)       */
    char *forcefield;            /* names of files, where the usual ones need more; or NULL    */
    cardo_structure *
        whole; /* the first structure with all that is kept, last, as its file has it; owned; NULL: nothing is */
} cardo_kept;

void cardo_kept_clear(cardo_kept *kept);

/* Does the list of names ("ligands", "ions", or residue names, commas between) have a molecule of this name and so many atoms? */
bool cardo_kept_wants(const char *list, const char *name, int natom);

/* Finds the molecules that the options keep, completes free amino acids, writes the first structure with them and takes the file in place of
 * the given one; tells where they are ("ligands" of the result), how they came there, and which clash. Nothing without names. */
cardo_status cardo_kept_find(cardo_domain_reference *reference, const cardo_domain_motions *motions,
                             cardo_kept *kept, cardo_result *into, cardo_error *error);

#endif
