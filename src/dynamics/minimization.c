#include "dynamics/minimization.h"

#include "base/linalg.h"
#include "base/memory.h"
#include "base/minimize.h"
#include "cardo/manifold.h"
#include "dynamics/coordinates/constrained.h"
#include "dynamics/coordinates/manifold_chart.h"
#include "dynamics/coordinates/position_rows.h"
#include "multibody/tree/force_element.h"
#include "multibody/tree/motion.h"
#include "multibody/tree/operators.h"

#include <math.h>
#include <string.h>

/* First steps move the atoms by this much, nm; later ones as far as the curvature says. */
static const double first_step = 0.001;
/* Iterations that are remembered: torsions of a closed strand are stiff together, and with the usual six their minima take more than twice as
 * many. */
enum { MEMORY = 40 };
/* The longest first step by the curvature: one that would gain 50 kJ/mol. */
static const double longest_newton = 10;
/* Beyond this reach of its curved coordinates a chart gives way to one centred where it came to. */
static const double widest_chart = 0.5;

typedef struct descent {
    const cardo_system *system;
    cardo_state *state;
    cardo_evaluator *evaluator;
    const cardo_minimization_options *options;
    const cardo_minimization_observer *observer;
    cardo_minimization_result *result;
    cardo_manifold_chart *chart;
    cardo_minimization_frame now;
    int nu, nfree, before; /* before: iterations in earlier charts */
    bool constrained;
    bool known;      /* the state stands at the centre of the chart, evaluated */
    bool astray;     /* the state stands where nothing could be evaluated      */
    double rounding; /* of the energy, kJ/mol */
    double *y, *gradient, *zero, *mobility_forces; /* (nu) */
    double *x, *by_x, *last_x,
        *last_by_x; /* the place that was evaluated last, and that of the iteration before, by the chart, for the curvature (nu) */
    double *unborne;            /* of the gradient, what constraints do not bear (nu) */
    cardo_spatial *body_forces; /* (nbody) */
    double *best_q;             /* (nq) */
    cardo_minimization_frame best;
} descent;

static const char *const norm_choices[] = {"max", "rms", NULL};

const cardo_field cardo_minimization_fields[] = {
    {"iterations", CARDO_FIELD_INT, offsetof(cardo_minimization_options, iterations), "", "1000", 0,
     1e9, NULL, "most iterations of L-BFGS"},
    {"tolerance", CARDO_FIELD_DOUBLE, offsetof(cardo_minimization_options, tolerance), "", "1",
     1e-12, 1e12, NULL,
     "generalized force (kJ/mol per rad, nm or unit of a path) below which it is done"},
    {"norm", CARDO_FIELD_CHOICE, offsetof(cardo_minimization_options, norm), "", "max", 0, 0,
     norm_choices, "what the tolerance is for: the largest force or the root of the mean square"},
    {0},
};

static double norm_of(const descent *d, const cardo_minimization_frame *frame)
{
    return d->options->norm == CARDO_FORCE_NORM_RMS ? frame->rms_force : frame->largest_force;
}

/* dU by directions of the speeds: what holds the system at rest, against all its forces. */
static cardo_status find_gradient(descent *d, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    int nbody = cardo_system_nbody(d->system);
    CARDO_TRY(cardo_realize(d->system, d->state, CARDO_STAGE_VELOCITY, error));
    CARDO_TRY(cardo_element_forces(d->system, d->state, d->body_forces, d->mobility_forces, error));
    const cardo_spatial *bodies = cardo_evaluator_body_forces(d->evaluator);
    const double *mobilities = cardo_evaluator_mobility_forces(d->evaluator);
    for (int b = 0; b < nbody; ++b) {
        cardo_spatial *f = &d->body_forces[b];
        f->angular = v3_add(f->angular, bodies[b].angular);
        f->linear = v3_add(f->linear, bodies[b].linear);
    }
    for (int k = 0; k < d->nu; ++k)
        d->mobility_forces[k] += mobilities[k];
    CARDO_TRY(cardo_inverse_dynamics(d->system, d->state, d->zero, d->body_forces,
                                     d->mobility_forces, d->gradient, error));
done:
    return status;
}

/* Sizes of the forces that are left. */
static void measure(descent *d, const double *forces)
{
    double square = 0;
    d->now.largest_force = 0;
    d->now.largest = -1;
    for (int body = 1; body < cardo_system_nbody(d->system); ++body) {
        cardo_body_info info;
        cardo_system_body(d->system, body, &info);
        for (int k = info.u_first; k < info.u_first + info.nu; ++k) {
            if (cardo_system_prescribed(d->system, body) >> (k - info.u_first) & 1U)
                continue;
            square += forces[k] * forces[k];
            if (fabs(forces[k]) > d->now.largest_force || d->now.largest < 0) {
                d->now.largest_force = fabs(forces[k]);
                d->now.largest = k;
            }
        }
    }
    d->now.rms_force = d->nfree > 0 ? sqrt(square / d->nfree) : 0;
}

/* What is left of the gradient when constraints bear what they can. */
static cardo_status measure_unborne(descent *d, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    if (!d->constrained) {
        measure(d, d->gradient);
        return CARDO_OK;
    }
    memcpy(d->unborne, d->gradient, (size_t)d->nu * sizeof *d->unborne);
    CARDO_TRY(cardo_realize(d->system, d->state, CARDO_STAGE_DYNAMICS, error));
    CARDO_TRY(cardo_project_free_forces(d->system, d->state, d->unborne, error));
    measure(d, d->unborne);
done:
    return status;
}

static void keep_best(descent *d)
{
    d->best = d->now;
    if (cardo_system_nq(d->system) > 0)
        memcpy(d->best_q, cardo_state_q(d->state),
               (size_t)cardo_system_nq(d->system) * sizeof *d->best_q);
}

/* Energy and gradient where the state's q is. */
static cardo_status look(descent *d, cardo_error *error)
{
    cardo_status status;
    cardo_state_set_u(d->state, d->zero);
    CARDO_TRY(cardo_evaluate(d->evaluator, d->state, error));
    CARDO_TRY(find_gradient(d, error));
    CARDO_TRY(cardo_evaluator_potential(d->evaluator, d->state, &d->now.potential, error));
    ++d->now.evaluations;
    CARDO_TRY(measure_unborne(d, error));
    if (d->now.potential < d->best.potential - d->rounding)
        keep_best(d);
done:
    return status;
}

static cardo_status objective(void *context, int n, const double *w, double *value,
                              double *gradient, cardo_error *error)
{
    descent *d = context;
    const cardo_curvature *curvature = d->options->curvature;
    memcpy(d->x, w, (size_t)n * sizeof *d->x);
    if (curvature)
        cardo_curvature_to_x(curvature, d->x);
    cardo_status status = CARDO_OK;
    if (!d->known)
        status = cardo_manifold_chart_move(d->chart, d->x, d->state, error);
    if (!d->known && status == CARDO_OK)
        status = look(d, error);
    d->known = false;
    d->astray = status != CARDO_OK;
    /* Places that cannot be evaluated lie high. */
    if (status == CARDO_ERROR_NUMERICAL)
        return CARDO_RECOVERABLE;
    if (status != CARDO_OK)
        return status;
    *value = d->now.potential;
    status = cardo_manifold_chart_pull(d->chart, d->state, d->gradient, gradient, error);
    if (status == CARDO_OK && curvature) {
        memcpy(d->by_x, gradient, (size_t)n * sizeof *gradient);
        cardo_curvature_to_w(curvature, gradient);
    }
    return status;
}

/* What the last iteration's step shows of the curvature. */
static void learn(descent *d)
{
    const int n = cardo_manifold_chart_size(d->chart);
    for (int k = 0; k < n; ++k) {
        d->last_x[k] = d->x[k] - d->last_x[k];
        d->last_by_x[k] = d->by_x[k] - d->last_by_x[k];
    }
    cardo_curvature_learn(d->options->curvature, d->chart, d->last_x, d->last_by_x);
    memcpy(d->last_x, d->x, (size_t)n * sizeof *d->x);
    memcpy(d->last_by_x, d->by_x, (size_t)n * sizeof *d->x);
}

static cardo_status observe(descent *d, cardo_error *error)
{
    const cardo_minimization_observer *observer = d->observer;
    if (observer && observer->interrupt && *observer->interrupt)
        d->result->interrupted = true;
    return observer && observer->observe ? observer->observe(observer->user, &d->now, error)
                                         : CARDO_OK;
}

static cardo_status progress(void *context, int iteration, bool *stop, cardo_error *error)
{
    descent *d = context;
    d->now.iteration = d->before + iteration;
    /* Of energies that differ by rounding an iteration's is the one with the smaller force. */
    if (d->now.potential < d->best.potential + d->rounding)
        keep_best(d);
    if (d->options->curvature)
        learn(d);
    cardo_status status = observe(d, error);
    d->result->converged = norm_of(d, &d->now) <= d->options->tolerance;
    *stop = d->result->converged || d->result->interrupted ||
            cardo_manifold_chart_reach(d->chart) > widest_chart;
    return status;
}

/* What is known of the curvature, for the chart at its centre, where the state stands; *unit: a first step by it. */
static cardo_status take_curvature(descent *d, double *unit, cardo_error *error)
{
    cardo_status status;
    cardo_curvature *curvature = d->options->curvature;
    const int n = cardo_manifold_chart_size(d->chart);
    if (!curvature)
        return CARDO_OK;
    CARDO_TRY(cardo_manifold_chart_pull(d->chart, d->state, d->gradient, d->last_by_x, error));
    memset(d->last_x, 0, (size_t)n * sizeof *d->last_x);
    CARDO_TRY(cardo_curvature_take_chart(curvature, d->chart, error));
    if (!curvature->metric)
        return CARDO_OK;
    memcpy(d->y, d->last_by_x, (size_t)n * sizeof *d->y);
    cardo_curvature_to_w(curvature, d->y);
    *unit = fmin(sqrt(cardo_dot(n, d->y, d->y)), longest_newton);
done:
    return status;
}

/* One chart's worth of iterations, from where the state is; *gained: energy, kJ/mol. */
static cardo_status descend(descent *d, double mass, double *gained, cardo_error *error)
{
    cardo_status status;
    cardo_minimize_result result;
    cardo_minimize_options options = {
        .most_iterations = d->options->iterations - d->before,
        .largest_gradient = 0,
        .progress = progress,
        .unit = first_step * sqrt(mass),
        .memory = MEMORY,
        .rounding = d->rounding,
    };
    double before = d->best.potential;
    CARDO_TRY(cardo_manifold_chart_centre(d->chart, d->state, error));
    CARDO_TRY(take_curvature(d, &options.unit, error));
    memset(d->y, 0, (size_t)d->nu * sizeof *d->y);
    d->known = true;
    CARDO_TRY(cardo_minimize(cardo_manifold_chart_size(d->chart), d->y, objective, d, &options,
                             &result, error));
    /* A chart whose line search found no step counts as one, or such charts would follow each other for ever. */
    d->before += result.iterations > 0 ? result.iterations : 1;
    *gained = before - d->best.potential;
    d->now.iteration = d->before;
    if (d->astray || d->now.evaluations != d->best.evaluations) {
        d->astray = false;
        cardo_state_set_q(d->state, d->best_q);
        CARDO_TRY(look(d, error));
        keep_best(d);
    }
done:
    return status;
}

/* Charts follow each other while they gain more than the energy's rounding. */
static cardo_status run(descent *d, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    double mass, gained = HUGE_VAL;
    const cardo_force_provider *provider = cardo_evaluator_provider(d->evaluator);
    const double relative = provider && (provider->traits & CARDO_FORCE_SINGLE) ? 1e-6 : 1e-12;
    cardo_vec3 com;
    cardo_spatial momentum;
    CARDO_TRY(cardo_system_momentum(d->system, d->state, &mass, &com, &momentum, error));
    while (!d->result->converged && !d->result->interrupted && d->nfree > 0 &&
           d->before < d->options->iterations && gained > d->rounding) {
        d->rounding = relative * (1 + fabs(d->best.potential));
        CARDO_TRY(descend(d, mass, &gained, error));
    }
done:
    return status;
}

static cardo_status prepare(descent *d, cardo_error *error)
{
    cardo_status status;
    d->nu = cardo_system_nu(d->system);
    d->nfree = d->nu - cardo_system_nprescribed(d->system);
    d->constrained = cardo_constraint_row_count(d->system) > 0;
    d->best.potential = HUGE_VAL;
    d->now.system = d->system;
    d->now.state = d->state;
    d->now.evaluator = d->evaluator;
    CARDO_TRY(cardo_manifold_chart_create(d->system, &d->chart, error));
    CARDO_TRY(CARDO_ALLOCATE(&d->y, d->nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&d->x, d->nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&d->by_x, d->nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&d->last_x, d->nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&d->last_by_x, d->nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&d->gradient, d->nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&d->unborne, d->nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&d->zero, d->nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&d->mobility_forces, d->nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&d->body_forces, cardo_system_nbody(d->system), error));
    CARDO_TRY(CARDO_ALLOCATE(&d->best_q, cardo_system_nq(d->system), error));
done:
    return status;
}

static cardo_status count_freedoms(descent *d, int *freedoms, cardo_error *error)
{
    cardo_status status = cardo_realize(d->system, d->state, CARDO_STAGE_DYNAMICS, error);
    return status == CARDO_OK ? cardo_degrees_of_freedom(d->system, d->state, freedoms, error)
                              : status;
}

/* At rest onto the constraints, by the least change of q. */
static cardo_status assemble(descent *d, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_assembly_options options = {.size = sizeof options,
                                            .tolerance = CARDO_POSITION_TOLERANCE};
    if (!d->constrained)
        return CARDO_OK;
    CARDO_TRY(cardo_assemble_q(d->system, d->state, &options, NULL, error));
    status = count_freedoms(d, &d->nfree, error);
done:
    return status;
}

cardo_status cardo_minimization_run(const cardo_system *system, cardo_state *state,
                                    cardo_evaluator *evaluator,
                                    const cardo_minimization_options *options,
                                    const cardo_minimization_observer *observer,
                                    cardo_minimization_result *result, cardo_error *error)
{
    cardo_status status;
    *result = (cardo_minimization_result){0};
    descent d = {.system = system,
                 .state = state,
                 .evaluator = evaluator,
                 .options = options,
                 .observer = observer,
                 .result = result};
    CARDO_TRY(cardo_require_position_rows(system, state, "minimization", error));
    CARDO_TRY(prepare(&d, error));
    cardo_state_prescribe(system, state);
    CARDO_TRY(assemble(&d, error));
    CARDO_TRY(look(&d, error));
    result->first = d.now;
    CARDO_TRY(observe(&d, error));
    result->converged = norm_of(&d, &d.now) <= options->tolerance;
    CARDO_TRY(run(&d, error));
    result->last = d.now;
    status = count_freedoms(&d, &result->freedoms, error);
done:
    cardo_manifold_chart_destroy(d.chart);
    cardo_free(d.y);
    cardo_free(d.x);
    cardo_free(d.by_x);
    cardo_free(d.last_x);
    cardo_free(d.last_by_x);
    cardo_free(d.gradient);
    cardo_free(d.unborne);
    cardo_free(d.zero);
    cardo_free(d.mobility_forces);
    cardo_free(d.body_forces);
    cardo_free(d.best_q);
    return status;
}
