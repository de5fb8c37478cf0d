/* A molecular structure: atoms, residues and chains as parallel arrays.
 *
 * Positions are in nm. A residue is identified by chain id + number + insertion code, all as the
 * authors of the entry gave them. A chain is a run of residues with one chain id up to a TER
 * record; several chains may carry the same id (a protein, then its ligands and waters). */
#ifndef CARDO_STRUCTURE_ATOMS_STRUCTURE_H
#define CARDO_STRUCTURE_ATOMS_STRUCTURE_H

#include "base/status.h"
#include "cardo/structure.h"
#include "structure/atoms/name.h"

#include <stdbool.h>

/* Two cysteines that a file says are bridged, as residue indices. */
typedef struct cardo_bridge {
    int residue[2];
} cardo_bridge;

/* How far apart (nm) two sulfurs are a disulfide: found by distance alone, and where a file says that they
 * are bridged, which beyond that means a symmetry mate. */
#define CARDO_LONGEST_DISULFIDE          0.3
#define CARDO_LONGEST_RECORDED_DISULFIDE 0.4

/* Two atoms that a file says are bonded (LINK and CONECT records, _struct_conn), or are a metal and what holds
 * it. Disulfides are bridges. */
typedef struct cardo_link {
    int atom[2];
} cardo_link;

/* A residue of a polymer as its sequence has it, whether or not it has coordinates. */
typedef struct cardo_monomer {
    cardo_name name;
    int residue;    /* its residue in the structure; -1: none of its atoms is there   */
    int number;     /* author's                                                       */
    char insertion; /* or '\0'                                                        */
    bool numbered;  /* false: the file tells no number, this one counts on from a neighbour */
} cardo_monomer;

/* The whole sequence of one molecule (SEQRES, _pdbx_poly_seq_scheme, _entity_poly_seq): monomers
 * first ... first + count - 1, of which one at least is in the structure. */
typedef struct cardo_polymer {
    cardo_name chain; /* author's id */
    int first, count;
} cardo_polymer;

/* A record that has a label of an alternate location. */
typedef struct cardo_alternate {
    int residue;             /* in the structure                                       */
    float occupancy;         /* as in the file                                         */
    cardo_name residue_name; /* of this alternate: microheterogeneity has several      */
    cardo_name atom_name;    /*                                                        */
    char label;              /*                                                        */
    bool taken;              /* it became the atom of the structure                    */
} cardo_alternate;

/* A chain that is a copy by an operator of the file's. */
typedef struct cardo_chain_copy {
    cardo_name chain, of;
} cardo_chain_copy;

struct cardo_structure {
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
    cardo_bridge *bridge; /* SSBOND and CONECT records           (nbridge)                      */

    int nlink;
    cardo_link *link; /*                                            (nlink)                      */

    int npolymer, nmonomer;
    cardo_polymer *polymer; /* in the order of the file             (npolymer)                   */
    cardo_monomer *monomer; /* of all polymers                      (nmonomer)                   */

    int nalternate;
    cardo_alternate *alternate; /* by residue, in the order of the file (nalternate)             */

    bool has_cell;
    double cell[6]; /* CRYST1: nm, nm, nm, degrees x 3                                    */

    cardo_name assembly; /* that was built by the file's operators, or empty               */
    int nchain_copy;
    cardo_chain_copy
        *chain_copy;    /* chains of it that have other names than in the file (nchain_copy) */
    cardo_name offered; /* the file's first assembly that takes operators and was not built,
                                     or empty                                                  */
    int noffered;       /* how many                                                      */

    int model;           /* serial of the model that was read (1 when the file has none)       */
    int nmodel;          /* models with atoms in the file                                      */
    int naltloc;         /* atom records with an alternate-location label                      */
    int nrecord;         /* ATOM + HETATM records in the model, all alternates counted          */
    int nduplicate;      /* records dropped since their atom was there already, without a label */
    int duplicate_line;  /* line of the first of them                                      */
    int nfar_conect;     /* pairs of CONECT records too far apart for a bond, left out          */
    int far_conect[2];   /* atoms of the first of them                                     */
    int nunclear_conect; /* CONECT partners whose serial number several atoms have, left out */
};

/* Gives *to the polymers of *from, of which residue[r] (from->nresidue) says which residue of *to
 * each residue has become, -1: none. Polymers without any residue are left out; what *to had is
 * freed. */
cardo_status cardo_structure_copy_polymers(const cardo_structure *from, const int *residue,
                                           cardo_structure *to, cardo_error *error);

/* Atomic number of a symbol such as "CA" or "c" (0 if unknown); symbol ("C") and mass in Da (0 if
 * unknown) of an atomic number. Standard atomic weights, IUPAC 2021. */
int cardo_element_number(const char *symbol);
const char *cardo_element_symbol(int number);
double cardo_element_mass(int number);
/* Radius (nm) that adds up to the length of a single bond, of the elements that form covalent bonds;
 * 0 for metals, noble gases and unknown elements. Cordero et al., Dalton Trans. (2008) 2832. */
double cardo_element_covalent_radius(int number);
/* Neither of the former, nor a noble gas, nor unknown. */
bool cardo_element_is_metal(int number);
/* How far apart (nm) two atoms may be that a file says are bonded: 1.3 sums of their covalent radii,
 * beyond which a symmetry mate is meant, or no bond; 0 where one has no such radius. */
double cardo_element_longest_bond(int one, int other);
/* Is this hydrogen named as deuterium (D, DE21, 1DE2)? Elements do not tell the isotopes apart. */
bool cardo_is_deuterium(int number, const char *atom_name);

/* Is this residue name water, one of the 20 amino acids (with their protonation variants and caps),
 * a nucleotide? */
bool cardo_residue_is_water(const char *name);
bool cardo_residue_is_amino(const char *name);
bool cardo_residue_is_nucleic(const char *name);
/* One-letter code of an amino acid or nucleotide name, 'X' when it has none. */
char cardo_residue_letter(const char *name);

#endif
