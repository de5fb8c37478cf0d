/* The scaling of minimizations of all atoms: its matrix is that of the bonded terms' slopes, by differences, and it makes stiff chains easy. */
#include "support/support.h"

#include "base/memory.h"
#include "base/minimize.h"
#include "forces/relax/bonded_geometry.h"
#include "study/reference/bonded_scaling.h"

#include <math.h>
#include <string.h>

enum { ATOMS = 6, ROWS = 3 * ATOMS, CHAIN = 200 };

/* Of all else, kJ/mol/nm^2. */
static double rest[CHAIN];

static const double bent[ROWS] = {0,    0,    0,    0.15, 0.01, 0,    0.2,  0.14, 0.02,
                                  0.34, 0.15, 0.07, 0.41, 0.27, 0.03, 0.55, 0.25, 0.11};

static cardo_bond_term bond[] = {{1, 2, 0.15, 2e5}};
static cardo_angle_term angle[] = {{3, 1, 2, 1.9, 400}};
static cardo_torsion_term torsion[] = {{1, 2, 3, 4, 3, 0, -20}, {4, 2, 3, 5, 2, 0, 40}};

typedef struct looked {
    const cardo_terms *terms;
    cardo_scaled_atoms atoms;
} looked;

static void add_squares(void *context, cardo_band_scaling *scaling)
{
    const looked *l = context;
    cardo_bonded_scaling_add(scaling, l->terms, &l->atoms);
}

/* Lengths, angles and torsions of all terms, and their stiffness. */
static int internal(const cardo_terms *t, const double *x, double *value, double *stiffness)
{
    int n = 0;
    for (int k = 0; k < t->nbond; ++k, ++n) {
        const cardo_bond_term b = cardo_terms_bond(t, k);
        value[n] = cardo_distance_of(x, b.a, b.b);
        stiffness[n] = b.k;
    }
    for (int k = 0; k < t->nangle; ++k, ++n) {
        const cardo_angle_term a = cardo_terms_angle(t, k);
        value[n] = cardo_angle_of(x, a.a, a.b, a.c);
        stiffness[n] = a.k;
    }
    for (int k = 0; k < t->ntorsion; ++k, ++n) {
        const cardo_torsion_term o = cardo_terms_torsion(t, k);
        value[n] = cardo_torsion_of(x, (const int[]){o.a, o.b, o.c, o.d});
        stiffness[n] = fabs(o.k) * o.periodicity * o.periodicity;
    }
    return n;
}

/* H v at bent, by central differences of what the squares are of. */
static void multiply(const cardo_terms *t, const double *v, double *Hv)
{
    enum { MOST = 8 };
    const double step = 1e-6;
    double slope[MOST][ROWS], above[MOST], below[MOST], stiffness[MOST], x[ROWS];
    int n = 0;
    for (int i = 0; i < ROWS; ++i) {
        memcpy(x, bent, sizeof x);
        x[i] += step;
        n = internal(t, x, above, stiffness);
        x[i] -= 2 * step;
        internal(t, x, below, stiffness);
        for (int k = 0; k < n; ++k)
            slope[k][i] = (above[k] - below[k]) / (2 * step);
        Hv[i] = rest[i / 3] * v[i];
    }
    for (int k = 0; k < n; ++k) {
        double along = 0;
        for (int i = 0; i < ROWS; ++i)
            along += slope[k][i] * v[i];
        for (int i = 0; i < ROWS; ++i)
            Hv[i] += stiffness[k] * along * slope[k][i];
    }
}

static void assert_solves(const cardo_terms *terms)
{
    cardo_error error = {0};
    cardo_band_scaling *scaling;
    looked l = {terms, {.positions = bent}};
    double v[ROWS], solved[ROWS], back[ROWS];
    assert_ok(cardo_band_scaling_create(ATOMS, CARDO_BONDED_SCALING_FARTHEST, &scaling, &error),
              &error);
    for (int again = 0; again < 2; ++again)
        assert_ok(cardo_band_scaling_make(scaling, rest, add_squares, &l, &error), &error);
    for (int i = 0; i < ROWS; ++i)
        v[i] = solved[i] = sin(1 + i * i);
    cardo_band_scaling_back(scaling, solved);
    cardo_band_scaling_forth(scaling, solved);
    multiply(terms, solved, back);
    for (int i = 0; i < ROWS; ++i)
        assert_close(back[i], v[i], 1e-6);
    cardo_band_scaling_destroy(scaling);
}

static void squares_are_the_terms_slopes(void **unused)
{
    (void)unused;
    for (int i = 0; i < ATOMS; ++i)
        rest[i] = 3000 + 500 * i;
    const cardo_terms one_bond = {.natom = ATOMS, .nbond = 1, .list.bond = bond},
                      one_angle = {.natom = ATOMS, .nangle = 1, .list.angle = angle},
                      torsions = {.natom = ATOMS, .ntorsion = 2, .list.torsion = torsion},
                      all = {.natom = ATOMS,
                             .nbond = 1,
                             .list.bond = bond,
                             .nangle = 1,
                             .list.angle = angle,
                             .ntorsion = 2,
                             .list.torsion = torsion};
    assert_solves(&one_bond);
    assert_solves(&one_angle);
    assert_solves(&torsions);
    assert_solves(&all);
}

/* Atoms in a straight line have an angle and torsions without a slope, and give no more than nothing. */
static void a_straight_line_is_left_out(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_band_scaling *scaling;
    double line[ROWS] = {0}, v[ROWS];
    const cardo_terms terms = {
        .natom = ATOMS, .nangle = 1, .list.angle = angle, .ntorsion = 2, .list.torsion = torsion};
    looked l = {&terms, {.positions = line}};
    for (int i = 0; i < ATOMS; ++i)
        line[3 * i] = 0.15 * i;
    assert_ok(cardo_band_scaling_create(ATOMS, CARDO_BONDED_SCALING_FARTHEST, &scaling, &error),
              &error);
    assert_ok(cardo_band_scaling_make(scaling, rest, add_squares, &l, &error), &error);
    for (int i = 0; i < ROWS; ++i)
        v[i] = 1;
    cardo_band_scaling_forth(scaling, v);
    for (int i = 0; i < ROWS; ++i)
        assert_close(v[i], 1 / sqrt(rest[i / 3]), 1e-12);
    cardo_band_scaling_destroy(scaling);
}

typedef struct chain {
    cardo_bond_term bond[CHAIN - 1];
    cardo_terms terms;
    double begin[3 * CHAIN];
} chain;

/* Stiff bonds, and a soft spring that draws each atom to a place. */
static cardo_status chain_energy(void *context, int n, const double *x, double *value,
                                 double *gradient, cardo_error *error)
{
    const chain *c = context;
    (void)error;
    *value = 0;
    for (int i = 0; i < n; ++i) {
        const double off = x[i] - c->begin[i] - 0.002 * sin(0.05 * i);
        *value += 0.5 * 300 * off * off;
        gradient[i] = 300 * off;
    }
    for (int k = 0; k < c->terms.nbond; ++k) {
        const cardo_bond_term t = c->bond[k];
        const cardo_vec3 d = cardo_from_to(x, t.a, t.b);
        const double r = v3_norm(d), off = r - t.length;
        *value += 0.5 * t.k * off * off;
        for (int axis = 0; axis < 3; ++axis) {
            const double along = (axis == 0 ? d.x : axis == 1 ? d.y : d.z) / r;
            gradient[3 * t.b + axis] += t.k * off * along;
            gradient[3 * t.a + axis] -= t.k * off * along;
        }
    }
    return CARDO_OK;
}

typedef struct scaled {
    cardo_band_scaling *band;
    looked of;
    int made;
} scaled;

static cardo_status make(void *context, const double *x0, const double *gradient,
                         cardo_error *error)
{
    scaled *s = context;
    (void)gradient;
    ++s->made;
    s->of.atoms.positions = x0;
    return cardo_band_scaling_make(s->band, rest, add_squares, &s->of, error);
}

static void forth(void *context, double *v)
{
    cardo_band_scaling_forth(((scaled *)context)->band, v);
}

static void back(void *context, double *v)
{
    cardo_band_scaling_back(((scaled *)context)->band, v);
}

static cardo_minimize_result minimize(chain *c, const cardo_minimize_scaling *scaling)
{
    cardo_error error = {0};
    cardo_minimize_result result;
    double x[3 * CHAIN];
    const cardo_minimize_options options = {.most_iterations = 2000,
                                            .largest_gradient = 1e-5,
                                            .unit = scaling ? 1 : 0.002,
                                            .scaling = scaling};
    memcpy(x, c->begin, sizeof x);
    assert_ok(cardo_minimize(3 * CHAIN, x, chain_energy, c, &options, &result, &error), &error);
    assert_true(result.converged && result.largest_gradient <= 1e-5);
    return result;
}

static void stiff_chains_become_easy(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    static chain c;
    scaled s = {.of = {&c.terms, {0}}};
    for (int i = 0; i < CHAIN; ++i) {
        rest[i] = 300;
        c.begin[3 * i] = 0.13 * i;
        c.begin[3 * i + 1] = 0.05 * (i % 2);
    }
    for (int k = 0; k < CHAIN - 1; ++k)
        c.bond[k] = (cardo_bond_term){k, k + 1, 0.1393, 3e5};
    c.terms = (cardo_terms){.natom = CHAIN, .nbond = CHAIN - 1, .list.bond = c.bond};
    assert_ok(cardo_band_scaling_create(CHAIN, CARDO_BONDED_SCALING_FARTHEST, &s.band, &error),
              &error);
    const cardo_minimize_scaling once = {&s, 0, make, forth, back},
                                 often = {&s, 3, make, forth, back};
    const cardo_minimize_result plain = minimize(&c, NULL), for_good = minimize(&c, &once);
    assert_int_equal(s.made, 1);
    const cardo_minimize_result anew = minimize(&c, &often);
    print_message("%d iterations, scaled %d, scaled anew each three %d\n", plain.iterations,
                  for_good.iterations, anew.iterations);
    assert_int_equal(s.made - 1, (anew.iterations + 2) / 3);
    assert_close(for_good.value, plain.value, 1e-6 * plain.value);
    assert_close(anew.value, plain.value, 1e-6 * plain.value);
    assert_true(3 * for_good.iterations < plain.iterations &&
                3 * anew.iterations < plain.iterations);
    cardo_band_scaling_destroy(s.band);
}

/* No atom is thought to go farther than 0.05 nm by its own force. */
static void what_overlaps_is_stiff(void **unused)
{
    (void)unused;
    assert_close(cardo_bonded_scaling_rest((const double[]){0, 0, 0}), 3000, 0);
    assert_close(cardo_bonded_scaling_rest((const double[]){60, 0, -80}), 3000, 0);
    assert_close(cardo_bonded_scaling_rest((const double[]){3e5, 4e5, 0}), 1e7, 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squares_are_the_terms_slopes),
        cmocka_unit_test(a_straight_line_is_left_out),
        cmocka_unit_test(stiff_chains_become_easy),
        cmocka_unit_test(what_overlaps_is_stiff),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
