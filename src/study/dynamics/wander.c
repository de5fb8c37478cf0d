#include "study/dynamics/wander.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"
#include "cardo/operators.h"
#include "sampling/variables/response.h"
#include "sampling/walkers/biased_provider.h"
#include "study/session/forces.h"

#include <math.h>
#include <stdio.h>

/* Its spring lets the variable fluctuate by such a part of the range, but is no faster than this in a step. */
enum { PARTS = 50 };
static const double fastest = 0.5;
/* In how many steps the spring's end goes to the next place. */
enum { NUDGES = 10 };

/* The variable's value, the image that is nearest to the range. */
static cardo_status find_value(const cardo_session *session, const cardo_wandering *how,
                               double *value, cardo_error *error)
{
    const double middle = 0.5 * (how->from + how->to);
    const cardo_status status = cardo_variable_value(how->variable, session->state, value, error);
    if (status == CARDO_OK)
        *value = middle +
                 cardo_periodic_difference(*value, middle, cardo_variable_period(how->variable));
    return status;
}

cardo_status cardo_wander_plan(const cardo_session *session, const cardo_wandering *how,
                               double *value, cardo_error *error)
{
    double start;
    if (!how->variable)
        return CARDO_OK;
    const cardo_status status = find_value(session, how, &start, error);
    if (status != CARDO_OK)
        return status;
    const bool up = start - how->from <= how->to - start;
    const double near = up ? how->from : how->to, range = (up ? 1 : -1) * (how->to - how->from);
    const double before = fabs(near - start), whole = before + fabs(range);
    for (int k = 1; k < how->places; ++k) {
        const double gone = whole * k / (how->places - 1);
        value[k - 1] = gone < before ? start + (near - start) * gone / before
                                     : near + range * (gone - before) / fabs(range);
    }
    return CARDO_OK;
}

/* Of the spring, by the mass that the variable has where the state stands, at DYNAMICS. */
static cardo_status find_stiffness(const cardo_session *session, const cardo_wandering *how,
                                   double *stiffness, cardo_error *error)
{
    cardo_status status;
    const int nu = cardo_system_nu(session->system);
    const double reach = (how->to - how->from) / PARTS, h = how->like->timestep;
    double *gradient = NULL, *response = NULL, value, rate = 0;
    CARDO_TRY(CARDO_ALLOCATE(&gradient, nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&response, nu, error));
    CARDO_TRY(cardo_variable_gradient(how->variable, session->state, &value, gradient, error));
    CARDO_TRY(
        cardo_variable_response(session->system, session->state, gradient, response, &rate, error));
    *stiffness = fmin(CARDO_BOLTZMANN * how->like->temperature / (reach * reach),
                      fastest * fastest / (h * h * rate));
done:
    cardo_free(gradient);
    cardo_free(response);
    return status;
}

/* Steps under a force provider; seed: of their noise. */
static cardo_status run(cardo_session *session, const cardo_wandering *how,
                        cardo_force_provider *forces, int steps, long long seed, cardo_error *error)
{
    const cardo_simulation_options *like = how->like;
    char text[5][64];
    const char *option[6] = {"ensemble=fixman"};
    cardo_simulation *simulation = NULL;
    cardo_end end;
    cardo_status status;
    cardo_format(text[0], sizeof text[0], "timestep=%.17g ps", like->timestep);
    cardo_format(text[1], sizeof text[1], "temperature=%.17g K", like->temperature);
    cardo_format(text[2], sizeof text[2], "friction=%.17g", how->friction);
    snprintf(text[3], sizeof text[3], "seed=%lld", seed);
    cardo_format(text[4], sizeof text[4], "max-energy-jump=%.17g", like->max_energy_jump);
    for (int k = 0; k < 5; ++k)
        option[k + 1] = text[k];
    CARDO_TRY(cardo_simulation_open(session->system, session->state, forces, "ghmc", 6, option,
                                    &simulation, error));
    CARDO_TRY(cardo_simulation_start(simulation, error));
    status = cardo_simulation_run(simulation, steps, session->listener.stop, &end, error);
    if (status == CARDO_OK && end == CARDO_END_INTERRUPTED)
        status = CARDO_FAIL(error, CARDO_ERROR_INTERRUPTED, "interrupted");
done:
    cardo_simulation_destroy(simulation);
    return status;
}

static cardo_status go_to(cardo_session *session, const cardo_wandering *how, int place,
                          double value, cardo_error *error)
{
    cardo_status status;
    cardo_bias_potential bias = {0};
    cardo_force_provider *forces = NULL;
    double from;
    CARDO_TRY(cardo_realize(session->system, session->state, CARDO_STAGE_DYNAMICS, error));
    CARDO_TRY(find_value(session, how, &from, error));
    CARDO_TRY(cardo_bias_create(&bias, &cardo_bias_harmonic, cardo_variable_period(how->variable),
                                CARDO_HARMONIC_VALUES, error));
    CARDO_TRY(find_stiffness(session, how, &bias.values[CARDO_HARMONIC_STIFFNESS], error));
    CARDO_TRY(cardo_biased_provider_create(cardo_session_forces(session), how->variable, &bias,
                                           session->state, cardo_system_nu(session->system),
                                           &forces, error));
    for (int k = 1; k <= NUDGES; ++k) {
        const int steps = how->steps * k / NUDGES - how->steps * (k - 1) / NUDGES;
        bias.values[CARDO_HARMONIC_CENTRE] = from + (value - from) * k / NUDGES;
        CARDO_TRY(run(session, how, forces, steps, how->like->seed + (long long)place * NUDGES + k,
                      error));
    }
done:
    cardo_force_provider_destroy(forces);
    cardo_bias_clear(&bias);
    return status;
}

cardo_status cardo_wander(cardo_session *session, const cardo_wandering *how, int place,
                          double value, cardo_error *error)
{
    return how->variable ? go_to(session, how, place, value, error)
                         : run(session, how, cardo_session_forces(session), how->steps,
                               how->like->seed + place, error);
}
