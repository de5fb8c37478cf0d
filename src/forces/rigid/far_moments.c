#include "forces/rigid/far.h"

#include "base/memory.h"
#include "forces/rigid/kernels/harmonics.h"
#include "forces/rigid/model.h"

#include <math.h>

/* A slot seen from a node's place, in the body's frame. */
static void seen(const cardo_rigid_layout *layout, const double *place, int slot, double x[3])
{
    for (int d = 0; d < 3; ++d)
        x[d] = layout->station[(size_t)d * (size_t)layout->nslot + (size_t)slot] - place[d];
}

/* The middle of the first dispersion number, so that its first moments vanish; where nothing attracts, of the slots. */
static void find_place(const cardo_rigid_model *model, const cardo_far *far, const double *number,
                       const cardo_far_node *node, double *place)
{
    const cardo_rigid_layout *layout = model->layout;
    const int from = CARDO_BLOCK * node->first_block, to = from + CARDO_BLOCK * node->nblock;
    double total = 0, sum[3] = {0, 0, 0}, mean[3] = {0, 0, 0}, origin[3] = {0, 0, 0};
    for (int slot = from; slot < to; ++slot) {
        const double v = number[(size_t)slot * (size_t)far->rank];
        double x[3];
        seen(layout, origin, slot, x);
        total += v;
        for (int d = 0; d < 3; ++d) {
            sum[d] += v * x[d];
            mean[d] += x[d] / (to - from);
        }
    }
    for (int d = 0; d < 3; ++d)
        place[d] = total > 0 ? sum[d] / total : mean[d];
}

static void add_dispersion(double v, const double x[3], double *to)
{
    const double r2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    to[0] += v;
    to[10] += v * r2 * r2;
    for (int d = 0; d < 3; ++d) {
        to[1 + d] += v * x[d];
        to[4 + d] += v * x[d] * x[d];
    }
    to[7] += v * x[0] * x[1];
    to[8] += v * x[0] * x[2];
    to[9] += v * x[1] * x[2];
}

/* One node's moments: harmonics ((order + 2)^2) come out orthonormal. */
static void gather(const cardo_rigid_model *model, cardo_far *far, const double *number, int k,
                   double *sum, double *values)
{
    const cardo_rigid_layout *layout = model->layout;
    cardo_far_node *node = &far->node[k];
    cardo_rigid_far_bulk *bulk = &far->bulk[k];
    const double *place = far->station + 3 * (size_t)k;
    const int n = (far->order + 2) * (far->order + 2);
    /* Two charges' energy in the solvent, far apart, over their Coulomb energy. */
    const double unscreened = model->has_solvent ? sqrt(1 - model->rules.gb_strength) : 1;
    for (int c = 0; c < n; ++c)
        sum[c] = 0;
    for (int slot = CARDO_BLOCK * node->first_block;
         slot < CARDO_BLOCK * (node->first_block + node->nblock); ++slot) {
        double x[3];
        seen(layout, place, slot, x);
        const double r2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2], h = model->full.half_sigma[slot];
        node->radius = fmax(node->radius, sqrt(r2));
        cardo_harmonics(far->order + 1, x[0], x[1], x[2], values);
        for (int c = 0; c < n; ++c)
            sum[c] += unscreened * model->full.charge[slot] * values[c];
        for (int r = 0; r < far->rank; ++r)
            add_dispersion(number[slot * far->rank + r], x,
                           far->own_dispersion +
                               CARDO_FAR_DISPERSION * ((size_t)k * (size_t)far->rank + (size_t)r));
        bulk->attraction += fabs(number[slot * far->rank]);
        bulk->third += fabs(number[slot * far->rank]) * r2 * sqrt(r2);
        bulk->repulsion += model->full.root_epsilon[slot] * pow(2 * h, 6);
    }
    bulk->radius = node->radius;
    bulk->nblock = node->nblock;
    far->seen[k].radius = (float)node->radius;
    far->seen[k].child = node->child;
}

cardo_status cardo_far_moments(const cardo_rigid_model *model, cardo_far *far, const double *number,
                               cardo_error *error)
{
    cardo_status status;
    const int n = (far->order + 2) * (far->order + 2), nbody = model->layout->nbody;
    double *values = NULL, *sum = NULL;
    far->record =
        ((far->order + 1) * (far->order + 1) + CARDO_FAR_DISPERSION * far->rank + 3) / 4 * 4;
    CARDO_TRY(CARDO_ALLOCATE(&values, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&sum, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&far->scale, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&far->station, 3 * (size_t)far->nnode, error));
    CARDO_TRY(CARDO_ALLOCATE(&far->seen, far->nnode, error));
    CARDO_TRY(CARDO_ALLOCATE(&far->bulk, far->nnode, error));
    CARDO_TRY(CARDO_ALLOCATE(&far->power, (size_t)(far->order + 2) * (size_t)far->nnode, error));
    CARDO_TRY(CARDO_ALLOCATE(&far->first_own, nbody + 1, error));
    for (int body = 0; body < nbody; ++body)
        far->first_own[body + 1] =
            far->first_own[body] + (size_t)cardo_far_stride(far->root[body + 1] - far->root[body]);
    CARDO_TRY(CARDO_ALLOCATE(
        &far->own_charge.full,
        (size_t)(far->order + 1) * (size_t)(far->order + 1) * far->first_own[nbody], error));
    CARDO_TRY(CARDO_ALLOCATE(&far->own_dispersion,
                             CARDO_FAR_DISPERSION * (size_t)far->rank * (size_t)far->nnode, error));
    cardo_harmonic_scales(far->order + 1, far->scale);
    for (int body = 0; body < nbody; ++body) {
        const int first = far->root[body], end = far->root[body + 1];
        const int stride = cardo_far_stride(end - first);
        double *own = far->own_charge.full +
                      (size_t)(far->order + 1) * (size_t)(far->order + 1) * far->first_own[body];
        for (int k = first; k < end; ++k) {
            double *power = far->power + (size_t)(far->order + 2) * (size_t)k;
            find_place(model, far, number, &far->node[k], far->station + 3 * (size_t)k);
            gather(model, far, number, k, sum, values);
            for (int o = 0; o <= far->order + 1; ++o)
                for (int c = o * o; c < (o + 1) * (o + 1); ++c) {
                    const double value = far->scale[c] * sum[c];
                    power[o] += value * value;
                    if (o <= far->order)
                        own[(size_t)c * (size_t)stride + (size_t)(k - first)] = value;
                }
        }
    }
done:
    cardo_free(sum);
    cardo_free(values);
    return status;
}
