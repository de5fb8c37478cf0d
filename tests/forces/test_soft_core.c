/* The soft-core provider: its pairs, its energies against Lennard and Jones's, its forces against
 * slopes. */
#include "forces/relax/near_pairs.h"
#include "forces/relax/soft_core.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum { ATOMS = 60 };

typedef struct soup {
    cardo_terms terms;
    cardo_exception_term exceptions[3];
    double sigma[ATOMS], epsilon[ATOMS], charge[ATOMS], mass[ATOMS], positions[3 * ATOMS];
    int body[ATOMS];
} soup;

static void make(soup *s, double size)
{
    uint64_t seed = 5;
    memset(s, 0, sizeof *s);
    for (int i = 0; i < ATOMS; ++i) {
        s->sigma[i] = 0.3 + 0.05 * support_random(&seed);
        s->epsilon[i] = i % 7 == 0 ? 0 : 0.4 + 0.3 * support_random(&seed);
        s->body[i] = i % 3;
        s->mass[i] = 12;
        for (int axis = 0; axis < 3; ++axis)
            s->positions[3 * i + axis] = size * support_random(&seed);
    }
    s->exceptions[0] = (cardo_exception_term){.a = 1, .b = 2, .sigma = 1};
    s->exceptions[1] = (cardo_exception_term){.a = 11, .b = 3, .sigma = 0.2, .epsilon = 0.3};
    s->exceptions[2] = (cardo_exception_term){.a = 4, .b = 1, .sigma = 1}; /* one body */
    s->terms = (cardo_terms){.natom = ATOMS,
                             .number.mass = s->mass,
                             .has_nonbonded = true,
                             .number.charge = s->charge,
                             .number.sigma = s->sigma,
                             .number.epsilon = s->epsilon,
                             .nexception = 3,
                             .list.exception = s->exceptions};
}

static cardo_vec3 between(const soup *s, int a, int b)
{
    return v3_sub(v3_load(s->positions + 3 * b), v3_load(s->positions + 3 * a));
}

typedef struct seen {
    const soup *s;
    int count[ATOMS][ATOMS];
} seen;

static void see(void *context, int a, int b, cardo_vec3 r, double square)
{
    seen *all = context;
    ++all->count[a][b];
    assert_close(v3_norm(v3_sub(r, between(all->s, a, b))), 0, 0);
    assert_close(square, v3_dot(r, r), 0);
}

static void every_near_pair_is_seen_once(void **test)
{
    (void)test;
    static const double sizes[] = {0.4, 1.5, 4.0, 1000.0};
    for (int i = 0; i < 4; ++i) {
        static seen all;
        cardo_error error;
        cardo_near_pairs *pairs;
        soup s;
        int near = 0;
        make(&s, sizes[i]);
        if (i == 1)
            for (int k = 0; k < ATOMS; ++k)
                s.positions[3 * k + 2] = 0.7; /* flat */
        memset(&all, 0, sizeof all);
        all.s = &s;
        assert_ok(cardo_near_pairs_create(ATOMS, 0.9, &pairs, &error), &error);
        cardo_near_pairs_visit(pairs, s.positions, see, &all);
        for (int a = 0; a < ATOMS; ++a)
            for (int b = 0; b < a; ++b) {
                int expected = v3_norm(between(&s, a, b)) <= 0.9;
                near += expected;
                assert_int_equal(all.count[a][b] + all.count[b][a], expected);
            }
        print_message("%d pairs\n", near);
        assert_true(i == 3 || near > 4);
        cardo_near_pairs_destroy(pairs);
    }
}

static double evaluate(cardo_force_provider *provider, const soup *s, const double **forces)
{
    cardo_error error;
    cardo_force_evaluation evaluation = {.nstation = ATOMS, .station_positions = s->positions};
    assert_ok(provider->compute(provider, &evaluation, &error), &error);
    if (forces)
        *forces = evaluation.station_forces;
    return evaluation.energy;
}

/* The same by the definition, pair by pair. */
static double expected_energy(const soup *s, double softness)
{
    double sum = 0;
    for (int a = 0; a < ATOMS; ++a)
        for (int b = a + 1; b < ATOMS; ++b) {
            double sigma = 0.5 * (s->sigma[a] + s->sigma[b]);
            double epsilon = sqrt(s->epsilon[a] * s->epsilon[b]), r = v3_norm(between(s, a, b));
            for (int k = 0; k < 3; ++k) {
                const cardo_exception_term *e = &s->exceptions[k];
                if ((e->a == a && e->b == b) || (e->a == b && e->b == a)) {
                    sigma = e->sigma;
                    epsilon = e->epsilon;
                }
            }
            double x = softness + pow(r / sigma, 6), t = (r - 0.7) / 0.2;
            double fade = t <= 0 ? 1 : t >= 1 ? 0 : 1 - t * t * t * (10 - 15 * t + 6 * t * t);
            if (s->body[a] != s->body[b])
                sum += 4 * epsilon * (1 / (x * x) - 1 / x) * fade;
        }
    return sum;
}

static void energies_and_forces_are_those_of_the_formula(void **test)
{
    (void)test;
    static const double softness[] = {0.5, 0.02, 0};
    for (int i = 0; i < 3; ++i) {
        cardo_error error;
        cardo_force_provider *provider;
        soup s;
        make(&s, i == 2 ? 1.5 : 0.6);
        double forces[3 * ATOMS], worst = 0, largest = 0;
        const double *now;
        assert_ok(cardo_soft_core_create(&s.terms, s.body, NULL, softness[i], &provider, &error),
                  &error);
        double energy = evaluate(provider, &s, &now);
        memcpy(forces, now, sizeof forces);
        assert_close(energy, expected_energy(&s, softness[i]), 1e-9 * (1 + fabs(energy)));
        for (int k = 0; k < 3 * ATOMS; ++k) {
            const double h = 1e-6, x = s.positions[k];
            s.positions[k] = x + h;
            double up = evaluate(provider, &s, NULL);
            s.positions[k] = x - h;
            double down = evaluate(provider, &s, NULL);
            s.positions[k] = x;
            worst = fmax(worst, fabs(forces[k] + (up - down) / (2 * h)));
            largest = fmax(largest, fabs(forces[k]));
        }
        print_message("softness %g: %.4g kJ/mol, forces up to %.3g off by %.1e\n", softness[i],
                      energy, largest, worst);
        assert_close(worst, 0, 1e-6 * largest + 1e-5);
        cardo_force_provider_destroy(provider);
    }
}

/* Two atoms in one place: nothing to fear with softness, recoverable without. */
static void coinciding_atoms(void **test)
{
    (void)test;
    cardo_error error;
    cardo_force_provider *provider;
    soup s;
    make(&s, 4.0);
    memcpy(s.positions + 3 * 8, s.positions + 3 * 16, 3 * sizeof(double)); /* bodies 2 and 1 */
    assert_ok(cardo_soft_core_create(&s.terms, s.body, NULL, 0.5, &provider, &error), &error);
    assert_true(isfinite(evaluate(provider, &s, NULL)));
    cardo_soft_core_set(provider, 0, 1);
    cardo_force_evaluation evaluation = {.nstation = ATOMS, .station_positions = s.positions};
    assert_fails(provider->compute(provider, &evaluation, &error), &error, CARDO_RECOVERABLE,
                 "same place");
    s.positions[0] = NAN;
    assert_fails(provider->compute(provider, &evaluation, &error), &error, CARDO_ERROR_NUMERICAL,
                 "finite");
    cardo_force_provider_destroy(provider);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_near_pair_is_seen_once),
        cmocka_unit_test(energies_and_forces_are_those_of_the_formula),
        cmocka_unit_test(coinciding_atoms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
