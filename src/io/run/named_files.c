/* A writer (base/writer.h) of files that their user named. They appear when they are complete. */
#include "cardo/named_files.h"

#include "base/lock.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/writer.h"
#include "io/run/model_files.h"
#include "io/tables/table.h"
#include "structure/mmcif/mmcif.h"
#include "structure/pdb/pdb.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct cardo_named_files {
    cardo_file_names names;
    cardo_writer writer;
    char *part; /* the table while it is written */
    cardo_output output;
    cardo_lock *lock[2];
    cardo_model_files model;
};

/* A table, or the models of a file. */
struct cardo_series {
    cardo_table *table;
    FILE *stream; /* of the trajectory */
    const struct cardo_structure *structure;
    bool mmcif;
    int nframe;
};

static cardo_status open_table(void *user, const char *name, const cardo_table_head *head,
                               long long extent, cardo_series **out, cardo_error *error)
{
    cardo_named_files *self = user;
    cardo_status status;
    (void)name;
    (void)extent;
    if (!self->names.table)
        return CARDO_OK;
    const size_t n = strlen(self->names.table) + sizeof CARDO_TEMPORARY_ENDING;
    CARDO_TRY(CARDO_ALLOCATE(out, 1, error));
    CARDO_TRY(cardo_allocate((void **)&self->part, n, 1, error));
    snprintf(self->part, n, "%s%s", self->names.table, CARDO_TEMPORARY_ENDING);
    status = cardo_table_create(self->part, head->columns, head->ncolumn, &(*out)->table, error);
done:
    if (status != CARDO_OK) {
        cardo_free(*out);
        *out = NULL;
    }
    return status;
}

static cardo_status open_trajectory(void *user, const char *stem, const cardo_trajectory_head *head,
                                    long long extent, cardo_series **out, cardo_error *error)
{
    cardo_named_files *self = user;
    cardo_status status;
    (void)stem;
    (void)extent;
    if (!self->names.structures)
        return CARDO_OK;
    const bool mmcif = cardo_path_is_mmcif(self->names.structures);
    if (!mmcif && !cardo_pdb_holds(head->structure, NULL))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: a PDB file has no room for these chain names, or so many atoms: "
                          "name it .cif",
                          self->names.structures);
    CARDO_TRY(CARDO_ALLOCATE(out, 1, error));
    CARDO_TRY(cardo_output_open(&self->output, self->names.structures, error));
    **out =
        (cardo_series){.stream = self->output.stream, .structure = head->structure, .mmcif = mmcif};
done:
    if (status != CARDO_OK) {
        cardo_free(*out);
        *out = NULL;
    }
    return status;
}

static cardo_status add(cardo_series *self, double time, const double *values,
                        const double *velocities, cardo_error *error)
{
    (void)time;
    (void)velocities;
    if (self->table)
        return cardo_table_write(self->table, values, error);
    ++self->nframe;
    return self->mmcif
               ? cardo_mmcif_write_model(self->stream, self->structure, values, self->nframe, error)
               : cardo_pdb_write(self->stream, self->structure, values, self->nframe, error);
}

static cardo_status close_series(cardo_series *self, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    if (self->table)
        status = cardo_table_close(self->table, error);
    else
        fputs(self->mmcif ? "#\n" : "END\n", self->stream);
    cardo_free(self);
    return status;
}

static cardo_status write_structure(void *user, const char *stem, const cardo_structure *structure,
                                    const double *positions, cardo_error *error)
{
    const cardo_named_files *self = user;
    (void)stem;
    return self->names.structures
               ? cardo_structure_write(self->names.structures, structure, positions, error)
               : CARDO_OK;
}

static cardo_status take(cardo_named_files *self, const char *path, cardo_lock **lock,
                         cardo_error *error)
{
    if (!path)
        return CARDO_OK;
    if (!self->names.replace && cardo_file_exists(path))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s is there already: choose another name or %s", path,
                          self->names.how_to_replace ? self->names.how_to_replace : "replace it");
    return cardo_lock_file(path, self->names.holder, lock, error);
}

static cardo_status take_model(cardo_named_files *self, cardo_error *error)
{
    const cardo_file_names *names = &self->names;
    const cardo_status status = cardo_model_files_open(
        &self->model,
        &(cardo_model_files_request){names->model, names->holder, names->replace,
                                     names->how_to_replace, names->ninput, names->input},
        error);
    self->writer = self->model.writer;
    return status;
}

cardo_status cardo_named_files_open(const cardo_file_names *names, cardo_named_files **out,
                                    cardo_error *error)
{
    cardo_status status;
    cardo_named_files *self = NULL;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    CARDO_TRY(cardo_take_sized(names, names->size, &self->names, sizeof self->names,
                               "cardo_file_names", error));
    names = &self->names;
    self->writer = (cardo_writer){.size = sizeof self->writer,
                                  .user = self,
                                  .place = names->table ? names->table : names->structures,
                                  .open_table = open_table,
                                  .open_trajectory = open_trajectory,
                                  .structure = write_structure,
                                  .add = add,
                                  .close = close_series};
    if (names->table)
        CARDO_TRY(cardo_output_check(names->table, error));
    CARDO_TRY(take(self, names->table, &self->lock[0], error));
    CARDO_TRY(take(self, names->structures, &self->lock[1], error));
    if (names->model)
        CARDO_TRY(take_model(self, error));
    *out = self;
    self = NULL;
done:
    cardo_named_files_close(self);
    return status;
}

const cardo_writer *cardo_named_files_writer(const cardo_named_files *self)
{
    return &self->writer;
}

cardo_status cardo_named_files_keep(cardo_named_files *self, cardo_error *error)
{
    if (self->model.complete) /* the study says so: else it has made no model */
        cardo_model_files_commit(&self->model);
    if (self->part && rename(self->part, self->names.table) != 0)
        return CARDO_FAIL(error, CARDO_ERROR_FILE, "%s: cannot be written (%s)", self->names.table,
                          strerror(errno));
    cardo_free(self->part);
    self->part = NULL;
    return self->output.stream ? cardo_output_commit(&self->output, error) : CARDO_OK;
}

void cardo_named_files_close(cardo_named_files *self)
{
    if (!self)
        return;
    if (self->names.model)
        cardo_model_files_close(&self->model);
    if (self->part)
        unlink(self->part);
    cardo_free(self->part);
    cardo_output_abandon(&self->output);
    for (int k = 0; k < 2; ++k)
        cardo_lock_release(self->lock[k]);
    cardo_free(self);
}
