/* What is around a residue that is being built, and what it costs to come near it. Internal to
 * prepare. */
#ifndef CARDO_STRUCTURE_PREPARE_NEARBY_H
#define CARDO_STRUCTURE_PREPARE_NEARBY_H

#include "structure/prepare/draft.h"
#include "structure/prepare/residue_cells.h"

typedef struct cardo_nearby_atom {
    cardo_vec3 position;
    unsigned char element;
    double charge; /* e, rough: for hydrogen bonds */
    int residue, atom;
} cardo_nearby_atom;

typedef struct cardo_nearby {
    int count, capacity;
    cardo_nearby_atom *atom;
    cardo_residue_cells cells;
} cardo_nearby;

/* Collects all atoms within reach (nm) of a point. Reuses near's memory, and what it knows of where residues are: one step's
 * cardo_nearby is not for another one, which may have moved them. Release it with cardo_nearby_clear. */
cardo_status cardo_nearby_collect(cardo_nearby *near, const cardo_draft *draft, cardo_vec3 centre,
                                  double reach, cardo_error *error);
void cardo_nearby_clear(cardo_nearby *near);

/* Rough charge of an atom of a draft, e: polar hydrogens, oxygens, nitrogens and carbonyl carbons.
 */
double cardo_rough_charge(const cardo_draft_residue *residue, int atom);

/* Distance (nm) below which two atoms that are not bonded clash. Heavy atoms count with the
 * hydrogens that they carry; atoms that may share a hydrogen bond come nearer. */
double cardo_clash_distance(int element, int other);

/* Cost (kJ/mol, about) of two atoms at this distance: 0 beyond the clash distance, rising with the
 * square of the overlap. */
double cardo_clash_cost(int element, int other, double distance);

#endif
