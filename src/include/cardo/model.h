/* A model: structures and a domain annotation compiled into rigid bodies and mobilizers.
 *
 * A model file (XML) is read into a cardo_model; compiling it gives a cardo_system whose stations are the atoms, in the
 * structure's order. A session (cardo/session.h) does both, and finds the forces too. */
#ifndef CARDO_MODEL_H
#define CARDO_MODEL_H

#include <cardo/constraints.h>
#include <cardo/field.h>
#include <cardo/structure.h>
#include <cardo/system.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cardo_model cardo_model;

/* Reads, validates and resolves a model file: structures are read, residues matched, domains
 * checked (empty, overlapping, naming residues that do not exist), paths fitted. overrides:
 * noverride texts "verb.option=value" or "forcefield.platform=CPU" or "model.base=welded"; unknown names are
 * errors with a suggestion. The caller owns *out. Every problem of the model file is named with file:line. */
CARDO_API cardo_status cardo_model_read(const char *path, int noverride,
                                        const char *const *overrides, cardo_model **out,
                                        cardo_error *error);

/* The options of <forcefield> besides its files, for help; ends with a row whose name is NULL. */
CARDO_API const cardo_field *cardo_forcefield_option_list(void);

/* An element that can stand in <constraints>: its name, what it does in one line, an example, and its attributes (ends with a row
 * whose name is NULL). Texts are the library's. */
typedef struct cardo_model_constraint_words {
    const char *name, *doc, *example;
    const cardo_field *attributes;
} cardo_model_constraint_words;

/* The elements of <constraints> by number, from 0. False: there are not so many, and out is left as it is. */
CARDO_API bool cardo_model_constraint_element(int number, cardo_model_constraint_words *out);

/* NULL is fine. */
CARDO_API void cardo_model_destroy(cardo_model *model);

/* Body masses, frames (origin at the centre of mass in the reference structure, axes parallel to
 * ground), mobilizers and stations. masses: natom, Da, or NULL for standard atomic weights. The
 * system is finalized; the caller owns it. Atom k is station k; body index b of the model is body b
 * + 1 of the system. */
CARDO_API cardo_status cardo_model_compile(const cardo_model *model, const double *masses,
                                           cardo_system **out, cardo_error *error);

/* Writes the generalized coordinates that the model begins at: those of the file that it names (start of <model>), else those at which
 * the system stands as the reference structure does; path coordinates that have a start of their own are there. q: cardo_system_nq
 * numbers. */
CARDO_API void cardo_model_initial_q(const cardo_model *model, const cardo_system *system,
                                     double *q);

/* Its name; its structures, of which number 0 is the reference, whose atoms make the bodies. Borrowed. */
CARDO_API const char *cardo_model_name(const cardo_model *model);
CARDO_API int cardo_model_nstructure(const cardo_model *model);
CARDO_API const cardo_structure *cardo_model_structure_at(const cardo_model *model, int k);
/* Its bodies, parents before children: name, parent (-1: ground), and the body of an atom of the reference. */
CARDO_API int cardo_model_nbody(const cardo_model *model);
CARDO_API const char *cardo_model_body_name(const cardo_model *model, int body);
CARDO_API int cardo_model_body_parent(const cardo_model *model, int body);
CARDO_API int cardo_model_atom_body(const cardo_model *model, int atom);

#ifdef __cplusplus
}
#endif

#endif
