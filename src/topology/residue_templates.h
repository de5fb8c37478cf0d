/* topologies/residues.xml in memory: bonds of standard residues by atom name, and the other names
 * that atoms and residues go by. Internal to bonds.c. */
#ifndef CARDO_TOPOLOGY_RESIDUE_TEMPLATES_H
#define CARDO_TOPOLOGY_RESIDUE_TEMPLATES_H

#include "structure/atoms/structure.h"

typedef struct cardo_alias {
    cardo_name other, standard;
} cardo_alias;

typedef struct cardo_alias_list {
    int count, capacity;
    cardo_alias *alias;
} cardo_alias_list;

/* One bond: atom names, and for each whether it is in the previous residue of the chain ("-C"). */
typedef struct cardo_named_bond {
    cardo_name atom[2];
    bool previous[2];
} cardo_named_bond;

typedef struct cardo_residue_template {
    cardo_name name;
    int group;              /* its <Atoms> of that type: index into groups, -1 for none */
    cardo_alias_list atoms; /* standard names stand for themselves                      */
    int nbond, bond_capacity;
    cardo_named_bond *bond;
} cardo_residue_template;

/* Names shared by all residues of a type ("Protein", "Nucleic"). */
typedef struct cardo_alias_group {
    cardo_name type;
    cardo_alias_list atoms;
} cardo_alias_group;

typedef struct cardo_residue_templates {
    int count, capacity;
    cardo_residue_template *list;
    int ngroup, group_capacity;
    cardo_alias_group *group;
    cardo_alias_list residues;
} cardo_residue_templates;

/* Reads the file. Zero-initialise *templates; release with cardo_residue_templates_clear also after
 * a failure. Errors name file and line. */
cardo_status cardo_residue_templates_read(cardo_residue_templates *templates, const char *path,
                                          cardo_error *error);
void cardo_residue_templates_clear(cardo_residue_templates *templates);

/* The template of a residue name or of one of its aliases, or NULL. */
const cardo_residue_template *cardo_residue_templates_find(const cardo_residue_templates *templates,
                                                           const char *name);

/* The standard name of an atom in residues of this template; name itself when it is no known alias.
 */
const char *cardo_standard_atom_name(const cardo_residue_templates *templates,
                                     const cardo_residue_template *residue, const char *name);

#endif
