#include "experiment/saxs/interface.h"

#include "base/memory.h"
#include "experiment/saxs/exposure.h"
#include "experiment/saxs/sine.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { POINTS = CARDO_EXPOSURE_POINTS, PADDED = (POINTS + 7) / 8 * 8, WORDS = (POINTS + 63) / 64 };

/* Atoms of a body by cells. */
typedef struct cells {
    double low[3], width;
    int n[3];
    int *first; /* (cells + 1) */
    int *atom;  /* in the order of cells */
} cells;

struct cardo_interface {
    const cardo_scatterers *scatterers;
    int nbody;
    int *own_body;  /* (n)         */
    double *reach;  /* radius and water's, 0 of hydrogens (n) */
    uint64_t *free; /* points that the own body leaves free (n x WORDS) */
    double *alone;  /* their share (n) */
    cells *cells;   /* (nbody)     */
    double point[3][PADDED];
};

static int cell_along(const cells *c, double x, int d)
{
    return (int)floor((x - c->low[d]) / c->width);
}

static int cell_of(const cells *c, const double *x)
{
    int at[3];
    for (int d = 0; d < 3; ++d) {
        const int k = cell_along(c, x[d], d);
        at[d] = k < 0 ? 0 : k >= c->n[d] ? c->n[d] - 1 : k;
    }
    return (at[0] * c->n[1] + at[1]) * c->n[2] + at[2];
}

static cardo_status sort_cells(const cardo_interface *f, int body, cells *c, cardo_error *error)
{
    enum { MOST_ALONG = 64 };
    const cardo_scatterers *s = f->scatterers;
    cardo_status status;
    double high[3];
    int natom = 0, *next = NULL;
    c->width = CARDO_EXPOSURE_REACH;
    for (int d = 0; d < 3; ++d) {
        c->low[d] = HUGE_VAL;
        high[d] = -HUGE_VAL;
    }
    for (int i = 0; i < s->n; ++i) {
        if (f->own_body[i] != body || f->reach[i] <= 0)
            continue;
        ++natom;
        for (int d = 0; d < 3; ++d) {
            c->low[d] = fmin(c->low[d], s->position[3 * i + d]);
            high[d] = fmax(high[d], s->position[3 * i + d]);
        }
    }
    for (int d = 0; d < 3 && natom > 0; ++d)
        c->width = fmax(c->width, (high[d] - c->low[d]) / MOST_ALONG);
    size_t ncell = 1;
    for (int d = 0; d < 3; ++d) {
        c->n[d] = natom > 0 ? 1 + (int)((high[d] - c->low[d]) / c->width) : 0;
        ncell *= (size_t)c->n[d];
    }
    CARDO_TRY(CARDO_ALLOCATE(&c->first, ncell + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&c->atom, natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&next, ncell + 1, error));
    for (int i = 0; i < s->n; ++i)
        if (f->own_body[i] == body && f->reach[i] > 0)
            ++c->first[cell_of(c, s->position + 3 * i) + 1];
    for (size_t k = 0; k < ncell; ++k)
        c->first[k + 1] += c->first[k];
    for (int i = 0; i < s->n; ++i)
        if (f->own_body[i] == body && f->reach[i] > 0) {
            const int at = cell_of(c, s->position + 3 * i);
            c->atom[c->first[at] + next[at]++] = i;
        }
done:
    cardo_free(next);
    return status;
}

/* Covers points of atom i (in its own body's frame) by what of a body is near x, where the other's frame has it; R (by rows) turns the other's axes to
 * the atom's. Returns whether anything is near. */
CARDO_EVERY_WIDTH
static bool cover(const cardo_interface *f, int i, const cells *c, const double x[3],
                  const double R[9], double left[PADDED])
{
    const cardo_scatterers *s = f->scatterers;
    const double a = f->reach[i];
    int from[3], to[3];
    bool near = false;
    for (int d = 0; d < 3; ++d) {
        from[d] = cell_along(c, x[d] - CARDO_EXPOSURE_REACH, d);
        to[d] = cell_along(c, x[d] + CARDO_EXPOSURE_REACH, d);
        if (from[d] < 0)
            from[d] = 0;
        if (to[d] >= c->n[d])
            to[d] = c->n[d] - 1;
        if (from[d] > to[d])
            return false;
    }
    for (int u = from[0]; u <= to[0]; ++u)
        for (int v = from[1]; v <= to[1]; ++v) {
            const int row = (u * c->n[1] + v) * c->n[2];
            for (int k = c->first[row + from[2]]; k < c->first[row + to[2] + 1]; ++k) {
                const int j = c->atom[k];
                const double b = f->reach[j], *y = s->position + 3 * j;
                if (j == i)
                    continue;
                const double g[3] = {y[0] - x[0], y[1] - x[1], y[2] - x[2]};
                double e[3], square = 0;
                for (int d = 0; d < 3; ++d)
                    square += g[d] * g[d];
                if (square >= (a + b) * (a + b))
                    continue;
                for (int d = 0; d < 3; ++d)
                    e[d] = R[3 * d] * g[0] + R[3 * d + 1] * g[1] + R[3 * d + 2] * g[2];
                /* |a p - e|^2 < b^2 */
                const double bound = (square + a * a - b * b) / (2 * a);
                near = true;
                for (int p = 0; p < PADDED; ++p)
                    left[p] =
                        f->point[0][p] * e[0] + f->point[1][p] * e[1] + f->point[2][p] * e[2] >
                                bound
                            ? 0
                            : left[p];
            }
        }
    return near;
}

static double share(const double left[PADDED])
{
    double sum = 0;
    for (int p = 0; p < POINTS; ++p)
        sum += left[p];
    return sum / POINTS;
}

static void find_own(cardo_interface *f)
{
    static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int i = 0; i < f->scatterers->n; ++i) {
        double left[PADDED];
        if (f->reach[i] <= 0)
            continue;
        for (int p = 0; p < PADDED; ++p)
            left[p] = p < POINTS;
        cover(f, i, &f->cells[f->own_body[i]], f->scatterers->position + 3 * i, one, left);
        f->alone[i] = share(left);
        for (int p = 0; p < POINTS; ++p)
            f->free[i * WORDS + p / 64] |= (uint64_t)(left[p] > 0) << (p % 64);
    }
}

cardo_status cardo_interface_make(const cardo_scatterers *s, int nbody, const int *body,
                                  cardo_interface **out, cardo_error *error)
{
    cardo_status status;
    cardo_interface *f = NULL;
    double point[POINTS][3];
    CARDO_TRY(CARDO_ALLOCATE(&f, 1, error));
    f->scatterers = s;
    CARDO_TRY(CARDO_ALLOCATE(&f->own_body, s->n, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->reach, s->n, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->free, (size_t)s->n * WORDS, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->alone, s->n, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->cells, nbody, error));
    f->nbody = nbody;
    memcpy(f->own_body, body, (size_t)s->n * sizeof *body);
    for (int i = 0; i < s->n; ++i)
        f->reach[i] = cardo_exposure_reach(s->kinds[s->kind[i]].element);
    cardo_exposure_points(point);
    for (int p = 0; p < POINTS; ++p)
        for (int d = 0; d < 3; ++d)
            f->point[d][p] = point[p][d];
    for (int b = 0; b < nbody; ++b)
        CARDO_TRY(sort_cells(f, b, &f->cells[b], error));
    find_own(f);
done:
    if (status == CARDO_OK)
        *out = f;
    else
        cardo_interface_destroy(f);
    return status;
}

void cardo_interface_destroy(cardo_interface *f)
{
    if (!f)
        return;
    for (int b = 0; b < f->nbody; ++b) {
        cardo_free(f->cells[b].first);
        cardo_free(f->cells[b].atom);
    }
    cardo_free(f->own_body);
    cardo_free(f->reach);
    cardo_free(f->free);
    cardo_free(f->alone);
    cardo_free(f->cells);
    cardo_free(f);
}

/* What takes places in body a's frame to b's. */
static void relative(const double *a, const double *b, double R[9], double p[3])
{
    /* x in b's frame: Rb^T (Ra x + pa - pb) */
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j)
            R[3 * i + j] = b[i] * a[j] + b[3 + i] * a[3 + j] + b[6 + i] * a[6 + j];
        p[i] = b[i] * (a[9] - b[9]) + b[3 + i] * (a[10] - b[10]) + b[6 + i] * (a[11] - b[11]);
    }
}

void cardo_interface_find(const cardo_interface *f, const double *pose, double *exposure)
{
    const cardo_scatterers *s = f->scatterers;
    for (int i = 0; i < s->n; ++i) {
        const int own = f->own_body[i];
        const double *x = s->position + 3 * i;
        double left[PADDED];
        bool begun = false, near = false;
        exposure[i] = f->alone[i];
        for (int b = 0; b < f->nbody && f->alone[i] > 0; ++b) {
            double R[9], p[3], y[3], back[9];
            const cells *c = &f->cells[b];
            bool inside = b != own && c->n[0] > 0;
            if (!inside)
                continue;
            relative(pose + 12 * own, pose + 12 * b, R, p);
            for (int d = 0; d < 3; ++d) {
                y[d] = p[d] + R[3 * d] * x[0] + R[3 * d + 1] * x[1] + R[3 * d + 2] * x[2];
                inside = inside && y[d] > c->low[d] - CARDO_EXPOSURE_REACH &&
                         y[d] < c->low[d] + c->n[d] * c->width + CARDO_EXPOSURE_REACH;
            }
            if (!inside)
                continue;
            for (int q = 0; q < POINTS && !begun; ++q)
                left[q] = (double)(f->free[i * WORDS + q / 64] >> (q % 64) & 1);
            for (int q = POINTS; q < PADDED && !begun; ++q)
                left[q] = 0;
            begun = true;
            for (int u = 0; u < 3; ++u)
                for (int v = 0; v < 3; ++v)
                    back[3 * u + v] = R[3 * v + u];
            near = cover(f, i, c, y, back, left) || near;
        }
        if (near)
            exposure[i] = share(left);
    }
}
