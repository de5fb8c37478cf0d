/* Energies of pairs inside bodies by multipoles of their trees' nodes. Rows and columns are nodes of one body, each pair both ways round, and
 * halves of the energy are taken. */
#include "forces/rigid/inside_far.h"

#include "forces/rigid/far_walk.h"

enum { COLUMNS = CARDO_FAR_COLUMNS /* nodes or blocks of one call of a kernel */ };

typedef struct walk {
    const cardo_inside *inside;
    cardo_inside_energy *energy;
    int *queue, *taken; /* room for all nodes */
} walk;

/* Are atoms of two nodes exceptions? */
static bool are_tied(const cardo_inside *inside, const cardo_far_node *a, const cardo_far_node *b)
{
    for (int block = a->first_block; block < a->first_block + a->nblock; ++block)
        if (cardo_inside_is_tied(inside, block, b->first_block, b->first_block + b->nblock))
            return true;
    return false;
}

static void act(const walk *w, int row, int n, const int *columns)
{
    const cardo_rigid_model *model = w->inside->model;
    const cardo_far *far = model->far;
    double pull[8][COLUMNS];
    const double strength = model->has_solvent ? model->rules.gb_strength : 0;
    cardo_rigid_far_job job = cardo_far_job_of(far, false, row, n, columns, pull);
    model->kernels->full.far(far->moment, &job);
    for (int k = 0; k < n; ++k) {
        /* the series' charges are what the solvent leaves of them */
        const double plain = pull[7][k] / (1 - strength);
        w->energy->pairs += 0.5 * (pull[6][k] - pull[7][k] + plain);
        w->energy->solvent -= 0.5 * strength * plain;
    }
}

/* A block's atoms with those of nodes that are blocks too. */
static void act_on_block(walk *w, int row, int n, const int *columns)
{
    const cardo_far *far = w->inside->model->far;
    const int block = far->node[row].first_block;
    int column[COLUMNS], m = 0;
    for (int k = 0; k < n; ++k) {
        const int other = far->node[columns[k]].first_block;
        if (other == block || cardo_inside_is_tied(w->inside, block, other, other + 1)) {
            if (other >= block)
                cardo_inside_by_atoms(w->inside, block, other, w->energy);
            continue;
        }
        column[m++] = other;
        if (m == COLUMNS) {
            cardo_inside_by_blocks(w->inside, block, m, column, 0.5, w->energy);
            m = 0;
        }
    }
    cardo_inside_by_blocks(w->inside, block, m, column, 0.5, w->energy);
}

static void acts(const void *walk_of, int row, int n, const int *columns, int *answers)
{
    const walk *w = walk_of;
    const cardo_far *far = w->inside->model->far;
    double errors[CARDO_FAR_ASKED];
    cardo_far_errors(w->inside->model, row, n, columns, errors);
    for (int k = 0; k < n; ++k)
        answers[k] = errors[k] <= far->allowed &&
                     !are_tied(w->inside, &far->node[row], &far->node[columns[k]]);
}

/* A row against n nodes; the list has room after them. */
static void visit(walk *w, int row, int n, int *columns)
{
    const cardo_far *far = w->inside->model->far;
    const cardo_far_node *a = &far->node[row];
    cardo_far_offered to = {.taken = w->taken, .left = columns + n, .queue = w->queue};
    cardo_far_offer(far, false, row, n, columns, acts, w, &to);
    for (int from = 0; from < to.ntaken; from += COLUMNS)
        act(w, row, to.ntaken - from < COLUMNS ? to.ntaken - from : COLUMNS, to.taken + from);
    if (a->child < 0) {
        act_on_block(w, row, to.nleft, to.left);
        return;
    }
    visit(w, a->child, to.nleft, to.left);
    visit(w, a->child + 1, to.nleft, to.left);
}

void cardo_inside_far_task(const cardo_inside *inside, int task, cardo_inside_energy *energy)
{
    const cardo_far *far = inside->model->far;
    const cardo_far_rows *rows = &far->rows;
    const cardo_far_lists lists = cardo_far_take_lists(far);
    walk w = {.inside = inside, .energy = energy, .queue = lists.queue, .taken = lists.taken};
    for (int k = rows->first[task]; k < rows->first[task + 1]; ++k) {
        lists.list[0] = far->root[far->body[rows->row[k]]];
        visit(&w, rows->row[k], 1, lists.list);
    }
    cardo_far_give_back(far, &lists);
}
