#include "forces/rigid/layout/layout.h"

#include "base/memory.h"
#include "forces/rigid/layout/sharing.h"

#include <math.h>
#include <stdlib.h>

typedef struct place {
    double x[3];
    int atom;
} place;

static int along_x(const void *a, const void *b)
{
    const place *p = a, *q = b;
    return p->x[0] != q->x[0] ? (p->x[0] > q->x[0] ? 1 : -1) : p->atom - q->atom;
}

static int along_y(const void *a, const void *b)
{
    const place *p = a, *q = b;
    return p->x[1] != q->x[1] ? (p->x[1] > q->x[1] ? 1 : -1) : p->atom - q->atom;
}

static int along_z(const void *a, const void *b)
{
    const place *p = a, *q = b;
    return p->x[2] != q->x[2] ? (p->x[2] > q->x[2] ? 1 : -1) : p->atom - q->atom;
}

static int longest_axis(const place *places, int n)
{
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    int axis = 0;
    for (int k = 0; k < n; ++k)
        for (int d = 0; d < 3; ++d) {
            low[d] = fmin(low[d], places[k].x[d]);
            high[d] = fmax(high[d], places[k].x[d]);
        }
    for (int d = 1; d < 3; ++d)
        if (high[d] - low[d] > high[axis] - low[axis])
            axis = d;
    return axis;
}

/* Halves a body's atoms across their longest side, at a whole number of blocks, until each part is
 * one block. */
static void sort_into_blocks(place *places, int n)
{
    static int (*const by_axis[])(const void *, const void *) = {along_x, along_y, along_z};
    while (n > CARDO_BLOCK) {
        int blocks = (n + CARDO_BLOCK - 1) / CARDO_BLOCK, left = blocks / 2 * CARDO_BLOCK;
        qsort(places, (size_t)n, sizeof *places, by_axis[longest_axis(places, n)]);
        sort_into_blocks(places, left);
        places += left;
        n -= left;
    }
}

/* The sphere about the middle of the box around n slots' stations. */
static cardo_rigid_sphere sphere_around(const cardo_rigid_layout *layout, int slot, int n)
{
    double middle[3], square = 0;
    for (int d = 0; d < 3; ++d) {
        const double *x = layout->station + (size_t)d * (size_t)layout->nslot + slot;
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int k = 0; k < n; ++k) {
            low = fmin(low, x[k]);
            high = fmax(high, x[k]);
        }
        middle[d] = 0.5 * (low + high);
    }
    for (int k = 0; k < n; ++k) {
        double sum = 0;
        for (int d = 0; d < 3; ++d) {
            double x = layout->station[(size_t)d * (size_t)layout->nslot + slot + k] - middle[d];
            sum += x * x;
        }
        square = fmax(square, sum);
    }
    return (cardo_rigid_sphere){middle[0], middle[1], middle[2], sqrt(square)};
}

static cardo_status check_bodies(const cardo_rigid_layout *layout, const int *body_of_atom,
                                 cardo_error *error)
{
    for (int i = 0; i < layout->natom; ++i)
        if (body_of_atom[i] < 0 || body_of_atom[i] >= layout->nbody)
            return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "atom %d belongs to body %d of %d",
                              i + 1, body_of_atom[i], layout->nbody);
    return CARDO_OK;
}

static void count_blocks(cardo_rigid_layout *layout, const int *body_of_atom,
                         const cardo_rigid_sharing *sharing)
{
    for (int i = 0; i < layout->natom; ++i)
        ++layout->first_block[body_of_atom[i] + 1];
    for (int b = 0; b <= layout->nbody; ++b) {
        int blocks = (layout->first_block[b + 1] + CARDO_BLOCK - 1) / CARDO_BLOCK;
        if (cardo_rigid_is_shared(layout, b))
            blocks = sharing->nblock;
        else if (sharing->first_slot[b] >= 0)
            blocks = 0;
        int groups = (blocks + CARDO_BLOCK_GROUP - 1) / CARDO_BLOCK_GROUP;
        layout->first_block[b + 1] = layout->first_block[b] + blocks;
        layout->first_group[b + 1] = layout->first_group[b] + groups;
    }
    layout->nblock = layout->first_block[layout->nbody + 1];
    layout->nslot = CARDO_BLOCK * layout->nblock;
}

static void set_slot(cardo_rigid_layout *layout, int slot, int body, const place *from)
{
    layout->atom[slot] = from->atom;
    layout->slot_body[slot] = body;
    for (int d = 0; d < 3; ++d)
        layout->station[(size_t)d * (size_t)layout->nslot + slot] = from->x[d];
}

static void fill_body(cardo_rigid_layout *layout, int body, const place *places)
{
    for (int k = 0; k < layout->natom_of[body]; ++k) {
        const int slot = layout->first_slot[body] + k;
        set_slot(layout, slot, body, &places[k]);
        layout->slot[places[k].atom] = slot;
        ++layout->count[slot / CARDO_BLOCK];
    }
}

/* The slots that are left over repeat the last atom of their block. */
static void fill_rest(cardo_rigid_layout *layout)
{
    const int n = layout->nslot;
    const double *x = layout->station, *y = x + n, *z = y + n;
    for (int slot = 0; slot < n; ++slot) {
        if (slot % CARDO_BLOCK < layout->count[slot / CARDO_BLOCK])
            continue;
        const int of = slot - 1;
        const place last = {{x[of], y[of], z[of]}, layout->atom[of]};
        set_slot(layout, slot, layout->slot_body[of], &last);
    }
}

static void name_blocks(cardo_rigid_layout *layout, const cardo_rigid_sharing *sharing)
{
    for (int b = 0; b <= layout->nbody; ++b)
        for (int block = layout->first_block[b]; block < layout->first_block[b + 1]; ++block)
            layout->body[block] = b;
    for (int b = 0; b < layout->nbody; ++b)
        layout->first_slot[b] =
            sharing->first_slot[b] < 0
                ? CARDO_BLOCK * layout->first_block[b]
                : CARDO_BLOCK * layout->first_block[layout->nbody] + sharing->first_slot[b];
}

static void find_spheres(cardo_rigid_layout *layout)
{
    for (int block = 0; block < layout->nblock; ++block)
        layout->block_sphere[block] = sphere_around(layout, CARDO_BLOCK * block, CARDO_BLOCK);
    for (int body = 0; body < layout->nbody; ++body) {
        int first = layout->first_block[body], end = layout->first_block[body + 1];
        if (layout->natom_of[body] > 0)
            layout->body_sphere[body] =
                sphere_around(layout, layout->first_slot[body], layout->natom_of[body]);
        for (int group = layout->first_group[body]; group < layout->first_group[body + 1];
             ++group) {
            int from = first + CARDO_BLOCK_GROUP * (group - layout->first_group[body]);
            int to = from + CARDO_BLOCK_GROUP < end ? from + CARDO_BLOCK_GROUP : end;
            layout->group_sphere[group] =
                sphere_around(layout, CARDO_BLOCK * from, CARDO_BLOCK * (to - from));
        }
    }
}

static cardo_status fill(cardo_rigid_layout *layout, const int *body_of_atom,
                         const double *stations, cardo_error *error)
{
    cardo_status status;
    place *places = NULL;
    int *next = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&places, layout->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&next, layout->nbody + 1, error));
    for (int i = 0; i < layout->natom; ++i)
        ++next[body_of_atom[i] + 1];
    for (int b = 0; b < layout->nbody; ++b)
        next[b + 1] += next[b];
    for (int i = 0; i < layout->natom; ++i) {
        const double *x = stations + 3 * i;
        places[next[body_of_atom[i]]++] = (place){{x[0], x[1], x[2]}, i};
    }
    for (int b = 0, first = 0; b < layout->nbody; first = next[b++]) {
        layout->natom_of[b] = next[b] - first;
        sort_into_blocks(places + first, next[b] - first);
        fill_body(layout, b, places + first);
    }
    fill_rest(layout);
    find_spheres(layout);
done:
    cardo_free(next);
    cardo_free(places);
    return status;
}

cardo_status cardo_rigid_layout_create(int natom, int nbody, const int *body_of_atom,
                                       const double *stations, cardo_rigid_layout **out,
                                       cardo_error *error)
{
    cardo_status status;
    cardo_rigid_layout *layout = NULL;
    cardo_rigid_sharing sharing = {0};
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&layout, 1, error));
    layout->natom = natom;
    layout->nbody = nbody;
    CARDO_TRY(check_bodies(layout, body_of_atom, error));
    CARDO_TRY(cardo_rigid_sharing_find(natom, nbody, body_of_atom, &sharing, error));
    CARDO_TRY(CARDO_ALLOCATE(&layout->first_block, nbody + 2, error));
    CARDO_TRY(CARDO_ALLOCATE(&layout->first_group, nbody + 2, error));
    CARDO_TRY(CARDO_ALLOCATE(&layout->first_slot, nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&layout->natom_of, nbody, error));
    count_blocks(layout, body_of_atom, &sharing);
    CARDO_TRY(CARDO_ALLOCATE(&layout->body, layout->nblock, error));
    CARDO_TRY(CARDO_ALLOCATE(&layout->count, layout->nblock, error));
    CARDO_TRY(CARDO_ALLOCATE(&layout->atom, layout->nslot, error));
    CARDO_TRY(CARDO_ALLOCATE(&layout->slot_body, layout->nslot, error));
    CARDO_TRY(CARDO_ALLOCATE(&layout->slot, natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&layout->station, 3 * (size_t)layout->nslot, error));
    CARDO_TRY(CARDO_ALLOCATE(&layout->block_sphere, layout->nblock, error));
    CARDO_TRY(CARDO_ALLOCATE(&layout->group_sphere, layout->first_group[nbody + 1], error));
    CARDO_TRY(CARDO_ALLOCATE(&layout->body_sphere, nbody, error));
    name_blocks(layout, &sharing);
    CARDO_TRY(fill(layout, body_of_atom, stations, error));
    *out = layout;
    layout = NULL;
done:
    cardo_rigid_sharing_clear(&sharing);
    cardo_rigid_layout_destroy(layout);
    return status;
}

void cardo_rigid_layout_destroy(cardo_rigid_layout *layout)
{
    if (!layout)
        return;
    cardo_free(layout->first_block);
    cardo_free(layout->first_group);
    cardo_free(layout->body);
    cardo_free(layout->count);
    cardo_free(layout->slot_body);
    cardo_free(layout->first_slot);
    cardo_free(layout->natom_of);
    cardo_free(layout->atom);
    cardo_free(layout->slot);
    cardo_free(layout->station);
    cardo_free(layout->block_sphere);
    cardo_free(layout->group_sphere);
    cardo_free(layout->body_sphere);
    cardo_free(layout);
}
