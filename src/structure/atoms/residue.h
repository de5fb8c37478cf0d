/* Classes of residues by name. */
#ifndef CARDO_STRUCTURE_ATOMS_RESIDUE_H
#define CARDO_STRUCTURE_ATOMS_RESIDUE_H

#include "structure/atoms/structure.h"

typedef enum cardo_residue_kind {
    CARDO_RESIDUE_OTHER,
    CARDO_RESIDUE_AMINO,
    CARDO_RESIDUE_MODIFIED, /* a modified amino acid such as MSE or PCA */
    CARDO_RESIDUE_NUCLEIC,
    CARDO_RESIDUE_WATER
} cardo_residue_kind;

cardo_residue_kind cardo_residue_kind_of(const char *name);

/* Can this residue be a link of a protein or nucleic-acid chain? By its name, or by atoms N, CA and
 * C. */
bool cardo_residue_is_polymer(const cardo_structure *structure, int residue);

/* The protonation state that a residue's hydrogens tell, where it is not the usual one at pH 7: HIP, ASH, GLH, LYN or CYM; else,
 * and where hydrogens tell none, NULL. */
const char *cardo_residue_unusual_state(const cardo_structure *structure, int residue);

/* All of them, "A:ASP30 ASH, A:HIS113 HIP"; *text is the caller's (cardo_free), NULL where there are none. */
cardo_status cardo_unusual_states_text(const cardo_structure *structure, char **text,
                                       cardo_error *error);

/* Does a TER record, or what stands for it, follow this chain in a file? It ends polymers, and
 * tells neighbouring chains apart that share an id. */
bool cardo_chain_has_end(const cardo_structure *structure, int chain);

#endif
