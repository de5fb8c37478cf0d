#include "analysis/modes/network_stiffness.h"

#include "base/linalg.h"
#include "base/memory.h"
#include "multibody/tree/operators.h"

#include <string.h>

enum { SYMMETRIC = 21 };

/* A symmetric 6 x 6 matrix: upper triangle by rows. */
typedef struct line_sum {
    double m[SYMMETRIC];
} line_sum;

static void add_line(line_sum *sum, double k, const double w[6])
{
    int n = 0;
    for (int r = 0; r < 6; ++r)
        for (int c = r; c < 6; ++c)
            sum->m[n++] += k * w[r] * w[c];
}

static void add_sum(line_sum *restrict to, const line_sum *restrict from)
{
    for (int n = 0; n < SYMMETRIC; ++n)
        to->m[n] += from->m[n];
}

static void multiply_sum(const line_sum *sum, const double s[6], double out[6])
{
    int n = 0;
    memset(out, 0, 6 * sizeof *out);
    for (int r = 0; r < 6; ++r) {
        out[r] += sum->m[n++] * s[r];
        for (int c = r + 1; c < 6; ++c, ++n) {
            out[r] += sum->m[n] * s[c];
            out[c] += sum->m[n] * s[r];
        }
    }
}

/* A spring as one of its bodies sees it. */
typedef struct half_spring {
    int other; /* body at the far end */
    double k, w[6];
} half_spring;

typedef struct assembly {
    const cardo_system *system;
    int nbody, nu;
    int *parent, *u_first, *nu_of; /* (nbody) */
    double (*screw)[6];            /* columns of the hinge map about the ground origin (nu) */
    int *first;                    /* half springs of each body; one more at the end (nbody + 1) */
    half_spring *half;
    line_sum *
        *row; /* sums from the subtree of a body to each body, while they are wanted (nbody) */
    double *K;
    bool packed;     /* else whole */
    int drop;        /* speeds left out of a packed K */
    line_sum *below; /* the row at hand, summed over subtrees                     (nbody)       */
    bool *ancestor;  /* of the body at hand, itself included                      (nbody)       */
} assembly;

static cardo_status allocate(assembly *a, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&a->parent, a->nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&a->u_first, a->nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&a->nu_of, a->nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&a->screw, a->nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&a->first, a->nbody + 2, error));
    CARDO_TRY(CARDO_ALLOCATE(&a->row, a->nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&a->below, a->nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&a->ancestor, a->nbody, error));
done:
    return status;
}

static void clear(assembly *a)
{
    for (int b = 0; a->row && b < a->nbody; ++b)
        cardo_free(a->row[b]);
    cardo_free(a->row);
    cardo_free(a->parent);
    cardo_free(a->u_first);
    cardo_free(a->nu_of);
    cardo_free(a->screw);
    cardo_free(a->first);
    cardo_free(a->half);
    cardo_free(a->below);
    cardo_free(a->ancestor);
}

static cardo_status find_screws(assembly *a, const cardo_state *state, cardo_error *error)
{
    const cardo_transform *X_GB = cardo_state_X_GB(state);
    for (int b = 1; b < a->nbody; ++b) {
        cardo_body_info info;
        cardo_mobilizer_motion motion;
        cardo_system_body(a->system, b, &info);
        a->parent[b] = info.parent;
        a->u_first[b] = info.u_first;
        a->nu_of[b] = info.nu;
        cardo_status status = cardo_body_mobilizer_motion(a->system, state, b, &motion, error);
        if (status != CARDO_OK)
            return status;
        for (int k = 0; k < info.nu; ++k) {
            cardo_spatial h = motion.hinge_map[k];
            double *s = a->screw[info.u_first + k];
            v3_store(s, h.angular);
            v3_store(s + 3, v3_add(h.linear, v3_cross(X_GB[b].p, h.angular)));
        }
    }
    return CARDO_OK;
}

static int body_of(const assembly *a, const int *station, int point)
{
    return cardo_system_station_body(a->system, station ? station[point] : point);
}

/* Springs between bodies, from either end, by body. */
static cardo_status sort_springs(assembly *a, const cardo_spring_network *network,
                                 const int *station, cardo_error *error)
{
    int n = 0;
    for (int s = 0; s < network->nspring; ++s) {
        int p = body_of(a, station, network->spring[s].end[0]);
        int q = body_of(a, station, network->spring[s].end[1]);
        if (p == q)
            continue;
        ++a->first[p + 2];
        ++a->first[q + 2];
        n += 2;
    }
    cardo_status status = CARDO_ALLOCATE(&a->half, n, error);
    if (status != CARDO_OK)
        return status;
    for (int b = 2; b <= a->nbody + 1; ++b)
        a->first[b] += a->first[b - 1];
    for (int s = 0; s < network->nspring; ++s) {
        const cardo_spring *spring = &network->spring[s];
        int body[2];
        for (int e = 0; e < 2; ++e)
            body[e] = body_of(a, station, spring->end[e]);
        if (body[0] == body[1])
            continue;
        half_spring half = {.k = spring->k};
        cardo_vec3 x = v3_load(network->position + 3 * (size_t)spring->end[0]);
        v3_store(half.w, v3_cross(x, spring->line));
        v3_store(half.w + 3, spring->line);
        for (int e = 0; e < 2; ++e) {
            half.other = body[1 - e];
            a->half[a->first[body[e] + 1]++] = half;
        }
    }
    return CARDO_OK;
}

static cardo_status need_row(assembly *a, int body, cardo_error *error)
{
    return a->row[body] ? CARDO_OK : CARDO_ALLOCATE(&a->row[body], a->nbody, error);
}

static void put(const assembly *a, int row, int column, double k)
{
    if (!a->packed) {
        a->K[(size_t)row * (size_t)a->nu + (size_t)column] = k;
        a->K[(size_t)column * (size_t)a->nu + (size_t)row] = k;
        return;
    }
    int i = row - a->drop, j = column - a->drop;
    if (i >= 0 && j >= 0)
        a->K[cardo_packed_index(a->nu - a->drop, i > j ? i : j, i > j ? j : i)] = k;
}

/* One block of K: all mobilities of body b against those of body c, of whose springs this is the sum.
 */
static void put_block(const assembly *a, int b, int c, const line_sum *sum, double sign)
{
    for (int i = 0; i < a->nu_of[b]; ++i) {
        int row = a->u_first[b] + i;
        double f[6];
        multiply_sum(sum, a->screw[row], f);
        for (int j = 0; j < a->nu_of[c]; ++j) {
            int column = a->u_first[c] + j;
            const double *s = a->screw[column];
            double k = sign * (s[0] * f[0] + s[1] * f[1] + s[2] * f[2] + s[3] * f[3] + s[4] * f[4] +
                               s[5] * f[5]);
            put(a, row, column, k);
        }
    }
}

/* All blocks of body b against bodies no later than it, from its subtree's row. */
static void put_blocks(assembly *a, int b)
{
    memset(a->ancestor, 0, (size_t)a->nbody * sizeof *a->ancestor);
    for (int c = b; c > 0; c = a->parent[c])
        a->ancestor[c] = true;
    memcpy(a->below, a->row[b], (size_t)a->nbody * sizeof *a->below);
    for (int c = a->nbody - 1; c > 0; --c)
        add_sum(&a->below[a->parent[c]], &a->below[c]);
    for (int c = 1; c <= b; ++c) {
        if (!a->ancestor[c]) {
            put_block(a, b, c, &a->below[c], -1);
            continue;
        }
        /* Springs from below b to what is not below its ancestor c. */
        line_sum outside = a->below[0];
        for (int n = 0; n < SYMMETRIC; ++n)
            outside.m[n] -= a->below[c].m[n];
        put_block(a, b, c, &outside, 1);
    }
}

/* Children come after their parents: from the last body to the first, each row is complete when its
 * body is reached, and then goes into the parent's. */
static cardo_status assemble(assembly *a, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int b = a->nbody - 1; b > 0; --b) {
        CARDO_TRY(need_row(a, b, error));
        for (int h = a->first[b]; h < a->first[b + 1]; ++h)
            add_line(&a->row[b][a->half[h].other], a->half[h].k, a->half[h].w);
        if (a->nu_of[b] > 0)
            put_blocks(a, b);
        int parent = a->parent[b];
        if (parent > 0) {
            CARDO_TRY(need_row(a, parent, error));
            for (int c = 0; c < a->nbody; ++c)
                add_sum(&a->row[parent][c], &a->row[b][c]);
        }
        cardo_free(a->row[b]);
        a->row[b] = NULL;
    }
done:
    return status;
}

static cardo_status make(assembly *a, const cardo_state *state, const cardo_spring_network *network,
                         const int *station, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(allocate(a, error));
    CARDO_TRY(find_screws(a, state, error));
    CARDO_TRY(sort_springs(a, network, station, error));
    CARDO_TRY(assemble(a, error));
done:
    clear(a);
    return status;
}

cardo_status cardo_network_stiffness(const cardo_system *system, const cardo_state *state,
                                     const cardo_spring_network *network, const int *station,
                                     double *K, cardo_error *error)
{
    assembly a = {.system = system,
                  .nbody = cardo_system_nbody(system),
                  .nu = cardo_system_nu(system),
                  .K = K};
    return make(&a, state, network, station, error);
}

cardo_status cardo_network_stiffness_packed(const cardo_system *system, const cardo_state *state,
                                            const cardo_spring_network *network, const int *station,
                                            int drop, double *K, cardo_error *error)
{
    assembly a = {.system = system,
                  .nbody = cardo_system_nbody(system),
                  .nu = cardo_system_nu(system),
                  .K = K,
                  .packed = true,
                  .drop = drop};
    return make(&a, state, network, station, error);
}
