#include "io/run/folder_writer.h"

#include "base/memory.h"
#include "base/output.h"
#include "cardo/files.h"
#include "io/checkpoint/snapshot_file.h"
#include "io/plots/pictures.h"
#include "io/results/result_printer.h"
#include "io/tables/plumed_table.h"
#include "io/trajectory/trajectory.h"
#include "structure/pdb/pdb.h"

#include <string.h>

/* One of the two. */
struct cardo_series {
    cardo_table *table;
    cardo_trajectory *trajectory;
    bool velocities; /* the trajectory holds them */
};

cardo_status cardo_folder_path(const char *folder, const char *name, const char *extension,
                               char **out, cardo_error *error)
{
    const size_t n = strlen(folder) + strlen(name) + (extension ? strlen(extension) : 0) + 3;
    cardo_status status = cardo_allocate((void **)out, n, 1, error);
    if (status == CARDO_OK)
        snprintf(*out, n, "%s/%s%s%s", folder, name, extension ? "." : "",
                 extension ? extension : "");
    return status;
}

const char *cardo_folder_structure(const char *folder, const char *stem)
{
    char *path;
    if (cardo_folder_path(folder, stem, "cif", &path, NULL) != CARDO_OK)
        return "pdb";
    const bool found = cardo_file_exists(path);
    cardo_free(path);
    return found ? "cif" : "pdb";
}

static cardo_status path_of(const void *user, const char *name, const char *extension, char **out,
                            cardo_error *error)
{
    const cardo_folder *folder = user;
    return cardo_folder_path(folder->path, name, extension, out, error);
}

static cardo_status open_plumed(const char *path, const cardo_table_head *head, long long extent,
                                cardo_table **out, cardo_error *error)
{
    const char **fields;
    cardo_status status = CARDO_ALLOCATE(&fields, head->ncolumn, error);
    if (status != CARDO_OK)
        return status;
    for (int k = 0; k < head->ncolumn; ++k)
        fields[k] = head->columns[k].name;
    const cardo_plumed_header header = {head->ncolumn, fields, head->nset, head->sets};
    status = extent < 0 ? cardo_plumed_table_create(path, &header, out, error)
                        : cardo_plumed_table_continue(path, &header, extent, out, error);
    cardo_free(fields);
    return status;
}

static cardo_status open_table(void *user, const char *name, const cardo_table_head *head,
                               long long extent, cardo_series **out, cardo_error *error)
{
    cardo_status status;
    char *path = NULL;
    CARDO_TRY(CARDO_ALLOCATE(out, 1, error));
    CARDO_TRY(path_of(user, name, NULL, &path, error));
    cardo_table **table = &(*out)->table;
    if (head->plumed)
        status = open_plumed(path, head, extent, table, error);
    else
        status = extent < 0 ? cardo_table_create(path, head->columns, head->ncolumn, table, error)
                            : cardo_table_continue(path, head->columns, head->ncolumn, extent,
                                                   table, error);
done:
    cardo_free(path);
    if (status != CARDO_OK) {
        cardo_free(*out);
        *out = NULL;
    }
    return status;
}

static cardo_status open_trajectory(void *user, const char *stem, const cardo_trajectory_head *head,
                                    long long extent, cardo_series **out, cardo_error *error)
{
    cardo_status status;
    char *path = NULL;
    const cardo_trajectory_info info = {.natom = head->natom,
                                        .structure = head->structure,
                                        .title = head->title,
                                        .timestep = head->timestep,
                                        .interval = head->interval,
                                        .velocities = head->velocities};
    const cardo_trajectory_format *format =
        head->format >= 0                        ? cardo_trajectory_formats[head->format]
        : cardo_pdb_holds(head->structure, NULL) ? &cardo_trajectory_pdb
                                                 : &cardo_trajectory_cif;
    CARDO_TRY(CARDO_ALLOCATE(out, 1, error));
    CARDO_TRY(path_of(user, stem, format->extension, &path, error));
    cardo_trajectory **trajectory = &(*out)->trajectory;
    (*out)->velocities = head->velocities && format->velocities;
    status = extent < 0 ? cardo_trajectory_create(format, path, &info, trajectory, error)
                        : cardo_trajectory_continue(format, path, &info, extent, trajectory, error);
done:
    cardo_free(path);
    if (status != CARDO_OK) {
        cardo_free(*out);
        *out = NULL;
    }
    return status;
}

static cardo_status add(cardo_series *self, double time, const double *values,
                        const double *velocities, cardo_error *error)
{
    return self->table ? cardo_table_write(self->table, values, error)
                       : cardo_trajectory_write(self->trajectory, time, values,
                                                self->velocities ? velocities : NULL, error);
}

static cardo_status flush(cardo_series *self, cardo_error *error)
{
    return self->table ? cardo_table_flush(self->table, error)
                       : cardo_trajectory_flush(self->trajectory, error);
}

static long long extent_of(const cardo_series *self)
{
    return self->table ? cardo_table_length(self->table)
                       : cardo_trajectory_frames(self->trajectory);
}

static cardo_status close_series(cardo_series *self, cardo_error *error)
{
    cardo_status status = self->table ? cardo_table_close(self->table, error)
                                      : cardo_trajectory_close(self->trajectory, error);
    cardo_free(self);
    return status;
}

static cardo_status print(void *user, const char *name, cardo_print_file print_text,
                          const void *self, cardo_error *error)
{
    cardo_status status;
    char *path = NULL;
    cardo_output output = {0};
    CARDO_TRY(path_of(user, name, NULL, &path, error));
    CARDO_TRY(cardo_output_open(&output, path, error));
    CARDO_TRY(print_text(self, output.stream, error));
    status = cardo_output_commit(&output, error);
done:
    cardo_output_abandon(&output);
    cardo_free(path);
    return status;
}

static cardo_status write_structure(void *user, const char *stem, const cardo_structure *structure,
                                    const double *positions, cardo_error *error)
{
    char *path = NULL;
    const char *dot = strrchr(stem, '.');
    const bool said = dot && (strcmp(dot, ".pdb") == 0 || strcmp(dot, ".cif") == 0);
    cardo_status status = path_of(
        user, stem, said ? NULL : cardo_structure_extension(structure, positions), &path, error);
    if (status == CARDO_OK)
        status = cardo_structure_write(path, structure, positions, error);
    cardo_free(path);
    return status;
}

static cardo_status write_result(void *user, const cardo_result *part, const char *nested,
                                 const char *name, cardo_error *error)
{
    cardo_status status;
    const cardo_folder *folder = user;
    char *path = NULL;
    if (!name)
        return cardo_result_write_files(part, folder->path, error);
    CARDO_TRY(path_of(user, name, NULL, &path, error));
    status = nested ? cardo_result_write_nested(part, nested, path, error)
                    : cardo_result_store(part, path, error);
done:
    cardo_free(path);
    return status;
}

static cardo_status draw(void *user, const char *kind, const cardo_result *result,
                         cardo_error *error)
{
    const cardo_folder *folder = user;
    return cardo_picture_write(kind, folder->path, result, error);
}

static cardo_status save(void *user, const char *name, const char *text, size_t length,
                         const double *values, size_t nvalue, cardo_error *error)
{
    char *path = NULL;
    cardo_status status = path_of(user, name, NULL, &path, error);
    if (status == CARDO_OK)
        status = cardo_snapshot_write(path, text, length, values, nvalue, error);
    cardo_free(path);
    return status;
}

static cardo_status recall(void *user, const char *name, char **text, double **values,
                           size_t *nvalue, cardo_error *error)
{
    char *path = NULL;
    cardo_status status = path_of(user, name, NULL, &path, error);
    if (status == CARDO_OK)
        status = cardo_snapshot_read(path, text, values, nvalue, error);
    cardo_free(path);
    return status;
}

cardo_writer cardo_folder_writer(cardo_folder *folder)
{
    return (cardo_writer){.size = sizeof(cardo_writer),
                          .user = folder,
                          .place = folder->path,
                          .open_table = open_table,
                          .open_trajectory = open_trajectory,
                          .add = add,
                          .flush = flush,
                          .extent = extent_of,
                          .close = close_series,
                          .print = print,
                          .structure = write_structure,
                          .result = write_result,
                          .picture = draw,
                          .save = save,
                          .recall = recall};
}
