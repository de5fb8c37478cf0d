/* What a model is made of (cardo/model.h): the one place where atoms meet bodies. */
#ifndef CARDO_MODEL_MODEL_H
#define CARDO_MODEL_MODEL_H

#include "base/field.h"
#include "cardo/constraints.h"
#include "cardo/elements.h"
#include "cardo/model.h"
#include "model/dropped.h"
#include "model/path_fit.h"
#include "multibody/functions/function.h"
#include "multibody/mobilizers/path.h"
#include "multibody/quantities/named_numbers.h"
#include "multibody/tree/system.h"
#include "structure/atoms/structure.h"
#include "structure/atoms/superpose.h"
#include "topology/peptide_group.h"

/* One structure of the model. The first is the reference: its atoms make the bodies. */
typedef struct cardo_model_structure {
    char *id;   /* "open"                                                           */
    char *path; /* resolved                                                         */
    int line;   /* of the model file                                                */
    cardo_structure *structure; /* after chain and hetero choices */
    int *match;              /* residue of this structure for each residue of the reference, or -1;
                            NULL for the reference itself                                    */
    cardo_likeness likeness; /* to the reference                                                */
    double identity;         /* fraction of matched residues with the reference's name            */
    int ndropped_hetero;     /* atoms of waters, ions and ligands left out                       */
    int ndropped;            /* these groups, one by one                                         */
    cardo_dropped *dropped;
    char *note; /* what the model file says of it that runs shall repeat, or NULL             */
} cardo_model_structure;

/* Where the reference has the body of a path that is not at zero there. */
typedef struct cardo_path_stand {
    double q[CARDO_MOBILIZER_MAX_Q]; /* its coordinates (nq) */
    cardo_transform X_FM;            /* M on F by these      */
} cardo_path_stand;

typedef struct cardo_model_body {
    char *name;
    int line;
    char *selection; /* residues as written                                               */
    bool *residue;   /* mask over the reference's residues: domain and hinge residues that ride
                        with it                                       (nresidue)          */
    bool *domain;    /* mask of the annotated domain alone             (nresidue)          */
    int parent;      /* index into bodies, or -1: ground                                   */
    const cardo_mobilizer *mobilizer;
    void *parameters;      /* of the mobilizer, owned                                           */
    cardo_path_fit *fit;   /* for path mobilizers, else NULL                                    */
    cardo_path_fit *guide; /* of a body that hangs on a strand: its motion between the structures,
                              NULL when there is one structure                                 */
    cardo_transform X_GF;  /* of the joint's F and M frames where the reference stands: M on F; for
                             paths F's origin is the hinge point (euler) or on the screw axis    */
    int *
        on_path; /* of a fit or guide: its structures, the one that it begins in first (nstructure) */
    cardo_path_stand *stands; /* of a path with at="", whose M stands on F so; NULL: at zero     */
    double start; /* q at which the path starts                                        */
    const cardo_function *motion; /* prescribes coordinates, one function each; borrowed; NULL:
                                     they are free                                             */
    unsigned driven;              /* with motion: which of them, bit j for the j-th             */
    double mass;        /* Da                                                                */
    double mass_factor; /* what the system takes of mass and inertia (mass-factor); 0: all       */
    int natom;
    bool piece; /* made by <flexible>, no body of the model file                             */
    int torsion; /* hangs by a bond that turns: its kind, CARDO_TURN_... of topology/rotatable_bonds.h, else
                     0; q is the change of that torsion                                        */
    int bond[2]; /* that bond: the atom on the parent, the atom on this body                  */
} cardo_model_body;

/* A bond between two bodies that is no mobilizer, held by the force field alone. Where two
 * consecutive residues of a chain belong to different bodies: C of the first and N of the second
 * residue, or both C-alpha where one is missing. A disulfide. Or, with loop, a bond that would turn
 * if that did not close a loop. */
typedef struct cardo_model_cut {
    int residue[2];
    int atom[2];
    int body[2];
    bool broken; /* the chain has a gap here in the reference: nothing is strained             */
    bool loop;
    bool
        rigid; /* its strand is closed by a constraint (closure="rigid" of the <flexible> at line) */
    int line;
    bool is_peptide;           /* with rigid: by the coordinates of this peptide group        */
    bool ideal;                /* with is_peptide: at the force field's geometry              */
    bool omega_free;           /* with is_peptide: its torsion turns                          */
    cardo_peptide_group group; /* whose bond C-N the cut is                                   */
} cardo_model_cut;

/* A molecule that is a body of its own and no part of any hinge (<ligand>). */
typedef struct cardo_model_ligand {
    char *name; /* of its body, too                                                            */
    int line;
    int body;
    bool found;   /* its parent is the body that it touches most, not one that the file names    */
    bool free;    /* it moves on its own, and ...                                               */
    bool is_held; /* ... is held near its site by a flat bottom                                 */
    cardo_flat_bottom
        well; /* bodies have the system's numbers; frame1's origin is in ground where the reference
                               stands, point2 is its own body's origin                              */
    int contacts; /* with its parent: pairs of heavy atoms within 0.45 nm, in the reference        */
} cardo_model_ligand;

typedef union cardo_constraint_parameters {
    cardo_rod rod;
    cardo_coincident_points ball;
    cardo_welded_frames weld;
    cardo_constant_orientation constant_orientation;
    cardo_constant_angle constant_angle;
    cardo_point_on_plane point_on_plane;
    cardo_point_on_line point_on_line;
    cardo_joint_closure joint;
    cardo_internal_coordinates internal;
    cardo_coordinate_coupler coordinate_coupler;
    cardo_speed_coupler speed_coupler;
    cardo_prescribed_coordinate prescribed_motion;
    cardo_constant_speed constant_speed;
    cardo_constant_acceleration constant_acceleration;
    cardo_no_slip no_slip;
} cardo_constraint_parameters;

enum { CARDO_CONSTRAINT_ARRAYS = 4 };

/* A constraint between bodies. Its parameters are those of its kind, with points in ground where the reference stands: they are
 * moved into the bodies' frames, whose axes are ground's there, when a system is made. Bodies have the system's numbers. */
typedef struct cardo_model_constraint {
    char *name;
    int line;
    const cardo_constraint *kind;
    bool off; /* at the start */
    cardo_constraint_parameters parameters;
    /* Moves points from ground's origin to those of their bodies (nbody + 1, of ground first). NULL: has none. */
    void (*move)(cardo_constraint_parameters *parameters, const cardo_vec3 *origins);
    void *array[CARDO_CONSTRAINT_ARRAYS]; /* what the parameters point to, owned; NULL: nothing */
    cardo_compiled_function *function;    /* likewise                                          */
} cardo_model_constraint;

/* A force field as the model file names it; paths resolved. */
typedef struct cardo_model_forcefield {
    int line;
    int nfile;
    char **file;
    char *system;          /* serialized OpenMM System instead of files, or NULL                */
    char parameters[256];  /* of a coarse-grained energy, "name=value, name=value", or ""      */
    char solvent[32];      /* "obc2" and its like, "none", or "" when a file brings its own     */
    double ionic_strength; /* of the solvent, mol/L; 0: none                                   */
    double kappa;          /* the same as an inverse length, 1/nm; 0: as ionic_strength says    */
    char method[32];       /* "all-pairs", "no-cutoff", "cutoff"                                */
    double cutoff;         /* nm                                                                */
    char provider[16];     /* "auto", "rigid", "openmm"                                         */
    bool full_precision;   /* of provider rigid: all in double                                */
    double tolerance;      /* of provider rigid: relative error of forces on bodies; 0: exact   */
    char kernels[16];      /* of provider rigid: "auto", "avx512", "avx2", "plain"              */
    char check[16]; /* who judges provider rigid: "auto", "Reference", "CPU", "sums", "no"    */
    char platform[32];
    char properties[256];
    int threads;
    char table[256]; /* ranges of the coordinates to tabulate, "-0.1:1.1, 0:0.5", or "": no table */
    bool table_set;  /* by a setting, not by the model file                                       */
    double table_error, table_relative; /* force error allowed: kJ/mol per unit, fraction of |F| */
    int table_evaluations;              /* the most that the table may take                     */
    char *curve; /* measured scattering that pulls, or NULL                                */
    double curve_weight, curve_c1, curve_c2, curve_low,
        curve_high; /* kJ/mol; q 1/nm, high 0: all */
    bool curve_background;
} cardo_model_forcefield;

/* A study element (<simulate>, ...) as name="value" pairs; field tables of the study give them
 * meaning. */
typedef struct cardo_model_study {
    char *verb;
    int line;
    int noption;
    char **option, **value;
    bool *set; /* by a setting, in place of the file                             (noption)   */
} cardo_model_study;

struct cardo_model {
    char *path; /* of the model file, "" when made on the command line               */
    char *name;
    int nstructure;
    cardo_model_structure *structure;
    int nbody;
    cardo_model_body *body; /* parents before children                                           */
    int *atom_body;         /* body index of each atom of the reference      (natom)             */
    double *deposited; /* positions of the reference before conformers were chosen (natom x 3), or
                          NULL: as they are                                                 */
    int nadopted; /* residues that no domain and no hinge claims (only in models made from a pair):
                     they ride with their neighbours and are not fitted                      */
    int ncut;
    cardo_model_cut *cut;
    int nconstraint;
    cardo_model_constraint *constraint;
    int nligand;
    cardo_model_ligand *ligand;
    bool apo; /* what <ligand> names is left out                                               */
    char *start_file;          /* of the coordinates to begin at; NULL: none                   */
    cardo_named_numbers start; /* these, by their names                                        */
    bool has_forcefield;
    cardo_model_forcefield forcefield;
    int nstudy;
    cardo_model_study *study;
};

/* A model from two structure files and three selections, without a model file. Paths may end in #chain or #model:chain
 * ("2mcg.pdb#1"). hinge may be NULL. Residues that none of the three names ride with their
 * neighbours. interpolation: "screw" or "euler". label_numbering: the selections name chains and
 * residues as mmCIF numbers them; a file of another format is CARDO_ERROR_INPUT then. */
cardo_status cardo_model_from_pair(const char *open_path, const char *closed_path,
                                   const char *stationary, const char *mobile, const char *hinge,
                                   const char *interpolation, bool label_numbering,
                                   cardo_model **out, cardo_error *error);

/* The wells that hold free ligands, with frames and points in the frames of the compiled system's bodies. well: nligand; returns
 * how many there are. */
int cardo_model_wells(const cardo_model *model, const cardo_system *system,
                      cardo_flat_bottom *well);

/* The body of this name, -1 where there is none. */
int cardo_model_find_body(const cardo_model *model, const char *name);

/* Takes all constraints out of a model, as where its joints are let go. */
void cardo_model_drop_constraints(cardo_model *model);
/* Nothing is prescribed any more; motions stay their owners'. */
void cardo_model_drop_motions(cardo_model *model);

/* How far the cut bonds are stretched: lengths (nm) of every cut (rows) at the given fractions of
 * all paths moved together (0: first structure, 1: last; other joints stand still).
 * lengths: ncut x nfraction. */
cardo_status cardo_model_cut_lengths(const cardo_model *model, int nfraction,
                                     const double *fractions, double *lengths, cardo_error *error);

/* Puts the coordinates of all hinges that were fitted to several structures where the last of these has them; others
 * in q (nq) stay. Returns how many such hinges there are but for the one with this speed (-1: all count). */
int cardo_model_last_q(const cardo_model *model, const cardo_system *system, int speed, double *q);

#endif
