/* The steps between a definition and a model; each is one file. */
#ifndef CARDO_MODEL_INTERNAL_H
#define CARDO_MODEL_INTERNAL_H

#include "model/definition.h"
#include "model/poses.h"

/* A structure's file is looked for beside the model file, in $CARDO_PDB_DIR, and among Cardo's data
 * ("pdb"). The caller owns *out. */
cardo_status cardo_model_find_structure(const char *model_path, const char *file, char **out,
                                        cardo_error *error);

/* Takes "file.pdb#A", "file.pdb#13:A" or "file.pdb#13:" apart in place: file, chains and model of the
 * structure borrow from path. */
cardo_status cardo_model_split_path(char *path, cardo_structure_definition *structure,
                                    cardo_error *error);

/* Is id one of the words of list (commas, blanks between)? NULL and "*": any; "": the blank id. */
bool cardo_model_chain_listed(const char *id, const char *list);

/* Reads the structures, leaves out other chains and hetero residues, matches residues to the first.
 */
cardo_status cardo_model_read_structures(cardo_model *model,
                                         const cardo_model_definition *definition,
                                         cardo_error *error);

/* What the residues of the reference belong to, while a model is being made. */
typedef struct cardo_model_owners {
    int *domain; /* index of the domain definition, or -1            (nresidue) */
    int *hinge;  /* index of the hinge definition, or -1             (nresidue) */
    int *body;   /* index of the body in the model, or -1            (nresidue) */
    int *wanted; /* torsions that are to turn, CARDO_TURN_...         (nresidue) */
    int *
        rigid; /* line of the <flexible> that closes loops through it rigidly, 0: none (nresidue) */
    bool *ideal;      /* that closes at the force field's geometry                  (nresidue) */
    bool *omega_free; /* that lets the omega turn by which it closes               (nresidue) */
} cardo_model_owners;

/* Checks what bodies say about each other and their joints, as far as no structure is needed for
 * it. */
cardo_status cardo_model_check_bodies(const cardo_model_definition *definition, cardo_error *error);

/* Makes the bodies with names, parents (before children) and domain masks; order[b] is the
 * definition of body b. Fills owners->body for domain residues. */
cardo_status cardo_model_make_bodies(cardo_model *model, const cardo_model_definition *definition,
                                     cardo_model_owners *owners, int *order, cardo_error *error);

/* Fits paths and places the frames of every body's joint. */
cardo_status cardo_model_make_joints(cardo_model *model, const cardo_model_definition *definition,
                                     const cardo_model_owners *owners, const int *order,
                                     cardo_error *error);

/* Gives every hinge residue to a body (owners->body) and lists the cuts. */
cardo_status cardo_model_assign_hinges(cardo_model *model, const cardo_model_definition *definition,
                                       cardo_model_owners *owners, cardo_error *error);
/* Gives residues without a body to the body of both their neighbours along the chain, or else to
 * the first body. Returns how many. */
int cardo_model_adopt_rest(cardo_model *model, int *body_of_residue);

/* Lists the links of chains, and disulfides, whose atoms are in different bodies, after the cuts
 * that are there. */
cardo_status cardo_model_list_cuts(cardo_model *model, cardo_error *error);

/* Which atoms of a structure (natom) the <ligand> elements name: marks them. */
cardo_status cardo_model_mark_ligands(const cardo_model_definition *definition,
                                      const cardo_structure *structure, bool *mark,
                                      cardo_error *error);
/* Gives every <ligand> a domain and a body of the definition; without parent it hangs on the body that it touches most.
 * owner: nresidue, overwritten. */
cardo_status cardo_model_add_ligands(const cardo_structure *reference,
                                     cardo_model_definition *definition, int *owner,
                                     cardo_error *error);
/* Notes which bodies are ligands, and what holds them. */
cardo_status cardo_model_place_ligands(cardo_model *model, const cardo_model_definition *definition,
                                       cardo_error *error);

/* Contacts (pairs of heavy atoms within 0.45 nm) of the residues of `mark` (nresidue) with every owner (count, nowner)
 * that the other residues have, or -1 (nresidue). Returns the owner nearest to them, -1: there is none. */
int cardo_model_count_contacts(const cardo_structure *structure, const bool *mark, const int *owner,
                               int nowner, int *count);
/* Those of one residue, added to count; mark may be NULL: itself alone is left out where it has no owner. nearest and least go along: -1 and
 * HUGE_VAL before the first. */
void cardo_model_add_contacts(const cardo_structure *structure, int residue, const bool *mark,
                              const int *owner, int *count, int *nearest, double *least);

/* Ligands, ions and waters that are kept and in no domain ride with the body that most of their
 * contacts are with, or that is nearest. */
cardo_status cardo_model_seat_ligands(const cardo_model *model, cardo_model_owners *owners,
                                      cardo_error *error);

/* Turns the side chains of bodies with conformer="" to those of other structures. */
cardo_status cardo_model_choose_conformers(cardo_model *model,
                                           const cardo_model_definition *definition,
                                           const cardo_model_owners *owners, const int *order,
                                           cardo_error *error);

/* Fills owners->wanted from the <flexible> elements. */
cardo_status cardo_model_find_flexible(const cardo_model *model,
                                       const cardo_model_definition *definition,
                                       cardo_model_owners *owners, cardo_error *error);
/* Does this residue's backbone turn, so that it belongs to no rigid domain? */
bool cardo_model_is_loose(const cardo_model_owners *owners, int residue);
/* Divides the bodies at the bonds that turn: new bodies, each on a pin along its bond, atom_body,
 * and the loops that are cut. Bodies without mobilizer hang on a strand. Nothing to do without
 * <flexible>. */
cardo_status cardo_model_make_flexible(cardo_model *model, const cardo_model_definition *definition,
                                       const cardo_model_owners *owners, const int *order,
                                       cardo_error *error);
void cardo_model_body_clear(cardo_model_body *body);

/* The peptide bond between residues r and r + 1: C and N, or both C-alpha where one of them is
 * missing. False when the residues have neither. */
bool cardo_model_link(const cardo_structure *structure, int r, int atom[2]);

/* Is this residue a water or a free molecule? A modified residue (HETATM) that is linked into a
 * chain is none. */
bool cardo_model_is_free_molecule(const cardo_structure *structure, int r);

/* Longer than this a C-N or C-alpha distance is no bond but a gap in the chain, nm. */
bool cardo_model_link_broken(const cardo_structure *structure, const int atom[2]);

/* Frees what a study or a force field holds. */
void cardo_model_forcefield_clear(cardo_model_forcefield *forcefield);
void cardo_model_study_clear(cardo_model_study *study);

#endif
