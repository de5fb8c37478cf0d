/* U and the metric term at places along the variable, without dynamics: with one coordinate in all
 * that is the free energy, exactly, and with two once it is integrated over the other. */
#include "sampling/methods/scan.h"

#include "base/field.h"
#include "base/memory.h"
#include "base/units.h"
#include "multibody/tree/operators.h"
#include "sampling/methods/manifold_density.h"
#include "sampling/methods/method.h"
#include "sampling/methods/scan_other.h"
#include "sampling/methods/scan_relaxed.h"
#include "sampling/variables/response.h"

#include <math.h>

enum { POINTS_A_BIN = 32 };

/* kT: of energies over kT of some thousands. */
static const double rounding = 1e-9;

/* kT: by how much two cubics may differ below what they interpolate. */
static const double swing = 2;

cardo_scan_place cardo_scan_place_at(const cardo_sampling *sampling, cardo_scan_pass pass, int k)
{
    if (cardo_scan_options_of(sampling)->relaxed)
        return cardo_scan_relaxed_place(sampling, pass, k);
    const cardo_walker *walker = &sampling->crew.walkers[k];
    return (cardo_scan_place){
        .xi = walker->place, .q = cardo_walker_record_q(walker), .potential = walker->potential[0]};
}

/* A walker at each place, or, where the scan is relaxed, numbers of the course. */
static int keep_count(const cardo_sampling *sampling, int nwalker)
{
    (void)nwalker;
    return cardo_scan_options_of(sampling)->relaxed ? cardo_scan_relaxed_count(sampling) : 0;
}

static cardo_status open(cardo_sampling *sampling, cardo_error *error)
{
    sampling->rounds = 0;
    sampling->options.round = sampling->options.interval = 1;
    return cardo_scan_options_of(sampling)->relaxed ? cardo_scan_relaxed_open(sampling, error)
                                                    : CARDO_OK;
}

static void tell_point(void *user, int done, int of)
{
    const cardo_sampling_listener *listener = ((const cardo_sampling *)user)->plan.listener;
    if (listener && listener->progress)
        listener->progress(listener->user, "point", done, of);
}

/* Every place is a walker that never walks: its start is all that is asked for. */
static cardo_status prepare(cardo_sampling *sampling, const volatile sig_atomic_t *interrupt,
                            cardo_end *end, cardo_error *error)
{
    (void)interrupt;
    cardo_status status;
    const cardo_scan_options *options = cardo_scan_options_of(sampling);
    *end = CARDO_END_DONE;
    if (options->relaxed)
        return cardo_scan_relaxed_begin(sampling, error);
    CARDO_TRY(cardo_sampling_make_crew(sampling, options->places, error));
    for (int k = 0; k < options->places; ++k) {
        cardo_walker *walker = &sampling->crew.walkers[k];
        CARDO_TRY(cardo_bias_create(&walker->bias, &cardo_bias_none, 0, 0, error));
        walker->place = cardo_scan_xi(sampling, k);
    }
    tell_point(sampling, 0, options->places);
    CARDO_TRY(cardo_crew_start(&sampling->crew, tell_point, sampling, error));
done:
    return status;
}

static cardo_status advance(cardo_sampling *sampling, const volatile sig_atomic_t *interrupt,
                            cardo_end *end, cardo_error *error)
{
    return cardo_scan_relaxed_advance(sampling, interrupt, end, error);
}

/* ln |dxi/dq| of the one coordinate q that moves the variable: a density along q is that much lower
 * along xi. */
static cardo_status log_rate(const cardo_sampling *sampling, const cardo_state *state,
                             double *gradient, double *rate, cardo_error *error)
{
    double xi, steepest = 0;
    cardo_status status =
        cardo_variable_gradient(sampling->plan.variable, state, &xi, gradient, error);
    for (int k = 0; status == CARDO_OK && k < cardo_system_nu(sampling->plan.system); ++k)
        steepest = fmax(steepest, fabs(gradient[k]));
    if (status == CARDO_OK && !(steepest > 0))
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "at %s = %.6g the variable turns back: nothing moves it there, and its "
                            "density has no bound; take a range without that point",
                            cardo_variable_name(sampling->plan.variable), xi);
    *rate = status == CARDO_OK ? log(steepest) : 0;
    return status;
}

/* The energy over kT whose Boltzmann factor is the density, at every place: along the variable where
 * that `stretches` the one coordinate that varies, along coordinates otherwise. */
static cardo_status effective_energies(const cardo_sampling *sampling, bool stretches, double kT,
                                       double *u, cardo_error *error)
{
    cardo_status status;
    cardo_state *state = NULL;
    double *gradient = NULL, log_det = 0, rate = 0;
    const cardo_crew *crew = &sampling->crew;
    CARDO_TRY(cardo_state_create(sampling->plan.system, &state, error));
    CARDO_TRY(CARDO_ALLOCATE(&gradient, cardo_system_nu(sampling->plan.system), error));
    for (int k = 0; k < crew->nwalker; ++k) {
        cardo_state_set_q(state, cardo_walker_record_q(&crew->walkers[k]));
        CARDO_TRY(cardo_realize(sampling->plan.system, state, CARDO_STAGE_DYNAMICS, error));
        if (sampling->walk.simulation.ensemble == CARDO_ENSEMBLE_RIGID)
            CARDO_TRY(cardo_log_det_m(sampling->plan.system, state, &log_det, error));
        if (stretches)
            CARDO_TRY(log_rate(sampling, state, gradient, &rate, error));
        u[k] = crew->walkers[k].potential[0] / kT - 0.5 * log_det + rate;
    }
done:
    cardo_state_destroy(state);
    cardo_free(gradient);
    return status;
}

/* The same where constraints leave the variable alone free. */
static cardo_status effective_on_manifold(const cardo_sampling *sampling, double kT, double *u,
                                          cardo_error *error)
{
    cardo_status status;
    cardo_manifold_density density = {0};
    const cardo_crew *crew = &sampling->crew;
    CARDO_TRY(cardo_manifold_density_open(sampling, &density, error));
    for (int k = 0; k < crew->nwalker; ++k) {
        cardo_state_set_q(density.state, cardo_walker_record_q(&crew->walkers[k]));
        CARDO_TRY(cardo_manifold_exponent(&density, &u[k], error));
        u[k] += crew->walkers[k].potential[0] / kT;
    }
done:
    cardo_manifold_density_clear(&density);
    return status;
}

/* Which places a cubic goes through: the four nearest ones, or those a place nearer to the middle of the
 * range. What that changes is what interpolation may be off by. */
typedef enum stencil { NEAREST, MOVED } stencil;

/* Cubic through four places about x (in places from the first). */
static double through(const double *u, int n, stencil which, double x)
{
    const int size = which == MOVED && n < 5 ? 3 : 4;
    int first = (int)fmin(fmax(floor(x) - 1, 0), n - 4);
    if (which == MOVED && n >= 5)
        first += 2 * first < n - 4 ? 1 : -1;
    double value = 0;
    for (int i = 0; i < size; ++i) {
        double weight = 1;
        for (int j = 0; j < size; ++j)
            weight *= i == j ? 1 : (x - first - j) / (i - j);
        value += weight * u[first + i];
    }
    return value;
}

/* Both cubics at x. Beside a wall they swing far below what lies on either side, and differently: then there is a line between the nearest two places
 * instead, and the lower one of them. */
static void interpolate(const double *u, int n, double x, double value[2])
{
    const int below = (int)fmin(fmax(floor(x), 0), n - 2);
    const double floor_of_both = fmin(u[below], u[below + 1]);
    value[NEAREST] = through(u, n, NEAREST, x);
    value[MOVED] = through(u, n, MOVED, x);
    if (fabs(value[NEAREST] - value[MOVED]) < swing ||
        fmin(value[NEAREST], value[MOVED]) >= floor_of_both)
        return;
    value[NEAREST] = u[below] + (x - below) * (u[below + 1] - u[below]);
    value[MOVED] = floor_of_both;
}

/* exp(-u), u at n places from low to high. */
typedef struct density {
    const double *u;
    int n;
    double low, high;
} density;

/* -ln of an integral, and of what interpolation may have it wrong by: walls are farther apart than numbers reach. */
typedef struct weight {
    double height, doubt;
} weight;

static const weight nothing = {HUGE_VAL, HUGE_VAL};

/* -ln(exp(-a) + exp(-b)). */
static double height_of_both(double a, double b)
{
    const double low = fmin(a, b), high = fmax(a, b);
    return isinf(low) ? low : low - log1p(exp(low - high));
}

static void join(weight *all, weight part)
{
    all->height = height_of_both(all->height, part.height);
    all->doubt = height_of_both(all->doubt, part.doubt);
}

/* -ln |exp(-a) - exp(-b)|. */
static double height_between(double a, double b)
{
    const double low = fmin(a, b), high = fmax(a, b);
    return high > low ? low - log(-expm1(low - high)) : HUGE_VAL;
}

/* Of the density from a to b. */
static weight weigh(const density *d, double a, double b)
{
    const double low = d->low, high = d->high;
    weight w = nothing;
    a = fmax(a, low);
    b = fmin(b, high);
    for (int k = 0; k < POINTS_A_BIN && b > a; ++k) {
        double place = (a + (b - a) * (k + 0.5) / POINTS_A_BIN - low) / (high - low) * (d->n - 1);
        double value[2];
        interpolate(d->u, d->n, place, value);
        const double length = -log((b - a) / POINTS_A_BIN);
        join(&w, (weight){value[NEAREST] + length,
                          height_between(value[NEAREST], value[MOVED]) + length});
    }
    return w;
}

/* Whether nothing but the variable and `others` (0 or 1) speeds varies, and perhaps a free base on
 * which, at the start, the forces have no resultant. */
static cardo_status is_whole(const cardo_sampling *sampling, int others, bool *whole,
                             cardo_error *error)
{
    cardo_status status;
    const cardo_system *system = sampling->plan.system;
    const int overall = cardo_sampling_base_freedoms(sampling);
    cardo_evaluator *evaluator = NULL;
    cardo_state *state = NULL;
    double *force = NULL, largest = 0;
    *whole = cardo_sampling_inner_freedoms(sampling) == 1 + others;
    if (!*whole || overall == 0)
        return CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&force, cardo_system_nu(system), error));
    CARDO_TRY(cardo_state_create(system, &state, error));
    CARDO_TRY(cardo_evaluator_create(system, sampling->plan.provider, &evaluator, error));
    cardo_state_copy(state, sampling->plan.start);
    CARDO_TRY(cardo_evaluate(evaluator, state, error));
    CARDO_TRY(cardo_evaluator_generalized_forces(evaluator, state, force, error));
    for (int k = 0; k < overall; ++k)
        largest = fmax(largest, fabs(force[k]));
    *whole = largest < 1e-3;
done:
    cardo_free(force);
    cardo_evaluator_destroy(evaluator);
    cardo_state_destroy(state);
    return status;
}

/* The exponent of the density along the variable at every place, how well each is known (kT), and what is
 * to be said of it. */
static cardo_status look(const cardo_sampling *sampling, double kT, double *u, double *known,
                         const char **remark, cardo_error *error)
{
    cardo_status status;
    const int n = cardo_scan_options_of(sampling)->places;
    int other;
    double *place = NULL;
    *known = 0;
    if (cardo_scan_options_of(sampling)->relaxed) {
        *remark = "the adiabatic profile: U with all other coordinates at their minimum, no free "
                  "energy; where the ways up and down differ, the lower one";
        for (int k = 0; k < n; ++k)
            u[k] = fmin(cardo_scan_relaxed_place(sampling, CARDO_SCAN_UP, k).potential,
                        cardo_scan_relaxed_place(sampling, CARDO_SCAN_DOWN, k).potential) /
                   kT;
        return CARDO_OK;
    }
    bool two = cardo_scan_other(sampling, &other), whole;
    CARDO_TRY(is_whole(sampling, two, &whole, error));
    if (cardo_is_constrained(sampling->plan.system) && !two) {
        *remark = !whole ? "not a free energy: the other coordinates follow the variable from the "
                           "start, each step the shortest in the metric of M"
                         : "constraints leave the variable alone free, so this is F of this model, "
                           "U + kT/2 ln z and what the ensemble adds, without sampling, where no "
                           "other configuration has the same value of the variable";
        if (whole)
            return effective_on_manifold(sampling, kT, u, error);
        for (int k = 0; k < n; ++k)
            u[k] = sampling->crew.walkers[k].potential[0] / kT;
        return CARDO_OK;
    }
    if (!two || !whole) {
        const bool coordinate =
            cardo_variable_kind_of(sampling->plan.variable) == &cardo_variable_coordinate;
        *remark = !whole ? "not a free energy: the other coordinates stay as at the start"
                  : coordinate
                      ? "the variable is all that varies, so this is F of this model, U - kT/2 "
                        "ln det M (rigid) or U (fixman), without sampling"
                      : "one coordinate q is all that varies, so this is F of this model, U - kT/2 "
                        "ln det M (rigid) or U (fixman) + kT ln |d variable/dq|, without sampling, "
                        "where no other q has the same value of the variable";
        return effective_energies(sampling, whole && !coordinate, kT, u, error);
    }
    CARDO_TRY(CARDO_ALLOCATE(&place, n, error));
    for (int k = 0; k < n; ++k)
        place[k] = sampling->crew.walkers[k].place;
    *remark = "integrated over the one coordinate that varies besides, so this is F of this model "
              "without sampling";
    *known = cardo_scan_integral_error;
    CARDO_TRY(cardo_scan_integrate(sampling, other, n, place, u, error));
done:
    cardo_free(place);
    return status;
}

/* By how much -ln of it may be wrong, ln(1 + doubt/integral). */
static double wrong_by(weight w)
{
    const double x = w.height - w.doubt;
    return x > 30 ? x : log1p(exp(x));
}

/* Nothing fluctuates: what -ln(of/all) may be off by is what places between those that were looked at
 * hide, and what the integral over another coordinate, or rounding, leaves. */
static double numerical_error(weight of, weight all, double known)
{
    return hypot(wrong_by(of) + wrong_by(all), fmax(known, rounding));
}

static void weigh_bins(const density *d, double known, weight *bin, cardo_estimate *e)
{
    weight all = nothing;
    for (int b = 0; b < e->bins.n; ++b) {
        double start = d->low + b * cardo_bin_width(&e->bins);
        bin[b] = weigh(d, start, start + cardo_bin_width(&e->bins));
        join(&all, bin[b]);
    }
    for (int b = 0; b < e->bins.n; ++b) {
        e->F[b] = bin[b].height - all.height + log(cardo_bin_width(&e->bins));
        e->sigma[b] = numerical_error(bin[b], all, known);
    }
}

static void weigh_basins(const density *d, double known, cardo_estimate *e)
{
    weight first = nothing;
    for (int b = 0; b < e->nbasin; ++b) {
        weight all = nothing;
        double step = (e->basin[2 * b + 1] - e->basin[2 * b]) / e->bins.n;
        for (int k = 0; k < e->bins.n; ++k) {
            double start = e->basin[2 * b] + k * step;
            join(&all, weigh(d, start, start + step));
        }
        first = b == 0 ? all : first;
        e->basin_F[b] = all.height - first.height;
        e->basin_sigma[b] = b == 0 ? 0 : numerical_error(all, first, known);
    }
}

static cardo_status estimate(const cardo_sampling *sampling, const cardo_estimate_request *request,
                             cardo_estimate *e, cardo_error *error)
{
    (void)request;
    const int n = cardo_scan_options_of(sampling)->places;
    double *u = NULL, known;
    weight *bin = NULL;
    cardo_status status = CARDO_ALLOCATE(&u, n, error);
    if (status == CARDO_OK)
        status = CARDO_ALLOCATE(&bin, e->bins.n, error);
    if (status == CARDO_OK)
        status = look(sampling, e->kT, u, &known, &e->remark, error);
    if (status != CARDO_OK)
        goto done;
    const density d = {u, n, e->bins.low, e->bins.high};
    weigh_bins(&d, known, bin, e);
    weigh_basins(&d, known, e);
done:
    cardo_free(u);
    cardo_free(bin);
    return status;
}

const cardo_sampling_method cardo_sampling_scan = {
    .name = "scan",
    .doc = "energy and metric term at points along the range, integrated over one more coordinate "
           "where there is one: exact, without sampling",
    .citation = "Fixman 1974; Go, Scheraga 1976",
    .fields = cardo_scan_fields,
    .options_size = sizeof(cardo_scan_options),
    .stands = true,
    .keep_count = keep_count,
    .open = open,
    .prepare = prepare,
    .advance = advance,
    .close = cardo_scan_relaxed_close,
    .estimate = estimate,
};
