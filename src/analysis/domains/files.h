/* Files that say what domains were found: the annotation, a model file that runs, and scripts for
 * PyMOL and ChimeraX. Each is a cardo_print_file (base/writer.h) of a cardo_domain_files. */
#ifndef CARDO_ANALYSIS_DOMAINS_FILES_H
#define CARDO_ANALYSIS_DOMAINS_FILES_H

#include "analysis/domains/motions.h"

#include <stdio.h>

/* A structure as a model file names it; texts are borrowed. */
typedef struct cardo_domain_source {
    const char *id;
    const char *file;   /* as seen from the folder of the file that is written               */
    const char *chains; /* ids, or NULL: all                                                 */
    int model;          /* serial, or 0: the first                                           */
    double identity;    /* that is enough for a match, or 0: by the rule                     */
    const char *note;   /* that runs of the model shall repeat, or NULL                      */
} cardo_domain_source;

/* A molecule that is a body of its own. */
typedef struct cardo_domain_ligand {
    char name[32], residues[160], body[32]; /* body: that it hangs on */
    bool free;                              /* it moves near its site, else it is welded */
} cardo_domain_ligand;

/* A torsion, or an angle that a path has beside its coordinate, that goes with a hinge: its change is a natural cubic spline of the hinge's coordinate, constant beyond the ends. */
enum { CARDO_LED_PLACES = 11, CARDO_LED_NAME = 48 };
typedef struct cardo_led_torsion {
    char torsion[CARDO_LED_NAME]; /* its body in the model, such as "A:90.psi", or "domain2.2" */
    char hinge[CARDO_LED_NAME];   /* the body that hangs on the hinge                            */
    double q[CARDO_LED_PLACES];   /* of the hinge, rising                                        */
    double value[CARDO_LED_PLACES]; /* there, rad                                                */
} cardo_led_torsion;

/* Where the first source has the body of a path: its coordinates, rad and nm. */
typedef struct cardo_domain_stand {
    char body[CARDO_LED_NAME];
    int nq;
    double q[6]; /* (nq) */
} cardo_domain_stand;

typedef struct cardo_domain_files {
    const char *name; /* of the model                                     */
    const char
        *start; /* file of the coordinates to begin at, as seen from the model's; NULL: none */
    const cardo_structure *reference; /* as the first source has it                       */
    const cardo_domain_motions *motions;
    cardo_domain_source source[2]; /* reference and target                             */
    const cardo_domain_source *
        from; /* with giving: the structure that motions begin in, of which the reference was made; NULL: that itself */
    int nstand;
    const cardo_domain_stand *stand; /* with from (nstand) */
    const char *annotation;          /* the annotation's file, as seen from the model's  */
    const char *forcefield;          /* names of force-field files                       */
    bool coarse;                     /* it is a coarse-grained energy: no solvent, no cutoff     */
    bool predicted; /* the target is a displaced copy of the reference: joints are pins about the
                       found axes, and the second source is not named                        */
    bool strands; /* with predicted, by predicted errors: domains hang on the strands that give way,
                       and no motion is known                                                   */
    const char *joint; /* one of cardo_domain_joints, NULL: "path", or "pin" when predicted      */
    bool welded;       /* the root is fixed to ground instead of free                            */
    /* Residues of the reference whose backbone turns, with side chains that come near other domains (nresidue), or NULL: domains
     * are rigid throughout. */
    const bool *giving;
    const bool *
        turning; /* with giving: residues whose side chains turn (nresidue), NULL: those that come near other domains */
    bool settled; /* with giving: side chains of the reference stay as they are                 */
    const int *
        lead; /* hinges that go with another by one coordinate, that of hinge lead[k] (nhinge), as cardo_hinge_copies has it; NULL: none */
    int nligand;
    const cardo_domain_ligand *ligand; /* (nligand) */
    int nled;
    const cardo_led_torsion *led; /* (nled) */
} cardo_domain_files;

/* Joints that a model can be written with: path, hinge (a path with two angles more), pin, ball,
 * free; NULL-terminated. A prediction has no path. */
extern const char *const cardo_domain_joints[];

/* <annotation> with a domain and the bending residues of every body. */
cardo_status cardo_domain_annotation_print(const void *files, FILE *stream, cardo_error *error);

/* A model with the tree of domains, their joints, a force field, and studies. */
cardo_status cardo_domain_model_print(const void *files, FILE *stream, cardo_error *error);

/* Scripts that load both structures, superpose them by the root domain, colour the domains, and
 * draw each hinge's axis as an arrow by the right-hand rule. */
cardo_status cardo_domain_pymol_print(const void *files, FILE *stream, cardo_error *error);
cardo_status cardo_domain_chimerax_print(const void *files, FILE *stream, cardo_error *error);

#endif
