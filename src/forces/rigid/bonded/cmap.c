#include "forces/rigid/bonded/cmap.h"

#include "base/memory.h"
#include "base/units.h"

#include <math.h>

/* At each node: value, derivatives by i, by j, by both, in units of the grid. */
struct cardo_rigid_map {
    int size;
    double (*node)[4]; /* (size x size) */
};

/* Slopes of the periodic cubic spline through n values, all with a stride: m[i-1] + 4 m[i] + m[i+1]
 * = 3 (y[i+1] - y[i-1]). Gauss-Seidel gains at least a digit every two rounds. */
static void spline_slopes(int n, int stride, const double *y, double *m)
{
    for (int round = 0; round < 60; ++round)
        for (int i = 0; i < n; ++i) {
            int before = (i + n - 1) % n * stride, after = (i + 1) % n * stride;
            m[i * stride] = 0.25 * (3 * (y[after] - y[before]) - m[before] - m[after]);
        }
}

cardo_status cardo_rigid_map_create(int size, const double *energy, cardo_rigid_map **out,
                                    cardo_error *error)
{
    cardo_status status;
    cardo_rigid_map *map = NULL;
    *out = NULL;
    if (size < 2)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "an energy map of %d x %d points", size, size);
    CARDO_TRY(CARDO_ALLOCATE(&map, 1, error));
    map->size = size;
    CARDO_TRY(CARDO_ALLOCATE(&map->node, size * size, error));
    for (int k = 0; k < size * size; ++k)
        map->node[k][0] = energy[k];
    for (int k = 0; k < size; ++k)
        spline_slopes(size, 4, map->node[size * k], map->node[size * k] + 1);
    for (int k = 0; k < size; ++k) {
        spline_slopes(size, 4 * size, map->node[k], map->node[k] + 2);
        spline_slopes(size, 4 * size, map->node[k] + 1, map->node[k] + 3);
    }
    *out = map;
    map = NULL;
done:
    cardo_rigid_map_destroy(map);
    return status;
}

void cardo_rigid_map_destroy(cardo_rigid_map *map)
{
    if (!map)
        return;
    cardo_free(map->node);
    cardo_free(map);
}

/* Cubic Hermite polynomials of both ends' values and slopes, and their derivatives. */
static void hermite(double t, double value[4], double slope[4])
{
    double u = 1 - t;
    value[0] = (1 + 2 * t) * u * u;
    value[1] = t * u * u;
    value[2] = t * t * (3 - 2 * t);
    value[3] = -t * t * u;
    slope[0] = -6 * t * u;
    slope[1] = u * (1 - 3 * t);
    slope[2] = 6 * t * u;
    slope[3] = t * (3 * t - 2);
}

static int cell(int size, double angle, double *fraction)
{
    double u = angle * size / (2 * CARDO_PI);
    u -= size * floor(u / size);
    int i = (int)u;
    *fraction = u - i;
    return i < size ? i : 0;
}

double cardo_rigid_map_energy(const cardo_rigid_map *map, double phi, double psi, double slope[2])
{
    const int n = map->size;
    double s, t, hs[4], ds[4], ht[4], dt[4], energy = 0;
    int i = cell(n, phi, &s), j = cell(n, psi, &t);
    hermite(s, hs, ds);
    hermite(t, ht, dt);
    slope[0] = slope[1] = 0;
    for (int corner = 0; corner < 4; ++corner) {
        int a = 2 * (corner % 2), b = 2 * (corner / 2);
        const double *f = map->node[(i + corner % 2) % n + n * ((j + corner / 2) % n)];
        for (int k = 0; k < 4; ++k) {
            int p = a + k % 2, r = b + k / 2;
            energy += f[k] * hs[p] * ht[r];
            slope[0] += f[k] * ds[p] * ht[r];
            slope[1] += f[k] * hs[p] * dt[r];
        }
    }
    slope[0] *= n / (2 * CARDO_PI);
    slope[1] *= n / (2 * CARDO_PI);
    return energy;
}
