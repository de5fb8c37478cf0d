/* Strain: terms against formulas of their own, the measures at their thresholds, and heat, which is no
 * strain. */
#include "base/random.h"
#include "base/units.h"
#include "forces/relax/strain.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ATOMS = 60 };

typedef struct soup {
    cardo_terms terms;
    cardo_exception_term exceptions[3];
    double sigma[ATOMS], epsilon[ATOMS], charge[ATOMS], positions[3 * ATOMS];
    unsigned char element[ATOMS];
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
        s->element[i] = 6;
        for (int axis = 0; axis < 3; ++axis)
            s->positions[3 * i + axis] = size * support_random(&seed);
    }
    s->exceptions[0] = (cardo_exception_term){.a = 1, .b = 2, .sigma = 1};
    s->exceptions[1] = (cardo_exception_term){.a = 11, .b = 3, .sigma = 0.2, .epsilon = 0.3};
    s->exceptions[2] = (cardo_exception_term){.a = 4, .b = 1, .sigma = 1};
    s->terms = (cardo_terms){.natom = ATOMS,
                             .has_nonbonded = true,
                             .number.charge = s->charge,
                             .number.sigma = s->sigma,
                             .number.epsilon = s->epsilon,
                             .nexception = 3,
                             .list.exception = s->exceptions};
}

static cardo_strain look(const cardo_terms *terms, const int *body, const unsigned char *element,
                         const double *positions)
{
    cardo_error error = {0};
    cardo_strain strain;
    cardo_strain_search *search;
    assert_ok(cardo_strain_search_create(terms, body, element, &search, &error), &error);
    cardo_strain_look(search, positions, &strain);
    cardo_strain_search_destroy(search);
    return strain;
}

static cardo_strain look_at_soup(const soup *s)
{
    return look(&s->terms, s->body, s->element, s->positions);
}

static bool is_pair(const cardo_strained *term, int a, int b)
{
    return term->natom == 2 && ((term->atom[0] == a && term->atom[1] == b) ||
                                (term->atom[0] == b && term->atom[1] == a));
}

/* All pairs by the definition. */
static void contacts_are_those_of_the_formula(void **test)
{
    (void)test;
    soup s;
    make(&s, 1.0);
    double energy[2] = {0}, worst = -HUGE_VAL;
    int count[2] = {0}, strained = 0, impossible = 0;
    for (int a = 0; a < ATOMS; ++a)
        for (int b = a + 1; b < ATOMS; ++b) {
            double sigma = 0.5 * (s.sigma[a] + s.sigma[b]);
            double epsilon = sqrt(s.epsilon[a] * s.epsilon[b]), square = 0;
            for (int k = 0; k < 3; ++k) {
                const cardo_exception_term *e = &s.exceptions[k];
                if ((e->a == a && e->b == b) || (e->a == b && e->b == a)) {
                    sigma = e->sigma;
                    epsilon = e->epsilon;
                }
                square += pow(s.positions[3 * a + k] - s.positions[3 * b + k], 2);
            }
            if (!(epsilon > 0) || square > 0.25)
                continue;
            const bool between = s.body[a] != s.body[b];
            double x = pow(sigma / sqrt(square), 6), u = 4 * epsilon * (x * x - x);
            ++count[between];
            energy[between] += fmax(u, 0);
            worst = between ? fmax(worst, u) : worst;
            strained += between && u > 20 * CARDO_BOLTZMANN * 300;
            impossible += between && u > 100;
        }
    cardo_strain found = look_at_soup(&s);
    for (int place = 0; place < 2; ++place) {
        const cardo_strain_sum *sum = &found.sum[CARDO_STRAIN_CONTACT][place];
        assert_int_equal(sum->count, count[place]);
        assert_close(sum->energy, energy[place], 1e-9 * energy[place]);
        for (int k = 1; k < found.nlisted[place]; ++k)
            assert_true(found.listed[place][k - 1].energy >= found.listed[place][k].energy);
    }
    assert_true(impossible > 0 && strained > impossible);
    assert_int_equal(found.nstrained, strained);
    assert_int_equal(found.nimpossible, impossible);
    assert_close(found.contact.energy, worst, 1e-9 * worst);
    assert_close(found.listed[CARDO_STRAIN_BETWEEN][0].energy, worst, 1e-9 * worst);
}

static void the_worst_pair_is_named(void **test)
{
    (void)test;
    soup s;
    make(&s, 1000.0);
    assert_int_equal(look_at_soup(&s).contact.natom, 0);
    assert_int_equal(cardo_strain_judge(&(cardo_strain){0}), CARDO_STRAIN_EASY);
    /* Atoms 1 and 2 are excluded, 4 and 1 too; 4 and 2 are of different bodies and nearest. */
    const double *one = s.positions + 3, *five = s.positions + 15;
    for (int axis = 0; axis < 3; ++axis) {
        s.positions[6 + axis] = one[axis] + 0.01;
        s.positions[12 + axis] = one[axis] - 0.01;
        s.positions[30 + axis] = five[axis] + 0.1;
    }
    cardo_strain strain = look_at_soup(&s);
    assert_true(is_pair(&strain.contact, 4, 2));
    assert_int_equal(cardo_strain_judge(&strain), CARDO_STRAIN_IMPOSSIBLE);
    s.positions[12] += 5;
    strain = look_at_soup(&s);
    assert_true(is_pair(&strain.contact, 5, 10));
    assert_close(strain.contact.value, 0.1 * sqrt(3), 1e-9);
    /* Inside one body the same pair drives nothing. */
    s.body[10] = s.body[5];
    strain = look_at_soup(&s);
    assert_int_equal(strain.contact.natom, 0);
    assert_int_equal(cardo_strain_judge(&strain), CARDO_STRAIN_ROUGH);
    make(&s, 4.0);
    memcpy(s.positions + 3 * 8, s.positions + 3 * 16, 3 * sizeof(double));
    strain = look_at_soup(&s);
    assert_true(is_pair(&strain.contact, 8, 16));
    assert_true(!strain.contact.polar);
    s.element[8] = 7;
    s.element[16] = 8;
    assert_true(look_at_soup(&s).contact.polar);
    assert_true(isinf(strain.contact.energy) && strain.contact.value == 0);
}

/* A bond, an angle and an improper, each brought to either side of every threshold. */
static void verdicts_change_at_their_thresholds(void **test)
{
    (void)test;
    const double kT = CARDO_BOLTZMANN * 300;
    const double k = 4e5;
    const unsigned char element[] = {6, 6};
    cardo_bond_term bond = {0, 1, 0.15, k};
    cardo_terms terms = {.natom = 2, .nbond = 1, .list.bond = &bond};
    const struct {
        double energy;
        bool inside;
        cardo_strain_verdict verdict;
    } cases[] = {{19.9 * kT, false, CARDO_STRAIN_HOT}, /* as a whole it is hot */
                 {20.1 * kT, false, CARDO_STRAIN_STRAINED},
                 {349, false, CARDO_STRAIN_STRAINED},
                 {351, false, CARDO_STRAIN_IMPOSSIBLE},
                 {0.4 * kT, false, CARDO_STRAIN_EASY},
                 {351, true, CARDO_STRAIN_HOT},
                 {0.4 * kT, true, CARDO_STRAIN_EASY}};
    for (int c = 0; c < (int)(sizeof cases / sizeof *cases); ++c)
        for (int side = -1; side <= 1; side += 2) {
            const int body[2] = {0, !cases[c].inside};
            const double x = 0.15 + side * sqrt(2 * cases[c].energy / k);
            const double positions[6] = {0, 0, 0, x, 0, 0};
            cardo_strain strain = look(&terms, body, element, positions);
            assert_int_equal(cardo_strain_judge(&strain), cases[c].verdict);
            const cardo_strained *term = &strain.listed[!cases[c].inside][0];
            assert_true(is_pair(term, 0, 1) && term->kind == CARDO_STRAIN_BOND);
            assert_close(term->energy, cases[c].energy, 1e-9 * cases[c].energy);
            assert_close(term->value, x, 1e-15);
        }
}

static void keep_last(void *context, const cardo_strained *term)
{
    *(cardo_strained *)context = *term;
}

static void angles_and_impropers_have_their_energies(void **test)
{
    (void)test;
    const double right[] = {0.1, 0, 0, 0, 0, 0, 0, 0.13, 0};
    cardo_angle_term angle = {0, 1, 2, 1.5, 500};
    cardo_terms terms = {.natom = 3, .nangle = 1, .list.angle = &angle};
    cardo_strained term = {0};
    cardo_strained_visit(&terms, right, keep_last, &term);
    assert_close(term.value, CARDO_PI / 2, 1e-12);
    assert_close(term.energy, 250 * pow(CARDO_PI / 2 - 1.5, 2), 1e-9);
    /* phi = +90 degrees by IUPAC: looking along 1-2, atom 3 is clockwise of atom 0. */
    const double turned[] = {0, 0.1, 0, 0, 0, 0, 0.1, 0, 0, 0.1, 0, 0.1};
    cardo_harmonic_torsion_term improper = {0, 1, 2, 3, 0.2, 40};
    terms = (cardo_terms){.natom = 4, .nharmonic_torsion = 1, .list.harmonic_torsion = &improper};
    cardo_strained_visit(&terms, turned, keep_last, &term);
    assert_int_equal(term.natom, 4);
    assert_close(fabs(term.value), CARDO_PI / 2, 1e-12);
    assert_close(term.energy, 40 * pow(term.value - 0.2, 2), 1e-9);
}

/* Bonds in a bath are not strained; the same ones with twice their thermal spread are. The mean of
 * 4000 terms scatters by 0.011 kT about 0.5, 45 times less than the distance to the threshold. */
static void heat_is_no_strain(void **test)
{
    (void)test;
    enum { BONDS = 4000 };
    const double kT = CARDO_BOLTZMANN * 300;
    cardo_terms terms = {.natom = 2 * BONDS, .nbond = BONDS};
    cardo_bond_term *bond = calloc(BONDS, sizeof *bond);
    double *positions = calloc(6 * BONDS, sizeof *positions);
    unsigned char *element = malloc(2 * BONDS);
    int *body = calloc(2 * BONDS, sizeof *body);
    terms.list.bond = bond;
    cardo_random random = cardo_random_start(7, 0);
    for (int hot = 0; hot < 2; ++hot) {
        for (int b = 0; b < BONDS; ++b) {
            bond[b] = (cardo_bond_term){2 * b, 2 * b + 1, 0.14, 1e5 * (1 + b % 4)};
            element[2 * b] = 6;
            element[2 * b + 1] = b % 2 ? 1 : 6;
            double off;
            cardo_random_normal(&random, 1, &off);
            off *= sqrt(kT / bond[b].k) * (hot ? 2 : 1);
            positions[6 * b] = 10.0 * b;
            positions[6 * b + 3] = 10.0 * b + 0.14 + off;
        }
        cardo_strain strain = look(&terms, body, element, positions);
        const cardo_strain_sum *sum = &strain.sum[CARDO_STRAIN_BOND][CARDO_STRAIN_INSIDE];
        assert_close(cardo_strain_mean(&strain, CARDO_STRAIN_BOND), hot ? 2 : 0.5, hot ? 0.4 : 0.1);
        assert_close(sum->with_hydrogen, 0.5 * sum->energy, 0.1 * sum->energy);
        assert_int_equal(cardo_strain_is_hot(&strain, CARDO_STRAIN_BOND), hot);
        assert_int_equal(cardo_strain_judge(&strain), hot ? CARDO_STRAIN_HOT : CARDO_STRAIN_EASY);
    }
    free(bond);
    free(positions);
    free(element);
    free(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_are_those_of_the_formula),
        cmocka_unit_test(the_worst_pair_is_named),
        cmocka_unit_test(verdicts_change_at_their_thresholds),
        cmocka_unit_test(angles_and_impropers_have_their_energies),
        cmocka_unit_test(heat_is_no_strain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
