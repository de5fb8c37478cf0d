/* A PDB file with one MODEL a frame: large, but every viewer plays it. */
#include "io/trajectory/trajectory.h"

#include "io/trajectory/model_file.h"
#include "structure/pdb/pdb.h"

#include <string.h>

/* Byte after the count-th ENDMDL record, or -1 when there are fewer. */
static long long find_end(FILE *stream, long long count, int natom)
{
    (void)natom;
    char line[256];
    long long seen = 0;
    if (count == 0)
        return 0;
    while (fgets(line, sizeof line, stream))
        if (strncmp(line, "ENDMDL", 6) == 0 && ++seen == count)
            return ftello(stream);
    return -1;
}

static const cardo_model_file_kind models = {
    .last = "END\n", .find_end = find_end, .write = cardo_pdb_write};

static cardo_status pdb_open(const char *path, const cardo_trajectory_info *info, long long frames,
                             void **file, cardo_error *error)
{
    *file = NULL;
    if (!info->structure || info->structure->natom != info->natom)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "%s: a PDB trajectory needs the structure that its atoms come from",
                          path);
    if (!cardo_pdb_holds(info->structure, NULL))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: a PDB file has no room for these chain names, or so many atoms: "
                          "choose netcdf, dcd or cif as the trajectory's format",
                          path);
    return cardo_model_file_open(&models, path, info->structure, frames, file, error);
}

const cardo_trajectory_format cardo_trajectory_pdb = {
    .name = "pdb",
    .extension = "pdb",
    .doc = "PDB file with one model a frame",
    .open = pdb_open,
    .write = cardo_model_file_write,
    .flush = cardo_model_file_flush,
    .close = cardo_model_file_close,
};
