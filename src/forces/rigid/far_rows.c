#include "forces/rigid/far_walk.h"

#include "base/memory.h"
#include "forces/rigid/model.h"

#include <math.h>
#include <string.h>

enum {
    ROW_BLOCKS = 16, /* of a node whose way down the trees is one piece of work */
    ROW_LEVELS = 6,  /* of nodes below and with it                             */
    MOST_TASKS = 48, /* more share better among threads, and cost more sums    */
    COLUMNS = 128,   /* of one call of the kernel                              */
    FEW = 2          /* pairs of blocks that are quicker atom by atom          */
};

/* Errors of dispersion all have one sign, and add up to this multiple of what as many of charges do. */
static const double coherent = 10;

static cardo_status list_rows(const cardo_rigid_layout *layout, cardo_far *far, cardo_error *error)
{
    cardo_far_rows *rows = &far->rows;
    cardo_status status = CARDO_ALLOCATE(&rows->row, far->nnode, error);
    for (int body = 0; body < layout->nbody && status == CARDO_OK; ++body)
        for (int k = far->root[body]; k < far->root[body + 1]; ++k) {
            const cardo_far_node *node = &far->node[k];
            if (node->nblock <= ROW_BLOCKS) {
                if (k == far->root[body])
                    rows->row[rows->nrow++] = k;
                continue;
            }
            for (int child = node->child; child < node->child + 2; ++child)
                if (far->node[child].nblock <= ROW_BLOCKS)
                    rows->row[rows->nrow++] = child;
        }
    return status;
}

cardo_status cardo_far_rows_create(const cardo_rigid_model *model, cardo_far *far,
                                   cardo_error *error)
{
    cardo_status status;
    cardo_far_rows *rows = &far->rows;
    int total = 0, sum = 0;
    CARDO_TRY(list_rows(model->layout, far, error));
    rows->ntask = rows->nrow < MOST_TASKS ? rows->nrow : MOST_TASKS;
    CARDO_TRY(CARDO_ALLOCATE(&rows->first, rows->ntask + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&rows->list, rows->ntask, error));
    CARDO_TRY(CARDO_ALLOCATE(&rows->queue, rows->ntask, error));
    CARDO_TRY(CARDO_ALLOCATE(&rows->taken, rows->ntask, error));
    for (int k = 0; k < rows->nrow; ++k)
        total += far->node[rows->row[k]].nblock;
    for (int k = 0, task = 0; k < rows->nrow; ++k) {
        while (task < rows->ntask && (long)sum * rows->ntask >= (long)total * task)
            rows->first[task++] = k;
        sum += far->node[rows->row[k]].nblock;
        if (k == rows->nrow - 1)
            while (task <= rows->ntask)
                rows->first[task++] = rows->nrow;
    }
    /* A walk writes past the end of its lists what it does not take. */
    const size_t lists = (size_t)(ROW_LEVELS + 1) * (size_t)far->nnode + 1;
    const size_t room = lists + 2 * ((size_t)far->nnode + 2);
    CARDO_TRY(cardo_pages_take(&rows->lists, (size_t)rows->ntask * room * sizeof(int), error));
    for (int task = 0; task < rows->ntask; ++task) {
        rows->list[task] = (int *)rows->lists.memory + (size_t)task * room;
        rows->queue[task] = rows->list[task] + lists;
        rows->taken[task] = rows->queue[task] + far->nnode + 2;
    }
done:
    return status;
}

/* What a walk carries along. */
typedef struct walk {
    const cardo_rigid_model *model;
    const cardo_far *far;
    cardo_rigid_work *work;
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

/* Are the solvent's pairs of two nodes plain ones, so far apart that Born radii do not matter? */
static bool is_plain(const walk *w, int row, int column)
{
    const cardo_far *far = w->far;
    if (!w->model->has_solvent)
        return true;
    const double *p = far->place + 3 * (size_t)row, *q = far->place + 3 * (size_t)column;
    const double x = p[0] - q[0], y = p[1] - q[1], z = p[2] - q[2];
    const double reach = far->node[row].radius + far->node[column].radius;
    const double least =
        reach + 2 * sqrt(w->model->rules.plain_beyond * far->largest[row] * far->largest[column]);
    return x * x + y * y + z * z > least * least;
}

double cardo_far_error_of(const cardo_rigid_model *model, int row, int column)
{
    const cardo_far *far = model->far;
    const cardo_far_node *a = &far->node[row], *b = &far->node[column];
    const double *p = far->place + 3 * (size_t)row, *q = far->place + 3 * (size_t)column;
    const double x = p[0] - q[0], y = p[1] - q[1], z = p[2] - q[2], r2 = x * x + y * y + z * z;
    const double reach = a->radius + b->radius;
    if (r2 <= 1.2 * reach * reach || a->nblock * b->nblock <= FEW || model->rules.kappa > 0)
        return HUGE_VAL;
    const int order = far->order + 1;
    const double *s = far->power + (size_t)(order + 1) * (size_t)row,
                 *t = far->power + (size_t)(order + 1) * (size_t)column;
    double even = 0, odd = 0, inverse = 1 / r2, power = inverse * inverse;
    for (int k = 0; k <= order; k += 2) {
        even += far->weight[k] * s[k] * t[order - k];
        odd += k < order ? far->weight[k + 1] * s[k + 1] * t[order - k - 1] : 0;
    }
    for (int k = 0; k < order; ++k)
        power *= inverse;
    const double square = (order + 1) * (order + 1) * (even + odd) * power;
    const double most = fmax(far->allowed, far->allowed_before);
    if (square > most * most)
        return HUGE_VAL;
    const double r = sqrt(r2), near = r - 0.5 * reach, i6 = inverse * inverse * inverse;
    const double charges = sqrt(square) / (1 - reach / r);
    const double third = a->third * b->attraction + a->attraction * b->third;
    const double attraction =
        (60 * third * inverse / r + 6 * far->left_out * a->attraction * b->attraction) * i6 / r;
    const double n2 = 1 / (near * near), n6 = n2 * n2 * n2;
    const double repulsion = 36 * a->repulsion * b->repulsion * n6 * n6 / near;
    return charges + coherent * attraction + repulsion;
}

static void add(cardo_spatial *to, double sign, cardo_vec3 force, cardo_vec3 torque)
{
    to->linear = v3_add_scaled(to->linear, sign, force);
    to->angular = v3_add_scaled(to->angular, sign, torque);
}

static void act_far(const walk *w, int row, double sign, int n, const int *columns)
{
    const cardo_far *far = w->far;
    double pull[COLUMNS][8];
    const bool solvent = w->model->has_solvent;
    const double strength = solvent ? w->model->rules.gb_strength : 0;
    const double *place = far->place + 3 * (size_t)row;
    cardo_rigid_far_job job = cardo_far_job_of(far, row, n, columns, pull);
    if (far->single)
        w->model->kernels->single.far(far->moment_single, &job);
    else
        w->model->kernels->full.far(far->moment, &job);
    for (int k = 0; k < n; ++k) {
        const cardo_vec3 force = v3_load(pull[k]);
        const cardo_vec3 torque = v3_add(v3_load(pull[k] + 3), v3_cross(v3_load(place), force));
        add(&w->work->wrench[far->node[row].body], sign, force, torque);
        add(&w->work->wrench[far->node[columns[k]].body], -sign, force, torque);
        /* The series' charges are what the solvent leaves of them. */
        const double plain = pull[k][7] / (1 - strength);
        if (solvent) {
            w->work->pair_energy += sign * (pull[k][6] - pull[k][7] + plain);
            w->work->energy -= sign * strength * plain;
        } else {
            w->work->energy += sign * pull[k][6];
        }
    }
}

/* Sums of a block, emptied where they have not been added to. */
static void touch(cardo_rigid_work *work, int block)
{
    if (!work->touched[block])
        memset(work->sum + CARDO_BLOCK * block, 0, sizeof *work->sum * CARDO_BLOCK);
    work->touched[block] = 1;
}

/* The same with the solvent's pairs; or, of blocks whose charges have acted as plain ones, what the solvent's pairs have beyond that. */
static void act_near_in_solvent(const walk *w, int block, int body, bool excess)
{
    cardo_rigid_work *work = w->work;
    const cardo_rigid_model *model = w->model;
    const cardo_rigid_kernels *kernels = model->kernels;
    cardo_rigid_job job = {.block = block,
                           .count = model->layout->count[block],
                           .force = work->force,
                           .row_sum = work->sum + CARDO_BLOCK * block,
                           .column_sum = work->sum};
    memset(work->force, 0, sizeof work->force);
    touch(work, block);
    for (int k = 0; k < work->nnear; ++k)
        touch(work, work->near[k]);
    for (int k = 0; k < work->nfar; ++k)
        touch(work, work->far[k]);
    if (excess)
        cardo_rigid_by_distance(model, work, kernels->full.excess_between,
                                kernels->full.excess_between, kernels->single.excess_between, &job);
    else
        cardo_rigid_by_distance(model, work, kernels->full.pairs_and_solvent,
                                kernels->full.pairs_and_solvent, kernels->single.pairs_and_solvent,
                                &job);
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
            touch(w->work, block);
            touch(w->work, x->block[k]);
            job.row_sum = w->work->sum + CARDO_BLOCK * block;
            job.column_sum = w->work->sum;
            model->kernels->full.solvent(&model->full, &model->rules, &job);
        }
        w->work->energy += job.energy;
        cardo_rigid_add_wrench(model, (cardo_rigid_unit){block, body}, w->work);
    }
}

static const cardo_far_node *node_of(const walk *w, int listed)
{
    return &w->far->node[listed < 0 ? ~listed : listed];
}

/* A block's atoms with those of the nodes left, which are blocks too, body by body: of listed ones those that have not acted, or the others. */
static void act_on_block(const walk *w, int row, int n, const int *columns, bool fresh)
{
    const cardo_rigid_model *model = w->model;
    const cardo_far_node *a = &w->far->node[row];
    for (int from = 0, to; from < n; from = to) {
        const int body = node_of(w, columns[from])->body;
        w->work->nnear = w->work->nfar = 0;
        for (to = from; to < n && node_of(w, columns[to])->body == body; ++to) {
            const cardo_far_node *b = node_of(w, columns[to]);
            if ((columns[to] < 0) != fresh || (fresh && share_exclusions(model, a, b)))
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
            act_near_in_solvent(w, a->first_block, body, !fresh);
        else
            act_near(w, a->first_block, body);
    }
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
static bool goes_on(const walk *w, int row, int column, bool *fresh, bundle *given, bundle *taken)
{
    const cardo_far *far = w->far;
    if (w->model->has_solvent && !*fresh)
        return !is_plain(w, row, column);
    double error = cardo_far_error_of(w->model, row, column);
    if (error <= (*fresh ? far->allowed : far->allowed_before) &&
        share_exclusions(w->model, &far->node[row], &far->node[column]))
        error = HUGE_VAL;
    if (error <= far->allowed) {
        if (*fresh)
            put(w, row, column, given);
        *fresh = false;
        return !is_plain(w, row, column);
    }
    if (!*fresh && error <= far->allowed_before) {
        put(w, row, column, taken);
        *fresh = true;
    }
    return true;
}

/* A node against n nodes; the list has room after them. Those whose series converges act as they are; the larger of two that do not is
 * halved. What is left is for the halves of the row, or acts atom by atom. ~node in the list: that node is fresh, it has not acted on the row in
 * a pass before, nor has one that holds it. In a solvent: nor in this pass, after which Born radii are left to matter. */
static void visit(const walk *w, int row, int n, int *columns)
{
    const cardo_far *far = w->far;
    const cardo_far_node *a = &far->node[row];
    int *left = columns + n, nleft = 0, open[64];
    bundle given = {.sign = 1}, taken = {.sign = -1};
    for (int k = 0; k < n; ++k) {
        int nopen = 0;
        open[nopen++] = columns[k];
        while (nopen > 0) {
            const int next = open[--nopen];
            bool fresh = next < 0;
            const int column = fresh ? ~next : next;
            const cardo_far_node *b = &far->node[column];
            if (!goes_on(w, row, column, &fresh, &given, &taken))
                continue;
            if (b->child >= 0 && (a->child < 0 || b->radius > a->radius)) {
                open[nopen++] = fresh ? ~(b->child + 1) : b->child + 1;
                open[nopen++] = fresh ? ~b->child : b->child;
            } else {
                left[nleft++] = fresh ? ~column : column;
            }
        }
    }
    flush(w, row, &given);
    flush(w, row, &taken);
    if (a->child < 0) {
        act_on_block(w, row, nleft, left, true);
        if (w->model->has_solvent)
            act_on_block(w, row, nleft, left, false);
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
    const walk w = {.model = model, .far = far, .work = work};
    const bool first = far->allowed_before == 0;
    if (model->has_solvent)
        memset(work->touched, 0, (size_t)model->layout->nblock);
    for (int k = rows->first[task]; k < rows->first[task + 1]; ++k) {
        const int body = far->node[rows->row[k]].body;
        int n = 0;
        for (int other = 0; other < model->layout->nbody; ++other)
            if (cardo_far_gives_rows(body, other) && far->root[other] < far->root[other + 1])
                rows->list[task][n++] = first ? ~far->root[other] : far->root[other];
        visit(&w, rows->row[k], n, rows->list[task]);
    }
}

void cardo_far_find_largest(const cardo_rigid_model *model)
{
    const cardo_far *far = model->far;
    for (int k = far->nnode - 1; k >= 0; --k) {
        const cardo_far_node *node = &far->node[k];
        far->largest[k] = node->child < 0
                              ? model->solvent.largest[node->first_block]
                              : fmax(far->largest[node->child], far->largest[node->child + 1]);
    }
}
