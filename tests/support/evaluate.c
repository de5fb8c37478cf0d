#include "support/evaluate.h"

#include "base/units.h"
#include "base/vec.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

static cardo_vec3 between(const double *x, int from, int to)
{
    return v3_sub(v3_load(x + 3 * to), v3_load(x + 3 * from));
}

static double *array_of(int n)
{
    double *array = calloc(n > 0 ? (size_t)n : 1, sizeof *array);
    if (!array)
        fail_msg("no memory for %d numbers", n);
    return array;
}

static double bond_energy(const cardo_terms *t, const double *x)
{
    double sum = 0;
    for (int k = 0; k < t->nbond; ++k) {
        const cardo_bond_term e = cardo_terms_bond(t, k);
        double d = v3_norm(between(x, e.a, e.b)) - e.length;
        sum += 0.5 * e.k * d * d;
    }
    return sum;
}

static double angle_energy(const cardo_terms *t, const double *x)
{
    double sum = 0;
    for (int k = 0; k < t->nangle; ++k) {
        const cardo_angle_term e = cardo_terms_angle(t, k);
        cardo_vec3 u = between(x, e.b, e.a), v = between(x, e.b, e.c);
        double d = atan2(v3_norm(v3_cross(u, v)), v3_dot(u, v)) - e.angle;
        sum += 0.5 * e.k * d * d;
    }
    return sum;
}

static double dihedral(const double *x, int a, int b, int c, int d)
{
    cardo_vec3 u = between(x, a, b), v = between(x, b, c), w = between(x, c, d);
    cardo_vec3 m = v3_cross(u, v), n = v3_cross(v, w);
    return atan2(v3_norm(v) * v3_dot(u, n), v3_dot(m, n));
}

static double torsion_energy(const cardo_terms *t, const double *x)
{
    double sum = 0;
    for (int k = 0; k < t->ntorsion; ++k) {
        const cardo_torsion_term e = cardo_terms_torsion(t, k);
        sum += e.k * (1 + cos(e.periodicity * dihedral(x, e.a, e.b, e.c, e.d) - e.phase));
    }
    return sum;
}

static double improper_energy(const cardo_terms *t, const double *x)
{
    double sum = 0;
    for (int k = 0; k < t->nharmonic_torsion; ++k) {
        const cardo_harmonic_torsion_term e = cardo_terms_harmonic_torsion(t, k);
        double d = dihedral(x, e.a, e.b, e.c, e.d) - e.angle;
        sum += e.k * d * d;
    }
    return sum;
}

static double rb_energy(const cardo_terms *t, const double *x)
{
    double sum = 0;
    for (int k = 0; k < t->nrb_torsion; ++k) {
        const cardo_rb_torsion_term e = cardo_terms_rb_torsion(t, k);
        double c = cos(dihedral(x, e.a, e.b, e.c, e.d) - CARDO_PI);
        for (int n = 0; n < 6; ++n)
            sum += e.coefficient[n] * pow(c, n);
    }
    return sum;
}

/* The cubic spline of period n through y (every stride-th number) at position u. Its second
 * derivatives solve m[i-1] + 4 m[i] + m[i+1] = 6 (y[i-1] - 2 y[i] + y[i+1]), by Gauss-Seidel, which
 * gains a digit in two rounds. */
static double spline(const double *y, int n, int stride, double u)
{
    double *m = array_of(n);
    for (int round = 0; round < 60; ++round)
        for (int i = 0; i < n; ++i) {
            int before = (i + n - 1) % n, after = (i + 1) % n;
            double curve = y[before * stride] - 2 * y[i * stride] + y[after * stride];
            m[i] = (6 * curve - m[before] - m[after]) / 4;
        }
    int i = (int)floor(u), j = (i + 1) % n;
    double b = u - i, a = 1 - b;
    i %= n;
    double value = a * y[i * stride] + b * y[j * stride] +
                   ((a * a * a - a) * m[i] + (b * b * b - b) * m[j]) / 6;
    free(m);
    return value;
}

/* The tensor product of periodic splines along phi, then psi. */
static double map_energy(const cardo_cmap *map, double phi, double psi)
{
    int n = map->size;
    double *along = array_of(n), step = 2 * CARDO_PI / n;
    double u = (phi < 0 ? phi + 2 * CARDO_PI : phi) / step;
    double v = (psi < 0 ? psi + 2 * CARDO_PI : psi) / step;
    for (int j = 0; j < n; ++j)
        along[j] = spline(map->energy + n * j, n, 1, u);
    double energy = spline(along, n, 1, v);
    free(along);
    return energy;
}

static double cmap_energy(const cardo_terms *t, const double *x)
{
    double sum = 0;
    for (int k = 0; k < t->ncmap; ++k) {
        const cardo_cmap_term e = cardo_terms_cmap(t, k);
        const int *a = e.atom;
        sum += map_energy(&t->map[e.map], dihedral(x, a[0], a[1], a[2], a[3]),
                          dihedral(x, a[1], a[2], a[3], a[4]));
    }
    return sum;
}

static double pair_energy(double r, double charge_product, double sigma, double epsilon)
{
    double s6 = pow(sigma / r, 6);
    return CARDO_COULOMB * charge_product / r + 4 * epsilon * (s6 * s6 - s6);
}

/* Marks the partners of atom i in exceptions: listed under either atom. */
static void mark_partners(const cardo_terms *t, int (*next)[2], const int *first, int i, int *mark)
{
    for (int k = first[i]; k >= 0; k = next[k / 2][k % 2]) {
        const cardo_exception_term e = cardo_terms_exception(t, k / 2);
        mark[e.a == i ? e.b : e.a] = i;
    }
}

static double nonbonded_energy(const cardo_terms *t, const double *x)
{
    size_t natom = (size_t)t->natom, nexception = (size_t)t->nexception;
    int *first = malloc((natom + 1) * sizeof *first), *mark = malloc((natom + 1) * sizeof *mark);
    int(*next)[2] = malloc((nexception + 1) * sizeof *next);
    double sum = 0;
    if (!first || !mark || !next)
        fail_msg("no memory for %d atoms", t->natom);
    for (int i = 0; i < t->natom; ++i)
        first[i] = mark[i] = -1;
    for (int k = 0; k < t->nexception; ++k) {
        const cardo_exception_term e = cardo_terms_exception(t, k);
        const int atom[2] = {e.a, e.b};
        for (int side = 0; side < 2; ++side) {
            next[k][side] = first[atom[side]];
            first[atom[side]] = 2 * k + side;
        }
        if (e.charge_product != 0 || e.epsilon != 0)
            sum += pair_energy(v3_norm(between(x, e.a, e.b)), e.charge_product, e.sigma, e.epsilon);
    }
    for (int i = 0; i < t->natom; ++i) {
        mark_partners(t, next, first, i, mark);
        for (int j = i + 1; j < t->natom; ++j)
            if (mark[j] != i)
                sum += pair_energy(v3_norm(between(x, i, j)),
                                   cardo_terms_charge(t, i) * cardo_terms_charge(t, j),
                                   0.5 * (cardo_terms_sigma(t, i) + cardo_terms_sigma(t, j)),
                                   sqrt(cardo_terms_epsilon(t, i) * cardo_terms_epsilon(t, j)));
    }
    free(first);
    free(mark);
    free(next);
    return sum;
}

/* The curve that turns psi into the correction of a Born radius, by the model's name and the atom.
 */
static double descreened(const cardo_terms *t, int i, double psi)
{
    const char *model = t->gb_model ? t->gb_model->name : "obc2";
    double c[3] = {1, 0.8, 4.85};
    if (strcmp(model, "obc1") == 0)
        memcpy(c, (double[3]){0.8, 0, 2.909125}, sizeof c);
    else if (strcmp(model, "gbn") == 0)
        memcpy(c, (double[3]){1.09511284, 1.907992938, 2.50798245}, sizeof c);
    else if (strcmp(model, "gbn2") == 0)
        memcpy(c, t->gb_curve + 3 * i, sizeof c);
    return tanh(psi * (c[0] - psi * (c[1] - psi * c[2])));
}

/* The neck between two atoms, Mongan et al. 2007, eq. 11. */
static double neck(const cardo_terms *t, int i, int j, double r)
{
    if (t->nneck == 0 || r > cardo_terms_gb_radius(t, i) + cardo_terms_gb_radius(t, j) + 0.68)
        return 0;
    int pair = t->neck_kind[j] * t->nneck + t->neck_kind[i];
    double gap = r - t->neck_distance[pair];
    return t->gb_model->neck_scale * t->neck_strength[pair] /
           (1 + 100 * gap * gap + 3e5 * pow(gap, 6));
}

/* Born radii (Onufriev, Bashford & Case 2004, eq. 6-8). OpenMM's scripts leave out what its
 * compiled OBC2 has for an atom that lies inside another one. */
static void born_radii(const cardo_terms *t, const double *x, double *born)
{
    const bool script = t->gb_model && strcmp(t->gb_model->name, "obc2") != 0;
    const bool plain = script && strcmp(t->gb_model->name, "hct") == 0;
    const double offset = script && strcmp(t->gb_model->name, "gbn2") == 0 ? 0.0195141 : 0.009;
    for (int i = 0; i < t->natom; ++i) {
        double own = cardo_terms_gb_radius(t, i) - offset, sum = 0;
        for (int j = 0; j < t->natom; ++j) {
            double r = v3_norm(between(x, i, j)),
                   s = cardo_terms_gb_scale(t, j) * (cardo_terms_gb_radius(t, j) - offset);
            if (i == j)
                continue;
            sum += 2 * neck(t, i, j, r);
            if (own >= r + s)
                continue;
            double lower = fmax(own, fabs(r - s)), upper = r + s;
            sum += 1 / lower - 1 / upper + 0.5 * log(lower / upper) / r +
                   0.25 * (r - s * s / r) * (1 / (upper * upper) - 1 / (lower * lower));
            if (!script && own < s - r)
                sum += 2 * (1 / own - 1 / lower);
        }
        double psi = 0.5 * own * sum;
        born[i] = plain ? 1 / (1 / own - psi / own)
                        : 1 / (1 / own - descreened(t, i, psi) / cardo_terms_gb_radius(t, i));
    }
}

static double gb_energy(const cardo_terms *t, const double *x)
{
    double *born = array_of(t->natom), pairs = 0, surface = 0;
    born_radii(t, x, born);
    for (int i = 0; i < t->natom; ++i) {
        double reach = cardo_terms_gb_radius(t, i) + 0.14;
        pairs += 0.5 * cardo_terms_charge(t, i) * cardo_terms_charge(t, i) / born[i];
        surface += reach * reach * pow(cardo_terms_gb_radius(t, i) / born[i], 6);
        for (int j = i + 1; j < t->natom; ++j) {
            double r = v3_norm(between(x, i, j)), b = born[i] * born[j];
            pairs += cardo_terms_charge(t, i) * cardo_terms_charge(t, j) /
                     sqrt(r * r + b * exp(-r * r / (4 * b)));
        }
    }
    free(born);
    return -CARDO_COULOMB * (1 / t->solute_dielectric - 1 / t->solvent_dielectric) * pairs +
           4 * CARDO_PI * t->surface_area_energy * surface;
}

support_energies support_evaluate(const cardo_terms *terms, const double *x)
{
    support_energies e = {.bond = bond_energy(terms, x),
                          .angle = angle_energy(terms, x),
                          .torsion = torsion_energy(terms, x),
                          .improper = improper_energy(terms, x),
                          .rb_torsion = rb_energy(terms, x),
                          .cmap = cmap_energy(terms, x)};
    if (terms->has_nonbonded)
        e.nonbonded = nonbonded_energy(terms, x);
    if (terms->has_gb)
        e.gb = gb_energy(terms, x);
    return e;
}
