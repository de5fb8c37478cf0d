/* What is constant: energies of pairs inside bodies, and descreening by the own body: over all pairs, by the kernels in double precision, or
 * within a tolerance by far fields. */
#include "forces/rigid/inside_far.h"

#include "base/memory.h"

#include <string.h>

enum { COLUMNS = 256 /* blocks of one call of a kernel */ };

typedef struct inside_job {
    const cardo_inside *inside;
    double *descreening;         /* of atoms by their body (nslot)   */
    cardo_inside_energy *energy; /* of each task                     */
} inside_job;

/* Pairs of a block's atoms with those after them in their body. */
static void block_pairs(void *arg, int block)
{
    const inside_job *job = arg;
    const cardo_inside *inside = job->inside;
    const cardo_rigid_layout *layout = inside->model->layout;
    const double cutoff = inside->plain.cutoff;
    cardo_inside_energy *energy = &job->energy[block];
    int columns[COLUMNS], n = 0, tied = inside->first_tied[block];
    const int last = inside->first_tied[block + 1];
    if (cardo_rigid_is_shared(layout, layout->body[block])) {
        cardo_inside_small_bodies(inside, block, energy);
        return;
    }
    cardo_inside_by_atoms(inside, block, block, energy);
    for (int k = block + 1; k < layout->first_block[layout->body[block] + 1]; ++k) {
        while (tied < last && inside->tied[tied] < k)
            ++tied;
        if (tied < last && inside->tied[tied] == k) {
            cardo_inside_by_atoms(inside, block, k, energy);
            continue;
        }
        if (cutoff > 0 &&
            cardo_rigid_gap(&layout->block_sphere[block], &layout->block_sphere[k]) > cutoff)
            continue;
        columns[n++] = k;
        if (n == COLUMNS) {
            cardo_inside_by_blocks(inside, block, n, columns, 1, energy);
            n = 0;
        }
    }
    cardo_inside_by_blocks(inside, block, n, columns, 1, energy);
}

/* Blocks that descreen another, to be taken together. */
typedef struct columns {
    int n, block[COLUMNS];
} columns;

static void descreen_by(const inside_job *job, int block, bool near, columns *by)
{
    const cardo_rigid_model *model = job->inside->model;
    cardo_rigid_job rows = {.block = block,
                            .count = model->layout->count[block],
                            .columns = by->block,
                            .ncolumn = by->n,
                            .row_sum = job->descreening + CARDO_BLOCK * block};
    if (near)
        model->kernels->descreen_near_rows(job->inside->view, &model->rules, &rows);
    else
        model->kernels->full.descreen_rows(job->inside->view, &model->rules, &rows);
    by->n = 0;
}

static void block_descreening(void *arg, int block)
{
    const inside_job *job = arg;
    const cardo_rigid_model *model = job->inside->model;
    const cardo_rigid_layout *layout = model->layout;
    const int body = layout->body[block];
    const double cutoff = model->rules.gb_cutoff;
    columns near = {0}, far = {0};
    for (int k = layout->first_block[body]; k < layout->first_block[body + 1]; ++k) {
        const double gap = cardo_rigid_gap(&layout->block_sphere[block], &layout->block_sphere[k]);
        if (cutoff > 0 && gap > cutoff)
            continue;
        /* the far ones' kernel knows no cutoff */
        const bool is_near = k == block || cutoff > 0 || gap <= model->near_descreening;
        columns *by = is_near ? &near : &far;
        by->block[by->n++] = k;
        if (by->n == COLUMNS)
            descreen_by(job, block, is_near, by);
    }
    descreen_by(job, block, true, &near);
    descreen_by(job, block, false, &far);
}

static void far_pairs(void *arg, int task)
{
    const inside_job *job = arg;
    cardo_inside_far_task(job->inside, task, &job->energy[task]);
}

static void far_descreening(void *arg, int task)
{
    const inside_job *job = arg;
    const cardo_rigid_model *model = job->inside->model;
    cardo_far_descreen_inside(model, task, &model->work[task]);
}

static void shared_pairs(void *arg, int k)
{
    const inside_job *job = arg;
    const cardo_rigid_layout *layout = job->inside->model->layout;
    cardo_inside_small_bodies(job->inside, layout->first_block[layout->nbody] + k, &job->energy[k]);
}

static void add_energies(cardo_rigid_model *model, int n, cardo_inside_energy *energy)
{
    for (int k = 0; k < n; ++k) {
        model->constant[CARDO_RIGID_NONBONDED] += energy[k].pairs;
        model->constant[CARDO_RIGID_GB] += energy[k].solvent;
        energy[k] = (cardo_inside_energy){0, 0};
    }
}

static void sum_all(cardo_rigid_model *model, inside_job *job)
{
    const int nblock = model->layout->nblock;
    /* The solvent's pairs in blocks that bodies share are computed with all others. */
    const int own = model->layout->first_block[model->layout->nbody];
    if (model->has_pairs)
        cardo_pool_run(model->pool, nblock, block_pairs, job);
    add_energies(model, nblock, job->energy);
    if (model->has_solvent)
        cardo_pool_run(model->pool, own, block_descreening, job);
}

/* The same where a tolerance allows far fields. Bodies stand in their own frames, all in one place, and none acts on another. */
static void sum_by_far_fields(cardo_rigid_model *model, inside_job *job)
{
    const cardo_rigid_layout *layout = model->layout;
    const int own = layout->first_block[layout->nbody];
    cardo_far_aim_inside(model);
    cardo_pool_run(model->pool, model->far->rows.ntask, far_pairs, job);
    add_energies(model, model->far->rows.ntask, job->energy);
    cardo_pool_run(model->pool, layout->nblock - own, shared_pairs, job);
    add_energies(model, layout->nblock - own, job->energy);
    if (model->has_solvent) {
        cardo_pool_run(model->pool, model->far->rows.ntask, far_descreening, job);
        memcpy(model->solvent.inside, model->far->volumes.sum,
               sizeof(double) * CARDO_BLOCK * (size_t)own);
    }
}

cardo_status cardo_rigid_inside(cardo_rigid_model *model, const cardo_terms *terms,
                                cardo_error *error)
{
    cardo_status status;
    cardo_inside inside = {.model = model,
                           .view = model->far ? &model->full : &model->full_inside,
                           .plain = model->rules};
    inside_job job = {.inside = &inside, .descreening = model->solvent.inside};
    const bool single = model->single;
    inside.plain.plain_beyond = -1;
    CARDO_TRY(cardo_inside_list(&inside, terms, error));
    CARDO_TRY(CARDO_ALLOCATE(&job.energy, model->layout->nblock, error));
    model->single = false; /* what is done once is done in double */
    if (model->far)
        sum_by_far_fields(model, &job);
    else
        sum_all(model, &job);
    model->single = single;
done:
    cardo_free(job.energy);
    cardo_inside_clear(&inside);
    return status;
}
