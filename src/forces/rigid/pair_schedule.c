#include "forces/rigid/model.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* More tasks share better among threads, and cost more sums, which weigh more where there are few blocks. */
enum { LEAST_TASKS = 24, MOST_TASKS = 48, BLOCKS_A_TASK = 16 };

static int blocks_of(const cardo_rigid_layout *layout, int body)
{
    return layout->first_block[body + 1] - layout->first_block[body];
}

/* What a block of a tree of shared ones takes, in blocks that it would meet by atoms, about. */
static const double columns_in_tree = 150;

static double unit_cost(const cardo_rigid_layout *layout, cardo_rigid_unit unit)
{
    if (unit.body == CARDO_RIGID_TREE)
        return CARDO_BLOCK * CARDO_FAR_SHARED_BLOCKS * columns_in_tree;
    int own = layout->body[unit.block];
    int columns =
        unit.body == own ? layout->first_block[own + 1] - unit.block : blocks_of(layout, unit.body);
    return layout->count[unit.block] * (columns + 0.5);
}

static void add_units(const cardo_rigid_layout *layout, int rows, int columns,
                      cardo_rigid_schedule *round)
{
    for (int k = layout->first_block[rows]; k < layout->first_block[rows + 1]; ++k)
        round->unit[round->nunit++] = (cardo_rigid_unit){k, columns};
}

/* Of two bodies the smaller gives the rows: then most columns are full. Shared blocks always give them. Where own is false, they
 * alone do, but for pairs inside bodies. */
static cardo_status list_units(const cardo_rigid_model *model, bool inside,
                               cardo_rigid_schedule *round, cardo_error *error)
{
    const cardo_rigid_layout *layout = model->layout;
    const bool own = !model->far;
    const int trees = model->far ? model->far->shared.nrow : 0;
    size_t n = (size_t)trees;
    for (int a = 0; own && a < layout->nbody; ++a)
        for (int b = a; b < layout->nbody; ++b) {
            int na = blocks_of(layout, a), nb = blocks_of(layout, b);
            n += nb > 0 ? (size_t)(na < nb ? na : nb) : 0;
        }
    n += !own && inside ? (size_t)layout->first_block[layout->nbody] : 0;
    n += ((size_t)layout->nbody + 1) * (size_t)blocks_of(layout, layout->nbody);
    cardo_status status = CARDO_ALLOCATE(&round->unit, n, error);
    if (status != CARDO_OK)
        return status;
    for (int a = 0; a < layout->nbody; ++a) {
        if (inside)
            add_units(layout, a, a, round);
        for (int b = a + 1; own && b < layout->nbody; ++b) {
            int na = blocks_of(layout, a), nb = blocks_of(layout, b);
            if (na > 0 && nb > 0)
                add_units(layout, na <= nb ? a : b, na <= nb ? b : a, round);
        }
    }
    for (int k = 0; k < trees; ++k)
        round->unit[round->nunit++] =
            (cardo_rigid_unit){model->far->shared.row[k], CARDO_RIGID_TREE};
    for (int b = 0; trees == 0 && b <= layout->nbody; ++b)
        if (blocks_of(layout, b) > 0)
            add_units(layout, layout->nbody, b, round);
    return CARDO_OK;
}

static cardo_status cut_into_tasks(const cardo_rigid_layout *layout, cardo_rigid_schedule *round,
                                   cardo_error *error)
{
    double total = 0, sum = 0;
    const int shares = layout->nblock / BLOCKS_A_TASK;
    const int most = shares < LEAST_TASKS ? LEAST_TASKS : shares < MOST_TASKS ? shares : MOST_TASKS;
    round->ntask = round->nunit < most ? round->nunit : most;
    const cardo_status status = CARDO_ALLOCATE(&round->first_unit, round->ntask + 1, error);
    if (status != CARDO_OK)
        return status;
    for (int k = 0; k < round->nunit; ++k)
        total += unit_cost(layout, round->unit[k]);
    for (int k = 0, task = 0; k < round->nunit; ++k) {
        while (task < round->ntask && sum >= total * task / round->ntask)
            round->first_unit[task++] = k;
        sum += unit_cost(layout, round->unit[k]);
        if (k == round->nunit - 1)
            while (task <= round->ntask)
                round->first_unit[task++] = round->nunit;
    }
    return CARDO_OK;
}

cardo_status cardo_rigid_schedule_create(cardo_rigid_model *model, cardo_error *error)
{
    cardo_status status;
    const cardo_rigid_layout *layout = model->layout;
    CARDO_TRY(list_units(model, false, &model->between, error));
    CARDO_TRY(cut_into_tasks(layout, &model->between, error));
    if (model->has_solvent) {
        CARDO_TRY(list_units(model, true, &model->all, error));
        CARDO_TRY(cut_into_tasks(layout, &model->all, error));
    }
    int nwork = model->between.ntask > model->all.ntask ? model->between.ntask : model->all.ntask;
    nwork += model->far ? model->far->rows.ntask : 0;
    const size_t nblock = (size_t)layout->nblock, nslot = (size_t)layout->nslot;
    CARDO_TRY(CARDO_ALLOCATE(&model->work, nwork, error));
    CARDO_TRY(cardo_pages_take(&model->lists, 2 * (size_t)nwork * nblock * sizeof(int), error));
    const size_t nshared = (size_t)blocks_of(layout, layout->nbody);
    CARDO_TRY(cardo_pages_take(&model->column_forces,
                               (size_t)nwork * 3 * CARDO_BLOCK * nshared * sizeof(double), error));
    if (model->has_solvent)
        CARDO_TRY(cardo_pages_take(&model->sums, (size_t)nwork * nslot * sizeof(double), error));
    if (model->loose)
        CARDO_TRY(
            cardo_pages_take(&model->growths, 2 * (size_t)nwork * nblock * sizeof(float), error));
    CARDO_TRY(cardo_pages_take(&model->marks, 2 * (size_t)nwork * nblock, error));
    for (; model->nwork < nwork; ++model->nwork) {
        cardo_rigid_work *work = &model->work[model->nwork];
        const size_t first = 2 * (size_t)model->nwork * nblock;
        CARDO_TRY(CARDO_ALLOCATE(&work->wrench, layout->nbody + 1, error));
        work->near = (int *)model->lists.memory + first;
        work->far = work->near + nblock;
        if (nshared > 0) {
            work->column_force = (double *)model->column_forces.memory +
                                 3 * CARDO_BLOCK * nshared * (size_t)model->nwork;
            CARDO_TRY(CARDO_ALLOCATE(&work->pushed, layout->nblock, error));
        }
        if (model->has_solvent)
            work->sum = (double *)model->sums.memory + (size_t)model->nwork * nslot;
        if (model->has_solvent)
            work->touched = (unsigned char *)model->marks.memory + first;
        if (model->loose) {
            work->clashed = (unsigned char *)model->marks.memory + first + nblock;
            work->matters = (float *)model->growths.memory + first;
            work->most_grown = work->matters + nblock;
        }
    }
    CARDO_TRY(CARDO_ALLOCATE(&model->bonded_wrench, layout->nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&model->owner, layout->nbody, error));
    for (int body = 0; body < layout->nbody; ++body)
        if (blocks_of(layout, body) > 0)
            model->owner[model->nowner++] = body;
done:
    return status;
}

void cardo_rigid_schedule_clear(cardo_rigid_schedule *round)
{
    cardo_free(round->unit);
    cardo_free(round->first_unit);
}

static double *forces_on(const cardo_rigid_model *model, const cardo_rigid_work *work, int block)
{
    const cardo_rigid_layout *layout = model->layout;
    return work->column_force +
           3 * CARDO_BLOCK * (size_t)(block - layout->first_block[layout->nbody]);
}

void cardo_rigid_push_columns(const cardo_rigid_model *model, cardo_rigid_work *work,
                              const int *blocks, int n)
{
    for (int k = 0; k < n; ++k) {
        if (!work->pushed[blocks[k]])
            memset(forces_on(model, work, blocks[k]), 0, sizeof(double) * 3 * CARDO_BLOCK);
        work->pushed[blocks[k]] = 1;
    }
}

void cardo_rigid_work_clear(const cardo_rigid_model *model, const cardo_rigid_schedule *round,
                            int task)
{
    cardo_rigid_work *work = &model->work[task];
    work->energy = work->pair_energy = 0;
    for (int k = 0; k < model->nowner; ++k)
        work->wrench[model->owner[k]] = (cardo_spatial){{0, 0, 0}, {0, 0, 0}};
    work->wrench[model->layout->nbody] = (cardo_spatial){{0, 0, 0}, {0, 0, 0}};
    if (!round)
        return;
    if (work->touched)
        memset(work->touched, 0, (size_t)model->layout->nblock);
    if (work->pushed)
        memset(work->pushed, 0, (size_t)model->layout->nblock);
    if (work->clashed && round == &model->between) /* other rounds set none */
        memset(work->clashed, 0, (size_t)model->layout->nblock);
}

void cardo_rigid_sum_slots(const cardo_rigid_model *model, const cardo_rigid_schedule *round,
                           int block, double sums[CARDO_BLOCK])
{
    memset(sums, 0, sizeof *sums * CARDO_BLOCK);
    for (int task = 0; task < round->ntask; ++task) {
        const double *sum = model->work[task].sum + CARDO_BLOCK * block;
        for (int k = 0; model->work[task].touched[block] && k < CARDO_BLOCK; ++k)
            sums[k] += sum[k];
    }
    if (!model->far || block >= model->layout->first_block[model->layout->nbody])
        return;
    const double *sum = model->far->volumes.sum + CARDO_BLOCK * block;
    for (int k = 0; round == &model->between && k < CARDO_BLOCK; ++k)
        sums[k] += sum[k];
    for (int task = round->ntask;
         round == &model->all && task < round->ntask + model->far->rows.ntask; ++task)
        for (int k = 0; model->work[task].touched[block] && k < CARDO_BLOCK; ++k)
            sums[k] += model->work[task].sum[CARDO_BLOCK * block + k];
}

/* Rounding must never drop a pair at the very cutoff. nm */
static const double slack = 1e-6;

static void sort_group(const cardo_rigid_model *model, int block, int from, int to, double near,
                       double reach, const int **excluded, const int *end, cardo_rigid_work *work)
{
    for (int column = from; column < to; ++column) {
        while (*excluded < end && **excluded < column)
            ++*excluded;
        if (*excluded < end && **excluded == column)
            continue;
        double distance = cardo_rigid_gap(&model->sphere[block], &model->sphere[column]);
        if (distance > reach)
            continue;
        if (distance <= near)
            work->near[work->nnear++] = column;
        else
            work->far[work->nfar++] = column;
    }
}

void cardo_rigid_sort_columns(const cardo_rigid_model *model, cardo_rigid_unit unit, double near,
                              double cutoff, bool exclude, cardo_rigid_work *work)
{
    const cardo_rigid_layout *layout = model->layout;
    const cardo_rigid_exclusions *x = model->exclusions;
    const int *excluded = NULL, *end = NULL;
    const double reach = cutoff > 0 ? cutoff + slack : HUGE_VAL;
    const int first = layout->first_block[unit.body], last = layout->first_block[unit.body + 1];
    /* Columns before a shared block have been rows. */
    const int after = cardo_rigid_is_shared_with_shared(layout, unit) && !model->atom_force
                          ? unit.block + 1
                          : first;
    work->nnear = work->nfar = 0;
    if (exclude && x->npair > 0) {
        excluded = x->block + x->first[unit.block];
        end = x->block + x->first[unit.block + 1];
    }
    if (cardo_rigid_gap(&model->sphere[unit.block], &model->body_sphere[unit.body]) > reach)
        return;
    for (int from = first, group = layout->first_group[unit.body]; from < last;
         from += CARDO_BLOCK_GROUP, ++group) {
        const int to = from + CARDO_BLOCK_GROUP < last ? from + CARDO_BLOCK_GROUP : last;
        const int begin = from > after ? from : after;
        if (begin < to && (cutoff == 0 || cardo_rigid_gap(&model->sphere[unit.block],
                                                          &model->group_sphere[group]) <= reach))
            sort_group(model, unit.block, begin, to, near, reach, &excluded, end, work);
    }
}

cardo_rigid_job cardo_rigid_job_of(const cardo_rigid_model *model, cardo_rigid_unit unit,
                                   cardo_rigid_work *work)
{
    const cardo_rigid_layout *layout = model->layout;
    const bool shared = cardo_rigid_is_shared_with_shared(layout, unit);
    const bool rows_alone = shared && model->atom_force;
    if (work->sum)
        cardo_rigid_touch(work, unit.block);
    return (cardo_rigid_job){.block = unit.block,
                             .count = layout->count[unit.block],
                             .force = work->force,
                             .row_sum = work->sum ? work->sum + CARDO_BLOCK * unit.block : NULL,
                             .column_sum = rows_alone ? NULL : work->sum,
                             .column_force = shared && !rows_alone ? work->column_force : NULL,
                             .first_column = layout->first_block[layout->nbody]};
}

cardo_rigid_job cardo_rigid_self_job(const cardo_rigid_model *model, const cardo_rigid_unit *unit,
                                     cardo_rigid_work *work)
{
    cardo_rigid_job job = cardo_rigid_job_of(model, *unit, work);
    job.columns = &unit->block;
    job.ncolumn = 1;
    job.column_sum = job.column_force = NULL;
    return job;
}

static void touch_columns(const cardo_rigid_model *model, cardo_rigid_work *work,
                          const cardo_rigid_job *job)
{
    if (job->column_sum) {
        cardo_rigid_touch_all(work, work->near, work->nnear);
        cardo_rigid_touch_all(work, work->far, work->nfar);
    }
    if (job->column_force) {
        cardo_rigid_push_columns(model, work, work->near, work->nnear);
        cardo_rigid_push_columns(model, work, work->far, work->nfar);
    }
}

void cardo_rigid_by_distance(const cardo_rigid_model *model, cardo_rigid_work *work,
                             cardo_rigid_pass_double *near, cardo_rigid_pass_double *far,
                             cardo_rigid_pass_float *far_single, cardo_rigid_job *job)
{
    touch_columns(model, work, job);
    job->columns = work->near;
    job->ncolumn = work->nnear;
    near(&model->full, &model->rules, job);
    job->columns = work->far;
    job->ncolumn = work->nfar;
    if (model->single)
        far_single(&model->part, &model->rules, job);
    else
        far(&model->full, &model->rules, job);
}

void cardo_rigid_in_single(const cardo_rigid_model *model, cardo_rigid_work *work,
                           cardo_rigid_pass_float *near, cardo_rigid_pass_float *far,
                           cardo_rigid_job *job)
{
    touch_columns(model, work, job);
    job->columns = work->near;
    job->ncolumn = work->nnear;
    near(&model->part, &model->rules, job);
    job->columns = work->far;
    job->ncolumn = work->nfar;
    far(&model->part, &model->rules, job);
}

static cardo_spatial wrench_on_row(const cardo_rigid_model *model, int slot, int row,
                                   const cardo_rigid_work *work)
{
    cardo_vec3 f =
        v3(work->force[row], work->force[CARDO_BLOCK + row], work->force[2 * CARDO_BLOCK + row]);
    cardo_vec3 x = v3(model->full.x[slot], model->full.y[slot], model->full.z[slot]);
    return (cardo_spatial){.angular = v3_cross(x, f), .linear = f};
}

static void add(cardo_spatial *to, cardo_spatial wrench)
{
    to->linear = v3_add(to->linear, wrench.linear);
    to->angular = v3_add(to->angular, wrench.angular);
}

static void add_to_slots(const double *force, double *to)
{
    for (int k = 0; k < 3 * CARDO_BLOCK; ++k)
        to[k] += force[k];
}

void cardo_rigid_add_wrench(const cardo_rigid_model *model, cardo_rigid_unit unit,
                            cardo_rigid_work *work)
{
    const cardo_rigid_layout *layout = model->layout;
    const int slot = CARDO_BLOCK * unit.block, n = layout->count[unit.block];
    const bool shared = cardo_rigid_is_shared(layout, layout->body[unit.block]);
    cardo_spatial sum = {{0, 0, 0}, {0, 0, 0}};
    if (!shared || !cardo_rigid_is_shared(layout, unit.body))
        for (int k = 0; k < n; ++k)
            add(&sum, wrench_on_row(model, slot + k, k, work));
    if (shared) {
        cardo_rigid_push_columns(model, work, &unit.block, 1);
        add_to_slots(work->force, forces_on(model, work, unit.block));
    } else {
        add(&work->wrench[layout->body[unit.block]], sum);
    }
    if (!cardo_rigid_is_shared(layout, unit.body))
        add(&work->wrench[unit.body],
            (cardo_spatial){.angular = v3_neg(sum.angular), .linear = v3_neg(sum.linear)});
    for (int k = 0; model->atom_force && k < n; ++k)
        for (int d = 0; d < 3; ++d)
            model->atom_force[(size_t)d * (size_t)layout->nslot + (size_t)(slot + k)] +=
                work->force[CARDO_BLOCK * d + k];
}

void cardo_rigid_push_block(const cardo_rigid_model *model, cardo_rigid_work *work, int block,
                            const double *force)
{
    cardo_rigid_push_columns(model, work, &block, 1);
    add_to_slots(force, forces_on(model, work, block));
}

void cardo_rigid_add_columns(const cardo_rigid_model *model, const cardo_rigid_schedule *round,
                             cardo_spatial *total)
{
    const cardo_rigid_layout *layout = model->layout;
    for (int block = layout->first_block[layout->nbody]; block < layout->nblock; ++block) {
        double force[3 * CARDO_BLOCK] = {0};
        for (int task = 0; task < round->ntask; ++task)
            if (model->work[task].pushed[block])
                add_to_slots(forces_on(model, &model->work[task], block), force);
        for (int k = 0; k < layout->count[block]; ++k) {
            const int slot = CARDO_BLOCK * block + k;
            const cardo_vec3 f = v3(force[k], force[CARDO_BLOCK + k], force[2 * CARDO_BLOCK + k]);
            const cardo_vec3 x = v3(model->full.x[slot], model->full.y[slot], model->full.z[slot]);
            add(&total[layout->slot_body[slot]],
                (cardo_spatial){.angular = v3_cross(x, f), .linear = f});
        }
    }
}
