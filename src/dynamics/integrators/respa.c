#include "cardo/manifold.h"
#include "dynamics/integrators/flight.h"
#include "dynamics/integrators/integrator.h"
#include "dynamics/integrators/verlet_step.h"
#include "multibody/tree/operators.h"

#include <string.h>

/* keep: whether the slow forces are there, then theirs as generalized ones (nu), of the state's q. */
static int respa_keep_count(int nq, int nu)
{
    (void)nq;
    return 1 + nu;
}

/* The flight's scratch, then the fast forces. */
static int respa_work_count(int nq, int nu)
{
    return cardo_verlet_work_count(nq, nu) + 2 * nu;
}

static double *fast_forces(const cardo_integration *run)
{
    return run->work + cardo_verlet_work_count(run->nq, run->nu);
}

/* Group 0 is slow, all others are fast. */
static unsigned fast_groups(const cardo_integration *run)
{
    int n = cardo_evaluator_ngroup(run->evaluator);
    return n < 2 ? 0 : (n >= 32 ? ~0u : (1u << n) - 1u) & ~1u;
}

/* u += M^-1 (time slow + fast_time fast). DYNAMICS; leaves POSITION. */
static cardo_status kick(cardo_integration *run, double time, double fast_time, cardo_error *error)
{
    const double *slow = run->keep + 1, *fast = fast_forces(run);
    double *impulse = run->work, *change = impulse + run->nu;
    for (int k = 0; k < run->nu; ++k)
        impulse[k] = time * slow[k] + fast_time * fast[k];
    cardo_status status = cardo_project_free_forces(run->system, run->state, impulse, error);
    if (status == CARDO_OK)
        status = cardo_multiply_minv(run->system, run->state, impulse, change, error);
    if (status != CARDO_OK)
        return status;
    const double *u = cardo_state_u(run->state);
    for (int k = 0; k < run->nu; ++k)
        change[k] += u[k];
    cardo_state_set_u(run->state, change);
    return CARDO_OK;
}

/* fast = last results' forces less the slow ones, and less what moves with the flight */
static cardo_status find_fast(cardo_integration *run, cardo_error *error)
{
    double *fast = fast_forces(run);
    cardo_status status =
        cardo_evaluator_generalized_forces(run->evaluator, run->state, fast, error);
    const double *flown = cardo_evaluator_ensemble_forces(run->evaluator);
    for (int k = 0; status == CARDO_OK && k < run->nu; ++k)
        fast[k] -= run->keep[1 + k] + (flown ? flown[k] : 0);
    return status;
}

/* Evaluates the slow forces on top of the fast ones. */
static cardo_status find_slow(cardo_integration *run, cardo_error *error)
{
    double *slow = run->keep + 1, *fast = fast_forces(run);
    cardo_status status = cardo_evaluate_groups(run->evaluator, run->state, 1u, true, error);
    if (status == CARDO_OK)
        status = cardo_evaluator_generalized_forces(run->evaluator, run->state, slow, error);
    const double *flown = cardo_evaluator_ensemble_forces(run->evaluator);
    for (int k = 0; status == CARDO_OK && k < run->nu; ++k)
        slow[k] -= fast[k] + (flown ? flown[k] : 0);
    run->keep[0] = 1;
    return status;
}

/* The flight ended where forces are wanted: those of the fast groups, or zero where there are none. */
static cardo_status evaluate_fast(cardo_integration *run, unsigned groups, cardo_error *error)
{
    double *fast = fast_forces(run);
    cardo_status status = cardo_evaluate_groups(run->evaluator, run->state, groups, false, error);
    if (status == CARDO_OK)
        status = cardo_evaluator_generalized_forces(run->evaluator, run->state, fast, error);
    return status;
}

/* Both parts at the step's start, where a run begins. */
static cardo_status first_forces(cardo_integration *run, unsigned groups, cardo_error *error)
{
    cardo_status status = evaluate_fast(run, groups, error);
    if (status == CARDO_OK)
        status = find_slow(run, error);
    return status == CARDO_OK ? cardo_realize(run->system, run->state, CARDO_STAGE_DYNAMICS, error)
                              : status;
}

/* Inner steps of the fast forces between half kicks of the slow ones. */
static cardo_status respa_forget(cardo_integration *run, cardo_error *error)
{
    (void)error;
    run->keep[0] = 0;
    return CARDO_OK;
}

static cardo_status respa_step(cardo_integration *run, cardo_error *error)
{
    const cardo_respa_options *options = run->options;
    const unsigned groups = fast_groups(run);
    const double h = run->timestep, inner = h / options->inner_steps;
    const bool terms = cardo_evaluator_wants_terms(run->evaluator);
    cardo_status status = CARDO_OK;
    if (groups == 0)
        return cardo_verlet_step(run, h, &options->verlet, error);
    if (run->keep[0] == 0)
        CARDO_TRY(first_forces(run, groups, error));
    CARDO_TRY(find_fast(run, error));
    CARDO_TRY(kick(run, 0.5 * h, 0.5 * inner, error));
    for (int k = 1; k <= options->inner_steps; ++k) {
        bool last = k == options->inner_steps;
        CARDO_TRY(cardo_fly(run, inner, options->verlet.flight_tolerance, error));
        cardo_evaluator_want_terms(run->evaluator, terms && last);
        CARDO_TRY(evaluate_fast(run, groups, error));
        if (last)
            CARDO_TRY(find_slow(run, error));
        CARDO_TRY(cardo_realize(run->system, run->state, CARDO_STAGE_DYNAMICS, error));
        CARDO_TRY(kick(run, last ? 0.5 * h : 0, last ? 0.5 * inner : inner, error));
    }
    status = cardo_realize(run->system, run->state, CARDO_STAGE_ACCELERATION, error);
done:
    cardo_evaluator_want_terms(run->evaluator, terms);
    return status;
}

static const cardo_field respa_fields[] = {
    {"inner-steps", CARDO_FIELD_INT, offsetof(cardo_respa_options, inner_steps), "", "4", 1, 1e6,
     NULL, "steps of the fast (bonded) forces in one of the slow ones"},
    CARDO_FLIGHT_TOLERANCE_FIELD(cardo_respa_options, verlet.flight_tolerance, "1e-12"),
    {0},
};

const cardo_integrator cardo_integrator_respa = {
    .name = "respa",
    .doc = "multiple time stepping: fast (bonded) forces in inner steps of velocity Verlet",
    .citation = "Tuckerman, Berne, Martyna 1992; Grubmueller, Heller, Windemuth, Schulten 1991",
    .traits = CARDO_INTEGRATOR_SYMPLECTIC | CARDO_INTEGRATOR_REVERSIBLE,
    .evaluations = 1,
    .fields = respa_fields,
    .options_size = sizeof(cardo_respa_options),
    .keep_count = respa_keep_count,
    .work_count = respa_work_count,
    .forget = respa_forget,
    .step = respa_step,
};
