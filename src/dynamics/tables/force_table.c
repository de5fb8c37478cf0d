#include "dynamics/tables/force_table.h"

#include "base/memory.h"

#include <stddef.h>

cardo_status cardo_force_table_allocate(int naxis, const int *count, cardo_force_table **out,
                                        cardo_error *error)
{
    cardo_status status;
    cardo_force_table *table = NULL;
    size_t nnode = 1;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&table, 1, error));
    table->naxis = naxis;
    for (int k = 0; k < naxis; ++k) {
        table->count[k] = count[k];
        nnode *= (size_t)count[k];
        CARDO_TRY(CARDO_ALLOCATE(&table->line[k], count[k], error));
    }
    CARDO_TRY(CARDO_ALLOCATE(&table->node, nnode << naxis, error));
    *out = table;
    table = NULL;
done:
    cardo_force_table_destroy(table);
    return status;
}

void cardo_force_table_destroy(cardo_force_table *table)
{
    if (!table)
        return;
    for (int k = 0; k < CARDO_TABLE_MOST_AXES; ++k)
        cardo_free(table->line[k]);
    cardo_free(table->node);
    cardo_free(table);
}

int cardo_force_table_nnode(const cardo_force_table *table)
{
    int n = 1;
    for (int k = 0; k < table->naxis; ++k)
        n *= table->count[k];
    return n;
}

/* Where x lies along an axis: left node, and the weights of value and slope at the left and the right
 * node, for the value [0] and for its derivative [1] (cubic Hermite basis). */
typedef struct axis_weights {
    int left;
    double of[2][2][2]; /* [value or derivative wanted][left, right][value, slope given] */
} axis_weights;

static bool weigh(int n, const double *line, double x, axis_weights *w)
{
    if (!(x >= line[0] && x <= line[n - 1]))
        return false;
    int low = 0, high = n - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (x < line[middle])
            high = middle;
        else
            low = middle;
    }
    const double h = line[low + 1] - line[low], t = (x - line[low]) / h, s = 1 - t;
    w->left = low;
    w->of[0][0][0] = (1 + 2 * t) * s * s;
    w->of[0][0][1] = h * t * s * s;
    w->of[0][1][0] = t * t * (3 - 2 * t);
    w->of[0][1][1] = -h * t * t * s;
    w->of[1][0][0] = -6 * t * s / h;
    w->of[1][0][1] = s * (1 - 3 * t);
    w->of[1][1][0] = 6 * t * s / h;
    w->of[1][1][1] = t * (3 * t - 2);
    return true;
}

/* Sum over the corners of the cell; bit k of derivative: along axis k. */
static double sum_corners(const cardo_force_table *table, const axis_weights *w, int derivative)
{
    const int naxis = table->naxis, corners = 1 << naxis;
    double sum = 0;
    for (int corner = 0; corner < corners; ++corner) {
        size_t node = 0;
        for (int k = 0; k < naxis; ++k)
            node = node * (size_t)table->count[k] + (size_t)(w[k].left + (corner >> k & 1));
        const double *values = table->node + (node << naxis);
        for (int given = 0; given < corners; ++given) {
            double weight = values[given];
            for (int k = 0; k < naxis; ++k)
                weight *= w[k].of[derivative >> k & 1][corner >> k & 1][given >> k & 1];
            sum += weight;
        }
    }
    return sum;
}

bool cardo_force_table_at(const cardo_force_table *table, const double *x, double *energy,
                          double *gradient)
{
    axis_weights w[CARDO_TABLE_MOST_AXES] = {0};
    for (int k = 0; k < table->naxis; ++k)
        if (!weigh(table->count[k], table->line[k], x[k], &w[k]))
            return false;
    *energy = sum_corners(table, w, 0);
    for (int k = 0; k < table->naxis; ++k)
        gradient[k] = sum_corners(table, w, 1 << k);
    return true;
}
