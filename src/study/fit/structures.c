#include "study/fit/structures.h"

#include "base/memory.h"
#include "model/internal.h"
#include "structure/pdb/pdb.h"

/* The file that is open, and what is next in it. */
struct cardo_fit_structures {
    cardo_fit_structures_choice choice;
    int file; /* of choice.path, the next one   */
    char *path;
    cardo_structure_definition d;
    int model;            /* of a structure file: the next one, 0: the first there is */
    int left;             /* models that are left; -1: nobody knows yet               */
    cardo_frames *frames; /* of a trajectory, else NULL                               */
    long long frame, end;
    cardo_structure *structure; /* the last that was read from a structure file         */
    cardo_structure moved;      /* the choice's atoms elsewhere                         */
};

cardo_status cardo_fit_structures_open(const cardo_fit_structures_choice *choice,
                                       cardo_fit_structures **out, cardo_error *error)
{
    cardo_status status = CARDO_ALLOCATE(out, 1, error);
    if (status == CARDO_OK)
        (*out)->choice = *choice;
    return status;
}

static void close_file(cardo_fit_structures *self)
{
    if (self->frames)
        self->choice.frames->close(self->frames);
    cardo_structure_destroy(self->structure);
    cardo_free(self->path);
    self->frames = NULL;
    self->structure = NULL;
    self->path = NULL;
}

void cardo_fit_structures_close(cardo_fit_structures *self)
{
    if (!self)
        return;
    close_file(self);
    cardo_free(self->moved.position);
    cardo_free(self);
}

/* Leaves out chains that are not named. */
static cardo_status choose_chains(const char *chains, cardo_structure **structure,
                                  cardo_error *error)
{
    cardo_structure *all = *structure, *part = NULL;
    bool *keep;
    int kept = 0;
    cardo_status status = CARDO_ALLOCATE(&keep, all->natom, error);
    for (int i = 0; status == CARDO_OK && i < all->natom; ++i) {
        const char *id = all->chain_id[all->residue_chain[all->atom_residue[i]]].text;
        keep[i] = cardo_model_chain_listed(id, chains);
        kept += keep[i];
    }
    if (status == CARDO_OK && kept == 0)
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s has no atoms in chains %s", all->source,
                            chains);
    if (status == CARDO_OK)
        status = cardo_structure_subset(all, keep, &part, error);
    cardo_free(keep);
    if (status == CARDO_OK) {
        cardo_structure_destroy(all);
        *structure = part;
    }
    return status;
}

static cardo_status open_trajectory(cardo_fit_structures *self, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_structure *atoms = self->choice.atoms;
    if (!self->moved.position) {
        self->moved = *atoms;
        self->moved.position = NULL;
        CARDO_TRY(CARDO_ALLOCATE(&self->moved.position, 3 * atoms->natom, error));
    }
    CARDO_TRY(self->choice.frames->open(self->d.file, atoms->natom, &self->frames, error));
    self->frame = self->d.model ? self->d.model - 1 : 0;
    self->end = self->d.model ? self->d.model : self->choice.frames->count(self->frames);
done:
    return status;
}

static cardo_status open_next(cardo_fit_structures *self, cardo_error *error)
{
    cardo_status status;
    self->d = (cardo_structure_definition){0};
    CARDO_TRY(cardo_copy_string(&self->path, self->choice.inputs.path[self->file++], error));
    CARDO_TRY(cardo_model_split_path(self->path, &self->d, error));
    if (self->choice.model > 0)
        self->d.model = self->choice.model;
    if (!self->d.chains || !self->d.chains[0])
        self->d.chains = self->choice.chains;
    self->model = self->d.model;
    self->left = self->d.model ? 1 : -1;
    if (self->choice.frames && self->choice.frames->detect(self->d.file))
        status = open_trajectory(self, error);
done:
    return status;
}

static cardo_status next_frame(cardo_fit_structures *self, const cardo_structure **structure,
                               cardo_error *error)
{
    if (self->frame >= self->end)
        return CARDO_OK;
    self->moved.model = (int)++self->frame;
    *structure = &self->moved;
    return self->choice.frames->read(self->frames, self->frame - 1, self->moved.position, error);
}

static cardo_status next_model(cardo_fit_structures *self, const cardo_structure **structure,
                               cardo_error *error)
{
    cardo_status status;
    if (self->left == 0)
        return CARDO_OK;
    cardo_structure_destroy(self->structure);
    self->structure = NULL;
    CARDO_TRY(cardo_structure_read(self->d.file, self->model, &self->structure, error));
    self->left = (self->left < 0 ? self->structure->nmodel : self->left) - 1;
    self->model = self->structure->model + 1;
    if (self->d.chains)
        CARDO_TRY(choose_chains(self->d.chains, &self->structure, error));
    *structure = self->structure;
done:
    return status;
}

cardo_status cardo_fit_structures_next(cardo_fit_structures *self, const char **file,
                                       const cardo_structure **structure, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    *structure = NULL;
    while (status == CARDO_OK && !*structure) {
        if (!self->path && self->file == self->choice.inputs.count)
            break;
        if (!self->path)
            status = open_next(self, error);
        if (status == CARDO_OK)
            status = self->frames ? next_frame(self, structure, error)
                                  : next_model(self, structure, error);
        *file = self->d.file;
        if (status == CARDO_OK && !*structure)
            close_file(self);
    }
    return status;
}
