/* A structure while it is being prepared: residues whose atoms come and go. Internal to prepare. */
#ifndef CARDO_STRUCTURE_PREPARE_DRAFT_H
#define CARDO_STRUCTURE_PREPARE_DRAFT_H

#include "base/vec.h"
#include "structure/prepare/prepare.h"

enum { CARDO_HYDROGEN = 1, CARDO_MOST_NEAR = 8 };

typedef struct cardo_draft_atom {
    cardo_name name;
    unsigned char element;
    cardo_vec3 position; /* nm                                       */
    int source;          /* atom of the file, -1: built              */
    float occupancy, b_factor;
} cardo_draft_atom;

typedef struct cardo_draft_residue {
    const cardo_component *component; /* NULL: kept as it is                                */
    cardo_name name, chain;
    int number;
    char insertion;
    bool hetero;
    int group;          /* chain of the file                                                    */
    bool broken;        /* the chain breaks before it: it begins a chain of its own             */
    int source;         /* residue of the file, -1: a cap                                       */
    bool linked;        /* bonded to the residue before                                         */
    bool free;          /* a molecule of its own, no part of a chain                            */
    bool first, last;   /* ends of a polymer, breaks included                                   */
    cardo_name variant; /* protonation state, or empty                                        */
    cardo_name asked;   /* the one that the user asks for, or empty                           */
    int bridge;         /* residue of the other cysteine, or -1                               */
    int natom, capacity;
    cardo_draft_atom *atom;
} cardo_draft_residue;

typedef struct cardo_draft {
    const cardo_structure *structure;
    const cardo_components *components;
    const cardo_prepare_options *options;
    cardo_preparation *preparation; /* takes the changes                                      */
    cardo_change_topic topic;       /* of the changes that are noted now                      */
    int *partner; /* atom of the file that one of the file has a link to, or -1          */
    int count, capacity;
    cardo_draft_residue *residue;
} cardo_draft;

/* Appends to the report. format makes the reason. */
cardo_status cardo_draft_note(cardo_draft *draft, cardo_change_kind kind, int residue,
                              const cardo_name *atom, cardo_error *error, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
/* The same about a residue of the file that is not in the draft. */
cardo_status cardo_draft_note_source(cardo_draft *draft, cardo_change_kind kind, int source,
                                     int atom, const char *reason, cardo_error *error);

/* And about the file as a whole. */
cardo_status cardo_draft_note_file(cardo_draft *draft, cardo_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Gives the last change a number (what: a static string). */
void cardo_draft_measure(cardo_draft *draft, const char *what, double value);

/* Appends or inserts a residue (its fields are copied; it has no atoms of its own yet). */
cardo_status cardo_draft_insert(cardo_draft *draft, int at, const cardo_draft_residue *residue,
                                cardo_error *error);
/* Inserts an atom into a residue at this index. */
cardo_status cardo_draft_add_atom(cardo_draft_residue *residue, int at,
                                  const cardo_draft_atom *atom, cardo_error *error);
void cardo_draft_remove_atom(cardo_draft_residue *residue, int at);

/* "A:GLN4" */
void cardo_draft_label(const cardo_draft_residue *residue, char text[40]);

/* Index of an atom in a residue, or -1; its address, or NULL. */
int cardo_draft_find(const cardo_draft_residue *residue, const char *name);
const cardo_draft_atom *cardo_draft_atom_called(const cardo_draft_residue *residue,
                                                const char *name);

/* Atom of a neighbouring residue that the named atom is bonded to by the chain, or NULL. */
const cardo_draft_atom *cardo_draft_linked_atom(const cardo_draft *draft, int residue,
                                                const char *name);

/* Atom of another residue that the file links this one to (LINK, _struct_conn) by a covalent bond,
 * chains and disulfides apart, when it is in the draft; or NULL. */
const cardo_draft_atom *cardo_draft_partner(const cardo_draft *draft, const cardo_draft_atom *atom);

/* Residue of the draft that came from this one of the file, or -1. */
int cardo_draft_of_source(const cardo_draft *draft, int source);

/* The steps, in this order. */
cardo_status cardo_prepare_choose(cardo_draft *draft, cardo_error *error);
cardo_status cardo_prepare_alternates(cardo_draft *draft, cardo_error *error);
cardo_status cardo_prepare_links(cardo_draft *draft, cardo_error *error);
cardo_status cardo_prepare_breaks(cardo_draft *draft, cardo_error *error);
cardo_status cardo_prepare_partners(cardo_draft *draft, cardo_error *error);
cardo_status cardo_prepare_lone(cardo_draft *draft, cardo_error *error);
cardo_status cardo_prepare_ends(cardo_draft *draft, cardo_error *error);
cardo_status cardo_prepare_heavy(cardo_draft *draft, cardo_error *error);
cardo_status cardo_prepare_bridges(cardo_draft *draft, cardo_error *error);
cardo_status cardo_prepare_asked(cardo_draft *draft, cardo_error *error);
cardo_status cardo_prepare_states(cardo_draft *draft, cardo_error *error);
cardo_status cardo_prepare_hydrogens(cardo_draft *draft, cardo_error *error);
/* The component and the state in components.xml that a residue of this name is; false: no name of a state. */
bool cardo_state_by_name(const char *name, const char **component, const char **state);
/* A step inside of the one before: the tautomers of histidines, once fixed hydrogens are there. */
cardo_status cardo_prepare_tautomers(cardo_draft *draft, cardo_error *error);
cardo_status cardo_prepare_review(cardo_draft *draft, cardo_error *error);

#endif
