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
    int *queue, *taken, *count; /* room for all nodes, and bodies */
} walk;

/* Do some of two nodes' blocks hold atoms that do not interact, or by rules of their own? */
static bool share_exclusions(const cardo_rigid_model *model, const cardo_far_node *a,
                             const cardo_far_node *b)
{
    const cardo_rigid_exclusions *x = model->exclusions;
    const int from = b->first_block, to = from + b->nblock;
    for (int block = a->first_block; x->npair > 0 && block < a->first_block + a->nblock; ++block)
        for (int k = x->first[block]; k < x->first[block + 1]; ++k)
            if (x->block[k] >= from && x->block[k] < to)
                return true;
    return false;
}

void cardo_far_errors(const cardo_rigid_model *model, int row, int n, const int *columns,
                      double *errors)
{
    const cardo_far *far = model->far;
    const int order = far->order + 1;
    const double *power = far->power + (size_t)(order + 1) * (size_t)row;
    cardo_rigid_far_asked by = {.order = order,
                                .powers = far->power,
                                .places = far->place,
                                .bulk = far->bulk[row],
                                .bulks = far->bulk,
                                .left_out = far->left_out};
    for (int d = 0; d < 3; ++d)
        by.place[d] = far->place[3 * (size_t)row + (size_t)d];
    for (int k = 0; k <= order; ++k)
        by.power[k] = far->weight[k] * power[k] * (order + 1) * (order + 1);
    model->kernels->far_errors(&by, n, columns, errors);
    for (int k = 0; model->rules.kappa > 0 && k < n; ++k)
        errors[k] = HUGE_VAL;
}

static void act_far(const walk *w, int row, double sign, int n, const int *columns)
{
    const cardo_far *far = w->far;
    double pull[CARDO_FAR_PULLS][COLUMNS];
    const bool solvent = w->model->has_solvent;
    const double strength = solvent ? w->model->rules.gb_strength : 0;
    cardo_rigid_far_job job = cardo_far_job_of(far, far->single, row, n, columns, pull);
    if (far->single)
        w->model->kernels->single.far(far->moment_single, &job);
    else
        w->model->kernels->full.far(far->moment, &job);
    double sum[CARDO_FAR_PULLS];
    cardo_far_push(w->model, row, sign, n, columns, CARDO_FAR_PULLS, pull, sum, w->work->wrench);
    /* The series' charges are what the solvent leaves of them. */
    const double plain = sum[7] / (1 - strength);
    if (solvent) {
        w->work->pair_energy += sum[6] - sum[7] + plain;
        w->work->energy -= strength * plain;
    } else {
        w->work->energy += sum[6];
    }
}

/* The same with the solvent's pairs; or, of blocks whose charges have acted as plain ones, what the solvent's pairs have beyond that. */
static void act_near_in_solvent(const walk *w, int block, int body, bool excess)
{
    cardo_rigid_work *work = w->work;
    const cardo_rigid_model *model = w->model;
    cardo_rigid_job job = {.block = block,
                           .count = model->layout->count[block],
                           .force = work->force,
                           .row_sum = work->sum + CARDO_BLOCK * block,
                           .column_sum = work->sum};
    memset(work->force, 0, sizeof work->force);
    cardo_rigid_touch(work, block);
    cardo_far_act_by_atoms(model, excess, work, &job);
    work->energy += job.energy;
    work->pair_energy += job.pair_energy;
    cardo_rigid_add_wrench(model, (cardo_rigid_unit){block, body}, work);
}

/* Rows of a block against blocks of one body, sorted by how far they are into work->near and work->far. */
static void act_near(const walk *w, int block, int body)
{
    cardo_rigid_work *work = w->work;
    const cardo_rigid_model *model = w->model;
    cardo_rigid_job job = {
        .block = block, .count = model->layout->count[block], .force = work->force};
    memset(work->force, 0, sizeof work->force);
    cardo_rigid_by_distance(model, work, model->kernels->full.pairs, model->kernels->full.pairs,
                            model->kernels->single.pairs, &job);
    work->energy += job.energy;
    cardo_rigid_add_wrench(model, (cardo_rigid_unit){block, body}, work);
}

/* Blocks that share exclusions with the row's, whatever their distance. */
static void act_masked(const walk *w, int row)
{
    const cardo_rigid_model *model = w->model;
    const cardo_rigid_layout *layout = model->layout;
    const cardo_rigid_exclusions *x = model->exclusions;
    const int block = w->far->node[row].first_block;
    for (int k = x->npair > 0 ? x->first[block] : 0; x->npair > 0 && k < x->first[block + 1]; ++k) {
        const int body = layout->body[x->block[k]];
        if (cardo_rigid_is_shared(layout, body) || !cardo_far_gives_rows(layout->body[block], body))
            continue;
        cardo_rigid_job job = {
            .block = block, .count = layout->count[block], .force = w->work->force};
        memset(w->work->force, 0, sizeof w->work->force);
        job.columns = &x->block[k];
        job.ncolumn = 1;
        model->kernels->pairs_masked(&model->full, &model->rules,
                                     x->mask + (size_t)CARDO_BLOCK * CARDO_BLOCK * (size_t)k, &job);
        if (model->has_solvent) {
            w->work->pair_energy += job.energy;
            job.energy = 0;
            cardo_rigid_touch(w->work, block);
            cardo_rigid_touch(w->work, x->block[k]);
            job.row_sum = w->work->sum + CARDO_BLOCK * block;
            job.column_sum = w->work->sum;
            model->kernels->full.solvent(&model->full, &model->rules, &job);
        }
        w->work->energy += job.energy;
        cardo_rigid_add_wrench(model, (cardo_rigid_unit){block, body}, w->work);
    }
}

static int node_of(int listed)
{
    return listed < 0 ? ~listed : listed;
}

/* A block's atoms with those of nodes, which are blocks too, sorted by body: as they are, or what pairs have beyond plain ones. */
static void act_on_block(const walk *w, int row, int n, const int *columns, bool excess)
{
    const cardo_rigid_model *model = w->model;
    const cardo_far_node *node = w->far->node, *a = &node[row];
    for (int from = 0, to; from < n; from = to) {
        const int body = w->far->body[columns[from]];
        w->work->nnear = w->work->nfar = 0;
        for (to = from; to < n && w->far->body[columns[to]] == body; ++to) {
            const cardo_far_node *b = &node[columns[to]];
            if (!excess && share_exclusions(model, a, b))
                continue;
            if (cardo_rigid_gap(&model->sphere[a->first_block], &model->sphere[b->first_block]) <=
                model->near_pairs)
                w->work->near[w->work->nnear++] = b->first_block;
            else
                w->work->far[w->work->nfar++] = b->first_block;
        }
        if (w->work->nnear + w->work->nfar == 0)
            continue;
        if (model->has_solvent)
            act_near_in_solvent(w, a->first_block, body, excess);
        else
            act_near(w, a->first_block, body);
    }
}

static void act_all(const walk *w, int row, double sign, int n, const int *columns)
{
    for (int from = 0; from < n; from += COLUMNS)
        act_far(w, row, sign, n - from < COLUMNS ? n - from : COLUMNS, columns + from);
}

/* Which columns act on a row by their series: their errors are small enough, and all their atoms interact. */
static void act_by_series(const void *walk_of, int row, int n, const int *columns, int *answers)
{
    const walk *w = walk_of;
    const cardo_far *far = w->far;
    double errors[CARDO_FAR_ASKED];
    cardo_far_errors(w->model, row, n, columns, errors);
    for (int k = 0; k < n; ++k)
        answers[k] = errors[k] <= far->allowed;
    for (int k = 0; w->model->exclusions->npair > 0 && k < n; ++k)
        if (answers[k])
            answers[k] = !share_exclusions(w->model, &far->node[row], &far->node[columns[k]]);
}

static void are_plain(const void *walk_of, int row, int n, const int *columns, int *answers)
{
    const walk *w = walk_of;
    w->model->kernels->ask_plain(&w->far->seen[row], w->far->seen, n, columns, answers);
}

/* With a solvent: a node against n nodes that have not acted on it, and against nacted after them in the list that have, or have ones that hold them,
 * but for what their pairs have beyond plain ones, since Born radii matter. The list has room after them. Those whose series converges act as they
 * are; the larger of two that do not, or whose pairs are not plain, is halved. What is left is for the halves of the row, or acts atom by atom. */
static void visit_in_solvent(const walk *w, int row, int n, int nacted, int *columns)
{
    const cardo_far *far = w->far;
    const int child = far->node[row].child;
    int *left = columns + n + nacted;
    cardo_far_offered to = {.taken = w->taken, .left = left, .queue = w->queue};
    cardo_far_offer(far, false, row, n, columns, act_by_series, w, &to);
    const int nleft = to.nleft;
    act_all(w, row, 1, to.ntaken, to.taken);
    memcpy(w->taken + to.ntaken, columns + n, sizeof *columns * (size_t)nacted);
    to.left = left + nleft;
    cardo_far_offer(far, false, row, to.ntaken + nacted, w->taken, are_plain, w, &to);
    if (child < 0) {
        act_on_block(w, row, nleft, cardo_far_by_body(far, nleft, left, w->queue, w->count), false);
        act_on_block(w, row, to.nleft,
                     cardo_far_by_body(far, to.nleft, to.left, w->queue, w->count), true);
        act_masked(w, row);
        return;
    }
    visit_in_solvent(w, child, nleft, to.nleft, left);
    visit_in_solvent(w, child + 1, nleft, to.nleft, left);
}

/* Nodes that act on a row together. */
typedef struct bundle {
    double sign; /* -1: they had acted in the pass before, and are taken back */
    int n, node[COLUMNS];
} bundle;

static void flush(const walk *w, int row, bundle *b)
{
    if (b->n > 0)
        act_far(w, row, b->sign, b->n, b->node);
    b->n = 0;
}

static void put(const walk *w, int row, int node, bundle *b)
{
    b->node[b->n++] = node;
    if (b->n == COLUMNS)
        flush(w, row, b);
}

/* Does a pair of nodes go on to their halves, or to their atoms? If not it has acted or need not; *fresh as in visit. */
static bool goes_on(const walk *w, int row, int column, double error, bool *fresh, bundle *given,
                    bundle *taken)
{
    const cardo_far *far = w->far;
    if (error <= (*fresh ? far->allowed : far->allowed_before) &&
        share_exclusions(w->model, &far->node[row], &far->node[column]))
        error = HUGE_VAL;
    if (error <= far->allowed) {
        if (*fresh)
            put(w, row, column, given);
        return false;
    }
    if (!*fresh && error <= far->allowed_before) {
        put(w, row, column, taken);
        *fresh = true;
    }
    return true;
}

/* In vacuum: a node against n nodes; the list has room after them. Those whose series converges act as they are; the larger of two that do not is
 * halved. What is left is for the halves of the row, or acts atom by atom. ~node in the list: that node is fresh, it has not acted on the row in
 * a pass before, nor has one that holds it. */
static void visit(const walk *w, int row, int n, int *columns)
{
    const cardo_far *far = w->far;
    const cardo_far_node *a = &far->node[row];
    int *left = columns + n, *queue = w->queue, nleft = 0, end = n;
    bundle given = {.sign = 1}, taken = {.sign = -1};
    memcpy(queue, columns, sizeof *queue * (size_t)n);
    for (int from = 0, to; from < end; from = to) {
        double errors[CARDO_FAR_ASKED];
        int asked[CARDO_FAR_ASKED];
        to = end < from + CARDO_FAR_ASKED ? end : from + CARDO_FAR_ASKED;
        for (int k = from; k < to; ++k)
            asked[k - from] = node_of(queue[k]);
        cardo_far_errors(w->model, row, to - from, asked, errors);
        for (int k = from; k < to; ++k) {
            bool fresh = queue[k] < 0;
            const int column = asked[k - from];
            const cardo_far_node *b = &far->node[column];
            if (!goes_on(w, row, column, errors[k - from], &fresh, &given, &taken))
                continue;
            if (b->child >= 0 && (a->child < 0 || b->radius > a->radius)) {
                queue[end++] = fresh ? ~b->child : b->child;
                queue[end++] = fresh ? ~(b->child + 1) : b->child + 1;
            } else {
                left[nleft++] = fresh ? ~column : column;
            }
        }
    }
    flush(w, row, &given);
    flush(w, row, &taken);
    if (a->child < 0) {
        int nfresh = 0;
        for (int k = 0; k < nleft; ++k)
            if (left[k] < 0)
                left[nfresh++] = ~left[k];
        act_on_block(w, row, nfresh, cardo_far_by_body(far, nfresh, left, queue, w->count), false);
        if (far->allowed_before == 0)
            act_masked(w, row);
        return;
    }
    visit(w, a->child, nleft, left);
    visit(w, a->child + 1, nleft, left);
}

void cardo_far_task(const cardo_rigid_model *model, int task, cardo_rigid_work *work)
{
    const cardo_far *far = model->far;
    const cardo_far_rows *rows = &far->rows;
    const cardo_far_lists lists = cardo_far_take_lists(far);
    const walk w = {.model = model,
                    .far = far,
                    .work = work,
                    .queue = lists.queue,
                    .taken = lists.taken,
                    .count = lists.count};
    const bool marked = !model->has_solvent && far->allowed_before == 0;
    if (model->has_solvent)
        memset(work->touched, 0, (size_t)model->layout->nblock);
    for (int k = rows->first[task]; k < rows->first[task + 1]; ++k) {
        const int body = far->body[rows->row[k]];
        int n = 0;
        for (int other = 0; other < model->layout->nbody; ++other)
            if (cardo_far_gives_rows(body, other) && far->root[other] < far->root[other + 1])
                lists.list[n++] = marked ? ~far->root[other] : far->root[other];
        if (model->has_solvent)
            visit_in_solvent(&w, rows->row[k], n, 0, lists.list);
        else
            visit(&w, rows->row[k], n, lists.list);
    }
    cardo_far_give_back(far, &lists);
}

void cardo_far_find_largest(const cardo_rigid_model *model)
{
    const cardo_far *far = model->far;
    const double root = sqrt(2 * sqrt(model->rules.plain_beyond));
    for (int k = far->nnode - 1; k >= 0; --k) {
        const cardo_far_node *node = &far->node[k];
        far->largest[k] = node->child < 0
                              ? model->solvent.largest[node->first_block]
                              : fmax(far->largest[node->child], far->largest[node->child + 1]);
        far->seen[k].plain = (float)(root * sqrt(far->largest[k]));
    }
}
