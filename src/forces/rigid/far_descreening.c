/* Descreening by other bodies, and the forces through it, by the points of nodes (far_points.c): rows, which are descreened, against nodes
 * that descreen them. Both walks take the same pairs of nodes, so that the forces are the exact derivative of sums of what the first finds. */
#include "forces/rigid/far_walk.h"

#include "forces/rigid/model.h"

#include <string.h>

enum { COLUMNS = 128 /* blocks of one call of the kernel */ };

/* Each of the two errors of a pair of nodes may be this many times what a pair by its charges may be off by. */
static const double share = 6;

/* What a walk carries along, and columns of one body that act on a row together. */
typedef struct walk {
    const cardo_rigid_model *model;
    const cardo_far *far;
    cardo_rigid_work *work;
    bool forces; /* else sums */
    int body, n, block[COLUMNS];
} walk;

static void add_wrench(const walk *w, int block, int row_body, int body)
{
    const cardo_rigid_view_double *view = &w->model->full;
    const double *force = w->work->force;
    cardo_spatial sum = {{0, 0, 0}, {0, 0, 0}};
    for (int k = 0; k < CARDO_BLOCK; ++k) {
        const int slot = CARDO_BLOCK * block + k;
        const cardo_vec3 f = v3(force[k], force[CARDO_BLOCK + k], force[2 * CARDO_BLOCK + k]);
        sum.linear = v3_add(sum.linear, f);
        sum.angular =
            v3_add(sum.angular, v3_cross(v3(view->x[slot], view->y[slot], view->z[slot]), f));
    }
    cardo_spatial *to = &w->work->wrench[row_body], *from = &w->work->wrench[body];
    to->linear = v3_add(to->linear, sum.linear);
    to->angular = v3_add(to->angular, sum.angular);
    from->linear = v3_sub(from->linear, sum.linear);
    from->angular = v3_sub(from->angular, sum.angular);
}

static cardo_rigid_job job_of(const walk *w, int block)
{
    const cardo_rigid_layout *layout = w->model->layout;
    if (w->forces)
        memset(w->work->force, 0, sizeof w->work->force);
    return (cardo_rigid_job){.block = block,
                             .count = block < layout->nblock ? layout->count[block] : CARDO_BLOCK,
                             .force = w->work->force,
                             .row_sum = w->far->points.sum + CARDO_BLOCK * block};
}

/* A block of rows against points of a body's nodes. */
static void act_by_points(const walk *w, int block, int row_body)
{
    const cardo_rigid_model *model = w->model;
    cardo_rigid_job job = job_of(w, block);
    job.columns = w->block;
    job.ncolumn = w->n;
    if (w->forces && model->single)
        model->kernels->single.chain_points(&model->part, &model->rules, &job);
    else if (w->forces)
        model->kernels->full.chain_points(&model->full, &model->rules, &job);
    else if (model->single)
        model->kernels->single.descreen_points(&model->part, &model->rules, &job);
    else
        model->kernels->full.descreen_points(&model->full, &model->rules, &job);
    if (w->forces)
        add_wrench(w, block, row_body, w->body);
}

/* A block of atoms against blocks of a body, sorted by how far they are into work->near and work->far. */
static void act_by_atoms(const walk *w, int block, int body)
{
    const cardo_rigid_model *model = w->model;
    const cardo_rigid_kernels *kernels = model->kernels;
    cardo_rigid_job job = job_of(w, block);
    if (w->forces)
        cardo_rigid_by_distance(model, w->work, kernels->chain_near_rows, kernels->full.chain_rows,
                                kernels->single.chain_rows, &job);
    else
        cardo_rigid_by_distance(model, w->work, kernels->descreen_near_rows,
                                kernels->full.descreen_rows, kernels->single.descreen_rows, &job);
    if (w->forces)
        add_wrench(w, block, model->layout->body[block], body);
}

static void flush(walk *w, int row)
{
    const cardo_far_points *points = &w->far->points;
    for (int k = 0; w->n > 0 && k < points->count[row]; ++k)
        act_by_points(w, points->first[row] + k, w->far->node[row].body);
    w->n = 0;
}

static void put(walk *w, int row, int node)
{
    const cardo_far_points *points = &w->far->points;
    const int body = w->far->node[node].body;
    if (w->n > 0 && (body != w->body || w->n + points->count[node] > COLUMNS))
        flush(w, row);
    w->body = body;
    for (int k = 0; k < points->count[node]; ++k)
        w->block[w->n++] = points->first[node] + k;
}

/* May a node's points be descreened by those of another? What that leaves out of a force is the first degree that the points do not
 * keep, and the scaled radii that differ from their mean. No roots and divisions: most pairs of nodes that a walk comes by are asked. */
static bool acts(const walk *w, int row, int column)
{
    const cardo_far *far = w->far;
    const cardo_far_node *a = &far->node[row], *b = &far->node[column];
    const double *p = far->place + 3 * (size_t)row, *q = far->place + 3 * (size_t)column;
    const double x = p[0] - q[0], y = p[1] - q[1], z = p[2] - q[2], r2 = x * x + y * y + z * z;
    const double reach = a->radius + b->radius, gap = reach + w->model->near_descreening;
    if (r2 <= 1.5 * reach * reach || r2 <= gap * gap)
        return false;
    const double allowed = share * far->allowed / a->amount;
    const double degree = b->volume * (a->left_out + b->left_out), spread = b->spread_left_out;
    const double r8 = r2 * r2 * r2 * r2, r16 = r8 * r8;
    double power = r16; /* r^(2 (6 + degree)) */
    for (int k = 2; k < far->points.degree; ++k)
        power *= r2;
    return degree * degree <= allowed * allowed * power &&
           spread * spread <= allowed * allowed * r16;
}

static void act_on_block(const walk *w, int row, int n, const int *columns)
{
    const cardo_rigid_model *model = w->model;
    const cardo_far *far = w->far;
    const int block = far->node[row].first_block;
    for (int from = 0, to; from < n; from = to) {
        const int body = far->node[columns[from]].body;
        w->work->nnear = w->work->nfar = 0;
        for (to = from; to < n && far->node[columns[to]].body == body; ++to) {
            const int column = far->node[columns[to]].first_block;
            if (cardo_rigid_gap(&model->sphere[block], &model->sphere[column]) <=
                model->near_descreening)
                w->work->near[w->work->nnear++] = column;
            else
                w->work->far[w->work->nfar++] = column;
        }
        act_by_atoms(w, block, body);
    }
}

static bool take(void *walk_of, int row, int column)
{
    walk *w = walk_of;
    if (!acts(w, row, column))
        return false;
    put(w, row, column);
    return true;
}

/* A row against n nodes; the list has room after them. Those that are far enough act by their points, the larger of two that are not is
 * halved. What is left is for the halves of the row, or acts atom by atom. */
static void visit(walk *w, int row, int n, int *columns)
{
    const cardo_far *far = w->far;
    const cardo_far_node *a = &far->node[row];
    int *left = columns + n;
    const int nleft = cardo_far_offer(far, row, n, columns, left, take, w);
    flush(w, row);
    if (a->child < 0) {
        act_on_block(w, row, nleft, left);
        return;
    }
    if (!w->forces && !cardo_far_has_own_points(far, row))
        cardo_far_lower(far, row, far->points.sum);
    visit(w, a->child, nleft, left);
    visit(w, a->child + 1, nleft, left);
}

/* Which bodies act on a task's rows. */
typedef enum sources { OTHERS, OWN } sources;

static void walk_down(const cardo_rigid_model *model, int task, bool forces, sources by,
                      cardo_rigid_work *work)
{
    const cardo_far *far = model->far;
    const cardo_far_rows *rows = &far->rows;
    walk w = {.model = model, .far = far, .work = work, .forces = forces};
    for (int k = rows->first[task]; k < rows->first[task + 1]; ++k) {
        const int row = rows->row[k];
        int n = 0;
        for (int other = 0; other < model->layout->nbody; ++other)
            if ((other == far->node[row].body) == (by == OWN) &&
                far->root[other] < far->root[other + 1])
                rows->list[task][n++] = far->root[other];
        if (!forces)
            memset(far->points.sum + CARDO_BLOCK * far->points.first[row], 0,
                   sizeof(double) * CARDO_BLOCK * (size_t)far->points.count[row]);
        visit(&w, row, n, rows->list[task]);
    }
}

void cardo_far_descreen(const cardo_rigid_model *model, int task, cardo_rigid_work *work)
{
    walk_down(model, task, false, OTHERS, work);
}

void cardo_far_descreen_inside(const cardo_rigid_model *model, int task, cardo_rigid_work *work)
{
    walk_down(model, task, false, OWN, work);
}

void cardo_far_chain(const cardo_rigid_model *model, int task, cardo_rigid_work *work)
{
    walk_down(model, task, true, OTHERS, work);
}

void cardo_far_raise_chain(cardo_rigid_model *model, int body)
{
    const cardo_far *far = model->far;
    const cardo_far_points *points = &far->points;
    for (int k = far->root[body + 1] - 1; k >= far->root[body]; --k) {
        if (cardo_far_has_own_points(far, k))
            continue;
        cardo_far_raise(far, k, model->full.chain);
        for (int slot = CARDO_BLOCK * points->first[k];
             slot < CARDO_BLOCK * (points->first[k] + points->blocks); ++slot)
            model->part.chain[slot] = (float)model->full.chain[slot];
    }
}
