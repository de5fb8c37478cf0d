#include "io/run/named_files.h"

#include "base/memory.h"
#include "io/tables/table.h"
#include "structure/mmcif/mmcif.h"
#include "structure/pdb/pdb.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* One of the two. */
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
    if (!self->table)
        return CARDO_OK;
    const size_t n = strlen(self->table) + sizeof CARDO_TEMPORARY_ENDING;
    CARDO_TRY(CARDO_ALLOCATE(out, 1, error));
    CARDO_TRY(cardo_allocate((void **)&self->part, n, 1, error));
    snprintf(self->part, n, "%s%s", self->table, CARDO_TEMPORARY_ENDING);
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
    if (!self->trajectory)
        return CARDO_OK;
    const bool mmcif = cardo_path_is_mmcif(self->trajectory);
    if (!mmcif && !cardo_pdb_holds(head->structure, NULL))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: a PDB file has no room for these chain names, or so many atoms: "
                          "name it .cif",
                          self->trajectory);
    CARDO_TRY(CARDO_ALLOCATE(out, 1, error));
    CARDO_TRY(cardo_output_open(&self->output, self->trajectory, error));
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

cardo_status cardo_named_files_open(cardo_named_files *self, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    if (self->table) {
        CARDO_TRY(cardo_output_check(self->table, error));
        CARDO_TRY(cardo_lock_file(self->table, self->holder, &self->lock[0], error));
    }
    if (self->trajectory)
        CARDO_TRY(cardo_lock_file(self->trajectory, self->holder, &self->lock[1], error));
    self->writer = (cardo_writer){.size = sizeof self->writer,
                                  .user = self,
                                  .place = self->table ? self->table : self->trajectory,
                                  .open_table = open_table,
                                  .open_trajectory = open_trajectory,
                                  .add = add,
                                  .close = close_series};
done:
    return status;
}

cardo_status cardo_named_files_commit(cardo_named_files *self, cardo_error *error)
{
    if (self->part && rename(self->part, self->table) != 0)
        return CARDO_FAIL(error, CARDO_ERROR_FILE, "%s: cannot be written (%s)", self->table,
                          strerror(errno));
    cardo_free(self->part);
    self->part = NULL;
    return self->output.stream ? cardo_output_commit(&self->output, error) : CARDO_OK;
}

void cardo_named_files_close(cardo_named_files *self)
{
    if (self->part)
        unlink(self->part);
    cardo_free(self->part);
    cardo_output_abandon(&self->output);
    for (int k = 0; k < 2; ++k)
        cardo_lock_release(self->lock[k]);
    *self = (cardo_named_files){0};
}
