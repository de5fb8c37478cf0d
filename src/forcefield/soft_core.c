#include "forcefield/soft_core.h"

#include "base/memory.h"
#include "forcefield/near_pairs.h"

#include <math.h>
#include <string.h>

static const double switch_from = 0.7, reach = 0.9;

/* What a pair of atoms needs to know. */
typedef struct pair_rules {
    const cardo_terms *terms;
    const int *body;
    int *first, *partner; /* exceptions of each atom with later ones of other bodies */
    cardo_near_pairs *near;
} pair_rules;

static bool counts(const pair_rules *rules, const cardo_exception_term *e)
{
    return rules->body[e->a] != rules->body[e->b];
}

/* partner[first[a] .. first[a + 1]): the atoms that a has exceptions with. */
static cardo_status list_exceptions(pair_rules *rules, cardo_error *error)
{
    cardo_status status;
    const cardo_terms *terms = rules->terms;
    CARDO_TRY(CARDO_ALLOCATE(&rules->first, terms->natom + 2, error));
    CARDO_TRY(CARDO_ALLOCATE(&rules->partner, 2 * terms->nexception + 1, error));
    for (int k = 0; k < terms->nexception; ++k)
        if (counts(rules, &terms->exception[k])) {
            ++rules->first[terms->exception[k].a + 2];
            ++rules->first[terms->exception[k].b + 2];
        }
    for (int i = 0; i < terms->natom; ++i)
        rules->first[i + 2] += rules->first[i + 1];
    for (int k = 0; k < terms->nexception; ++k)
        if (counts(rules, &terms->exception[k])) {
            int a = terms->exception[k].a, b = terms->exception[k].b;
            rules->partner[rules->first[a + 1]++] = b;
            rules->partner[rules->first[b + 1]++] = a;
        }
done:
    return status;
}

static cardo_status make_rules(const cardo_terms *terms, const int *body, pair_rules *rules,
                               cardo_error *error)
{
    *rules = (pair_rules){.terms = terms, .body = body};
    cardo_status status = list_exceptions(rules, error);
    return status == CARDO_OK ? cardo_near_pairs_create(terms->natom, reach, &rules->near, error)
                              : status;
}

static void clear_rules(pair_rules *rules)
{
    cardo_near_pairs_destroy(rules->near);
    cardo_free(rules->first);
    cardo_free(rules->partner);
}

/* Lorentz-Berthelot parameters of a pair; false when it has no energy of its own here. */
static bool take_pair(const pair_rules *rules, int a, int b, double *sigma, double *epsilon)
{
    const cardo_terms *terms = rules->terms;
    if (rules->body[a] == rules->body[b])
        return false;
    for (int k = rules->first[a]; k < rules->first[a + 1]; ++k)
        if (rules->partner[k] == b)
            return false;
    *sigma = 0.5 * (terms->sigma[a] + terms->sigma[b]);
    *epsilon = sqrt(terms->epsilon[a] * terms->epsilon[b]);
    return *epsilon > 0 && *sigma > 0;
}

/* Clashes. */

typedef struct clash_search {
    const pair_rules *rules;
    cardo_clash *worst;
} clash_search;

static double lennard_jones(double sigma, double epsilon, double square)
{
    double s2 = sigma * sigma / square, s6 = s2 * s2 * s2;
    return square > 0 ? 4 * epsilon * (s6 * s6 - s6) : HUGE_VAL;
}

static void compare(cardo_clash *worst, int a, int b, double energy, double square)
{
    if (worst->a < 0 || energy > worst->energy)
        *worst = (cardo_clash){a, b, energy, sqrt(square)};
}

static void look_for_clash(void *context, int a, int b, cardo_vec3 r, double square)
{
    (void)r;
    const clash_search *search = context;
    double sigma, epsilon;
    if (take_pair(search->rules, a, b, &sigma, &epsilon))
        compare(search->worst, a, b, lennard_jones(sigma, epsilon, square), square);
}

cardo_status cardo_find_clash(const cardo_terms *terms, const int *body_of_atom,
                              const double *positions, cardo_clash *worst, cardo_error *error)
{
    pair_rules rules;
    clash_search search = {&rules, worst};
    *worst = (cardo_clash){.a = -1, .b = -1};
    cardo_status status = make_rules(terms, body_of_atom, &rules, error);
    if (status == CARDO_OK && terms->has_nonbonded)
        cardo_near_pairs_visit(rules.near, positions, look_for_clash, &search);
    clear_rules(&rules);
    return status;
}

/* The provider. */

typedef struct soft_core {
    cardo_force_provider provider;
    pair_rules rules;
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
    if (take_pair(&self->rules, a, b, &sigma, &epsilon))
        add_pair(self, a, b, r, square, sigma, epsilon);
}

static void add_exceptions(soft_core *self, const double *positions)
{
    const cardo_terms *terms = self->rules.terms;
    for (int k = 0; k < terms->nexception; ++k) {
        const cardo_exception_term *e = &terms->exception[k];
        cardo_vec3 r = v3_sub(v3_load(positions + 3 * e->b), v3_load(positions + 3 * e->a));
        double square = v3_dot(r, r);
        if (counts(&self->rules, e) && e->epsilon > 0 && e->sigma > 0 && square < reach * reach)
            add_pair(self, e->a, e->b, r, square, e->sigma, e->epsilon);
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
    if (self->rules.terms->has_nonbonded) {
        cardo_near_pairs_visit(self->rules.near, positions, visit, self);
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
    clear_rules(&self->rules);
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
    CARDO_TRY(make_rules(terms, body_of_atom, &self->rules, error));
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
