/* What a force field holds in memory after reading: atom types, residue templates and the
 * definitions of every section. Internal to this room; users see ffxml/forcefield.h. Strings are
 * borrowed from the XML documents, which the force field keeps. */
#ifndef CARDO_FORCES_FFXML_DEFINITIONS_PARAMETERS_H
#define CARDO_FORCES_FFXML_DEFINITIONS_PARAMETERS_H

#include "base/xml.h"
#include "forces/ffxml/definitions/name_table.h"
#include "forces/terms/terms.h"
#include "structure/atoms/structure.h"
#include "topology/bonds.h"

#include <stdint.h>

typedef struct cardo_forcefield cardo_forcefield;

/* Where something was defined, for messages. */
typedef struct cardo_place {
    const char *path;
    int line;
} cardo_place;

typedef struct cardo_atom_type {
    const char *name;
    int class_index;
    int element; /* atomic number; 0: an extra particle */
    double mass; /* Da */
} cardo_atom_type;

typedef struct cardo_atom_types {
    int count, capacity;
    cardo_atom_type *type;
    cardo_name_table by_name; /* type name -> index  */
    cardo_name_table classes; /* class name -> index */
    int nclass;
} cardo_atom_types;

/* Which types one position of a definition applies to. */
typedef enum cardo_selector_kind {
    CARDO_SELECT_ANY,
    CARDO_SELECT_CLASS,
    CARDO_SELECT_TYPE
} cardo_selector_kind;

typedef struct cardo_selector {
    cardo_selector_kind kind;
    int index; /* of the class or type */
} cardo_selector;

/* Numbers that an <Atom> of a template or of a section may carry. */
typedef enum cardo_attribute {
    CARDO_ATTRIBUTE_CHARGE,
    CARDO_ATTRIBUTE_SIGMA,
    CARDO_ATTRIBUTE_EPSILON,
    CARDO_ATTRIBUTE_RADIUS,
    CARDO_ATTRIBUTE_SCALE,
    CARDO_ATTRIBUTE_SIGMA_14,
    CARDO_ATTRIBUTE_EPSILON_14,
    CARDO_ATTRIBUTE_COUNT
} cardo_attribute;

extern const char *const cardo_attribute_names[CARDO_ATTRIBUTE_COUNT + 1];

typedef struct cardo_attribute_values {
    unsigned present; /* bit 1 << attribute */
    double value[CARDO_ATTRIBUTE_COUNT];
} cardo_attribute_values;

typedef struct cardo_template_atom {
    const char *name;
    int type, element;
    int external; /* bonds that leave the residue */
    cardo_attribute_values attributes;
} cardo_template_atom;

typedef struct cardo_template {
    const char *name;
    char *own_name; /* where name points when it is not in a document: of a patched template */
    cardo_place place;
    int override_level;
    int virtual_site_line; /* of its first <VirtualSite>, 0: none */
    uint64_t signature;    /* of the elements: cardo_elements_signature */
    int natom;
    cardo_template_atom *atom;
    int *neighbour_first; /* (natom + 1)               */
    int *neighbour;       /* rising for each atom      */
} cardo_template;

typedef struct cardo_templates {
    int count, capacity;
    cardo_template *list;
    cardo_name_table by_name;
} cardo_templates;

typedef enum cardo_edit_kind {
    CARDO_EDIT_ADD_ATOM,
    CARDO_EDIT_CHANGE_ATOM,
    CARDO_EDIT_REMOVE_ATOM,
    CARDO_EDIT_ADD_BOND,
    CARDO_EDIT_REMOVE_BOND,
    CARDO_EDIT_ADD_EXTERNAL_BOND,
    CARDO_EDIT_REMOVE_EXTERNAL_BOND
} cardo_edit_kind;

/* One change that a patch makes. */
typedef struct cardo_patch_edit {
    cardo_edit_kind kind;
    int side[2]; /* which of the patch's residues, from 0 */
    const char *name[2];
    cardo_template_atom atom; /* added or changed */
} cardo_patch_edit;

typedef struct cardo_patch {
    const char *name;
    int nresidue;
    int virtual_site_line;
    int nedit, edit_capacity;
    cardo_patch_edit *edit;
} cardo_patch;

typedef struct cardo_allowed_patch {
    int template_index, patch, side;
} cardo_allowed_patch;

typedef struct cardo_bond_definition {
    cardo_selector atom[2];
    double length, k;
} cardo_bond_definition;

typedef struct cardo_angle_definition {
    cardo_selector atom[3];
    double angle, k;
} cardo_angle_definition;

typedef enum cardo_improper_ordering {
    CARDO_ORDERING_DEFAULT,
    CARDO_ORDERING_CHARMM,
    CARDO_ORDERING_AMBER,
    CARDO_ORDERING_SMIRNOFF
} cardo_improper_ordering;

typedef struct cardo_torsion_wave {
    int periodicity;
    double phase, k;
} cardo_torsion_wave;

typedef struct cardo_torsion_definition {
    cardo_selector atom[4]; /* impropers: the centre first */
    bool has_wildcard;
    cardo_improper_ordering ordering;
    /* Its numbers: waves of a PeriodicTorsionForce, a place among the harmonic torsions or the
     * Ryckaert-Bellemans ones. */
    int first, count;
} cardo_torsion_definition;

typedef struct cardo_torsion_definitions {
    int count, capacity;
    cardo_torsion_definition *list;
} cardo_torsion_definitions;

/* k (phi - angle)^2 */
typedef struct cardo_harmonic_torsion {
    double angle, k;
} cardo_harmonic_torsion;

/* Sum of c_n cos^n(phi - pi) */
typedef struct cardo_rb_torsion {
    double coefficient[6];
} cardo_rb_torsion;

typedef struct cardo_cmap_definition {
    cardo_selector atom[5];
    bool has_wildcard;
    int map;
} cardo_cmap_definition;

/* Lennard-Jones numbers of a pair of types that override the combination rule. */
typedef struct cardo_nbfix {
    cardo_selector atom[2];
    double sigma, epsilon;
    const char *name[2]; /* of the types or classes */
} cardo_nbfix;

/* Per-type numbers of NonbondedForce or GBSAOBCForce. */
typedef struct cardo_type_attributes {
    const char *section; /* element name, for messages                      */
    int nvalue;          /* attributes that it needs                        */
    cardo_attribute attribute[3];
    cardo_place place;              /* of the first section read; path NULL: none read  */
    bool *defined;                  /* (types)                                         */
    cardo_attribute_values *values; /* (types)                                         */
} cardo_type_attributes;

struct cardo_forcefield {
    int ndocument, document_capacity;
    cardo_xml **document;

    cardo_atom_types types;
    cardo_templates templates;
    int npatch, patch_capacity;
    cardo_patch *patch;
    int nallowed, allowed_capacity;
    cardo_allowed_patch *allowed; /* rising by template */

    int nbond, bond_capacity;
    cardo_bond_definition *bond;
    int nangle, angle_capacity;
    cardo_angle_definition *angle;
    int nurey_bradley, urey_bradley_capacity;
    cardo_angle_definition *urey_bradley; /* angle: the distance, nm */
    cardo_torsion_definitions proper, improper;
    int nwave, wave_capacity;
    cardo_torsion_wave *wave;
    cardo_torsion_definitions harmonic_proper, harmonic_improper;
    int nharmonic, harmonic_capacity;
    cardo_harmonic_torsion *harmonic;
    cardo_torsion_definitions rb_proper, rb_improper;
    int nrb, rb_capacity;
    cardo_rb_torsion *rb;
    int ncmap, cmap_capacity;
    cardo_cmap_definition *cmap;
    int nmap, map_capacity;
    cardo_cmap *map;

    cardo_type_attributes nonbonded;
    double coulomb_14, lennard_jones_14;

    cardo_type_attributes
        lennard_jones; /* LennardJonesForce: instead of NonbondedForce's numbers */
    double own_lennard_jones_14;
    int nnbfix, nbfix_capacity;
    cardo_nbfix *nbfix;

    cardo_type_attributes gb;
    const cardo_gb_model *gb_model; /* radii from elements and bonds instead of gb; NULL: none */
    struct cardo_neck_table *neck;  /* of models with necks */
};

#endif
