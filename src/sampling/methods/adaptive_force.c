#include "sampling/methods/adaptive_force.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"
#include "multibody/tree/force_element.h"
#include "multibody/tree/operators.h"
#include "sampling/methods/free_walkers.h"
#include "sampling/methods/manifold_force.h"
#include "sampling/variables/response.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BLOCKS = 128 };

/* What the method keeps: rounds in a block, blocks that are full, rounds in the one that fills; then
 * the three sums (analysis/free_energy/mean_force_blocks.h) of BLOCKS + 2 blocks: those that are full, the one that
 * fills, and all together; then those of each walker, over all time. */
enum { LENGTH, FULL, FILLING, KEPT };
enum { SQUARE, NEXT, MOMENT, SUMS };
enum { OPEN_BLOCK = BLOCKS, ALL_BLOCKS };

typedef struct adaptive_force_options {
    int walkers, bins;
    double ramp;
    bool strata;
} adaptive_force_options;

const cardo_field cardo_adaptive_force_fields[] = {
    {"walkers", CARDO_FIELD_INT, offsetof(adaptive_force_options, walkers), "", "1", 1, 10000, NULL,
     "walkers that share their mean forces, spread over the range at the beginning"},
    {"force-bins", CARDO_FIELD_INT, offsetof(adaptive_force_options, bins), "", "50", 4, 1000, NULL,
     "parts of the range; between their ends the mean force is taken to be straight"},
    {"ramp", CARDO_FIELD_DOUBLE, offsetof(adaptive_force_options, ramp), "", "200", 1, 1e12, NULL,
     "steps about an end of two bins until its force is biased away wholly; half as many before it "
     "begins; what it lacks is borrowed from neighbours that have all"},
    {"strata", CARDO_FIELD_BOOL, offsetof(adaptive_force_options, strata), "", "no", 0, 0, NULL,
     "each walker keeps to an equal part of the range: for ways too long or too steep for one to "
     "go "
     "over all of them"},
    {0},
};

/* Memory for one step. */
typedef struct working {
    int speed; /* of the coordinate                                           */
    double *tau, *velocity_part, *log_det; /* (nu)                             */
    bool constrained;
    cardo_manifold_force manifold; /* where it is */
} working;

static const adaptive_force_options *options_of(const cardo_sampling *sampling)
{
    return (const adaptive_force_options *)sampling->method_options.bytes;
}

static double kT_of(const cardo_sampling *sampling)
{
    return CARDO_BOLTZMANN * sampling->walk.simulation.temperature;
}

cardo_force_nodes cardo_adaptive_force_nodes(const cardo_sampling *sampling)
{
    const int bins = options_of(sampling)->bins;
    bool round = cardo_range_is_round(sampling);
    return (cardo_force_nodes){round ? bins : bins + 1, sampling->options.from,
                               (sampling->options.to - sampling->options.from) / bins, round};
}

static double *sums(const cardo_sampling *sampling, int kind, int block)
{
    const size_t n = (size_t)cardo_adaptive_force_nodes(sampling).n;
    return sampling->keep + KEPT + ((size_t)kind * (BLOCKS + 2) + (size_t)block) * n;
}

/* Of all walkers, one after the other. */
static double *sums_of_walkers(const cardo_sampling *sampling, int kind)
{
    const size_t n = (size_t)cardo_adaptive_force_nodes(sampling).n;
    return sums(sampling, SUMS, 0) + (size_t)kind * (size_t)sampling->crew.nwalker * n;
}

static int keep_count(const cardo_sampling *sampling, int nwalker)
{
    return KEPT + SUMS * (BLOCKS + 2 + nwalker) * cardo_adaptive_force_nodes(sampling).n;
}

/* A periodic coordinate's value next to the range. */
static double near_range(const cardo_sampling *sampling, double xi)
{
    double middle = 0.5 * (sampling->options.from + sampling->options.to);
    double period = cardo_variable_period(sampling->plan.variable);
    return middle + cardo_periodic_difference(xi, middle, period);
}

/* Without constraints dF/dxi is the mean of dU/dxi - kT/2 d ln det M/dxi at constant other coordinates in
 * the rigid ensemble, of dU/dxi alone in Fixman's, whose force is -kT/2 d ln det M/dxi; over kT. tau: minus all
 * generalized forces. The bias is taken off. */
static cardo_status free_force(const cardo_sampling *sampling, const cardo_frame *frame,
                               double slope, double *force, cardo_error *error)
{
    const working *w = sampling->working;
    cardo_status status = cardo_log_det_m_gradient(frame->system, frame->state, w->log_det, error);
    *force = (w->tau[w->speed] - slope) / kT_of(sampling) - 0.5 * w->log_det[w->speed];
    return status;
}

/* The same on a manifold (manifold_force.h). */
static cardo_status constrained_force(const cardo_sampling *sampling, const cardo_frame *frame,
                                      double slope, double *force, cardo_error *error)
{
    working *w = sampling->working;
    cardo_status status = cardo_manifold_force_sample(&w->manifold, frame->state, w->speed, w->tau,
                                                      kT_of(sampling), force, error);
    *force -= slope / kT_of(sampling);
    return status;
}

/* Generalized forces of all kinds come from inverse dynamics without what velocities call for. */
static cardo_status gather(void *user, const cardo_walker *walker, const cardo_frame *frame,
                           double *gathered, cardo_error *error)
{
    const cardo_sampling *sampling = user;
    working *w = sampling->working;
    const int nu = cardo_system_nu(frame->system);
    double xi, slope, force;
    cardo_status status;
    CARDO_TRY(cardo_variable_value(sampling->plan.variable, frame->state, &xi, error));
    memset(w->log_det, 0, (size_t)nu * sizeof *w->log_det);
    CARDO_TRY(cardo_inverse_dynamics(
        frame->system, frame->state, w->log_det, cardo_evaluator_body_forces(frame->evaluator),
        cardo_evaluator_mobility_forces(frame->evaluator), w->tau, error));
    CARDO_TRY(cardo_bias(frame->system, frame->state, w->velocity_part, error));
    for (int k = 0; k < nu; ++k)
        w->tau[k] -= w->velocity_part[k];
    cardo_bias_evaluate(&walker->bias, xi, &slope);
    CARDO_TRY(
        (w->constrained ? constrained_force : free_force)(sampling, frame, slope, &force, error));
    const cardo_force_nodes nodes = cardo_adaptive_force_nodes(sampling);
    cardo_force_nodes_add(&nodes, near_range(sampling, xi), force, gathered + SQUARE * nodes.n,
                          gathered + NEXT * nodes.n, gathered + MOMENT * nodes.n);
done:
    return status;
}

static void free_working(cardo_sampling *sampling)
{
    working *w = sampling->working;
    cardo_manifold_force_clear(&w->manifold);
    cardo_free(w->tau);
    cardo_free(w->velocity_part);
    cardo_free(w->log_det);
    cardo_free(w);
    sampling->working = NULL;
}

/* The speed that is the coordinate's rate. */
static cardo_status find_speed(const cardo_sampling *sampling, int *speed, cardo_error *error)
{
    const cardo_variable *variable = sampling->plan.variable;
    const cardo_system *system = sampling->plan.system;
    if (cardo_system_nforce(system) > 0)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "adaptive-force does not see the forces of force elements: sample by "
                          "umbrella or metadynamics");
    if (cardo_variable_speed(variable, speed))
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "adaptive-force needs a coordinate whose rate is one of the model's speeds, "
                      "and %s is none: sample it by umbrella or metadynamics",
                      cardo_variable_name(variable));
}

static cardo_status open(cardo_sampling *sampling, cardo_error *error)
{
    cardo_status status;
    working *w = NULL;
    const int nu = cardo_system_nu(sampling->plan.system);
    CARDO_TRY(CARDO_ALLOCATE(&w, 1, error));
    sampling->working = w;
    CARDO_TRY(CARDO_ALLOCATE(&w->tau, nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&w->velocity_part, nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&w->log_det, nu, error));
    CARDO_TRY(find_speed(sampling, &w->speed, error));
    w->constrained = cardo_is_constrained(sampling->plan.system);
    if (w->constrained)
        CARDO_TRY(cardo_manifold_force_open(sampling->plan.system, &w->manifold, error));
    sampling->walk.ngather = SUMS * cardo_adaptive_force_nodes(sampling).n;
    sampling->walk.gather = gather;
    sampling->walk.gather_user = sampling;
done:
    return status;
}

/* Where one freedom turns back dF/dxi goes to infinity as 1/(xi - turning point). */
static cardo_status refuse_fold(const cardo_sampling *sampling, cardo_error *error)
{
    const cardo_fold *fold = &sampling->fold;
    if (!fold->found)
        return CARDO_OK;
    return CARDO_FAIL(
        error, CARDO_ERROR_INPUT,
        "adaptive-force: %s turns back at %.6g (where %s = %.4g), and its mean force has no "
        "bound there. Take a range that keeps away from that point, or sample by "
        "umbrella or metadynamics",
        cardo_variable_name(sampling->plan.variable), fold->xi, fold->name, fold->q);
}

static cardo_status prepare(cardo_sampling *sampling, const volatile sig_atomic_t *interrupt,
                            cardo_end *end, cardo_error *error)
{
    const cardo_force_nodes nodes = cardo_adaptive_force_nodes(sampling);
    const adaptive_force_options *options = options_of(sampling);
    const cardo_free_walkers walkers = {.nwalker = options->walkers,
                                        .nnode = nodes.n,
                                        .low = nodes.low,
                                        .spacing = nodes.spacing,
                                        .strata = options->strata};
    *end = CARDO_END_FAILED;
    cardo_status status = refuse_fold(sampling, error);
    if (status == CARDO_OK)
        status = cardo_free_walkers_prepare(sampling, &walkers, interrupt, end, error);
    if (status != CARDO_OK || *end != CARDO_END_DONE)
        return status;
    sampling->keep[LENGTH] = 1;
    cardo_sampling_note(
        sampling,
        "%d walker%s%s; mean forces along %d bins, shared after every %d steps, biased "
        "away wholly after %g steps in a bin\n",
        options->walkers, options->walkers > 1 ? "s" : "",
        options->strata ? ", each in a part of the range" : "", options->bins,
        sampling->options.round, options->ramp);
    cardo_crew_forget(&sampling->crew);
    return CARDO_OK;
}

/* Adds block `from` to block `to`, and empties it. */
static void pour(const cardo_sampling *sampling, int from, int to)
{
    const int n = cardo_adaptive_force_nodes(sampling).n;
    for (int kind = 0; kind < SUMS; ++kind)
        for (int i = 0; i < n; ++i) {
            sums(sampling, kind, to)[i] += sums(sampling, kind, from)[i];
            sums(sampling, kind, from)[i] = 0;
        }
}

/* A full row of blocks becomes half as many of twice the length. */
static void next_block(cardo_sampling *sampling)
{
    double *keep = sampling->keep;
    keep[FILLING] += 1;
    if (keep[FILLING] < keep[LENGTH])
        return;
    pour(sampling, OPEN_BLOCK, (int)keep[FULL]);
    keep[FILLING] = 0;
    keep[FULL] += 1;
    if (keep[FULL] < BLOCKS)
        return;
    for (int k = 1; k < BLOCKS; ++k)
        pour(sampling, k, k / 2);
    keep[FULL] = BLOCKS / 2;
    keep[LENGTH] *= 2;
}

/* Samples about a node, each shared by two. */
static double samples_about(const cardo_sampling *sampling, int i)
{
    const int n = cardo_adaptive_force_nodes(sampling).n;
    const double *next = sums(sampling, NEXT, ALL_BLOCKS);
    return sums(sampling, SQUARE, ALL_BLOCKS)[i] + next[i] + next[i > 0 ? i - 1 : n - 1];
}

/* How far the mean force at a node is known: of nothing 0, of all that it takes to be biased away wholly 1. */
static double known(const cardo_sampling *sampling, int i)
{
    return fmin(1, fmax(0, 2 * samples_about(sampling, i) / options_of(sampling)->ramp - 1));
}

/* The slope that takes away the force at a node, as far as that is known. */
static double own_slope(const cardo_sampling *sampling, int i)
{
    const double count = samples_about(sampling, i);
    return count > 0 ? -kT_of(sampling) * sums(sampling, MOMENT, ALL_BLOCKS)[i] / count : 0;
}

/* The mean over those neighbours whose force is known wholly. What a node lacks it borrows there: up a slope that
 * rises by many kT from node to node no walker comes by chance. Means at constant coordinate do not depend on it. */
static double borrowed_slope(const cardo_sampling *sampling, int i)
{
    const cardo_force_nodes nodes = cardo_adaptive_force_nodes(sampling);
    double slope = 0;
    int lenders = 0;
    for (int side = -1; side <= 1; side += 2) {
        int next = nodes.periodic ? (i + side + nodes.n) % nodes.n : i + side;
        if (next < 0 || next >= nodes.n || known(sampling, next) < 1)
            continue;
        slope += own_slope(sampling, next);
        ++lenders;
    }
    return lenders > 0 ? slope / lenders : 0;
}

/* The bias that takes the mean forces away: their integral, straight between nodes. */
static void set_bias(cardo_sampling *sampling)
{
    const cardo_force_nodes nodes = cardo_adaptive_force_nodes(sampling);
    cardo_bias_potential *bias = &sampling->crew.walkers[0].bias;
    double *V = cardo_bias_grid_values(bias), *S = cardo_bias_grid_slopes(bias), around = 0;
    for (int i = 0; i < nodes.n; ++i) {
        double part = known(sampling, i);
        S[i] = part * own_slope(sampling, i);
        if (part < 1)
            S[i] += (1 - part) * borrowed_slope(sampling, i);
        around += S[i] / nodes.n;
    }
    for (int i = 0; i < nodes.n; ++i) {
        S[i] -= nodes.periodic ? around : 0;
        V[i] = i > 0 ? V[i - 1] + 0.5 * nodes.spacing * (S[i] + S[i - 1]) : 0;
    }
}

static cardo_status merge(cardo_sampling *sampling, cardo_error *error)
{
    (void)error;
    const int n = cardo_adaptive_force_nodes(sampling).n;
    for (int k = 0; k < sampling->crew.nwalker; ++k) {
        const double *gathered =
            cardo_walker_record_gathered(&sampling->crew.walkers[k], sampling->crew.nsnapshot);
        for (int kind = 0; kind < SUMS; ++kind)
            for (int i = 0; i < n; ++i) {
                sums(sampling, kind, OPEN_BLOCK)[i] += gathered[kind * n + i];
                sums(sampling, kind, ALL_BLOCKS)[i] += gathered[kind * n + i];
                sums_of_walkers(sampling, kind)[k * n + i] += gathered[kind * n + i];
            }
    }
    next_block(sampling);
    set_bias(sampling);
    cardo_free_walkers_share(sampling);
    return CARDO_OK;
}

cardo_force_blocks cardo_adaptive_force_blocks(const cardo_sampling *sampling)
{
    return (cardo_force_blocks){(int)sampling->keep[FULL], sums(sampling, SQUARE, 0),
                                sums(sampling, NEXT, 0), sums(sampling, MOMENT, 0)};
}

static void report(const cardo_sampling *sampling, char *text, size_t size)
{
    double least = HUGE_VAL, most = 0;
    for (int i = 0; i < cardo_adaptive_force_nodes(sampling).n; ++i) {
        least = fmin(least, samples_about(sampling, i));
        most = fmax(most, samples_about(sampling, i));
    }
    int n = cardo_format(text, size, "between %.0f and %.0f steps about each node", least, most);
    if (options_of(sampling)->strata)
        snprintf(text + n, size - (size_t)n, "; each walker kept to its part of the range\n");
    else
        snprintf(text + n, size - (size_t)n,
                 "; %d passages from one end of the range to the other\n",
                 cardo_free_walkers_passages(sampling));
}

/* The second basin against the first from the first or the last blocks. */
static cardo_status estimate_part(const cardo_sampling *sampling, const cardo_estimate *e,
                                  int first, int nblock, double *F, double *sigma,
                                  cardo_error *error)
{
    const cardo_force_nodes nodes = cardo_adaptive_force_nodes(sampling);
    cardo_force_blocks blocks = cardo_adaptive_force_blocks(sampling);
    double basin_F[2], basin_sigma[2];
    const size_t skip = (size_t)first * (size_t)nodes.n;
    blocks = (cardo_force_blocks){nblock, blocks.square + skip, blocks.next + skip,
                                  blocks.moment + skip};
    *F = *sigma = (double)NAN;
    cardo_force_profile profile = {
        .nbasin = 2, .basin = e->basin, .basin_F = basin_F, .basin_sigma = basin_sigma};
    cardo_status status = cardo_integrate_blocks(&blocks, &nodes, &profile, error);
    if (status == CARDO_OK) {
        *F = basin_F[1];
        *sigma = basin_sigma[1];
    }
    /* A part that has not seen the whole range says nothing, and fails no study. */
    return status == CARDO_ERROR_NUMERICAL || status == CARDO_ERROR_SINGULAR ? CARDO_OK : status;
}

static cardo_status estimate_parts(const cardo_sampling *sampling, int npart, cardo_estimate *e,
                                   cardo_error *error)
{
    cardo_status status;
    const int nblock = (int)sampling->keep[FULL];
    CARDO_TRY(CARDO_ALLOCATE(&e->forward, npart, error));
    CARDO_TRY(CARDO_ALLOCATE(&e->forward_sigma, npart, error));
    CARDO_TRY(CARDO_ALLOCATE(&e->backward, npart, error));
    CARDO_TRY(CARDO_ALLOCATE(&e->backward_sigma, npart, error));
    e->npart = npart;
    for (int p = 0; p < npart; ++p) {
        int n = nblock * (p + 1) / npart;
        CARDO_TRY(estimate_part(sampling, e, 0, n, &e->forward[p], &e->forward_sigma[p], error));
        CARDO_TRY(estimate_part(sampling, e, nblock - n, n, &e->backward[p], &e->backward_sigma[p],
                                error));
    }
done:
    return status;
}

static cardo_status estimate(const cardo_sampling *sampling, const cardo_estimate_request *request,
                             cardo_estimate *e, cardo_error *error)
{
    cardo_status status;
    const cardo_force_nodes nodes = cardo_adaptive_force_nodes(sampling);
    const cardo_force_blocks blocks = cardo_adaptive_force_blocks(sampling);
    CARDO_TRY(CARDO_ALLOCATE(&e->unresolved, e->bins.n, error));
    const cardo_force_blocks walkers = {sampling->crew.nwalker, sums_of_walkers(sampling, SQUARE),
                                        sums_of_walkers(sampling, NEXT),
                                        sums_of_walkers(sampling, MOMENT)};
    cardo_force_profile profile = {.walkers = &walkers,
                                   .bins = &e->bins,
                                   .F = e->F,
                                   .sigma = e->sigma,
                                   .unresolved = e->unresolved,
                                   .nbasin = e->nbasin,
                                   .basin = e->basin,
                                   .basin_F = e->basin_F,
                                   .basin_sigma = e->basin_sigma};
    CARDO_TRY(cardo_integrate_blocks(&blocks, &nodes, &profile, error));
    if (request->npart > 0 && e->nbasin > 1)
        CARDO_TRY(estimate_parts(sampling, request->npart, e, error));
done:
    return status;
}

static bool roam(const cardo_sampling *sampling)
{
    return !options_of(sampling)->strata;
}

static int passages(const cardo_sampling *sampling)
{
    return options_of(sampling)->strata ? cardo_free_walkers_least_passages(sampling)
                                        : cardo_free_walkers_passages(sampling);
}

const cardo_sampling_method cardo_sampling_adaptive_force = {
    .name = "adaptive-force",
    .doc = "adaptive biasing force: mean forces along a coordinate, biased away and integrated",
    .citation = "Darve, Pohorille 2001; Henin, Chipot 2004; Comer et al. 2015",
    .fields = cardo_adaptive_force_fields,
    .options_size = sizeof(adaptive_force_options),
    .keep_count = keep_count,
    .open = open,
    .close = free_working,
    .prepare = prepare,
    .merge = merge,
    .estimate = estimate,
    .passages = passages,
    .roam = roam,
    .report = report,
};
