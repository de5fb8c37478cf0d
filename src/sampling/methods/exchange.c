#include "sampling/methods/exchange.h"

#include "base/number.h"
#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* keep: for each walker the replica that is there; for each replica the end that it saw last (-1
 * first window, 1 last one, 0 none) and its half round trips; swaps tried and taken of each walker
 * with the next window and with the next temperature. */
enum { REPLICA, LAST_END, HALF_TRIPS, TRIED, TAKEN, TRIED_HOT, TAKEN_HOT, ROWS };

static int nwalker_of(cardo_exchange_grid grid)
{
    return grid.nwindow * grid.ntemperature;
}

int cardo_exchange_keep_count(cardo_exchange_grid grid)
{
    return ROWS * nwalker_of(grid);
}

void cardo_exchange_start(cardo_exchange_grid grid, double *keep)
{
    const int n = nwalker_of(grid);
    memset(keep, 0, (size_t)(ROWS * n) * sizeof *keep);
    for (int k = 0; k < n; ++k)
        keep[REPLICA * n + k] = k;
}

/* The energy over kT that walker i would have where walker j is. */
static double reduced(const cardo_walker *i, const cardo_walker *j)
{
    double slope, xi = j->xi[j->nsample - 1];
    return (j->potential[j->nsample - 1] + cardo_bias_evaluate(&i->bias, xi, &slope)) /
           (CARDO_BOLTZMANN * i->temperature);
}

static void swap_values(double *a, double *b, int n, double scale_a, double scale_b)
{
    for (int k = 0; k < n; ++k) {
        double old = a[k];
        a[k] = scale_a * b[k];
        b[k] = scale_b * old;
    }
}

static void swap(cardo_walker *i, cardo_walker *j)
{
    const cardo_system *system = i->walk->system;
    double scale = sqrt(i->temperature / j->temperature);
    swap_values(cardo_walker_record_q(i), cardo_walker_record_q(j), cardo_system_nq(system), 1, 1);
    swap_values(cardo_walker_record_u(i), cardo_walker_record_u(j), cardo_system_nu(system), scale,
                1 / scale);
    i->moved = j->moved = true;
}

/* Pairs of one round share no walker, so the last samples are those of the records as they stand. */
static bool try_pair(cardo_sampling *sampling, int i, int j, double chance)
{
    cardo_walker *a = &sampling->crew.walkers[i], *b = &sampling->crew.walkers[j];
    double change = reduced(a, b) + reduced(b, a) - reduced(a, a) - reduced(b, b);
    if (!(chance < exp(-change)))
        return false;
    swap(a, b);
    return true;
}

static void follow_replicas(cardo_exchange_grid grid, double *keep)
{
    const int n = nwalker_of(grid), last = grid.nwindow - 1;
    for (int k = 0; k < n; ++k) {
        int window = k % grid.nwindow, replica = (int)keep[REPLICA * n + k];
        double end = window == 0 ? -1 : window == last ? 1 : 0;
        double *seen = &keep[LAST_END * n + replica];
        if (end == 0)
            continue;
        keep[HALF_TRIPS * n + replica] += *seen == -end;
        *seen = end;
    }
}

void cardo_exchange(cardo_sampling *sampling, cardo_exchange_grid grid, double *keep)
{
    const int n = nwalker_of(grid);
    /* Windows and temperatures take turns, and so do even and odd pairs. */
    bool both = grid.ntemperature > 1 && grid.nwindow > 1;
    bool hot = grid.nwindow == 1 || (both && sampling->round % 2 == 1);
    int odd = (int)((both ? sampling->round / 2 : sampling->round) % 2);
    int stride = hot ? grid.nwindow : 1;
    for (int k = 0; k < n; ++k) {
        int rung = hot ? k / grid.nwindow : k % grid.nwindow;
        int rungs = hot ? grid.ntemperature : grid.nwindow;
        if (rung % 2 != odd || rung + 1 >= rungs)
            continue;
        double chance = cardo_sampling_draw(sampling, k);
        keep[(hot ? TRIED_HOT : TRIED) * n + k] += 1;
        if (!try_pair(sampling, k, k + stride, chance))
            continue;
        keep[(hot ? TAKEN_HOT : TAKEN) * n + k] += 1;
        swap_values(&keep[REPLICA * n + k], &keep[REPLICA * n + k + stride], 1, 1, 1);
    }
    follow_replicas(grid, keep);
}

static int report_swaps(const double *tried, const double *taken, int n, const char *what,
                        char *text, size_t size)
{
    double lowest = HUGE_VAL, sum = 0, all = 0;
    for (int k = 0; k < n; ++k)
        if (tried[k] > 0) {
            lowest = fmin(lowest, taken[k] / tried[k]);
            sum += taken[k];
            all += tried[k];
        }
    return all > 0 ? cardo_format(text, size,
                                  "exchange between %s: %.0f %% of %.0f swaps taken, %.0f %% where "
                                  "fewest\n",
                                  what, 100 * sum / all, all, 100 * lowest)
                   : 0;
}

int cardo_exchange_passages(cardo_exchange_grid grid, const double *keep)
{
    const int n = nwalker_of(grid);
    double trips = 0;
    for (int k = 0; k < n; ++k)
        trips += keep[HALF_TRIPS * n + k];
    return (int)trips;
}

void cardo_exchange_report(cardo_exchange_grid grid, const double *keep, char *text, size_t size)
{
    const int n = nwalker_of(grid);
    double tried = 0;
    text[0] = '\0';
    for (int k = 0; k < n; ++k)
        tried += keep[TRIED * n + k];
    size_t used =
        (size_t)report_swaps(keep + TRIED * n, keep + TAKEN * n, n, "windows", text, size);
    used += (size_t)report_swaps(keep + TRIED_HOT * n, keep + TAKEN_HOT * n, n, "temperatures",
                                 text + used, size - used);
    if (tried > 0)
        snprintf(text + used, size - used,
                 "exchange: %d passages of a configuration from one end to the other\n",
                 cardo_exchange_passages(grid, keep));
}
