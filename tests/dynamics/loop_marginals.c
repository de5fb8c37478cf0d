/* loop_marginals LOOP ENSEMBLE SAMPLES FLIGHTS TIMESTEP SEED [SCALE]: samples a closed molecular loop (tests/reference/multibody/loops.json.gz) by
 * hmc, one sample a move of so many flights, and judges the marginal of each coordinate that has exact bins: chi-square against the
 * densities of all three ensembles, with as many independent samples as the slowest coordinate's correlation leaves. By hand: a good answer
 * takes minutes, or fewer with a light domain (SCALE of its mass), which the fully corrected density does not know. */
#include "loop_model.h"

#include "multibody/reference_json.h"
#include "support/reference.h"
#include "support/support.h"

#include "cardo/simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BINS = 64 };
static const double pi = 3.14159265358979323846;

/* Upper tail of the chi-square distribution (Wilson & Hilferty 1931). */
static double tail(double chi2, double degrees)
{
    const double z = (cbrt(chi2 / degrees) - (1 - 2 / (9 * degrees))) / sqrt(2 / (9 * degrees));
    return 0.5 * erfc(z / sqrt(2));
}

/* Integrated correlation time of a series, in samples, by growing windows (Sokal 1989). */
static double correlation_time(const double *x, int n)
{
    double mean = 0, variance = 0, tau = 1;
    for (int i = 0; i < n; ++i)
        mean += x[i] / n;
    for (int i = 0; i < n; ++i)
        variance += (x[i] - mean) * (x[i] - mean) / n;
    for (int lag = 1; lag < n / 3 && lag < 6 * tau + 1; ++lag) {
        double sum = 0;
        for (int i = 0; i + lag < n; ++i)
            sum += (x[i] - mean) * (x[i + lag] - mean) / (n - lag);
        tau += 2 * fmax(sum, 0) / variance;
    }
    return tau;
}

static void judge(const char *name, const json_t *marginal, int coordinate, const double *x, int n,
                  double independent)
{
    static const char *const ensembles[] = {"rigid", "closure_corrected", "fully_corrected"};
    double edges[MOST_BINS + 1], exact[MOST_BINS], count[MOST_BINS] = {0};
    const int nedge = reference_flatten(
        json_array_get(json_object_get(marginal, "bin_edges"), (size_t)coordinate), edges,
        MOST_BINS + 1);
    for (int i = 0; i < n; ++i) {
        const double value = coordinate == 0 ? x[i] : remainder(x[i], 2 * pi);
        for (int b = 0; b + 1 < nedge; ++b)
            if (value >= edges[b] && value < edges[b + 1])
                count[b] += 1;
    }
    printf("%s", name);
    for (int e = 0; e < 3; ++e) {
        double chi2 = 0;
        int used = 0;
        reference_flatten(
            json_array_get(json_object_get(json_object_get(marginal, ensembles[e]), "bins"),
                           (size_t)coordinate),
            exact, MOST_BINS);
        for (int b = 0; b + 1 < nedge; ++b) {
            const double expected = exact[b] * independent, got = count[b] / n * independent;
            if (expected < 5)
                continue;
            chi2 += (got - expected) * (got - expected) / expected;
            ++used;
        }
        printf("   %s chi2 %.1f of %d, p %.2g", ensembles[e], chi2, used - 1, tail(chi2, used - 1));
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    if (argc != 7 && argc != 8) {
        fprintf(stderr, "loop_marginals LOOP ENSEMBLE SAMPLES FLIGHTS TIMESTEP SEED [SCALE]\n");
        return 2;
    }
    const int samples = atoi(argv[3]);
    char ensemble[64], flights[64], timestep[64], seed[64], report[256] = "";
    cardo_error error = {0};
    cardo_simulation *simulation;
    cardo_end end;
    loop_model model;
    json_t *files = support_json(support_source("tests/reference/multibody/loops.json.gz"));
    loop_open(&model, json_object_get(files, argv[1]), argc == 8 ? atof(argv[7]) : 1);
    const int nq = cardo_system_nq(model.system);
    snprintf(ensemble, sizeof ensemble, "ensemble=%s", argv[2]);
    snprintf(flights, sizeof flights, "flights=%s", argv[4]);
    snprintf(timestep, sizeof timestep, "timestep=%s", argv[5]);
    snprintf(seed, sizeof seed, "seed=%s", argv[6]);
    const char *const options[] = {ensemble, flights, timestep, seed, "flight-tolerance=1e-8"};
    if (cardo_simulation_open(model.system, model.state, model.provider, "hmc", 5, options,
                              &simulation, &error) ||
        cardo_simulation_start(simulation, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    double *x = calloc((size_t)nq * (size_t)samples, sizeof *x), slowest = 1;
    for (int s = 0; s < samples; ++s) {
        if (cardo_simulation_run(simulation, 50 + s, NULL, &end, &error)) {
            fprintf(stderr, "%s\n", error.message);
            return 1;
        }
        for (int i = 0; i < nq; ++i)
            x[i * samples + s] = cardo_state_q(model.state)[i];
    }
    cardo_simulation_report(simulation, report, sizeof report);
    for (int i = 0; i < nq; ++i)
        slowest = fmax(slowest, correlation_time(x + i * samples, samples));
    printf("%s, %s: %d samples, %s; %.0f independent\n", argv[1], argv[2], samples, report,
           samples / slowest);
    const json_t *marginal = json_object_get(model.file, "marginal");
    const int ncolumn = (int)json_array_size(json_object_get(marginal, "bin_edges"));
    for (int i = 0; i < nq && i < ncolumn; ++i) {
        char name[16];
        snprintf(name, sizeof name, "q%d", i);
        judge(name, marginal, i, x + i * samples, samples, samples / slowest);
    }
    free(x);
    cardo_simulation_destroy(simulation);
    loop_close(&model);
    json_decref(files);
    return 0;
}
