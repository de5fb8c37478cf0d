/* Rows of blocks that small bodies share, against all bodies' trees and those of other shared blocks. Forces on single atoms follow from fields at the
 * rows' nodes (far_shared.c).
 *
 * Other bodies' nodes get their forces here at once. Two trees of shared blocks meet twice, and each of both times gives rows alone: what acts by series, and
 * half of its energy. So both have to be halved alike: the larger one first, of equal ones the first. Blocks that are left act by atoms once. */
#include "forces/rigid/far_walk.h"

#include "forces/rigid/model.h"

#include <math.h>
#include <string.h>

enum { COLUMNS = CARDO_FAR_COLUMNS };

/* What a walk carries along. */
typedef struct walk {
    const cardo_rigid_model *model;
    const cardo_far *far;
    cardo_rigid_work *work;
    bool forces;                /* of descreening: else sums */
    double error;               /* of descreening: as cardo_far_descreen_each_other has it */
    int *queue, *taken, *count; /* room for all nodes, and bodies */
} walk;

static bool is_shared(const walk *w, int node)
{
    return cardo_rigid_is_shared(w->model->layout, w->far->body[node]);
}

/* Errors are the same from both sides, to the last bit. */
static void act_by_series(const void *walk_of, int row, int n, const int *columns, int *answers)
{
    const walk *w = walk_of;
    double errors[CARDO_FAR_ASKED];
    cardo_far_errors(w->model, row, n, columns, errors);
    for (int k = 0; k < n; ++k)
        if (columns[k] > row)
            cardo_far_errors(w->model, columns[k], 1, &row, &errors[k]);
    for (int k = 0; k < n; ++k)
        answers[k] =
            errors[k] <= w->far->allowed && !cardo_far_shared_exclusions(w->model, row, columns[k]);
}

static void are_plain(const void *walk_of, int row, int n, const int *columns, int *answers)
{
    const walk *w = walk_of;
    w->model->kernels->ask_plain(&w->far->seen[row], w->far->seen, n, columns, answers);
}

static void descreen_by_series(const void *walk_of, int row, int n, const int *columns,
                               int *answers)
{
    const walk *w = walk_of;
    for (int k = 0; k < n; ++k)
        answers[k] = cardo_far_descreen_each_other(w->model, w->error, row, columns[k]);
}

/* Brings shared nodes to the end of a list and returns how many others there are; room: as many. */
static int part(const walk *w, int n, int *nodes, int *room)
{
    int nshared = 0, nother = 0;
    for (int k = 0; k < n; ++k)
        if (is_shared(w, nodes[k]))
            room[nshared++] = nodes[k];
        else
            nodes[nother++] = nodes[k];
    memcpy(nodes + nother, room, sizeof *nodes * (size_t)nshared);
    return nother;
}

/* Charges and dispersion of n columns; share: of the energy. */
static void act_far(const walk *w, int row, double share, int n, const int *columns, double *field,
                    double force[3])
{
    const cardo_rigid_model *model = w->model;
    const double strength = model->rules.gb_strength;
    for (int from = 0; from < n; from += COLUMNS) {
        double pull[CARDO_FAR_PULLS][COLUMNS], sum[CARDO_FAR_PULLS];
        const int count = n - from < COLUMNS ? n - from : COLUMNS;
        cardo_rigid_far_job job =
            cardo_far_job_of(w->far, w->far->single, row, count, columns + from, pull);
        job.field = field;
        if (w->far->single)
            model->kernels->single.far(w->far->moment_single, &job);
        else
            model->kernels->full.far(w->far->moment, &job);
        cardo_far_push(model, row, 1, count, columns + from, CARDO_FAR_PULLS, pull, sum,
                       w->work->wrench);
        /* The series' charges are what the solvent leaves of them. */
        const double plain = sum[7] / (1 - strength);
        w->work->pair_energy += share * (sum[6] - sum[7] + plain);
        w->work->energy -= share * strength * plain;
        for (int d = 0; d < 3; ++d)
            force[d] += sum[d];
    }
}

static void act_all(const walk *w, int row, int n, int *columns)
{
    double field[CARDO_FAR_RECORD] = {0}, force[3] = {0};
    cardo_far_spread spread = {0};
    const int others = part(w, n, columns, w->queue);
    if (n == 0)
        return;
    act_far(w, row, 1, others, columns, field, force);
    act_far(w, row, 0.5, n - others, columns + others, field, force);
    cardo_far_shared_by_charges(w->model, row, field, &spread);
    cardo_far_shared_spread(w->model, row, force, &spread, w->work);
}

/* Sorts blocks of one body into work->near and work->far; exclude: but for those that share exclusions with the row's. */
static void sort_blocks(const walk *w, int row, int n, const int *columns, bool exclude,
                        double near)
{
    const cardo_rigid_model *model = w->model;
    const int block = w->far->node[row].first_block;
    w->work->nnear = w->work->nfar = 0;
    for (int k = 0; k < n; ++k) {
        const int column = w->far->node[columns[k]].first_block;
        if (exclude && cardo_far_shared_exclusions(model, row, columns[k]))
            continue;
        if (cardo_rigid_gap(&model->sphere[block], &model->sphere[column]) <= near)
            w->work->near[w->work->nnear++] = column;
        else
            w->work->far[w->work->nfar++] = column;
    }
}

/* Of shared blocks, which are the last in a list by body, those after a block. */
static int keep_after(const walk *w, int block, int n, int *columns)
{
    int kept = 0;
    for (int k = 0; k < n; ++k)
        if (!is_shared(w, columns[k]) || w->far->node[columns[k]].first_block > block)
            columns[kept++] = columns[k];
    return kept;
}

static int end_of_body(const walk *w, int from, int n, const int *columns)
{
    int to = from;
    while (to < n && w->far->body[columns[to]] == w->far->body[columns[from]])
        ++to;
    return to;
}

/* Solvent and pairs of blocks sorted before; excess: what solvent pairs have beyond plain ones, which gives shared columns nothing, as they are rows another time. */
static void act_on_blocks(const walk *w, int block, int body, bool excess)
{
    const cardo_rigid_model *model = w->model;
    cardo_rigid_work *work = w->work;
    const bool rows_alone = excess && cardo_rigid_is_shared(model->layout, body);
    const double share = rows_alone ? 0.5 : 1;
    cardo_rigid_job job = cardo_rigid_job_of(model, (cardo_rigid_unit){block, body}, work);
    memset(work->force, 0, sizeof work->force);
    job.anywhere = true;
    if (rows_alone) {
        job.column_sum = NULL;
        job.column_force = NULL;
    }
    cardo_far_act_by_atoms(model, excess, work, &job);
    work->energy += share * job.energy;
    work->pair_energy += share * job.pair_energy;
    cardo_rigid_add_wrench(model, (cardo_rigid_unit){block, body}, work);
}

static void act_on_all_blocks(const walk *w, int row, int n, const int *columns, bool excess)
{
    const cardo_rigid_model *model = w->model;
    const int block = w->far->node[row].first_block;
    /* Within a tolerance near blocks are in single precision, too. */
    const double near =
        model->loose && !model->solvent.clashed[block] ? -HUGE_VAL : model->near_pairs;
    for (int from = 0, to; from < n; from = to) {
        to = end_of_body(w, from, n, columns);
        sort_blocks(w, row, to - from, columns + from, !excess, near);
        if (w->work->nnear + w->work->nfar > 0)
            act_on_blocks(w, block, w->far->body[columns[from]], excess);
    }
}

/* What is done with a block and each of the bodies that it shares exclusions with, itself among them. */
static void with_excluded(const walk *w, int block,
                          void (*act)(const cardo_rigid_model *, cardo_rigid_unit,
                                      cardo_rigid_work *))
{
    const cardo_rigid_model *model = w->model;
    const cardo_rigid_exclusions *x = model->exclusions;
    for (int k = x->npair > 0 ? x->first[block] : 0; x->npair > 0 && k < x->first[block + 1]; ++k) {
        const cardo_rigid_unit unit = {block, model->layout->body[x->block[k]]};
        if (k > x->first[block] && unit.body == model->layout->body[x->block[k - 1]])
            continue;
        memset(w->work->force, 0, sizeof w->work->force);
        act(model, unit, w->work);
        cardo_rigid_add_wrench(model, unit, w->work);
    }
}

/* As visit_in_solvent (far_rows.c), by fields. To what is left for a half of the row the other half is added. */
static void visit_pairs(const walk *w, int row, int n, int nacted, int *columns)
{
    const int child = w->far->node[row].child;
    int *left = columns + n + nacted;
    cardo_far_offered to = {.taken = w->taken, .left = left, .queue = w->queue};
    cardo_far_offer(w->far, true, row, n, columns, act_by_series, w, &to);
    const int nleft = to.nleft;
    act_all(w, row, to.ntaken, to.taken);
    memcpy(w->taken + to.ntaken, columns + n, sizeof *columns * (size_t)nacted);
    to.left = left + nleft + 1;
    cardo_far_offer(w->far, true, row, to.ntaken + nacted, w->taken, are_plain, w, &to);
    if (child < 0) {
        const int block = w->far->node[row].first_block;
        const int kept = keep_after(w, block, nleft, left);
        act_on_all_blocks(w, row, kept, cardo_far_by_body(w->far, kept, left, w->queue, w->count),
                          false);
        act_on_all_blocks(w, row, to.nleft,
                          cardo_far_by_body(w->far, to.nleft, to.left, w->queue, w->count), true);
        with_excluded(w, block, cardo_rigid_unit_solvent_of_excluded);
        return;
    }
    for (int half = 0; half < 2; ++half) {
        left[nleft] = child + 1 - half;
        visit_pairs(w, child + half, nleft + 1, to.nleft, left);
    }
}

/* Makes a node the row of the kernels' jobs. */
static cardo_rigid_far_radii radii_job(const walk *w, int row, int n, const int *columns,
                                       double *field, const double *chain, double (*pull)[COLUMNS])
{
    const cardo_far *far = w->far;
    const cardo_far_volumes *volumes = &far->volumes;
    const double *place = far->place + 3 * (size_t)row;
    return (cardo_rigid_far_radii){.monomials = &volumes->monomials,
                                   .nround = volumes->nround,
                                   .round = volumes->round,
                                   .record = volumes->record,
                                   .place = {place[0], place[1], place[2]},
                                   .places = far->place,
                                   .columns = columns,
                                   .ncolumn = n,
                                   .field = field,
                                   .chain = chain,
                                   .pull = pull};
}

static size_t numbers_of(const cardo_far *far)
{
    return (size_t)(far->volumes.monomials.size + far->volumes.nround);
}

/* A row's field of descreening, which the forces through it need again. */
static double *field_of(const walk *w, int row)
{
    return w->far->shared.field +
           numbers_of(w->far) * (size_t)(row - w->far->root[w->model->layout->nbody]);
}

/* A row is descreened by n columns. */
static void descreen_far(const walk *w, int row, int n, const int *columns)
{
    const cardo_far *far = w->far;
    const cardo_rigid_model *model = w->model;
    double *field = field_of(w, row);
    cardo_rigid_far_radii job = radii_job(w, row, n, columns, field, NULL, NULL);
    memset(field, 0, sizeof *field * numbers_of(far));
    if (n == 0)
        return;
    if (model->single)
        model->kernels->single.far_descreen(far->volumes.moment_single, &job);
    else
        model->kernels->full.far_descreen(far->volumes.moment, &job);
    const int *block = cardo_far_shared_blocks(far, row);
    for (int k = 0; k < far->node[row].nblock; ++k) {
        double r2[CARDO_BLOCK], *sum = w->work->sum + CARDO_BLOCK * block[k];
        cardo_rigid_touch(w->work, block[k]);
        model->kernels->add_series(&far->volumes.monomials, &model->full, CARDO_BLOCK * block[k],
                                   job.place, field, sum);
        cardo_far_block_distances(model, row, block[k], r2);
        for (int i = 0; i < CARDO_BLOCK; ++i) {
            double value = 0;
            for (int m = far->volumes.nround - 1; m >= 0; --m)
                value = value * r2[i] + field[far->volumes.monomials.size + m];
            sum[i] += value;
        }
    }
}

/* The row's moments of volume, seen as those of dE/dI are of a row. */
static void own_volumes(const walk *w, int row, double *to)
{
    const cardo_far_volumes *volumes = &w->far->volumes;
    const cardo_monomials *m = &volumes->monomials;
    const size_t first = (size_t)volumes->record * (size_t)row;
    for (int a = 0; a < m->size + volumes->nround; ++a) {
        const double value = volumes->moment ? volumes->moment[first + (size_t)a]
                                             : (double)volumes->moment_single[first + (size_t)a];
        to[a] = cardo_far_is_odd(m, a) ? -value : value;
    }
}

/* Forces through what a row is descreened by n columns, which get theirs unless they are shared; then through what it descreens them, of which they have got theirs as rows. */
static void chain_far(const walk *w, int row, int n, const int *columns)
{
    const cardo_far *far = w->far;
    const cardo_far_volumes *volumes = &far->volumes;
    const cardo_rigid_model *model = w->model;
    double field[CARDO_MONOMIALS + CARDO_FAR_ROUND] = {0}, own[CARDO_MONOMIALS + CARDO_FAR_ROUND];
    double pull[6][COLUMNS], sum[6], force[3] = {0};
    cardo_far_spread spread = {0};
    if (n == 0)
        return;
    own_volumes(w, row, own);
    for (int from = 0; from < n; from += COLUMNS) {
        const int count = n - from < COLUMNS ? n - from : COLUMNS;
        cardo_rigid_far_radii job = radii_job(w, row, count, columns + from, field,
                                              volumes->chain + numbers_of(far) * (size_t)row, pull);
        if (model->single)
            model->kernels->single.far_chain(volumes->moment_single, &job);
        else
            model->kernels->full.far_chain(volumes->moment, &job);
        cardo_far_push(model, row, 1, count, columns + from, 6, pull, sum, w->work->wrench);
        for (int d = 0; d < 3; ++d)
            force[d] += sum[d];
        job.chain = own;
        if (model->single) {
            model->kernels->single.far_chain(volumes->chain_moment_single, &job);
            model->kernels->single.far_descreen(volumes->chain_moment_single, &job);
        } else {
            model->kernels->full.far_chain(volumes->chain_moment, &job);
            model->kernels->full.far_descreen(volumes->chain_moment, &job);
        }
        for (int d = 0; d < 3; ++d)
            for (int k = 0; k < count; ++k)
                force[d] += pull[d][k];
    }
    cardo_far_shared_by_descreening(model, row, field_of(w, row), field, &spread);
    cardo_far_shared_spread(model, row, force, &spread, w->work);
}

/* A block's atoms with those of blocks by body, and with themselves. */
static void descreen_block(const walk *w, int row, int n, const int *columns)
{
    const cardo_rigid_model *model = w->model;
    const int block = w->far->node[row].first_block, shared = model->layout->nbody;
    bool with_itself = false;
    for (int from = 0, to; from < n || !with_itself; from = to) {
        const int body = from < n ? w->far->body[columns[from]] : shared;
        const cardo_rigid_unit unit = {block, body};
        to = end_of_body(w, from, n, columns);
        with_itself = body == shared;
        sort_blocks(w, row, to - from, columns + from, false, model->near_descreening);
        memset(w->work->force, 0, sizeof w->work->force);
        (w->forces ? cardo_rigid_chain_sorted : cardo_rigid_descreen_sorted)(model, unit, w->work);
        if (w->forces)
            cardo_rigid_add_wrench(model, unit, w->work);
    }
}

static void visit_descreening(const walk *w, int row, int n, int *columns)
{
    const int child = w->far->node[row].child;
    int *left = columns + n;
    cardo_far_offered to = {.taken = w->taken, .left = left, .queue = w->queue};
    cardo_far_offer(w->far, true, row, n, columns, descreen_by_series, w, &to);
    (w->forces ? chain_far : descreen_far)(w, row, to.ntaken, to.taken);
    if (child < 0) {
        const int block = w->far->node[row].first_block;
        const int kept = keep_after(w, block, to.nleft, left);
        descreen_block(w, row, kept, cardo_far_by_body(w->far, kept, left, w->queue, w->count));
        if (!w->forces)
            with_excluded(w, block, cardo_rigid_unit_masked_pairs);
        return;
    }
    for (int half = 0; half < 2; ++half) {
        left[to.nleft] = child + 1 - half;
        visit_descreening(w, child + half, to.nleft + 1, left);
    }
}

static walk begin(const cardo_rigid_model *model, const cardo_far_lists *lists,
                  cardo_rigid_work *work)
{
    return (walk){.model = model,
                  .far = model->far,
                  .work = work,
                  .error = cardo_far_descreening_error(model->far, 1),
                  .queue = lists->queue,
                  .taken = lists->taken,
                  .count = lists->count};
}

static int add_other_rows(const cardo_far_shared *shared, int row, int n, int *list)
{
    for (int k = 0; k < shared->nrow; ++k)
        if (shared->row[k] != row)
            list[n++] = shared->row[k];
    return n;
}

/* Bodies' rows have shared trees as columns too (far_descreening.c), and begin with the same pairs of nodes. */
static void descreening(const cardo_rigid_model *model, int row, bool forces,
                        cardo_rigid_work *work)
{
    const cardo_far *far = model->far;
    const cardo_far_lists lists = cardo_far_take_lists(far);
    walk w = begin(model, &lists, work);
    int n = 0;
    w.forces = forces;
    for (int k = 0; k < far->rows.nrow; ++k)
        lists.list[n++] = far->rows.row[k];
    visit_descreening(&w, row, add_other_rows(&far->shared, row, n, lists.list), lists.list);
    cardo_far_give_back(far, &lists);
}

void cardo_far_shared_descreen(const cardo_rigid_model *model, int row, cardo_rigid_work *work)
{
    descreening(model, row, false, work);
}

void cardo_far_shared_chain(const cardo_rigid_model *model, int row, cardo_rigid_work *work)
{
    descreening(model, row, true, work);
}

void cardo_far_shared_pairs(const cardo_rigid_model *model, int row, cardo_rigid_work *work)
{
    const cardo_far *far = model->far;
    const cardo_far_lists lists = cardo_far_take_lists(far);
    const walk w = begin(model, &lists, work);
    int n = 0;
    for (int body = 0; body < model->layout->nbody; ++body)
        if (far->root[body] < far->root[body + 1])
            lists.list[n++] = far->root[body];
    visit_pairs(&w, row, add_other_rows(&far->shared, row, n, lists.list), 0, lists.list);
    cardo_far_give_back(far, &lists);
}
