/* Atom records as a file has them, before alternates are chosen: what every reader fills, and what
 * becomes a structure. Readers know a syntax; only assemble.c knows what to make of alternates and
 * repeats. */
#ifndef CARDO_STRUCTURE_RECORDS_RECORDS_H
#define CARDO_STRUCTURE_RECORDS_RECORDS_H

#include "cardo/geometry.h"
#include "structure/atoms/structure.h"

/* Bounds on what a file may claim: no structure is a tenth of a millimetre wide, and a float holds
 * the others. */
#define CARDO_LARGEST_COORDINATE 1e6 /* angstrom                             */
#define CARDO_LARGEST_WEIGHT     1e9 /* of an occupancy or B factor          */

/* One ATOM or HETATM record. */
typedef struct cardo_record {
    double position[3]; /* nm                                                  */
    cardo_name name;
    float occupancy;
    float b_factor;
    int serial;
    int line;
    int run;     /* index of its run                                    */
    char altloc; /* label of the alternate location, '\0' when none     */
    unsigned char element;
} cardo_record;

/* What the records of one residue share. */
typedef struct cardo_residue_identity {
    cardo_name chain;
    cardo_name name;
    int number;
    int segment;         /* counts TER records, or what stands for them             */
    int place;           /* in the sequence of its polymer, from 1; 0: not known    */
    cardo_name asym;     /* of that polymer (label_asym_id)                         */
    cardo_name instance; /* label_asym_id of whatever it is a part of, or empty     */
    char insertion;      /* or '\0'                                                 */
    bool hetero;
} cardo_residue_identity;

/* Consecutive records with one identity. */
typedef struct cardo_run {
    cardo_residue_identity identity;
    int first; /* its first record */
} cardo_run;

/* A residue as an SSBOND or LINK record names it. */
typedef struct cardo_residue_key {
    cardo_name name; /* tells residues of one number apart; or empty */
    cardo_name chain;
    int number;
    char insertion;
} cardo_residue_key;

typedef struct cardo_bridge_record {
    cardo_residue_key end[2];
} cardo_bridge_record;

/* Two atoms as a LINK record names them. */
typedef struct cardo_link_record {
    cardo_residue_key end[2];
    cardo_name atom[2];
} cardo_link_record;

/* Two atoms that a CONECT record joins, by serial number. */
typedef struct cardo_conect_record {
    int serial[2];
} cardo_conect_record;

/* A residue of a sequence. */
typedef struct cardo_monomer_record {
    cardo_name name;
    int place;  /* in its polymer, from 1, increasing                  */
    int number; /* author's, when numbered                             */
    char insertion;
    bool numbered;
} cardo_monomer_record;

/* A sequence: monomers from first to where the next one begins. Its residues are those whose asym
 * it has, or, when that is empty, are looked for by name in the chain. */
typedef struct cardo_polymer_record {
    cardo_name chain, asym;
    int first;
} cardo_polymer_record;

/* A residue without coordinates (REMARK 465). */
typedef struct cardo_missing_record {
    cardo_residue_key key;
    cardo_name name;
} cardo_missing_record;

/* A copy of some chains, turned and shifted, of which an assembly is made (REMARK 350, _pdbx_struct_assembly_gen). */
typedef struct cardo_copy_record {
    cardo_name assembly;
    int first_chain, nchain; /* in the records' list of names                     */
    bool by_instance;        /* those are of label_asym_id, not of author's chains */
    cardo_mat33 rotation;    /* of positions, then ...                            */
    cardo_vec3 shift;        /* ... nm                                            */
} cardo_copy_record;

/* A model that has atoms. */
typedef struct cardo_model_count {
    int serial;
    int natom; /* records, alternates counted */
} cardo_model_count;

/* Everything a reader found. Zero-initialise; release with cardo_records_destroy. */
typedef struct cardo_records {
    cardo_record *record; /* of the model that was asked for */
    int nrecord, record_capacity;
    cardo_run *run;
    int nrun, run_capacity;
    cardo_bridge_record *bridge;
    int nbridge, bridge_capacity;
    cardo_link_record *link;
    int nlink, link_capacity;
    cardo_conect_record *conect;
    int nconect, conect_capacity;
    cardo_polymer_record *polymer;
    int npolymer, polymer_capacity;
    cardo_monomer_record *monomer;
    int nmonomer, monomer_capacity;
    cardo_missing_record *missing;
    int nmissing, missing_capacity;
    cardo_copy_record *copy;
    int ncopy, copy_capacity;
    cardo_name *copied_chain; /* names of chains that copies are of */
    int ncopied_chain, copied_chain_capacity;
    cardo_name assembly; /* that was built of them, or empty */
    cardo_chain_copy *chain_copy;
    int nchain_copy, chain_copy_capacity;
    cardo_model_count *model; /* every model with atoms */
    int nmodel, model_capacity;
    int model_read; /* serial of the model in record */
    bool has_cell;
    double cell[6]; /* nm, degrees */
} cardo_records;

void cardo_records_destroy(cardo_records *records);

/* Appends a record to the run with this identity, which is a new one when it is not the last one's.
 */
cardo_status cardo_records_add(cardo_records *records, const cardo_record *record,
                               const cardo_residue_identity *identity, cardo_error *error);

/* Appends a bridge, a link, a pair of CONECT, a residue without coordinates, a polymer or a monomer of the last one,
 * a copy of an assembly, the name of a chain that copies are of, or a model with atoms. */
cardo_status cardo_records_add_bridge(cardo_records *records, const cardo_bridge_record *bridge,
                                      cardo_error *error);
cardo_status cardo_records_add_link(cardo_records *records, const cardo_link_record *link,
                                    cardo_error *error);
cardo_status cardo_records_add_conect(cardo_records *records, const cardo_conect_record *conect,
                                      cardo_error *error);
cardo_status cardo_records_add_missing(cardo_records *records, const cardo_missing_record *missing,
                                       cardo_error *error);
cardo_status cardo_records_add_polymer(cardo_records *records, const cardo_name *chain,
                                       const cardo_name *asym, cardo_error *error);
cardo_status cardo_records_add_monomer(cardo_records *records, const cardo_monomer_record *monomer,
                                       cardo_error *error);
cardo_status cardo_records_add_copy(cardo_records *records, const cardo_copy_record *copy,
                                    cardo_error *error);
cardo_status cardo_records_add_copied_chain(cardo_records *records, const cardo_name *chain,
                                            cardo_error *error);
cardo_status cardo_records_add_model(cardo_records *records, int serial, int natom,
                                     cardo_error *error);

/* Lengths (angstrom) and angles (degrees) of the crystal's cell. One with a number that is not positive,
 * or the 1 x 1 x 1 of structures that are no crystals, is left out. */
void cardo_records_set_cell(cardo_records *records, const double cell[6]);

/* CARDO_ERROR_INPUT unless there are records: says that the file has no atoms, or which models it
 * has when model (0: any) was asked for. */
cardo_status cardo_records_check(const cardo_records *records, const char *name, int model,
                                 cardo_error *error);

/* Makes the structure; name becomes its source. The caller owns *out. The list of chains that are copies goes over to it.
 * - A residue is all records with one chain, number and insertion code between two TER; the pieces
 * of one may stand apart. Records that come back with an atom which is there already, or under
 * another residue name and without an alternate label, are another residue (wrapped numbers,
 * segments without chain ids).
 * - Where alternates differ in the residue name, the name of the highest mean occupancy is kept,
 * then the first.
 * - Of several records of one atom the one of highest occupancy is kept, then the first in the
 * file. */
cardo_status cardo_structure_assemble(cardo_records *records, const char *name,
                                      cardo_structure **out, cardo_error *error);

#endif
