#include "sampling/methods/free_walkers.h"

#include "sampling/methods/windows.h"

#include <math.h>
#include <string.h>

enum { WALL_PARTS = 50, LOOKS = 33 };

bool cardo_range_is_round(const cardo_sampling *sampling)
{
    double period = cardo_variable_period(sampling->plan.variable);
    return period > 0 && sampling->options.to - sampling->options.from > period * (1 - 1e-9);
}

/* Walkers that nothing holds are driven over the whole range, so all of it must be free, not only the
 * places where they begin. */
static cardo_status look_around(cardo_sampling *sampling, const volatile sig_atomic_t *interrupt,
                                cardo_end *end, cardo_error *error)
{
    cardo_status status;
    cardo_crew crew = {0};
    const double from = sampling->options.from, range = sampling->options.to - from;
    CARDO_TRY(cardo_crew_create(&sampling->walk, sampling->plan.communicator, LOOKS, &crew, error));
    for (int k = 0; k < LOOKS; ++k) {
        CARDO_TRY(cardo_bias_create(&crew.walkers[k].bias, &cardo_bias_none, 0, 0, error));
        crew.walkers[k].place = from + k * range / (LOOKS - 1);
    }
    status = cardo_sampling_equilibrate(sampling, &crew, "look", 0, interrupt, end, error);
done:
    cardo_crew_clear(&crew);
    return status;
}

/* Walker k, its grid and its walls. */
static cardo_status make(const cardo_sampling *sampling, const cardo_free_walkers *walkers, int k,
                         double stiffness, cardo_error *error)
{
    const double from = sampling->options.from, range = sampling->options.to - from;
    const double part = range / walkers->nwalker,
                 period = cardo_variable_period(sampling->plan.variable);
    cardo_walker *walker = &sampling->crew.walkers[k];
    cardo_status status = cardo_bias_grid_create(&walker->bias, period, walkers->nnode,
                                                 walkers->low, walkers->spacing, error);
    if (status != CARDO_OK)
        return status;
    walker->place = from + (k + 0.5) * part;
    walker->bias.values[CARDO_GRID_WALL_LOW] = walkers->strata ? from + k * part : from;
    walker->bias.values[CARDO_GRID_WALL_HIGH] =
        walkers->strata ? from + (k + 1) * part : from + range;
    walker->bias.values[CARDO_GRID_WALL_STIFFNESS] = stiffness;
    return CARDO_OK;
}

/* Where a walker by itself begins: as the model does, or, in a replica of odd number, at the end of the
 * range that is farther from there. */
static cardo_status place_one(const cardo_sampling *sampling, double *place, cardo_error *error)
{
    const double from = sampling->options.from, to = sampling->options.to;
    cardo_status status =
        cardo_variable_value(sampling->plan.variable, sampling->plan.start, place, error);
    double start = cardo_sampling_image(sampling, *place);
    if (sampling->number % 2 == 1)
        *place = to - start >= start - from ? to : from;
    return status;
}

cardo_status cardo_free_walkers_prepare(cardo_sampling *sampling, const cardo_free_walkers *walkers,
                                        const volatile sig_atomic_t *interrupt, cardo_end *end,
                                        cardo_error *error)
{
    cardo_status status;
    double stiffness = 0;
    if (walkers->strata && cardo_range_is_round(sampling))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "strata have ends, and this range covers a whole period: take a shorter "
                          "range or no strata");
    if (!cardo_range_is_round(sampling))
        CARDO_TRY(cardo_windows_stiffest(sampling, WALL_PARTS, &stiffness, error));
    CARDO_TRY(look_around(sampling, interrupt, end, error));
    CARDO_TRY(cardo_sampling_make_crew(sampling, walkers->nwalker, error));
    for (int k = 0; k < walkers->nwalker; ++k)
        CARDO_TRY(make(sampling, walkers, k, stiffness, error));
    if (walkers->nwalker == 1)
        CARDO_TRY(place_one(sampling, &sampling->crew.walkers[0].place, error));
    CARDO_TRY(cardo_sampling_equilibrate(sampling, &sampling->crew, "equilibration",
                                         sampling->options.equilibration, interrupt, end, error));
done:
    return status;
}

void cardo_free_walkers_share(cardo_sampling *sampling)
{
    const cardo_bias_potential *bias = &sampling->crew.walkers[0].bias;
    const size_t size = (size_t)(bias->nvalue - CARDO_GRID_HEAD) * sizeof *bias->values;
    for (int k = 0; k < sampling->crew.nwalker; ++k) {
        cardo_walker *walker = &sampling->crew.walkers[k];
        if (k > 0)
            memcpy(cardo_bias_grid_values(&walker->bias), cardo_bias_grid_values(bias), size);
        walker->moved = true;
    }
}

/* Of one walker, over a part of the range. */
static int count_passages(const cardo_walker *walker, double from, double range, bool round)
{
    int passages = 0, last = 0;
    for (int i = 0; i < walker->nsample; ++i) {
        double x =
            cardo_periodic_difference(walker->xi[i], from + 0.5 * range, walker->bias.period) /
            range;
        int side = round ? (fabs(x) < 0.1 ? -1 : fabs(x) > 0.4) : x < -0.4 ? -1 : x > 0.4;
        passages += side * last < 0;
        last = side ? side : last;
    }
    return passages;
}

int cardo_free_walkers_passages(const cardo_sampling *sampling)
{
    const double from = sampling->options.from, range = sampling->options.to - from;
    const bool round = cardo_range_is_round(sampling);
    int passages = 0;
    for (int k = 0; k < sampling->crew.nwalker; ++k)
        passages += count_passages(&sampling->crew.walkers[k], from, range, round);
    return passages;
}

int cardo_free_walkers_least_passages(const cardo_sampling *sampling)
{
    const int n = sampling->crew.nwalker;
    const double from = sampling->options.from, part = (sampling->options.to - from) / n;
    int least = -1;
    for (int k = 0; k < n; ++k) {
        int passages = count_passages(&sampling->crew.walkers[k], from + k * part, part, false);
        least = least < 0 || passages < least ? passages : least;
    }
    return least;
}
