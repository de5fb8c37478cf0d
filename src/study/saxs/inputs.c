#include "study/saxs/context.h"

#include "base/letters.h"

#include <stdio.h>
#include <string.h>

static bool ends_with(const char *path, const char *ending)
{
    const char *hash = strrchr(path, '#');
    size_t n = hash ? (size_t)(hash - path) : strlen(path);
    const size_t m = strlen(ending);
    if (n > 3 && cardo_same_start(path + n - 3, ".gz", 3))
        n -= 3;
    return n > m && cardo_same_start(path + n - m, ending, m);
}

bool cardo_saxs_is_structure(const cardo_saxs_context *context, int k)
{
    static const char *const endings[] = {".pdb", ".ent", ".cif", ".mmcif", ".pdbx"};
    const char *path = context->options->inputs.path[k];
    for (size_t e = 0; e < sizeof endings / sizeof *endings; ++e)
        if (ends_with(path, endings[e]))
            return true;
    return false;
}

/* A trajectory, or the folder of a run that has one. */
static bool take_frames(cardo_saxs_context *context, const char *path)
{
    static const char *const inside[] = {"/trajectory.nc", "/trajectory.dcd", ""};
    const cardo_frame_reader *reader = context->options->frames;
    for (size_t k = 0; reader && k < sizeof inside / sizeof *inside; ++k) {
        snprintf(context->found, sizeof context->found, "%s%s", path, inside[k]);
        if (strlen(path) + 16 < sizeof context->found && reader->detect(context->found)) {
            context->frames_path = context->found;
            return true;
        }
    }
    return false;
}

cardo_status cardo_saxs_sort_inputs(cardo_saxs_context *context, cardo_error *error)
{
    const cardo_study_inputs *inputs = &context->options->inputs;
    int structures = 0;
    for (int k = 0; k < inputs->count; ++k) {
        const char *path = inputs->path[k];
        const bool model = ends_with(path, ".xml");
        const char **place = model ? &context->model_path : &context->curve_path;
        if (cardo_saxs_is_structure(context, k)) {
            ++structures;
            continue;
        }
        if (!model && !context->frames_path && take_frames(context, path))
            continue;
        if (*place)
            return CARDO_FAIL(
                error, CARDO_ERROR_INPUT,
                "%s and %s are both %s: one at a time; structures end in .pdb, .ent or "
                ".cif, models in .xml, and what ends otherwise is a curve",
                *place, path, model ? "models" : "curves");
        *place = path;
    }
    if (!context->curve_path)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "no curve was named: a file of q, I and sigma (.dat, .sascif)");
    if (structures == 0 && !context->model_path && !context->frames_path)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "no structure (.pdb, .cif), trajectory or model (.xml) was named for %s",
                          context->curve_path);
    return CARDO_OK;
}
