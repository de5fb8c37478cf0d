#include "analysis/domains/elastic_network.h"

#include "analysis/modes/spring_network.h"
#include "base/linalg.h"
#include "base/memory.h"
#include "base/vec.h"

#include <stddef.h>
#include <string.h>

enum { MOST_BLOCKS = 120, MOST_SINGLE = 240, FEWEST_POINTS = 8, RIGID = 6 };

/* How a point follows from the coordinates of its block: columns of a 3 x 6 matrix, orthonormal over
 * the block. */
typedef struct carrier {
    int first; /* coordinate of the block                  */
    int count; /* coordinates: 3 for single points, else 6 */
    cardo_vec3 column[6];
} carrier;

typedef struct network {
    int n, size; /* points, coordinates */
    const double *position;
    carrier *carrier; /* (n) */
    double *matrix;   /* (size x size) */
    double *values;   /* (size)        */
} network;

static cardo_vec3 point(const network *w, int i)
{
    return v3_load(w->position + 3 * (size_t)i);
}

/* Rotations about the centre, made orthonormal by Gram and Schmidt; a block on a line has fewer. */
static int add_rotations(network *w, int first, int last, cardo_vec3 centre)
{
    int found = 3;
    for (int axis = 0; axis < 3; ++axis) {
        cardo_vec3 omega = v3(axis == 0, axis == 1, axis == 2);
        double before = 0, after = 0;
        for (int i = first; i <= last; ++i) {
            w->carrier[i].column[found] = v3_cross(omega, v3_sub(point(w, i), centre));
            before += v3_dot(w->carrier[i].column[found], w->carrier[i].column[found]);
        }
        for (int c = 3; c < found; ++c) {
            double overlap = 0;
            for (int i = first; i <= last; ++i)
                overlap += v3_dot(w->carrier[i].column[c], w->carrier[i].column[found]);
            for (int i = first; i <= last; ++i)
                w->carrier[i].column[found] =
                    v3_add_scaled(w->carrier[i].column[found], -overlap, w->carrier[i].column[c]);
        }
        for (int i = first; i <= last; ++i)
            after += v3_dot(w->carrier[i].column[found], w->carrier[i].column[found]);
        if (!(after > 1e-6 * before))
            continue;
        for (int i = first; i <= last; ++i)
            w->carrier[i].column[found] = v3_scale(1 / sqrt(after), w->carrier[i].column[found]);
        ++found;
    }
    return found;
}

static void make_block(network *w, int first, int last)
{
    int count = last - first + 1, coordinates = 3;
    cardo_vec3 sum = v3(0, 0, 0);
    for (int i = first; i <= last; ++i) {
        sum = v3_add(sum, point(w, i));
        for (int axis = 0; axis < 3; ++axis)
            w->carrier[i].column[axis] =
                v3_scale(1 / sqrt(count), v3(axis == 0, axis == 1, axis == 2));
    }
    if (count > 1)
        coordinates = add_rotations(w, first, last, v3_scale(1.0 / count, sum));
    for (int i = first; i <= last; ++i) {
        w->carrier[i].first = w->size;
        w->carrier[i].count = coordinates;
    }
    w->size += coordinates;
}

static void make_blocks(network *w, const int *chain)
{
    int length = w->n <= MOST_SINGLE ? 1 : (w->n + MOST_BLOCKS - 1) / MOST_BLOCKS;
    for (int first = 0, last; first < w->n; first = last + 1) {
        last = first;
        while (last + 1 < w->n && last + 1 - first < length && chain[last + 1] == chain[first])
            ++last;
        make_block(w, first, last);
    }
}

/* Adds a spring along the unit vector e between points i and j: g g^T. */
static void add_spring(network *w, int i, int j, cardo_vec3 e)
{
    double g[12];
    int index[12], count = 0;
    for (int end = 0; end < 2; ++end) {
        const carrier *c = &w->carrier[end ? j : i];
        for (int k = 0; k < c->count; ++k, ++count) {
            index[count] = c->first + k;
            g[count] = (end ? -1 : 1) * v3_dot(c->column[k], e);
        }
    }
    for (int r = 0; r < count; ++r)
        for (int c = 0; c < count; ++c)
            w->matrix[(size_t)index[r] * (size_t)w->size + (size_t)index[c]] += g[r] * g[c];
}

static cardo_status add_springs(network *w, double cutoff, cardo_error *error)
{
    const cardo_spring_options options = {cutoff, 1, 0, 1};
    cardo_spring_network *springs;
    cardo_status status = cardo_spring_network_create(w->n, w->position, &options, &springs, error);
    for (int s = 0; status == CARDO_OK && s < springs->nspring; ++s)
        add_spring(w, springs->spring[s].end[0], springs->spring[s].end[1],
                   springs->spring[s].line);
    cardo_spring_network_destroy(springs);
    return status;
}

/* Mode m of the blocks as displacements of points, of unit mean square. */
static void expand(const network *w, int m, double *displacement)
{
    for (int i = 0; i < w->n; ++i) {
        const carrier *c = &w->carrier[i];
        cardo_vec3 sum = v3(0, 0, 0);
        for (int k = 0; k < c->count; ++k)
            sum = v3_add_scaled(
                sum, w->matrix[(size_t)(c->first + k) * (size_t)w->size + (size_t)m], c->column[k]);
        v3_store(displacement + 3 * (size_t)i, v3_scale(sqrt(w->n), sum));
    }
}

static cardo_status solve(network *w, int nmode, double *stiffness, double *displacement,
                          cardo_error *error)
{
    cardo_status status = cardo_symmetric_eigen(w->size, w->matrix, w->values, error);
    if (status != CARDO_OK)
        return status;
    if (w->size < RIGID + nmode || w->values[RIGID] < 1e-9 * w->values[w->size - 1])
        return CARDO_FAIL(
            error, CARDO_ERROR_INPUT,
            "the elastic network of %d C-alpha atoms falls apart: some touch no others; "
            "choose one chain, or a larger cutoff",
            w->n);
    for (int m = 0; m < nmode; ++m) {
        stiffness[m] = w->values[RIGID + m];
        expand(w, RIGID + m, displacement + 3 * (size_t)w->n * (size_t)m);
    }
    return CARDO_OK;
}

cardo_status cardo_elastic_modes(int n, const double *position, const int *chain, double cutoff,
                                 int nmode, double *stiffness, double *displacement,
                                 cardo_error *error)
{
    cardo_status status = CARDO_OK;
    network w = {.n = n, .position = position};
    if (n < FEWEST_POINTS)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%d C-alpha atoms are too few for an elastic network", n);
    CARDO_TRY(CARDO_ALLOCATE(&w.carrier, n, error));
    make_blocks(&w, chain);
    CARDO_TRY(CARDO_ALLOCATE(&w.matrix, (size_t)w.size * (size_t)w.size, error));
    CARDO_TRY(CARDO_ALLOCATE(&w.values, w.size, error));
    CARDO_TRY(add_springs(&w, cutoff, error));
    CARDO_TRY(solve(&w, nmode, stiffness, displacement, error));
done:
    cardo_free(w.carrier);
    cardo_free(w.matrix);
    cardo_free(w.values);
    return status;
}
