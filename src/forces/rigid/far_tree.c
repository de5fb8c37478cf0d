#include "forces/rigid/far.h"

#include "base/memory.h"
#include "forces/rigid/kernels/dispersion.h"
#include "forces/rigid/model.h"

#include <math.h>
#include <string.h>

enum {
    ROW_LEVELS = 6,  /* of nodes of CARDO_FAR_ROW_BLOCKS and below              */
    MOST_TASKS = 48, /* more share better among threads, and cost more sums     */
    NOTES = 256      /* numbers of a block that a walk notes; mostly half of it */
};

typedef struct threshold {
    double tolerance;
    int blocks;
} threshold;

/* Of bodies' own blocks, by tolerance: with fewer all pairs are quicker. Proteins of 2500 atoms a body, on AVX-512. */
static const threshold quicker[] = {{1e-3, 64}, {1e-4, 300}, {1e-6, 1000}, {1e-7, 1800}};
/* The same of blocks that small bodies share, in models of so many atoms at least. Several LAO with a hundred turning side chains each. */
static const int least_atoms_shared = 10000;
static const threshold quicker_shared[] = {{1e-3, 64}, {1e-4, 250}, {1e-5, 375}, {1e-6, 1000}};
/* Single precision's errors of sums that cancel stay below this. */
static const double least_single = 1e-3;

/* As the layout has halved a body's blocks. */
static int grow(cardo_far *far, int body, int first, int n)
{
    const int k = far->nnode++;
    far->node[k] = (cardo_far_node){.first_block = first, .nblock = n, .child = -1};
    far->body[k] = body;
    return k;
}

static void split(cardo_far *far, int from)
{
    for (int k = from; k < far->nnode; ++k) {
        const cardo_far_node node = far->node[k];
        const int left = node.nblock / 2;
        if (node.nblock == 1)
            continue;
        far->node[k].child = grow(far, far->body[k], node.first_block, left);
        grow(far, far->body[k], node.first_block + left, node.nblock - left);
    }
}

static cardo_status plant(const cardo_rigid_layout *layout, bool shared, cardo_far *far,
                          cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&far->root, layout->nbody + 2, error));
    CARDO_TRY(CARDO_ALLOCATE(&far->node, 2 * (size_t)layout->nblock, error));
    CARDO_TRY(CARDO_ALLOCATE(&far->body, 2 * (size_t)layout->nblock, error));
    for (int body = 0; body < layout->nbody; ++body) {
        const int first = layout->first_block[body], n = layout->first_block[body + 1] - first;
        far->root[body] = far->nnode;
        if (n == 0)
            continue;
        split(far, grow(far, body, first, n));
    }
    far->root[layout->nbody] = far->nnode;
    if (shared)
        split(far, grow(far, layout->nbody, layout->first_block[layout->nbody],
                        layout->nblock - layout->first_block[layout->nbody]));
    far->root[layout->nbody + 1] = far->nnode;
done:
    return status;
}

static void find_size(const cardo_rigid_layout *layout, bool beside_small, cardo_far *far)
{
    double sum = 0, of_owners = 0;
    int n = 0, owners = 0;
    for (int body = 0; body < layout->nbody; ++body)
        if (layout->natom_of[body] > 0) {
            const double square =
                layout->body_sphere[body].radius * layout->body_sphere[body].radius;
            const bool owns = layout->first_block[body] < layout->first_block[body + 1];
            sum += square;
            of_owners += owns ? square : 0;
            owners += owns;
            ++n;
        }
    far->size = sqrt(sum / n);
    far->levers = beside_small ? far->size / sqrt(of_owners / owners) : 1;
}

/* Squares of the root mean square, over how two nodes are turned, of the energy of an order k of one and order - k of the other. */
static cardo_status weigh(cardo_far *far, cardo_error *error)
{
    const int order = far->order + 1;
    cardo_status status = CARDO_ALLOCATE(&far->weight, order + 1, error);
    for (int k = 0; k <= order && status == CARDO_OK; ++k) {
        const int l = order - k;
        far->weight[k] = exp(lgamma(2 * order + 1) - lgamma(2 * k + 1) - lgamma(2 * l + 1)) /
                         ((2 * k + 1) * (2 * l + 1));
    }
    return status;
}

static bool is_quicker(size_t n, const threshold *from, double tolerance, int blocks)
{
    for (size_t k = 0; k < n; ++k)
        if (tolerance > 0.99 * from[k].tolerance)
            return blocks >= from[k].blocks;
    return false;
}

static int shared_blocks(const cardo_rigid_layout *layout)
{
    return layout->nblock - layout->first_block[layout->nbody];
}

static bool has_many_small(const cardo_rigid_model *model)
{
    return model->plain && model->layout->natom >= least_atoms_shared &&
           shared_blocks(model->layout) >= quicker_shared[0].blocks;
}

/* Do shared blocks have trees? In vacuum a pass is refined by taking back, which is not done for them; and with salt charges have no series. */
static bool is_quicker_shared(const cardo_rigid_model *model, double tolerance)
{
    return has_many_small(model) && model->rules.kappa == 0 &&
           is_quicker(sizeof quicker_shared / sizeof *quicker_shared, quicker_shared, tolerance,
                      shared_blocks(model->layout));
}

/* What a solvent leaves of charges is some fiftieth of them. */
static int order_for(double tolerance, bool solvent)
{
    const int order = 2 + (int)ceil(-2 * log10(tolerance)) - (solvent ? 2 : 0);
    return order < 4 ? 4 : order > CARDO_FAR_ORDER ? CARDO_FAR_ORDER : order;
}

cardo_status cardo_far_plant(const cardo_rigid_model *model, double tolerance, cardo_far **out,
                             cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_far *far = NULL;
    const cardo_rigid_layout *layout = model->layout;
    *out = NULL;
    if (!is_quicker(sizeof quicker / sizeof *quicker, quicker, tolerance,
                    layout->first_block[layout->nbody]))
        return CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&far, 1, error));
    far->tolerance = tolerance;
    far->order = order_for(tolerance, model->has_solvent);
    far->single = model->single && tolerance > 0.99 * least_single;
    CARDO_TRY(plant(layout, is_quicker_shared(model, tolerance), far, error));
    find_size(layout, has_many_small(model), far);
    *out = far;
    far = NULL;
done:
    cardo_far_destroy(far);
    return status;
}

static cardo_status list_rows(const cardo_rigid_layout *layout, cardo_far *far, cardo_error *error)
{
    cardo_far_rows *rows = &far->rows;
    cardo_status status = CARDO_ALLOCATE(&rows->row, far->nnode, error);
    for (int body = 0; body < layout->nbody && status == CARDO_OK; ++body)
        for (int k = far->root[body]; k < far->root[body + 1]; ++k) {
            const cardo_far_node *node = &far->node[k];
            if (node->nblock <= CARDO_FAR_ROW_BLOCKS) {
                if (k == far->root[body])
                    rows->row[rows->nrow++] = k;
                continue;
            }
            for (int child = node->child; child < node->child + 2; ++child)
                if (far->node[child].nblock <= CARDO_FAR_ROW_BLOCKS)
                    rows->row[rows->nrow++] = child;
        }
    return status;
}

static cardo_status take_notes(cardo_far *far, cardo_error *error)
{
    cardo_status status;
    cardo_far_rows *rows = &far->rows;
    CARDO_TRY(CARDO_ALLOCATE(&rows->note, rows->ntask, error));
    CARDO_TRY(CARDO_ALLOCATE(&rows->noted, rows->ntask, error));
    CARDO_TRY(CARDO_ALLOCATE(&rows->first_note, rows->ntask + 1, error));
    for (int task = 0; task < rows->ntask; ++task) {
        int blocks = 0;
        for (int k = rows->first[task]; k < rows->first[task + 1]; ++k)
            blocks += far->node[rows->row[k]].nblock;
        rows->first_note[task + 1] = rows->first_note[task] + NOTES * blocks;
    }
    const size_t room = (size_t)rows->first_note[rows->ntask] * sizeof(int16_t);
    CARDO_TRY(cardo_pages_take(&rows->notes, room, error));
    for (int task = 0; task < rows->ntask; ++task)
        rows->note[task] = (int16_t *)rows->notes.memory + rows->first_note[task];
done:
    return status;
}

/* Numbers of a task's lists. A walk writes past the end of them what it does not take. */
static size_t room_of_rows(const cardo_far *far)
{
    return (size_t)(ROW_LEVELS + 1) * ((size_t)far->nnode + 4) + 1;
}

static size_t room_of_nodes(const cardo_far *far)
{
    return (size_t)far->nnode + 2;
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
    CARDO_TRY(CARDO_ALLOCATE(&rows->claim, rows->ntask, error));
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
    if (model->has_solvent)
        CARDO_TRY(take_notes(far, error));
    const size_t room =
        room_of_rows(far) + 2 * room_of_nodes(far) + (size_t)model->layout->nbody + 1;
    status = cardo_pages_take(&rows->lists, (size_t)rows->ntask * room * sizeof(int), error);
done:
    return status;
}

cardo_far_lists cardo_far_take_lists(const cardo_far *far)
{
    const cardo_far_rows *rows = &far->rows;
    const size_t room = rows->lists.bytes / sizeof(int) / (size_t)rows->ntask;
    cardo_far_lists lists = {.number = 0};
    while (atomic_exchange_explicit(&rows->claim[lists.number].busy, true, memory_order_acquire))
        lists.number = (lists.number + 1) % rows->ntask;
    lists.list = (int *)rows->lists.memory + (size_t)lists.number * room;
    lists.queue = lists.list + room_of_rows(far);
    lists.taken = lists.queue + room_of_nodes(far);
    lists.count = lists.taken + room_of_nodes(far);
    return lists;
}

void cardo_far_give_back(const cardo_far *far, const cardo_far_lists *lists)
{
    atomic_store_explicit(&far->rows.claim[lists->number].busy, false, memory_order_release);
}

cardo_status cardo_far_fill(cardo_rigid_model *model, cardo_error *error)
{
    cardo_status status;
    cardo_far *far = model->far;
    double *number = NULL;
    cardo_dispersion split = {.rank = 0};
    CARDO_TRY(weigh(far, error));
    CARDO_TRY(cardo_dispersion_split(model->layout->nslot, model->full.root_epsilon,
                                     model->full.half_sigma, far->tolerance, &split, &number,
                                     error));
    far->rank = split.rank;
    far->left_out = split.left_out;
    memcpy(far->strength, split.strength, sizeof far->strength);
    CARDO_TRY(cardo_far_moments(model, far, number, error));
    CARDO_TRY(cardo_far_turn_create(far, error));
    CARDO_TRY(CARDO_ALLOCATE(&far->place, 3 * (size_t)far->nnode + 1, error));
    const size_t numbers = (size_t)far->record * (size_t)far->nnode;
    CARDO_TRY(cardo_pages_take(&far->moments, numbers * sizeof *far->moment, error));
    far->moment = far->moments.memory;
    if (model->has_solvent) {
        CARDO_TRY(CARDO_ALLOCATE(&far->largest, far->nnode, error));
        CARDO_TRY(cardo_far_volumes_create(model, far, error));
    }
    CARDO_TRY(cardo_far_rows_create(model, far, error));
    if (far->root[model->layout->nbody] < far->nnode)
        CARDO_TRY(cardo_far_shared_create(model, far, number, error));
done:
    cardo_free(number);
    return status;
}

static cardo_status to_single(cardo_far_own *own, size_t n, cardo_error *error)
{
    const cardo_status status = CARDO_ALLOCATE(&own->single, n, error);
    for (size_t k = 0; k < n && status == CARDO_OK; ++k)
        own->single[k] = (float)own->full[k];
    if (status == CARDO_OK) {
        cardo_free(own->full);
        own->full = NULL;
    }
    return status;
}

cardo_status cardo_far_settle(const cardo_rigid_model *model, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_far *far = model->far;
    cardo_far_volumes *volumes = &far->volumes;
    const size_t columns = far->first_own[model->layout->nbody];
    if (far->single) {
        cardo_pages_release(&far->moments);
        far->moment = NULL;
        CARDO_TRY(
            CARDO_ALLOCATE(&far->moment_single, (size_t)far->record * (size_t)far->nnode, error));
        CARDO_TRY(to_single(&far->own_charge,
                            (size_t)(far->order + 1) * (size_t)(far->order + 1) * columns, error));
    }
    if (model->single && volumes->moment) {
        /* Those of the distance's powers stay what they are at any pose. */
        const size_t numbers = (size_t)volumes->record * (size_t)far->nnode;
        CARDO_TRY(CARDO_ALLOCATE(&volumes->moment_single, numbers, error));
        for (size_t k = 0; k < numbers; ++k)
            volumes->moment_single[k] = (float)volumes->moment[k];
        cardo_pages_release(&volumes->moments);
        volumes->moment = NULL;
        CARDO_TRY(to_single(&volumes->own, (size_t)volumes->monomials.size * columns, error));
        if (volumes->chain_moment) {
            CARDO_TRY(CARDO_ALLOCATE(&volumes->chain_moment_single, numbers, error));
            cardo_free(volumes->chain_moment);
            volumes->chain_moment = NULL;
        }
    }
done:
    return status;
}

void cardo_far_destroy(cardo_far *far)
{
    if (!far)
        return;
    cardo_pages_release(&far->rows.lists);
    cardo_pages_release(&far->rows.notes);
    cardo_free(far->rows.note);
    cardo_free(far->rows.noted);
    cardo_free(far->rows.first_note);
    cardo_free(far->rows.claim);
    cardo_free(far->rows.row);
    cardo_free(far->rows.first);
    cardo_free(far->root);
    cardo_free(far->node);
    cardo_free(far->body);
    cardo_free(far->seen);
    cardo_free(far->bulk);
    cardo_free(far->power);
    cardo_free(far->weight);
    cardo_free(far->scale);
    cardo_free(far->station);
    cardo_free(far->first_own);
    cardo_free(far->own_charge.full);
    cardo_free(far->own_charge.single);
    cardo_free(far->own_dispersion);
    cardo_free(far->point);
    cardo_free(far->inverse);
    cardo_free(far->place);
    cardo_pages_release(&far->moments);
    cardo_free(far->moment_single);
    cardo_free(far->largest);
    cardo_far_volumes_clear(&far->volumes);
    cardo_far_shared_clear(&far->shared);
    cardo_free(far);
}
