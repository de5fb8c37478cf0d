/* Descreening by other bodies, and the forces through it, by series about nodes' places (far_volumes.c): rows, which are descreened, against nodes
 * that descreen them. Both walks take the same pairs of nodes, so that the forces are the exact derivative of sums of what the first finds. */
#include "forces/rigid/far_walk.h"

#include "forces/rigid/model.h"

#include <math.h>
#include <string.h>

enum { COLUMNS = CARDO_FAR_COLUMNS };

/* What is constant inside bodies may be off by this share: its errors add up in the energy, and it is done once. */
static const double share_inside = 0.005;

/* What a walk carries along, and columns that act on a row together. */
typedef struct walk {
    const cardo_rigid_model *model;
    const cardo_far *far;
    cardo_rigid_work *work;
    bool forces;      /* else sums */
    double error;     /* of r^2, by which what series leave out of a force is small enough */
    int first_shared; /* node of shared blocks */
    double pull[6][COLUMNS];
    int *queue, *taken, *count; /* room for all nodes, and bodies */
    int16_t *note;              /* what the walk for sums leaves to that for forces               */
    int noted, most; /* so many numbers of it; -1: too many, or none are wanted; room for them */
    cardo_rigid_far_radii job;
} walk;

static void pull(const walk *w, int row_body, int body, cardo_vec3 force, cardo_vec3 torque)
{
    cardo_spatial *to = &w->work->wrench[row_body], *from = &w->work->wrench[body];
    to->linear = v3_add(to->linear, force);
    to->angular = v3_add(to->angular, torque);
    from->linear = v3_sub(from->linear, force);
    from->angular = v3_sub(from->angular, torque);
}

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
    pull(w, row_body, body, sum.linear, sum.angular);
}

/* A block of atoms against blocks of a body, sorted by how far they are into work->near and work->far. */
static void act_by_atoms(const walk *w, int block, int body)
{
    const cardo_rigid_model *model = w->model;
    const cardo_rigid_kernels *kernels = model->kernels;
    cardo_rigid_job job = {.block = block,
                           .count = model->layout->count[block],
                           .force = w->work->force,
                           .row_sum = w->far->volumes.sum + CARDO_BLOCK * block};
    memset(w->work->force, 0, sizeof w->work->force);
    if (model->single && w->far->single && w->forces)
        cardo_rigid_in_single(model, w->work, kernels->single.chain_mixed_rows,
                              kernels->single.chain_rows, &job);
    else if (model->single && w->far->single)
        cardo_rigid_in_single(model, w->work, kernels->single.descreen_mixed_rows,
                              kernels->single.descreen_rows, &job);
    else if (w->forces)
        cardo_rigid_by_distance(model, w->work, kernels->full.chain_mixed_rows,
                                kernels->full.chain_rows, kernels->single.chain_rows, &job);
    else
        cardo_rigid_by_distance(model, w->work, kernels->full.descreen_mixed_rows,
                                kernels->full.descreen_rows, kernels->single.descreen_rows, &job);
    if (w->forces)
        add_wrench(w, block, model->layout->body[block], body);
}

/* Makes a node the row of the kernels' jobs. */
static void look_from(walk *w, int row)
{
    const cardo_far_volumes *volumes = &w->far->volumes;
    const cardo_monomials *m = &volumes->monomials;
    cardo_rigid_far_radii *job = &w->job;
    for (int d = 0; d < 3; ++d)
        job->place[d] = w->far->place[3 * row + d];
    job->chain = volumes->chain + (size_t)(m->size + volumes->nround) * (size_t)row;
}

static void act(walk *w, int row, int n, const int *columns)
{
    const cardo_far *far = w->far;
    const cardo_rigid_kernels *kernels = w->model->kernels;
    cardo_rigid_far_radii *job = &w->job;
    double totals[6];
    for (int from = 0; from < n; from += COLUMNS) {
        job->columns = columns + from;
        job->ncolumn = n - from < COLUMNS ? n - from : COLUMNS;
        if (w->forces && w->model->single)
            kernels->single.far_chain(far->volumes.moment_single, job);
        else if (w->forces)
            kernels->full.far_chain(far->volumes.moment, job);
        else if (w->model->single)
            kernels->single.far_descreen(far->volumes.moment_single, job);
        else
            kernels->full.far_descreen(far->volumes.moment, job);
        if (w->forces)
            cardo_far_push(w->model, row, 1, job->ncolumn, job->columns, 6, job->pull, totals,
                           w->work->wrench);
    }
}

/* May a node be descreened by another by their series? Of a force these leave out, where n is the first order left out, at most
 * (4 + n) (n + 1) (n + 2) (n + 3)/18 volume dE/dI (extent/r)^n/r^5. Roots have been taken before: most pairs of nodes that a walk comes by are
 * asked. */
static void acts(const void *walk_of, int row, int n, const int *columns, int *answers)
{
    const int first_shared = ((const walk *)walk_of)->first_shared;
    const walk *w = walk_of;
    const cardo_far *far = w->far;
    const cardo_far_node *a = &far->node[row];
    const cardo_rigid_far_descreened by = {.row = far->seen[row],
                                           .gap = (float)w->model->near_descreening,
                                           .factor = (float)(w->error * a->chain_power),
                                           .extent = (float)a->chain_extent};
    w->model->kernels->ask_descreening(&by, far->seen, n, columns, answers);
    for (int k = 0; first_shared < far->nnode && k < n; ++k)
        if (columns[k] >= first_shared)
            answers[k] = cardo_far_descreen_each_other(w->model, w->error, row, columns[k]);
}

/* May the first be descreened by the second? */
static bool may_descreen(const cardo_far *far, double error, float r2, int a, int b)
{
    const float series = (float)(error * far->node[a].chain_power) * far->seen[b].volume_power;
    return r2 > series * ((float)far->node[a].chain_extent + far->seen[b].volume_extent);
}

bool cardo_far_descreen_each_other(const cardo_rigid_model *model, double error, int a, int b)
{
    const cardo_far *far = model->far;
    const cardo_rigid_far_seen *s = &far->seen[a], *t = &far->seen[b];
    const float x = s->x - t->x, y = s->y - t->y, z = s->z - t->z, r2 = x * x + y * y + z * z;
    const float reach = s->radius + t->radius, gap = reach + (float)model->near_descreening;
    return r2 > gap * gap && r2 > 1.5f * reach * reach && may_descreen(far, error, r2, a, b) &&
           may_descreen(far, error, r2, b, a);
}

double cardo_far_descreening_error(const cardo_far *far, double share)
{
    const double order = far->volumes.monomials.order + 1;
    const double factor = (4 + order) * (order + 1) * (order + 2) * (order + 3) / 18;
    const double allowed = far->volumes.share * far->allowed * share;
    return pow(factor / allowed, 2 / (5 + order));
}

static void act_on_block(const walk *w, int row, int n, const int *columns)
{
    const cardo_rigid_model *model = w->model;
    const cardo_far *far = w->far;
    const int block = far->node[row].first_block;
    for (int from = 0, to; from < n; from = to) {
        const int body = far->body[columns[from]];
        w->work->nnear = w->work->nfar = 0;
        for (to = from; to < n && far->body[columns[to]] == body; ++to) {
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

/* A block's sums are what the series about its place is at its atoms. */
static void add_field(const walk *w, int row, const double *field)
{
    const cardo_far *far = w->far;
    const int first = CARDO_BLOCK * far->node[row].first_block;
    w->model->kernels->add_series(&far->volumes.monomials, &w->model->full, first, w->job.place,
                                  field, far->volumes.sum + first);
}

/* What hangs on atoms' distances from a row's place alone does not go down to its halves. */
static void add_round_field(const walk *w, int row, const double *field)
{
    const cardo_far_node *node = &w->far->node[row];
    for (int block = node->first_block; block < node->first_block + node->nblock; ++block) {
        double r2[CARDO_BLOCK], value[CARDO_BLOCK] = {0};
        double *sum = w->far->volumes.sum + CARDO_BLOCK * block;
        cardo_far_block_distances(w->model, row, block, r2);
        for (int m = w->far->volumes.nround - 1; m >= 0; --m)
            for (int k = 0; k < CARDO_BLOCK; ++k)
                value[k] = value[k] * r2[k] + field[m];
        for (int k = 0; k < CARDO_BLOCK; ++k)
            sum[k] += value[k];
    }
}

/* Nodes of a list are mostly near the one before. A step that is too long for 16 bits is this, and then the number itself. */
enum { LONG_STEP = INT16_MIN, LONG_STEP_TAKES = 1 + sizeof(int) / sizeof(int16_t) };

static void note_number(walk *w, int number, int before)
{
    const int step = number - before;
    const bool is_long = step <= LONG_STEP || step > INT16_MAX;
    const int takes = is_long ? LONG_STEP_TAKES : 1;
    if (w->noted < 0 || w->most - w->noted < takes) {
        w->noted = -1;
        return;
    }
    w->note[w->noted] = (int16_t)(is_long ? LONG_STEP : step);
    if (is_long)
        memcpy(w->note + w->noted + 1, &number, sizeof number);
    w->noted += takes;
}

static int recall_number(walk *w, int before)
{
    int number = before + w->note[w->noted];
    const bool is_long = w->note[w->noted] == LONG_STEP;
    if (is_long)
        memcpy(&number, w->note + w->noted + 1, sizeof number);
    w->noted += is_long ? LONG_STEP_TAKES : 1;
    return number;
}

/* Leaves n nodes to the walk for forces. */
static void note(walk *w, int n, const int *nodes)
{
    note_number(w, n, 0);
    for (int k = 0; k < n && w->noted >= 0; ++k)
        note_number(w, nodes[k], k > 0 ? nodes[k - 1] : 0);
}

/* What the walk for sums has left, in the same order. */
static int recall(walk *w, int *nodes)
{
    const int n = recall_number(w, 0);
    for (int k = 0; k < n; ++k)
        nodes[k] = recall_number(w, k > 0 ? nodes[k - 1] : 0);
    return n;
}

/* A row against n nodes; the list has room after them. Those that are far enough act by their series, the larger of two that are not is
 * halved. What is left is for the halves of the row, or acts atom by atom. above: the series about the row's place of what has acted on nodes that hold it. */
static void visit(walk *w, int row, int n, int *columns, const double *above)
{
    const cardo_far *far = w->far;
    const cardo_monomials *m = &far->volumes.monomials;
    const cardo_far_node *a = &far->node[row];
    cardo_far_offered to = {.taken = w->taken, .left = columns + n, .queue = w->queue};
    const int *left = to.left;
    double field[CARDO_MONOMIALS + CARDO_FAR_ROUND], lowered[CARDO_MONOMIALS];
    const bool noted = w->forces && w->noted >= 0;
    if (!w->forces) {
        memcpy(field, above, sizeof *field * (size_t)m->size);
        memset(field + m->size, 0, sizeof *field * CARDO_FAR_ROUND);
    }
    look_from(w, row);
    w->job.field = field;
    if (noted)
        to.ntaken = recall(w, to.taken);
    else
        cardo_far_offer(far, false, row, n, columns, acts, w, &to);
    if (!w->forces)
        note(w, to.ntaken, to.taken);
    act(w, row, to.ntaken, to.taken);
    if (!w->forces && to.ntaken > 0)
        add_round_field(w, row, field + m->size);
    if (a->child < 0) {
        if (noted)
            to.nleft = recall(w, to.left);
        else
            left = cardo_far_by_body(far, to.nleft, left, w->queue, w->count);
        /* Those are rows by atoms themselves (far_shared_rows.c). */
        while (!noted && to.nleft > 0 && left[to.nleft - 1] >= w->first_shared)
            --to.nleft;
        if (!w->forces) {
            note(w, to.nleft, left);
            add_field(w, row, field);
        }
        act_on_block(w, row, to.nleft, left);
        return;
    }
    for (int child = a->child; child < a->child + 2; ++child) {
        double by[3];
        v3_store(by, v3_sub(v3_load(far->place + 3 * (size_t)child),
                            v3_load(far->place + 3 * (size_t)row)));
        if (!w->forces)
            cardo_monomials_lower(m, by, field, lowered);
        visit(w, child, to.nleft, to.left, lowered);
    }
}

/* Which bodies act on a task's rows. */
typedef enum sources { OTHERS, OWN } sources;

static void walk_down(const cardo_rigid_model *model, int task, bool forces, sources by,
                      cardo_rigid_work *work)
{
    const cardo_far *far = model->far;
    const cardo_far_rows *rows = &far->rows;
    static const double none[CARDO_MONOMIALS] = {0};
    const cardo_far_lists lists = cardo_far_take_lists(far);
    walk w = {.model = model,
              .far = far,
              .work = work,
              .forces = forces,
              .queue = lists.queue,
              .taken = lists.taken,
              .count = lists.count,
              .note = rows->note[task],
              .noted = (forces ? rows->noted[task] < 0 : by == OWN) ? -1 : 0,
              .most = rows->first_note[task + 1] - rows->first_note[task]};
    w.error = cardo_far_descreening_error(far, by == OWN ? share_inside : 1);
    w.first_shared = far->root[model->layout->nbody];
    w.job.monomials = &far->volumes.monomials;
    w.job.nround = far->volumes.nround;
    w.job.round = far->volumes.round;
    w.job.record = far->volumes.record;
    w.job.places = far->place;
    w.job.pull = w.pull;
    for (int k = rows->first[task]; k < rows->first[task + 1]; ++k) {
        const int row = rows->row[k];
        const cardo_far_node *node = &far->node[row];
        int n = 0;
        if (!forces)
            memset(far->volumes.sum + CARDO_BLOCK * node->first_block, 0,
                   sizeof(double) * CARDO_BLOCK * (size_t)node->nblock);
        for (int other = 0; other < model->layout->nbody; ++other)
            if ((other == far->body[row]) == (by == OWN) && far->root[other] < far->root[other + 1])
                lists.list[n++] = far->root[other];
        for (int tree = 0; by == OTHERS && tree < far->shared.nrow; ++tree)
            lists.list[n++] = far->shared.row[tree];
        visit(&w, row, n, lists.list, none);
    }
    cardo_far_give_back(far, &lists);
    if (!forces)
        rows->noted[task] = w.noted;
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
