/* The lowest of some minima: the elbow of the committed light chain, whose side chains were pushed out of their wells. */
#include "support/support.h"

#include "base/memory.h"
#include "dynamics/annealing.h"
#include "study/session/energies.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static cardo_session *session;
static double *pushed;

static int open_model(void **unused)
{
    (void)unused;
    static char text[2048];
    static const char *const quick[] = {"forcefield.check-forces=no",
                                        "forcefield.precision=double"};
    const cardo_session_options options = {.size = sizeof options, .nsetting = 2, .setting = quick};
    cardo_error error = {0};
    snprintf(text, sizeof text,
             "<cardo version=\"1\"><model name=\"elbow\"><structure id=\"first\" file=\"%s\"/>"
             "<domain name=\"variable\" residues=\"1:2-216\"/><body name=\"variable\" "
             "domains=\"variable\"/>"
             "<flexible residues=\"1:14,1:40,1:43-45\" torsions=\"chi\"/>"
             "<forcefield files=\"ff14SB.xml\" solvent=\"none\" threads=\"1\"/></model></cardo>",
             support_source("pdb/2mcg_1.pdb"));
    assert_ok(
        cardo_session_open(support_write("annealed.xml", text), &options, NULL, &session, &error),
        &error);
    const int nq = cardo_system_nq(session->system);
    assert_ok(CARDO_ALLOCATE(&pushed, nq, &error), &error);
    memcpy(pushed, cardo_state_q(session->state), (size_t)nq * sizeof *pushed);
    for (int b = 0; b < session->model->nbody; ++b) {
        cardo_body_info info;
        cardo_system_body(session->system, b + 1, &info);
        if (session->model->body[b].torsion)
            pushed[info.q_first] += 1;
    }
    return 0;
}

static int close_model(void **unused)
{
    (void)unused;
    cardo_free(pushed);
    cardo_session_close(session);
    return 0;
}

static cardo_annealed anneal_by(cardo_force_provider *provider, int rounds)
{
    static const cardo_minimization_options minimization = {.iterations = 60, .tolerance = 5};
    const cardo_annealing how = {.system = session->system,
                                 .state = session->state,
                                 .provider = provider,
                                 .evaluator = session->evaluator,
                                 .rounds = rounds,
                                 .steps = 100,
                                 .minimization = &minimization};
    cardo_annealed out;
    cardo_error error = {0};
    assert_ok(cardo_anneal(&how, &out, &error), &error);
    return out;
}

static cardo_annealed anneal_here(int rounds)
{
    return anneal_by(cardo_session_forces(session), rounds);
}

static cardo_annealed anneal(int rounds)
{
    cardo_state_set_q(session->state, pushed);
    return anneal_here(rounds);
}

static double potential(void)
{
    cardo_energies energies = {0};
    cardo_error error = {0};
    assert_ok(cardo_session_energies(session, &energies, &error), &error);
    const double found = energies.potential;
    cardo_energies_clear(&energies);
    return found;
}

static void it_stands_at_the_lowest(void **unused)
{
    (void)unused;
    double before = HUGE_VAL;
    for (int rounds = 1; rounds <= 9; rounds *= 3) {
        const cardo_annealed out = anneal(rounds);
        assert_true(out.after <= out.before && out.lowered <= rounds);
        assert_true((out.lowered > 0) == (out.after < out.before));
        assert_close(potential(), out.after, 1e-6 * fabs(out.after));
        /* Rounds are the same ones, however many follow. */
        assert_true(out.after <= before);
        before = out.after;
    }
    assert_true(before < anneal(1).before);
}

static void it_ends_alike_from_one_state(void **unused)
{
    (void)unused;
    const cardo_annealed once = anneal(3), again = anneal(3);
    assert_memory_equal(&once.after, &again.after, sizeof once.after);
    assert_int_equal(once.evaluations, again.evaluations);
}

static void without_rounds_it_is_heated_alone(void **unused)
{
    (void)unused;
    const double lowest = anneal(1).after;
    const cardo_annealed out = anneal_here(0);
    assert_true(isnan(out.after));
    assert_int_equal(out.evaluations, 100);
    assert_true(potential() > lowest + 1);
}

/* The session's forces, which fail once. */
typedef struct faltering {
    cardo_force_provider provider;
    int before; /* calls */
} faltering;

static cardo_status falter(cardo_force_provider *self, cardo_force_evaluation *evaluation,
                           cardo_error *error)
{
    cardo_force_provider *of = cardo_session_forces(session);
    if (((faltering *)self)->before-- == 0)
        return CARDO_FAIL(error, CARDO_RECOVERABLE, "an atom flies away");
    return of->compute(of, evaluation, error);
}

static void what_bears_no_long_steps_is_heated_by_shorter_ones(void **unused)
{
    (void)unused;
    faltering fails = {.provider = *cardo_session_forces(session), .before = 50};
    fails.provider.compute = falter;
    const double lowest = anneal(1).after;
    const cardo_annealed out = anneal_by(&fails.provider, 0);
    assert_true(fails.before < -200);
    assert_int_equal(out.evaluations, 100 + 200);
    assert_true(potential() > lowest + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_stands_at_the_lowest),
        cmocka_unit_test(it_ends_alike_from_one_state),
        cmocka_unit_test(without_rounds_it_is_heated_alone),
        cmocka_unit_test(what_bears_no_long_steps_is_heated_by_shorter_ones),
    };
    return cmocka_run_group_tests(tests, open_model, close_model);
}
