/* Which torsions of a way there and back are to be led, and how they go then: on the committed light chain, whose elbow turns. */
#include "support/support.h"

#include "base/memory.h"
#include "base/units.h"
#include "multibody/tree/operators.h"
#include "study/domains/led_torsions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static cardo_session *session;
static cardo_course course;

static int open_model(void **unused)
{
    (void)unused;
    static char text[2048];
    const cardo_session_options options = {.size = sizeof options, .unevaluated = true};
    cardo_error error = {0};
    snprintf(text, sizeof text,
             "<cardo version=\"1\"><model name=\"elbow\">"
             "<structure id=\"first\" file=\"%s\"/><structure id=\"second\" file=\"%s\"/>"
             "<domain name=\"variable\" residues=\"1:2-108\"/><domain name=\"constant\" "
             "residues=\"1:114-216\"/><hinge residues=\"1:109-113\"/>"
             "<body name=\"variable\" domains=\"variable\"/>"
             "<body name=\"constant\" domains=\"constant\" parent=\"variable\"><path extra=\"bend "
             "twist\"/></body>"
             "<flexible residues=\"1:109-113\" torsions=\"phi psi chi\"/>"
             "<forcefield files=\"ff14SB.xml\" solvent=\"none\"/></model></cardo>",
             support_source("pdb/2mcg_1.pdb"), support_source("pdb/2mcg_2.pdb"));
    assert_ok(
        cardo_session_open(support_write("elbow.xml", text), &options, NULL, &session, &error),
        &error);
    return 0;
}

static int close_model(void **unused)
{
    (void)unused;
    cardo_session_close(session);
    return 0;
}

static void make_course(void)
{
    const int n = CARDO_LED_PLACES, nq = cardo_system_nq(session->system);
    cardo_error error = {0};
    course = (cardo_course){.nplace = n, .nq = nq, .reached = n};
    assert_ok(CARDO_ALLOCATE(&course.q, n, &error), &error);
    assert_ok(CARDO_ALLOCATE(&course.coordinates, n * nq, &error), &error);
    for (int way = 0; way < CARDO_COURSE_WAYS; ++way) {
        assert_ok(CARDO_ALLOCATE(&course.energy[way], n, &error), &error);
        assert_ok(CARDO_ALLOCATE(&course.way[way], n * nq, &error), &error);
        assert_ok(CARDO_ALLOCATE(&course.half_energy[way], n, &error), &error);
        assert_ok(CARDO_ALLOCATE(&course.half_way[way], n * nq, &error), &error);
    }
    for (int k = 0; k < n; ++k)
        course.q[k] = (double)k / (n - 1);
}

/* The first torsions of the model, by the numbers of their coordinates. */
static void find_torsions(int n, const char **name, int *q)
{
    const cardo_model *model = session->model;
    int found = 0;
    for (int b = 0; b < model->nbody && found < n; ++b) {
        cardo_body_info info;
        cardo_system_body(session->system, b + 1, &info);
        if (model->body[b].torsion) {
            name[found] = model->body[b].name;
            q[found++] = info.q_first;
        }
    }
    assert_int_equal(found, n);
}

/* On either way (0 there, 1 back) and of the lower energies, at a place. */
static void put(int q, int place, double there, double back, double lower)
{
    course.way[0][place * course.nq + q] = there;
    course.way[1][place * course.nq + q] = back;
    course.coordinates[place * course.nq + q] = lower;
}

/* A way that began at the last end, where it was 50 kJ/mol lower than it is now; from the third place on it is the lower one. */
static void make_begun(void)
{
    const int n = CARDO_LED_PLACES;
    cardo_error error = {0};
    assert_ok(CARDO_ALLOCATE(&course.lower, n, &error), &error);
    assert_ok(CARDO_ALLOCATE(&course.begun_energy, n, &error), &error);
    assert_ok(CARDO_ALLOCATE(&course.begun, n * course.nq, &error), &error);
    for (int k = 0; k < n; ++k)
        course.begun_energy[k] = k < 2 ? (double)NAN : 10.0 * (5 - k);
    course.lost = course.lower[n - 1] - course.begun_energy[n - 1];
    assert_close(course.lost, 50, 0);
}

static const cardo_led_torsion *find(const cardo_led_torsions *led, const char *name)
{
    for (int k = 0; k < led->n; ++k)
        if (strcmp(led->led[k].torsion, name) == 0)
            return &led->led[k];
    return NULL;
}

static void leaps_are_led(void **unused)
{
    (void)unused;
    enum { LATE, TURNED, DRIFTING, WRAPPED, TORSIONS };
    const char *name[TORSIONS];
    int q[TORSIONS];
    cardo_led_torsions led = {0};
    cardo_error error = {0};
    const double leap = 120 * CARDO_DEGREE;
    make_course();
    find_torsions(TORSIONS, name, q);
    for (int k = 0; k < CARDO_LED_PLACES; ++k) {
        /* Leaps after place 6 on the way there, and after place 3 on the way back: the lower energy in the middle. */
        put(q[LATE], k, k > 6 ? leap : 0, k > 3 ? leap : 0, k > 4 ? leap : 0);
        /* On both ways at one place, through half a turn: the short way is told by the sign. */
        put(q[TURNED], k, k > 4 ? -3 : 3, k > 4 ? -3 : 3, k > 4 ? -3 : 3);
        /* 40 degrees in all, and both ways across the half turn. */
        put(q[DRIFTING], k, 4 * k * CARDO_DEGREE, 4 * k * CARDO_DEGREE, 4 * k * CARDO_DEGREE);
        put(q[WRAPPED], k, 3.1, -3.1, 3.1);
    }
    assert_close(cardo_torsion_apart(&course, q[LATE]), leap, 1e-15);
    assert_close(cardo_torsion_apart(&course, q[WRAPPED]), 2 * CARDO_PI - 6.2, 1e-15);
    assert_ok(cardo_led_torsions_add(session, &course, &led, &error), &error);
    assert_int_equal(led.n, 1);
    const cardo_led_torsion *late = find(&led, name[LATE]);
    assert_non_null(late);
    assert_string_equal(late->hinge, "constant");
    assert_close(late->value[0], 0, 0);
    assert_close(late->value[CARDO_LED_PLACES - 1], leap, 1e-15);
    for (int k = 1; k < CARDO_LED_PLACES; ++k) {
        assert_close(late->q[k] - late->q[k - 1], 0.1, 1e-12);
        assert_true(late->value[k] >= late->value[k - 1]);
        assert_true(late->value[k] - late->value[k - 1] < 0.4 * leap);
    }
    /* A leap that both ways have at one place is one as well. */
    for (int k = 0; k < CARDO_LED_PLACES; ++k)
        put(q[DRIFTING], k, k > 4 ? leap : 0, k > 4 ? leap : 0, k > 4 ? leap : 0);
    assert_ok(cardo_led_torsions_add(session, &course, &led, &error), &error);
    assert_int_equal(led.n, 2);
    assert_non_null(find(&led, name[DRIFTING]));
    assert_null(find(&led, name[TURNED]));
    cardo_led_torsions_clear(&led);
    cardo_course_clear(&course);
}

/* One of both ways alike that began elsewhere at the last end, where that is 50 kJ/mol lower: it goes over to there where that is the lower one. */
static void what_the_last_end_lost_is_led(void **unused)
{
    (void)unused;
    enum { LOST, HELD, TORSIONS };
    const char *name[TORSIONS];
    int q[TORSIONS];
    cardo_led_torsions led = {0};
    cardo_error error = {0};
    const double other = 100 * CARDO_DEGREE;
    const int last = CARDO_LED_PLACES - 1;
    make_course();
    make_begun();
    find_torsions(TORSIONS, name, q);
    for (int k = 0; k <= last; ++k)
        course.begun[k * course.nq + q[LOST]] = other;
    const double lost_energy = course.lost;
    course.lost = 9;
    assert_ok(cardo_led_torsions_add(session, &course, &led, &error), &error);
    assert_int_equal(led.n, 0);
    course.lost = lost_energy;
    assert_close(cardo_torsion_apart(&course, q[LOST]), other, 1e-15);
    assert_ok(cardo_led_torsions_add(session, &course, &led, &error), &error);
    assert_int_equal(led.n, 1);
    const cardo_led_torsion *lost = find(&led, name[LOST]);
    assert_non_null(lost);
    assert_close(lost->value[0], 0, 0);
    assert_close(lost->value[2], 0, 0);
    assert_close(lost->value[last], other, 1e-15);
    assert_true(lost->value[5] < 0.5 * other && lost->value[6] > 0.5 * other);
    cardo_led_torsions_clear(&led);
    cardo_course_clear(&course);
}

/* Of a twist and a torsion that were lost the twist, and the torsion where that alone does not help. */
static void domains_are_led_before_what_hangs_on_them(void **unused)
{
    (void)unused;
    const char *name;
    int q;
    cardo_led_torsions led = {0};
    cardo_error error = {0};
    cardo_body_info info;
    const double twist = 20 * CARDO_DEGREE, bend = 6 * CARDO_DEGREE;
    const int last = CARDO_LED_PLACES - 1;
    int body = 0;
    while (!session->model->body[body].fit)
        ++body;
    cardo_system_body(session->system, body + 1, &info);
    make_course();
    make_begun();
    find_torsions(1, &name, &q);
    for (int k = 0; k <= last; ++k) {
        course.begun[k * course.nq + q] = 100 * CARDO_DEGREE;
        course.begun[k * course.nq + info.q_first + 1] = bend;
        course.begun[k * course.nq + info.q_first + 2] = twist;
    }
    assert_ok(cardo_led_torsions_add(session, &course, &led, &error), &error);
    assert_int_equal(led.n, 1);
    const cardo_led_torsion *pose = find(&led, "constant.3");
    assert_non_null(pose);
    assert_string_equal(pose->hinge, "constant");
    assert_close(pose->value[0], 0, 0);
    assert_close(pose->value[last], twist, 1e-15);
    assert_ok(cardo_led_torsions_add(session, &course, &led, &error), &error);
    assert_int_equal(led.n, 2);
    assert_non_null(find(&led, name));
    cardo_led_torsions_clear(&led);
    cardo_course_clear(&course);
}

/* Five that are 2, 8.5 ... 28 degrees apart, the farthest by less than a leap: four of them, where the cycle is not closed. */
static void what_snaps_together_is_led(void **unused)
{
    (void)unused;
    enum { TORSIONS = 5, LED = 4 };
    const char *name[TORSIONS];
    int q[TORSIONS];
    cardo_led_torsions led = {0};
    cardo_error error = {0};
    make_course();
    find_torsions(TORSIONS, name, q);
    for (int t = 0; t < TORSIONS; ++t)
        for (int k = 0; k < CARDO_LED_PLACES; ++k) {
            const double there = k > 7 ? (2 + 6.5 * t) * CARDO_DEGREE : 0;
            put(q[t], k, there, 0, 0.5 * there);
        }
    assert_ok(cardo_led_torsions_add(session, &course, &led, &error), &error);
    assert_int_equal(led.n, 0);
    course.work = 20;
    assert_ok(cardo_led_torsions_add(session, &course, &led, &error), &error);
    assert_int_equal(led.n, LED);
    assert_null(find(&led, name[0]));
    assert_close(find(&led, name[LED])->value[CARDO_LED_PLACES - 1], 14 * CARDO_DEGREE, 1e-12);
    /* No others are left. */
    assert_ok(cardo_led_torsions_add(session, &course, &led, &error), &error);
    assert_int_equal(led.n, LED);
    cardo_led_torsions_clear(&led);
    cardo_course_clear(&course);
}

/* Those added last go as the atoms have them, whatever they were, evenly between two places; those before stay. */
static void check_taken(int measured, int every, const double *positions, const char **name)
{
    enum { TORSIONS = 4, BEFORE = 1 };
    cardo_led_torsion torsion[TORSIONS] = {{{0}}};
    cardo_led_torsions led = {TORSIONS, torsion};
    for (int t = 0; t < TORSIONS; ++t) {
        snprintf(torsion[t].torsion, sizeof torsion[t].torsion, "%s", name[t]);
        for (int k = 0; k < CARDO_LED_PLACES; ++k)
            torsion[t].value[k] = t < BEFORE ? 7 : 100 * (k % 2);
    }
    cardo_led_torsions_take(session, measured, every, positions, BEFORE, &led);
    for (int t = 0; t < TORSIONS; ++t)
        for (int k = 0; k < CARDO_LED_PLACES; ++k)
            assert_close(torsion[t].value[k], t < BEFORE ? 7 : 0.3 * (t + 1) * k, 1e-9);
}

/* Of atoms where the model has them at every so many places, with torsions at known values, these are found again, and at places between the half of what they are
 * off by; a domain's turn stays what it is. */
static void check_measured(int every)
{
    enum { TORSIONS = 4 };
    const int measured = (CARDO_LED_PLACES - 1) / every + 1;
    const char *name[TORSIONS];
    int q[TORSIONS];
    cardo_error error = {0};
    cardo_led_torsion torsion[TORSIONS + 2] = {{.torsion = "of another model", .value = {7}},
                                               [TORSIONS + 1] = {.torsion = "constant.3"}};
    cardo_led_torsions led = {TORSIONS + 2, torsion};
    double *coordinates, *positions;
    const size_t n = 3 * (size_t)session->model->structure[0].structure->natom;
    find_torsions(TORSIONS, name, q);
    assert_ok(CARDO_ALLOCATE(&coordinates, cardo_system_nq(session->system), &error), &error);
    assert_ok(CARDO_ALLOCATE(&positions, (size_t)measured * n, &error), &error);
    memcpy(coordinates, cardo_state_q(session->state),
           (size_t)cardo_system_nq(session->system) * sizeof *coordinates);
    for (int k = 0; k < measured; ++k) {
        for (int t = 0; t < TORSIONS; ++t)
            coordinates[q[t]] = 0.4 + 0.3 * every * (t + 1) * k;
        cardo_state_set_q(session->state, coordinates);
        assert_ok(cardo_realize(session->system, session->state, CARDO_STAGE_POSITION, &error),
                  &error);
        assert_ok(cardo_station_positions(session->system, session->state,
                                          positions + n * (size_t)k, &error),
                  &error);
    }
    /* Off by up to half a radian at the measured places, and of any number of whole turns. */
    for (int t = 0; t < TORSIONS; ++t) {
        snprintf(torsion[t + 1].torsion, sizeof torsion[t + 1].torsion, "%s", name[t]);
        for (int k = 0; k < CARDO_LED_PLACES; ++k)
            torsion[t + 1].value[k] = 3 + 0.3 * (t + 1) * k + 0.1 * (k % 4) * (t % 2 ? 1 : -1);
    }
    for (int k = 0; k < CARDO_LED_PLACES; ++k)
        torsion[TORSIONS + 1].value[k] = 0.2 + 0.01 * k * k;
    cardo_led_torsions_measure(session, measured, every, positions, &led);
    assert_close(torsion[0].value[0], 7, 0);
    for (int k = 0; k < CARDO_LED_PLACES; ++k)
        assert_close(torsion[TORSIONS + 1].value[k], 0.2 + 0.01 * k * k, 0);
    for (int t = 0; t < TORSIONS; ++t) {
        const double *value = torsion[t + 1].value;
        for (int k = 0; k < measured; ++k)
            assert_close(value[every * k], 0.3 * every * (t + 1) * k, 1e-9);
        const double sign = t % 2 ? 1 : -1;
        const double was = 0.3 * (t + 1) + 0.1 * sign;
        if (every > 1)
            assert_close(value[1], was - 0.5 * 0.2 * sign, 1e-9);
    }
    check_taken(measured, every, positions, name);
    cardo_free(coordinates);
    cardo_free(positions);
}

static void they_are_measured_in_atoms(void **unused)
{
    (void)unused;
    check_measured(2);
    check_measured(1);
}

/* Those of one residue, and not of another whose label begins alike. */
static void a_residue_may_be_let_go_of(void **unused)
{
    (void)unused;
    static const char *const name[] = {"1:LYS18.phi", "1:LYS1.phi", "1:LYS1.chi2", "domain2.2"};
    cardo_led_torsions led = {.n = 4};
    cardo_error error = {0};
    assert_ok(CARDO_ALLOCATE(&led.led, 4, &error), &error);
    for (int k = 0; k < 4; ++k)
        snprintf(led.led[k].torsion, sizeof led.led[k].torsion, "%s", name[k]);
    cardo_led_torsions_drop(&led, "1:LYS1");
    assert_int_equal(led.n, 2);
    assert_non_null(find(&led, "1:LYS18.phi"));
    assert_non_null(find(&led, "domain2.2"));
    cardo_led_torsions_clear(&led);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_measured_in_atoms),
        cmocka_unit_test(leaps_are_led),
        cmocka_unit_test(a_residue_may_be_let_go_of),
        cmocka_unit_test(what_the_last_end_lost_is_led),
        cmocka_unit_test(domains_are_led_before_what_hangs_on_them),
        cmocka_unit_test(what_snaps_together_is_led),
    };
    return cmocka_run_group_tests(tests, open_model, close_model);
}
