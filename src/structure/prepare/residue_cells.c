#include "structure/prepare/residue_cells.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

void cardo_residue_cells_clear(cardo_residue_cells *cells)
{
    cardo_free(cells->first);
    cardo_free(cells->residue);
    cardo_free(cells->found);
    *cells = (cardo_residue_cells){0};
}

static bool has_place(const cardo_draft_residue *residue)
{
    return residue->component && residue->natom > 0;
}

/* Cells of 1 nm, or larger ones where a structure is spread so widely that there would be many more cells than residues. */
static void lay_out(cardo_residue_cells *cells)
{
    cardo_vec3 low = {0, 0, 0}, high = {0, 0, 0};
    bool any = false;
    for (int r = 0; r < cells->count; ++r) {
        const cardo_draft_residue *residue = &cells->draft->residue[r];
        if (!has_place(residue))
            continue;
        const cardo_vec3 at = residue->atom[0].position;
        low = any ? v3(fmin(low.x, at.x), fmin(low.y, at.y), fmin(low.z, at.z)) : at;
        high = any ? v3(fmax(high.x, at.x), fmax(high.y, at.y), fmax(high.z, at.z)) : at;
        any = true;
    }
    const cardo_vec3 extent = v3_sub(high, low);
    cells->low = low;
    for (cells->side = 1;; cells->side *= 2) {
        const double n[3] = {floor(extent.x / cells->side) + 1, floor(extent.y / cells->side) + 1,
                             floor(extent.z / cells->side) + 1};
        if (n[0] * n[1] * n[2] > 8.0 * cells->count + 64)
            continue;
        for (int k = 0; k < 3; ++k)
            cells->n[k] = (int)n[k];
        return;
    }
}

/* Along one axis: within the grid, as a search's ends may lie beyond it. */
static int index_of(const cardo_residue_cells *cells, int axis, double from_low)
{
    const double index = floor(from_low / cells->side);
    return index < 0 ? 0 : index >= cells->n[axis] ? cells->n[axis] - 1 : (int)index;
}

static int cell_of(const cardo_residue_cells *cells, cardo_vec3 at)
{
    const cardo_vec3 d = v3_sub(at, cells->low);
    return (index_of(cells, 2, d.z) * cells->n[1] + index_of(cells, 1, d.y)) * cells->n[0] +
           index_of(cells, 0, d.x);
}

/* Residues by cells; those that are always found are in one more, the last. */
static cardo_status make(cardo_residue_cells *cells, const cardo_draft *draft, cardo_error *error)
{
    cardo_status status;
    cardo_residue_cells_clear(cells);
    cells->count = draft->count;
    cells->draft = draft;
    lay_out(cells);
    const int ncell = cells->n[0] * cells->n[1] * cells->n[2] + 1;
    CARDO_TRY(CARDO_ALLOCATE(&cells->first, (size_t)ncell + 2, error));
    CARDO_TRY(CARDO_ALLOCATE(&cells->residue, draft->count, error));
    CARDO_TRY(CARDO_ALLOCATE(&cells->found, draft->count, error));
    int *next = cells->first + 1;
    for (int pass = 0; pass < 2; ++pass) {
        for (int r = 0; r < draft->count; ++r) {
            const cardo_draft_residue *residue = &draft->residue[r];
            const int cell =
                has_place(residue) ? cell_of(cells, residue->atom[0].position) : ncell - 1;
            if (residue->component && residue->natom == 0)
                continue;
            if (pass == 0)
                ++next[cell + 1];
            else
                cells->residue[next[cell]++] = r;
        }
        for (int c = 0; pass == 0 && c < ncell; ++c)
            next[c + 1] += next[c];
    }
done:
    if (status != CARDO_OK)
        cardo_residue_cells_clear(cells);
    return status;
}

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void take_cell(cardo_residue_cells *cells, int cell)
{
    for (int k = cells->first[cell]; k < cells->first[cell + 1]; ++k)
        cells->found[cells->nfound++] = cells->residue[k];
}

cardo_status cardo_residue_cells_search(cardo_residue_cells *cells, const cardo_draft *draft,
                                        cardo_vec3 centre, double reach, cardo_error *error)
{
    if (cells->draft != draft || cells->count != draft->count) {
        const cardo_status status = make(cells, draft, error);
        if (status != CARDO_OK)
            return status;
    }
    const cardo_vec3 d = v3_sub(centre, cells->low);
    const double at[3] = {d.x, d.y, d.z};
    int from[3], to[3];
    for (int k = 0; k < 3; ++k) {
        from[k] = index_of(cells, k, at[k] - reach);
        to[k] = index_of(cells, k, at[k] + reach);
    }
    cells->nfound = 0;
    for (int z = from[2]; z <= to[2]; ++z)
        for (int y = from[1]; y <= to[1]; ++y)
            for (int x = from[0]; x <= to[0]; ++x)
                take_cell(cells, (z * cells->n[1] + y) * cells->n[0] + x);
    take_cell(cells, cells->n[0] * cells->n[1] * cells->n[2]);
    qsort(cells->found, (size_t)cells->nfound, sizeof *cells->found, compare);
    return CARDO_OK;
}
