#include "dynamics/verlet_step.h"

#include "multibody/advance.h"

#include <math.h>
#include <string.h>

int cardo_verlet_work_count(int nq, int nu)
{
    return nq + 2 * nu;
}

/* q1 and time h later, along the speeds of the middle of the step: where qdot = u this is
 * q0 + h qdot0 + h^2/2 qdotdot0; quaternions turn exactly, which keeps the step reversible in time.
 * With their Taylor series instead, a tumbling molecule's energy drifts. */
static cardo_status advance_q(cardo_integration *run, const double *middle, double *q1,
                              cardo_error *error)
{
    cardo_state *state = run->state;
    cardo_status status = cardo_advance(run->system, state, middle, run->timestep, q1, error);
    if (status != CARDO_OK)
        return status;
    cardo_state_set_time(state, cardo_state_time(state) + run->timestep);
    cardo_state_set_q(state, q1);
    return CARDO_OK;
}

/* Iterates u1 = base + h/2 udot(q1, u1), from the guess that the state holds, until it stands
 * still. The size of u is measured with the change over the step in it, so that a system that
 * starts from rest converges too. */
static cardo_status solve_speeds(cardo_integration *run, const cardo_verlet_options *options,
                                 const double *base, double *u1, cardo_error *error)
{
    double change = 0.0, size = 0.0;
    for (int iteration = 0; iteration < options->velocity_iterations; ++iteration) {
        cardo_status status =
            cardo_realize(run->system, run->state, CARDO_STAGE_ACCELERATION, error);
        if (status != CARDO_OK)
            return status;
        const double *udot = cardo_state_udot(run->state), *u = cardo_state_u(run->state);
        change = size = 0.0;
        for (int k = 0; k < run->nu; ++k) {
            double kick = 0.5 * run->timestep * udot[k];
            u1[k] = base[k] + kick;
            change = fmax(change, fabs(u1[k] - u[k]));
            size = fmax(size, fabs(u1[k]) + fabs(kick));
            if (!isfinite(u1[k]))
                return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                                  "generalized speed %d is not finite: use a shorter time step", k);
        }
        cardo_state_set_u(run->state, u1);
        if (change <= options->velocity_tolerance * size)
            return cardo_realize(run->system, run->state, CARDO_STAGE_ACCELERATION, error);
    }
    return CARDO_FAIL(error, CARDO_RECOVERABLE,
                      "the speeds did not converge in %d iterations (change %g of %g): the time "
                      "step is too long",
                      options->velocity_iterations, change, size);
}

cardo_status cardo_verlet_step(cardo_integration *run, const cardo_verlet_options *options,
                               cardo_error *error)
{
    double *q1 = run->work, *base = q1 + run->nq, *u1 = base + run->nu;
    const double h = run->timestep;
    const double *u0 = cardo_state_u(run->state), *udot0 = cardo_state_udot(run->state);
    for (int k = 0; k < run->nu; ++k) {
        base[k] = u0[k] + 0.5 * h * udot0[k];
        u1[k] = u0[k] + h * udot0[k];
    }
    cardo_status status = advance_q(run, base, q1, error);
    if (status == CARDO_OK)
        status = cardo_evaluate(run->evaluator, run->state, error);
    if (status != CARDO_OK)
        return status;
    cardo_state_set_u(run->state, u1);
    return solve_speeds(run, options, base, u1, error);
}

static cardo_status verlet_step(cardo_integration *run, cardo_error *error)
{
    return cardo_verlet_step(run, run->options, error);
}

static const cardo_field verlet_fields[] = {
    {"velocity-tolerance", CARDO_FIELD_DOUBLE, offsetof(cardo_verlet_options, velocity_tolerance),
     "", "1e-12", 1e-14, 1e-2, NULL,
     "relative change at which the iteration of the generalized speeds ends"},
    {"velocity-iterations", CARDO_FIELD_INT, offsetof(cardo_verlet_options, velocity_iterations),
     "", "30", 1, 1000, NULL, "most iterations of the generalized speeds in a step"},
    {0},
};

const cardo_integrator cardo_integrator_verlet = {
    .name = "verlet",
    .doc = "velocity Verlet in internal coordinates: constant energy, second order",
    .citation = "Swope, Andersen, Berens, Wilson 1982; Sherman, Seth, Delp 2011",
    .evaluations = 1,
    .fields = verlet_fields,
    .options_size = sizeof(cardo_verlet_options),
    .work_count = cardo_verlet_work_count,
    .step = verlet_step,
};
