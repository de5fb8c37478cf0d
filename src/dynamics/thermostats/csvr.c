#include "dynamics/integrators/verlet_step.h"
#include "dynamics/thermostats/bath.h"

#include <math.h>

/* The factor on the internal speeds that carries their kinetic energy along its exact stochastic
 * motion over decay relaxation times (appendix of Bussi, Donadio & Parrinello 2007), with the sign of
 * Bussi & Parrinello 2008, which lets a lone speed turn round. r: room for the degrees of freedom. */
static double draw_factor(cardo_integration *run, double kinetic, double decay, double *r)
{
    double rest = 0;
    cardo_random_normal(&run->random, run->internal, r);
    for (int k = 1; k < run->internal; ++k)
        rest += r[k] * r[k];
    double c = exp(-decay), gain = -expm1(-decay) * 0.5 * run->kT / kinetic;
    double along = sqrt(c) + sqrt(gain) * r[0];
    return copysign(sqrt(along * along + gain * rest), along);
}

static cardo_status scale(cardo_integration *run, double decay, cardo_error *error)
{
    double kinetic, *speeds = run->work;
    if (run->internal == 0)
        return CARDO_OK;
    cardo_status status = cardo_bath_internal(run, speeds, &kinetic, error);
    /* Speeds that are all zero have no direction to grow in; forces and draws will give one. */
    if (status != CARDO_OK || !(kinetic > 0))
        return status;
    double factor = draw_factor(run, kinetic, decay, speeds + run->nu);
    return cardo_bath_scale_internal(run, factor, speeds, error);
}

static cardo_status csvr_step(cardo_integration *run, cardo_error *error)
{
    const cardo_csvr_options *options = run->options;
    const double h = run->timestep;
    cardo_status status = cardo_verlet_step(run, h, &options->verlet, error);
    if (status == CARDO_OK)
        status = cardo_bath_rub_beside(run, options->relaxation, h, error);
    if (status == CARDO_OK)
        status = scale(run, h / options->relaxation, error);
    return status == CARDO_OK
               ? cardo_realize(run->system, run->state, CARDO_STAGE_ACCELERATION, error)
               : status;
}

static const cardo_field csvr_fields[] = {
    {"relaxation", CARDO_FIELD_DOUBLE, offsetof(cardo_csvr_options, relaxation), "ps", "0.5", 1e-6,
     1e6, NULL, "time in which the kinetic energy forgets what it was"},
    CARDO_FLIGHT_TOLERANCE_FIELD(cardo_csvr_options, verlet.flight_tolerance, "1e-9"),
    {0},
};

const cardo_integrator cardo_integrator_csvr = {
    .name = "csvr",
    .doc = "velocity Verlet with stochastic rescaling of internal speeds, Langevin for overall "
           "motion: "
           "constant temperature, gently",
    .citation = "Bussi, Donadio, Parrinello 2007; Bussi, Parrinello 2008",
    .traits = CARDO_INTEGRATOR_THERMOSTAT | CARDO_INTEGRATOR_STOCHASTIC | CARDO_INTEGRATOR_WARM,
    .evaluations = 1,
    .fields = csvr_fields,
    .options_size = sizeof(cardo_csvr_options),
    .bath_field = "relaxation",
    .bath_steps = 0.1,
    .keep_count = cardo_bath_keep_count,
    .work_count = cardo_bath_work_count,
    .step = csvr_step,
    .bath_energy = cardo_bath_energy,
};
