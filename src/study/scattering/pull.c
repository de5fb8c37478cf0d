#include "study/scattering/pull.h"

#include "base/memory.h"
#include "base/vec.h"
#include "experiment/saxs/curve.h"
#include "experiment/saxs/exposure.h"
#include "experiment/saxs/profile.h"
#include "multibody/tree/operators.h"
#include "multibody/tree/state.h"
#include "study/scattering/bodies.h"

#include <math.h>
#include <string.h>

/* Of I(q): chi^2 and its forces are of the profile that this makes, whatever it errs by. */
static const double tolerance = 1e-4;

typedef struct pulled_provider {
    cardo_force_provider base; /* first: a pointer to it is a pointer to this */
    cardo_force_provider *forces;
    const char **names;
    cardo_curve curve;
    double weight;
    bool background;
    cardo_scatterers scatterers;
    cardo_scattering_bodies bodies;
    cardo_profile_plan plan;
    double *partial_weight;  /* of the six at c1 and c2 (curve.n x CARDO_PARTIALS)        */
    double *partials;        /* of the conformation     (curve.n x CARDO_PARTIALS)        */
    double *profile, *slope; /* I and d chi^2/dI       (curve.n)                         */
    double *node_slope;      /* by partials at the nodes (nodes x CARDO_PARTIALS)         */
    double *gradient;        /* by poses                (6 x bodies)                      */
} pulled_provider;

/* The profile's best scale and constant by weighted least squares: chi^2 of it, and its derivatives, to which they do not contribute, as chi^2 is
 * least in them. */
static double fit_profile(pulled_provider *p)
{
    double a = 0, b = 0, c = 0, d = 0, e = 0, chi_square = 0;
    for (int k = 0; k < p->curve.n; ++k) {
        const double w = 1 / (p->curve.sigma[k] * p->curve.sigma[k]), x = p->profile[k],
                     y = p->curve.intensity[k];
        a += w * x * x;
        b += w * x;
        c += w;
        d += w * x * y;
        e += w * y;
    }
    const double under = a * c - b * b;
    const double scale = p->background ? (d * c - b * e) / under : d / a,
                 constant = p->background ? (a * e - b * d) / under : 0;
    for (int k = 0; k < p->curve.n; ++k) {
        const double sigma = p->curve.sigma[k],
                     off = (p->curve.intensity[k] - scale * p->profile[k] - constant) / sigma;
        chi_square += off * off;
        p->slope[k] = -2 * off * scale / sigma;
    }
    return chi_square;
}

static void take_slopes_to_nodes(pulled_provider *p)
{
    const int n = p->plan.nodes.n;
    memset(p->node_slope, 0, (size_t)n * CARDO_PARTIALS * sizeof *p->node_slope);
    for (int k = 0; k < p->curve.n; ++k)
        for (int j = 0; j < n; ++j)
            for (int m = 0; m < CARDO_PARTIALS; ++m)
                p->node_slope[j * CARDO_PARTIALS + m] +=
                    p->plan.row[(size_t)k * (size_t)n + (size_t)j] * p->slope[k] *
                    p->partial_weight[k * CARDO_PARTIALS + m];
}

/* Derivatives by turns about middles and by shifts become forces, with torques about the bodies' origins. */
static void add_forces(const pulled_provider *p, const cardo_transform *X_GB,
                       cardo_spatial *body_forces)
{
    for (int k = 0; k < p->bodies.n; ++k) {
        const int body = p->bodies.system_body[k];
        double middle[3];
        cardo_rigid_middle(p->plan.bodies, k, p->bodies.pose, middle);
        const cardo_vec3 torque = v3_scale(-p->weight, v3_load(p->gradient + 6 * k)),
                         force = v3_scale(-p->weight, v3_load(p->gradient + 6 * k + 3)),
                         arm = v3_sub(v3_load(middle), X_GB[body].p);
        cardo_spatial *to = &body_forces[body];
        to->angular = v3_add(to->angular, v3_add(torque, v3_cross(arm, force)));
        to->linear = v3_add(to->linear, force);
    }
}

static cardo_status pull(pulled_provider *p, cardo_force_evaluation *evaluation, double *energy,
                         cardo_error *error)
{
    cardo_scattering_bodies_pose(&p->bodies, evaluation->X_GB);
    cardo_status status = cardo_profile_of_bodies(&p->plan, p->bodies.pose, p->partials, error);
    if (status == CARDO_ERROR_ARGUMENT)
        return CARDO_FAIL(error, CARDO_RECOVERABLE,
                          "a conformation is more than twice as large as the start's, for which "
                          "the tables of the scattering curve's pull were made");
    if (status != CARDO_OK)
        return status;
    for (int k = 0; k < p->curve.n; ++k) {
        p->profile[k] = 0;
        for (int m = 0; m < CARDO_PARTIALS; ++m)
            p->profile[k] +=
                p->partial_weight[k * CARDO_PARTIALS + m] * p->partials[k * CARDO_PARTIALS + m];
    }
    *energy = p->weight * fit_profile(p);
    take_slopes_to_nodes(p);
    status =
        cardo_rigid_gradient(p->plan.room.work, p->bodies.pose, p->node_slope, p->gradient, error);
    if (status == CARDO_OK)
        add_forces(p, evaluation->X_GB, evaluation->body_forces);
    return status;
}

static cardo_status pulled_compute(cardo_force_provider *base, cardo_force_evaluation *evaluation,
                                   cardo_error *error)
{
    pulled_provider *p = (pulled_provider *)base;
    double *terms = evaluation->term_energies, energy = 0;
    if (p->forces->nterm == 0)
        evaluation->term_energies = NULL;
    cardo_status status = p->forces->compute(p->forces, evaluation, error);
    evaluation->term_energies = terms;
    if (status == CARDO_OK && (evaluation->groups == 0 || evaluation->groups & 1u))
        status = pull(p, evaluation, &energy, error);
    if (status == CARDO_OK)
        evaluation->energy += energy;
    if (terms)
        terms[base->nterm - 1] = energy;
    return status;
}

static cardo_status pulled_use_cores(cardo_force_provider *base, int cores, cardo_error *error)
{
    return cardo_force_provider_use_cores(((pulled_provider *)base)->forces, cores, error);
}

static void pulled_destroy(cardo_force_provider *base)
{
    pulled_provider *p = (pulled_provider *)base;
    cardo_profile_plan_clear(&p->plan);
    cardo_scattering_bodies_clear(&p->bodies);
    cardo_scatterers_clear(&p->scatterers);
    cardo_curve_clear(&p->curve);
    cardo_free(p->names);
    cardo_free(p->partial_weight);
    cardo_free(p->partials);
    cardo_free(p->profile);
    cardo_free(p->slope);
    cardo_free(p->node_slope);
    cardo_free(p->gradient);
    cardo_free(p);
}

static cardo_status read_curve(pulled_provider *p, const cardo_curve_pull *pull, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(cardo_curve_read(pull->path, CARDO_CURVE_UNIT_FOUND_OUT, &p->curve, error));
    if (pull->low > 0 || pull->high > 0)
        CARDO_TRY(
            cardo_curve_cut(&p->curve, pull->low, pull->high > 0 ? pull->high : HUGE_VAL, error));
    if (p->curve.errors_made)
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "%s has no errors, without which chi^2 is no energy: give a file with "
                            "three columns",
                            pull->path);
done:
    return status;
}

/* Tables at the model's start, whose state is made for it. */
static cardo_status make_tables(pulled_provider *p, const cardo_model *model,
                                const cardo_system *system, cardo_error *error)
{
    cardo_status status;
    cardo_state *state = NULL;
    double *q = NULL, *positions = NULL;
    CARDO_TRY(cardo_state_create(system, &state, error));
    CARDO_TRY(CARDO_ALLOCATE(&q, cardo_system_nq(system) + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&positions, 3 * (size_t)cardo_system_nstation(system), error));
    cardo_model_initial_q(model, system, q);
    cardo_state_set_q(state, q);
    CARDO_TRY(cardo_realize(system, state, CARDO_STAGE_POSITION, error));
    CARDO_TRY(cardo_station_positions(system, state, positions, error));
    CARDO_TRY(cardo_scatterers_make(model->structure[0].structure, &p->scatterers, error));
    cardo_scatterers_move(&p->scatterers, positions);
    CARDO_TRY(cardo_exposure_find(&p->scatterers, error));
    CARDO_TRY(cardo_scattering_bodies_make(model, &p->scatterers, cardo_state_X_GB(state),
                                           &p->bodies, error));
    const double size = 2 * cardo_scatterers_reach(&p->scatterers);
    CARDO_TRY(cardo_profile_plan_make(p->curve.n, p->curve.q, size, tolerance, 1, &p->plan, error));
    status = cardo_profile_of_bodies_only(&p->plan, &p->scatterers, p->bodies.n, p->bodies.body,
                                          size, error);
done:
    cardo_free(q);
    cardo_free(positions);
    cardo_state_destroy(state);
    return status;
}

static cardo_status allocate(pulled_provider *p, const cardo_curve_pull *pull, cardo_error *error)
{
    cardo_status status;
    const size_t n = (size_t)p->curve.n;
    CARDO_TRY(CARDO_ALLOCATE(&p->partial_weight, n * CARDO_PARTIALS, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->partials, n * CARDO_PARTIALS, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->profile, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->slope, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->node_slope, p->plan.nodes.n * CARDO_PARTIALS, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->gradient, 6 * (size_t)p->bodies.n, error));
    for (size_t k = 0; k < n; ++k)
        cardo_partial_weights(p->curve.q[k], p->scatterers.mean_volume, pull->c1, pull->c2,
                              p->partial_weight + k * CARDO_PARTIALS, NULL, NULL);
done:
    return status;
}

cardo_status cardo_pulled_provider_create(cardo_force_provider *forces, const cardo_model *model,
                                          const cardo_system *system, const cardo_curve_pull *pull,
                                          cardo_force_provider **out, cardo_error *error)
{
    cardo_status status;
    pulled_provider *p = NULL;
    const int nterm = forces->nterm;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&p, 1, error));
    p->base = *forces;
    p->base.traits &= ~(unsigned)CARDO_FORCE_THREAD_SAFE;
    p->base.compute = pulled_compute;
    p->base.destroy = pulled_destroy;
    p->base.use_cores = forces->use_cores ? pulled_use_cores : NULL;
    p->forces = forces;
    p->weight = pull->weight;
    p->background = pull->background;
    CARDO_TRY(CARDO_ALLOCATE(&p->names, nterm + 1, error));
    for (int k = 0; k < nterm; ++k)
        p->names[k] = forces->term_names[k];
    p->names[nterm] = "saxs";
    p->base.nterm = nterm + 1;
    p->base.term_names = p->names;
    CARDO_TRY(read_curve(p, pull, error));
    CARDO_TRY(make_tables(p, model, system, error));
    CARDO_TRY(allocate(p, pull, error));
    *out = &p->base;
    p = NULL;
done:
    if (p)
        pulled_destroy(&p->base);
    return status;
}
