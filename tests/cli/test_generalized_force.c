/* The generalized force on every coordinate against central differences of OpenMM's energies, on
 * real proteins: screw and Euler paths, a tree of three bodies, vacuum and OBC2. `test_generalized_force long`: at five times as many
 * places. */
#include "support/support.h"

#include "base/memory.h"
#include "dynamics/evaluation/evaluate.h"
#include "multibody/tree/operators.h"
#include "study/session/session.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static cardo_session *build(const char *model_path, cardo_error *error)
{
    cardo_session *session;
    assert_ok(cardo_session_open(model_path, NULL, NULL, &session, error), error);
    return session;
}

/* Places along each coordinate are taken as many times. */
static int times = 1;

static double energy_at(cardo_session *session, int coordinate, double q)
{
    cardo_error error = {0};
    assert_ok(cardo_session_set_coordinate(session, coordinate, q, &error), &error);
    assert_ok(cardo_evaluate(session->evaluator, session->state, &error), &error);
    return cardo_evaluator_energy(session->evaluator);
}

/* Richardson's combination of two central differences: the remaining error is of fourth order in h,
 * far below the tolerance even where atoms touch. */
static double slope(cardo_session *session, int coordinate, double q, double h)
{
    double wide =
        (energy_at(session, coordinate, q + h) - energy_at(session, coordinate, q - h)) / (2 * h);
    double close =
        (energy_at(session, coordinate, q + h / 2) - energy_at(session, coordinate, q - h / 2)) / h;
    return (4 * close - wide) / 3;
}

static void force_is_the_slope(cardo_session *session, const char *body, int places, double from,
                               double to)
{
    cardo_error error = {0};
    double generalized[64], worst = 0;
    cardo_body_info info;
    cardo_system_body(session->system, cardo_system_find_body(session->system, body), &info);
    assert_int_equal(info.nq, 1);
    places = SUPPORT_SANITIZED ? 1 : times * places;
    for (int k = 0; k < places; ++k) {
        double q = from + (to - from) * k / (places > 1 ? places - 1 : 1);
        double expected = -slope(session, info.q_first, q, 2e-5);
        energy_at(session, info.q_first, q);
        assert_ok(cardo_evaluator_generalized_forces(session->evaluator, session->state,
                                                     generalized, &error),
                  &error);
        double got = generalized[info.u_first];
        worst = fmax(worst, fabs(got - expected) / fabs(expected));
        assert_close(got, expected, 1e-5 * fabs(expected));
    }
    print_message("%s: worst relative deviation at %d values of q %.2g\n", body, places, worst);
    energy_at(session, info.q_first, 0);
}

#define REFERENCE "platform=\"Reference\" "

static const char *elbow(const char *path, const char *forcefield)
{
    static char text[2048];
    snprintf(text, sizeof text,
             "<cardo version=\"1\"><model name=\"elbow\">"
             "<structure id=\"first\" file=\"%s\"/><structure id=\"second\" file=\"%s\"/>"
             "<domain name=\"variable\" residues=\"1:2-108\"/><domain name=\"constant\" "
             "residues=\"1:114-216\"/>"
             "<hinge residues=\"1:109-113\"/><body name=\"variable\" domains=\"variable\"/>"
             "<body name=\"constant\" domains=\"constant\" parent=\"variable\">%s</body>"
             "<forcefield files=\"ff14SB.xml\" %s/></model></cardo>",
             support_source("pdb/2mcg_1.pdb"), support_source("pdb/2mcg_2.pdb"), path, forcefield);
    return support_write("elbow.xml", text);
}

static void screw_path_of_the_elbow(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_session *session = build(elbow("<path/>", REFERENCE "solvent=\"none\""), &error);
    force_is_the_slope(session, "constant", 4, -0.03, 0.3);
    cardo_session_close(session);
}

static void euler_path_of_the_elbow(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_session *session =
        build(elbow("<path interpolation=\"euler\"/>", REFERENCE "solvent=\"none\""), &error);
    force_is_the_slope(session, "constant", 4, -0.03, 0.3);
    cardo_session_close(session);
}

static void solvent_of_the_elbow(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_session *session = build(elbow("<path/>", REFERENCE "solvent=\"obc2\""), &error);
    force_is_the_slope(session, "constant", 2, 0.01, 0.05);
    cardo_session_close(session);
}

/* The free base: generalized forces of the six speeds are the slopes along u itself. */
static void free_base_feels_no_net_force(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    double generalized[64];
    cardo_session *session = build(elbow("<path/>", REFERENCE "solvent=\"none\""), &error);
    assert_ok(cardo_evaluate(session->evaluator, session->state, &error), &error);
    assert_ok(
        cardo_evaluator_generalized_forces(session->evaluator, session->state, generalized, &error),
        &error);
    for (int k = 0; k < 6; ++k)
        assert_close(generalized[k], 0, 1e-6);
    assert_true(fabs(generalized[6]) > 1e-3);
    cardo_session_close(session);
}

/* The rigid provider by the model file: the slope of its own energy, and OpenMM's forces. */
static void rigid_provider_of_the_elbow(void **unused)
{
    (void)unused;
    static const char *const forcefields[] = {
        REFERENCE "provider=\"openmm\" solvent=\"obc2\"",
        "provider=\"rigid\" precision=\"double\" solvent=\"obc2\"",
        "provider=\"rigid\" precision=\"double\" threads=\"1\" solvent=\"obc2\""};
    double expected = 0;
    for (int k = 0; k < 3; ++k) {
        cardo_error error = {0};
        double generalized[64];
        cardo_session *session = build(elbow("<path start=\"0.05\"/>", forcefields[k]), &error);
        assert_string_equal(session->provider->name, k == 0 ? "openmm" : "rigid");
        assert_ok(cardo_evaluate(session->evaluator, session->state, &error), &error);
        assert_ok(cardo_evaluator_generalized_forces(session->evaluator, session->state,
                                                     generalized, &error),
                  &error);
        if (k == 0)
            expected = generalized[6];
        assert_close(generalized[6], expected, 1e-9 * fabs(expected));
        if (k > 0)
            force_is_the_slope(session, "constant", 3, -0.03, 0.3);
        cardo_session_close(session);
    }
}

/* Nobody names a provider: rigid where it knows the force field and no platform is named. */
static void provider_that_is_chosen(void **unused)
{
    (void)unused;
    static const struct {
        const char *forcefield, *name, *why;
    } choices[] = {
        {"solvent=\"obc2\"", "rigid", ""},
        {"solvent=\"none\" tolerance=\"1e-4\"", "rigid", ""},
        {"platform=\"auto\" provider=\"auto\" solvent=\"none\"", "rigid", ""},
        {"platform=\"CPU\" solvent=\"none\"", "openmm", "platform"},
        {"properties=\"Threads=1\" solvent=\"none\"", "openmm", "platform"},
        {"solvent=\"hct\"", "openmm", "does not know"},
    };
    for (size_t k = 0; k < sizeof choices / sizeof *choices; ++k) {
        cardo_error error = {0};
        cardo_session *session = build(elbow("<path/>", choices[k].forcefield), &error);
        assert_string_equal(session->provider->name, choices[k].name);
        assert_non_null(strstr(session->not_rigid, choices[k].why));
        assert_true((session->not_rigid[0] == 0) == (choices[k].why[0] == 0));
        cardo_session_close(session);
    }
}

static const char *adenylate_kinase(void)
{
    static char text[2048];
    snprintf(
        text, sizeof text,
        "<cardo version=\"1\"><model name=\"adenylate kinase\">"
        "<structure id=\"open\" file=\"%s\"/><structure id=\"closed\" file=\"%s\" chains=\"A\"/>"
        "<domain name=\"core\" residues=\"A:1-29,A:60-121,A:160-214\"/>"
        "<domain name=\"nmp\" residues=\"A:30-59\"/><domain name=\"lid\" residues=\"A:122-159\"/>"
        "<body name=\"core\" domains=\"core\"/>"
        "<body name=\"nmp\" domains=\"nmp\" parent=\"core\"><path/></body>"
        "<body name=\"lid\" domains=\"lid\" parent=\"core\"><path interpolation=\"euler\"/></body>"
        "<forcefield files=\"ff14SB.xml\" solvent=\"none\" "
        "platform=\"Reference\"/></model></cardo>",
        support_shared("pdb/4ake_A_fixedH.pdb"), support_shared("pdb/1ake_A.pdb"));
    return support_write("adk.xml", text);
}

static void three_bodies_of_adenylate_kinase(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_session *session = build(adenylate_kinase(), &error);
    force_is_the_slope(session, "nmp", 2, 0.1, 0.4);
    force_is_the_slope(session, "lid", 2, 0.1, 0.4);
    cardo_session_close(session);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "long") == 0)
        times = 5;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(screw_path_of_the_elbow),
        cmocka_unit_test(euler_path_of_the_elbow),
        cmocka_unit_test(solvent_of_the_elbow),
        cmocka_unit_test(free_base_feels_no_net_force),
        cmocka_unit_test(rigid_provider_of_the_elbow),
        cmocka_unit_test(provider_that_is_chosen),
        shared_test(three_bodies_of_adenylate_kinase),
    };
    return support_run(tests, NULL, NULL);
}
