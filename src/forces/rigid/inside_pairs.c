#include "forces/rigid/inside_pairs.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static int by_number(const void *left, const void *right)
{
    const int a = *(const int *)left, b = *(const int *)right;
    return (a > b) - (a < b);
}

/* The blocks that each one is tied to. */
static cardo_status list_tied(cardo_inside *inside, cardo_error *error)
{
    const cardo_rigid_layout *layout = inside->model->layout;
    cardo_status status = CARDO_ALLOCATE(&inside->first_tied, layout->nblock + 1, error);
    int n = 0, capacity = 0;
    for (int block = 0; status == CARDO_OK && block < layout->nblock; ++block) {
        const int from = n, slots = CARDO_BLOCK * block;
        int most = 0;
        for (int slot = slots; slot < slots + layout->count[block]; ++slot) {
            const int row = cardo_partners_row(&inside->partners, layout->atom[slot]);
            most += inside->partners.first[row + 1] - inside->partners.first[row];
        }
        status = CARDO_RESERVE(&inside->tied, &capacity, n + most, error);
        if (status != CARDO_OK)
            break;
        for (int slot = slots; slot < slots + layout->count[block]; ++slot) {
            const int atom = layout->atom[slot], row = cardo_partners_row(&inside->partners, atom);
            for (int k = inside->partners.first[row]; k < inside->partners.first[row + 1]; ++k) {
                const int other = layout->slot[atom + inside->partners.to[k]] / CARDO_BLOCK;
                if (other != block && layout->body[other] == layout->body[block])
                    inside->tied[n++] = other;
            }
        }
        qsort(inside->tied + from, (size_t)(n - from), sizeof *inside->tied, by_number);
        int kept = from;
        for (int k = from; k < n; ++k)
            if (kept == from || inside->tied[kept - 1] != inside->tied[k])
                inside->tied[kept++] = inside->tied[k];
        n = inside->first_tied[block + 1] = kept;
    }
    return status;
}

cardo_status cardo_inside_list(cardo_inside *inside, const cardo_terms *terms, cardo_error *error)
{
    cardo_status status = cardo_partners_by_exceptions(terms, &inside->partners, error);
    return status == CARDO_OK ? list_tied(inside, error) : status;
}

void cardo_inside_clear(cardo_inside *inside)
{
    cardo_partners_clear(&inside->partners);
    cardo_free(inside->first_tied);
    cardo_free(inside->tied);
}

bool cardo_inside_is_tied(const cardo_inside *inside, int block, int from, int to)
{
    for (int k = inside->first_tied[block]; k < inside->first_tied[block + 1]; ++k)
        if (inside->tied[k] >= from && inside->tied[k] < to)
            return true;
    return false;
}

static double pair_energy(const cardo_inside *inside, int i, int j, double r2)
{
    const cardo_rigid_view_double *v = inside->view;
    const cardo_rigid_rules *rules = &inside->plain;
    const double sigma = v->half_sigma[i] + v->half_sigma[j];
    if (rules->cutoff > 0 && r2 > rules->cutoff * rules->cutoff)
        return 0;
    double s2 = sigma * sigma / r2, s6 = s2 * s2 * s2;
    double coulomb = 1 / sqrt(r2);
    if (rules->cutoff > 0)
        coulomb += rules->field_k * r2 - rules->field_c;
    return v->charge[i] * v->charge[j] * coulomb +
           v->root_epsilon[i] * v->root_epsilon[j] * s6 * (s6 - 1);
}

/* Of unit charges, where Born radii do not matter. */
static double plain_solvent(const cardo_rigid_rules *rules, double r)
{
    return rules->kappa > 0 ? (rules->gb_inner - rules->gb_outer * exp(-rules->kappa * r)) / r
                            : 1 / r;
}

static bool is_exception(const cardo_inside *inside, int i, int j)
{
    const int *atom = inside->model->layout->atom;
    return cardo_are_partners(&inside->partners, atom[i], atom[j]);
}

/* An atom with those in slots from ... to - 1. */
static void atom_by_atoms(const cardo_inside *inside, int i, int from, int to, bool solvent,
                          cardo_inside_energy *energy)
{
    const cardo_rigid_view_double *v = inside->view;
    double pairs = 0, sum = 0;
    for (int j = from; j < to; ++j) {
        const double x = v->x[i] - v->x[j], y = v->y[i] - v->y[j], z = v->z[i] - v->z[j];
        const double r2 = x * x + y * y + z * z;
        if (!is_exception(inside, i, j))
            pairs += pair_energy(inside, i, j, r2);
        if (solvent && r2 > 0)
            sum += v->gb_charge[j] * plain_solvent(&inside->plain, sqrt(r2));
    }
    energy->pairs += pairs;
    if (solvent)
        energy->solvent -= v->gb_charge[i] * sum;
}

void cardo_inside_by_atoms(const cardo_inside *inside, int block, int other,
                           cardo_inside_energy *energy)
{
    const cardo_rigid_layout *layout = inside->model->layout;
    const int end = CARDO_BLOCK * other + layout->count[other];
    for (int i = CARDO_BLOCK * block; i < CARDO_BLOCK * block + layout->count[block]; ++i)
        atom_by_atoms(inside, i, other == block ? i + 1 : CARDO_BLOCK * other, end,
                      inside->model->plain, energy);
}

void cardo_inside_by_blocks(const cardo_inside *inside, int block, int n, const int *columns,
                            double share, cardo_inside_energy *energy)
{
    const cardo_rigid_model *model = inside->model;
    double force[3 * CARDO_BLOCK] = {0}, sum[CARDO_BLOCK] = {0};
    cardo_rigid_job job = {.block = block,
                           .count = model->layout->count[block],
                           .columns = columns,
                           .ncolumn = n,
                           .force = force,
                           .row_sum = sum};
    if (model->plain) {
        model->kernels->full.pairs_and_solvent(inside->view, &inside->plain, &job);
        energy->pairs += share * job.pair_energy;
        energy->solvent += share * job.energy;
    } else {
        model->kernels->full.pairs(inside->view, &inside->plain, &job);
        energy->pairs += share * job.energy;
    }
}

void cardo_inside_small_bodies(const cardo_inside *inside, int block, cardo_inside_energy *energy)
{
    const cardo_rigid_layout *layout = inside->model->layout;
    for (int i = CARDO_BLOCK * block; i < CARDO_BLOCK * block + layout->count[block]; ++i) {
        const int body = layout->slot_body[i];
        atom_by_atoms(inside, i, i + 1, layout->first_slot[body] + layout->natom_of[body], false,
                      energy);
    }
}
