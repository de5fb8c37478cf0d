/* A measured curve as an energy: its forces against differences, and its least place. */
#include "support/support.h"

#include "base/memory.h"
#include "experiment/saxs/profile.h"
#include "multibody/tree/operators.h"
#include "study/session/session.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { POINTS = 25 };

static cardo_error error;

/* The light chain's elbow with springs too weak to matter, pulled by a curve where that is named. */
static cardo_session *open_elbow(const char *joint, const char *curve)
{
    char text[2048], first[512];
    cardo_session *session;
    snprintf(first, sizeof first, "%s", support_source("pdb/2mcg_1.pdb"));
    snprintf(text, sizeof text,
             "<cardo version=\"1\"><model name=\"elbow\"><structure id=\"first\" file=\"%s\"/>"
             "<structure id=\"second\" file=\"%s\"/>"
             "<domain name=\"variable\" residues=\"1:2-108\"/>"
             "<domain name=\"constant\" residues=\"1:114-216\"/><hinge residues=\"1:109-113\"/>"
             "<body name=\"variable\" domains=\"variable\" base=\"free\"/>"
             "<body name=\"constant\" domains=\"constant\" parent=\"variable\">%s</body>"
             "<forcefield files=\"elastic-network.xml\" parameters=\"stiffness=1e-9\" %s%s%s/>"
             "</model></cardo>",
             first, support_source("pdb/2mcg_2.pdb"), joint, curve ? "saxs=\"" : "",
             curve ? curve : "", curve ? "\" saxs-c1=\"1.01\" saxs-c2=\"0\"" : "");
    assert_ok(cardo_session_open(support_write("elbow.xml", text), NULL, NULL, &session, &error),
              &error);
    return session;
}

static const char *path_joint = "<path start=\"0.1\"/>", *free_joint = "<free/>";

/* The curve of the elbow at a place without a layer, 3 % of error at each point. */
static const char *make_curve(double place, char path[512])
{
    cardo_session *session = open_elbow(path_joint, NULL);
    cardo_scatterers s = {0};
    cardo_profile_plan plan = {0};
    double x[POINTS], out[POINTS * CARDO_PARTIALS], *positions, *q;
    char text[4096] = "";
    const int nq = cardo_system_nq(session->system);
    assert_ok(CARDO_ALLOCATE(&q, nq, &error), &error);
    assert_ok(
        CARDO_ALLOCATE(&positions, 3 * (size_t)cardo_system_nstation(session->system), &error),
        &error);
    memcpy(q, cardo_state_q(session->state), (size_t)nq * sizeof *q);
    q[nq - 1] = place;
    cardo_state_set_q(session->state, q);
    assert_ok(cardo_realize(session->system, session->state, CARDO_STAGE_POSITION, &error), &error);
    assert_ok(cardo_station_positions(session->system, session->state, positions, &error), &error);
    assert_ok(cardo_scatterers_make(session->model->structure[0].structure, &s, &error), &error);
    cardo_scatterers_move(&s, positions);
    for (int k = 0; k < POINTS; ++k)
        x[k] = 0.16 * (k + 1);
    assert_ok(
        cardo_profile_plan_make(POINTS, x, cardo_scatterers_reach(&s), 1e-6, 1, &plan, &error),
        &error);
    assert_ok(cardo_profile_find(&plan, &s, out, &error), &error);
    for (int k = 0; k < POINTS; ++k) {
        double w[CARDO_PARTIALS], I = 0;
        cardo_partial_weights(x[k], s.mean_volume, 1.01, 0, w, NULL, NULL);
        for (int p = 0; p < CARDO_PARTIALS; ++p)
            I += 1e-3 * w[p] * out[k * CARDO_PARTIALS + p];
        snprintf(text + strlen(text), 80, "%.6f %.12g %.12g\n", 0.1 * x[k], I, 0.03 * I);
    }
    snprintf(path, 512, "%s", support_write("elbow.dat", text));
    cardo_free(q);
    cardo_free(positions);
    cardo_profile_plan_clear(&plan);
    cardo_scatterers_clear(&s);
    cardo_session_close(session);
    return path;
}

static double energy_at(cardo_session *session, const double *q)
{
    cardo_state_set_q(session->state, q);
    assert_ok(cardo_evaluate(session->evaluator, session->state, &error), &error);
    return cardo_evaluator_energy(session->evaluator);
}

/* -dU/dq of coordinates from first on, whose rates are speeds, against differences of fourth order. */
static void compare(cardo_session *session, int first, double *q)
{
    static const double factor[4] = {1 / 12.0, -2 / 3.0, 2 / 3.0, -1 / 12.0};
    const int nq = cardo_system_nq(session->system), nu = cardo_system_nu(session->system);
    const double h = 1e-4;
    double forces[16], largest = 0, worst = 0;
    energy_at(session, q);
    assert_ok(
        cardo_evaluator_generalized_forces(session->evaluator, session->state, forces, &error),
        &error);
    for (int k = first; k < nq; ++k)
        largest = fmax(largest, fabs(forces[nu - nq + k]));
    for (int k = first; k < nq; ++k) {
        const double middle = q[k];
        double slope = 0;
        for (int side = 0; side < 4; ++side) {
            q[k] = middle + h * (side < 2 ? side - 2 : side - 1);
            slope += factor[side] * energy_at(session, q) / h;
        }
        q[k] = middle;
        worst = fmax(worst, fabs(slope + forces[nu - nq + k]) / largest);
    }
    print_message("%d forces up to %.3g kJ/mol, off by %.1e of it\n", nq - first, largest, worst);
    assert_true(worst < 1e-6);
}

static void forces_are_those_of_differences(void **state)
{
    (void)state;
    char curve[512];
    double q[16];
    make_curve(0.6, curve);
    cardo_session *session = open_elbow(path_joint, curve);
    const int nq = cardo_system_nq(session->system);
    memcpy(q, cardo_state_q(session->state), (size_t)nq * sizeof *q);
    compare(session, nq - 1, q);
    /* The base's place (three shifts) is of no concern to a curve. */
    double forces[16];
    assert_ok(
        cardo_evaluator_generalized_forces(session->evaluator, session->state, forces, &error),
        &error);
    for (int k = 0; k < 6; ++k)
        assert_true(fabs(forces[k]) < 1e-9 * fabs(forces[6]));
    cardo_session_close(session);
    /* Shifts of a body that is free, which last on its seven coordinates. */
    session = open_elbow(free_joint, curve);
    memcpy(q, cardo_state_q(session->state), (size_t)cardo_system_nq(session->system) * sizeof *q);
    compare(session, cardo_system_nq(session->system) - 3, q);
    cardo_session_close(session);
}

static void the_least_place_is_that_of_the_curve(void **state)
{
    (void)state;
    char curve[512];
    double q[16], forces[16];
    make_curve(0.6, curve);
    cardo_session *session = open_elbow(path_joint, curve);
    const int nq = cardo_system_nq(session->system);
    memcpy(q, cardo_state_q(session->state), (size_t)nq * sizeof *q);
    q[nq - 1] = 0.6;
    assert_true(energy_at(session, q) < 1e-6);
    for (int side = -1; side <= 1; side += 2) {
        q[nq - 1] = 0.6 + 1e-3 * side;
        energy_at(session, q);
        assert_ok(
            cardo_evaluator_generalized_forces(session->evaluator, session->state, forces, &error),
            &error);
        assert_true(side * forces[nq - 2] < 0);
    }
    assert_string_equal(cardo_evaluator_term_name(session->evaluator,
                                                  cardo_evaluator_nterm(session->evaluator) - 1),
                        "saxs");
    cardo_session_close(session);
}

static void what_cannot_pull_is_told(void **state)
{
    (void)state;
    char text[512], curve[600];
    cardo_session *session;
    const char *const setting[] = {curve};
    const cardo_session_options options = {
        .size = sizeof options, .nsetting = 1, .setting = setting};
    text[0] = '\0';
    for (int k = 1; k <= 12; ++k)
        snprintf(text + strlen(text), 40, "%.2f %d\n", 0.01 * k, 100 - k + k % 3);
    snprintf(curve, sizeof curve, "forcefield.saxs=%s", support_write("bare.dat", text));
    assert_fails(cardo_session_open(support_source("examples/mcg/mcg.xml"), &options, NULL,
                                    &session, &error),
                 &error, CARDO_ERROR_INPUT, "has no errors");
    snprintf(curve, sizeof curve, "forcefield.saxs=nowhere.dat");
    assert_fails(cardo_session_open(support_source("examples/mcg/mcg.xml"), &options, NULL,
                                    &session, &error),
                 &error, CARDO_ERROR_INPUT, "forcefield.saxs: nowhere.dat is not there");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_those_of_differences),
        cmocka_unit_test(the_least_place_is_that_of_the_curve),
        cmocka_unit_test(what_cannot_pull_is_told),
    };
    return support_run(tests, NULL, NULL);
}
