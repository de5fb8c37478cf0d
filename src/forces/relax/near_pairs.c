#include "forces/relax/near_pairs.h"

#include "base/memory.h"

#include <math.h>

enum { MOST_CELLS = 48 }; /* along an axis; where atoms are spread farther the cells are larger */

struct cardo_near_pairs {
    int natom;
    double reach;
    int n[3]; /* cells along each axis */
    cardo_vec3 low;
    double size[3]; /* of a cell, nm */
    int *first;     /* of each cell in member              (cells + 1) */
    int *member;    /* atoms by cell                          (natom) */
    int *cell;      /* of each atom                           (natom) */
};

cardo_status cardo_near_pairs_create(int natom, double reach, cardo_near_pairs **out,
                                     cardo_error *error)
{
    cardo_status status;
    cardo_near_pairs *self = NULL;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    self->natom = natom;
    self->reach = reach;
    CARDO_TRY(CARDO_ALLOCATE(&self->first, MOST_CELLS * MOST_CELLS * MOST_CELLS + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->member, natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->cell, natom, error));
    *out = self;
    self = NULL;
done:
    cardo_near_pairs_destroy(self);
    return status;
}

void cardo_near_pairs_destroy(cardo_near_pairs *self)
{
    if (!self)
        return;
    cardo_free(self->first);
    cardo_free(self->member);
    cardo_free(self->cell);
    cardo_free(self);
}

static void lay_grid(cardo_near_pairs *self, const double *positions)
{
    double low[3], high[3];
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = HUGE_VAL;
        high[axis] = -HUGE_VAL;
        for (int i = 0; i < self->natom; ++i) {
            low[axis] = fmin(low[axis], positions[3 * i + axis]);
            high[axis] = fmax(high[axis], positions[3 * i + axis]);
        }
        double cells = floor((high[axis] - low[axis]) / self->reach);
        self->n[axis] = cells < 1 ? 1 : cells > MOST_CELLS ? MOST_CELLS : (int)cells;
        self->size[axis] = (high[axis] - low[axis]) / self->n[axis];
    }
    self->low = v3_load(low);
}

static int place_on(double x, double low, double size, int n)
{
    int k = size > 0 ? (int)((x - low) / size) : 0;
    return k < 0 ? 0 : k >= n ? n - 1 : k;
}

/* A counting sort: atoms of one cell keep their order. */
static void fill_cells(cardo_near_pairs *self, const double *positions)
{
    const int *n = self->n, cells = n[0] * n[1] * n[2];
    for (int c = 0; c <= cells; ++c)
        self->first[c] = 0;
    for (int i = 0; i < self->natom; ++i) {
        int x = place_on(positions[3 * i], self->low.x, self->size[0], n[0]);
        int y = place_on(positions[3 * i + 1], self->low.y, self->size[1], n[1]);
        int z = place_on(positions[3 * i + 2], self->low.z, self->size[2], n[2]);
        self->cell[i] = x + n[0] * (y + n[1] * z);
        ++self->first[self->cell[i] + 1];
    }
    for (int c = 0; c < cells; ++c)
        self->first[c + 1] += self->first[c];
    for (int i = self->natom - 1; i >= 0; --i)
        self->member[--self->first[self->cell[i] + 1]] = i;
    /* Each entry has come down to the beginning of its cell, one place too far to the right. */
    for (int c = 0; c < cells; ++c)
        self->first[c] = self->first[c + 1];
    self->first[cells] = self->natom;
}

typedef struct visit_job {
    const cardo_near_pairs *pairs;
    const double *positions;
    cardo_pair_visitor visit;
    void *context;
} visit_job;

static void visit_pair(const visit_job *job, int a, int b)
{
    cardo_vec3 r = v3_sub(v3_load(job->positions + 3 * b), v3_load(job->positions + 3 * a));
    double square = v3_dot(r, r);
    if (square <= job->pairs->reach * job->pairs->reach)
        job->visit(job->context, a, b, r, square);
}

static void visit_cells(const visit_job *job, int c, int d)
{
    const int *first = job->pairs->first, *member = job->pairs->member;
    for (int i = first[c]; i < first[c + 1]; ++i)
        for (int j = c == d ? i + 1 : first[d]; j < first[d + 1]; ++j)
            visit_pair(job, member[i], member[j]);
}

/* Each cell with itself and with those of its 26 neighbours that come after it. */
static void visit_neighbours(const visit_job *job, int x, int y, int z)
{
    const int *n = job->pairs->n, here = x + n[0] * (y + n[1] * z);
    for (int k = -1; k <= 1; ++k)
        for (int j = -1; j <= 1; ++j)
            for (int i = -1; i <= 1; ++i) {
                int u = x + i, v = y + j, w = z + k, there = u + n[0] * (v + n[1] * w);
                if (u >= 0 && u < n[0] && v >= 0 && v < n[1] && w >= 0 && w < n[2] && there >= here)
                    visit_cells(job, here, there);
            }
}

void cardo_near_pairs_visit(cardo_near_pairs *self, const double *positions,
                            cardo_pair_visitor visit, void *context)
{
    const visit_job job = {self, positions, visit, context};
    if (self->natom == 0)
        return;
    lay_grid(self, positions);
    fill_cells(self, positions);
    for (int z = 0; z < self->n[2]; ++z)
        for (int y = 0; y < self->n[1]; ++y)
            for (int x = 0; x < self->n[0]; ++x)
                visit_neighbours(&job, x, y, z);
}
