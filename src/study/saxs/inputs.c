#include "study/saxs/context.h"

#include "structure/atoms/file_kinds.h"

/* A trajectory, or the folder of a run that has one. */
static bool take_frames(cardo_saxs_context *context, const char *path)
{
    if (!cardo_file_find_frames(context->options->frames, path, context->found,
                                sizeof context->found))
        return false;
    context->frames_path = context->found;
    return true;
}

cardo_status cardo_saxs_sort_inputs(cardo_saxs_context *context, cardo_error *error)
{
    const cardo_study_inputs *inputs = &context->options->inputs;
    int structures = 0;
    for (int k = 0; k < inputs->count; ++k) {
        const char *path = inputs->path[k];
        const bool model = cardo_file_ends_with(path, ".xml");
        const char **place = model ? &context->model_path : &context->curve_path;
        if (cardo_file_is_structure(path)) {
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
