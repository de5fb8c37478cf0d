/* Sampling along LAO's own path, with its masses: a double well on q, whose
 * density sqrt(det M) exp(-U/kT), or exp(-U/kT) with Fixman's potential, is known by quadrature. */
#include "base/units.h"
#include "dynamics/evaluation/callback_provider.h"
#include "dynamics/simulation.h"
#include "model/model.h"
#include "multibody/tree/operators.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>

enum { BINS = 10, GRID = 4000, SAMPLES = 2500 };

static const double temperature = 300;
/* The wells cover the path where it is measured, and beyond it by a little. */
static const double low = -0.2, high = 1.2;

typedef struct well {
    int q; /* the path's coordinate; its speed */
    int u;
} well;

static double energy_at(double q, double *force)
{
    double x = q - 0.5;
    /* Minima at 0.25 and 0.75, 3.5 kJ/mol deep: about three quarters of a kT above the barrier. */
    const double depth = 3.5, a = 0.25 * 0.25, t = x * x / a - 1;
    *force = -4 * depth * t * x / a;
    return depth * t * t;
}

static cardo_status push(void *user, cardo_force_evaluation *evaluation, cardo_error *error)
{
    (void)error;
    const well *w = user;
    double force;
    evaluation->energy = energy_at(evaluation->q[w->q], &force);
    evaluation->mobility_forces[w->u] += force;
    return CARDO_OK;
}

typedef struct lao {
    cardo_model *model;
    cardo_system *system;
    cardo_state *state;
} lao;

static void make(lao *l, well *w)
{
    cardo_error error;
    cardo_body_info info;
    assert_ok(cardo_model_from_pair(support_shared("pdb/2lao.pdb"), support_shared("pdb/1lst.pdb"),
                                    "1-89,194-238", "92-191", "90-91,192-193", "screw", false,
                                    &l->model, &error),
              &error);
    assert_ok(cardo_model_compile(l->model, NULL, &l->system, &error), &error);
    assert_ok(cardo_state_create(l->system, &l->state, &error), &error);
    cardo_system_body(l->system, 2, &info);
    assert_int_equal(info.nq, 1);
    w->q = info.q_first;
    w->u = info.u_first;
}

static void release(lao *l)
{
    cardo_state_destroy(l->state);
    cardo_system_destroy(l->system);
    cardo_model_destroy(l->model);
}

static void place(lao *l, const well *w, double at)
{
    cardo_error error;
    double q[16];
    for (int k = 0; k < cardo_system_nq(l->system); ++k)
        q[k] = cardo_state_q(l->state)[k];
    q[w->q] = at;
    cardo_state_set_q(l->state, q);
    assert_ok(cardo_realize(l->system, l->state, CARDO_STAGE_DYNAMICS, &error), &error);
}

/* Edges of bins of equal probability, by quadrature. */
static void quantiles(lao *l, const well *w, bool rigid, double edges[BINS + 1], double *variation)
{
    static double sum[GRID + 1];
    const double kT = CARDO_BOLTZMANN * temperature, cell = (high - low) / GRID;
    cardo_error error;
    double first = 0, least = HUGE_VAL, most = -HUGE_VAL;
    sum[0] = 0;
    for (int k = 0; k < GRID; ++k) {
        double q = low + (k + 0.5) * cell, log_det, unused;
        place(l, w, q);
        assert_ok(cardo_log_det_m(l->system, l->state, &log_det, &error), &error);
        if (k == 0)
            first = log_det;
        least = fmin(least, log_det);
        most = fmax(most, log_det);
        sum[k + 1] =
            sum[k] + exp((rigid ? 0.5 * (log_det - first) : 0) - energy_at(q, &unused) / kT);
    }
    *variation = exp(0.5 * (most - least));
    edges[0] = -HUGE_VAL;
    edges[BINS] = HUGE_VAL;
    for (int bin = 1, k = 0; bin < BINS; ++bin) {
        double target = sum[GRID] * bin / BINS;
        while (sum[k + 1] < target)
            ++k;
        edges[bin] = low + cell * (k + (target - sum[k]) / (sum[k + 1] - sum[k]));
    }
}

/* Chi squared of samples far enough apart to be independent, over bins of equal probability: below
 * 27.88 with probability 0.999 at nine degrees of freedom. */
static double chi_squared(const lao *l, const well *w, cardo_simulation *simulation, int stride,
                          const double edges[BINS + 1])
{
    cardo_error error;
    cardo_end end;
    int count[BINS] = {0};
    double sum = 0;
    for (int k = 0; k < SAMPLES; ++k) {
        assert_ok(cardo_simulation_run(simulation, 500 + (long long)stride * k, NULL, &end, &error),
                  &error);
        double q = cardo_state_q(l->state)[w->q];
        int bin = 0;
        while (q > edges[bin + 1])
            ++bin;
        ++count[bin];
    }
    for (int bin = 0; bin < BINS; ++bin) {
        double expected = (double)SAMPLES / BINS;
        sum += (count[bin] - expected) * (count[bin] - expected) / expected;
    }
    return sum;
}

static void run(const cardo_integrator *integrator, bool rigid, double timestep, int stride)
{
    lao l;
    well w = {0};
    cardo_error error;
    cardo_force_provider *provider;
    cardo_simulation *simulation;
    cardo_simulation_options options;
    double edges[BINS + 1], variation, own[128];
    make(&l, &w);
    quantiles(&l, &w, rigid, edges, &variation);
    place(&l, &w, 0.4);
    cardo_fields_default(cardo_simulation_fields, &options);
    cardo_fields_default(integrator->fields, own);
    if (cardo_fields_find(integrator->fields, "friction"))
        assert_ok(cardo_fields_set(integrator->fields, own, "friction", "0.7", &error), &error);
    if (integrator->traits & CARDO_INTEGRATOR_REJECTS)
        assert_ok(cardo_fields_set(integrator->fields, own, "flights", "4", &error), &error);
    assert_ok(cardo_fields_set(integrator->fields, own, "flight-tolerance", "1e-7", &error),
              &error);
    options.timestep = timestep;
    options.temperature = temperature;
    options.seed = (long long)support_seed(8);
    options.ensemble = rigid ? CARDO_ENSEMBLE_RIGID : CARDO_ENSEMBLE_FIXMAN;
    assert_ok(
        cardo_callback_provider_create(push, &w, CARDO_FORCE_DETERMINISTIC, &provider, &error),
        &error);
    assert_ok(cardo_simulation_create(l.system, l.state, provider, integrator, &options, own,
                                      &simulation, &error),
              &error);
    assert_ok(cardo_simulation_start(simulation, &error), &error);
    double chi = chi_squared(&l, &w, simulation, stride, edges);
    print_message("%s, %s: chi squared %.1f (sqrt det M varies %.3f-fold)\n", integrator->name,
                  rigid ? "rigid" : "fixman", chi, variation);
    assert_true(chi < 27.88);
    cardo_simulation_destroy(simulation);
    cardo_force_provider_destroy(provider);
    release(&l);
}

static void histograms_are_those_of_quadrature(void **test)
{
    (void)test;
    for (int rigid = 0; rigid < 2; ++rigid) {
        run(&cardo_integrator_langevin, rigid, 0.1, 100);
        if (rigid)
            run(&cardo_integrator_hmc, rigid, 0.4, 12);
        else
            run(&cardo_integrator_ghmc, rigid, 0.3, 16);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {shared_statistical_test(histograms_are_those_of_quadrature)};
    return support_run(tests, NULL, NULL);
}
