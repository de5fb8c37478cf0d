#include "sampling/sampling.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"
#include "cardo/manifold.h"
#include "dynamics/coordinates/constrained.h"
#include "sampling/methods/fold_manifold.h"
#include "sampling/methods/method.h"
#include "sampling/study/other_start.h"
#include "sampling/study/pull.h"
#include "sampling/variables/response.h"

#include <math.h>
#include <string.h>

enum { MOST_REPLICA = 2000 };
/* Replicas that a study makes by itself have seeds above those that can be given (9e15). */
enum { SEED_BITS = 56 };

/* Of a stored study, in front of keep and the crew. */
enum { PREPARED, ROUND, WALKERS, STORED_HEAD };

const cardo_field cardo_sampling_fields[] = {
    {"from", CARDO_FIELD_DOUBLE, offsetof(cardo_sampling_options, from), "", "0", 0, 0, NULL,
     "first value of the variable, in its unit"},
    {"to", CARDO_FIELD_DOUBLE, offsetof(cardo_sampling_options, to), "", "1", 0, 0, NULL,
     "last value of the variable"},
    {"equilibration", CARDO_FIELD_LONG, offsetof(cardo_sampling_options, equilibration), "", "5000",
     0, 9e15, NULL, "first steps of every walker, which do not count"},
    {"pull", CARDO_FIELD_LONG, offsetof(cardo_sampling_options, pull), "", "20000", 0, 9e15, NULL,
     "steps in which a spring first pulls one walker over the range, so that all others can begin "
     "on its way, where more than the variable varies; 0: all begin from the start"},
    {"round", CARDO_FIELD_INT, offsetof(cardo_sampling_options, round), "", "500", 1, 1e9, NULL,
     "steps of a walker by itself, between exchanges, hills and the like"},
    {"interval", CARDO_FIELD_INT, offsetof(cardo_sampling_options, interval), "", "10", 1, 1e9,
     NULL, "steps between samples"},
    {"highest-start", CARDO_FIELD_DOUBLE, offsetof(cardo_sampling_options, highest_start), "kJ/mol",
     "500", 0, 1e300, NULL,
     "no walker begins so far above the one that begins lowest: atoms clash there"},
    {"replicas", CARDO_FIELD_INT, offsetof(cardo_sampling_options, replicas), "", "2", 1,
     CARDO_MOST_REPLICAS, NULL,
     "of the whole study, in turn from the start and from the other end of the range; by how much "
     "they disagree is part of the error, and without a second one nothing is called converged"},
    {0},
};

/* What no configuration can show, such as a distance below 0. */
static cardo_status check_bounds(const cardo_sampling_plan *plan, cardo_error *error)
{
    double lowest, highest;
    const cardo_sampling_options *o = plan->options;
    const char *name = cardo_variable_name(plan->variable);
    cardo_variable_bounds(plan->variable, &lowest, &highest);
    if (o->from < lowest)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "from=%g: the variable %s is never below %g; begin there or higher",
                          o->from, name, lowest);
    if (o->to > highest)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "to=%g: the variable %s (in %s) is never above %.6g; end there or lower",
                          o->to, name, cardo_variable_unit(plan->variable), highest);
    return CARDO_OK;
}

/* An integrator with a bath, joined to it, and not too fast for the step. */
static cardo_status check_bath(const cardo_sampling_plan *plan, cardo_error *error)
{
    const cardo_integrator *integrator = plan->integrator;
    if (!(integrator->traits & CARDO_INTEGRATOR_THERMOSTAT))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s keeps no temperature, so it samples nothing: choose langevin, baoab, "
                          "hmc, ghmc or another one with a thermostat",
                          integrator->name);
    if (!plan->integrator_options)
        return CARDO_OK;
    if (cardo_integrator_bath_time(integrator, plan->integrator_options) == HUGE_VAL)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s=\"0\" joins walkers to no bath, so %s keeps no temperature: "
                          "give a %s above zero",
                          integrator->bath_field, integrator->name, integrator->bath_field);
    return cardo_integrator_check_bath(integrator, plan->integrator_options,
                                       plan->simulation->timestep, error);
}

static cardo_status check_options(const cardo_sampling_plan *plan, cardo_error *error)
{
    const cardo_sampling_options *o = plan->options;
    const double period = cardo_variable_period(plan->variable);
    if (!(plan->simulation->temperature > 0))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "temperature=%g K is none to sample at: give one above zero",
                          plan->simulation->temperature);
    if (!(o->from < o->to) || !isfinite(o->from) || !isfinite(o->to))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "the range from=%g to=%g of %s is empty: from must be the smaller one",
                          o->from, o->to, cardo_variable_name(plan->variable));
    if (period > 0 && o->to - o->from > period * (1 + 1e-12))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "the range from=%g to=%g is longer than the period %g of %s", o->from,
                          o->to, period, cardo_variable_name(plan->variable));
    if (o->round % o->interval != 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "round=%d is not a multiple of interval=%d: samples are taken at whole "
                          "numbers of intervals",
                          o->round, o->interval);
    if (plan->simulation->replica > MOST_REPLICA)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "replica=%d is more than the %d that a study of many walkers has",
                          plan->simulation->replica, MOST_REPLICA);
    return check_bounds(plan, error);
}

/* A number of a few digits that is not inside of x. */
static double outward(double x, double range, bool up)
{
    double step = pow(10, floor(log10(range)) - 3);
    return step * (up ? ceil(x / step) : floor(x / step));
}

/* The model must not begin outside of what is to be sampled. */
static cardo_status check_start(const cardo_sampling_plan *plan, cardo_error *error)
{
    double xi;
    const cardo_sampling_options *o = plan->options;
    cardo_status status = cardo_variable_value(plan->variable, plan->start, &xi, error);
    if (status != CARDO_OK)
        return status;
    const double period = cardo_variable_period(plan->variable), slack = 1e-9 * (o->to - o->from);
    double above = xi - o->from;
    if (period > 0)
        above -= period * floor((above + slack) / period);
    if (above >= -slack && above <= o->to - o->from + slack)
        return CARDO_OK;
    const char *name = cardo_variable_name(plan->variable);
    char inside[256] = "where a minimization ends", coordinate[160] = "";
    if (cardo_variable_kind_of(plan->variable) == &cardo_variable_coordinate) {
        cardo_format(coordinate, sizeof coordinate, "%.80s=%g", name, 0.5 * (o->from + o->to));
        snprintf(inside, sizeof inside, "%s", coordinate);
    }
    if (plan->advise_start)
        plan->advise_start(plan->words_user, coordinate[0] ? coordinate : NULL, inside,
                           sizeof inside);
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "the model begins at %s = %.6g, outside of the range %g to %g: widen the "
                      "range (sample.%s=%.6g), or begin inside (%s)",
                      name, xi, o->from, o->to, xi < o->from ? "from" : "to",
                      outward(xi, o->to - o->from, xi > o->to), inside);
}

/* Only rows of positions that stand leave a density. */
static cardo_status check_constraints(const cardo_sampling_plan *plan, cardo_error *error)
{
    cardo_constraint_info info;
    const cardo_constraint *moving = cardo_constraint_find("prescribed-motion");
    for (int i = 0; cardo_system_constraint(plan->system, i, &info, NULL) == CARDO_OK; ++i)
        if (cardo_state_has_constraint(plan->start, i) &&
            (info.nvelocity > 0 || info.nacceleration > 0 || info.constraint == moving))
            return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                              "there are no free energies under constraint %d%s%s (%s), which %s: "
                              "switch it off, or hold a hinge in its place",
                              i, info.name ? " " : "", info.name ? info.name : "",
                              cardo_constraint_name(info.constraint),
                              info.constraint == moving ? "moves with time"
                                                        : "is not one of positions");
    return CARDO_OK;
}

cardo_status cardo_sampling_check(const cardo_sampling_plan *plan, cardo_error *error)
{
    cardo_status status = check_bath(plan, error);
    if (status == CARDO_OK)
        status = check_constraints(plan, error);
    if (status == CARDO_OK)
        status = check_options(plan, error);
    return status == CARDO_OK ? check_start(plan, error) : status;
}

static void set_walk(cardo_sampling *self)
{
    const cardo_sampling_plan *plan = &self->plan;
    self->walk = (cardo_walk){
        .system = plan->system,
        .start = plan->start,
        .provider = plan->provider,
        .variable = plan->variable,
        .integrator = plan->integrator,
        .integrator_options = plan->integrator_options,
        .simulation = *plan->simulation,
        .round = self->options.round,
        .interval = self->options.interval,
    };
    self->walk.simulation.replica *= CARDO_REPLICA_STREAMS;
    self->walk.simulation.seed += (long long)self->number << SEED_BITS;
}

/* How many freedoms there are; of a system with constraints the start is brought onto them. */
static cardo_status begin(cardo_sampling *self, cardo_error *error)
{
    cardo_status status;
    const cardo_system *system = self->plan.system;
    cardo_body_info base;
    bool tied = false;
    self->inner = cardo_system_nu(system);
    if (cardo_is_constrained(system)) {
        CARDO_TRY(cardo_state_create(system, &self->start, error));
        cardo_state_copy(self->start, self->plan.start);
        CARDO_TRY(cardo_begin_on_constraints(system, self->start, error));
        CARDO_TRY(cardo_realize(system, self->start, CARDO_STAGE_DYNAMICS, error));
        CARDO_TRY(cardo_degrees_of_freedom(system, self->start, &self->inner, error));
        tied = cardo_constraints_reach_ground(system, self->start);
        self->plan.start = self->walk.start = self->start;
        CARDO_TRY(check_start(&self->plan, error));
    }
    cardo_system_body(system, 1, &base);
    self->base = base.nu == 6 && !tied && self->inner > 6 ? 6 : 0;
    self->inner -= self->base;
    status = CARDO_OK;
done:
    return status;
}

cardo_status cardo_sampling_create(const cardo_sampling_plan *plan, cardo_sampling **out,
                                   cardo_error *error)
{
    return cardo_sampling_create_replica(plan, 0, 1, NULL, out, error);
}

cardo_status cardo_sampling_create_replica(const cardo_sampling_plan *plan, int number,
                                           int replicas, const cardo_sampling *first,
                                           cardo_sampling **out, cardo_error *error)
{
    cardo_sampling *self = NULL;
    const cardo_sampling_method *method = plan->method;
    *out = NULL;
    cardo_status status = cardo_sampling_check(plan, error);
    if (status != CARDO_OK)
        return status;
    if (method->options_size > CARDO_MOST_METHOD_OPTIONS)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "the options of %s take more than %d bytes",
                          method->name, CARDO_MOST_METHOD_OPTIONS);
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    self->plan = *plan;
    self->options = *plan->options;
    self->plan.options = &self->options;
    if (plan->method_options)
        memcpy(self->method_options.bytes, plan->method_options, method->options_size);
    else
        cardo_fields_default(method->fields, self->method_options.bytes);
    self->plan.method_options = self->method_options.bytes;
    self->number = number;
    self->first = first;
    set_walk(self);
    self->walk.crews = replicas;
    self->walk.crew = number;
    CARDO_TRY(begin(self, error));
    CARDO_TRY(
        cardo_slow_choose(plan->system, self->plan.start, plan->variable, &self->slow, error));
    self->walk.slow = &self->slow;
    self->plan.simulation = &self->walk.simulation;
    self->rounds = (plan->simulation->steps + self->options.round - 1) / self->options.round;
    if (method->open)
        CARDO_TRY(method->open(self, error));
    *out = self;
    self = NULL;
done:
    cardo_sampling_destroy(self);
    return status;
}

void cardo_sampling_destroy(cardo_sampling *self)
{
    if (!self)
        return;
    cardo_crew_clear(&self->crew);
    cardo_journal_clear(&self->journal);
    cardo_free(self->way.xi);
    cardo_free(self->way.q);
    cardo_state_destroy(self->other);
    cardo_state_destroy(self->start);
    if (self->working)
        self->plan.method->close(self);
    cardo_free(self->keep);
    cardo_free(self->felt);
    cardo_free(self);
}

/* Of the first replica: the others go over the same variable. */
static cardo_status look_for_folds(cardo_sampling *self, bool tell, cardo_error *error)
{
    if (self->first) {
        self->fold = self->first->fold;
        return CARDO_OK;
    }
    const double kT = CARDO_BOLTZMANN * self->walk.simulation.temperature;
    cardo_status status = (cardo_is_constrained(self->plan.system)
                               ? cardo_fold_follow
                               : cardo_fold_find)(&self->plan, kT, &self->fold, error);
    if (status == CARDO_OK && self->fold.found && tell)
        cardo_sampling_note(self,
                            "%s is folded: as %s changes it turns back at %s = %.6g (%s = %.4g), "
                            "so that two configurations have the same value and F adds both up. "
                            "Sample the coordinate, or a range on one side of that point\n",
                            cardo_variable_name(self->plan.variable), self->fold.name,
                            cardo_variable_name(self->plan.variable), self->fold.xi,
                            self->fold.name, self->fold.q);
    return status;
}

cardo_status cardo_sampling_prepare(cardo_sampling *self, const volatile sig_atomic_t *interrupt,
                                    cardo_end *end, cardo_error *error)
{
    *end = CARDO_END_FAILED;
    if (self->prepared)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "a study is prepared once");
    bool everywhere = false;
    *end = CARDO_END_DONE;
    cardo_status status = look_for_folds(self, true, error);
    if (status == CARDO_OK)
        status = cardo_sampling_take_other_start(self, &everywhere, error);
    if (status == CARDO_OK && self->options.pull > 0 && !everywhere && !self->plan.method->stands &&
        cardo_sampling_inner_freedoms(self) > 1)
        status = cardo_sampling_pull(self, self->options.pull, interrupt, end, error);
    if (status == CARDO_OK && *end == CARDO_END_DONE)
        status = self->plan.method->prepare(self, interrupt, end, error);
    self->prepared = status == CARDO_OK && *end == CARDO_END_DONE;
    if (self->prepared)
        cardo_journal_clear(&self->journal);
    return status;
}

/* Before the method changes biases. */
static void note_biases(cardo_sampling *self)
{
    const int n = cardo_sampling_round_samples(self);
    double *felt = self->felt, slope;
    for (int k = 0; k < self->crew.nwalker; ++k) {
        const cardo_walker *walker = &self->crew.walkers[k];
        for (int i = walker->nsample - n; i < walker->nsample; ++i)
            *felt++ = cardo_bias_evaluate(&walker->bias, walker->xi[i], &slope);
    }
}

cardo_status cardo_sampling_advance(cardo_sampling *self, const volatile sig_atomic_t *interrupt,
                                    cardo_end *end, cardo_error *error)
{
    *end = CARDO_END_FAILED;
    if (!self->prepared)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "a study goes on after cardo_sampling_prepare or _restore");
    cardo_status status = self->plan.method->advance
                              ? self->plan.method->advance(self, interrupt, end, error)
                              : cardo_crew_advance(&self->crew, interrupt, end, error);
    return status == CARDO_OK && *end == CARDO_END_DONE ? cardo_sampling_finish_round(self, error)
                                                        : status;
}

cardo_status cardo_sampling_finish_round(cardo_sampling *self, cardo_error *error)
{
    if (!self->plan.method->advance)
        note_biases(self);
    self->round++;
    return self->plan.method->merge ? self->plan.method->merge(self, error) : CARDO_OK;
}

long long cardo_sampling_round(const cardo_sampling *self)
{
    return self->round;
}

long long cardo_sampling_rounds(const cardo_sampling *self)
{
    return self->rounds;
}

bool cardo_sampling_is_prepared(const cardo_sampling *self)
{
    return self->prepared;
}

size_t cardo_sampling_value_count(const cardo_sampling *self)
{
    if (!self->prepared)
        return STORED_HEAD + cardo_journal_value_count(&self->journal);
    return STORED_HEAD + (size_t)self->nkeep + cardo_crew_value_count(&self->crew);
}

void cardo_sampling_save(const cardo_sampling *self, double *values)
{
    values[PREPARED] = self->prepared;
    values[ROUND] = (double)self->round;
    values[WALKERS] = self->crew.nwalker;
    values += STORED_HEAD;
    if (!self->prepared) {
        cardo_journal_save(&self->journal, values);
        return;
    }
    if (self->nkeep > 0)
        memcpy(values, self->keep, (size_t)self->nkeep * sizeof *values);
    cardo_crew_save(&self->crew, values + self->nkeep);
}

cardo_status cardo_sampling_restore(cardo_sampling *self, const double *values, size_t nvalue,
                                    cardo_error *error)
{
    cardo_status status;
    if (nvalue > STORED_HEAD && values[PREPARED] == 0)
        return cardo_journal_restore(&self->journal, values + STORED_HEAD, nvalue - STORED_HEAD,
                                     error);
    if (nvalue < STORED_HEAD || values[PREPARED] != 1 || !(values[WALKERS] >= 1) ||
        !(values[WALKERS] < CARDO_REPLICA_STREAMS))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "the numbers are not those of a study");
    CARDO_TRY(cardo_sampling_make_crew(self, (int)values[WALKERS], error));
    if (nvalue < STORED_HEAD + (size_t)self->nkeep) {
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT, "the numbers of the study are cut off");
        goto done;
    }
    self->round = (long long)values[ROUND];
    values += STORED_HEAD;
    if (self->nkeep > 0)
        memcpy(self->keep, values, (size_t)self->nkeep * sizeof *values);
    CARDO_TRY(cardo_crew_restore(&self->crew, values + self->nkeep,
                                 nvalue - STORED_HEAD - (size_t)self->nkeep, error));
    CARDO_TRY(look_for_folds(self, false, error));
    self->prepared = true;
done:
    return status;
}

const cardo_crew *cardo_sampling_crew(const cardo_sampling *self)
{
    return &self->crew;
}

const cardo_sampling_plan *cardo_sampling_get_plan(const cardo_sampling *self)
{
    return &self->plan;
}

const double *cardo_sampling_felt(const cardo_sampling *self)
{
    return self->felt;
}

void cardo_sampling_report(const cardo_sampling *self, char *text, size_t size)
{
    text[0] = '\0';
    if (self->plan.method->report)
        self->plan.method->report(self, text, size);
}
