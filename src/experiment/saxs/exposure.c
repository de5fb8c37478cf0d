#include "experiment/saxs/exposure.h"

#include "base/memory.h"
#include "base/units.h"

#include <math.h>
#include <string.h>

enum { POINTS = CARDO_EXPOSURE_POINTS };
static const double probe = 0.14;

/* nm, with room for the hydrogens. */
static double radius_of(int element)
{
    switch (element) {
    case 1:
        return 0;
    case 6:
        return 0.187;
    case 7:
        return 0.165;
    case 8:
        return 0.150;
    case 15:
        return 0.190;
    case 16:
        return 0.185;
    default:
        return 0.170;
    }
}

double cardo_exposure_reach(int element)
{
    return element == 1 ? 0 : radius_of(element) + probe;
}

/* Points that are spread evenly: a golden spiral. */
void cardo_exposure_points(double point[POINTS][3])
{
    const double golden = CARDO_PI * (3 - sqrt(5.0));
    for (int k = 0; k < POINTS; ++k) {
        const double z = 1 - (2 * k + 1.0) / POINTS, rho = sqrt(1 - z * z);
        point[k][0] = rho * cos(golden * k);
        point[k][1] = rho * sin(golden * k);
        point[k][2] = z;
    }
}

/* Scatterers by cells, so that neighbours are found near by. */
typedef struct grid {
    double low[3], width;
    int n[3];
    int *first, *next; /* (cells), (scatterers) */
} grid;

static int cell_along(const grid *g, double x, int d)
{
    const int k = (int)((x - g->low[d]) / g->width);
    return k < 0 ? 0 : k >= g->n[d] ? g->n[d] - 1 : k;
}

static cardo_status make_grid(const cardo_scatterers *s, grid *g, cardo_error *error)
{
    enum { MOST_ALONG = 128 };
    cardo_status status;
    double high[3];
    g->width = CARDO_EXPOSURE_REACH;
    for (int d = 0; d < 3; ++d) {
        g->low[d] = high[d] = s->position[d];
        for (int i = 1; i < s->n; ++i) {
            g->low[d] = fmin(g->low[d], s->position[3 * i + d]);
            high[d] = fmax(high[d], s->position[3 * i + d]);
        }
        g->width = fmax(g->width, (high[d] - g->low[d]) / MOST_ALONG);
    }
    for (int d = 0; d < 3; ++d)
        g->n[d] = 1 + (int)((high[d] - g->low[d]) / g->width);
    const size_t ncell = (size_t)g->n[0] * (size_t)g->n[1] * (size_t)g->n[2];
    CARDO_TRY(CARDO_ALLOCATE(&g->first, ncell, error));
    CARDO_TRY(CARDO_ALLOCATE(&g->next, s->n, error));
    for (size_t c = 0; c < ncell; ++c)
        g->first[c] = -1;
    for (int i = 0; i < s->n; ++i) {
        const double *x = s->position + 3 * i;
        const int c = (cell_along(g, x[0], 0) * g->n[1] + cell_along(g, x[1], 1)) * g->n[2] +
                      cell_along(g, x[2], 2);
        g->next[i] = g->first[c];
        g->first[c] = i;
    }
done:
    return status;
}

/* Strikes out the points of sphere i that lie in sphere j; returns how many are left. */
static int strike(const cardo_scatterers *s, int i, int j, const double point[POINTS][3],
                  bool *free_point, int left)
{
    const double a = radius_of(s->kinds[s->kind[i]].element) + probe,
                 b = radius_of(s->kinds[s->kind[j]].element) + probe;
    double e[3], square = 0;
    for (int d = 0; d < 3; ++d) {
        e[d] = s->position[3 * j + d] - s->position[3 * i + d];
        square += e[d] * e[d];
    }
    if (square >= (a + b) * (a + b))
        return left;
    /* |a p - e|^2 < b^2 */
    const double bound = (square + a * a - b * b) / (2 * a);
    for (int k = 0; k < POINTS; ++k)
        if (free_point[k] && point[k][0] * e[0] + point[k][1] * e[1] + point[k][2] * e[2] > bound) {
            free_point[k] = false;
            --left;
        }
    return left;
}

static double exposure_of(const cardo_scatterers *s, const grid *g, int i,
                          const double point[POINTS][3])
{
    bool free_point[POINTS];
    int left = POINTS, at[3];
    memset(free_point, 1, sizeof free_point);
    for (int d = 0; d < 3; ++d)
        at[d] = cell_along(g, s->position[3 * i + d], d);
    for (int x = at[0] - 1; x <= at[0] + 1; ++x)
        for (int y = at[1] - 1; y <= at[1] + 1; ++y)
            for (int z = at[2] - 1; z <= at[2] + 1; ++z) {
                if (x < 0 || y < 0 || z < 0 || x >= g->n[0] || y >= g->n[1] || z >= g->n[2])
                    continue;
                for (int j = g->first[(x * g->n[1] + y) * g->n[2] + z]; j >= 0 && left > 0;
                     j = g->next[j])
                    if (j != i && s->kinds[s->kind[j]].element != 1)
                        left = strike(s, i, j, point, free_point, left);
            }
    return (double)left / POINTS;
}

cardo_status cardo_exposure_find(cardo_scatterers *s, cardo_error *error)
{
    grid g = {0};
    double point[POINTS][3];
    cardo_exposure_points(point);
    cardo_status status = make_grid(s, &g, error);
    for (int i = 0; i < s->n && status == CARDO_OK; ++i)
        s->exposure[i] = s->kinds[s->kind[i]].element == 1
                             ? 0
                             : exposure_of(s, &g, i, (const double(*)[3])point);
    cardo_free(g.first);
    cardo_free(g.next);
    return status;
}

double cardo_exposure_area(const cardo_scatterers *s)
{
    double area = 0;
    for (int i = 0; i < s->n; ++i) {
        const double r = radius_of(s->kinds[s->kind[i]].element) + probe;
        area += 4 * CARDO_PI * r * r * s->exposure[i];
    }
    return area;
}
