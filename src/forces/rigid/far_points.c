/* Points that stand for a node's atoms where fields through radii are smooth: some of those of its two halves, with a matrix that
 * takes what all of those carry to them and keeps its moments to a degree, and the most of the next. All of it is constant in the body's frame. */
#include "forces/rigid/far.h"

#include "base/linalg.h"
#include "base/memory.h"
#include "forces/rigid/model.h"

#include <math.h>
#include <string.h>

enum {
    MOST_BLOCKS = 4, /* of points of a node */
    MOST_POINTS = MOST_BLOCKS * CARDO_BLOCK,
    MOST_MONOMIALS = 84
};

/* What dE/dI of an atom is like. kJ nm/mol */
static const double usual_chain = 6;
/* Moments of the degree after the last are kept by squares of this weight, relative to those before. */
static const double weight_of_next = 1e-6;

static int monomials_to(int degree)
{
    return (degree + 1) * (degree + 2) * (degree + 3) / 6;
}

void cardo_far_points_count(const cardo_rigid_layout *layout, cardo_far *far, double tolerance)
{
    cardo_far_points *points = &far->points;
    points->blocks = tolerance > 0.99e-3 ? 1 : tolerance > 0.99e-5 ? 2 : MOST_BLOCKS;
    points->degree = points->blocks + 1;
    points->first_block = layout->nblock;
    for (int k = 0; k < far->nnode; ++k)
        if (far->node[k].nblock > points->blocks)
            points->nblock += points->blocks;
}

/* Slots of the points of a node's two halves. */
static int list_halves(const cardo_far *far, int node, int *slots)
{
    const cardo_far_points *points = &far->points;
    int n = 0;
    for (int child = far->node[node].child; child < far->node[node].child + 2; ++child)
        for (int k = 0; k < CARDO_BLOCK * points->count[child]; ++k)
            slots[n++] = CARDO_BLOCK * points->first[child] + k;
    return n;
}

static void station_of(const cardo_rigid_model *model, const cardo_far *far, int slot, double x[3])
{
    const size_t n = (size_t)model->layout->nslot;
    for (size_t d = 0; d < 3; ++d)
        x[d] = (size_t)slot < n ? model->layout->station[d * n + (size_t)slot]
                                : far->points.station[3 * ((size_t)slot - n) + d];
}

/* Monomials of points seen from a node's place, relative to its radius: a point's in a row. */
static void monomials(const cardo_rigid_model *model, const cardo_far *far, int node, int n,
                      const int *slots, double *values)
{
    const int degree = far->points.degree + 1, size = monomials_to(degree);
    const double *place = far->station + 3 * (size_t)node;
    for (int k = 0; k < n; ++k) {
        double x[3], *to = values + (size_t)k * (size_t)size;
        station_of(model, far, slots[k], x);
        for (int d = 0; d < 3; ++d)
            x[d] = (x[d] - place[d]) / far->node[node].radius;
        for (int order = 0; order <= degree; ++order)
            for (int a = order; a >= 0; --a)
                for (int b = order - a; b >= 0; --b)
                    *to++ = pow(x[0], a) * pow(x[1], b) * pow(x[2], order - a - b);
    }
}

/* The points that span the others' monomials best: each time the one that is farthest from the span of those before. left: the monomials, destroyed. */
static void choose(int n, int size, double *left, int wanted, int *chosen)
{
    for (int c = 0; c < wanted; ++c) {
        double most = -1;
        chosen[c] = 0;
        for (int k = 0; k < n; ++k) {
            const double square = cardo_dot(size, left + k * size, left + k * size);
            bool taken = false;
            for (int b = 0; b < c; ++b)
                taken = taken || chosen[b] == k;
            if (!taken && square > most) {
                most = square;
                chosen[c] = k;
            }
        }
        double direction[MOST_MONOMIALS];
        memcpy(direction, left + chosen[c] * size, sizeof *direction * (size_t)size);
        for (int k = 0; k < n && most > 0; ++k) {
            const double along = cardo_dot(size, direction, left + k * size) / most;
            for (int m = 0; m < size; ++m)
                left[k * size + m] -= along * direction[m];
        }
    }
}

/* Fit, wanted x n, of the least squares of what n points' monomials and those of the chosen ones differ by. */
static cardo_status solve(int degree, int n, const double *values, int wanted, const int *chosen,
                          double *fit, cardo_error *error)
{
    const int size = monomials_to(degree + 1), exact = monomials_to(degree);
    double square[MOST_POINTS * MOST_POINTS], trace = 0;
    for (int a = 0; a < wanted; ++a) {
        const double *one = values + (size_t)chosen[a] * (size_t)size;
        for (int b = 0; b < wanted; ++b) {
            const double *two = values + (size_t)chosen[b] * (size_t)size;
            square[a * wanted + b] =
                cardo_dot(exact, one, two) +
                weight_of_next * cardo_dot(size - exact, one + exact, two + exact);
        }
        for (int k = 0; k < n; ++k) {
            const double *two = values + (size_t)k * (size_t)size;
            fit[a * n + k] = cardo_dot(exact, one, two) +
                             weight_of_next * cardo_dot(size - exact, one + exact, two + exact);
        }
        trace += square[a * wanted + a];
    }
    for (int a = 0; a < wanted; ++a)
        square[a * wanted + a] += 1e-13 * trace; /* points in a plane leave moments open */
    return cardo_cholesky_solve(wanted, square, n, fit, error);
}

static cardo_status fit_node(const cardo_rigid_model *model, cardo_far *far, int node,
                             double *values, double *left, cardo_error *error)
{
    cardo_far_points *points = &far->points;
    const int wanted = CARDO_BLOCK * points->blocks, size = monomials_to(points->degree + 1);
    int slots[2 * MOST_POINTS], chosen[MOST_POINTS];
    const int n = list_halves(far, node, slots);
    monomials(model, far, node, n, slots, values);
    memcpy(left, values, sizeof *left * (size_t)n * (size_t)size);
    choose(n, size, left, wanted, chosen);
    for (int a = 0; a < wanted; ++a) {
        const size_t slot = (size_t)(CARDO_BLOCK * points->first[node] + a - model->layout->nslot);
        station_of(model, far, slots[chosen[a]], points->station + 3 * slot);
    }
    return solve(points->degree, n, values, wanted, chosen, points->fit + points->fit_at[node],
                 error);
}

/* What a node's atoms descreen with; and what their points leave out of a force: the first degree that they do not keep, by the root mean
 * square distance from the place, and the scaled radii that differ from their mean. */
static void sum_up(const cardo_rigid_model *model, cardo_far *far, int k)
{
    const int order = far->points.degree + 1;
    const cardo_rigid_view_double *view = &model->full;
    cardo_far_node *node = &far->node[k];
    const int from = CARDO_BLOCK * node->first_block, to = from + CARDO_BLOCK * node->nblock;
    double fifth = 0, second = 0, spread = 0;
    for (int slot = from; slot < to; ++slot) {
        double square = 0, x[3];
        station_of(model, far, slot, x);
        for (int d = 0; d < 3; ++d)
            square += (x[d] - far->station[3 * (size_t)k + (size_t)d]) *
                      (x[d] - far->station[3 * (size_t)k + (size_t)d]);
        second += square;
        node->volume += view->scaled3[slot];
        fifth += view->scaled3[slot] * view->scaled2[slot];
    }
    const double extent = sqrt(second / (to - from));
    node->scaled2 = node->volume > 0 ? fifth / node->volume : 0;
    node->amount = usual_chain * (to - from);
    if (cardo_far_has_own_points(far, k))
        return;
    for (int slot = from; slot < to; ++slot)
        spread += view->scaled3[slot] * fabs(view->scaled2[slot] - node->scaled2);
    /* I = s^3/3 r^-4 + 2/5 s^5 r^-6 ..., and the binomial series of r^-4. */
    node->left_out = (4 + order) * (order + 1) * (order + 2) * (order + 3) / 6.0 / 3;
    for (int power = 0; power < order; ++power)
        node->left_out *= extent;
    node->spread_left_out = 6 * 2.0 / 5 * spread * extent;
}

static void give_volumes(cardo_rigid_model *model, const cardo_far *far, int node)
{
    const cardo_far_points *points = &far->points;
    const int wanted = CARDO_BLOCK * points->blocks, first = CARDO_BLOCK * points->first[node];
    cardo_far_raise(far, node, model->full.scaled3);
    for (int a = first; a < first + wanted; ++a) {
        model->full.scaled2[a] = far->node[node].scaled2;
        model->full.scaled[a] = sqrt(far->node[node].scaled2);
        model->part.scaled[a] = (float)model->full.scaled[a];
        model->part.scaled2[a] = (float)model->full.scaled2[a];
        model->part.scaled3[a] = (float)model->full.scaled3[a];
    }
}

cardo_status cardo_far_points_create(cardo_rigid_model *model, cardo_far *far, cardo_error *error)
{
    cardo_status status;
    cardo_far_points *points = &far->points;
    const int wanted = CARDO_BLOCK * points->blocks, size = monomials_to(points->degree + 1);
    const size_t nblock = (size_t)(model->layout->nblock + points->nblock);
    double *values = NULL, *left = NULL;
    size_t at = 0;
    int next = points->first_block;
    CARDO_TRY(CARDO_ALLOCATE(&points->first, far->nnode, error));
    CARDO_TRY(CARDO_ALLOCATE(&points->count, far->nnode, error));
    CARDO_TRY(CARDO_ALLOCATE(&points->fit_at, far->nnode, error));
    CARDO_TRY(CARDO_ALLOCATE(&points->station, 3 * CARDO_BLOCK * (size_t)points->nblock, error));
    CARDO_TRY(CARDO_ALLOCATE(&points->sum, CARDO_BLOCK * nblock, error));
    CARDO_TRY(CARDO_ALLOCATE(&values, 2 * wanted * size, error));
    CARDO_TRY(CARDO_ALLOCATE(&left, 2 * wanted * size, error));
    for (int k = 0; k < far->nnode; ++k) {
        const cardo_far_node *node = &far->node[k];
        const bool own = node->nblock <= points->blocks;
        points->first[k] = own ? node->first_block : next;
        points->count[k] = own ? node->nblock : points->blocks;
        next += own ? 0 : points->blocks;
    }
    for (int k = 0; k < far->nnode; ++k)
        if (!cardo_far_has_own_points(far, k)) {
            const int child = far->node[k].child;
            points->fit_at[k] = at;
            at += (size_t)wanted *
                  (size_t)(CARDO_BLOCK * (points->count[child] + points->count[child + 1]));
        }
    CARDO_TRY(CARDO_ALLOCATE(&points->fit, at, error));
    for (int k = far->nnode - 1; k >= 0; --k) {
        sum_up(model, far, k);
        if (cardo_far_has_own_points(far, k))
            continue;
        CARDO_TRY(fit_node(model, far, k, values, left, error));
        give_volumes(model, far, k);
    }
done:
    cardo_free(values);
    cardo_free(left);
    return status;
}

void cardo_far_points_clear(cardo_far_points *points)
{
    cardo_free(points->first);
    cardo_free(points->count);
    cardo_free(points->fit_at);
    cardo_free(points->fit);
    cardo_free(points->station);
    cardo_free(points->sum);
}

void cardo_far_raise(const cardo_far *far, int node, double *numbers)
{
    const cardo_far_points *points = &far->points;
    const int wanted = CARDO_BLOCK * points->blocks;
    const int one = far->node[node].child, two = one + 1;
    const int n = CARDO_BLOCK * points->count[one], all = n + CARDO_BLOCK * points->count[two];
    const double *first = numbers + CARDO_BLOCK * points->first[one],
                 *second = numbers + CARDO_BLOCK * points->first[two];
    double *to = numbers + CARDO_BLOCK * points->first[node];
    for (int a = 0; a < wanted; ++a) {
        const double *fit = points->fit + points->fit_at[node] + (size_t)a * (size_t)all;
        to[a] = cardo_dot(n, fit, first) + cardo_dot(all - n, fit + n, second);
    }
}

void cardo_far_lower(const cardo_far *far, int node, double *numbers)
{
    const cardo_far_points *points = &far->points;
    const int wanted = CARDO_BLOCK * points->blocks;
    const int one = far->node[node].child, two = one + 1;
    const int n = CARDO_BLOCK * points->count[one], all = n + CARDO_BLOCK * points->count[two];
    const double *from = numbers + CARDO_BLOCK * points->first[node];
    double sum[2 * MOST_POINTS] = {0};
    for (int a = 0; a < wanted; ++a) {
        const double *fit = points->fit + points->fit_at[node] + (size_t)a * (size_t)all;
        for (int k = 0; k < all; ++k)
            sum[k] += fit[k] * from[a];
    }
    memcpy(numbers + CARDO_BLOCK * points->first[one], sum, sizeof *sum * (size_t)n);
    memcpy(numbers + CARDO_BLOCK * points->first[two], sum + n, sizeof *sum * (size_t)(all - n));
}

void cardo_far_place_points(cardo_rigid_model *model, int body, cardo_transform X)
{
    const cardo_far *far = model->far;
    const cardo_far_points *points = &far->points;
    for (int k = far->root[body]; k < far->root[body + 1]; ++k) {
        if (cardo_far_has_own_points(far, k))
            continue;
        const int first = CARDO_BLOCK * points->first[k];
        for (int slot = first; slot < first + CARDO_BLOCK * points->blocks; ++slot)
            cardo_rigid_place_slot(
                model, slot,
                xform_point(X,
                            v3_load(points->station + 3 * (size_t)(slot - model->layout->nslot))));
    }
}
