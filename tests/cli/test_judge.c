/* OpenMM as the judge of provider rigid: faults are found, and what is right passes.
 *
 *   test_judge                     the committed elbow
 *   test_judge survey MODEL.xml... every solvent, cutoff and precision of these models at random places: how much
 *                                  of the bounds is used */
#include "support/support.h"

#include "base/memory.h"
#include "study/session/forces.h"
#include "study/session/judge.h"
#include "study/session/judge_sums.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void build(const char *model, int nset, const char *const *sets, cardo_session **session)
{
    cardo_error error = {0};
    const cardo_session_options options = {
        .size = sizeof options, .nsetting = nset, .setting = sets};
    assert_ok(cardo_session_open(model, &options, NULL, session, &error), &error);
}

/* A base anywhere, other coordinates off by up to the unrest. */
static void place(cardo_session *session, double unrest, uint64_t *seed)
{
    cardo_error error = {0};
    double *q = NULL;
    const int nq = cardo_system_nq(session->system);
    assert_ok(CARDO_ALLOCATE(&q, nq + 1, &error), &error);
    cardo_model_initial_q(session->model, session->system, q);
    for (int b = 1; b < cardo_system_nbody(session->system); ++b) {
        cardo_body_info info;
        cardo_system_body(session->system, b, &info);
        for (int k = info.q_first; k < info.q_first + info.nq; ++k)
            q[k] += (session->model->body[b - 1].parent < 0 ? 5 * (unrest > 0) : unrest) *
                    support_random(seed);
    }
    cardo_state_set_q(session->state, q);
    assert_ok(cardo_realize(session->system, session->state, CARDO_STAGE_POSITION, &error), &error);
    cardo_free(q);
}

static double largest_share(const cardo_judged *of, int n)
{
    double share = 0;
    for (int k = 0; k < n; ++k)
        share = fmax(share, fabs(of[k].rigid - of[k].judge) / of[k].bound);
    return share;
}

static void survey(const char *model)
{
    static const double unrest[] = {0, 0.003, 0.03, 0.3, 1};
    static const char *const solvents[] = {"forcefield.solvent=none", "forcefield.solvent=obc2"};
    static const char *const methods[] = {"forcefield.cutoff=0", "forcefield.cutoff=1.6"};
    static const char *const kinds[] = {"forcefield.precision=double", "forcefield.precision=mixed",
                                        "forcefield.tolerance=1e-3"};
    static const char *const judges[] = {"forcefield.check-forces=Reference",
                                         "forcefield.check-forces=CPU",
                                         "forcefield.check-forces=sums"};
    for (int k = 0; k < 36; ++k) {
        const int kind = k % 3, solvent = k / 3 % 2, method = k / 6 % 2, judge = k / 12;
        const char *sets[] = {
            kinds[kind],     solvents[solvent],
            methods[method], method ? "forcefield.method=cutoff" : "forcefield.method=all-pairs",
            judges[judge],   "forcefield.threads=1"};
        if (kind == 2 && (solvent == 0 || method == 1))
            continue;
        cardo_session *session = NULL;
        uint64_t seed = 3;
        build(model, 6, sets, &session);
        printf("%-10.10s %-7s %-9s %-9s %s:", session->model->name, kinds[kind] + 21,
               judges[judge] + 24, solvents[solvent] + 19, methods[method] + 18);
        for (int p = 0; p < (int)(sizeof unrest / sizeof *unrest); ++p) {
            cardo_error error = {0};
            place(session, unrest[p], &seed);
            cardo_status status = cardo_judge(session, &error);
            const cardo_judgement *j = session->judgement;
            if (j->passed_over[0])
                printf("  overlap");
            else
                printf("  %.1e %.1e%s", largest_share(j->term, j->nterm),
                       largest_share(j->force, j->nforce), status == CARDO_OK ? "" : "!");
            fflush(stdout);
        }
        printf("\n");
        cardo_session_close(session);
    }
}

/* The committed elbow. */
static const char *elbow(void)
{
    static char text[2048];
    snprintf(text, sizeof text,
             "<cardo version=\"1\"><model name=\"elbow\">"
             "<structure id=\"first\" file=\"%s\"/><structure id=\"second\" file=\"%s\"/>"
             "<domain name=\"variable\" residues=\"1:2-108\"/><domain name=\"constant\" "
             "residues=\"1:114-216\"/>"
             "<hinge residues=\"1:109-113\"/><body name=\"variable\" domains=\"variable\"/>"
             "<body name=\"constant\" domains=\"constant\" parent=\"variable\"><path/></body>"
             "<forcefield files=\"ff14SB.xml\" solvent=\"obc2\" threads=\"1\"/></model></cardo>",
             support_source("pdb/2mcg_1.pdb"), support_source("pdb/2mcg_2.pdb"));
    return support_write("elbow.xml", text);
}

/* Faults of what provider rigid is made of, made (by = 1) and taken back (by = -1) before OpenMM is given what the
 * force field says. */
typedef void fault(cardo_terms *terms, int by);

static void scale(double *values, int n, double factor, int by)
{
    for (int i = 0; i < n; ++i)
        values[i] *= pow(factor, by);
}

static void charges(cardo_terms *terms, int by)
{
    scale(terms->number.charge, terms->natom, 1 + 1e-4, by);
    for (int k = 0; k < terms->nexception; ++k)
        terms->list.exception[k].charge_product *= pow(1 + 1e-4, 2 * by);
}

static void well_depths(cardo_terms *terms, int by)
{
    scale(terms->number.epsilon, terms->natom, 1 + 1e-3, by);
}

static void radii(cardo_terms *terms, int by)
{
    scale(terms->number.gb_radius, terms->natom, 1 + 2e-4, by);
}

static void one_torsion(cardo_terms *terms, int by)
{
    terms->list.torsion[terms->ntorsion / 2].k += by;
}

static void a_bond(cardo_terms *terms, int by)
{
    terms->list.bond[terms->nbond / 2].length += 0.001 * by;
}

static void provide_again(cardo_session *session)
{
    cardo_error error = {0};
    cardo_evaluator_destroy(session->evaluator);
    session->evaluator = NULL;
    cardo_force_provider_destroy(session->provider);
    session->provider = NULL;
    assert_ok(cardo_session_pose_provider(session, &error), &error);
}

static void is_found(cardo_session *session, fault *make, const char *named)
{
    cardo_error error = {0};
    make(session->terms, 1);
    provide_again(session);
    make(session->terms, -1);
    assert_fails(cardo_judge(session, &error), &error, CARDO_ERROR_NUMERICAL, named);
}

static void faults_are_found_on_the_cpu_platform(void **unused)
{
    (void)unused;
    cardo_session *session = NULL;
    cardo_error error = {0};
    const char *sets[] = {"forcefield.check-forces=CPU"};
    build(elbow(), 1, sets, &session);
    assert_ok(cardo_judge(session, &error), &error);
    is_found(session, charges, "check-forces=no");
    is_found(session, radii, "energy gb is ");
    if (!SUPPORT_SANITIZED) {
        is_found(session, one_torsion, "energy torsion is ");
        is_found(session, a_bond, "energy bond is ");
        is_found(session, well_depths, "energy nonbonded is ");
    }
    cardo_session_close(session);
}

static void faults_are_found_by_sums(void **unused)
{
    (void)unused;
    cardo_session *session = NULL;
    cardo_error error = {0};
    const char *sets[] = {"forcefield.check-forces=sums"};
    build(elbow(), 1, sets, &session);
    assert_ok(cardo_judge(session, &error), &error);
    is_found(session, radii, "atom ");
    if (!SUPPORT_SANITIZED) {
        is_found(session, charges, "of atom ");
        is_found(session, well_depths, "force along ");
    }
    cardo_session_close(session);
}

/* Single precision finds the difference, and double precision is asked before the run ends. */
static void double_precision_has_the_last_word(void **unused)
{
    (void)unused;
    cardo_session *session = NULL;
    const char *sets[] = {"forcefield.solvent=none"};
    build(elbow(), 1, sets, &session);
    is_found(session, charges, "OpenMM, Reference platform");
    cardo_session_close(session);
}

/* What bounds are relative to where atoms are at rest: two bodies' pairs push as much to one side as to the other. */
static void pairs_push_each_other(void **unused)
{
    (void)unused;
    cardo_session *session = NULL;
    cardo_error error = {0};
    double *forces = NULL;
    cardo_vec3 sum[2] = {{0, 0, 0}, {0, 0, 0}};
    build(elbow(), 0, NULL, &session);
    const int natom = cardo_system_nstation(session->system);
    assert_ok(CARDO_ALLOCATE(&forces, 3 * (size_t)natom, &error), &error);
    assert_ok(cardo_realize(session->system, session->state, CARDO_STAGE_POSITION, &error), &error);
    assert_ok(cardo_pair_forces(session, forces, &error), &error);
    for (int i = 0; i < natom; ++i) {
        cardo_vec3 *of = &sum[cardo_system_station_body(session->system, i) - 1];
        *of = v3_add(*of, v3_load(forces + 3 * (size_t)i));
    }
    print_message("%.6g kJ/mol/nm, both together %.2e\n", v3_norm(sum[0]),
                  v3_norm(v3_add(sum[0], sum[1])));
    assert_true(v3_norm(sum[0]) > 10);
    assert_true(v3_norm(v3_add(sum[0], sum[1])) < 1e-8 * v3_norm(sum[0]));
    cardo_free(forces);
    cardo_session_close(session);
}

/* Nothing is built where nobody asks. */
static void can_be_left_out(void **unused)
{
    (void)unused;
    cardo_session *session = NULL;
    cardo_error error = {0};
    const char *sets[] = {"forcefield.check-forces=no"};
    build(elbow(), 1, sets, &session);
    charges(session->terms, 1);
    provide_again(session);
    assert_ok(cardo_judge(session, &error), &error);
    assert_null(session->judgement);
    cardo_session_close(session);
    sets[0] = "forcefield.provider=openmm";
    build(elbow(), 1, sets, &session);
    assert_ok(cardo_judge(session, &error), &error);
    assert_null(session->judgement);
    cardo_session_close(session);
}

/* Quiet and clashing places, far from the origin too. */
static void what_is_right_passes(void **unused)
{
    (void)unused;
    static const char *const kinds[][3] = {
        {"forcefield.precision=mixed", "forcefield.solvent=obc2", "forcefield.check-forces=CPU"},
        {"forcefield.tolerance=1e-2", "forcefield.solvent=obc2", "forcefield.check-forces=sums"},
        {"forcefield.precision=double", "forcefield.solvent=none",
         "forcefield.check-forces=Reference"},
    };
    static const double unrest[] = {0.003, 0.5};
    for (int k = 0; k < 3; ++k) {
        cardo_session *session = NULL;
        cardo_error error = {0};
        uint64_t seed = 17;
        build(elbow(), 3, kinds[k], &session);
        for (int p = 0; p < 2 - SUPPORT_SANITIZED; ++p) {
            place(session, unrest[p], &seed);
            assert_ok(cardo_judge(session, &error), &error);
            assert_true(session->judgement->passed_over[0] || session->judgement->share > 0);
        }
        cardo_session_close(session);
    }
}

/* The verdict names the number that is most beyond its bound, and no number at all is beyond any. */
static void verdict(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_judged terms[2] = {{"energy bond", 1, 1.5, 1}, {"energy gb", -3, -3, 0}};
    cardo_judged forces[2] = {{"force on lid", 10, 10.2, 0.25}, {"force on core", 0, 0, 1}};
    cardo_judgement j = {.against = "OpenMM, Reference platform",
                         .nterm = 2,
                         .nforce = 2,
                         .term = terms,
                         .force = forces};
    assert_ok(cardo_judgement_verdict(&j, &error), &error);
    assert_string_equal(j.worst->name, "force on lid");
    assert_close(j.share, 0.8, 1e-12);
    forces[1].rigid = 1.01;
    assert_fails(cardo_judgement_verdict(&j, &error), &error, CARDO_ERROR_NUMERICAL,
                 "force on core is 1.01 and 0");
    terms[0].rigid = NAN;
    assert_fails(cardo_judgement_verdict(&j, &error), &error, CARDO_ERROR_NUMERICAL, "energy bond");
    terms[0].rigid = 1;
    terms[1].judge = -3.0000001;
    assert_fails(cardo_judgement_verdict(&j, &error), &error, CARDO_ERROR_NUMERICAL, "energy gb");
}

/* Systems made elsewhere, with terms that have other names, and with forces that stay on OpenMM. */
static void serialized_systems(void **unused)
{
    (void)unused;
    static const char *const files[] = {"ff14SB_obc2native.NoCutoff.system.xml.gz",
                                        "charmm36.Cutoff1.0.system.xml.gz"};
    for (int k = 0; k < 2; ++k) {
        char text[2048];
        cardo_session *session = NULL;
        cardo_error error = {0};
        snprintf(text, sizeof text,
                 "<cardo version=\"1\"><model name=\"ubiquitin\"><structure id=\"a\" file=\"%s\"/>"
                 "<domain name=\"first\" residues=\"A:1-33\"/><domain name=\"second\" "
                 "residues=\"A:36-76\"/>"
                 "<hinge residues=\"A:34-35\"/><body name=\"first\" domains=\"first\"/>"
                 "<body name=\"second\" domains=\"second\" parent=\"first\"><ball point=\"2.5 2.5 "
                 "2.5\"/></body><forcefield system=\"%s/%s\" provider=\"rigid\"/></model></cardo>",
                 support_shared("reference/openmm/1ubi/1ubi.pdb"),
                 support_shared("reference/openmm/1ubi"), files[k]);
        build(support_write("ubiquitin.xml", text), 0, NULL, &session);
        assert_ok(cardo_judge(session, &error), &error);
        assert_int_equal(session->judgement->nterm, session->provider->nterm + 1);
        assert_string_equal(session->judgement->against, "OpenMM, Reference platform");
        session->parts->terms->list.torsion[7].k += 1;
        cardo_force_provider_destroy(session->parts->rest);
        session->parts->rest = NULL;
        if (k == 0) {
            provide_again(session);
            assert_fails(cardo_judge(session, &error), &error, CARDO_ERROR_NUMERICAL, "torsion");
        }
        cardo_session_close(session);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdict),
        cmocka_unit_test(faults_are_found_on_the_cpu_platform),
        cmocka_unit_test(double_precision_has_the_last_word),
        cmocka_unit_test(faults_are_found_by_sums),
        cmocka_unit_test(pairs_push_each_other),
        cmocka_unit_test(can_be_left_out),
        cmocka_unit_test(what_is_right_passes),
        shared_test(serialized_systems),
    };
    if (argc > 2 && strcmp(argv[1], "survey") == 0) {
        for (int k = 2; k < argc; ++k)
            survey(argv[k]);
        return 0;
    }
    return support_run(tests, NULL, NULL);
}
