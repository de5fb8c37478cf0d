#include "forces/rigid/model.h"

#include "base/memory.h"
#include "base/units.h"

#include <math.h>

/* Radius of the probe that makes the surface (Schaefer, Bartels & Karplus 1998). nm */
static const double probe = 0.14;
/* Nearer than this, blocks of one body are computed in double with mixed precision too: neighbours'
 * terms are the largest of an atom's sum, and cancel most. nm */
static const double near_inside = 0.2;

/* Pairs are left out by the vector; in those that are computed all that are nearer than this multiple count, as too much would be missing else. */
static const double beyond_plain = 1.6;

cardo_status cardo_rigid_solvent_create(cardo_rigid_model *model, const cardo_terms *terms,
                                        cardo_error *error)
{
    cardo_status status;
    cardo_rigid_solvent *solvent = &model->solvent;
    const cardo_rigid_layout *layout = model->layout;
    CARDO_TRY(CARDO_ALLOCATE(&solvent->inside, layout->nslot, error));
    CARDO_TRY(CARDO_ALLOCATE(&solvent->slope, layout->nslot, error));
    CARDO_TRY(CARDO_ALLOCATE(&solvent->energy, layout->nblock, error));
    CARDO_TRY(CARDO_ALLOCATE(&solvent->largest, layout->nblock, error));
    CARDO_TRY(CARDO_ALLOCATE(&solvent->clashed, layout->nblock, error));
    solvent->tension = terms->surface_area_energy;
done:
    return status;
}

bool cardo_rigid_is_tabled(const cardo_rigid_model *model)
{
    return model->has_solvent && model->loose && model->rules.kappa == 0 &&
           model->kernels->knots > 0;
}

void cardo_rigid_use_table(cardo_rigid_model *model)
{
    if (!cardo_rigid_is_tabled(model))
        return;
    cardo_rigid_tabulate_excess(model->kernels->knots, beyond_plain * model->rules.plain_beyond,
                                &model->excess);
    cardo_rigid_tabulate_bent(model->kernels->knots, &model->bent);
    model->rules.excess = &model->excess;
    model->rules.bent = &model->bent;
}

void cardo_rigid_descreen_sorted(const cardo_rigid_model *model, cardo_rigid_unit unit,
                                 cardo_rigid_work *work)
{
    cardo_rigid_job job = cardo_rigid_job_of(model, unit, work);
    if (cardo_rigid_is_shared_with_shared(model->layout, unit)) {
        cardo_rigid_job self = cardo_rigid_self_job(model, &unit, work);
        model->kernels->descreen_near_rows(&model->full, &model->rules, &self);
    }
    if (model->loose) {
        cardo_rigid_in_single(model, work, model->kernels->descreen_loosely,
                              model->kernels->single.descreen_far, &job);
        if (job.clashing)
            work->clashed[unit.block] = 1;
    } else {
        cardo_rigid_by_distance(model, work, model->kernels->descreen_near,
                                model->kernels->full.descreen_far,
                                model->kernels->single.descreen_far, &job);
    }
}

void cardo_rigid_unit_descreen(const cardo_rigid_model *model, cardo_rigid_unit unit,
                               cardo_rigid_work *work)
{
    cardo_rigid_sort_columns(model, unit, model->near_descreening, model->rules.gb_cutoff, false,
                             work);
    cardo_rigid_descreen_sorted(model, unit, work);
}

/* Shared blocks with a cutoff: the block with itself, unless it comes with all others. */
static void solvent_between(const cardo_rigid_model *model, cardo_rigid_unit unit,
                            cardo_rigid_work *work)
{
    cardo_rigid_job job = cardo_rigid_job_of(model, unit, work),
                    self = cardo_rigid_self_job(model, &unit, work);
    if (job.column_force)
        model->kernels->full.solvent(&model->full, &model->rules, &self);
    cardo_rigid_sort_columns(model, unit, model->near_pairs, model->rules.gb_cutoff, false, work);
    cardo_rigid_by_distance(model, work, model->kernels->full.solvent, model->kernels->full.solvent,
                            model->kernels->single.solvent, &job);
    work->energy += job.energy + 0.5 * self.energy;
}

/* Solvent pairs of blocks that share exclusions, which pairs.c has left out of the far ones; those of a shared block with itself apart. */
static void solvent_of_excluded(const cardo_rigid_model *model, cardo_rigid_unit unit,
                                cardo_rigid_job *job, cardo_rigid_job *self, cardo_rigid_work *work)
{
    const cardo_rigid_exclusions *x = model->exclusions;
    for (int k = x->npair > 0 ? x->first[unit.block] : 0;
         x->npair > 0 && k < x->first[unit.block + 1]; ++k) {
        cardo_rigid_job *to = x->block[k] == unit.block ? self : job;
        if (model->layout->body[x->block[k]] != unit.body ||
            (job->column_force && x->block[k] < unit.block))
            continue;
        to->columns = &x->block[k];
        to->ncolumn = 1;
        if (to->column_sum)
            cardo_rigid_touch(work, x->block[k]);
        if (to->column_force)
            cardo_rigid_push_columns(model, work, to->columns, 1);
        if (model->loose)
            model->kernels->single.solvent(&model->part, &model->rules, to);
        else
            model->kernels->full.solvent(&model->full, &model->rules, to);
    }
}

void cardo_rigid_unit_solvent_of_excluded(const cardo_rigid_model *model, cardo_rigid_unit unit,
                                          cardo_rigid_work *work)
{
    cardo_rigid_job job = cardo_rigid_job_of(model, unit, work),
                    self = cardo_rigid_self_job(model, &unit, work);
    solvent_of_excluded(model, unit, &job, &self, work);
    work->energy += job.energy + 0.5 * self.energy;
}

/* The same as solvent_between and the far blocks' pairs. */
static void pairs_and_solvent(const cardo_rigid_model *model, cardo_rigid_unit unit,
                              cardo_rigid_work *work)
{
    cardo_rigid_job job = cardo_rigid_job_of(model, unit, work),
                    self = cardo_rigid_self_job(model, &unit, work);
    /* Within a tolerance near blocks are in single precision, too. */
    const bool all_far = model->loose && !model->solvent.clashed[unit.block];
    cardo_rigid_sort_columns(model, unit, all_far ? -HUGE_VAL : model->near_pairs, 0, true, work);
    solvent_of_excluded(model, unit, &job, &self, work);
    job.anywhere = true;
    cardo_rigid_by_distance(model, work,
                            model->loose ? model->kernels->full.pairs_and_solvent
                                         : model->kernels->full.solvent,
                            model->kernels->full.pairs_and_solvent,
                            model->rules.excess ? model->kernels->tabled_pairs
                                                : model->kernels->single.pairs_and_solvent,
                            &job);
    work->energy += job.energy + 0.5 * self.energy;
    work->pair_energy += job.pair_energy;
}

static void inside_job(const cardo_rigid_model *model, bool single, cardo_rigid_job *job)
{
    if (single && model->plain)
        model->kernels->single.excess_inside(&model->part_inside, &model->rules, job);
    else if (model->plain)
        model->kernels->full.excess_inside(&model->full_inside, &model->rules, job);
    else if (single)
        model->kernels->single.solvent_inside(&model->part_inside, &model->rules, job);
    else
        model->kernels->full.solvent_inside(&model->full_inside, &model->rules, job);
}

/* Sorts the blocks after a unit's into near and far, and drops those all of whose pairs are plain.
 * In double precision all are far. */
static void sort_inside(const cardo_rigid_model *model, cardo_rigid_unit unit,
                        cardo_rigid_work *work)
{
    const cardo_rigid_layout *layout = model->layout;
    const double *largest = model->solvent.largest;
    /* A tolerance of far fields in single precision leaves room for what it loses. */
    const double near = model->loose ? -HUGE_VAL : near_inside;
    work->nnear = work->nfar = 0;
    for (int k = unit.block + 1; k < layout->first_block[unit.body + 1]; ++k) {
        double gap = cardo_rigid_gap(&layout->block_sphere[unit.block], &layout->block_sphere[k]);
        double limit = 4 * model->rules.plain_beyond * largest[unit.block] * largest[k];
        if (model->plain && gap > 0 && gap * gap > limit)
            continue;
        if (model->single && gap <= near)
            work->near[work->nnear++] = k;
        else
            work->far[work->nfar++] = k;
    }
}

/* The block with itself gives every pair twice, and each atom's own energy once, all of which count
 * half; its rows alone already hold the sums of all its atoms. */
static void solvent_inside(const cardo_rigid_model *model, cardo_rigid_unit unit,
                           cardo_rigid_work *work)
{
    cardo_rigid_job self = cardo_rigid_self_job(model, &unit, work),
                    job = cardo_rigid_job_of(model, unit, work);
    inside_job(model, false, &self);
    sort_inside(model, unit, work);
    cardo_rigid_touch_all(work, work->near, work->nnear);
    cardo_rigid_touch_all(work, work->far, work->nfar);
    job.columns = work->near;
    job.ncolumn = work->nnear;
    inside_job(model, false, &job);
    job.columns = work->far;
    job.ncolumn = work->nfar;
    inside_job(model, model->single, &job);
    work->energy += job.energy + 0.5 * self.energy;
}

/* The same of what two radii do together; the rest is added where sums are (cardo_rigid_block_chain). */
static void together_inside(const cardo_rigid_model *model, cardo_rigid_unit unit,
                            cardo_rigid_work *work)
{
    /* Energies of neighbours are so large that second derivatives would not do. */
    static const float much = 1e3F;
    float matters;
    cardo_rigid_job self = cardo_rigid_self_job(model, &unit, work),
                    job = cardo_rigid_job_of(model, unit, work);
    self.matters = &matters;
    self.most_grown = &much;
    if (cardo_rigid_by_radius_own(model, unit.block, &matters))
        model->kernels->together_inside(&model->part, &model->rules, &self);
    job.columns = work->far;
    job.ncolumn = cardo_rigid_by_radius_columns(model, unit.block, work);
    job.matters = work->matters;
    job.most_grown = work->most_grown;
    cardo_rigid_touch_all(work, work->far, job.ncolumn);
    model->kernels->together_inside(&model->part, &model->rules, &job);
    work->energy += job.energy + 0.5 * self.energy;
}

void cardo_rigid_unit_solvent(const cardo_rigid_model *model, cardo_rigid_unit unit,
                              cardo_rigid_work *work)
{
    if (model->layout->body[unit.block] == unit.body &&
        !cardo_rigid_is_shared(model->layout, unit.body))
        (model->solvent.by_radius ? together_inside : solvent_inside)(model, unit, work);
    else if (model->plain)
        pairs_and_solvent(model, unit, work);
    else
        solvent_between(model, unit, work);
}

void cardo_rigid_chain_sorted(const cardo_rigid_model *model, cardo_rigid_unit unit,
                              cardo_rigid_work *work)
{
    cardo_rigid_job job = cardo_rigid_job_of(model, unit, work);
    if (job.column_force) {
        cardo_rigid_job self = cardo_rigid_self_job(model, &unit, work);
        model->kernels->chain_near(&model->full, &model->rules, &self);
    }
    if (model->loose)
        cardo_rigid_in_single(model, work, model->kernels->chain_loosely,
                              model->kernels->single.chain_far, &job);
    else
        cardo_rigid_by_distance(model, work, model->kernels->chain_near,
                                model->kernels->full.chain_far, model->kernels->single.chain_far,
                                &job);
}

void cardo_rigid_unit_chain(const cardo_rigid_model *model, cardo_rigid_unit unit,
                            cardo_rigid_work *work)
{
    cardo_rigid_sort_columns(model, unit, model->near_descreening, model->rules.gb_cutoff, false,
                             work);
    cardo_rigid_chain_sorted(model, unit, work);
}

void cardo_rigid_block_radii(cardo_rigid_model *model, int block)
{
    cardo_rigid_solvent *solvent = &model->solvent;
    double sums[CARDO_BLOCK];
    cardo_rigid_sum_slots(model, &model->between, block, sums);
    solvent->largest[block] = 0;
    solvent->clashed[block] = false;
    for (int task = 0; task < model->between.ntask; ++task)
        if (model->work[task].clashed && model->work[task].clashed[block])
            solvent->clashed[block] = true;
    for (int k = 0; k < model->layout->count[block]; ++k) {
        const int slot = CARDO_BLOCK * block + k;
        const double born = cardo_rigid_born_radius(model, slot, solvent->inside[slot] + sums[k],
                                                    &solvent->slope[slot]);
        solvent->largest[block] = fmax(solvent->largest[block], born);
        cardo_rigid_set_born(model, slot, born);
    }
    /* Slots left over must not make pairs seem to matter. */
    const int last = CARDO_BLOCK * block + model->layout->count[block] - 1;
    for (int slot = last + 1; slot < CARDO_BLOCK * (block + 1); ++slot)
        cardo_rigid_set_born(model, slot, model->full.born[last]);
    if (cardo_rigid_block_is_by_radius(model, block))
        cardo_rigid_by_radius_weigh(model, block);
}

/* Of an atom whose Born radius is its own, times that radius to the sixth. kJ/mol nm^6 */
static double surface_energy(const cardo_rigid_model *model, int slot)
{
    const double radius = cardo_rigid_radius(model, slot), r2 = radius * radius;
    return 4 * CARDO_PI * model->solvent.tension * (radius + probe) * (radius + probe) * r2 * r2 *
           r2;
}

void cardo_rigid_block_chain(cardo_rigid_model *model, int block)
{
    const cardo_rigid_view_double *full = &model->full;
    cardo_rigid_solvent *solvent = &model->solvent;
    double sums[CARDO_BLOCK], energy = 0;
    cardo_rigid_sum_slots(model, &model->all, block, sums);
    if (cardo_rigid_block_is_by_radius(model, block))
        energy = cardo_rigid_by_radius_add(model, block, sums);
    for (int k = 0; k < model->layout->count[block]; ++k) {
        const int slot = CARDO_BLOCK * block + k;
        double inverse = 2 * full->half_inverse_born[slot], inverse2 = inverse * inverse;
        double surface = surface_energy(model, slot) * inverse2 * inverse2 * inverse2;
        double by_radius = 0.5 * full->gb_charge[slot] * sums[k] - 6 * surface * inverse;
        full->chain[slot] = by_radius * solvent->slope[slot];
        model->part.chain[slot] = (float)full->chain[slot];
        energy += surface;
    }
    solvent->energy[block] = energy;
}
