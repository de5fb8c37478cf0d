#include "structure/prepare/loop.h"

#include "base/number.h"
#include "base/random.h"
#include "structure/prepare/geometry.h"
#include "structure/prepare/nearby.h"

#include <stdio.h>
#include <string.h>

/* Engh & Huber, Acta Cryst. A 47, 392 (1991), and the beta carbon's place by the N, CA and C before
 * it. */
static const double n_ca = 0.1458, ca_c = 0.1525, c_n = 0.1329;
static const double at_n = 121.7 * CARDO_DEGREE, at_ca = 111.0 * CARDO_DEGREE,
                    at_c = 116.6 * CARDO_DEGREE;

enum {
    MOST_ATOMS = 3 * (CARDO_MOST_CLOSED + 2), /* both anchors with N, CA, C   */
    TRIALS = 4000,
    TURNS = 150
};

static const double closed = 0.008;        /* nm: RMS of N, CA, C on the far anchor       */
static const double nearly_closed = 0.025; /* what relaxing mends where torsions are few  */

typedef struct loop {
    int n;                       /* residues */
    cardo_vec3 atom[MOST_ATOMS]; /* N, CA, C: the near anchor, the loop, the far anchor */
    cardo_vec3 target[3];        /* the far anchor's in truth                            */
    double psi;                  /* of the near anchor, as its oxygen has it             */
    bool psi_free;               /* it has none                                          */
    const cardo_component *const *component;
    cardo_nearby near;
    const cardo_draft *draft;
    int residue; /* of the far anchor */
} loop;

static bool is_called(const loop *l, int k, const char *name)
{
    return strcmp(l->component[k]->name.text, name) == 0;
}

/* Regions of the Ramachandran map: alpha, beta, polyproline, left-handed. */
static void draw_torsions(const loop *l, int k, const double random[4], double *phi, double *psi)
{
    static const double centre[4][2] = {{-63, -43}, {-120, 130}, {-70, 145}, {57, 42}};
    bool left = is_called(l, k, "GLY") || is_called(l, k, "ASN") || is_called(l, k, "ASP");
    int region = (int)(random[0] * (left ? 4 : 3));
    double spread = 40;
    *phi = (centre[region][0] + spread * (random[1] - 0.5)) * CARDO_DEGREE;
    *psi = (centre[region][1] + spread * (random[2] - 0.5)) * CARDO_DEGREE;
    if (is_called(l, k, "PRO"))
        *phi = (-65 + 20 * (random[1] - 0.5)) * CARDO_DEGREE;
}

/* Lays the chain from the near anchor. */
static void lay(loop *l, cardo_random *random)
{
    cardo_vec3 *p = l->atom;
    double psi = l->psi, draw[4];
    for (int k = 1; k <= l->n + 1; ++k) {
        double phi = -1.5, next = 0;
        cardo_random_uniform(random, 4, draw);
        if (k <= l->n)
            draw_torsions(l, k - 1, draw, &phi, &next);
        if (k == 1 && l->psi_free)
            psi = 2 * CARDO_PI * draw[3];
        p[3 * k] = point_by_torsion(p[3 * k - 1], p[3 * k - 2], p[3 * k - 3], c_n, at_c, psi);
        p[3 * k + 1] = point_by_torsion(p[3 * k], p[3 * k - 1], p[3 * k - 2], n_ca, at_n, CARDO_PI);
        p[3 * k + 2] = point_by_torsion(p[3 * k + 1], p[3 * k], p[3 * k - 1], ca_c, at_ca, phi);
        psi = next;
    }
}

/* Turns the atoms after b about a-b so that the last three come nearest to their targets. */
static void turn(loop *l, int a, int b)
{
    int last = 3 * (l->n + 2);
    cardo_vec3 origin = l->atom[b], axis = v3_unit(v3_sub(l->atom[b], l->atom[a]));
    double along = 0, across = 0;
    for (int k = 0; k < 3; ++k) {
        if (last - 3 + k <= b)
            continue;
        cardo_vec3 r = v3_sub(l->atom[last - 3 + k], origin), f = v3_sub(l->target[k], origin);
        r = v3_sub(r, v3_scale(v3_dot(r, axis), axis));
        along += v3_dot(r, f);
        across += v3_dot(v3_cross(axis, r), f);
    }
    cardo_mat33 rotation = m33_rotation(axis, atan2(across, along));
    for (int k = b + 1; k < last; ++k)
        l->atom[k] = v3_add(origin, m33_mul_v3(rotation, v3_sub(l->atom[k], origin)));
}

static double off_target(const loop *l)
{
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
        double d = distance_of(l->atom[3 * (l->n + 1) + k], l->target[k]);
        sum += d * d;
    }
    return sqrt(sum / 3);
}

static double close_chain(loop *l)
{
    double off = off_target(l);
    for (int t = 0; t < TURNS && off > closed / 4; ++t) {
        if (l->psi_free)
            turn(l, 1, 2);
        for (int k = 1; k <= l->n + 1; ++k) {
            if (k > l->n || !is_called(l, k - 1, "PRO"))
                turn(l, 3 * k, 3 * k + 1);
            if (k <= l->n)
                turn(l, 3 * k + 1, 3 * k + 2);
        }
        off = off_target(l);
    }
    return off;
}

static double cost_at(const loop *l, int element, cardo_vec3 at, int k)
{
    double cost = 0;
    for (int i = 0; i < l->near.count; ++i) {
        const cardo_nearby_atom *other = &l->near.atom[i];
        /* The anchors' own atoms are bonded neighbours of the outermost residues. */
        bool beside = (other->residue == l->residue && k == l->n) ||
                      (other->residue == l->residue - 1 && k == 1);
        if (!beside && other->element != CARDO_HYDROGEN)
            cost += cardo_clash_cost(element, other->element, distance_of(other->position, at));
    }
    for (int j = 1; j <= l->n; ++j)
        for (int i = 0; i < 3 && (j > k + 1 || j < k - 1); ++i)
            cost += cardo_clash_cost(element, i == 0 ? 7 : 6, distance_of(l->atom[3 * j + i], at));
    return cost;
}

/* kJ/mol, about: clashes of backbone and beta carbons, and unusual torsions. */
static double cost_of(const loop *l)
{
    double cost = 0;
    const cardo_vec3 *p = l->atom;
    for (int k = 1; k <= l->n; ++k) {
        const cardo_vec3 *at = p + 3 * k;
        cardo_vec3 next = at[3];
        cardo_vec3 ends[2] = {at[1], next};
        cardo_vec3 oxygen =
            v3_add_scaled(at[2], -0.1231, v3_unit(sum_of_directions(at[2], 2, ends)));
        cardo_vec3 beta = point_by_torsion(at[1], at[0], at[2], 0.153, 110.5 * CARDO_DEGREE,
                                           -122.6 * CARDO_DEGREE);
        cost += cost_at(l, 7, at[0], k) + cost_at(l, 6, at[1], k) + cost_at(l, 6, at[2], k) +
                cost_at(l, 8, oxygen, k);
        if (is_called(l, k - 1, "GLY"))
            continue;
        cost += cost_at(l, 6, beta, k);
        double phi = torsion_of(p[3 * k - 1], at[0], at[1], at[2]) / CARDO_DEGREE,
               psi = torsion_of(at[0], at[1], at[2], next) / CARDO_DEGREE;
        cost += phi > -35 ? (phi > 40 && phi < 75 && psi > 0 && psi < 80 ? 6 : 20) : 0;
        cost += psi > -160 && psi < -80 ? 8 : 0;
    }
    return cost;
}

static cardo_status begin(loop *l, const cardo_draft *draft, int r, cardo_error *error)
{
    static const char *const names[] = {"N", "CA", "C"};
    const cardo_draft_residue *one = &draft->residue[r - 1], *other = &draft->residue[r];
    for (int k = 0; k < 3; ++k) {
        l->atom[k] = cardo_draft_atom_called(one, names[k])->position;
        l->target[k] = cardo_draft_atom_called(other, names[k])->position;
    }
    const cardo_draft_atom *oxygen = cardo_draft_atom_called(one, "O");
    l->psi_free = !oxygen;
    if (oxygen)
        l->psi = torsion_of(l->atom[0], l->atom[1], l->atom[2], oxygen->position) + CARDO_PI;
    cardo_vec3 middle = v3_scale(0.5, v3_add(l->atom[2], l->target[0]));
    return cardo_nearby_collect(&l->near, draft, middle, 0.2 * (l->n + 1) + 0.8, error);
}

cardo_status cardo_loop_find(const cardo_draft *draft, int r, int n,
                             const cardo_component *const *components, cardo_vec3 *position,
                             bool *found, char why[128], cardo_error *error)
{
    loop l = {.n = n, .component = components, .draft = draft, .residue = r};
    cardo_random random = cardo_random_start(1, (uint32_t)r);
    double best = 1e30, nearest = 1e30, clash = 1e30;
    *found = false;
    cardo_status status = begin(&l, draft, r, error);
    if (status != CARDO_OK)
        goto done;
    double gap = distance_of(l.atom[2], l.target[0]) / CARDO_ANGSTROM;
    if (gap > 3.8 * (n + 1) - 1.3) {
        cardo_format(why, 128, "%.1f A are too far for %d residue%s", gap, n, n == 1 ? "" : "s");
        goto done;
    }
    for (int trial = 0; trial < TRIALS; ++trial) {
        lay(&l, &random);
        double off = close_chain(&l);
        nearest = fmin(nearest, off);
        if (off > (n < 3 ? nearly_closed : closed))
            continue;
        double strain = 2e5 * off * off, cost = cost_of(&l) + strain;
        clash = fmin(clash, cost - strain);
        if (cost < best) {
            best = cost;
            memcpy(position, l.atom + 3, 3 * (size_t)n * sizeof *position);
        }
    }
    *found = best < 30 + 15 * n;
    if (!*found && best > 1e29)
        cardo_format(why, 128,
                     "%d residue%s with standard geometry end%s %.2f A beside the next one", n,
                     n == 1 ? "" : "s", n == 1 ? "s" : "", nearest / CARDO_ANGSTROM);
    else if (!*found)
        snprintf(why, 128, "every way through clashes with the rest");
done:
    cardo_nearby_clear(&l.near);
    return status;
}
