#include "multibody/contact/broad_phase.h"

enum { LEAF = 6, MOST_PENDING = 256 };

int cardo_broad_phase_nodes(int n)
{
    return n > 1 ? 2 * n : 1;
}

static double key_of(const broad_box *box, int axis)
{
    return axis == 0   ? box->low.x + box->high.x
           : axis == 1 ? box->low.y + box->high.y
                       : box->low.z + box->high.z;
}

/* Whether box a comes before box b: by number where they are level, so that there is one order only. */
static int is_before(const double *keys, int a, int b)
{
    return keys[a] < keys[b] || (keys[a] == keys[b] && a < b);
}

static void swap(int *a, int *b)
{
    const int kept = *a;
    *a = *b;
    *b = kept;
}

/* Puts the first `half` of order[0 .. n) before the others (Hoare's selection, pivots in the middle of three). */
static void halve(const double *keys, int *order, int n, int half)
{
    int low = 0, high = n - 1;
    while (low < high) {
        int *middle = &order[low + (high - low) / 2];
        if (is_before(keys, *middle, order[low]))
            swap(middle, &order[low]);
        if (is_before(keys, order[high], order[low]))
            swap(&order[high], &order[low]);
        if (is_before(keys, order[high], *middle))
            swap(&order[high], middle);
        const int pivot = *middle;
        int i = low, j = high;
        while (i <= j) {
            while (is_before(keys, order[i], pivot))
                ++i;
            while (is_before(keys, pivot, order[j]))
                --j;
            if (i <= j)
                swap(&order[i++], &order[j--]);
        }
        if (half <= j)
            high = j;
        else if (half >= i)
            low = i;
        else
            return;
    }
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

/* The box of a node, and the axis along which the middles of its boxes are spread most. */
static int bound(const broad_phase *phase, broad_node *node)
{
    broad_box box = phase->boxes[phase->order[node->first]];
    cardo_vec3 low = v3_add(box.low, box.high), high = low;
    for (int i = node->first + 1; i < node->first + node->count; ++i) {
        const broad_box *b = &phase->boxes[phase->order[i]];
        const cardo_vec3 middle = v3_add(b->low, b->high);
        box.low =
            v3(least(box.low.x, b->low.x), least(box.low.y, b->low.y), least(box.low.z, b->low.z));
        box.high = v3(most(box.high.x, b->high.x), most(box.high.y, b->high.y),
                      most(box.high.z, b->high.z));
        low = v3(least(low.x, middle.x), least(low.y, middle.y), least(low.z, middle.z));
        high = v3(most(high.x, middle.x), most(high.y, middle.y), most(high.z, middle.z));
    }
    node->box = box;
    const cardo_vec3 spread = v3_sub(high, low);
    return spread.x >= spread.y && spread.x >= spread.z ? 0 : spread.y >= spread.z ? 1 : 2;
}

static void make_tree(broad_phase *phase)
{
    int nnode = 1;
    for (int i = 0; i < phase->n; ++i)
        phase->order[i] = i;
    phase->nodes[0] = (broad_node){.child = -1, .first = 0, .count = phase->n};
    for (int k = 0; k < nnode; ++k) {
        broad_node *node = &phase->nodes[k];
        const int axis = bound(phase, node), half = node->count / 2;
        if (node->count <= LEAF)
            continue;
        for (int i = node->first; i < node->first + node->count; ++i)
            phase->keys[phase->order[i]] = key_of(&phase->boxes[phase->order[i]], axis);
        halve(phase->keys, phase->order + node->first, node->count, half);
        node->child = nnode;
        phase->nodes[nnode++] = (broad_node){.child = -1, .first = node->first, .count = half};
        phase->nodes[nnode++] =
            (broad_node){.child = -1, .first = node->first + half, .count = node->count - half};
    }
}

static int overlap(const broad_box *a, const broad_box *b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y &&
           b->low.y <= a->high.y && a->low.z <= b->high.z && b->low.z <= a->high.z;
}

typedef struct search {
    const broad_phase *phase;
    void (*meet)(void *user, int a, int b);
    void *user;
} search;

static void try_pair(const search *s, int i, int j)
{
    const int a = s->phase->order[i], b = s->phase->order[j];
    if (overlap(&s->phase->boxes[a], &s->phase->boxes[b]))
        s->meet(s->user, a < b ? a : b, a < b ? b : a);
}

static void meet_leaves(const search *s, const broad_node *a, const broad_node *b)
{
    for (int i = a->first; i < a->first + a->count; ++i)
        for (int j = a == b ? i + 1 : b->first; j < b->first + b->count; ++j)
            try_pair(s, i, j);
}

void cardo_broad_phase_run(broad_phase *phase, void (*meet)(void *user, int a, int b), void *user)
{
    const search s = {phase, meet, user};
    int pending[MOST_PENDING][2], n = 0;
    if (phase->n < 2)
        return;
    make_tree(phase);
    pending[n][0] = pending[n][1] = 0;
    ++n;
    while (n > 0) {
        --n;
        const broad_node *a = &phase->nodes[pending[n][0]], *b = &phase->nodes[pending[n][1]];
        if (a != b && !overlap(&a->box, &b->box))
            continue;
        if (a->child < 0 && b->child < 0) {
            meet_leaves(&s, a, b);
        } else if (a == b) {
            const int next[3][2] = {
                {a->child, a->child + 1}, {a->child + 1, a->child + 1}, {a->child, a->child}};
            for (int k = 0; k < 3; ++k, ++n) {
                pending[n][0] = next[k][0];
                pending[n][1] = next[k][1];
            }
        } else {
            /* the larger one is taken apart; they differ by a level at most */
            const int take = b->child < 0 || (a->child >= 0 && a->count >= b->count) ? 0 : 1;
            const int whole = pending[n][1 - take], child = take ? b->child : a->child;
            for (int k = 0; k < 2; ++k, ++n) {
                pending[n][take] = child + k;
                pending[n][1 - take] = whole;
            }
        }
    }
}
