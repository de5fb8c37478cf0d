/* Where a model's forces may come from: what there is to choose from, for help and logs. A model file's <forcefield>
 * chooses (cardo_forcefield_option_list, cardo/model.h). */
#ifndef CARDO_FORCES_H
#define CARDO_FORCES_H

#include <cardo/field.h>
#include <cardo/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* OpenMM's version and the platforms that it has on this machine, as one line of text. The caller frees *out
 * (cardo_free). */
CARDO_API cardo_status cardo_platforms_describe(char **out, cardo_error *error);

typedef struct cardo_coarse_kind cardo_coarse_kind;

/* Kinds of coarse-grained energies, NULL-terminated. */
CARDO_API const cardo_coarse_kind *const *cardo_coarse_kind_list(void);
/* The file that a model names ("elastic-network.xml"), one line of help, and where the energy comes from. */
CARDO_API const char *cardo_coarse_kind_file(const cardo_coarse_kind *kind);
CARDO_API const char *cardo_coarse_kind_doc(const cardo_coarse_kind *kind);
CARDO_API const char *cardo_coarse_kind_citation(const cardo_coarse_kind *kind);
/* Its parameters; ends with a row whose name is NULL. */
CARDO_API const cardo_field *cardo_coarse_kind_options(const cardo_coarse_kind *kind);

#ifdef __cplusplus
}
#endif

#endif
