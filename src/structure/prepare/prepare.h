/* Preparing a structure for simulation: choosing what is kept, naming modified residues after their
 * parents, rebuilding missing heavy atoms from ideal geometry, ending chains, adding hydrogens at a
 * pH. No atom that is kept moves. What was built is marked, so that it can be relaxed afterwards.
 *
 * Preparing a prepared structure changes nothing: hydrogens that are there decide the protonation
 * state of their residue. */
#ifndef CARDO_STRUCTURE_PREPARE_PREPARE_H
#define CARDO_STRUCTURE_PREPARE_PREPARE_H

#include "structure/atoms/structure.h"
#include "structure/pdb/pdb.h"
#include "structure/prepare/components.h"

typedef struct cardo_prepare_options {
    double ph; /* decides protonation states where the file does not              */
    bool
        shifted_pka; /* pKa values in their place, after Li, Robertson & Jensen (Proteins 61, 704, 2005), simplified
                            (pka.c); else of model compounds                                 */
    const char *
        protonate; /* states of residues, before what the file tells: "A:48=HIP,A:26=ASH"; NULL: none */
    const char *chains;  /* ids of chains to keep, separated by commas; NULL: all           */
    bool drop_nucleic;   /* leave out DNA and RNA                                           */
    bool drop_hydrogens; /* of polymers and waters: they are placed anew                    */
    bool keep_water;     /*                                                                 */
    bool keep_ions;      /* single atoms that are no water                                  */
    bool keep_ligands;   /* all else; they get no atoms                                     */
    bool keep_modified;  /* leave modified residues as they are                             */
    bool cap_ends;       /* ACE and NME at the ends of protein chains                       */
    bool cap_breaks;     /* and at breaks inside of them, but those that are closed         */
    bool report_breaks;  /* leave them open: the default                                    */
    bool close_breaks;   /* build the missing residues of short breaks; without cap_breaks,
                           one that cannot be closed is an error                           */
    bool no_hydrogens;   /* build heavy atoms only                                          */
    int ndeuterium;      /* atoms of deuterium that normalising has named as hydrogen: told      */
    const cardo_name *given_name; /* residue names before normalising, which may tell a state
                                     (HIE, ASH, CYX); NULL: the structure's      (nresidue) */
} cardo_prepare_options;

/* pH 7, polymers alone, charged ends. */
cardo_prepare_options cardo_prepare_options_default(void);

typedef enum cardo_change_kind {
    CARDO_CHANGE_ADDED,   /* an atom was built                                               */
    CARDO_CHANGE_MOVED,   /* an atom of the file was built anew                              */
    CARDO_CHANGE_DROPPED, /* an atom, or a residue when the atom's name is empty             */
    CARDO_CHANGE_RENAMED, /* an atom or a residue has another name                           */
    CARDO_CHANGE_CHOSEN,  /* an alternate, a protonation state, a bridge                     */
    CARDO_CHANGE_NOTED    /* a chain break and other things to know                          */
} cardo_change_kind;

/* What a change belongs to, in the order of the report. */
typedef enum cardo_change_topic {
    CARDO_TOPIC_FILE,
    CARDO_TOPIC_ALTERNATES,
    CARDO_TOPIC_LEFT_OUT,
    CARDO_TOPIC_MODIFIED,
    CARDO_TOPIC_NAMES,
    CARDO_TOPIC_BREAKS,
    CARDO_TOPIC_HEAVY,
    CARDO_TOPIC_ENDS,
    CARDO_TOPIC_DISULFIDES,
    CARDO_TOPIC_STATES,
    CARDO_TOPIC_HYDROGENS,
    CARDO_TOPIC_REVIEW, /* what the user should look at: nothing was done */
    CARDO_NTOPIC
} cardo_change_topic;

const char *cardo_change_word(cardo_change_kind kind);
/* "missing heavy atoms": a heading. */
const char *cardo_topic_words(cardo_change_topic topic);

typedef struct cardo_change {
    cardo_change_kind kind;
    cardo_change_topic topic;
    char residue[40];    /* label such as A:GLN4                                           */
    cardo_name atom;     /* or empty                                                       */
    bool hydrogen;       /* the atom is one                                                */
    bool usual;          /* a protonation state that its model pKa alone decides           */
    const char *measure; /* what value is: "distance_A", "model_pKa", "occupancy"; or NULL */
    double value;
    char reason[224]; /* no full stop                                                   */
} cardo_change;

/* The pKa of a residue's side chain in its place: that of the group alone and its shifts by burial, hydrogen bonds and
 * charges. */
typedef struct cardo_titration {
    char residue[40];
    double pka, model, burial, bonds, charges;
    int near;  /* heavy atoms within 1.55 nm                         */
    bool held; /* by a metal, so that the value is of no use         */
} cardo_titration;

typedef struct cardo_preparation {
    cardo_structure *structure; /* prepared: standard names, bridges of disulfides              */
    bool *built;                /* atoms that were not in the file                      (natom) */
    int nchange, change_capacity;
    cardo_change *change; /* in order of the steps, and of residues in each               */
    int ntitration;
    cardo_titration *titration; /* with shifted_pka                                (ntitration) */
} cardo_preparation;

/* Reads a structure as cardo_structure_read_as does (structure/pdb/pdb.h), but takes this alternate
 * location wherever an atom has it; '\0': the one of highest occupancy. A location that no atom has
 * is CARDO_ERROR_INPUT. */
cardo_status cardo_structure_read_altloc(const char *path, const cardo_read_options *options,
                                         char altloc, cardo_structure **out, cardo_error *error);

/* Prepares a structure whose names are normalised (topology/bonds.h). Amino acids without N, CA
 * or C and nucleotides without C1', C3' or C4' go, and leave a break that is noted. A structure of which nothing is left is
 * CARDO_ERROR_INPUT.
 * The caller owns *out (cardo_preparation_destroy). */
cardo_status cardo_prepare(const cardo_structure *structure, const cardo_components *components,
                           const cardo_prepare_options *options, cardo_preparation **out,
                           cardo_error *error);
void cardo_preparation_destroy(cardo_preparation *preparation);

#endif
