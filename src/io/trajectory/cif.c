/* A mmCIF file with one model a frame, for structures that a PDB file has no room for. */
#include "io/trajectory/trajectory.h"

#include "io/trajectory/model_file.h"
#include "structure/mmcif/mmcif.h"

#include <string.h>

/* Byte after the row of the last atom, or -1 when there are fewer. */
static long long find_end(FILE *stream, long long count, int natom)
{
    char line[256];
    long long seen = 0;
    count *= natom;
    bool starts = true; /* a line begins here */
    if (count == 0)
        return 0;
    while (fgets(line, sizeof line, stream)) {
        seen += starts && (strncmp(line, "ATOM ", 5) == 0 || strncmp(line, "HETATM ", 7) == 0);
        starts = strchr(line, '\n') != NULL;
        if (seen == count && starts)
            return ftello(stream);
    }
    return -1;
}

static const cardo_model_file_kind models = {
    .last = "#\n", .find_end = find_end, .write = cardo_mmcif_write_model};

static cardo_status cif_open(const char *path, const cardo_trajectory_info *info, long long frames,
                             void **file, cardo_error *error)
{
    *file = NULL;
    if (!info->structure || info->structure->natom != info->natom)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "%s: a mmCIF trajectory needs the structure that its atoms come from",
                          path);
    return cardo_model_file_open(&models, path, info->structure, frames, file, error);
}

const cardo_trajectory_format cardo_trajectory_cif = {
    .name = "cif",
    .extension = "cif",
    .doc = "mmCIF file with one model a frame",
    .open = cif_open,
    .write = cardo_model_file_write,
    .flush = cardo_model_file_flush,
    .close = cardo_model_file_close,
};
