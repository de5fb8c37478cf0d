#include "dynamics/integrators/verlet_step.h"
#include "dynamics/thermostats/bath.h"

#include <math.h>

/* keep: the heat of what rubs beside the chain, the energy that has flowed into the chain's
 * reservoir (n kT eta_1 + kT eta_2 + ..., n internal degrees of freedom), the chain's rates. */
enum { RESERVOIR = 1, RATES = 2, MOST_THERMOSTATS = 10 };

/* Parts of a relaxation time in which the chain is moved. */
enum { PARTS = 40 };

static int nose_hoover_keep_count(int nq, int nu)
{
    (void)nq;
    (void)nu;
    return RATES + MOST_THERMOSTATS;
}

/* kT times the number of degrees of freedom that thermostat j watches. */
static double target(const cardo_integration *run, int j)
{
    return j == 0 ? run->internal * run->kT : run->kT;
}

/* Inertia of thermostat j, kJ/mol ps^2. */
static double inertia(const cardo_integration *run, int j)
{
    const cardo_nose_hoover_options *options = run->options;
    return target(run, j) * options->relaxation * options->relaxation;
}

/* Half a kick of thermostat j by twice the kinetic energy of what it watches, under the drag of the
 * next one, which stands still meanwhile. */
static void push(const cardo_integration *run, int j, double twice_kinetic, double time)
{
    const cardo_nose_hoover_options *options = run->options;
    double *rate = run->keep + RATES;
    double drag = j + 1 < options->chain ? exp(-0.25 * time * rate[j + 1]) : 1.0;
    double watched = j == 0 ? twice_kinetic : inertia(run, j - 1) * rate[j - 1] * rate[j - 1];
    double pull = (watched - target(run, j)) / inertia(run, j);
    rate[j] = (rate[j] * drag + 0.5 * time * pull) * drag;
}

/* One symmetric sweep along the chain and back over a time; returns the factor on the speeds. */
static double sweep(const cardo_integration *run, double *twice_kinetic, double time)
{
    const cardo_nose_hoover_options *options = run->options;
    const double *rate = run->keep + RATES;
    for (int j = options->chain - 1; j >= 0; --j)
        push(run, j, *twice_kinetic, time);
    double factor = exp(-time * rate[0]);
    *twice_kinetic *= factor * factor;
    for (int j = 0; j < options->chain; ++j)
        run->keep[RESERVOIR] += time * rate[j] * target(run, j);
    for (int j = 0; j < options->chain; ++j)
        push(run, j, *twice_kinetic, time);
    return factor;
}

/* The chain's motion over a time, the system standing still: parts that are short beside the
 * relaxation time, each in three sweeps of fourth order (Suzuki and Yoshida). What it takes from the
 * speeds is in the chain, not in the heat. */
static cardo_status move_chain(cardo_integration *run, double time, cardo_error *error)
{
    const double outer = 1.0 / (2.0 - cbrt(2.0));
    const double weight[3] = {outer, 1.0 - 2.0 * outer, outer};
    const cardo_nose_hoover_options *options = run->options;
    const double heat = run->keep[0];
    const int parts = (int)ceil(PARTS * time / options->relaxation);
    double kinetic, factor = 1.0, *speeds = run->work;
    if (run->internal == 0)
        return CARDO_OK;
    cardo_status status = cardo_bath_internal(run, speeds, &kinetic, error);
    if (status != CARDO_OK)
        return status;
    double twice_kinetic = 2.0 * kinetic;
    for (int k = 0; k < 3 * parts; ++k)
        factor *= sweep(run, &twice_kinetic, weight[k % 3] * time / parts);
    status = cardo_bath_scale_internal(run, factor, speeds, error);
    run->keep[0] = heat;
    return status;
}

static cardo_status nose_hoover_step(cardo_integration *run, cardo_error *error)
{
    const cardo_nose_hoover_options *options = run->options;
    const double h = run->timestep;
    cardo_status status = move_chain(run, 0.5 * h, error);
    if (status == CARDO_OK)
        status = cardo_verlet_step(run, h, &options->verlet, error);
    if (status == CARDO_OK)
        status = move_chain(run, 0.5 * h, error);
    if (status == CARDO_OK)
        status = cardo_bath_rub_beside(run, options->relaxation, h, error);
    return status == CARDO_OK
               ? cardo_realize(run->system, run->state, CARDO_STAGE_ACCELERATION, error)
               : status;
}

/* The heat less the energy of the chain, whose own conserved quantity this keeps: an error of its
 * motion shows. */
static double nose_hoover_bath_energy(const cardo_integration *run)
{
    const cardo_nose_hoover_options *options = run->options;
    const double *rate = run->keep + RATES;
    double chain = run->keep[RESERVOIR];
    for (int j = 0; j < options->chain; ++j)
        chain += 0.5 * inertia(run, j) * rate[j] * rate[j];
    return run->keep[0] - chain;
}

static const cardo_field nose_hoover_fields[] = {
    {"relaxation", CARDO_FIELD_DOUBLE, offsetof(cardo_nose_hoover_options, relaxation), "ps", "0.5",
     1e-6, 1e6, NULL, "time in which the bath answers to the kinetic energy"},
    {"chain", CARDO_FIELD_INT, offsetof(cardo_nose_hoover_options, chain), "", "4", 1,
     MOST_THERMOSTATS, NULL, "number of thermostats, each one watching the one before"},
    CARDO_FLIGHT_TOLERANCE_FIELD(cardo_nose_hoover_options, verlet.flight_tolerance, "1e-9"),
    {0},
};

const cardo_integrator cardo_integrator_nose_hoover = {
    .name = "nose-hoover",
    .doc = "velocity Verlet with a Nose-Hoover chain for internal speeds, Langevin for overall "
           "motion: "
           "constant temperature",
    .citation = "Martyna, Klein, Tuckerman 1992; Martyna, Tuckerman, Tobias, Klein 1996",
    .traits = CARDO_INTEGRATOR_THERMOSTAT | CARDO_INTEGRATOR_STOCHASTIC | CARDO_INTEGRATOR_WARM,
    .evaluations = 1,
    .fields = nose_hoover_fields,
    .options_size = sizeof(cardo_nose_hoover_options),
    .bath_field = "relaxation",
    .bath_steps = 2,
    .keep_count = nose_hoover_keep_count,
    .work_count = cardo_bath_work_count,
    .step = nose_hoover_step,
    .bath_energy = nose_hoover_bath_energy,
};
