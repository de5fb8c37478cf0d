/* Generalized forces on torsions against central differences of OpenMM's energies on the Reference
 * platform: the backbone of a whole chain, hinge strands with a cut loop, an interface's side
 * chains. */
#include "support/support.h"

#include "base/memory.h"
#include "dynamics/evaluation/evaluate.h"
#include "study/session/session.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double energy_at(cardo_session *session, const double *q)
{
    cardo_error error = {0};
    cardo_state_set_q(session->state, q);
    assert_ok(cardo_realize(session->system, session->state, CARDO_STAGE_POSITION, &error), &error);
    assert_ok(cardo_evaluate(session->evaluator, session->state, &error), &error);
    return cardo_evaluator_energy(session->evaluator);
}

static double slope(cardo_session *session, double *q, int k, double h)
{
    double at = q[k], energy[4];
    static const double steps[] = {1, -1, 0.5, -0.5};
    for (int n = 0; n < 4; ++n) {
        q[k] = at + steps[n] * h;
        energy[n] = energy_at(session, q);
    }
    q[k] = at;
    double wide = (energy[0] - energy[1]) / (2 * h), close = (energy[2] - energy[3]) / h;
    return (4 * close - wide) / 3;
}

/* Checks every `stride`-th coordinate of bodies with one, a little off the start. */
static void forces_are_slopes(const char *text, int stride, const char *what)
{
    cardo_error error = {0};
    cardo_session *session = NULL;
    const char *path = support_write("torsions.xml", text);
    assert_ok(cardo_session_open(path, NULL, NULL, &session, &error), &error);
    int nq = cardo_system_nq(session->system), checked = 0;
    double *q, *force, worst = 0, scale = 0;
    assert_ok(CARDO_ALLOCATE(&q, nq, &error), &error);
    assert_ok(CARDO_ALLOCATE(&force, cardo_system_nu(session->system), &error), &error);
    cardo_model_initial_q(session->model, session->system, q);
    uint64_t seed = 7;
    for (int b = 0; b < session->model->nbody; ++b) {
        cardo_body_info info;
        cardo_system_body(session->system, b + 1, &info);
        if (info.nq == 1)
            q[info.q_first] += 0.002 * support_random(&seed);
    }
    energy_at(session, q);
    assert_ok(cardo_evaluator_generalized_forces(session->evaluator, session->state, force, &error),
              &error);
    for (int k = 0; k < cardo_system_nu(session->system); ++k)
        scale = fmax(scale, fabs(force[k]));
    for (int b = 0; b < session->model->nbody; ++b) {
        cardo_body_info info;
        cardo_system_body(session->system, b + 1, &info);
        if (info.nq != 1 || b % stride != 0)
            continue;
        double expected = -slope(session, q, info.q_first, 1e-4);
        double size = fmax(fabs(expected), 1e-3 * scale);
        worst = fmax(worst, fabs(force[info.u_first] - expected) / size);
        assert_close(force[info.u_first], expected, 1e-5 * size);
        ++checked;
    }
    print_message("%s: %d of %d speeds, worst relative deviation %.1g\n", what, checked,
                  cardo_system_nu(session->system), worst);
    assert_true(checked >= 6);
    cardo_free(q);
    cardo_free(force);
    cardo_session_close(session);
}

static void whole_chain(void **unused)
{
    (void)unused;
    static char text[2048];
    snprintf(text, sizeof text,
             "<cardo version=\"1\"><model name=\"u\"><structure id=\"a\" file=\"%s\"/>"
             "<domain name=\"d\" residues=\"A:1-76\"/><body name=\"all\" domains=\"d\"/>"
             "<flexible residues=\"A:1-76\" torsions=\"phi psi chi\" rotors=\"yes\"/>"
             "<forcefield files=\"ff14SB.xml\" solvent=\"obc2\" platform=\"Reference\"/>"
             "</model></cardo>",
             support_shared("reference/openmm/1ubi/1ubi.pdb"));
    forces_are_slopes(text, 37, "1UBI, every torsion");
}

/* The elbow of 2MCG: its hinge strands as torsions, the constant domain on one of them. */
static void strands_of_the_elbow(void **unused)
{
    (void)unused;
    static char text[2048];
    snprintf(text, sizeof text,
             "<cardo version=\"1\"><model name=\"e\"><structure id=\"a\" file=\"%s\"/>"
             "<structure id=\"b\" file=\"%s\"/><domain name=\"V\" residues=\"2-108\"/>"
             "<domain name=\"C\" residues=\"114-216\"/><hinge residues=\"109-113\"/>"
             "<body name=\"V\" domains=\"V\" base=\"welded\"/>"
             "<body name=\"C\" domains=\"C\" parent=\"V\"><strand/></body>"
             "<flexible residues=\"109-113\" torsions=\"phi psi chi\"/>"
             "<forcefield files=\"ff14SB.xml\" solvent=\"none\" platform=\"Reference\"/>"
             "</model></cardo>",
             support_source("pdb/2mcg_1.pdb"), support_source("pdb/2mcg_2.pdb"));
    forces_are_slopes(text, 2, "2MCG on its strand");
}

static void interface_of_lao(void **unused)
{
    (void)unused;
    static char text[4096];
    snprintf(text, sizeof text,
             "<cardo version=\"1\"><model name=\"l\"><structure id=\"a\" file=\"%s\"/>"
             "<structure id=\"b\" file=\"%s\"/><domain name=\"s\" residues=\"1-89,194-238\"/>"
             "<domain name=\"m\" residues=\"92-191\"/><hinge residues=\"90-91,192-193\"/>"
             "<body name=\"s\" domains=\"s\"/>"
             "<body name=\"m\" domains=\"m\" parent=\"s\"><path/></body>"
             "<flexible residues=\"90-91,192-193\" torsions=\"phi psi\"/>"
             "<flexible within=\"0.5 nm\" torsions=\"chi\"/>"
             "<forcefield files=\"ff14SB.xml\" solvent=\"none\" platform=\"Reference\"/>"
             "</model></cardo>",
             support_shared("reference/openmm/2lao_min/2lao_min.pdb"),
             support_shared("pdb/1lst.pdb"));
    forces_are_slopes(text, 16, "LAO, path, cut strands, interface");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        shared_test(whole_chain),
        cmocka_unit_test(strands_of_the_elbow),
        shared_test(interface_of_lao),
    };
    return support_run(tests, NULL, NULL);
}
