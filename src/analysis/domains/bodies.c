/* Parts of chains joined to bodies. Sums over a part's points are all that a fit, what it leaves and the displacement
 * between two motions need, and of a body they are its parts' together: joining takes no pass over residues. */
#include "analysis/domains/chains.h"
#include "analysis/domains/steps.h"
#include "base/memory.h"

#include <limits.h>
#include <math.h>

/* Points a and b about the means of all, and the rigid motion by least squares. */
typedef struct moments {
    double n;
    cardo_vec3 a, b;    /* sums                       */
    double bb;          /* sum of squares             */
    cardo_mat33 aa, ba; /* sums of a a^T and of b a^T */
    cardo_transform X;
    double left; /* sum of squares that X leaves; negative: no motion fits */
} moments;

typedef struct joiner {
    const cardo_domain_options *options;
    const cardo_domain_chains *chains;
    int npart, nbody;
    moments *part, *whole; /* of each part, and of each body                 (npart) */
    int *first;            /* residue of each part                           (npart) */
    int *chain;            /* of each part                                   (npart) */
    int *chain_part;       /* first part of each chain            (number of chains + 1) */
    int *order;            /* parts, or bodies, by falling size              (npart) */
    int *body;             /* of each part, -1: none yet                     (npart) */
    int *body_first;       /* residue of each body                           (npart) */
} joiner;

static void add_point(moments *m, cardo_vec3 a, cardo_vec3 b)
{
    const double x[3] = {a.x, a.y, a.z}, y[3] = {b.x, b.y, b.z};
    m->n += 1;
    m->a = v3_add(m->a, a);
    m->b = v3_add(m->b, b);
    m->bb += v3_dot(b, b);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            m->aa.m[i][j] += x[i] * x[j];
            m->ba.m[i][j] += y[i] * x[j];
        }
}

static moments sum_of(const moments *p, const moments *q)
{
    moments m = *p;
    m.n += q->n;
    m.a = v3_add(p->a, q->a);
    m.b = v3_add(p->b, q->b);
    m.bb += q->bb;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            m.aa.m[i][j] += q->aa.m[i][j];
            m.ba.m[i][j] += q->ba.m[i][j];
        }
    return m;
}

/* Sum of squares of what a motion leaves of the points: |R a + p - b|^2. */
static double misfit(const moments *m, const cardo_transform *X)
{
    const cardo_vec3 Ra = m33_mul_v3(X->R, m->a);
    double sum = m->bb + m->n * v3_dot(X->p, X->p) + 2 * v3_dot(X->p, v3_sub(Ra, m->b));
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            sum += (i == j ? m->aa.m[i][j] : 0) - 2 * X->R.m[i][j] * m->ba.m[i][j];
    return fmax(sum, 0);
}

static void fit(moments *m)
{
    m->left = -1;
    if (m->n == 0)
        return;
    const double mean_a[3] = {m->a.x / m->n, m->a.y / m->n, m->a.z / m->n};
    const double b[3] = {m->b.x, m->b.y, m->b.z};
    cardo_mat33 C;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            C.m[i][j] = m->ba.m[i][j] - b[i] * mean_a[j];
    if (!cardo_nearest_rotation(&C, &m->X.R))
        return;
    m->X.p = v3_scale(1 / m->n, v3_sub(m->b, m33_mul_v3(m->X.R, m->a)));
    m->left = misfit(m, &m->X);
}

/* Mean square of the displacement that the motion X instead of Y means for the points. */
static double between(const moments *m, const cardo_transform *X, const cardo_transform *Y)
{
    const cardo_vec3 t = v3_sub(X->p, Y->p);
    double D[3][3], sum = m->n * v3_dot(t, t);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            D[i][j] = X->R.m[i][j] - Y->R.m[i][j];
    const double sum_a[3] = {m->a.x, m->a.y, m->a.z}, shift[3] = {t.x, t.y, t.z};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            sum += 2 * shift[i] * D[i][j] * sum_a[j];
            for (int k = 0; k < 3; ++k)
                sum += D[i][j] * m->aa.m[j][k] * D[i][k];
        }
    return fmax(sum, 0) / m->n;
}

/* The ratio of finder.h; what two bodies deform by counts as the precision at least. */
static double ratio_of(const joiner *j, const moments *p, const moments *q)
{
    const moments *smaller = p->n < q->n ? p : q;
    const double inside = sqrt((p->left + q->left) / (p->n + q->n));
    return sqrt(between(smaller, &p->X, &q->X)) / fmax(inside, j->options->precision);
}

static bool has_chain(const joiner *j, int body, int chain)
{
    for (int p = j->chain_part[chain]; p < j->chain_part[chain + 1]; ++p)
        if (j->body[p] == body)
            return true;
    return false;
}

static bool share_chain(const joiner *j, int one, int other)
{
    for (int p = 0; p < j->npart; ++p)
        if (j->body[p] == one && has_chain(j, other, j->chain[p]))
            return true;
    return false;
}

/* Sorts by falling size, and by the first residue where sizes are equal. */
static void sort(int n, const moments *m, const int *first, int *order)
{
    for (int gap = n / 2; gap > 0; gap = gap == 2 ? 1 : (int)(gap / 2.2))
        for (int k = gap; k < n; ++k) {
            const int moved = order[k];
            int at = k;
            for (; at >= gap; at -= gap) {
                const int p = order[at - gap];
                if (m[p].n > m[moved].n || (m[p].n == m[moved].n && first[p] < first[moved]))
                    break;
                order[at] = p;
            }
            order[at] = moved;
        }
}

static bool is_loose(const joiner *j, int p)
{
    return j->chains->small[j->chain[p]] || j->part[p].left < 0;
}

/* The largest parts first: each goes to the body that moves most as it does, or is one. */
static void gather(joiner *j)
{
    for (int k = 0; k < j->npart; ++k) {
        const int p = j->order[k];
        double least = j->options->ratio;
        int best = -1;
        for (int body = 0; body < j->nbody && !is_loose(j, p); ++body) {
            const double ratio = ratio_of(j, &j->part[p], &j->whole[body]);
            if (ratio < least && !has_chain(j, body, j->chain[p])) {
                least = ratio;
                best = body;
            }
        }
        if (is_loose(j, p))
            continue;
        if (best < 0)
            j->whole[best = j->nbody++] = j->part[p];
        else
            j->whole[best] = sum_of(&j->whole[best], &j->part[p]);
        fit(&j->whole[best]);
        j->body[p] = best;
    }
}

static void join(joiner *j, int one, int other)
{
    const int last = --j->nbody;
    j->whole[one] = sum_of(&j->whole[one], &j->whole[other]);
    fit(&j->whole[one]);
    j->whole[other] = j->whole[last];
    for (int p = 0; p < j->npart; ++p) {
        int *of = &j->body[p];
        *of = *of == other ? one : *of == last ? other : *of;
    }
}

/* Bodies that have come to move alike as they grew, and those that are too many. */
static void join_alike(joiner *j)
{
    for (;;) {
        const bool many = j->nbody > j->options->most;
        double least = many ? HUGE_VAL : j->options->ratio;
        int pair[2] = {-1, -1};
        for (int p = 0; p < j->nbody; ++p)
            for (int q = p + 1; q < j->nbody; ++q) {
                const double ratio = ratio_of(j, &j->whole[p], &j->whole[q]);
                if (ratio < least && (many || !share_chain(j, p, q))) {
                    least = ratio;
                    pair[0] = p;
                    pair[1] = q;
                }
            }
        if (pair[0] < 0)
            return;
        join(j, pair[0], pair[1]);
    }
}

static void take_in_loose(joiner *j)
{
    if (j->nbody == 0) {
        j->nbody = 1;
        j->whole[0].X = xform_identity();
    }
    for (int p = 0; p < j->npart; ++p) {
        double least = HUGE_VAL;
        for (int body = 0; body < j->nbody && is_loose(j, p); ++body) {
            const double left = misfit(&j->part[p], &j->whole[body].X);
            if (left < least) {
                least = left;
                j->body[p] = body;
            }
        }
    }
}

/* Adds up the parts, about the means of all points. */
static void add_up(joiner *j, const cardo_displacement *d, const int *part)
{
    cardo_vec3 a = {0, 0, 0}, b = {0, 0, 0};
    for (int i = 0; i < d->n; ++i) {
        a = v3_add_scaled(a, 1.0 / d->n, v3_load(d->a + 3 * (size_t)i));
        b = v3_add_scaled(b, 1.0 / d->n, v3_load(d->b + 3 * (size_t)i));
    }
    for (int c = 0; c < j->chains->n; ++c)
        for (int i = j->chains->first[c]; i < j->chains->first[c + 1]; ++i) {
            moments *m = &j->part[part[i]];
            if (m->n == 0)
                j->first[part[i]] = i;
            add_point(m, v3_sub(v3_load(d->a + 3 * (size_t)i), a),
                      v3_sub(v3_load(d->b + 3 * (size_t)i), b));
            j->chain[part[i]] = c;
            j->chain_part[c + 1] =
                part[i] + 1 > j->chain_part[c + 1] ? part[i] + 1 : j->chain_part[c + 1];
        }
    for (int p = 0; p < j->npart; ++p) {
        fit(&j->part[p]);
        j->order[p] = p;
        j->body[p] = -1;
    }
    sort(j->npart, j->part, j->first, j->order);
}

/* Numbers bodies by falling size and then by their first residue. */
static void number(joiner *j)
{
    for (int body = 0; body < j->nbody; ++body) {
        j->whole[body].n = 0;
        j->body_first[body] = INT_MAX;
        j->order[body] = body;
    }
    for (int p = 0; p < j->npart; ++p) {
        int *first = &j->body_first[j->body[p]];
        j->whole[j->body[p]].n += j->part[p].n;
        *first = j->first[p] < *first ? j->first[p] : *first;
    }
    sort(j->nbody, j->whole, j->body_first, j->order);
    int *rank = j->body_first; /* first residues are done with */
    for (int k = 0; k < j->nbody; ++k)
        rank[j->order[k]] = k;
    for (int p = 0; p < j->npart; ++p)
        j->body[p] = rank[j->body[p]];
}

static cardo_status allocate(joiner *j, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&j->part, j->npart, error));
    CARDO_TRY(CARDO_ALLOCATE(&j->whole, j->npart, error));
    CARDO_TRY(CARDO_ALLOCATE(&j->first, j->npart, error));
    CARDO_TRY(CARDO_ALLOCATE(&j->body_first, j->npart, error));
    CARDO_TRY(CARDO_ALLOCATE(&j->chain, j->npart, error));
    CARDO_TRY(CARDO_ALLOCATE(&j->chain_part, j->chains->n + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&j->order, j->npart, error));
done:
    return status;
}

static void clear(joiner *j)
{
    cardo_free(j->part);
    cardo_free(j->whole);
    cardo_free(j->first);
    cardo_free(j->body_first);
    cardo_free(j->chain);
    cardo_free(j->chain_part);
    cardo_free(j->order);
}

cardo_status cardo_domain_parts_join(const cardo_displacement *d,
                                     const cardo_domain_options *options,
                                     const cardo_domain_chains *chains, const int *part, int npart,
                                     int *body, int *nbody, cardo_error *error)
{
    joiner j = {.options = options, .chains = chains, .npart = npart, .body = body};
    cardo_status status = allocate(&j, error);
    if (status == CARDO_OK) {
        add_up(&j, d, part);
        gather(&j);
        join_alike(&j);
        take_in_loose(&j);
        number(&j);
        *nbody = j.nbody;
    }
    clear(&j);
    return status;
}
