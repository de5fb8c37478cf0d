#include "analysis/modes/spring_network.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>

cardo_spring_options cardo_spring_options_default(void)
{
    return (cardo_spring_options){
        .cutoff = 1.5, .stiffness = 418.4, .power = 0, .unit_length = 0.1};
}

/* Points sorted into cubes as wide as the cutoff. */
typedef struct cells {
    int count[3];
    cardo_vec3 origin;
    double width;
    int *first; /* of each cell; one more at the end (cells + 1) */
    int *point; /* by cell, rising                   (npoint)    */
} cells;

static void cell_index(const cells *c, cardo_vec3 x, int index[3])
{
    cardo_vec3 d = v3_sub(x, c->origin);
    const double along[3] = {d.x, d.y, d.z};
    for (int k = 0; k < 3; ++k) {
        index[k] = (int)(along[k] / c->width);
        index[k] = index[k] < 0 ? 0 : index[k] >= c->count[k] ? c->count[k] - 1 : index[k];
    }
}

static int cell_number(const cells *c, const int index[3])
{
    return (index[0] * c->count[1] + index[1]) * c->count[2] + index[2];
}

static cardo_status measure(int n, const double *position, double cutoff, cells *c,
                            cardo_error *error)
{
    enum { MOST_CELLS = 100 }; /* along an axis: far-flung points share wider cells */
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    c->width = cutoff;
    for (int i = 0; i < 3 * n; ++i) {
        if (!isfinite(position[i]))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "point %d of the elastic network has no finite position", i / 3 + 1);
        low[i % 3] = fmin(low[i % 3], position[i]);
        high[i % 3] = fmax(high[i % 3], position[i]);
    }
    for (int k = 0; k < 3; ++k)
        c->width = fmax(c->width, (high[k] - low[k]) / MOST_CELLS);
    for (int k = 0; k < 3; ++k)
        c->count[k] = (int)((high[k] - low[k]) / c->width) + 1;
    c->origin = v3(low[0], low[1], low[2]);
    return CARDO_OK;
}

static cardo_status sort_points(int n, const double *position, cells *c, cardo_error *error)
{
    int ncell = c->count[0] * c->count[1] * c->count[2], index[3];
    cardo_status status = CARDO_ALLOCATE(&c->first, ncell + 2, error);
    if (status == CARDO_OK)
        status = CARDO_ALLOCATE(&c->point, n, error);
    if (status != CARDO_OK)
        return status;
    for (int i = 0; i < n; ++i) {
        cell_index(c, v3_load(position + 3 * (size_t)i), index);
        ++c->first[cell_number(c, index) + 2];
    }
    for (int k = 2; k <= ncell + 1; ++k)
        c->first[k] += c->first[k - 1];
    for (int i = 0; i < n; ++i) {
        cell_index(c, v3_load(position + 3 * (size_t)i), index);
        c->point[c->first[cell_number(c, index) + 1]++] = i;
    }
    return CARDO_OK;
}

static cardo_status add_spring(cardo_spring_network *network, const cardo_spring_options *options,
                               int i, int j, cardo_error *error)
{
    cardo_vec3 d = v3_sub(v3_load(network->position + 3 * (size_t)j),
                          v3_load(network->position + 3 * (size_t)i));
    double squared = v3_dot(d, d);
    if (!(squared <= options->cutoff * options->cutoff))
        return CARDO_OK;
    if (!(squared > 0))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "points %d and %d of the elastic network are in one place", i + 1, j + 1);
    cardo_status status =
        CARDO_RESERVE(&network->spring, &network->capacity, network->nspring + 1, error);
    if (status != CARDO_OK)
        return status;
    double length = sqrt(squared);
    network->spring[network->nspring++] = (cardo_spring){
        .end = {i, j},
        .line = v3_scale(1 / length, d),
        .k = options->power
                 ? options->stiffness * pow(options->unit_length / length, options->power)
                 : options->stiffness,
    };
    return CARDO_OK;
}

/* Springs from point i to later points in the 27 cells about it. */
static cardo_status join_point(cardo_spring_network *network, const cardo_spring_options *options,
                               const cells *c, int i, cardo_error *error)
{
    int index[3], at[3];
    cell_index(c, v3_load(network->position + 3 * (size_t)i), index);
    for (int k = 0; k < 27; ++k) {
        const int step[3] = {k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1};
        bool inside = true;
        for (int m = 0; m < 3; ++m) {
            at[m] = index[m] + step[m];
            inside = inside && at[m] >= 0 && at[m] < c->count[m];
        }
        if (!inside)
            continue;
        int cell = cell_number(c, at);
        for (int p = c->first[cell]; p < c->first[cell + 1]; ++p) {
            if (c->point[p] <= i)
                continue;
            cardo_status status = add_spring(network, options, i, c->point[p], error);
            if (status != CARDO_OK)
                return status;
        }
    }
    return CARDO_OK;
}

cardo_status cardo_spring_network_create(int npoint, const double *positions,
                                         const cardo_spring_options *options,
                                         cardo_spring_network **out, cardo_error *error)
{
    cardo_status status;
    cardo_spring_network *network = NULL;
    cells c = {0};
    *out = NULL;
    if (npoint < 1)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "an elastic network needs points");
    if (!(options->cutoff > 0) || !(options->stiffness > 0))
        return CARDO_FAIL(
            error, CARDO_ERROR_ARGUMENT,
            "an elastic network needs a cutoff and a stiffness above 0, not %g nm and "
            "%g kJ/mol/nm^2",
            options->cutoff, options->stiffness);
    CARDO_TRY(CARDO_ALLOCATE(&network, 1, error));
    network->npoint = npoint;
    network->position = positions;
    CARDO_TRY(measure(npoint, positions, options->cutoff, &c, error));
    CARDO_TRY(sort_points(npoint, positions, &c, error));
    for (int i = 0; i < npoint; ++i)
        CARDO_TRY(join_point(network, options, &c, i, error));
    *out = network;
    network = NULL;
done:
    cardo_spring_network_destroy(network);
    cardo_free(c.first);
    cardo_free(c.point);
    return status;
}

void cardo_spring_network_destroy(cardo_spring_network *network)
{
    if (!network)
        return;
    cardo_free(network->spring);
    cardo_free(network);
}
