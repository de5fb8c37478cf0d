/* What the verdict on a free energy says, rule by rule: a study that is fine but for one thing is not called
 * converged, however generous the target. */
#include "analysis/free_energy/crossings.h"
#include "analysis/free_energy/verdict.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum { PLACES = 4, STATES = 2, WALKERS = 3, COORDINATES = 2, REPLICAS = 2 };

/* A study with nothing wrong, of walkers that roam. */
typedef struct study {
    double xi[PLACES], F[REPLICAS + 1][PLACES], sigma[REPLICAS + 1][PLACES];
    double state[2 * STATES], state_F[REPLICAS + 1][STATES], state_sigma[REPLICAS + 1][STATES];
    cardo_verdict_moments moments[REPLICAS][WALKERS * COORDINATES];
    const char *names[COORDINATES];
    cardo_verdict_replica replica[REPLICAS];
    cardo_verdict_input input;
} study;

static void make(study *s)
{
    *s = (study){.xi = {0.1, 0.4, 0.6, 0.9}, .state = {0, 0.5, 0.5, 1}, .names = {"q", "hidden.q"}};
    for (int r = 0; r <= REPLICAS; ++r) {
        for (int i = 0; i < PLACES; ++i) {
            s->F[r][i] = 0.5 * i + 0.05 * r;
            s->sigma[r][i] = r == REPLICAS ? 0.07 : 0.1;
        }
        s->state_F[r][1] = 1 + 0.05 * r;
        s->state_sigma[r][1] = r == REPLICAS ? 0.07 : 0.1;
    }
    for (int r = 0; r < REPLICAS; ++r) {
        for (int k = 0; k < WALKERS * COORDINATES; ++k)
            s->moments[r][k] = (cardo_verdict_moments){
                0.01 * (r + k), 1, 50, {0.01 * (r + k) - 0.1, 0.01 * (r + k) + 0.1}};
        s->replica[r] = (cardo_verdict_replica){.nwalker = WALKERS,
                                                .roam = true,
                                                .moments = s->moments[r],
                                                .passages = 6,
                                                .haste = 0.1,
                                                .F = s->F[r],
                                                .sigma = s->sigma[r],
                                                .state_F = s->state_F[r],
                                                .state_sigma = s->state_sigma[r]};
    }
    s->input = (cardo_verdict_input){.coordinate = "q",
                                     .ncoordinate = COORDINATES,
                                     .names = s->names,
                                     .nreplica = REPLICAS,
                                     .replica = s->replica,
                                     .n = PLACES,
                                     .xi = s->xi,
                                     .F = s->F[REPLICAS],
                                     .sigma = s->sigma[REPLICAS],
                                     .highest = 20,
                                     .target = 100,
                                     .nstate = STATES,
                                     .state = s->state,
                                     .state_F = s->state_F[REPLICAS],
                                     .state_sigma = s->state_sigma[REPLICAS],
                                     .first_half = 1,
                                     .first_sigma = 0.15,
                                     .last_half = 1.2,
                                     .last_sigma = 0.15};
}

static void expect(const study *s, cardo_verdict verdict, const char *words)
{
    char text[4096];
    cardo_verdict said = cardo_free_energy_verdict(&s->input, text, sizeof text);
    if (said != verdict || !strstr(text, words))
        print_message("wanted %d, '%s'; got %d:\n%s", verdict, words, said, text);
    assert_int_equal(said, verdict);
    assert_non_null(strstr(text, words));
}

static void nothing_wrong(void **unused)
{
    (void)unused;
    study s;
    make(&s);
    expect(&s, CARDO_VERDICT_CONVERGED,
           "replicas from different starts agree (0.4 standard errors apart)");
    expect(&s, CARDO_VERDICT_CONVERGED, "the standard error is at most 0.07 kT");
    expect(&s, CARDO_VERDICT_CONVERGED, "\nconverged\n");
    s.input.target = 0.05;
    expect(&s, CARDO_VERDICT_NOT_CONVERGED, "about 2 times as long");
}

static void places_and_states(void **unused)
{
    (void)unused;
    study s;
    make(&s);
    s.F[REPLICAS][3] = s.sigma[REPLICAS][3] = NAN;
    expect(&s, CARDO_VERDICT_NOT_CONVERGED,
           "1 of 4 bins of the range were never visited, such as q = 0.9");
    make(&s);
    s.state_F[REPLICAS][1] = s.state_sigma[REPLICAS][1] = NAN;
    expect(&s, CARDO_VERDICT_NOT_CONVERGED, "state 0.5 to 1: not sampled");
    make(&s);
    s.state_sigma[REPLICAS][1] = INFINITY;
    expect(&s, CARDO_VERDICT_NOT_CONVERGED, "is known to inf kT");
}

static void replicas_and_halves(void **unused)
{
    (void)unused;
    study s;
    make(&s);
    s.input.nreplica = 1;
    expect(&s, CARDO_VERDICT_DOUBTFUL, "one replica alone");
    make(&s);
    s.state_F[1][1] = 2;
    expect(&s, CARDO_VERDICT_NOT_CONVERGED,
           "replicas from different starts differ by 7.1 standard errors");
    make(&s);
    s.F[1][2] += 1;
    expect(&s, CARDO_VERDICT_NOT_CONVERGED, "standard errors in places");
    make(&s);
    s.state_F[1][1] = NAN;
    expect(&s, CARDO_VERDICT_NOT_CONVERGED, "not every replica has seen all states");
    make(&s);
    s.input.last_half = 2;
    expect(&s, CARDO_VERDICT_NOT_CONVERGED, "the last half of the run differ by 1.00 kT");
    make(&s);
    s.input.last_half = 2;
    s.input.first_sigma = s.input.last_sigma = 1;
    expect(&s, CARDO_VERDICT_NOT_CONVERGED, "1.00 kT, 7.1 standard errors");
    make(&s);
    s.input.first_half = s.input.first_sigma = NAN;
    expect(&s, CARDO_VERDICT_NOT_CONVERGED, "half of the run is too short to know");
    make(&s);
    s.input.first_sigma = 0;
    expect(&s, CARDO_VERDICT_NOT_CONVERGED, "half of the run is too short to know");
}

static void walkers(void **unused)
{
    (void)unused;
    study s;
    make(&s);
    s.replica[1].passages = 5;
    expect(&s, CARDO_VERDICT_NOT_CONVERGED,
           "replica 2: 5 passages from one end of the range to the other, of the 6 that it takes");
    make(&s);
    s.replica[0].roam = s.replica[1].roam = false;
    s.replica[1].passages = 1;
    expect(&s, CARDO_VERDICT_NOT_CONVERGED, "replica 2: 1 passage from one end");
    make(&s);
    s.replica[0].haste = 1.8;
    expect(&s, CARDO_VERDICT_DOUBTFUL, "the bias rose by 1.8 kT within the time that a walker");
    make(&s);
    for (int r = 0; r < REPLICAS; ++r)
        for (int k = 0; k < WALKERS; ++k)
            s.moments[r][k * COORDINATES + 1].effective = 1.5;
    expect(&s, CARDO_VERDICT_DOUBTFUL,
           "all walkers together have seen 9 independent values of hidden.q, too few");
    make(&s);
    s.moments[1][2 * COORDINATES + 1].mean = 2;
    expect(&s, CARDO_VERDICT_NOT_CONVERGED,
           "replica 2: walker 3 has seen other values of hidden.q than the others, about 2");
}

/* Series shorter than their memory seem to be worth much each; how far they are from one another tells. Halves
 * of six series with variance 1, at +1 or -1 as a lid lies: 12 x 11 / 12 = 11 independent values are enough,
 * at +2 or -2 not. */
static void walkers_that_scatter(void **unused)
{
    (void)unused;
    study s;
    for (int apart = 1; apart <= 2; ++apart) {
        make(&s);
        for (int r = 0; r < REPLICAS; ++r)
            for (int k = 0; k < WALKERS; ++k) {
                cardo_verdict_moments *m = &s.moments[r][k * COORDINATES + 1];
                m->mean = 0;
                m->half[0] = apart * ((r + k) % 2 ? 1 : -1);
                m->half[1] = -m->half[0];
            }
        expect(&s, apart == 1 ? CARDO_VERDICT_CONVERGED : CARDO_VERDICT_DOUBTFUL,
               apart == 1 ? "from one another, they saw 11 independent values of hidden.q\n"
                          : "they saw 2.75 independent values of hidden.q, too few: run longer\n");
    }
}

static void coordinates_that_cross(void **unused)
{
    (void)unused;
    study s;
    double crossings[COORDINATES] = {-1, 3.5};
    make(&s);
    s.input.crossings = crossings;
    expect(&s, CARDO_VERDICT_CONVERGED, "to the other 3.5 times a walker\n");
    crossings[1] = 2;
    expect(
        &s, CARDO_VERDICT_DOUBTFUL,
        "hidden.q went from one side of where it was seen to the other 2 times a walker, too few");
    crossings[1] = -1;
    expect(&s, CARDO_VERDICT_CONVERGED, "\nconverged\n");
}

/* Two wells with narrow noise: each change counts once, however the noise goes on, also where few values
 * are in one; outliers beyond 3 % do not widen the range; a constant does not cross. */
static void crossings_are_changes_of_wells(void **unused)
{
    (void)unused;
    enum { N = 1000 };
    double values[2][2 * N];
    cardo_strided series[2] = {{values[0], N, 2}, {values[1] + 1, N, 2}};
    cardo_error error;
    int crossings;
    for (int s = 0; s < 2; ++s)
        for (int i = 0; i < N; ++i) {
            const bool other = (i >= 200 && i < 260) || (i >= 700 && i < 780);
            values[s][2 * i + s] = (other ? 1 : -1) + 0.2 * sin(7.3 * i);
            values[s][2 * i + 1 - s] = 1e6; /* between, and not to be looked at */
        }
    values[0][2 * 500] = -40;
    assert_ok(cardo_count_crossings(2, series, &crossings, &error), &error);
    assert_int_equal(crossings, 8);
    for (int i = 0; i < N; ++i)
        values[0][2 * i] = 3;
    assert_ok(cardo_count_crossings(1, series, &crossings, &error), &error);
    assert_int_equal(crossings, -1);
    assert_ok(cardo_count_crossings(0, series, &crossings, &error), &error);
    assert_int_equal(crossings, -1);
}

/* Walkers in windows: each has a place of its own, where replicas must have seen the same. */
static void make_windows(study *s, cardo_mbar *mbar)
{
    static const int count[WALKERS] = {100, 100, 100};
    static double overlap[WALKERS * WALKERS] = {0.7, 0.3, 0, 0.2, 0.6, 0.2, 0, 0.3, 0.7};
    *mbar = (cardo_mbar){.data = {.nstate = WALKERS, .count = count}, .overlap = overlap};
    make(s);
    for (int r = 0; r < REPLICAS; ++r) {
        s->replica[r].mbar = mbar;
        s->replica[r].roam = false;
        s->replica[r].passages = -1;
        for (int k = 0; k < WALKERS; ++k)
            s->moments[r][k * COORDINATES] = (cardo_verdict_moments){
                k + 0.01 * r, 0.5, 50, {k + 0.01 * r - 0.1, k + 0.01 * r + 0.1}};
    }
}

static void windows(void **unused)
{
    (void)unused;
    study s;
    cardo_mbar mbar;
    make_windows(&s, &mbar);
    expect(&s, CARDO_VERDICT_CONVERGED, "neighbouring windows overlap by at least 0.20");
    mbar.overlap[1] = 0.01;
    expect(&s, CARDO_VERDICT_DOUBTFUL, "windows 1 and 2 overlap by 0.01 only");
    mbar.overlap[1] = 0.3;
    s.moments[0][1 * COORDINATES].effective = s.moments[1][1 * COORDINATES].effective = 4;
    expect(&s, CARDO_VERDICT_DOUBTFUL, "window 2 has seen 8 independent values of q, too few");
    make_windows(&s, &mbar);
    s.moments[0][2 * COORDINATES + 1].mean = s.moments[1][2 * COORDINATES + 1].mean = 6;
    expect(&s, CARDO_VERDICT_NOT_CONVERGED,
           "replica 1: windows 2 and 3 have seen different values of hidden.q, about 0.03 and 6");
    /* Windows that exchange bring it along. */
    s.replica[0].passages = s.replica[1].passages = 3;
    expect(&s, CARDO_VERDICT_CONVERGED, "\nconverged\n");
    s.moments[1][2 * COORDINATES + 1].mean = 4;
    expect(&s, CARDO_VERDICT_NOT_CONVERGED,
           "window 3 has seen other values of hidden.q than the others");
    make_windows(&s, &mbar);
    s.replica[0].passages = s.replica[1].passages = 2;
    expect(&s, CARDO_VERDICT_NOT_CONVERGED,
           "2 passages from one end of the range to the other, of the 3");
    s.input.ncoordinate = 1;
    expect(&s, CARDO_VERDICT_CONVERGED, "\nconverged\n");
    make_windows(&s, &mbar);
    s.replica[0].passages = 0;
    expect(&s, CARDO_VERDICT_NOT_CONVERGED, "replica 1: 0 passages");
}

static void folded_variables(void **unused)
{
    (void)unused;
    study s;
    make(&s);
    s.input.folded = true;
    expect(&s, CARDO_VERDICT_DOUBTFUL, "q is folded");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_wrong),
        cmocka_unit_test(places_and_states),
        cmocka_unit_test(replicas_and_halves),
        cmocka_unit_test(walkers),
        cmocka_unit_test(walkers_that_scatter),
        cmocka_unit_test(coordinates_that_cross),
        cmocka_unit_test(crossings_are_changes_of_wells),
        cmocka_unit_test(windows),
        cmocka_unit_test(folded_variables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
