/* Domains and hinges: which residues a domain annotation means, and the strands between the
 * domains.
 *
 * A domain is a set of residue ranges. A strand is a run of consecutive hinge residues of one chain
 * with the residues that flank it. */
#ifndef CARDO_MODEL_DOMAINS_H
#define CARDO_MODEL_DOMAINS_H

#include "structure/atoms/structure.h"

/* Where something is written. The file's name is borrowed; line 0: nowhere (the command line). */
typedef struct cardo_place {
    const char *file;
    int line;
} cardo_place;

/* "file:line" or "file" or "the command line"; returns text. */
enum { CARDO_PLACE_SIZE = 512 };
char *cardo_place_text(cardo_place place, char text[CARDO_PLACE_SIZE]);

/* A domain as it is written; texts are borrowed. */
typedef struct cardo_domain_definition {
    cardo_place place;
    const char *name;
    const char *residues; /* a selection                                               */
    const char *chain;    /* put before items that name no chain; NULL: none           */
} cardo_domain_definition;

/* Hinge residues as they are written; texts are borrowed. */
typedef struct cardo_hinge_definition {
    cardo_place place;
    const char *residues;
    const char *chain;
    const char *with; /* the body that they ride with; NULL: "nearest-cut"              */
    const char *of;   /* the body whose path turns about them; NULL: by their flanks    */
} cardo_hinge_definition;

/* Marks the residues of a selection, with chain (may be NULL) put before items that name none.
 * mask: nresidue, overwritten. With strict false, what is not there is skipped. */
cardo_status cardo_domain_select(const cardo_structure *structure, const char *residues,
                                 const char *chain, bool strict, bool *mask, cardo_error *error);

/* For each residue the index of its domain or -1: owner[nresidue]. Empty and overlapping domains
 * and names given twice are CARDO_ERROR_INPUT with file, line and residues. */
cardo_status cardo_domains_assign(const cardo_structure *structure, int ndomain,
                                  const cardo_domain_definition *domain, int *owner,
                                  cardo_error *error);

/* For each residue the index of its hinge definition or -1: owner[nresidue]. Hinge residues that do
 * not exist, that are in two hinges or in a domain (domain_owner) are CARDO_ERROR_INPUT likewise.
 */
cardo_status cardo_hinges_assign(const cardo_structure *structure, int nhinge,
                                 const cardo_hinge_definition *hinge,
                                 const cardo_domain_definition *domain, const int *domain_owner,
                                 int *owner, cardo_error *error);

/* Residues first..last, all in one hinge definition, and their neighbours in the chain, or -1. */
typedef struct cardo_strand {
    int hinge;
    int first, last;
    int left, right;
} cardo_strand;

/* The strand that starts at or after residue `from`; false when there is none. */
bool cardo_strand_next(const cardo_structure *structure, const int *hinge_owner, int from,
                       cardo_strand *strand);

/* Do residues r and r + 1 follow each other in one chain? */
bool cardo_residues_adjacent(const cardo_structure *structure, int r);

#endif
