#include "linkages.h"

#include "analysis/free_energy/coordinate_bins.h"
#include "base/random.h"
#include "base/units.h"
#include "multibody/tree/operators.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum { LINKS = 10, MIDDLE = 5 };

const char *const linkage_names[] = {"shoulder", "elbow", "chain"};

static const cardo_bins bins = {LINKAGE_BINS, -CARDO_PI, CARDO_PI, true};

/* Two arms in a field that pulls both, and a stiff elbow: kJ/mol, and slopes. */
static double pendulum_energy(double shoulder, double elbow, double slope[2])
{
    const double upper = 3, lower = 4, fold = 3;
    slope[0] = upper * sin(shoulder) + lower * sin(shoulder + elbow);
    slope[1] = lower * sin(shoulder + elbow) + 2 * fold * sin(2 * elbow);
    return -upper * cos(shoulder) - lower * cos(shoulder + elbow) - fold * cos(2 * elbow);
}

static cardo_status pull_pendulum(void *user, cardo_force_evaluation *evaluation,
                                  cardo_error *error)
{
    (void)user;
    (void)error;
    double slope[2];
    evaluation->energy = pendulum_energy(evaluation->q[0], evaluation->q[1], slope);
    for (int k = 0; k < 2; ++k)
        evaluation->mobility_forces[k] -= slope[k];
    return CARDO_OK;
}

/* Of the chain: torsions of one joint each, in the middle one with two wells, and couplings of
 * neighbours. */
static double torsion(int k, double q, double *slope)
{
    const double height = 3 + 0.3 * k, rest = 0.4 * k - 2, wells = k == MIDDLE ? 4 : 0;
    *slope = height * sin(q - rest) + 2 * wells * sin(2 * q);
    return -height * cos(q - rest) - wells * cos(2 * q);
}

static double neighbours(double q, double next, double *slope)
{
    const double strength = 1.5;
    *slope = strength * sin(q - next);
    return -strength * cos(q - next);
}

static cardo_status pull_chain(void *user, cardo_force_evaluation *evaluation, cardo_error *error)
{
    (void)user;
    (void)error;
    const double *q = evaluation->q;
    double slope;
    evaluation->energy = 0;
    for (int k = 0; k < LINKS; ++k) {
        evaluation->energy += torsion(k, q[k], &slope);
        evaluation->mobility_forces[k] -= slope;
        if (k + 1 == LINKS)
            break;
        evaluation->energy += neighbours(q[k], q[k + 1], &slope);
        evaluation->mobility_forces[k] -= slope;
        evaluation->mobility_forces[k + 1] += slope;
    }
    return CARDO_OK;
}

void linkage_make(landscape *l, linkage_kind kind, bool fixman, const char *method)
{
    cardo_error error;
    bool chain = kind == LINKAGE_CHAIN;
    landscape_make(l, chain ? model_links : model_double, LANDSCAPE_HARMONIC, fixman,
                   &cardo_integrator_hmc, method);
    l->coordinate = chain ? MIDDLE : kind == LINKAGE_ELBOW ? 1 : 0;
    cardo_force_provider_destroy(l->model.provider);
    assert_ok(cardo_callback_provider_create(chain ? pull_chain : pull_pendulum, l,
                                             CARDO_FORCE_DETERMINISTIC | CARDO_FORCE_WANTS_POSES,
                                             &l->model.provider, &error),
              &error);
    const cardo_variable_definition definition = {
        .name = linkage_names[kind], .coordinate = l->coordinate, .period = 2 * CARDO_PI};
    cardo_variable_destroy(l->variable);
    assert_ok(cardo_variable_create(&cardo_variable_coordinate, l->model.system, &definition,
                                    &l->variable, &error),
              &error);
    l->options.from = -CARDO_PI;
    l->options.to = CARDO_PI;
    landscape_set(l, "timestep", chain ? "0.08" : "0.15");
    landscape_set(l, "flights", "8");
    if (strcmp(method, "scan") != 0)
        landscape_set(l, "pull", "0");
}

/* Mean densities of bins become F, normalized. */
static void normalize(double F[LINKAGE_BINS])
{
    double sum = 0;
    for (int b = 0; b < LINKAGE_BINS; ++b)
        sum += F[b] * cardo_bin_width(&bins);
    for (int b = 0; b < LINKAGE_BINS; ++b)
        F[b] = -log(F[b] / sum);
}

/* sqrt(det M) of model_double, from the sizes in its definition: moments about the joints, and the
 * lower arm's centre of mass seen along the upper arm. */
static double pendulum_metric(double elbow)
{
    const double upper = 1.5 + 20 * 0.25, mass = 15, lower = 1.2 + mass * (0.1 * 0.1 + 0.6 * 0.6);
    const double along = 0.6 * cos(elbow) - 0.1 * sin(elbow), moment = mass * along;
    return sqrt((upper + lower + mass + 2 * moment) * lower - (lower + moment) * (lower + moment));
}

static void pendulum_truth(landscape *l, linkage_kind kind, double F[LINKAGE_BINS])
{
    enum { POINTS = 40, ALL = LINKAGE_BINS * POINTS };
    const double kT = CARDO_BOLTZMANN * l->simulation.temperature;
    bool rigid = l->simulation.ensemble == CARDO_ENSEMBLE_RIGID;
    for (int i = 0; i < ALL; ++i)
        for (int j = 0; j < ALL; ++j) {
            double slope[2], q[2] = {-CARDO_PI + (i + 0.5) * 2 * CARDO_PI / ALL,
                                     -CARDO_PI + (j + 0.5) * 2 * CARDO_PI / ALL};
            double density =
                exp(-pendulum_energy(q[0], q[1], slope) / kT) * (rigid ? pendulum_metric(q[1]) : 1);
            F[(kind == LINKAGE_ELBOW ? j : i) / POINTS] += density;
        }
    normalize(F);
}

/* Cumulated density of one joint's torsion by itself. */
enum { TABLE = 720 };

static double draw_torsion(const double *cumulated, double uniform)
{
    int low = 0, high = TABLE;
    double at = uniform * cumulated[TABLE];
    while (high - low > 1) {
        int middle = (low + high) / 2;
        *(cumulated[middle] <= at ? &low : &high) = middle;
    }
    double part = (at - cumulated[low]) / (cumulated[low + 1] - cumulated[low]);
    return -CARDO_PI + (low + part) * 2 * CARDO_PI / TABLE;
}

/* Each torsion's density is piecewise constant in the table, and what it lacks goes into the weight. */
static double draw_chain(landscape *l, double (*cumulated)[TABLE + 1], cardo_random *random,
                         double *q)
{
    cardo_error error;
    double uniform[LINKS], log_det = 0, slope, energy = 0, weight = 1;
    const double kT = CARDO_BOLTZMANN * l->simulation.temperature;
    cardo_random_uniform(random, LINKS, uniform);
    for (int k = 0; k < LINKS; ++k) {
        q[k] = draw_torsion(cumulated[k], uniform[k]);
        int cell = (int)((q[k] + CARDO_PI) * TABLE / (2 * CARDO_PI));
        cell = cell < TABLE ? cell : TABLE - 1;
        weight /= cumulated[k][cell + 1] - cumulated[k][cell];
        energy += torsion(k, q[k], &slope);
    }
    for (int k = 0; k + 1 < LINKS; ++k)
        energy += neighbours(q[k], q[k + 1], &slope);
    if (l->simulation.ensemble == CARDO_ENSEMBLE_RIGID) {
        cardo_state_set_q(l->model.state, q);
        assert_ok(cardo_realize(l->model.system, l->model.state, CARDO_STAGE_DYNAMICS, &error),
                  &error);
        assert_ok(cardo_log_det_m(l->model.system, l->model.state, &log_det, &error), &error);
    }
    return weight * exp(0.5 * log_det - energy / kT);
}

static void chain_truth(landscape *l, int draws, double F[LINKAGE_BINS], double sigma[LINKAGE_BINS])
{
    static double cumulated[LINKS][TABLE + 1];
    const double kT = CARDO_BOLTZMANN * l->simulation.temperature;
    cardo_random random = cardo_random_start(20261122, 9);
    double slope, squares[LINKAGE_BINS] = {0};
    /* The sampled angle is drawn evenly, so that every bin is known alike. */
    for (int k = 0; k < LINKS; ++k)
        for (int i = 0; i < TABLE; ++i) {
            double q = -CARDO_PI + (i + 0.5) * 2 * CARDO_PI / TABLE;
            double density = k == MIDDLE ? 1 : exp(-torsion(k, q, &slope) / kT);
            cumulated[k][i + 1] = cumulated[k][i] + density;
        }
    for (int n = 0; n < draws; ++n) {
        double q[LINKS], weight = draw_chain(l, cumulated, &random, q);
        int b = cardo_bin_of(&bins, q[MIDDLE]);
        F[b] += weight;
        squares[b] += weight * weight;
    }
    for (int b = 0; b < LINKAGE_BINS; ++b)
        sigma[b] = sqrt(squares[b]) / F[b];
    normalize(F);
}

void linkage_truth(landscape *l, linkage_kind kind, int draws, double F[LINKAGE_BINS],
                   double sigma[LINKAGE_BINS])
{
    for (int b = 0; b < LINKAGE_BINS; ++b)
        F[b] = sigma[b] = 0;
    if (kind == LINKAGE_CHAIN)
        chain_truth(l, draws, F, sigma);
    else
        pendulum_truth(l, kind, F);
}
