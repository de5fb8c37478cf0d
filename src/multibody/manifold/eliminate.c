/* Constraints in the articulated-body recursion.
 *
 * What the part of the tree outboard of a body has to say is a function of the body's acceleration a and of the multipliers of
 * the rows that act both inside and outside of that part:
 *     a^T P a / 2 + z^T a + lambda^T (K a + l) - lambda^T L lambda / 2,
 * stationary in lambda (Gauss's principle). A hinge makes of K, with E = H^T K + C, C what the row has on the hinge's mobilities:
 *     K+ = K - G E,  L+ = L + E^T D^-1 E,  l+ = l + E^T D^-1 e,
 * as it makes P+ and z+ of P and z. Where all that a row acts on has come together it is closed, and as soon as L says that the
 * joints so far can fulfil it, it is taken out, as a pivot of Cholesky's method: with U = K / sqrt(L) the body's inertia becomes
 * P + U U^T, and what is left of the tree never hears of it. Loops cost what they are long. Rows are carried on to ground only
 * where that takes all joints; what cannot be taken out there either depends on other rows, and is left to the matrix Y. */
#include "multibody/manifold/eliminate.h"

#include "base/memory.h"
#include "multibody/manifold/rows.h"
#include "multibody/tree/tree_pass.h"

#include <math.h>
#include <string.h>

/* Parts of its scale that a row's pivot must have to be taken out before ground, and at ground. Early pivots that are small would
 * make stiff inertias, and cost digits. */
static const double enough = 1e-3, least = 1e-7;

/* Where a constraint sets in at a body: with its body number `slot`, or with its mobility number -1 - slot. */
struct constraint_foot {
    int constraint, slot, next;
};

/* A row at a body that it acts on or passes: about the body's reference point. Of a row that is taken out here K is U. */
struct row_visit {
    cardo_spatial K;
    double E[CARDO_MOBILIZER_MAX_U]; /* C before the hinge */
    int row;                         /* its place in L */
    bool has_C;                      /* else C is zero */
    double pivot;                    /* 1 / sqrt(L) of a row that is taken out */
    double DE[CARDO_MOBILIZER_MAX_U];
    cardo_spatial out; /* what the body's parent gets of K */
};

/* ---- once a system ---- */

static int closing_body(const cardo_system *system, const constraint_shape *s)
{
    int closing = -1;
    for (int b = 0; b < s->nbody + s->nmobility; ++b) {
        int k =
            b < s->nbody ? s->bodies[b] : system->bodies[s->mobilities[b - s->nbody].body].parent;
        if (b < s->nbody && k == 0)
            continue; /* ground moves as it does */
        while (closing >= 0 && closing != k) {
            if (closing > k)
                closing = system->bodies[closing].parent;
            else
                k = system->bodies[k].parent;
        }
        closing = k;
    }
    return closing < 0 ? 0 : closing;
}

static void add_foot(constraint_list *list, int body, int constraint, int slot)
{
    list->feet[list->nfoot] = (constraint_foot){constraint, slot, list->foot_first[body]};
    list->foot_first[body] = list->nfoot++;
}

cardo_status cardo_elimination_plan(const cardo_system *system, constraint_list *list,
                                    cardo_error *error)
{
    cardo_status status;
    int most = 0;
    cardo_elimination_release(list);
    for (int i = 0; i < list->head.count; ++i)
        most += list->plans[i].shape.nbody + list->plans[i].shape.nmobility;
    CARDO_TRY(CARDO_ALLOCATE(&list->feet, most, error));
    CARDO_TRY(CARDO_ALLOCATE(&list->foot_first, system->nbody, error));
    list->nfoot = 0;
    for (int k = 0; k < system->nbody; ++k)
        list->foot_first[k] = -1;
    for (int i = list->head.count - 1; i >= 0; --i) {
        const constraint_shape *s = &list->plans[i].shape;
        list->plans[i].closing = closing_body(system, s);
        for (int j = s->nmobility - 1; j >= 0; --j)
            add_foot(list, s->mobilities[j].body, i, -1 - j);
        for (int b = s->nbody - 1; b >= 0; --b)
            if (s->bodies[b] != 0)
                add_foot(list, s->bodies[b], i, b);
    }
done:
    return status;
}

void cardo_elimination_release(constraint_list *list)
{
    cardo_free(list->feet);
    cardo_free(list->foot_first);
    list->feet = NULL;
    list->foot_first = NULL;
}

size_t cardo_elimination_visit_size(void)
{
    return sizeof(row_visit);
}

int cardo_elimination_room(const cardo_system *system, const constraint_list *list)
{
    enum { CARRIED = 24, MOST = 1 << 24 };
    long long room = 0;
    for (int i = 0; i < list->head.count; ++i) {
        const constraint_shape *s = &list->plans[i].shape;
        long long way = 0;
        for (int b = 0; b < s->nbody + s->nmobility; ++b) {
            int k = b < s->nbody ? s->bodies[b] : s->mobilities[b - s->nbody].body;
            for (; k > list->plans[i].closing; k = system->bodies[k].parent)
                ++way;
        }
        int carried = 1;
        for (int k = list->plans[i].closing; k > 0 && carried < CARRIED;
             k = system->bodies[k].parent)
            ++carried;
        room += (way + carried) * list->plans[i].nrow;
    }
    /* rows that need more joints than that are rarely all of them */
    const long long whole = (long long)list->nrow * system->nbody;
    room = room < whole ? room : whole;
    return room > MOST ? MOST : (int)room;
}

/* ---- factorization ---- */

static double *entry(const constraint_cache *c, int stride, int i, int j)
{
    return i > j ? c->Y + i * stride + j : c->Y + j * stride + i;
}

/* The visit of a row to the body whose visits begin at first; NULL: no room. */
static row_visit *visit_of(constraint_cache *c, int stride, int first, int row)
{
    if (c->slot[row] >= first && c->slot[row] < c->nvisit && c->visits[c->slot[row]].row == row)
        return &c->visits[c->slot[row]];
    if (c->nvisit == c->room)
        return NULL;
    if (c->slot[row] < 0) {
        for (int i = 0; i < c->nalive; ++i)
            *entry(c, stride, row, c->alive[i]) = 0;
        *entry(c, stride, row, row) = 0;
        c->alive[c->nalive++] = row;
        c->scale[row] = 0;
    }
    c->slot[row] = c->nvisit;
    row_visit *v = &c->visits[c->nvisit++];
    v->K = spatial_zero();
    v->row = row;
    v->has_C = false;
    return v;
}

/* What constraints set in with at a body. */
static bool add_feet(const cardo_system *system, const cardo_state *state, int k, int limit,
                     int first)
{
    const constraint_list *list = list_of(system);
    constraint_cache *c = state->cache->constraints;
    const body_node *node = &state->cache->nodes[k];
    const body_plan *body = &system->bodies[k];
    const double *factor = state->cache->factors + body->factor_first;
    if (list->foot_first[k] < 0)
        return true;
    const double turning = node->P.J.xx + node->P.J.yy + node->P.J.zz;
    const double mass = node->P.M.xx + node->P.M.yy + node->P.M.zz;
    const double by_torque = turning > 0 ? 3 / turning : 0, by_force = mass > 0 ? 3 / mass : 0;
    for (int f = list->foot_first[k]; f >= 0; f = list->feet[f].next) {
        const constraint_foot *foot = &list->feet[f];
        const constraint_plan *plan = &list->plans[foot->constraint];
        const constraint_shape *s = &plan->shape;
        const cardo_spatial *bodies = c->rows.bodies + plan->spatial_first;
        const double *mobilities = c->rows.mobilities + plan->mobility_first;
        if (!is_on(state, foot->constraint))
            continue;
        for (int own = 0; own < plan->nrow; ++own) {
            const int row = row_of(plan, own);
            if (row >= limit)
                continue;
            row_visit *v = visit_of(c, list->nrow, first, c->at[row]);
            if (!v)
                return false;
            if (foot->slot >= 0) {
                const cardo_vec3 origin = c->origins[plan->body_first + foot->slot];
                const cardo_spatial K = force_shift(bodies[own * s->nbody + foot->slot], origin);
                v->K = spatial_add(v->K, K);
                c->scale[v->row] += by_torque * v3_dot(K.angular, K.angular) +
                                    by_force * v3_dot(K.linear, K.linear);
            } else {
                const int j = -1 - foot->slot, mobility = s->mobilities[j].mobility;
                const double C = mobilities[own * s->nmobility + j];
                for (int i = 0; !v->has_C && i < body->nu; ++i)
                    v->E[i] = 0;
                v->has_C = true;
                v->E[mobility] += C;
                c->scale[v->row] += C * C * hinge_yield((hinge_form)body->yields, factor, mobility);
            }
        }
    }
    return true;
}

/* What rows bring along from a body's children. */
static bool gather(const constraint_list *list, constraint_cache *c, int k, int first)
{
    for (int child = c->kid_first[k]; child > 0; child = c->kid_next[child])
        for (int i = c->eliminated_end[child]; i < c->visit_end[child]; ++i) {
            const cardo_spatial out = c->visits[i].out;
            row_visit *v = visit_of(c, list->nrow, first, c->visits[i].row);
            if (!v)
                return false;
            v->K = spatial_add(v->K, out);
        }
    return true;
}

static void exchange(constraint_cache *c, int i, int j)
{
    const row_visit v = c->visits[i];
    if (i == j)
        return;
    c->visits[i] = c->visits[j];
    c->visits[j] = v;
    c->slot[c->visits[i].row] = i;
    c->slot[c->visits[j].row] = j;
}

/* The closed row among visits first .. end - 1 with the largest pivot; -1 where none has `part` of its scale. */
static int choose(const constraint_cache *c, int stride, int k, int first, int end, double part)
{
    int best = -1;
    double L_best = part, scale_best = 1;
    for (int i = first; i < end; ++i) {
        const int row = c->visits[i].row;
        const double L = *entry(c, stride, row, row), scale = c->scale[row];
        if (k > c->closing[row] || !(L * scale_best > L_best * scale))
            continue;
        L_best = L;
        scale_best = scale;
        best = i;
    }
    return best;
}

/* Takes rows out of the visits first .. end - 1 of body k, and their inertias into P (NULL: ground has none); returns where those that stay begin. */
static int take_out(const constraint_list *list, constraint_cache *c, int k, int first, int end,
                    double part, articulated_inertia *P)
{
    int at = first;
    for (; at < end; ++at) {
        /* the next one, unless it is weak */
        const double fair = 0.01;
        int best = choose(c, list->nrow, k, at, at + 1, fair);
        if (best < 0)
            best = choose(c, list->nrow, k, at, end, part);
        if (best < 0)
            break;
        exchange(c, at, best);
        row_visit *v = &c->visits[at];
        const double L = *entry(c, list->nrow, v->row, v->row);
        v->pivot = 1 / sqrt(L);
        c->weakest = fmin(c->weakest, L / c->scale[v->row]);
        if (P)
            v->K = spatial_scale(v->pivot, v->K);
        for (int i = at + 1; i < end; ++i) {
            double *x = entry(c, list->nrow, c->visits[i].row, v->row);
            *x *= v->pivot;
            if (P)
                c->visits[i].K = spatial_add_scaled(c->visits[i].K, -*x, v->K);
        }
        for (int i = at + 1; i < end; ++i) {
            const double x = *entry(c, list->nrow, c->visits[i].row, v->row);
            for (int j = at + 1; j <= i; ++j)
                *entry(c, list->nrow, c->visits[i].row, c->visits[j].row) -=
                    x * *entry(c, list->nrow, c->visits[j].row, v->row);
        }
        if (P)
            articulated_subtract_outer(P, spatial_scale(-1, v->K), v->K);
        int a = 0;
        while (c->alive[a] != v->row)
            ++a;
        c->alive[a] = c->alive[--c->nalive];
    }
    return at;
}

static const double *factor_of(const cardo_state *state, const body_plan *body, int k)
{
    const constraint_cache *c = state->cache->constraints;
    return (c->stiffened[k] ? c->factors : state->cache->factors) + body->factor_first;
}

/* What the hinge leaves of an inertia that is taken through it, as the parent sees it. */
ALWAYS_INLINE void left_of(const body_plan *body, const state_cache *cache, articulated_inertia *P,
                           double *factor, int k, articulated_inertia *left)
{
    const double *map = cache->maps + body->map_first;
    const cardo_vec3 s = reference_shift(cache->nodes, body, k);
    HINGE_SWITCH(body->yields, hinge_eliminate(form, body->nu, body->prescribed, map, P, factor);
                 articulated_inertia L = {0};
                 if (form != HINGE_FREE) L = hinge_inertia(form, map, P, body->own_point, s);
                 articulated_store(left, &L))
}

/* What a child leaves: of one that is not stiffened it is found here. */
ALWAYS_INLINE const articulated_inertia *left_by(const cardo_system *system,
                                                 const cardo_state *state, int child)
{
    const state_cache *cache = state->cache;
    constraint_cache *c = cache->constraints;
    if (!c->stiffened[child]) {
        double unused[64];
        articulated_inertia own = cache->nodes[child].P;
        left_of(&system->bodies[child], cache, &own, unused, child, &c->left[child]);
    }
    return &c->left[child];
}

/* The inertia of a body with children of which some are stiffened. */
ALWAYS_INLINE articulated_inertia gather_inertia(const cardo_system *system,
                                                 const cardo_state *state, int k)
{
    const constraint_list *list = list_of(system);
    const state_cache *cache = state->cache;
    const int first = list->child_first[k];
    articulated_inertia P;
    /* one loop: what a child leaves is much code */
    for (int child = first; child > 0; child = list->child_next[child]) {
        const articulated_inertia *left = left_by(system, state, child);
        if (child == first)
            articulated_store(&P, left);
        else
            articulated_add(&P, left);
    }
    articulated_add_rigid(&P, cache->nodes[k].mass, &cache->nodes[k].I);
    return P;
}

/* Takes the rows that stay through a body's hinge. */
ALWAYS_INLINE void pass_rows(const hinge_form form, const constraint_list *list,
                             const cardo_state *state, const body_plan *body, int k)
{
    constraint_cache *c = state->cache->constraints;
    const double *map = state->cache->maps + body->map_first, *factor = factor_of(state, body, k);
    const int nu = form == HINGE_SINGLE ? 1 : body->nu;
    const column_factor *columns = (const column_factor *)factor;
    for (int i = c->eliminated_end[k]; i < c->visit_end[k]; ++i) {
        row_visit *v = &c->visits[i];
        double C[CARDO_MOBILIZER_MAX_U];
        for (int j = 0; v->has_C && j < nu; ++j)
            C[j] = v->E[j];
        cardo_spatial out = hinge_residual(form, nu, map, factor, v->has_C ? C : NULL,
                                           spatial_scale(-1, v->K), v->E);
        out = spatial_scale(-1, out);
        if (body->own_point)
            out = force_shift(out, reference_shift(state->cache->nodes, body, k));
        v->out = out;
        if (form == HINGE_SINGLE || form == HINGE_COLUMNS)
            for (int j = 0; j < nu; ++j)
                v->DE[j] = columns[j].D_inverse * v->E[j];
        if (form == HINGE_BALL || form == HINGE_ELLIPSOID)
            v3_store(v->DE, turn_divide(factor, v->E));
        if (form == HINGE_FREE) {
            const cardo_spatial x = free_divide((const free_factor *)factor, v->E);
            v3_store(v->DE, x.angular);
            v3_store(v->DE + 3, x.linear);
        }
        for (int other = c->eliminated_end[k]; form != HINGE_NONE && other <= i; ++other) {
            const row_visit *w = &c->visits[other];
            double sum = v->DE[0] * w->E[0];
            for (int j = 1; j < nu; ++j)
                sum += v->DE[j] * w->E[j];
            *entry(c, list->nrow, v->row, w->row) += sum;
        }
    }
}

static void begin(const cardo_system *system, const cardo_state *state, int limit)
{
    constraint_cache *c = state->cache->constraints;
    c->nvisit = c->nalive = c->nactive = 0;
    for (int row = 0; row < limit; ++row)
        if (is_on(state, c->place[2 * row])) {
            c->at[row] = c->nactive;
            c->slot[c->nactive] = -1;
            c->closing[c->nactive] = list_of(system)->plans[c->place[2 * row]].closing;
            c->active[c->nactive++] = row;
        }
    memset(c->stiffened, 0, (size_t)system->nbody);
    memset(c->touched, 0, (size_t)system->nbody);
    for (int k = 0; k < system->nbody; ++k)
        c->kid_first[k] = 0;
}

/* One body, from the tips. False: no room. */
static bool eliminate_at(const cardo_system *system, const cardo_state *state, int k, int limit)
{
    const constraint_list *list = list_of(system);
    constraint_cache *c = state->cache->constraints;
    const body_plan *body = &system->bodies[k];
    const int first = c->nvisit;
    c->visit_first[k] = first;
    if (!gather(list, c, k, first) || !add_feet(system, state, k, limit, first))
        return false;
    const int end = c->visit_end[k] = c->nvisit;
    bool stiff = c->stiffened[k];
    articulated_inertia P;
    if (stiff)
        P = gather_inertia(system, state, k);
    if (!stiff && choose(c, list->nrow, k, first, end, enough) >= 0) {
        articulated_store(&P, &state->cache->nodes[k].P);
        stiff = true;
    }
    c->eliminated_end[k] = first;
    if (stiff)
        c->eliminated_end[k] = take_out(list, c, k, first, end, enough, &P);
    c->stiffened[k] = stiff;
    c->touched[k] = true;
    if (stiff) {
        left_of(body, state->cache, &P, c->factors + body->factor_first, k, &c->left[k]);
        c->stiffened[body->parent] = c->touched[body->parent] = true;
    }
    if (c->eliminated_end[k] < end) {
        HINGE_SWITCH(body->yields, pass_rows(form, list, state, body, k))
        c->kid_next[k] = c->kid_first[body->parent];
        c->kid_first[body->parent] = k;
        c->touched[body->parent] = true;
    }
    return true;
}

TREE_PASS bool cardo_elimination_factor(const cardo_system *system, const cardo_state *state,
                                        int limit)
{
    const constraint_list *list = list_of(system);
    constraint_cache *c = state->cache->constraints;
    begin(system, state, limit);
    c->weakest = 1;
    for (int k = system->nbody - 1; k > 0; --k)
        if ((c->touched[k] || list->foot_first[k] >= 0) && !eliminate_at(system, state, k, limit))
            return false;
    c->visit_first[0] = c->nvisit;
    if (!gather(list, c, 0, c->nvisit))
        return false;
    c->visit_end[0] = c->nvisit;
    c->eliminated_end[0] = take_out(list, c, 0, c->visit_first[0], c->nvisit, least, NULL);
    return c->eliminated_end[0] == c->nvisit && c->nalive == 0;
}

/* ---- solution ---- */

/* The right side of rows that are taken out at a body: into z and the rows that stay. */
static cardo_spatial take_out_right(const constraint_list *list, constraint_cache *c, int k,
                                    cardo_spatial z)
{
    double *l = c->vector;
    for (int i = c->visit_first[k]; i < c->eliminated_end[k]; ++i) {
        const row_visit *v = &c->visits[i];
        l[v->row] *= v->pivot;
        z = spatial_add_scaled(z, l[v->row], v->K);
        for (int j = i + 1; j < c->visit_end[k]; ++j)
            l[c->visits[j].row] -= *entry(c, list->nrow, c->visits[j].row, v->row) * l[v->row];
    }
    return z;
}

/* Multipliers of the rows that were taken out at a body that accelerates by a. */
static void put_back(const constraint_list *list, constraint_cache *c, int k, cardo_spatial a)
{
    double *l = c->vector;
    for (int i = c->eliminated_end[k] - 1; i >= c->visit_first[k]; --i) {
        const row_visit *v = &c->visits[i];
        double x = l[v->row] + spatial_dot(v->K, a);
        for (int j = i + 1; j < c->visit_end[k]; ++j)
            x -= *entry(c, list->nrow, c->visits[j].row, v->row) * l[c->visits[j].row];
        l[v->row] = x * v->pivot;
    }
}

TREE_PASS void cardo_elimination_solve(const cardo_system *system, const cardo_state *state,
                                       const double *r, double *lambda, double *speeds)
{
    const constraint_list *list = list_of(system);
    const state_cache *cache = state->cache;
    constraint_cache *c = cache->constraints;
    cardo_spatial *z = cache->scratch_z, *a = cache->scratch_a;
    double *l = c->vector;
    for (int i = 0; i < c->nactive; ++i)
        l[i] = r[c->active[i]];
    for (int k = 0; k < system->nbody; ++k)
        z[k] = spatial_zero();
    for (int j = 0; j < system->nu; ++j)
        speeds[j] = 0;
    for (int k = system->nbody - 1; k > 0; --k) {
        const body_plan *body = &system->bodies[k];
        const double *map = cache->maps + body->map_first, *factor = factor_of(state, body, k);
        double *e = speeds + body->u_first;
        if (!c->touched[k])
            continue;
        cardo_spatial f = take_out_right(list, c, k, z[k]);
        if (c->stiffened[k]) {
            HINGE_SWITCH(body->yields, f = hinge_residual(form, body->nu, map, factor, NULL, f, e))
            if (body->own_point)
                f = force_shift(f, reference_shift(cache->nodes, body, k));
            z[body->parent] = spatial_add(z[body->parent], f);
        }
        for (int i = c->eliminated_end[k]; i < c->visit_end[k]; ++i)
            for (int j = 0; j < body->nu; ++j) {
                l[c->visits[i].row] += c->visits[i].DE[j] * e[j];
            }
    }
    take_out_right(list, c, 0, spatial_zero());
    a[0] = spatial_zero();
    put_back(list, c, 0, a[0]);
    for (int k = 1; k < system->nbody; ++k) {
        const body_plan *body = &system->bodies[k];
        const double *map = cache->maps + body->map_first, *factor = factor_of(state, body, k);
        double *e = speeds + body->u_first;
        cardo_spatial x = a[body->parent];
        if (body->own_point)
            x = motion_shift(x, reference_shift(cache->nodes, body, k));
        if (c->touched[k])
            for (int i = c->eliminated_end[k]; i < c->visit_end[k]; ++i)
                for (int j = 0; j < body->nu; ++j)
                    e[j] -= l[c->visits[i].row] * c->visits[i].E[j];
        HINGE_SWITCH(body->yields, x = hinge_accelerate(form, body->nu, map, factor, e, x, e))
        for (int j = 0; body->prescribed && j < body->nu; ++j)
            if (body->prescribed >> j & 1U)
                e[j] = 0;
        a[k] = x;
        if (c->touched[k])
            put_back(list, c, k, x);
    }
    for (int row = 0; row < list->nrow; ++row)
        lambda[row] = 0;
    for (int i = 0; i < c->nactive; ++i)
        lambda[c->active[i]] = l[i];
}
