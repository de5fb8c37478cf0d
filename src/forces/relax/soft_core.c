#include "forces/relax/soft_core.h"

#include "base/memory.h"
#include "forces/relax/near_pairs.h"
#include "forces/relax/pair_rules.h"

#include <math.h>
#include <string.h>

static const double switch_from = 0.7, reach = 0.9;

/* What a pair of atoms needs to know. */
typedef struct pair_finder {
    const int *body;
    cardo_pair_rules rules;
    cardo_near_pairs *near;
} pair_finder;

static cardo_status make_finder(const cardo_terms *terms, const int *body, pair_finder *finder,
                                cardo_error *error)
{
    *finder = (pair_finder){.body = body};
    cardo_status status = cardo_pair_rules_make(terms, &finder->rules, error);
    return status == CARDO_OK ? cardo_near_pairs_create(terms->natom, reach, &finder->near, error)
                              : status;
}

static void clear_finder(pair_finder *finder)
{
    cardo_near_pairs_destroy(finder->near);
    cardo_pair_rules_clear(&finder->rules);
}

/* The provider. */

typedef struct soft_core {
    cardo_force_provider provider;
    pair_finder finder;
    cardo_force_provider *bonded;
    double softness, bonded_weight;
    double energy;  /* of the evaluation at hand */
    double *forces; /* (natom x 3) */
} soft_core;

/* 1 up to switch_from, 0 from reach on, twice differentiable; and its derivative by r. */
static double fade(double r, double *slope)
{
    *slope = 0;
    if (r <= switch_from)
        return 1;
    double width = reach - switch_from, x = (r - switch_from) / width;
    *slope = -30 * x * x * (1 - x) * (1 - x) / width;
    return 1 - x * x * x * (10 - x * (15 - 6 * x));
}

static void add_pair(soft_core *self, int a, int b, cardo_vec3 r, double square, double sigma,
                     double epsilon)
{
    double s2 = square / (sigma * sigma), x = self->softness + s2 * s2 * s2;
    double slope, distance = sqrt(square), factor = fade(distance, &slope);
    if (!(x > 0)) { /* two atoms in one place, and nothing soft about it */
        self->energy = HUGE_VAL;
        return;
    }
    double energy = 4 * epsilon * (1 / x - 1) / x;
    /* -dU/dr over r: dx/dr = 6 s^5/sigma, which over r is 6 s^4/sigma^2. */
    double pull = -4 * epsilon * (1 - 2 / x) / (x * x) * 6 * s2 * s2 / (sigma * sigma) * factor;
    if (slope < 0)
        pull -= energy * slope / distance;
    self->energy += energy * factor;
    cardo_vec3 f = v3_scale(pull, r);
    v3_store(self->forces + 3 * b, v3_add(v3_load(self->forces + 3 * b), f));
    v3_store(self->forces + 3 * a, v3_sub(v3_load(self->forces + 3 * a), f));
}

static void visit(void *context, int a, int b, cardo_vec3 r, double square)
{
    soft_core *self = context;
    double sigma, epsilon;
    if (self->finder.body[a] != self->finder.body[b] &&
        cardo_pair_rules_take(&self->finder.rules, a, b, &sigma, &epsilon))
        add_pair(self, a, b, r, square, sigma, epsilon);
}

static void add_exceptions(soft_core *self, const double *positions)
{
    const cardo_terms *terms = self->finder.rules.terms;
    for (int k = 0; k < terms->nexception; ++k) {
        const cardo_exception_term e = cardo_terms_exception(terms, k);
        cardo_vec3 r = v3_sub(v3_load(positions + 3 * e.b), v3_load(positions + 3 * e.a));
        double square = v3_dot(r, r);
        if (self->finder.body[e.a] != self->finder.body[e.b] && e.epsilon > 0 && e.sigma > 0 &&
            square < reach * reach)
            add_pair(self, e.a, e.b, r, square, e.sigma, e.epsilon);
    }
}

static cardo_status add_bonded(soft_core *self, const cardo_force_evaluation *outer,
                               cardo_error *error)
{
    const double *positions = outer->station_positions;
    if (self->bonded->position_buffer) {
        memcpy(self->bonded->position_buffer, positions,
               3 * (size_t)outer->nstation * sizeof *positions);
        positions = self->bonded->position_buffer;
    }
    cardo_force_evaluation inner = {
        .time = outer->time, .nstation = outer->nstation, .station_positions = positions};
    cardo_status status = self->bonded->compute(self->bonded, &inner, error);
    if (status != CARDO_OK)
        return status;
    self->energy += self->bonded_weight * inner.energy;
    for (int k = 0; inner.station_forces && k < 3 * outer->nstation; ++k)
        self->forces[k] += self->bonded_weight * inner.station_forces[k];
    return CARDO_OK;
}

static cardo_status compute(cardo_force_provider *provider, cardo_force_evaluation *evaluation,
                            cardo_error *error)
{
    soft_core *self = (soft_core *)provider;
    const double *positions = evaluation->station_positions;
    double sum = 0;
    for (int k = 0; k < 3 * evaluation->nstation; ++k)
        sum += 0.0 * positions[k];
    if (sum != 0.0)
        return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL, "a position of an atom is not finite");
    self->energy = 0;
    memset(self->forces, 0, 3 * (size_t)evaluation->nstation * sizeof *self->forces);
    if (self->finder.rules.terms->has_nonbonded) {
        cardo_near_pairs_visit(self->finder.near, positions, visit, self);
        add_exceptions(self, positions);
    }
    cardo_status status = self->bonded ? add_bonded(self, evaluation, error) : CARDO_OK;
    if (status == CARDO_OK && !isfinite(self->energy))
        status = CARDO_FAIL(error, CARDO_RECOVERABLE, "two atoms are in the same place");
    evaluation->energy = self->energy;
    evaluation->station_forces = self->forces;
    return status;
}

static void destroy(cardo_force_provider *provider)
{
    soft_core *self = (soft_core *)provider;
    clear_finder(&self->finder);
    cardo_free(self->forces);
    cardo_free(self);
}

cardo_status cardo_soft_core_create(const cardo_terms *terms, const int *body_of_atom,
                                    cardo_force_provider *bonded, double softness,
                                    cardo_force_provider **out, cardo_error *error)
{
    cardo_status status;
    soft_core *self = NULL;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    self->provider = (cardo_force_provider){
        .name = "soft-core",
        .doc = "soft-core Lennard-Jones energies between bodies, and bonded terms",
        .traits = CARDO_FORCE_DETERMINISTIC | CARDO_FORCE_INVARIANT,
        .compute = compute,
        .destroy = destroy,
    };
    self->bonded = bonded;
    self->softness = softness;
    self->bonded_weight = 1;
    CARDO_TRY(make_finder(terms, body_of_atom, &self->finder, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->forces, 3 * (size_t)terms->natom, error));
    *out = &self->provider;
    self = NULL;
done:
    if (self)
        destroy(&self->provider);
    return status;
}

void cardo_soft_core_set(cardo_force_provider *provider, double softness, double bonded_weight)
{
    soft_core *self = (soft_core *)provider;
    self->softness = softness;
    self->bonded_weight = bonded_weight;
}
