#include "dynamics/tables/table_provider.h"

#include "base/memory.h"
#include "dynamics/evaluation/evaluate.h"
#include "multibody/mobilizers/descriptor.h"
#include "multibody/tree/operators.h"

#include <math.h>
#include <string.h>

struct cardo_table_source {
    const cardo_system *system;
    cardo_force_provider *provider;
    cardo_table_coordinates coordinates;
    cardo_state *state;
    cardo_evaluator *evaluator;
    double *q, *generalized; /* (nq), (nu) */
    double start[CARDO_TABLE_MOST_AXES];
};

static bool is_free_base(const cardo_body_info *info, const cardo_force_provider *provider)
{
    return info->parent == 0 && info->mobilizer == &cardo_mobilizer_free &&
           provider->traits & CARDO_FORCE_INVARIANT;
}

static cardo_status refuse(const cardo_body_info *info, const char *why, cardo_error *error)
{
    return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                      "forces cannot be tabulated: %s (body '%s', %s); tables are for models with "
                      "one to %d coordinates",
                      why, info->name ? info->name : "unnamed",
                      cardo_mobilizer_name(info->mobilizer), CARDO_TABLE_MOST_AXES);
}

cardo_status cardo_table_coordinates_find(const cardo_system *system,
                                          const cardo_force_provider *provider,
                                          cardo_table_coordinates *coordinates, cardo_error *error)
{
    bool have_base = false;
    cardo_body_info info = {0};
    coordinates->count = 0;
    for (int body = 1; body < cardo_system_nbody(system); ++body) {
        cardo_system_body(system, body, &info);
        if (is_free_base(&info, provider) && !have_base) {
            have_base = true;
            continue;
        }
        if (info.mobilizer->multiply_n)
            return refuse(&info, "a coordinate's rate is not its speed", error);
        for (int k = 0; k < info.nu; ++k) {
            if (coordinates->count == CARDO_TABLE_MOST_AXES)
                return refuse(&info, "there are too many coordinates", error);
            coordinates->q[coordinates->count] = info.q_first + k;
            coordinates->u[coordinates->count++] = info.u_first + k;
        }
    }
    return coordinates->count > 0 ? CARDO_OK : refuse(&info, "nothing moves", error);
}

cardo_status cardo_table_source_create(const cardo_system *system, const cardo_state *start,
                                       cardo_force_provider *provider, cardo_table_source **out,
                                       cardo_error *error)
{
    cardo_status status;
    cardo_table_source *self = NULL;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    self->system = system;
    self->provider = provider;
    CARDO_TRY(cardo_table_coordinates_find(system, provider, &self->coordinates, error));
    CARDO_TRY(cardo_state_create(system, &self->state, error));
    cardo_state_copy(self->state, start);
    CARDO_TRY(cardo_evaluator_create(system, provider, &self->evaluator, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->q, cardo_system_nq(system), error));
    CARDO_TRY(CARDO_ALLOCATE(&self->generalized, cardo_system_nu(system), error));
    memcpy(self->q, cardo_state_q(start), (size_t)cardo_system_nq(system) * sizeof *self->q);
    for (int k = 0; k < self->coordinates.count; ++k)
        self->start[k] = self->q[self->coordinates.q[k]];
    *out = self;
    self = NULL;
done:
    cardo_table_source_destroy(self);
    return status;
}

void cardo_table_source_destroy(cardo_table_source *self)
{
    if (!self)
        return;
    cardo_evaluator_destroy(self->evaluator);
    cardo_state_destroy(self->state);
    cardo_free(self->q);
    cardo_free(self->generalized);
    cardo_free(self);
}

const cardo_table_coordinates *cardo_table_source_coordinates(const cardo_table_source *self)
{
    return &self->coordinates;
}

void cardo_table_source_start(const cardo_table_source *self, double *x)
{
    memcpy(x, self->start, (size_t)self->coordinates.count * sizeof *x);
}

/* The fastest station for a unit rate of coordinate k where the state stands. */
static cardo_status fastest_station(cardo_table_source *self, int k, double *velocities,
                                    double *speed, cardo_error *error)
{
    cardo_status status;
    memset(self->generalized, 0, (size_t)cardo_system_nu(self->system) * sizeof *self->generalized);
    self->generalized[self->coordinates.u[k]] = 1;
    cardo_state_set_u(self->state, self->generalized);
    CARDO_TRY(cardo_realize(self->system, self->state, CARDO_STAGE_VELOCITY, error));
    CARDO_TRY(cardo_station_velocities(self->system, self->state, velocities, error));
    for (int i = 0; i < cardo_system_nstation(self->system); ++i)
        *speed = fmax(*speed, v3_norm(v3_load(velocities + 3 * (size_t)i)));
done:
    return status;
}

cardo_status cardo_table_source_rates(cardo_table_source *self, const double *from,
                                      const double *to, double *rates, cardo_error *error)
{
    enum { PLACES = 9 };
    cardo_status status;
    double *velocities = NULL;
    const int n = self->coordinates.count;
    CARDO_TRY(CARDO_ALLOCATE(&velocities, 3 * (size_t)cardo_system_nstation(self->system), error));
    for (int k = 0; k < n; ++k) {
        rates[k] = 0;
        for (int place = 0; place < PLACES; ++place) {
            for (int j = 0; j < n; ++j)
                self->q[self->coordinates.q[j]] = self->start[j];
            self->q[self->coordinates.q[k]] = from[k] + (to[k] - from[k]) * place / (PLACES - 1.0);
            cardo_state_set_q(self->state, self->q);
            CARDO_TRY(fastest_station(self, k, velocities, &rates[k], error));
        }
    }
    memset(self->generalized, 0, (size_t)cardo_system_nu(self->system) * sizeof *self->generalized);
    cardo_state_set_u(self->state, self->generalized);
done:
    cardo_free(velocities);
    return status;
}

cardo_status cardo_table_source_evaluate(void *user, const double *x, double *energy,
                                         double *gradient, cardo_error *error)
{
    cardo_table_source *self = user;
    for (int k = 0; k < self->coordinates.count; ++k)
        self->q[self->coordinates.q[k]] = x[k];
    cardo_state_set_q(self->state, self->q);
    cardo_status status = cardo_evaluate(self->evaluator, self->state, error);
    if (status == CARDO_OK)
        status = cardo_evaluator_generalized_forces(self->evaluator, self->state, self->generalized,
                                                    error);
    if (status != CARDO_OK)
        return status;
    *energy = cardo_evaluator_energy(self->evaluator);
    for (int k = 0; k < self->coordinates.count; ++k)
        gradient[k] = -self->generalized[self->coordinates.u[k]];
    return CARDO_OK;
}

typedef struct table_provider {
    cardo_force_provider base; /* first: a pointer to it is a pointer to this */
    cardo_table_source *source;
    cardo_force_table *table;
    long long outside;
} table_provider;

/* One evaluation of the source's provider at the full q. */
static cardo_status compute_outside(table_provider *self, cardo_force_evaluation *evaluation,
                                    cardo_error *error)
{
    cardo_table_source *source = self->source;
    ++self->outside;
    cardo_state_set_q(source->state, evaluation->q);
    cardo_status status = cardo_evaluate(source->evaluator, source->state, error);
    if (status != CARDO_OK)
        return status;
    const cardo_spatial *forces = cardo_evaluator_body_forces(source->evaluator);
    const double *mobility_forces = cardo_evaluator_mobility_forces(source->evaluator);
    for (int body = 0; body < evaluation->nbody; ++body) {
        cardo_spatial *sum = &evaluation->body_forces[body];
        sum->angular = v3_add(sum->angular, forces[body].angular);
        sum->linear = v3_add(sum->linear, forces[body].linear);
    }
    for (int k = 0; k < evaluation->nu; ++k)
        evaluation->mobility_forces[k] += mobility_forces[k];
    evaluation->energy = cardo_evaluator_energy(source->evaluator);
    return CARDO_OK;
}

static cardo_status table_compute(cardo_force_provider *base, cardo_force_evaluation *evaluation,
                                  cardo_error *error)
{
    table_provider *self = (table_provider *)base;
    const cardo_table_coordinates *coordinates = &self->source->coordinates;
    double x[CARDO_TABLE_MOST_AXES], gradient[CARDO_TABLE_MOST_AXES];
    cardo_status status = CARDO_OK;
    for (int k = 0; k < coordinates->count; ++k)
        x[k] = evaluation->q[coordinates->q[k]];
    if (cardo_force_table_at(self->table, x, &evaluation->energy, gradient))
        for (int k = 0; k < coordinates->count; ++k)
            evaluation->mobility_forces[coordinates->u[k]] -= gradient[k];
    else
        status = compute_outside(self, evaluation, error);
    if (status == CARDO_OK && evaluation->term_energies)
        evaluation->term_energies[0] = evaluation->energy;
    return status;
}

static void table_destroy(cardo_force_provider *base)
{
    table_provider *self = (table_provider *)base;
    cardo_table_source_destroy(self->source);
    cardo_force_table_destroy(self->table);
    cardo_free(self);
}

cardo_status cardo_table_provider_create(cardo_table_source *source, cardo_force_table *table,
                                         cardo_force_provider **out, cardo_error *error)
{
    static const char *const terms[] = {"tabulated"};
    table_provider *self = NULL;
    *out = NULL;
    cardo_status status = CARDO_ALLOCATE(&self, 1, error);
    if (status == CARDO_OK && table->naxis != source->coordinates.count)
        status = CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                            "the force table has %d coordinates and the system %d", table->naxis,
                            source->coordinates.count);
    if (status != CARDO_OK) {
        cardo_table_source_destroy(source);
        cardo_force_table_destroy(table);
        cardo_free(self);
        return status;
    }
    const unsigned passed_on = CARDO_FORCE_DETERMINISTIC | CARDO_FORCE_SINGLE;
    self->base = (cardo_force_provider){
        .name = "table",
        .doc = "energies and forces of another provider, interpolated in a table",
        .traits = CARDO_FORCE_WANTS_POSES | (source->provider->traits & passed_on),
        .nterm = 1,
        .term_names = terms,
        .compute = table_compute,
        .destroy = table_destroy,
    };
    self->source = source;
    self->table = table;
    *out = &self->base;
    return CARDO_OK;
}

long long cardo_table_provider_outside(const cardo_force_provider *provider)
{
    return ((const table_provider *)provider)->outside;
}
