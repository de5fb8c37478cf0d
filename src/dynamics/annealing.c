#include "dynamics/annealing.h"

#include "dynamics/simulation.h"

#include <math.h>
#include <stdio.h>

/* kJ/mol; and this many rounds in a row that find less. */
static const double worth = 1;
enum { MOST_IDLE = 2 };

/* The minimum about where the state stands; *potential: NaN where there is none to come to. */
static cardo_status cool(const cardo_annealing *how, cardo_annealed *out, double *potential,
                         cardo_error *error)
{
    const cardo_minimization_observer observer = {.interrupt = how->interrupt};
    cardo_minimization_result result;
    cardo_error found = {0};
    const cardo_status status = cardo_minimization_run(
        how->system, how->state, how->evaluator, how->minimization, &observer, &result, &found);
    *potential = (double)NAN;
    if (status == CARDO_OK) {
        *potential = result.last.potential;
        out->evaluations += result.last.evaluations;
        out->interrupted = out->interrupted || result.interrupted;
    }
    if (status == CARDO_OK || cardo_is_of_the_place(status))
        return CARDO_OK;
    if (error)
        *error = found;
    return status;
}

/* Steps of 8 fs are as long as torsions of flexible proteins bear (LAO's, GlnBP's, maltose-binding protein's); lighter things are heated by shorter ones. */
typedef struct heating {
    const char *timestep;
    int steps; /* as many times */
} heating;
static const heating way[] = {{"timestep=8 fs", 1}, {"timestep=4 fs", 2}};
enum { WAYS = sizeof way / sizeof *way };

/* *heated: false where it cannot be, as where constraints let nothing move. */
static cardo_status heat_by(const cardo_annealing *how, const heating *by, int round,
                            cardo_annealed *out, bool *heated, cardo_error *error)
{
    enum { OPTIONS = 5 };
    cardo_status status;
    char steps[32], seed[32];
    const char *const option[OPTIONS] = {by->timestep, "temperature=300 K", "friction=10", seed,
                                         steps};
    cardo_simulation *simulation = NULL;
    cardo_error found = {0};
    cardo_end end;
    *heated = false;
    snprintf(steps, sizeof steps, "steps=%d", by->steps * how->steps);
    snprintf(seed, sizeof seed, "seed=%d", round);
    CARDO_TRY(cardo_simulation_open(how->system, how->state, how->provider, "baoab", OPTIONS,
                                    option, &simulation, error));
    status = cardo_simulation_start(simulation, &found);
    if (status == CARDO_OK)
        status = cardo_simulation_run(simulation, -1, how->interrupt, &end, &found);
    *heated = status == CARDO_OK;
    out->evaluations += by->steps * how->steps;
    if (status != CARDO_ERROR_MEMORY)
        status = CARDO_OK;
    else if (error)
        *error = found;
done:
    cardo_simulation_destroy(simulation);
    return status;
}

/* Where nothing can be heated the state stands at `from` again. */
static cardo_status heat(const cardo_annealing *how, const cardo_state *from, int round,
                         cardo_annealed *out, bool *heated, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    *heated = false;
    for (int k = 0; k < WAYS && status == CARDO_OK && !*heated; ++k) {
        status = heat_by(how, &way[k], round, out, heated, error);
        if (!*heated)
            cardo_state_copy(how->state, from);
    }
    return status;
}

static cardo_status try_round(const cardo_annealing *how, int round, cardo_state *lowest,
                              cardo_annealed *out, cardo_error *error)
{
    cardo_status status;
    double potential = (double)NAN;
    bool heated;
    CARDO_TRY(heat(how, lowest, round, out, &heated, error));
    if (heated)
        CARDO_TRY(cool(how, out, &potential, error));
    if (potential < out->after) {
        out->idle = out->after - potential > worth ? 0 : out->idle + 1;
        out->after = potential;
        ++out->lowered;
        cardo_state_copy(lowest, how->state);
    } else {
        ++out->idle;
        cardo_state_copy(how->state, lowest);
    }
done:
    return status;
}

cardo_status cardo_anneal(const cardo_annealing *how, cardo_annealed *out, cardo_error *error)
{
    cardo_status status;
    cardo_state *lowest = NULL;
    *out = (cardo_annealed){.before = (double)NAN, .after = (double)NAN};
    if (how->steps == 0)
        return CARDO_OK;
    CARDO_TRY(cardo_state_create(how->system, &lowest, error));
    cardo_state_copy(lowest, how->state);
    if (how->rounds == 0) {
        bool heated;
        status = heat(how, lowest, 1, out, &heated, error);
        goto done;
    }
    CARDO_TRY(cool(how, out, &out->before, error));
    out->after = out->before;
    if (isfinite(out->before))
        cardo_state_copy(lowest, how->state);
    else
        cardo_state_copy(how->state, lowest);
    for (int round = 1; round <= how->rounds && out->idle < MOST_IDLE && isfinite(out->before) &&
                        !out->interrupted;
         ++round)
        CARDO_TRY(try_round(how, round, lowest, out, error));
    status = cardo_realize(how->system, how->state, CARDO_STAGE_POSITION, error);
done:
    cardo_state_destroy(lowest);
    return status;
}
