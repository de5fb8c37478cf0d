#include "io/plots/pictures.h"

#include "io/plots/free_energy_plot.h"
#include "io/plots/plot.h"
#include "io/plots/plot_modes.h"
#include "io/plots/plot_saxs.h"

#include <string.h>

/* A text of the result, or "". */
static const char *text_of(const cardo_result *result, const char *path)
{
    const cardo_result *found = cardo_result_find(result, path);
    const char *const *text = found ? cardo_result_as_texts(found) : NULL;
    return text && *text ? *text : "";
}

static cardo_status write_minimization(const char *folder, const cardo_result *result,
                                       cardo_error *error)
{
    return cardo_plot_write_minimization(folder, text_of(result, "model"), error);
}

const cardo_picture cardo_pictures[] = {
    {"trajectory", cardo_plot_write},
    {"drive", cardo_plot_write_drive},
    {"minimization", write_minimization},
    {"modes", cardo_plot_write_modes},
    {"scan", cardo_plot_write_scan},
    {"saxs", cardo_plot_write_saxs},
    {"free energy", cardo_plot_write_free_energy},
    {NULL, NULL},
};

cardo_status cardo_picture_write(const char *kind, const char *folder, const cardo_result *result,
                                 cardo_error *error)
{
    for (const cardo_picture *picture = cardo_pictures; picture->kind; ++picture)
        if (strcmp(picture->kind, kind) == 0)
            return picture->write(folder, result, error);
    return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "there are no pictures of '%s'", kind);
}
