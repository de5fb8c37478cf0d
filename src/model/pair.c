#include "base/memory.h"
#include "base/number.h"
#include "base/output.h"
#include "model/internal.h"

#include <string.h>

cardo_status cardo_model_split_path(char *path, cardo_structure_definition *structure,
                                    cardo_error *error)
{
    char *mark = strrchr(path, '#');
    structure->file = path;
    if (!mark || cardo_file_exists(path))
        return CARDO_OK;
    *mark = '\0';
    char *colon = strchr(mark + 1, ':');
    structure->chains = colon ? colon + 1 : mark + 1;
    if (!colon)
        return CARDO_OK;
    *colon = '\0';
    if (!cardo_parse_int(mark + 1, (int)strlen(mark + 1), &structure->model) ||
        structure->model < 1)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s#%s:%s: '%s' is no model number; write file#chain or file#model:chain",
                          path, mark + 1, colon + 1, mark + 1);
    return CARDO_OK;
}

cardo_status cardo_model_from_pair(const char *open_path, const char *closed_path,
                                   const char *stationary, const char *mobile, const char *hinge,
                                   const char *interpolation, bool label_numbering,
                                   cardo_model **out, cardo_error *error)
{
    cardo_status status;
    char *open_copy = NULL, *closed_copy = NULL;
    cardo_structure_definition structures[2] = {
        {.id = "open", .label_numbering = label_numbering},
        {.id = "closed", .label_numbering = label_numbering}};
    cardo_domain_definition domains[2] = {{.name = "stationary", .residues = stationary},
                                          {.name = "mobile", .residues = mobile}};
    cardo_hinge_definition hinges[1] = {{.residues = hinge}};
    cardo_rigid_definition bodies[2] = {
        {.name = "stationary", .domains = "stationary", .base = "free"},
        {.name = "mobile",
         .domains = "mobile",
         .parent = "stationary",
         .joint = {.kind = "path", .interpolation = interpolation}}};
    cardo_model_definition definition = {.name = "",
                                         .adopt_rest = true,
                                         .structure = structures,
                                         .nstructure = 2,
                                         .domain = domains,
                                         .ndomain = 2,
                                         .hinge = hinges,
                                         .nhinge = hinge && hinge[0],
                                         .body = bodies,
                                         .nbody = 2};
    *out = NULL;
    CARDO_TRY(cardo_copy_string(&open_copy, open_path, error));
    CARDO_TRY(cardo_copy_string(&closed_copy, closed_path, error));
    CARDO_TRY(cardo_model_split_path(open_copy, &structures[0], error));
    CARDO_TRY(cardo_model_split_path(closed_copy, &structures[1], error));
    CARDO_TRY(cardo_model_resolve(&definition, out, error));
done:
    cardo_free(open_copy);
    cardo_free(closed_copy);
    return status;
}
