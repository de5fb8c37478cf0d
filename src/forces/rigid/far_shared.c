/* Trees over the blocks that small bodies share. What such blocks hold moves at each pose: blocks are sorted in space anew, and nodes' places, moments and
 * sizes follow from their atoms. Rows of shared nodes get fields, and single atoms their forces from these.
 *
 * A node's place is the mean of its atoms by weights that are constants of these, so that it moves with them. With g_i the force on atom i by the field where
 * the place stays, and F that on the node as its place moves, atom i gets g_i + w_i (F - sum g): the derivative of the node's energy by the atom. */
#include "forces/rigid/far.h"

#include "base/memory.h"
#include "forces/rigid/model.h"

#include <math.h>
#include <string.h>

enum { MOST_CHARGES = (CARDO_FAR_ORDER + 1) * (CARDO_FAR_ORDER + 1) };

const int *cardo_far_shared_blocks(const cardo_far *far, int node)
{
    return far->shared.block + far->shared.first[node - far->root[far->body[node]]];
}

static void list_rows(const cardo_far *far, int node, cardo_far_shared *shared)
{
    if (far->node[node].nblock <= CARDO_FAR_SHARED_BLOCKS) {
        shared->row[shared->nrow++] = node;
        return;
    }
    list_rows(far, far->node[node].child, shared);
    list_rows(far, far->node[node].child + 1, shared);
}

/* Numbers of dispersion by block, and moments of balls. */
static cardo_status list_numbers(const cardo_rigid_model *model, const double *number,
                                 cardo_far *far, cardo_error *error)
{
    cardo_status status;
    const cardo_rigid_layout *layout = model->layout;
    const cardo_monomials *m = &far->volumes.monomials;
    const int first = CARDO_BLOCK * layout->first_block[layout->nbody];
    CARDO_TRY(
        CARDO_ALLOCATE(&far->shared.number, (size_t)far->rank * (size_t)layout->nslot, error));
    for (int half = 0; 2 * half <= m->order; ++half)
        CARDO_TRY(CARDO_ALLOCATE(&far->shared.ball[half], layout->nslot, error));
    for (int slot = first; slot < layout->nslot; ++slot) {
        double ball[CARDO_MONOMIALS];
        cardo_far_moments_of_ball(m, model->full.scaled[slot], ball);
        for (int half = 0; 2 * half <= m->order; ++half)
            far->shared.ball[half][slot] = ball[cardo_monomial(2 * half, 0, 0)];
        for (int r = 0; r < far->rank; ++r)
            far->shared
                .number[CARDO_BLOCK * (far->rank * (slot / CARDO_BLOCK) + r) + slot % CARDO_BLOCK] =
                number[slot * far->rank + r];
    }
done:
    return status;
}

cardo_status cardo_far_shared_create(const cardo_rigid_model *model, cardo_far *far,
                                     const double *number, cardo_error *error)
{
    cardo_status status;
    cardo_far_shared *shared = &far->shared;
    const cardo_rigid_layout *layout = model->layout;
    const int root = far->root[layout->nbody], nodes = far->nnode - root;
    const int blocks = layout->nblock - layout->first_block[layout->nbody];
    const cardo_far_volumes *volumes = &far->volumes;
    const size_t field = (size_t)(volumes->monomials.size + volumes->nround);
    CARDO_TRY(CARDO_ALLOCATE(&shared->row, blocks, error));
    CARDO_TRY(CARDO_ALLOCATE(&shared->first, nodes, error));
    CARDO_TRY(CARDO_ALLOCATE(&shared->seat, blocks, error));
    CARDO_TRY(CARDO_ALLOCATE(&shared->block, blocks, error));
    CARDO_TRY(CARDO_ALLOCATE(&shared->at, blocks, error));
    CARDO_TRY(CARDO_ALLOCATE(&shared->field, field * (size_t)nodes, error));
    CARDO_TRY(CARDO_ALLOCATE(&far->volumes.chain_moment,
                             (size_t)volumes->record * (size_t)far->nnode, error));
    CARDO_TRY(list_numbers(model, number, far, error));
    for (int k = root; k < far->nnode; ++k) {
        cardo_far_node *node = &far->node[k];
        shared->first[k - root] = node->first_block - layout->first_block[layout->nbody];
        far->seen[k].child = node->child;
    }
    list_rows(far, root, shared);
done:
    return status;
}

void cardo_far_shared_clear(cardo_far_shared *shared)
{
    cardo_free(shared->row);
    cardo_free(shared->first);
    cardo_free(shared->seat);
    cardo_free(shared->block);
    cardo_free(shared->at);
    cardo_free(shared->number);
    cardo_free(shared->field);
    for (size_t k = 0; k < sizeof shared->ball / sizeof *shared->ball; ++k)
        cardo_free(shared->ball[k]);
}

bool cardo_far_shared_exclusions(const cardo_rigid_model *model, int shared, int other)
{
    const cardo_far *far = model->far;
    const cardo_rigid_exclusions *x = model->exclusions;
    const int *block = cardo_far_shared_blocks(far, shared), *at = far->shared.at;
    const int first_shared = model->layout->first_block[model->layout->nbody];
    const cardo_far_node *b = &far->node[other];
    const bool both = cardo_rigid_is_shared(model->layout, far->body[other]);
    const int from =
        both ? far->shared.first[other - far->root[model->layout->nbody]] : b->first_block;
    for (int n = 0; x->npair > 0 && n < far->node[shared].nblock; ++n)
        for (int k = x->first[block[n]]; k < x->first[block[n] + 1]; ++k) {
            const int column = x->block[k];
            if (both != (column >= first_shared))
                continue;
            const int where = both ? at[column - first_shared] : column;
            if (where >= from && where < from + b->nblock)
                return true;
        }
    return false;
}

static bool comes_before(const cardo_far_seat *a, const cardo_far_seat *b, int axis)
{
    return a->x[axis] != b->x[axis] ? a->x[axis] < b->x[axis] : a->block < b->block;
}

/* Brings the `left` of n seats that come first along an axis to the front. */
static void halve(cardo_far_seat *seat, int n, int left, int axis)
{
    int low = 0, high = n - 1;
    while (low < high) {
        const cardo_far_seat middle = seat[(low + high) / 2];
        int i = low, j = high;
        while (i <= j) {
            while (comes_before(&seat[i], &middle, axis))
                ++i;
            while (comes_before(&middle, &seat[j], axis))
                --j;
            if (i <= j) {
                const cardo_far_seat keep = seat[i];
                seat[i++] = seat[j];
                seat[j--] = keep;
            }
        }
        if (left - 1 <= j)
            high = j;
        else if (left - 1 >= i)
            low = i;
        else
            return;
    }
}

static int longest_axis(const cardo_far_seat *seat, int n)
{
    double extent[3];
    for (int d = 0; d < 3; ++d) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int k = 0; k < n; ++k) {
            low = fmin(low, seat[k].x[d]);
            high = fmax(high, seat[k].x[d]);
        }
        extent[d] = high - low;
    }
    return extent[1] > extent[0] ? (extent[2] > extent[1] ? 2 : 1) : extent[2] > extent[0] ? 2 : 0;
}

/* Blocks to the trees' places; nodes come after those that hold them. */
static void seat_blocks(cardo_rigid_model *model)
{
    cardo_far *far = model->far;
    cardo_far_shared *shared = &far->shared;
    const int first = model->layout->first_block[model->layout->nbody];
    const int n = model->layout->nblock - first, root = far->root[model->layout->nbody];
    for (int k = 0; k < n; ++k) {
        const cardo_rigid_sphere *s = &model->sphere[first + k];
        shared->seat[k] = (cardo_far_seat){{s->x, s->y, s->z}, first + k};
    }
    for (int k = root; k < far->nnode; ++k) {
        cardo_far_node *node = &far->node[k];
        cardo_far_seat *seat = shared->seat + shared->first[k - root];
        if (node->child < 0)
            node->first_block = seat->block;
        else
            halve(seat, node->nblock, far->node[node->child].nblock,
                  longest_axis(seat, node->nblock));
    }
    for (int k = 0; k < n; ++k) {
        shared->block[k] = shared->seat[k].block;
        shared->at[shared->seat[k].block - first] = k;
    }
}

static cardo_rigid_far_particles particles_of(const cardo_rigid_model *model, int node)
{
    const double *place = model->far->place + 3 * (size_t)node;
    return (cardo_rigid_far_particles){.view = &model->full,
                                       .nblock = model->far->node[node].nblock,
                                       .blocks = cardo_far_shared_blocks(model->far, node),
                                       .place = {place[0], place[1], place[2]}};
}

/* Weights of atoms in their node's place: the first number of dispersion, whose first moment there vanishes. Where nothing attracts, blocks' first atoms. */
static const double *weights_of(const cardo_far *far, int block)
{
    return far->shared.number + (size_t)CARDO_BLOCK * (size_t)(far->rank * block);
}

/* Their sum; where that is nothing, minus one over how many blocks there are. */
static double total_weight(const cardo_far *far, int node)
{
    const int *block = cardo_far_shared_blocks(far, node);
    double total = 0;
    for (int n = 0; n < far->node[node].nblock; ++n)
        for (int k = 0; k < CARDO_BLOCK; ++k)
            total += weights_of(far, block[n])[k];
    return total > 0 ? total : -1.0 / far->node[node].nblock;
}

static double weight_of(const cardo_rigid_model *model, double total, int block, int k)
{
    return total > 0 ? weights_of(model->far, block)[k] / total : k == 0 ? -total : 0;
}

static void find_place(const cardo_rigid_model *model, int node)
{
    cardo_far *far = model->far;
    const cardo_rigid_view_double *s = &model->full;
    const int *block = cardo_far_shared_blocks(far, node);
    const double total = total_weight(far, node);
    cardo_vec3 sum = v3(0, 0, 0);
    for (int n = 0; n < far->node[node].nblock; ++n)
        for (int k = 0; k < CARDO_BLOCK; ++k) {
            const int slot = CARDO_BLOCK * block[n] + k;
            sum = v3_add_scaled(sum, weight_of(model, total, block[n], k),
                                v3(s->x[slot], s->y[slot], s->z[slot]));
        }
    v3_store(far->place + 3 * (size_t)node, sum);
}

/* What errors follow from: of charges as if each atom were turned alone, since what cancels over many bodies does not on one of them. */
static void size_up(const cardo_rigid_model *model, int node)
{
    cardo_far *far = model->far;
    const cardo_rigid_view_double *s = &model->full;
    const int *block = cardo_far_shared_blocks(far, node), nblock = far->node[node].nblock;
    const double *place = far->place + 3 * (size_t)node;
    const double unscreened = 1 - model->rules.gb_strength;
    double *power = far->power + (size_t)(far->order + 2) * (size_t)node, most = 0, volume = 0;
    double second = 0, of_balls = 0;
    cardo_rigid_far_bulk bulk = {.nblock = nblock};
    memset(power, 0, sizeof *power * (size_t)(far->order + 2));
    for (int n = 0; n < nblock; ++n)
        for (int k = 0; k < CARDO_BLOCK; ++k) {
            const int slot = CARDO_BLOCK * block[n] + k;
            const double x = s->x[slot] - place[0], y = s->y[slot] - place[1],
                         z = s->z[slot] - place[2];
            const double r2 = x * x + y * y + z * z, v = fabs(weights_of(far, block[n])[k]);
            const double h = 2 * s->half_sigma[slot], h3 = h * h * h;
            double charge = unscreened * s->charge[slot] * s->charge[slot];
            for (int o = 0; o < far->order + 2; ++o, charge *= r2)
                power[o] += charge;
            most = fmax(most, r2);
            bulk.attraction += v;
            bulk.third += v * r2 * sqrt(r2);
            bulk.repulsion += s->root_epsilon[slot] * h3 * h3;
            volume += s->scaled3[slot];
            second += r2;
            of_balls += s->scaled3[slot] * (r2 + 0.6 * s->scaled2[slot]);
        }
    bulk.radius = far->node[node].radius = sqrt(most);
    far->bulk[node] = bulk;
    far->seen[node].x = (float)place[0];
    far->seen[node].y = (float)place[1];
    far->seen[node].z = (float)place[2];
    far->seen[node].radius = (float)bulk.radius;
    cardo_far_size_up(far, node, CARDO_BLOCK * nblock, volume, second, of_balls);
}

static void put_charges(const cardo_rigid_model *model, int node)
{
    cardo_far *far = model->far;
    const cardo_rigid_far_particles p = particles_of(model, node);
    const int charges = (far->order + 1) * (far->order + 1);
    const double unscreened = sqrt(1 - model->rules.gb_strength);
    double moments[MOST_CHARGES + CARDO_FAR_DISPERSION * CARDO_FAR_RANK];
    model->kernels->particle_charges(&p, far->order, moments);
    for (int c = 0; c < charges; ++c)
        moments[c] *= unscreened;
    model->kernels->particle_numbers(&p, far->rank, far->shared.number, moments + charges);
    for (int c = 0; c < charges + CARDO_FAR_DISPERSION * far->rank; ++c)
        cardo_far_put(far->moment, far->moment_single,
                      (size_t)far->record * (size_t)node + (size_t)c, moments[c]);
}

/* Of the balls, seen from the place: monomials of their middles, and the balls' own even ones. */
static void volumes_of(const cardo_rigid_model *model, int node, double *moments)
{
    const cardo_far *far = model->far;
    const cardo_monomials *m = &far->volumes.monomials;
    const cardo_rigid_far_particles p = particles_of(model, node);
    double middles[CARDO_MONOMIAL_ORDER / 2 + 1][CARDO_MONOMIALS], unit[CARDO_MONOMIALS];
    const unsigned char *product = m->product;
    for (int half = 0; 2 * half <= m->order; ++half)
        model->kernels->particle_moments(&p, m, far->shared.ball[half], middles[half]);
    cardo_far_moments_of_ball(m, 1, unit);
    memset(moments, 0, sizeof *moments * (size_t)m->size);
    for (int a = 0; a < m->size; ++a) {
        const unsigned char *power = m->of[a].power;
        const int half = (power[0] + power[1] + power[2]) / 2, n = cardo_monomial_partners(m, a);
        const double share = unit[a] / unit[cardo_monomial(2 * half, 0, 0)];
        for (int b = 0; b < n && unit[a] > 0; ++b)
            moments[product[b]] += share * middles[half][b];
        product += n;
    }
}

/* Moments of even powers of the distance: as sum_round has them (far_volumes.c). */
static void round_volumes(const cardo_rigid_model *model, int node, double *moments)
{
    const cardo_far_volumes *volumes = &model->far->volumes;
    const cardo_rigid_far_particles p = particles_of(model, node);
    memset(moments, 0, sizeof *moments * (size_t)volumes->nround);
    for (int block = 0; block < p.nblock; ++block) {
        double r2[CARDO_BLOCK];
        cardo_far_block_distances(model, node, p.blocks[block], r2);
        for (int k = 0; k < CARDO_BLOCK; ++k) {
            const int slot = CARDO_BLOCK * p.blocks[block] + k;
            const double s2 = model->full.scaled2[slot];
            for (int m = 0; m < volumes->nround; ++m) {
                /* by Horner's rule in r^2, of powers of s^2 that grow as those of r^2 fall */
                double sum = 0, power = model->full.scaled3[slot], of_s[CARDO_FAR_ROUND];
                for (int n = m; n >= 0; --n, power *= s2)
                    of_s[n] = volumes->round_share[m][n] * power * 3 / (2 * (m - n) + 3);
                for (int n = m; n >= 0; --n)
                    sum = sum * r2[k] + of_s[n];
                moments[m] += sum;
            }
        }
    }
}

static void put_volumes(const cardo_rigid_model *model, int node)
{
    cardo_far_volumes *volumes = &model->far->volumes;
    const cardo_monomials *m = &volumes->monomials;
    double moments[CARDO_MONOMIALS + CARDO_FAR_ROUND];
    volumes_of(model, node, moments);
    round_volumes(model, node, moments + m->size);
    cardo_far_put_seen(volumes, node, moments, volumes->moment, volumes->moment_single);
}

static void place_node(const cardo_rigid_model *model, int node)
{
    find_place(model, node);
    size_up(model, node);
    put_charges(model, node);
    put_volumes(model, node);
    const int child = model->far->node[node].child;
    for (int half = child; child >= 0 && half < child + 2; ++half)
        place_node(model, half);
}

static void place_task(void *arg, int task)
{
    const cardo_rigid_model *model = arg;
    place_node(model, model->far->shared.row[task]);
}

void cardo_far_shared_place(cardo_rigid_model *model)
{
    seat_blocks(model);
    cardo_pool_run(model->pool, model->far->shared.nrow, place_task, model);
}

static void raise_node(const cardo_rigid_model *model, int node)
{
    const cardo_far *far = model->far;
    const cardo_far_volumes *volumes = &far->volumes;
    const cardo_monomials *m = &volumes->monomials;
    const cardo_rigid_far_particles p = particles_of(model, node);
    double *moments = volumes->chain + (size_t)(m->size + volumes->nround) * (size_t)node;
    double *round = moments + m->size;
    model->kernels->particle_moments(&p, m, model->full.chain, moments);
    memset(round, 0, sizeof *round * (size_t)volumes->nround);
    for (int block = 0; block < p.nblock; ++block) {
        double r2[CARDO_BLOCK];
        cardo_far_block_distances(model, node, p.blocks[block], r2);
        for (int k = 0; k < CARDO_BLOCK; ++k) {
            double power = model->full.chain[CARDO_BLOCK * p.blocks[block] + k];
            for (int n = 0; n < volumes->nround; ++n, power *= r2[k])
                round[n] += power;
        }
    }
    cardo_far_show_chain(far, node);
    const int child = far->node[node].child;
    for (int half = child; child >= 0 && half < child + 2; ++half)
        raise_node(model, half);
}

void cardo_far_shared_raise_chain(cardo_rigid_model *model, int row)
{
    raise_node(model, model->far->shared.row[row]);
}

void cardo_far_shared_by_charges(const cardo_rigid_model *model, int node, const double *field,
                                 cardo_far_spread *to)
{
    const cardo_far *far = model->far;
    const cardo_rigid_far_particles p = particles_of(model, node);
    const double unscreened = sqrt(1 - model->rules.gb_strength);
    model->kernels->particle_charge_forces(&p, far->order, unscreened, field, to->force);
    model->kernels->particle_number_forces(&p, far->rank, far->shared.number,
                                           field + (far->order + 1) * (far->order + 1), to->force);
}

/* What hangs on distances from the place alone: of sum_n c_n r^(2 n), of each atom, where c_n are of its own. */
static void push_round(const cardo_rigid_model *model, const cardo_rigid_far_particles *p,
                       int block, int k, int n, const double *c, cardo_far_spread *to)
{
    const int slot = CARDO_BLOCK * p->blocks[block] + k;
    const double x[3] = {model->full.x[slot] - p->place[0], model->full.y[slot] - p->place[1],
                         model->full.z[slot] - p->place[2]};
    const double r2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    double slope = 0;
    for (int power = n - 1; power > 0; --power)
        slope = slope * r2 + 2 * power * c[power];
    for (int d = 0; d < 3; ++d)
        to->force[block][CARDO_BLOCK * d + k] -= slope * x[d];
}

static void push_all_round(const cardo_rigid_model *model, const cardo_rigid_far_particles *p,
                           const double *descreened, const double *descreening,
                           cardo_far_spread *to)
{
    const cardo_far_volumes *volumes = &model->far->volumes;
    for (int block = 0; block < p->nblock; ++block)
        for (int k = 0; k < CARDO_BLOCK; ++k) {
            const int slot = CARDO_BLOCK * p->blocks[block] + k;
            double c[CARDO_FAR_ROUND], power = model->full.scaled3[slot];
            for (int n = 0; n < volumes->nround; ++n)
                c[n] = model->full.chain[slot] * descreened[n];
            for (int less = 0; less < volumes->nround; ++less, power *= model->full.scaled2[slot])
                for (int n = 0; n + less < volumes->nround; ++n)
                    c[n] += descreening[n + less] * volumes->round_share[n + less][n] * power * 3 /
                            (2 * less + 3);
            push_round(model, p, block, k, volumes->nround, c, to);
        }
}

/* The series of a field's Laplacian. */
static void take_laplacian(const cardo_monomials *m, const double *series, double *to)
{
    for (int a = 0; a < m->size; ++a) {
        const unsigned char *power = m->of[a].power;
        to[a] = 0;
        if (power[0] + power[1] + power[2] + 2 <= m->order)
            for (int d = 0; d < 3; ++d)
                to[a] += series[m->of[m->of[a].up[d]].up[d]];
    }
}

void cardo_far_shared_by_descreening(const cardo_rigid_model *model, int node,
                                     const double *descreened, const double *descreening,
                                     cardo_far_spread *to)
{
    const cardo_far *far = model->far;
    const cardo_monomials *m = &far->volumes.monomials;
    const cardo_rigid_far_particles p = particles_of(model, node);
    double series[2][CARDO_MONOMIALS];
    model->kernels->particle_slopes(&p, m, model->full.chain, descreened, to->force);
    memcpy(series[0], descreening, sizeof **series * (size_t)m->size);
    for (int half = 0; 2 * half < m->order; ++half) {
        model->kernels->particle_slopes(&p, m, far->shared.ball[half], series[half % 2], to->force);
        take_laplacian(m, series[half % 2], series[(half + 1) % 2]);
    }
    push_all_round(model, &p, descreened + m->size, descreening + m->size, to);
}

void cardo_far_shared_spread(const cardo_rigid_model *model, int node, const double *total,
                             cardo_far_spread *spread, cardo_rigid_work *work)
{
    const cardo_far *far = model->far;
    const int *block = cardo_far_shared_blocks(far, node), nblock = far->node[node].nblock;
    const double weight = total_weight(far, node);
    for (int d = 0; d < 3; ++d) {
        double left = total[d];
        for (int n = 0; n < nblock; ++n)
            for (int k = 0; k < CARDO_BLOCK; ++k)
                left -= spread->force[n][CARDO_BLOCK * d + k];
        for (int n = 0; n < nblock; ++n)
            for (int k = 0; k < CARDO_BLOCK; ++k)
                spread->force[n][CARDO_BLOCK * d + k] +=
                    weight_of(model, weight, block[n], k) * left;
    }
    for (int n = 0; n < nblock; ++n)
        cardo_rigid_push_block(model, work, block[n], spread->force[n]);
}
