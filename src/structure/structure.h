/* A molecular structure: atoms, residues and chains as parallel arrays.
 *
 * Positions are in nm. A residue is identified by chain id + number + insertion code, all as the
 * authors of the entry gave them. A chain is a run of residues with one chain id up to a TER
 * record; several chains may carry the same id (a protein, then its ligands and waters). */
#ifndef CARDO_STRUCTURE_STRUCTURE_H
#define CARDO_STRUCTURE_STRUCTURE_H

#include "base/status.h"

#include <stdbool.h>

/* Names of atoms, residues and chains: NUL-terminated, without blanks around them, and zero behind
 * the NUL, so that memcmp compares them. mmCIF chain names need more than a PDB column. */
enum { CARDO_NAME_SIZE = 16 };
typedef struct cardo_name {
    char text[CARDO_NAME_SIZE];
} cardo_name;

/* Two cysteines that a file says are bridged, as residue indices. */
typedef struct cardo_bridge {
    int residue[2];
} cardo_bridge;

typedef struct cardo_structure {
    char *source; /* file name, for messages */

    int natom;
    double *position;       /* nm                                  (natom x 3) of the model read  */
    cardo_name *atom_name;  /*                                     (natom)                        */
    unsigned char *element; /* atomic number, 0 unknown            (natom)                        */
    int *atom_residue;      /* index of the residue                (natom)                        */
    int *serial;            /* as in the file, or counted          (natom)                        */
    int *atom_line;         /* line of the file, for messages      (natom)                        */
    float *occupancy;       /*                                     (natom)                        */
    float *b_factor;        /* square angstrom                     (natom)                        */

    int nresidue;
    cardo_name *residue_name; /*                                     (nresidue) */
    int *residue_number; /* author's                            (nresidue)                     */
    char *insertion;     /* insertion code or '\0'              (nresidue)                     */
    bool *hetero;        /* from HETATM records                 (nresidue)                     */
    int *residue_chain;  /* index of the chain                  (nresidue)                     */
    int *residue_first;  /* first atom; one more at the end     (nresidue + 1)                 */

    int nchain;
    cardo_name *chain_id; /* "" when blank                       (nchain)                       */
    int *chain_first;     /* first residue; one more at the end  (nchain + 1)                   */

    int nbridge;
    cardo_bridge *bridge; /* SSBOND records                      (nbridge)                      */

    bool has_cell;
    double cell[6]; /* CRYST1: nm, nm, nm, degrees x 3                                    */

    int model;      /* serial of the model that was read (1 when the file has none)       */
    int nmodel;     /* models with atoms in the file                                      */
    int naltloc;    /* atom records with an alternate-location label                      */
    int nrecord;    /* ATOM + HETATM records in the model, all alternates counted          */
    int nduplicate; /* records dropped since their atom was there already, without a label */
} cardo_structure;

void cardo_structure_destroy(cardo_structure *structure);

/* A copy with only the atoms for which keep[atom] is true; empty residues and chains go, bridges of
 * kept residues stay. The caller owns *out. */
cardo_status cardo_structure_subset(const cardo_structure *structure, const bool *keep,
                                    cardo_structure **out, cardo_error *error);

/* The atom called name in a residue, or -1. */
int cardo_structure_find_atom(const cardo_structure *structure, int residue, const char *name);

/* The first residue with this identity (chain "*" means any), or -1. */
int cardo_structure_find_residue(const cardo_structure *structure, const char *chain, int number,
                                 char insertion);

/* "A:GLN4" or ":GLN52A": how messages name a residue. Returns text. */
char *cardo_residue_label(const cardo_structure *structure, int residue, char text[40]);

/* Atomic number of a symbol such as "CA" or "c" (0 if unknown); symbol ("C") and mass in Da (0 if
 * unknown) of an atomic number. Standard atomic weights, IUPAC 2021. */
int cardo_element_number(const char *symbol);
const char *cardo_element_symbol(int number);
double cardo_element_mass(int number);

/* Is this residue name water, one of the 20 amino acids (with their protonation variants and caps),
 * a nucleotide? */
bool cardo_residue_is_water(const char *name);
bool cardo_residue_is_amino(const char *name);
bool cardo_residue_is_nucleic(const char *name);
/* One-letter code of an amino acid or nucleotide name, 'X' when it has none. */
char cardo_residue_letter(const char *name);

#endif
