#include "dynamics/integrators/verlet_step.h"

#include "cardo/manifold.h"
#include "dynamics/integrators/flight.h"
#include "multibody/tree/operators.h"

int cardo_verlet_work_count(int nq, int nu)
{
    int flight = cardo_flight_work_count(nq, nu);
    return flight > 3 * nu ? flight : 3 * nu;
}

cardo_status cardo_kick(cardo_integration *run, double time, cardo_error *error)
{
    double *generalized = run->work, *rate = generalized + run->nu, *u = rate + run->nu;
    const double *flown = cardo_evaluator_ensemble_forces(run->evaluator);
    cardo_status status =
        cardo_evaluator_generalized_forces(run->evaluator, run->state, generalized, error);
    for (int k = 0; flown && k < run->nu; ++k)
        generalized[k] -= flown[k];
    if (status == CARDO_OK)
        status = cardo_project_free_forces(run->system, run->state, generalized, error);
    if (status == CARDO_OK)
        status = cardo_multiply_minv(run->system, run->state, generalized, rate, error);
    if (status != CARDO_OK)
        return status;
    const double *u0 = cardo_state_u(run->state);
    for (int k = 0; k < run->nu; ++k)
        u[k] = u0[k] + time * rate[k];
    cardo_state_set_u(run->state, u);
    return CARDO_OK;
}

cardo_status cardo_verlet_step(cardo_integration *run, double h,
                               const cardo_verlet_options *options, cardo_error *error)
{
    cardo_status status = cardo_kick(run, 0.5 * h, error);
    if (status == CARDO_OK)
        status = cardo_fly(run, h, options->flight_tolerance, error);
    if (status != CARDO_OK)
        return status;
    status = cardo_evaluate(run->evaluator, run->state, error);
    if (status == CARDO_OK)
        status = cardo_realize(run->system, run->state, CARDO_STAGE_ACCELERATION, error);
    if (status == CARDO_OK)
        status = cardo_kick(run, 0.5 * h, error);
    if (status == CARDO_OK)
        status = cardo_realize(run->system, run->state, CARDO_STAGE_ACCELERATION, error);
    return status;
}

static cardo_status verlet_step(cardo_integration *run, cardo_error *error)
{
    return cardo_verlet_step(run, run->timestep, run->options, error);
}

static const cardo_field verlet_fields[] = {
    CARDO_FLIGHT_TOLERANCE_FIELD(cardo_verlet_options, flight_tolerance, "1e-12"),
    {0},
};

const cardo_integrator cardo_integrator_verlet = {
    .name = "verlet",
    .doc = "velocity Verlet in internal coordinates: constant energy, second order, symplectic",
    .citation = "Swope, Andersen, Berens, Wilson 1982; kick and free flight split as in Hairer, "
                "Lubich, Wanner 2006",
    .traits = CARDO_INTEGRATOR_SYMPLECTIC | CARDO_INTEGRATOR_REVERSIBLE,
    .evaluations = 1,
    .fields = verlet_fields,
    .options_size = sizeof(cardo_verlet_options),
    .work_count = cardo_verlet_work_count,
    .step = verlet_step,
};
