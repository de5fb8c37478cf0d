#include "forces/rigid/model.h"

#include <string.h>

static void bonded_task(cardo_rigid_model *model)
{
    cardo_rigid_scene scene = {.layout = model->layout,
                               .x = model->full.x,
                               .y = model->full.y,
                               .z = model->full.z,
                               .wrench = model->bonded_wrench,
                               .atom_force = model->atom_force};
    memset(model->bonded_wrench, 0, sizeof *model->bonded_wrench * (size_t)model->layout->nbody);
    memset(model->term, 0, sizeof model->term);
    cardo_rigid_bonded_evaluate(model->bonded, &scene, model->term);
}

/* What a unit does in a round: forces on its rows to work->force, sums to work->sum. */
typedef void unit_work(const cardo_rigid_model *model, cardo_rigid_unit unit,
                       cardo_rigid_work *work);

/* The same of a tree of shared blocks. */
typedef void tree_work(const cardo_rigid_model *model, int root, cardo_rigid_work *work);

/* The share of a task in a round. */
static void run_units(cardo_rigid_model *model, const cardo_rigid_schedule *round, int task,
                      unit_work *evaluate, tree_work *evaluate_tree)
{
    cardo_rigid_work *work = &model->work[task];
    cardo_rigid_work_clear(model, round, task);
    for (int k = round->first_unit[task]; k < round->first_unit[task + 1]; ++k) {
        if (round->unit[k].body == CARDO_RIGID_TREE) {
            evaluate_tree(model, round->unit[k].block, work);
            continue;
        }
        memset(work->force, 0, sizeof work->force);
        evaluate(model, round->unit[k], work);
        cardo_rigid_add_wrench(model, round->unit[k], work);
    }
}

/* Pairs between bodies, with descreening, which finds atoms that lie in each other. */
static void pairs_and_descreening(const cardo_rigid_model *model, cardo_rigid_unit unit,
                                  cardo_rigid_work *work)
{
    if (model->has_solvent)
        cardo_rigid_unit_descreen(model, unit, work);
    if (model->has_pairs)
        cardo_rigid_unit_pairs(model, unit, work);
}

/* Tasks of a round: units, and far fields' after them. */
static int tasks_of(const cardo_rigid_model *model, const cardo_rigid_schedule *round)
{
    return round->ntask + (model->far ? model->far->rows.ntask : 0);
}

/* Where far fields do not ask for the bonded terms before, these are the first task, since they are the longest. */
static void first_round(void *arg, int task)
{
    cardo_rigid_model *model = arg;
    const int units = model->between.ntask;
    task -= !model->far;
    if (task < 0) {
        bonded_task(model);
    } else if (task >= units) {
        cardo_rigid_work_clear(model, NULL, task);
        if (model->has_solvent)
            cardo_far_descreen(model, task - units, &model->work[task]);
        else
            cardo_far_task(model, task - units, &model->work[task]);
    } else {
        run_units(model, &model->between, task, pairs_and_descreening, cardo_far_shared_descreen);
    }
}

static void far_round(void *arg, int task)
{
    cardo_rigid_model *model = arg;
    cardo_far_task(model, task, &model->work[model->between.ntask + task]);
}

static void second_round(void *arg, int task)
{
    cardo_rigid_model *model = arg;
    if (task < model->all.ntask) {
        run_units(model, &model->all, task, cardo_rigid_unit_solvent, cardo_far_shared_pairs);
        return;
    }
    cardo_rigid_work_clear(model, NULL, task);
    cardo_far_task(model, task - model->all.ntask, &model->work[task]);
}

static void third_round(void *arg, int task)
{
    cardo_rigid_model *model = arg;
    if (task < model->between.ntask) {
        run_units(model, &model->between, task, cardo_rigid_unit_chain, cardo_far_shared_chain);
        return;
    }
    cardo_rigid_work_clear(model, NULL, task);
    cardo_far_chain(model, task - model->between.ntask, &model->work[task]);
}

/* Bodies, then trees of shared blocks. */
static void raise_task(void *arg, int body)
{
    cardo_rigid_model *model = arg;
    if (body < model->layout->nbody)
        cardo_far_raise_chain(model, body);
    else
        cardo_far_shared_raise_chain(model, body - model->layout->nbody);
}

/* Blocks are sums of many tasks: a few together make a task worth taking. */
enum { BLOCKS_A_TASK = 16 };

static void run_blocks(cardo_rigid_model *model, int task,
                       void (*evaluate)(cardo_rigid_model *model, int block))
{
    for (int k = BLOCKS_A_TASK * task; k < BLOCKS_A_TASK * (task + 1); ++k)
        if (k < model->layout->nblock)
            evaluate(model, k);
}

static void radii_task(void *arg, int task)
{
    run_blocks(arg, task, cardo_rigid_block_radii);
}

static void chain_task(void *arg, int task)
{
    run_blocks(arg, task, cardo_rigid_block_chain);
}

/* Adds up what the tasks of a round have found: the wrenches about the common origin to total, and
 * returns the energy. */
static double collect(cardo_rigid_model *model, const cardo_rigid_schedule *round,
                      cardo_spatial *total)
{
    const int ntask = tasks_of(model, round);
    double energy = 0;
    for (int task = 0; task < ntask; ++task) {
        const cardo_spatial *wrench = model->work[task].wrench;
        energy += model->work[task].energy;
        model->term[CARDO_RIGID_NONBONDED] += model->work[task].pair_energy;
        for (int k = 0; k < model->nowner; ++k) {
            const int body = model->owner[k];
            total[body].linear = v3_add(total[body].linear, wrench[body].linear);
            total[body].angular = v3_add(total[body].angular, wrench[body].angular);
        }
    }
    cardo_rigid_add_columns(model, round, total);
    return energy;
}

/* What radii do, after the first round. */
static void evaluate_solvent(cardo_rigid_model *model, cardo_spatial *total)
{
    const int tasks = (model->layout->nblock + BLOCKS_A_TASK - 1) / BLOCKS_A_TASK;
    cardo_pool_run(model->pool, tasks, radii_task, model);
    if (model->solvent.by_radius)
        cardo_rigid_by_radius_gather(model);
    if (model->far)
        cardo_far_find_largest(model);
    cardo_pool_run(model->pool, tasks_of(model, &model->all), second_round, model);
    model->term[CARDO_RIGID_GB] += collect(model, &model->all, total);
    cardo_pool_run(model->pool, tasks, chain_task, model);
    for (int block = 0; block < model->layout->nblock; ++block)
        model->term[CARDO_RIGID_GB] += model->solvent.energy[block];
    if (model->far)
        cardo_pool_run(model->pool, model->layout->nbody + model->far->shared.nrow, raise_task,
                       model);
    cardo_pool_run(model->pool, tasks_of(model, &model->between), third_round, model);
    collect(model, &model->between, total);
}

static void evaluate_all(cardo_rigid_model *model, cardo_spatial *total)
{
    const int tasks = tasks_of(model, &model->between);
    cardo_pool_run(model->pool, tasks + !model->far, first_round, model);
    memcpy(total, model->bonded_wrench, sizeof *total * (size_t)model->layout->nbody);
    model->term[CARDO_RIGID_NONBONDED] += collect(model, &model->between, total);
    if (model->has_solvent)
        evaluate_solvent(model, total);
}

/* Far fields in vacuum once more where forces are so small that the pass before was too coarse. */
static void refine_pairs(cardo_rigid_model *model, double bonded, cardo_spatial *total)
{
    while (cardo_far_refine(model, total)) {
        cardo_pool_run(model->pool, model->far->rows.ntask, far_round, model);
        memcpy(total, model->bonded_wrench, sizeof *total * (size_t)model->layout->nbody);
        model->term[CARDO_RIGID_NONBONDED] = bonded + collect(model, &model->between, total);
    }
}

void cardo_rigid_evaluate(cardo_rigid_model *model, cardo_spatial *total)
{
    if (!model->far) {
        evaluate_all(model, total);
        return;
    }
    bonded_task(model);
    cardo_far_aim(model);
    const double bonded = model->term[CARDO_RIGID_NONBONDED];
    evaluate_all(model, total);
    if (!model->has_solvent)
        refine_pairs(model, bonded, total);
    while (model->has_solvent && cardo_far_refine(model, total)) {
        model->far->allowed_before = 0; /* radii change with it, so all is done again */
        model->term[CARDO_RIGID_NONBONDED] = bonded;
        model->term[CARDO_RIGID_GB] = 0;
        evaluate_all(model, total);
    }
}

/* Units give forces on their rows: with every pair of bodies both ways round, every atom is a row.
 * The sums of the work are only read after this. */
static void force_on_rows(cardo_rigid_model *model, cardo_rigid_unit unit)
{
    cardo_rigid_work *work = &model->work[0];
    memset(work->force, 0, sizeof work->force);
    if (model->has_pairs)
        cardo_rigid_unit_pairs(model, unit, work);
    if (model->has_solvent) {
        cardo_rigid_unit_solvent(model, unit, work);
        cardo_rigid_unit_chain(model, unit, work);
    }
    cardo_rigid_add_wrench(model, unit, work);
}

static void force_on_block(cardo_rigid_model *model, int block)
{
    const cardo_rigid_layout *layout = model->layout;
    for (int body = 0; model->nwork > 0 && body <= layout->nbody; ++body)
        if ((body != layout->body[block] || cardo_rigid_is_shared(layout, body)) &&
            layout->first_block[body] < layout->first_block[body + 1])
            force_on_rows(model, (cardo_rigid_unit){block, body});
}

void cardo_rigid_evaluate_atoms(cardo_rigid_model *model, cardo_spatial *total, double *by_slot)
{
    cardo_rigid_evaluate(model, total);
    model->atom_force = by_slot;
    bonded_task(model);
    for (int block = 0; block < model->layout->nblock; ++block)
        force_on_block(model, block);
    model->atom_force = NULL;
}

void cardo_rigid_evaluate_blocks(cardo_rigid_model *model, cardo_spatial *total, const bool *wanted,
                                 double *by_slot)
{
    cardo_rigid_evaluate(model, total);
    model->atom_force = by_slot;
    for (int block = 0; block < model->layout->nblock; ++block)
        if (wanted[block])
            force_on_block(model, block);
    model->atom_force = NULL;
}
