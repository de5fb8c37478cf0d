#include "dynamics/monte_carlo/metropolis.h"

#include "base/number.h"
#include "dynamics/coordinates/constrained.h"
#include "dynamics/integrators/leapfrog_step.h"
#include "dynamics/integrators/verlet_step.h"
#include "dynamics/thermostats/bath.h"
#include "multibody/tree/motion.h"
#include "multibody/tree/operators.h"

#include <math.h>
#include <string.h>

/* keep, after the bath's energy: counts of moves, and the sum of the energy errors of those that
 * could be evaluated, all after burn-in; moves of burn-in, and the logarithm of the factor on the
 * time step that they have led to, summed over their second half; moves, of those that were not
 * possible, whose way back did not lead to their start. */
enum { MOVES = 1, ACCEPTED, IMPOSSIBLE, ENERGY_ERROR, BURNT, LOG_STEP, SUM, ONE_WAY, KEEP };

int cardo_metropolis_keep_count(int nq, int nu)
{
    (void)nq;
    (void)nu;
    return KEEP;
}

int cardo_metropolis_work_count(int nq, int nu)
{
    int bath = cardo_bath_work_count(nq, nu), leapfrog = cardo_leapfrog_work_count(nq, nu);
    return (bath > leapfrog ? bath : leapfrog) + nu;
}

const char *const cardo_propagator_choices[] = {"verlet", "leapfrog", NULL};

cardo_status cardo_metropolis_start(cardo_integration *run,
                                    const cardo_monte_carlo_options *options, cardo_error *error)
{
    cardo_status status =
        cardo_require_still_constraints(run->system, run->state, "Monte Carlo", error);
    if (status == CARDO_OK && cardo_system_is_moved(run->system))
        status = CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                            "Monte Carlo accepts moves by what they change of the energy, into "
                            "which a prescribed motion brings work: use langevin");
    return status == CARDO_OK && options->propagator == CARDO_PROPAGATOR_LEAPFROG
               ? cardo_leapfrog_check(run->system, error)
               : status;
}

static cardo_status total_energy(const cardo_integration *run, double *total, cardo_error *error)
{
    double kinetic, potential;
    cardo_status status = cardo_kinetic_energy(run->system, run->state, &kinetic, error);
    if (status == CARDO_OK)
        status = cardo_evaluator_potential(run->evaluator, run->state, &potential, error);
    if (status == CARDO_OK)
        *total = kinetic + potential;
    return status;
}

/* A flight is as exact as its tolerance or fails, also along the manifold of constraints, to which its end returns by no more than
 * that; the equation of the leapfrog, and its projection on constraints, may have several solutions, and the move is exact only
 * where the way back finds the same one. */
static cardo_status fly(cardo_integration *run, double h, const cardo_monte_carlo_options *options,
                        bool *one_way, cardo_error *error)
{
    const cardo_leapfrog_options leapfrog = {.solve_tolerance = 1e-14, .reverse_check = true};
    return options->propagator == CARDO_PROPAGATOR_LEAPFROG
               ? cardo_leapfrog_step(run, h, &leapfrog, one_way, error)
               : cardo_verlet_step(run, h, &options->verlet, error);
}

/* Energies by term are asked for at the end of the flight alone, in case they are wanted there. */
static cardo_status fly_all(cardo_integration *run, double h,
                            const cardo_monte_carlo_options *options, bool *one_way,
                            cardo_error *error)
{
    bool terms = cardo_evaluator_wants_terms(run->evaluator);
    cardo_status status = CARDO_OK;
    for (int k = 1; k <= options->flights && status == CARDO_OK; ++k) {
        cardo_evaluator_want_terms(run->evaluator, terms && k == options->flights);
        status = fly(run, h, options, one_way, error);
    }
    cardo_evaluator_want_terms(run->evaluator, terms);
    return status;
}

static void reject(cardo_integration *run, double *u)
{
    for (int k = 0; k < run->nu; ++k)
        u[k] = -u[k];
    cardo_state_set_q(run->state, run->good_q);
    cardo_state_set_u(run->state, u);
    cardo_evaluator_load(run->evaluator, run->state, run->good_evaluation);
}

/* Chance of acceptance of a move that was possible or not. */
static double chance_of(bool possible, double change, double kT)
{
    return possible ? fmin(1, exp(-change / kT)) : 0;
}

/* Books a move; in burn-in it moves the time step instead, ever less. */
static void book(cardo_integration *run, const cardo_monte_carlo_options *options, bool possible,
                 bool one_way, double change, bool accepted)
{
    double *keep = run->keep;
    if (keep[BURNT] < options->burn_in) {
        keep[BURNT] += 1;
        double gain = pow(keep[BURNT] + 4, -0.6);
        keep[LOG_STEP] += 2 * gain * (chance_of(possible, change, run->kT) - options->acceptance);
        if (2 * keep[BURNT] > options->burn_in)
            keep[SUM] += keep[LOG_STEP];
        /* The mean of the second half scatters less than the last one. */
        if (keep[BURNT] >= options->burn_in)
            keep[LOG_STEP] = keep[SUM] / (options->burn_in - options->burn_in / 2);
        return;
    }
    keep[MOVES] += 1;
    keep[ACCEPTED] += accepted;
    keep[IMPOSSIBLE] += !possible;
    keep[ONE_WAY] += one_way;
    keep[ENERGY_ERROR] += possible ? change : 0;
}

double cardo_metropolis_timestep(const cardo_integration *run)
{
    return run->timestep * exp(run->keep[LOG_STEP]);
}

cardo_status cardo_metropolis_move(cardo_integration *run, const cardo_monte_carlo_options *options,
                                   cardo_error *error)
{
    cardo_status status;
    double before, after, chance[2];
    double *u = run->work + cardo_metropolis_work_count(run->nq, run->nu) - run->nu;
    const double time = cardo_state_time(run->state);
    CARDO_TRY(total_energy(run, &before, error));
    if (run->nu > 0)
        memcpy(u, cardo_state_u(run->state), (size_t)run->nu * sizeof *u);
    cardo_random_uniform(&run->random, 2, chance);
    double h = cardo_metropolis_timestep(run) * (1.0 + options->jitter * (2.0 * chance[0] - 1.0));
    bool one_way = false;
    status = fly_all(run, h, options, &one_way, error);
    if (status == CARDO_OK)
        status = total_energy(run, &after, error);
    /* What cannot be evaluated has no weight; any other failure is the provider's own. */
    bool possible = status == CARDO_OK && isfinite(after);
    if (status != CARDO_OK && status != CARDO_RECOVERABLE && status != CARDO_ERROR_NUMERICAL)
        goto done;
    double change = possible ? after - before : 0;
    bool accepted = possible && chance[1] < chance_of(possible, change, run->kT);
    book(run, options, possible, one_way, change, accepted);
    if (!accepted)
        reject(run, u);
    cardo_state_set_time(run->state, time + run->timestep);
    status = cardo_realize(run->system, run->state, CARDO_STAGE_ACCELERATION, error);
done:
    return status;
}

void cardo_metropolis_report(const cardo_integration *run, char *text, size_t size)
{
    const double *keep = run->keep;
    double moves = fmax(keep[MOVES], 1), evaluated = fmax(keep[MOVES] - keep[IMPOSSIBLE], 1);
    int used = cardo_format(
        text, size, "%.0f of %.0f moves accepted (%.1f %%), mean energy error %.3g kJ/mol",
        keep[ACCEPTED], keep[MOVES], 100 * keep[ACCEPTED] / moves, keep[ENERGY_ERROR] / evaluated);
    if (keep[BURNT] > 0 && used >= 0 && (size_t)used < size)
        used += cardo_format(text + used, size - (size_t)used,
                             "; step %.4g ps after %.0f moves of burn-in",
                             cardo_metropolis_timestep(run), keep[BURNT]);
    if (keep[IMPOSSIBLE] > keep[ONE_WAY] && used >= 0 && (size_t)used < size)
        used += cardo_format(text + used, size - (size_t)used, "; %.0f could not be evaluated",
                             keep[IMPOSSIBLE] - keep[ONE_WAY]);
    if (keep[ONE_WAY] > 0 && used >= 0 && (size_t)used < size)
        cardo_format(text + used, size - (size_t)used, "; %.0f did not lead back", keep[ONE_WAY]);
}
