#include "dynamics/evaluation/evaluate.h"

#include "base/memory.h"
#include "cardo/manifold.h"
#include "multibody/tree/force_element.h"
#include "multibody/tree/operators.h"

#include <math.h>
#include <string.h>

struct cardo_evaluator {
    const cardo_system *system;
    cardo_force_provider *provider;
    int nbody, nq, nu, nstation, nterm;
    bool want_terms;
    long long count;
    double *own_positions; /* where the provider brings no buffer of its own */
    double *positions;     /* borrowed: own_positions or the provider's      */
    /* Providers that do not mind get positions as if the first free base stood at its zero
     * coordinates: they stay near the reference structure however far a molecule travels, so single
     * precision and pair lists stay as they were. */
    int home_body; /* 0: none */
    cardo_transform X_home;
    double *turned_forces; /* station forces back in ground (nstation x 3) */
    bool fixman, closure;
    double half_kT;           /* of the two potentials */
    double *log_det_gradient; /* (nu) */
    double *ensemble_forces;  /* of the last evaluation (nu); NULL where the flight does without */
    double energy;
    double *terms;
    double *other_terms; /* those of the groups evaluated before (nterm) */
    cardo_spatial *body_forces;
    double *mobility_forces;
};

static void find_home(cardo_evaluator *self)
{
    if (!self->provider || !(self->provider->traits & CARDO_FORCE_INVARIANT) || !self->positions)
        return;
    for (int body = 1; body < self->nbody && !self->home_body; ++body) {
        cardo_body_info info;
        cardo_system_body(self->system, body, &info);
        if (info.parent != 0 || info.mobilizer != &cardo_mobilizer_free)
            continue;
        self->home_body = body;
        self->X_home = xform_mul(info.X_PF, xform_inverse(info.X_BM));
    }
}

/* x' = X x for n points, in place or not. */
static void transform_points(int n, cardo_transform X, const double *from, double *to)
{
    for (int k = 0; k < n; ++k)
        v3_store(to + 3 * k, xform_point(X, v3_load(from + 3 * k)));
}

cardo_status cardo_evaluator_create(const cardo_system *system, cardo_force_provider *provider,
                                    cardo_evaluator **out, cardo_error *error)
{
    cardo_status status;
    cardo_evaluator *self = NULL;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    self->system = system;
    self->provider = provider;
    self->nbody = cardo_system_nbody(system);
    self->nq = cardo_system_nq(system);
    self->nu = cardo_system_nu(system);
    self->nstation = cardo_system_nstation(system);
    self->nterm = provider ? provider->nterm : 0;
    CARDO_TRY(CARDO_ALLOCATE(&self->terms, self->nterm, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->other_terms, self->nterm + 2, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->body_forces, self->nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->mobility_forces, self->nu, error));
    if (provider && !(provider->traits & CARDO_FORCE_WANTS_POSES)) {
        self->positions = provider->position_buffer;
        if (!self->positions)
            CARDO_TRY(CARDO_ALLOCATE(&self->own_positions, 3 * (size_t)self->nstation, error));
        if (!self->positions)
            self->positions = self->own_positions;
    }
    find_home(self);
    if (self->home_body)
        CARDO_TRY(CARDO_ALLOCATE(&self->turned_forces, 3 * (size_t)self->nstation, error));
    *out = self;
    self = NULL;
done:
    cardo_evaluator_destroy(self);
    return status;
}

void cardo_evaluator_destroy(cardo_evaluator *self)
{
    if (!self)
        return;
    cardo_free(self->own_positions);
    cardo_free(self->turned_forces);
    cardo_free(self->log_det_gradient);
    cardo_free(self->ensemble_forces);
    cardo_free(self->terms);
    cardo_free(self->other_terms);
    cardo_free(self->body_forces);
    cardo_free(self->mobility_forces);
    cardo_free(self);
}

static cardo_status add_potentials(cardo_evaluator *self, bool fixman, bool closure, double kT,
                                   cardo_error *error)
{
    cardo_status status;
    self->fixman = fixman;
    self->closure = closure;
    self->half_kT = 0.5 * kT;
    if (!fixman && !closure)
        return CARDO_OK;
    self->nterm += fixman + closure;
    cardo_free(self->terms);
    self->terms = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&self->terms, self->nterm, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->log_det_gradient, self->nu, error));
done:
    return status;
}

cardo_status cardo_evaluator_add_fixman(cardo_evaluator *self, double kT, cardo_error *error)
{
    return add_potentials(self, true, false, kT, error);
}

cardo_status cardo_evaluator_add_ensemble(cardo_evaluator *self, int ensemble, double kT,
                                          cardo_error *error)
{
    cardo_constraint_counts counts;
    cardo_system_constraint_counts(self->system, &counts);
    const bool closure = ensemble == CARDO_ENSEMBLE_CLOSURE || ensemble == CARDO_ENSEMBLE_FULL;
    const bool fixman = ensemble == CARDO_ENSEMBLE_FIXMAN || ensemble == CARDO_ENSEMBLE_FULL;
    if (closure && counts.nrow > counts.nposition)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "constraints on speeds or accelerations leave no density that could be "
                          "corrected: use ensemble=rigid");
    cardo_status status = add_potentials(self, fixman, closure, kT, error);
    if (status == CARDO_OK && counts.nrow > 0 && (fixman || closure))
        status = CARDO_ALLOCATE(&self->ensemble_forces, self->nu, error);
    return status;
}

void cardo_evaluator_want_terms(cardo_evaluator *self, bool want)
{
    self->want_terms = want;
}

bool cardo_evaluator_wants_terms(const cardo_evaluator *self)
{
    return self->want_terms;
}

static bool all_finite(const double *values, size_t n)
{
    double sum = 0.0; /* zero times anything finite; not a number otherwise */
    for (size_t k = 0; k < n; ++k)
        sum += 0.0 * values[k];
    return sum == 0.0;
}

static cardo_status check_results(const cardo_evaluator *self, cardo_error *error)
{
    if (!isfinite(self->energy))
        return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                          "the potential energy from %s is not finite (%g): atoms lie on each "
                          "other, or positions are not finite",
                          self->provider->name, self->energy);
    for (int body = 0; body < self->nbody; ++body)
        if (!all_finite((const double *)&self->body_forces[body], 6)) {
            cardo_body_info info;
            cardo_system_body(self->system, body, &info);
            return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                              "the force from %s on body %d (%s) is not finite: atoms lie on each "
                              "other, or positions are not finite",
                              self->provider->name, body, info.name ? info.name : "unnamed");
        }
    if (!all_finite(self->mobility_forces, (size_t)self->nu))
        return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL, "a generalized force from %s is not finite",
                          self->provider->name);
    return CARDO_OK;
}

/* Forces that depend on relative places alone have no resultant. What single precision leaves of
 * one would push the molecule the same way for ever, since positions at home repeat: the home body
 * takes it away, so momentum is kept to rounding. */
static void remove_resultant(cardo_evaluator *self, const cardo_transform *X_GB)
{
    cardo_spatial *forces = self->body_forces, *home = &forces[self->home_body];
    cardo_spatial sum = {{0, 0, 0}, {0, 0, 0}};
    cardo_vec3 origin = X_GB[self->home_body].p;
    for (int body = 0; body < self->nbody; ++body) {
        cardo_vec3 arm = v3_sub(X_GB[body].p, origin);
        sum.linear = v3_add(sum.linear, forces[body].linear);
        sum.angular =
            v3_add(sum.angular, v3_add(forces[body].angular, v3_cross(arm, forces[body].linear)));
    }
    home->linear = v3_sub(home->linear, sum.linear);
    home->angular = v3_sub(home->angular, sum.angular);
}

static cardo_status call_provider(cardo_evaluator *self, const cardo_state *state, unsigned groups,
                                  cardo_error *error)
{
    if (self->positions) {
        cardo_status status = cardo_station_positions(self->system, state, self->positions, error);
        if (status != CARDO_OK)
            return status;
    }
    cardo_transform X_HG = xform_identity();
    if (self->home_body) {
        X_HG = xform_mul(self->X_home, xform_inverse(cardo_state_X_GB(state)[self->home_body]));
        transform_points(self->nstation, X_HG, self->positions, self->positions);
    }
    cardo_force_evaluation evaluation = {
        .time = cardo_state_time(state),
        .nbody = self->nbody,
        .X_GB = cardo_state_X_GB(state),
        .nstation = self->nstation,
        .station_positions = self->positions,
        .nq = self->nq,
        .nu = self->nu,
        .q = cardo_state_q(state),
        .u = cardo_state_u(state),
        .groups = groups,
        .term_energies = self->want_terms && self->provider->nterm > 0 ? self->terms : NULL,
        .body_forces = self->body_forces,
        .mobility_forces = self->mobility_forces,
    };
    self->count++;
    cardo_status status = self->provider->compute(self->provider, &evaluation, error);
    if (status != CARDO_OK)
        return status;
    self->energy += evaluation.energy;
    const double *station_forces = evaluation.station_forces;
    if (station_forces && self->home_body) {
        cardo_transform back = {m33_transpose(X_HG.R), {0, 0, 0}};
        transform_points(self->nstation, back, station_forces, self->turned_forces);
        station_forces = self->turned_forces;
    }
    if (station_forces)
        status = cardo_station_forces_to_bodies(self->system, state, station_forces,
                                                self->body_forces, error);
    if (status == CARDO_OK && self->home_body)
        remove_resultant(self, cardo_state_X_GB(state));
    return status == CARDO_OK ? check_results(self, error) : status;
}

/* Terms of the provider come first. */
static int own_terms(const cardo_evaluator *self)
{
    return self->fixman + self->closure;
}

/* ln det and its gradient, of M or of Y. DYNAMICS. */
static cardo_status find_log_det(cardo_evaluator *self, cardo_state *state, bool closure,
                                 double *log_det, cardo_error *error)
{
    cardo_status status = closure ? cardo_log_det_y(self->system, state, log_det, error)
                                  : cardo_log_det_m(self->system, state, log_det, error);
    if (status != CARDO_OK)
        return status;
    return closure ? cardo_log_det_y_gradient(self->system, state, self->log_det_gradient, error)
                   : cardo_log_det_m_gradient(self->system, state, self->log_det_gradient, error);
}

/* Adds U = kT/2 ln det and its generalized forces. */
static cardo_status add_potential(cardo_evaluator *self, cardo_state *state, bool closure, int term,
                                  cardo_error *error)
{
    double log_det;
    cardo_status status = cardo_realize(self->system, state, CARDO_STAGE_DYNAMICS, error);
    if (status == CARDO_OK)
        status = find_log_det(self, state, closure, &log_det, error);
    if (status != CARDO_OK)
        return status;
    self->energy += self->half_kT * log_det;
    if (self->want_terms)
        self->terms[term] = self->half_kT * log_det;
    for (int k = 0; k < self->nu; ++k) {
        const double force = -self->half_kT * self->log_det_gradient[k];
        self->mobility_forces[k] += force;
        if (self->ensemble_forces)
            self->ensemble_forces[k] += force;
    }
    return CARDO_OK;
}

const double *cardo_evaluator_ensemble_forces(const cardo_evaluator *self)
{
    return self->ensemble_forces;
}

cardo_status cardo_evaluator_find_ensemble_forces(cardo_evaluator *self, cardo_state *state,
                                                  double *forces, cardo_error *error)
{
    double log_det;
    for (int k = 0; k < self->nu; ++k)
        forces[k] = 0;
    for (int closure = 0; closure < 2; ++closure) {
        if (!(closure ? self->closure : self->fixman))
            continue;
        cardo_status status = find_log_det(self, state, closure, &log_det, error);
        if (status != CARDO_OK)
            return status;
        for (int k = 0; k < self->nu; ++k)
            forces[k] -= self->half_kT * self->log_det_gradient[k];
    }
    return CARDO_OK;
}

static void forget_results(cardo_evaluator *self)
{
    memset(self->body_forces, 0, (size_t)self->nbody * sizeof *self->body_forces);
    if (self->nu > 0)
        memset(self->mobility_forces, 0, (size_t)self->nu * sizeof *self->mobility_forces);
    if (self->ensemble_forces)
        memset(self->ensemble_forces, 0, (size_t)self->nu * sizeof *self->ensemble_forces);
    self->energy = 0.0;
}

static cardo_status evaluate(cardo_evaluator *self, cardo_state *state, unsigned groups,
                             cardo_error *error)
{
    cardo_status status = CARDO_OK;
    if (cardo_state_stage(state) < CARDO_STAGE_POSITION)
        status = cardo_realize(self->system, state, CARDO_STAGE_POSITION, error);
    if (status == CARDO_OK && self->provider)
        status = call_provider(self, state, groups, error);
    if (status == CARDO_OK && self->fixman && (groups == 0 || (groups & 1u)))
        status = add_potential(self, state, false, self->nterm - own_terms(self), error);
    if (status == CARDO_OK && self->closure && (groups == 0 || (groups & 1u)))
        status = add_potential(self, state, true, self->nterm - 1, error);
    if (status == CARDO_OK)
        cardo_state_set_forces(state, self->body_forces, self->mobility_forces);
    return status;
}

cardo_status cardo_evaluate(cardo_evaluator *self, cardo_state *state, cardo_error *error)
{
    forget_results(self);
    return evaluate(self, state, 0, error);
}

cardo_status cardo_evaluate_groups(cardo_evaluator *self, cardo_state *state, unsigned groups,
                                   bool add, cardo_error *error)
{
    const bool sum = add && self->want_terms && self->nterm > 0;
    if (!add)
        forget_results(self);
    if (sum)
        memcpy(self->other_terms, self->terms, (size_t)self->nterm * sizeof *self->terms);
    else if (self->nterm > 0)
        memset(self->terms, 0, (size_t)self->nterm * sizeof *self->terms);
    cardo_status status = evaluate(self, state, groups, error);
    for (int k = 0; sum && status == CARDO_OK && k < self->nterm; ++k)
        self->terms[k] += k >= self->nterm - own_terms(self) ? 0.0 : self->other_terms[k];
    return status;
}

int cardo_evaluator_ngroup(const cardo_evaluator *self)
{
    return self->provider && self->provider->ngroup > 1 ? self->provider->ngroup : 1;
}

long long cardo_evaluator_count(const cardo_evaluator *self)
{
    return self->count;
}

double cardo_evaluator_energy(const cardo_evaluator *self)
{
    return self->energy;
}

cardo_status cardo_evaluator_potential(const cardo_evaluator *self, const cardo_state *state,
                                       double *potential, cardo_error *error)
{
    double own;
    cardo_status status = cardo_potential_energy(self->system, state, NULL, &own, error);
    if (status == CARDO_OK)
        *potential = self->energy + own;
    return status;
}

int cardo_evaluator_nterm(const cardo_evaluator *self)
{
    return self->nterm;
}

const char *cardo_evaluator_term_name(const cardo_evaluator *self, int term)
{
    const int own = term - (self->nterm - own_terms(self));
    if (own < 0)
        return self->provider->term_names[term];
    return own == 0 && self->fixman ? "fixman" : "closure";
}

const double *cardo_evaluator_terms(const cardo_evaluator *self)
{
    return self->terms;
}

const cardo_spatial *cardo_evaluator_body_forces(const cardo_evaluator *self)
{
    return self->body_forces;
}

const double *cardo_evaluator_mobility_forces(const cardo_evaluator *self)
{
    return self->mobility_forces;
}

cardo_force_provider *cardo_evaluator_provider(const cardo_evaluator *self)
{
    return self->provider;
}

cardo_status cardo_evaluator_generalized_forces(const cardo_evaluator *self,
                                                const cardo_state *state, double *generalized,
                                                cardo_error *error)
{
    cardo_status status =
        cardo_multiply_jt(self->system, state, self->body_forces, generalized, error);
    for (int k = 0; status == CARDO_OK && k < self->nu; ++k)
        generalized[k] += self->mobility_forces[k];
    return status;
}

int cardo_evaluator_value_count(const cardo_evaluator *self)
{
    return 1 + self->nterm + 6 * self->nbody + self->nu + (self->ensemble_forces ? self->nu : 0);
}

static double *put(double *to, const void *from, size_t n)
{
    if (n > 0)
        memcpy(to, from, n * sizeof *to);
    return to + n;
}

static const double *get(void *to, const double *from, size_t n)
{
    if (n > 0)
        memcpy(to, from, n * sizeof *from);
    return from + n;
}

void cardo_evaluator_save(const cardo_evaluator *self, double *values)
{
    values = put(values, &self->energy, 1);
    values = put(values, self->terms, (size_t)self->nterm);
    values = put(values, self->body_forces, 6 * (size_t)self->nbody);
    values = put(values, self->mobility_forces, (size_t)self->nu);
    if (self->ensemble_forces)
        put(values, self->ensemble_forces, (size_t)self->nu);
}

void cardo_evaluator_load(cardo_evaluator *self, cardo_state *state, const double *values)
{
    values = get(&self->energy, values, 1);
    values = get(self->terms, values, (size_t)self->nterm);
    values = get(self->body_forces, values, 6 * (size_t)self->nbody);
    values = get(self->mobility_forces, values, (size_t)self->nu);
    if (self->ensemble_forces)
        get(self->ensemble_forces, values, (size_t)self->nu);
    cardo_state_set_forces(state, self->body_forces, self->mobility_forces);
}
