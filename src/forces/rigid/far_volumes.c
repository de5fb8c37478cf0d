/* Moments of what descreens and of what is descreened: of nodes' volumes, constants of the body that a pose turns, and of dE/dI, which each
 * evaluation finds anew. An atom's descreening by others is the integral of 1/r^4 over the latters' balls, whose radii are the scaled ones s, and whose
 * moments are exact. */
#include "forces/rigid/far.h"

#include "base/linalg.h"
#include "base/memory.h"
#include "forces/rigid/model.h"

#include <math.h>
#include <string.h>

/* What dE/dI of an atom is like. kJ nm/mol */
static const double usual_chain = 6;

/* Orders of the series, by tolerance: even, so that the first left out, odd, does not err to one side. What a pair of nodes may be off by, in multiples of that by
 * charges: errors of higher orders do have one sign. */
static const struct {
    double tolerance;
    int order;
    double share;
} orders[] = {{0.99e-3, 4, 6}, {0.99e-5, 6, 2}, {0, CARDO_MONOMIAL_ORDER, 0.6}};

/* Found by surveys: what the extent of what is descreened leaves out adds up more, of a large body that few nodes descreen, than that of what descreens. */
static const double weight_of_chain = 1.8, weight_of_volume = 0.6;

static cardo_vec3 station_of(const cardo_rigid_layout *layout, int slot)
{
    const size_t n = (size_t)layout->nslot, k = (size_t)slot;
    return v3(layout->station[k], layout->station[n + k], layout->station[2 * n + k]);
}

void cardo_far_size_up(cardo_far *far, int k, double atoms, double volume, double second,
                       double second_of_balls)
{
    cardo_far_node *node = &far->node[k];
    const int order = far->volumes.monomials.order + 1;
    const double root = 1.0 / (5 + order);
    node->chain_power = pow(usual_chain * atoms, 2 * root);
    far->seen[k].volume_power = (float)pow(volume, 2 * root);
    node->chain_extent = weight_of_chain * pow(second / atoms, order * root);
    far->seen[k].volume_extent =
        volume > 0 ? (float)(weight_of_volume * pow(second_of_balls / volume, order * root)) : 0;
}

/* What the errors of its pairs follow from (far_descreening.c). */
static void sum_up(const cardo_rigid_model *model, cardo_far *far, int k)
{
    const cardo_rigid_view_double *view = &model->full;
    const cardo_far_node *node = &far->node[k];
    const cardo_vec3 place = v3_load(far->station + 3 * (size_t)k);
    const int from = CARDO_BLOCK * node->first_block, to = from + CARDO_BLOCK * node->nblock;
    double volume = 0, second = 0, second_of_balls = 0;
    for (int slot = from; slot < to; ++slot) {
        const cardo_vec3 x = v3_sub(station_of(model->layout, slot), place);
        volume += view->scaled3[slot];
        second += v3_dot(x, x);
        second_of_balls += view->scaled3[slot] * (v3_dot(x, x) + 0.6 * view->scaled2[slot]);
    }
    cardo_far_size_up(far, k, to - from, volume, second, second_of_balls);
}

void cardo_far_moments_of_ball(const cardo_monomials *m, double s, double *moments)
{
    for (int a = 0; a < m->size; ++a) {
        const unsigned char *power = m->of[a].power;
        const int order = power[0] + power[1] + power[2];
        double value = 3 * s * s * s / (order + 3);
        for (int odd = 3; odd <= order + 1; odd += 2)
            value *= s * s / (2 * odd);
        for (int d = 0; d < 3; ++d) {
            if (power[d] % 2 == 1)
                value = 0;
            for (int k = 2; k <= power[d] / 2; ++k)
                value /= k;
        }
        moments[a] = value;
    }
}

/* Mean of |a - b|^(2 m) over how a and b are turned has binomial(2 m + 2, 2 k + 1)/(2 m + 2) a^(2 k) b^(2 m - 2 k). */
static double share_of_power(int m, int k)
{
    return exp(lgamma(2 * m + 3) - lgamma(2 * k + 2) - lgamma(2 * m - 2 * k + 2)) / (2 * m + 2);
}

static void put(cardo_far_volumes *volumes, int node, int k, double value)
{
    cardo_far_put(volumes->moment, volumes->moment_single,
                  (size_t)node * (size_t)volumes->record + (size_t)k, value);
}

/* Moments of the distance's even powers, of a node's balls about its place. */
static void sum_round(const cardo_rigid_model *model, cardo_far *far, int k,
                      double (*share)[CARDO_FAR_ROUND])
{
    double moments[CARDO_FAR_ROUND] = {0};
    const cardo_far_node *node = &far->node[k];
    const cardo_vec3 place = v3_load(far->station + 3 * (size_t)k);
    const int from = CARDO_BLOCK * node->first_block, to = from + CARDO_BLOCK * node->nblock;
    for (int slot = from; slot < to; ++slot) {
        const cardo_vec3 x = v3_sub(station_of(model->layout, slot), place);
        const double s2 = model->full.scaled2[slot], r2 = v3_dot(x, x);
        for (int m = 0; m < far->volumes.nround; ++m)
            for (int n = 0; n <= m; ++n)
                moments[m] += model->full.scaled3[slot] * share[m][n] * pow(r2, n) *
                              pow(s2, m - n) * 3 / (2 * (m - n) + 3);
    }
    for (int m = 0; m < far->volumes.nround; ++m)
        put(&far->volumes, k, far->volumes.monomials.size + m, moments[m]);
}

/* Moments of a block's balls about its place, as other nodes see them: of the place seen from the balls. */
static void add_volume(const cardo_rigid_model *model, const cardo_far *far, int k, double *moments)
{
    const cardo_monomials *m = &far->volumes.monomials;
    const cardo_vec3 place = v3_load(far->station + 3 * (size_t)k);
    const int first = CARDO_BLOCK * far->node[k].first_block;
    for (int slot = first; slot < first + CARDO_BLOCK; ++slot) {
        double ball[CARDO_MONOMIALS], by[3];
        cardo_far_moments_of_ball(m, model->full.scaled[slot], ball);
        v3_store(by, v3_sub(place, station_of(model->layout, slot)));
        cardo_monomials_raise(m, by, ball, moments);
    }
}

/* Those of a body's nodes, children before their parents; room: of all its nodes. */
static void gather(const cardo_rigid_model *model, cardo_far *far, int body, double *room)
{
    const cardo_monomials *m = &far->volumes.monomials;
    const int first = far->root[body], end = far->root[body + 1];
    const size_t stride = (size_t)cardo_far_stride(end - first), size = (size_t)m->size;
    double *own = far->volumes.own.full + size * far->first_own[body];
    for (int k = end - 1; k >= first; --k) {
        double *moments = room + size * (size_t)(k - first);
        const int child = far->node[k].child;
        for (size_t a = 0; a < size; ++a)
            moments[a] = 0;
        if (child < 0)
            add_volume(model, far, k, moments);
        for (int half = child; child >= 0 && half < child + 2; ++half) {
            double by[3];
            v3_store(by, v3_sub(v3_load(far->station + 3 * (size_t)k),
                                v3_load(far->station + 3 * (size_t)half)));
            cardo_monomials_raise(m, by, room + size * (size_t)(half - first), moments);
        }
        for (size_t a = 0; a < size; ++a)
            own[a * stride + (size_t)(k - first)] = moments[a];
    }
}

cardo_status cardo_far_volumes_create(const cardo_rigid_model *model, cardo_far *far,
                                      cardo_error *error)
{
    cardo_status status;
    cardo_far_volumes *volumes = &far->volumes;
    const int nbody = model->layout->nbody;
    double *room = NULL, (*share)[CARDO_FAR_ROUND] = volumes->round_share;
    int k = 0;
    while (far->tolerance <= orders[k].tolerance)
        ++k;
    volumes->share = orders[k].share;
    cardo_monomials_list(orders[k].order, &volumes->monomials);
    const size_t size = (size_t)volumes->monomials.size, nnode = (size_t)far->nnode;
    const int m = orders[k].order / 2 + 1;
    volumes->nround = m + 1;
    for (int n = 0; n <= m; ++n)
        volumes->round[n] = (m + 1) / 3.0 * share_of_power(m, n);
    for (int power = 0; power <= m; ++power)
        for (int n = 0; n <= power; ++n)
            share[power][n] = share_of_power(power, n);
    volumes->record = (volumes->monomials.size + volumes->nround + 3) / 4 * 4;
    const size_t numbers = (size_t)volumes->record * nnode;
    CARDO_TRY(CARDO_ALLOCATE(&volumes->own.full, size * far->first_own[nbody], error));
    CARDO_TRY(cardo_pages_take(&volumes->moments, numbers * sizeof *volumes->moment, error));
    volumes->moment = volumes->moments.memory;
    CARDO_TRY(CARDO_ALLOCATE(&volumes->chain, (size + (size_t)volumes->nround) * nnode, error));
    CARDO_TRY(CARDO_ALLOCATE(&volumes->sum, model->layout->nslot, error));
    CARDO_TRY(CARDO_ALLOCATE(&room, size * nnode, error));
    for (int node = 0; node < far->root[nbody]; ++node) {
        sum_up(model, far, node);
        sum_round(model, far, node, share);
    }
    for (int body = 0; body < nbody; ++body)
        gather(model, far, body, room);
done:
    cardo_free(room);
    return status;
}

void cardo_far_volumes_clear(cardo_far_volumes *volumes)
{
    cardo_free(volumes->own.full);
    cardo_free(volumes->own.single);
    cardo_pages_release(&volumes->moments);
    cardo_free(volumes->moment_single);
    cardo_free(volumes->chain);
    cardo_free(volumes->chain_moment);
    cardo_free(volumes->chain_moment_single);
    cardo_free(volumes->sum);
}

void cardo_far_turn_volumes(cardo_far *far, const cardo_rigid_kernels *kernels, int body,
                            cardo_mat33 R)
{
    enum { MOST = (CARDO_MONOMIAL_ORDER + 1) * (CARDO_MONOMIAL_ORDER + 2) / 2 };
    cardo_far_volumes *volumes = &far->volumes;
    const cardo_monomials *m = &volumes->monomials;
    const int first = far->root[body], nodes = far->root[body + 1] - first;
    double matrices[2][MOST * MOST];
    double tile[MOST * CARDO_FAR_TOGETHER] __attribute__((aligned(64)));
    double out[MOST * CARDO_FAR_TOGETHER] __attribute__((aligned(64)));
    for (int order = 0; order <= m->order; ++order) {
        const int begin = cardo_monomials_to(order - 1), n = cardo_monomials_to(order) - begin;
        double *matrix = matrices[order % 2];
        cardo_monomials_turn(m, R, order, matrices[(order + 1) % 2], matrix);
        for (int from = 0; from < nodes; from += CARDO_FAR_TOGETHER) {
            int stride = cardo_far_stride(nodes);
            const size_t at = (size_t)m->size * far->first_own[body] +
                              (size_t)begin * (size_t)stride + (size_t)from;
            const double *own = cardo_far_own_columns(&volumes->own, at, n, &stride, tile);
            kernels->turn(n, matrix, own, stride, out);
            for (int k = 0; k < CARDO_FAR_TOGETHER && from + k < nodes; ++k)
                for (int a = 0; a < n; ++a)
                    put(volumes, first + from + k, begin + a, out[CARDO_FAR_TOGETHER * a + k]);
        }
    }
}

void cardo_far_block_distances(const cardo_rigid_model *model, int node, int block,
                               double r2[CARDO_BLOCK])
{
    const cardo_rigid_view_double *view = &model->full;
    const double *place = model->far->place + 3 * (size_t)node;
    for (int k = 0; k < CARDO_BLOCK; ++k) {
        const int slot = CARDO_BLOCK * block + k;
        const double x = view->x[slot] - place[0], y = view->y[slot] - place[1],
                     z = view->z[slot] - place[2];
        r2[k] = x * x + y * y + z * z;
    }
}

static void add_round_chain(const cardo_rigid_model *model, int node, double *moments)
{
    const cardo_far_node *n = &model->far->node[node];
    for (int block = n->first_block; block < n->first_block + n->nblock; ++block) {
        double r2[CARDO_BLOCK], power[CARDO_BLOCK];
        cardo_far_block_distances(model, node, block, r2);
        memcpy(power, model->full.chain + CARDO_BLOCK * block, sizeof power);
        for (int m = 0; m < model->far->volumes.nround; ++m)
            for (int k = 0; k < CARDO_BLOCK; ++k) {
                moments[m] += power[k];
                power[k] *= r2[k];
            }
    }
}

void cardo_far_put_seen(const cardo_far_volumes *volumes, int node, const double *moments,
                        double *full, float *single)
{
    const cardo_monomials *m = &volumes->monomials;
    for (int a = 0; a < m->size + volumes->nround; ++a)
        cardo_far_put(full, single, (size_t)volumes->record * (size_t)node + (size_t)a,
                      cardo_far_is_odd(m, a) ? -moments[a] : moments[a]);
}

void cardo_far_show_chain(const cardo_far *far, int node)
{
    const cardo_far_volumes *volumes = &far->volumes;
    const size_t numbers = (size_t)(volumes->monomials.size + volumes->nround);
    cardo_far_put_seen(volumes, node, volumes->chain + numbers * (size_t)node,
                       volumes->chain_moment, volumes->chain_moment_single);
}

void cardo_far_raise_chain(cardo_rigid_model *model, int body)
{
    const cardo_far *far = model->far;
    const cardo_monomials *m = &far->volumes.monomials;
    const size_t stride = (size_t)(m->size + far->volumes.nround);
    for (int k = far->root[body + 1] - 1; k >= far->root[body]; --k) {
        double *moments = far->volumes.chain + stride * (size_t)k;
        const int child = far->node[k].child;
        memset(moments, 0, sizeof *moments * stride);
        if (far->node[k].nblock <= CARDO_FAR_ROW_BLOCKS)
            add_round_chain(model, k, moments + m->size);
        if (child < 0)
            model->kernels->chain_moments(m, &model->full, CARDO_BLOCK * far->node[k].first_block,
                                          far->place + 3 * (size_t)k, moments);
        for (int half = child; child >= 0 && half < child + 2; ++half) {
            double by[3];
            v3_store(by, v3_sub(v3_load(far->place + 3 * (size_t)half),
                                v3_load(far->place + 3 * (size_t)k)));
            cardo_monomials_raise(m, by, far->volumes.chain + stride * (size_t)half, moments);
        }
        if (far->shared.nrow > 0 && far->node[k].nblock <= CARDO_FAR_ROW_BLOCKS)
            cardo_far_show_chain(far, k);
    }
}
