/* Ideal geometry, bonds and hydrogens of standard residues (topologies/components.xml), and the
 * parents of modified ones: what missing atoms are rebuilt from. */
#ifndef CARDO_STRUCTURE_PREPARE_COMPONENTS_H
#define CARDO_STRUCTURE_PREPARE_COMPONENTS_H

#include "structure/atoms/structure.h"

typedef enum cardo_component_kind {
    CARDO_COMPONENT_PROTEIN,
    CARDO_COMPONENT_CAP,
    CARDO_COMPONENT_NUCLEIC,
    CARDO_COMPONENT_WATER
} cardo_component_kind;

/* A heavy atom. */
typedef struct cardo_component_atom {
    cardo_name name;
    unsigned char element;
    double position[3]; /* nm, ideal */
    int nneighbour;     /* heavy atoms of the residue that it is bonded to */
    int neighbour[4];
    int nlink;     /* bonds to neighbouring residues in the middle of a chain          */
    int nhydrogen; /* at most, leaving out those of chain ends                         */
} cardo_component_atom;

typedef enum cardo_chain_end { CARDO_ANYWHERE, CARDO_FIRST, CARDO_LAST } cardo_chain_end;

typedef struct cardo_component_hydrogen {
    cardo_name name;
    int parent;          /* index of a heavy atom                                   */
    cardo_chain_end end; /* only in the first or last residue of a chain            */
    int nvariant;        /* protonation states that have it; 0: all                 */
    cardo_name variant[4];
    double below_ph; /* its states are the ones below this pH; 0: not by pH alone   */
} cardo_component_hydrogen;

typedef struct cardo_component {
    cardo_name name;
    cardo_component_kind kind;
    int natom, atom_capacity;
    cardo_component_atom *atom;
    int nhydrogen, hydrogen_capacity;
    cardo_component_hydrogen *hydrogen;
} cardo_component;

/* A modified residue: what it becomes, atoms that stand for one of another name, and atoms that are
 * where the parent's are not, so that they are built anew. */
typedef struct cardo_modified {
    cardo_name name, parent;
    int nrename;
    cardo_name rename[4][2];
    int nrebuild;
    cardo_name rebuild[4];
} cardo_modified;

typedef struct cardo_components {
    int count, capacity;
    cardo_component *list;
    int nmodified, modified_capacity;
    cardo_modified *modified;
} cardo_components;

/* Reads the file. Zero-initialise *components; release with cardo_components_clear also after a
 * failure. Errors name file and line. */
cardo_status cardo_components_read(cardo_components *components, const char *path,
                                   cardo_error *error);
void cardo_components_clear(cardo_components *components);

/* By name, or NULL. */
const cardo_component *cardo_component_find(const cardo_components *components, const char *name);
const cardo_modified *cardo_modified_find(const cardo_components *components, const char *name);

/* Index of a heavy atom or of a hydrogen in a component, or -1. */
int cardo_component_atom_find(const cardo_component *component, const char *name);
int cardo_component_hydrogen_find(const cardo_component *component, const char *name);

/* Are the atom's neighbours in one plane with it, by their number? */
bool cardo_component_is_planar(const cardo_component *component, int atom);

/* Is the bond of two heavy atoms part of a ring? */
bool cardo_component_in_ring(const cardo_component *component, int atom, int other);

#endif
