/* A model as it is written: texts and line numbers, before anything is looked up in a structure.
 *
 * The model file's reader and the command line's pair both fill one, and resolve.c makes the
 * model of it. All texts are borrowed: from the documents that the definition owns, or from its
 * maker's arguments. */
#ifndef CARDO_MODEL_DEFINITION_H
#define CARDO_MODEL_DEFINITION_H

#include "base/xml.h"
#include "model/domains.h"
#include "model/model.h"

typedef struct cardo_structure_definition {
    cardo_place place;
    const char *id, *file;
    const char *coordinates; /* of an AMBER topology; NULL: from the file beside it              */
    const char *chains; /* ids with blanks or commas between; NULL or "*": all; "": the blank id */
    int model;        /* serial, or 0: the first                                                  */
    bool keep_hetero; /* ligands and ions, and ...                                              */
    bool keep_water;
    bool label_numbering; /* of an mmCIF file                                                     */
    double identity;  /* with the reference, that is enough; 0: by the rule of superpose.h       */
    const char *note; /* that runs shall repeat, or NULL                                         */
} cardo_structure_definition;

typedef struct cardo_joint_definition {
    cardo_place place;
    const char *kind; /* "path", "pin", "slider", "ball", "strand", "weld", "free"; NULL: none */
    const char *structures; /* of a path: ids; NULL: all structures in order                     */
    const char *from; /* of a path: id of the structure its motion begins in; NULL: the first    */
    const char *at;   /* of a path: its coordinates where the first structure is; NULL: zero     */
    const char *interpolation; /* "screw", "euler", "spline"; NULL: screw for two, else spline */
    const char *start; /* of a path: q; NULL: 0                                             */
    const char *extra; /* of a screw path: "twist", "bend" or both; NULL: none              */
    const char *axis, *point, *toward; /* of pin and slider; point of ball                  */
    const char *through; /* of a strand: residues that it leads through; NULL: the first one */
} cardo_joint_definition;

typedef struct cardo_rigid_definition {
    cardo_place place;
    const char *name, *domains, *parent, *base;
    const char *conformer;   /* id of a structure, or "best"; NULL: the reference's own           */
    const char *mass_factor; /* a number; NULL: 1                                                */
    cardo_joint_definition joint;
} cardo_rigid_definition;

/* Residues whose torsions turn. */
typedef struct cardo_flexible_definition {
    cardo_place place;
    const char *residues; /* a selection; NULL: all                                     */
    const char *chain;
    const char *torsions; /* "phi psi chi"                                              */
    const char *within;   /* distance from another body along the paths; NULL: any      */
    bool rotors;          /* methyl, hydroxyl and ammonium groups too                   */
    bool rigid;           /* strands that close loops are closed by constraints         */
    bool ideal;           /* with rigid: at the force field's geometry, not the reference's */
    bool omega_free;      /* with rigid: the torsion of the peptide bond that closes a loop turns */
} cardo_flexible_definition;

/* A molecule that is no part of the chains that move: a body of its own. */
typedef struct cardo_ligand_definition {
    cardo_place place;
    const char *name, *residues, *chain;
    const char *parent; /* the body that carries it; NULL: the one that it touches most         */
    const char *joint;  /* "weld" or "free"; NULL: weld                                       */
    const char *restraint; /* of a free one: "sphere", "box", "none"; NULL: sphere               */
    const char *size;      /* radius, or three half edges, nm; NULL: 0.5                         */
    const char *stiffness; /* of the walls, kJ/mol/nm^2; NULL: 1000                              */
    const char *center;    /* three numbers or a selection; NULL: where its centre of mass is    */
} cardo_ligand_definition;

typedef struct cardo_model_definition {
    const char *path; /* of the model file, or "" */
    const char *name;
    cardo_place place;
    bool adopt_rest; /* residues that nothing claims ride with their neighbours, else it is an error
                      */
    cardo_xml **document;
    int ndocument, document_capacity;
    cardo_structure_definition *structure;
    int nstructure, structure_capacity;
    cardo_domain_definition *domain;
    int ndomain, domain_capacity;
    cardo_hinge_definition *hinge;
    int nhinge, hinge_capacity;
    cardo_rigid_definition *body;
    int nbody, body_capacity;
    cardo_flexible_definition *flexible;
    int nflexible, flexible_capacity;
    cardo_ligand_definition *ligand;
    int nligand, ligand_capacity;
    bool apo; /* leave out what ligands name */
    bool has_forcefield;
    cardo_model_forcefield forcefield; /* owned by the definition until the model takes it */
    cardo_model_study *study;          /* likewise                                         */
    int nstudy, study_capacity;
} cardo_model_definition;

void cardo_model_definition_destroy(cardo_model_definition *definition);

/* Makes the model: reads structures, matches residues, checks domains, fits paths, assigns hinge
 * residues. Takes force field and studies out of the definition when it succeeds. The caller owns
 * *out. */
cardo_status cardo_model_resolve(cardo_model_definition *definition, cardo_model **out,
                                 cardo_error *error);

#endif
