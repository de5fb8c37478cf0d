#include "forces/rigid/model.h"

#include <string.h>

/* Pairs of blocks that share exclusions, one by one, whatever their distance; those of a shared block with itself apart. */
static void masked_pairs(const cardo_rigid_model *model, cardo_rigid_unit unit,
                         cardo_rigid_job *job, cardo_rigid_job *self, cardo_rigid_work *work)
{
    const cardo_rigid_exclusions *x = model->exclusions;
    const cardo_rigid_layout *layout = model->layout;
    const bool loosely = model->plain && model->loose && !work->clashed[unit.block];
    for (int k = x->npair > 0 ? x->first[unit.block] : 0;
         x->npair > 0 && k < x->first[unit.block + 1]; ++k) {
        cardo_rigid_job *to = x->block[k] == unit.block ? self : job;
        if (layout->body[x->block[k]] != unit.body ||
            (job->column_force && x->block[k] < unit.block))
            continue;
        to->columns = &x->block[k];
        to->ncolumn = 1;
        if (to->column_force)
            cardo_rigid_push_columns(model, work, to->columns, 1);
        const int64_t *mask = x->mask + (size_t)CARDO_BLOCK * CARDO_BLOCK * (size_t)k;
        if (loosely && to != self)
            model->kernels->pairs_masked_loosely(&model->part, &model->rules, mask, to);
        else
            model->kernels->pairs_masked(&model->full, &model->rules, mask, to);
    }
}

void cardo_rigid_unit_masked_pairs(const cardo_rigid_model *model, cardo_rigid_unit unit,
                                   cardo_rigid_work *work)
{
    cardo_rigid_job job = cardo_rigid_job_of(model, unit, work),
                    self = cardo_rigid_self_job(model, &unit, work);
    masked_pairs(model, unit, &job, &self, work);
    work->energy += job.energy + 0.5 * self.energy;
}

void cardo_rigid_unit_pairs(const cardo_rigid_model *model, cardo_rigid_unit unit,
                            cardo_rigid_work *work)
{
    cardo_rigid_job job = cardo_rigid_job_of(model, unit, work),
                    self = cardo_rigid_self_job(model, &unit, work);
    masked_pairs(model, unit, &job, &self, work);
    /* The solvent's round does the far ones of plain models, and within a tolerance all. */
    if (!(model->plain && model->loose)) {
        cardo_rigid_sort_columns(model, unit, model->near_pairs, model->rules.cutoff, true, work);
        if (model->plain)
            work->nfar = 0;
        cardo_rigid_by_distance(model, work, model->kernels->full.pairs, model->kernels->full.pairs,
                                model->kernels->single.pairs, &job);
    }
    work->energy += job.energy + 0.5 * self.energy;
}
