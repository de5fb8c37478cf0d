#include "multibody/impact/impacts.h"

#include "base/memory.h"
#include "cardo/operators.h"
#include "multibody/impact/complementarity.h"
#include "multibody/impact/strike.h"
#include "multibody/manifold/set.h"

#include <math.h>
#include <string.h>

struct cardo_impacts {
    const cardo_system *system;
    int n, nrow, nconstraint;
    cardo_unilateral *contacts; /*                                          (n) */
    int *row;                   /* of each, among all                       (n) */
    int *pair;                  /* contacts of the same two bodies have one (n) */
    int *of_constraint;         /* the contact of a constraint, or -1 (nconstraint) */
    cardo_impact_law law;
    double touching;
    double push;             /* forces below this are none: rounding of the weight        */
    double *errors;          /* of positions or speeds                           (nrow) */
    double *gaps, *rates;    /*                                               (n) */
    bool *touches;           /* and does not move apart                                     (n) */
    bool *rests, *may_stick; /* touches without a force; tries stiction         (n) */
    bool *wanted;            /* is to be on                                     (n) */
    cardo_state *with;       /* the contacts switched on that are looked at */
    cardo_state *places;     /* all of them                                 */
    double *u;               /*                                              (nu) */
    double *change;          /*                                              (nu) */
    int *active;             /* rows that take part                        (nrow) */
    double *sign;            /*                                            (nrow) */
    int *contact;            /* of an active row, or -1                    (nrow) */
    double *all;             /* Y of all rows                       (nrow x nrow) */
    double *Y;               /* of active ones, signed                  (as above) */
    double *lambda;          /*                                            (nrow) */
    double *restitution;     /*                                            (nrow) */
    double *capture;         /* (nrow) */
    bool *free;              /* a row of what goes on holding              (nrow) */
    int *row_pair;           /*                                            (nrow) */
    strike strike;           /* its room, for all rows */
};

/* ------------ making ------------ */

static cardo_status check_contact(const cardo_system *system, const cardo_unilateral *contact,
                                  cardo_error *error)
{
    cardo_constraint_info info;
    cardo_status status;
    CARDO_TRY(cardo_system_constraint(system, contact->constraint, &info, error));
    if (info.nposition != 1 || info.nvelocity != 0 || info.nacceleration != 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "constraint %d (%s) has no gap: that is one row of positions",
                          contact->constraint, cardo_constraint_name(info.constraint));
    if (contact->sign != 1 && contact->sign != -1)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "a sign of %g: 1 or -1", contact->sign);
    if (!(contact->restitution >= 0 && contact->restitution <= 1) || !(contact->capture >= 0) ||
        !isfinite(contact->capture) || !(contact->static_friction >= 0))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "restitution is 0 to 1, capture and friction are 0 or more, not %g, %g, "
                          "%g",
                          contact->restitution, contact->capture, contact->static_friction);
    if (contact->stiction < 0)
        return CARDO_OK;
    CARDO_TRY(cardo_system_constraint(system, contact->stiction, &info, error));
    if (info.nposition != 0 || info.nvelocity == 0 || info.nacceleration != 0)
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "constraint %d (%s) is no stiction: that has rows of speeds only",
                            contact->stiction, cardo_constraint_name(info.constraint));
done:
    return status;
}

static bool same_bodies(const constraint_shape *a, const constraint_shape *b)
{
    if (a->nbody != b->nbody || a->nmobility != b->nmobility || a->nbody == 0)
        return false;
    const bool alike = a->bodies[0] == b->bodies[0] && a->bodies[1] == b->bodies[1];
    const bool turned = a->bodies[0] == b->bodies[1] && a->bodies[1] == b->bodies[0];
    return a->nbody == 2 && (alike || turned);
}

static void find_pairs(cardo_impacts *self)
{
    const constraint_plan *plans = list_of(self->system)->plans;
    for (int i = 0; i < self->n; ++i) {
        self->pair[i] = i;
        for (int j = 0; j < i; ++j)
            if (same_bodies(&plans[self->contacts[i].constraint].shape,
                            &plans[self->contacts[j].constraint].shape)) {
                self->pair[i] = self->pair[j];
                break;
            }
    }
}

static cardo_status make_room(cardo_impacts *self, cardo_error *error)
{
    const int m = self->nrow, nu = cardo_system_nu(self->system);
    strike *s = &self->strike;
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&self->errors, m, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->gaps, self->n, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->rates, self->n, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->rests, self->n, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->may_stick, self->n, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->wanted, self->n, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->touches, self->n, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->u, nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->change, nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->active, m, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->sign, m, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->contact, m, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->all, (size_t)m * (size_t)m, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->Y, (size_t)m * (size_t)m, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->lambda, m, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->restitution, m, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->capture, m, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->free, m, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->row_pair, m, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->v, m, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->P, m, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->q, m, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->x, m, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->work, 3 * (size_t)m * (size_t)m + 6 * (size_t)m, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->held, m, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->numbers, 3 * (size_t)m, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->subset, m, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->sub, (size_t)m * (size_t)m, error));
    CARDO_TRY(cardo_state_create(self->system, &self->with, error));
    CARDO_TRY(cardo_state_create(self->system, &self->places, error));
done:
    return status;
}

cardo_status cardo_impacts_create(const cardo_system *system, int n,
                                  const cardo_unilateral *contacts, cardo_impact_law law,
                                  double touching, cardo_impacts **out, cardo_error *error)
{
    cardo_status status;
    cardo_impacts *self = NULL;
    cardo_constraint_counts counts;
    *out = NULL;
    cardo_system_constraint_counts(system, &counts);
    if (n < 1 || !contacts)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "there are no contacts");
    if (!(touching >= 0) || !isfinite(touching))
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "gaps up to %g are to be contacts",
                          touching);
    if (law < CARDO_IMPACT_SEQUENTIAL || law > CARDO_IMPACT_POISSON)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "there is no law of impact %d", (int)law);
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    self->system = system;
    self->n = n;
    self->nrow = counts.nrow;
    self->nconstraint = counts.nconstraint;
    self->law = law;
    self->touching = touching > 0 ? touching : 1e-9;
    CARDO_TRY(CARDO_ALLOCATE(&self->contacts, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->row, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->pair, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->of_constraint, counts.nconstraint, error));
    memcpy(self->contacts, contacts, (size_t)n * sizeof *contacts);
    for (int i = 0; i < counts.nconstraint; ++i)
        self->of_constraint[i] = -1;
    for (int i = 0; i < n; ++i) {
        cardo_constraint_info info;
        status = check_contact(system, &contacts[i], error);
        if (status == CARDO_OK && self->of_constraint[contacts[i].constraint] >= 0)
            status = CARDO_FAIL(error, CARDO_ERROR_INPUT, "constraint %d has a contact already",
                                contacts[i].constraint);
        if (status != CARDO_OK) {
            cardo_error_prefix(error, "contact %d: ", i);
            goto done;
        }
        CARDO_TRY(cardo_system_constraint(system, contacts[i].constraint, &info, error));
        self->row[i] = info.first_position;
        self->of_constraint[contacts[i].constraint] = i;
    }
    find_pairs(self);
    CARDO_TRY(make_room(self, error));
    *out = self;
    self = NULL;
done:
    cardo_impacts_destroy(self);
    return status;
}

void cardo_impacts_destroy(cardo_impacts *self)
{
    if (!self)
        return;
    strike *s = &self->strike;
    void *const all[] = {self->contacts,
                         self->row,
                         self->pair,
                         self->of_constraint,
                         self->errors,
                         self->gaps,
                         self->rates,
                         self->rests,
                         self->may_stick,
                         self->wanted,
                         self->touches,
                         self->u,
                         self->change,
                         self->active,
                         self->sign,
                         self->contact,
                         self->all,
                         self->Y,
                         self->lambda,
                         self->restitution,
                         self->capture,
                         self->free,
                         self->row_pair,
                         s->v,
                         s->P,
                         s->q,
                         s->x,
                         s->work,
                         s->held,
                         s->numbers,
                         s->subset,
                         s->sub};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
        cardo_free(all[i]);
    cardo_state_destroy(self->with);
    cardo_state_destroy(self->places);
    cardo_free(self);
}

/* ------------ gaps ------------ */

/* Gaps, and rates where wanted, with all contacts on in a state of our own. */
static cardo_status look(cardo_impacts *self, const cardo_state *state, bool rates,
                         cardo_error *error)
{
    cardo_status status;
    cardo_state *all = self->places;
    cardo_state_set_time(all, cardo_state_time(state));
    cardo_state_set_q(all, cardo_state_q(state));
    cardo_state_set_u(all, cardo_state_u(state));
    for (int i = 0; i < self->n; ++i)
        CARDO_TRY(cardo_state_set_constraint(all, self->contacts[i].constraint, true, error));
    CARDO_TRY(cardo_realize(self->system, all, rates ? CARDO_STAGE_VELOCITY : CARDO_STAGE_POSITION,
                            error));
    CARDO_TRY(cardo_constraint_position_errors(self->system, all, self->errors, error));
    for (int i = 0; i < self->n; ++i)
        self->gaps[i] = self->contacts[i].sign * self->errors[self->row[i]];
    if (!rates)
        goto done;
    CARDO_TRY(cardo_constraint_velocity_errors(self->system, all, self->errors, error));
    for (int i = 0; i < self->n; ++i)
        self->rates[i] = self->contacts[i].sign * self->errors[self->row[i]];
done:
    return status;
}

cardo_status cardo_impacts_gaps(cardo_impacts *self, const cardo_state *state, double *gaps,
                                double *rates, cardo_error *error)
{
    cardo_status status = look(self, state, rates != NULL, error);
    if (status != CARDO_OK)
        return status;
    memcpy(gaps, self->gaps, (size_t)self->n * sizeof *gaps);
    if (rates)
        memcpy(rates, self->rates, (size_t)self->n * sizeof *rates);
    return CARDO_OK;
}

static bool holds(const cardo_impacts *self, const cardo_state *state, int i)
{
    return cardo_state_has_constraint(state, self->contacts[i].constraint);
}

cardo_status cardo_impacts_least_gap(cardo_impacts *self, const cardo_state *state, double *value,
                                     cardo_error *error)
{
    cardo_status status = look(self, state, false, error);
    *value = 1;
    if (status != CARDO_OK)
        return status;
    bool any = false;
    for (int i = 0; i < self->n; ++i)
        if (!holds(self, state, i)) {
            if (self->gaps[i] > self->touching)
                self->rests[i] = false;
            const double left = self->gaps[i] + (self->rests[i] ? self->touching : 0);
            *value = any ? fmin(*value, left) : left;
            any = true;
        }
    return CARDO_OK;
}

/* ------------ rows that take part ------------ */

/* Switches on what is on and the contacts that are `wanted`, realizes to a stage and lists their rows with Y. */
static cardo_status gather(cardo_impacts *self, const cardo_state *state, const bool *wanted,
                           cardo_stage stage, int *nactive, cardo_error *error)
{
    cardo_status status;
    int n = 0;
    cardo_state_copy(self->with, state);
    for (int i = 0; i < self->n; ++i) {
        const cardo_unilateral *c = &self->contacts[i];
        CARDO_TRY(cardo_state_set_constraint(self->with, c->constraint, wanted[i], error));
        if (c->stiction >= 0)
            CARDO_TRY(cardo_state_set_constraint(self->with, c->stiction,
                                                 wanted[i] && self->may_stick[i], error));
    }
    CARDO_TRY(cardo_realize(self->system, self->with, stage, error));
    CARDO_TRY(cardo_constraint_compliance(self->system, self->with, self->all, error));
    for (int k = 0; k < self->nconstraint; ++k) {
        cardo_constraint_info info;
        if (!cardo_state_has_constraint(self->with, k))
            continue;
        CARDO_TRY(cardo_system_constraint(self->system, k, &info, error));
        const int contact = self->of_constraint[k];
        for (int r = 0; r < info.nposition + info.nvelocity; ++r, ++n) {
            self->active[n] = r < info.nposition ? info.first_position + r
                                                 : info.first_velocity + r - info.nposition;
            self->contact[n] = contact;
            self->sign[n] = contact >= 0 ? self->contacts[contact].sign : 1;
        }
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            self->Y[i * n + j] =
                self->sign[i] * self->sign[j] *
                self->all[(size_t)self->active[i] * (size_t)self->nrow + (size_t)self->active[j]];
    *nactive = n;
done:
    return status;
}

/* ------------ impacts ------------ */

static cardo_status strike_rows(cardo_impacts *self, int n, cardo_error *error)
{
    strike *s = &self->strike;
    double most = 0;
    cardo_status status =
        cardo_constraint_velocity_errors(self->system, self->with, self->errors, error);
    if (status != CARDO_OK)
        return status;
    for (int i = 0; i < n; ++i) {
        const int contact = self->contact[i];
        s->v[i] = self->sign[i] * self->errors[self->active[i]];
        s->P[i] = 0;
        self->free[i] = contact < 0;
        self->row_pair[i] = contact < 0 ? -1 : self->pair[contact];
        self->restitution[i] = contact < 0 ? 0 : self->contacts[contact].restitution;
        self->capture[i] = contact < 0 ? 0 : self->contacts[contact].capture;
        most = fmax(most, fabs(s->v[i]));
    }
    s->n = n;
    s->Y = self->Y;
    s->free = self->free;
    s->pair = self->row_pair;
    s->restitution = self->restitution;
    s->capture = self->capture;
    s->level = 1e-13 * most;
    switch (self->law) {
    case CARDO_IMPACT_NEWTON:
        return cardo_strike_newton(s, error);
    case CARDO_IMPACT_POISSON:
        return cardo_strike_poisson(s, error);
    default:
        return cardo_strike_sequential(s, error);
    }
}

/* u of the state after all that touches and closes has struck; *most: the largest rate that was there. */
static cardo_status strike_touching(cardo_impacts *self, cardo_state *state, double *impulses,
                                    double *most, cardo_error *error)
{
    const int nu = cardo_system_nu(self->system);
    bool *wanted = self->wanted;
    int n;
    cardo_status status;
    CARDO_TRY(look(self, state, true, error));
    bool closes = false;
    *most = 0;
    for (int i = 0; i < self->n; ++i) {
        wanted[i] = holds(self, state, i) || self->gaps[i] <= self->touching;
        closes = closes || (wanted[i] && self->rates[i] < 0);
        if (wanted[i])
            *most = fmax(*most, fabs(self->rates[i]));
        if (impulses)
            impulses[i] = 0;
    }
    if (!closes)
        goto done;
    for (int i = 0; i < self->n; ++i)
        self->may_stick[i] = self->contacts[i].stiction >= 0 &&
                             cardo_state_has_constraint(state, self->contacts[i].stiction);
    CARDO_TRY(gather(self, state, wanted, CARDO_STAGE_DYNAMICS, &n, error));
    CARDO_TRY(strike_rows(self, n, error));
    for (int r = 0; r < self->nrow; ++r)
        self->lambda[r] = 0;
    for (int i = 0; i < n; ++i) {
        self->lambda[self->active[i]] = self->sign[i] * self->strike.P[i];
        if (impulses && self->contact[i] >= 0)
            impulses[self->contact[i]] = self->strike.P[i];
    }
    CARDO_TRY(cardo_multiply_gt(self->system, self->with, self->lambda, self->u, error));
    CARDO_TRY(cardo_multiply_minv(self->system, self->with, self->u, self->change, error));
    memcpy(self->u, cardo_state_u(state), (size_t)nu * sizeof *self->u);
    for (int j = 0; j < nu; ++j)
        self->u[j] += self->change[j];
    cardo_state_set_u(state, self->u);
done:
    return status;
}

cardo_status cardo_impacts_strike(cardo_impacts *self, cardo_state *state, double *impulses,
                                  cardo_error *error)
{
    double most;
    return strike_touching(self, state, impulses, &most, error);
}

/* ------------ what holds ------------ */

/* Force of a contact: it pushes along its own row, which multipliers of constraints do with a minus. */
static double push_of(const cardo_impacts *self, const double *lambda, int i)
{
    return -self->contacts[i].sign * lambda[self->row[i]];
}

/* Static friction less what stiction takes, of a contact that has it on. */
static cardo_status left_of_cone(const cardo_impacts *self, const double *lambda, int i,
                                 double *left, cardo_error *error)
{
    cardo_constraint_info info;
    cardo_status status =
        cardo_system_constraint(self->system, self->contacts[i].stiction, &info, error);
    if (status != CARDO_OK)
        return status;
    double square = 0;
    for (int r = 0; r < info.nvelocity; ++r)
        square += lambda[info.first_velocity + r] * lambda[info.first_velocity + r];
    *left = self->contacts[i].static_friction * push_of(self, lambda, i) - sqrt(square);
    return CARDO_OK;
}

cardo_status cardo_impacts_least_hold(const cardo_impacts *self, const cardo_state *state,
                                      double *value, cardo_error *error)
{
    const double *lambda = cardo_state_multipliers(state);
    bool any = false;
    *value = 1;
    if (!lambda)
        return CARDO_FAIL(error, CARDO_ERROR_STAGE, "forces of contacts need accelerations");
    for (int i = 0; i < self->n; ++i) {
        if (!holds(self, state, i))
            continue;
        double left = push_of(self, lambda, i) + self->push;
        *value = any ? fmin(*value, left) : left;
        any = true;
        const int stiction = self->contacts[i].stiction;
        if (stiction < 0 || !cardo_state_has_constraint(state, stiction))
            continue;
        cardo_status status = left_of_cone(self, lambda, i, &left, error);
        if (status != CARDO_OK)
            return status;
        *value = fmin(*value, left + self->push);
    }
    return CARDO_OK;
}

cardo_status cardo_impacts_forces(const cardo_impacts *self, const cardo_state *state,
                                  double *forces, cardo_error *error)
{
    const double *lambda = cardo_state_multipliers(state);
    if (!lambda)
        return CARDO_FAIL(error, CARDO_ERROR_STAGE, "forces of contacts need accelerations");
    for (int i = 0; i < self->n; ++i)
        forces[i] = holds(self, state, i) ? push_of(self, lambda, i) : 0;
    return CARDO_OK;
}

/* Forces below this are none. */
static void note_push(cardo_impacts *self, int n)
{
    double most = 0;
    for (int i = 0; i < n; ++i)
        most = fmax(most, fabs(self->lambda[self->active[i]]));
    const cardo_system *system = self->system;
    const cardo_vec3 g = system->gravity;
    double weight = 0;
    for (int k = 1; k < cardo_system_nbody(system); ++k)
        weight += system->bodies[k].mass * sqrt(g.x * g.x + g.y * g.y + g.z * g.z);
    self->push = 1e-9 * fmax(most, weight);
}

/* Of the contacts that touch and do not move apart (`wanted`), those that press; with the others gone. */
static cardo_status find_pressing(cardo_impacts *self, const cardo_state *state, cardo_error *error)
{
    strike *s = &self->strike;
    cardo_status status;
    int n;
    bool pulls = false;
    CARDO_TRY(gather(self, state, self->wanted, CARDO_STAGE_ACCELERATION, &n, error));
    memcpy(self->lambda, cardo_state_multipliers(self->with),
           (size_t)self->nrow * sizeof *self->lambda);
    note_push(self, n);
    for (int i = 0; i < self->n; ++i)
        pulls = pulls || (self->wanted[i] && push_of(self, self->lambda, i) < -self->push);
    if (!pulls)
        return CARDO_OK;
    /* without the contacts' forces rows would have the accelerations Y lambda */
    CARDO_TRY(cardo_multiply_y(self->system, self->with, self->lambda, self->errors, error));
    double most = 0;
    for (int i = 0; i < n; ++i) {
        s->q[i] = self->sign[i] * self->errors[self->active[i]];
        self->free[i] = self->contact[i] < 0;
        const double Y = self->Y[i * n + i];
        most = fmax(most, Y > 0 ? fabs(s->q[i]) / sqrt(Y) : 0);
    }
    CARDO_TRY(cardo_complementarity_solve(n, self->Y, s->q, self->free, 1e-11 * most, s->x, s->work,
                                          s->numbers, error));
    for (int i = 0; i < n; ++i)
        if (self->contact[i] >= 0 && !(s->x[i] > self->push))
            self->wanted[self->contact[i]] = false;
    for (int i = 0; i < n; ++i)
        self->lambda[self->active[i]] = -self->sign[i] * s->x[i];
done:
    return status;
}

/* The contact whose stiction is farthest out of its cone gives way; false: none is. */
static cardo_status give_way(cardo_impacts *self, bool *gave, cardo_error *error)
{
    int worst = -1;
    double least = -self->push;
    cardo_status status = CARDO_OK;
    for (int i = 0; i < self->n && status == CARDO_OK; ++i) {
        double left;
        if (!self->wanted[i] || !self->may_stick[i])
            continue;
        status = left_of_cone(self, self->lambda, i, &left, error);
        if (left < least) {
            least = left;
            worst = i;
        }
    }
    *gave = worst >= 0;
    if (*gave)
        self->may_stick[worst] = false;
    return status;
}

/* Whether the bodies of a contact slip on each other: its stiction could then not hold without an impulse. */
static cardo_status slips(cardo_impacts *self, const cardo_state *state, int i, double level,
                          bool *out, cardo_error *error)
{
    cardo_constraint_info info;
    cardo_status status;
    const int stiction = self->contacts[i].stiction;
    CARDO_TRY(cardo_system_constraint(self->system, stiction, &info, error));
    cardo_state_copy(self->with, state);
    CARDO_TRY(cardo_state_set_constraint(self->with, stiction, true, error));
    CARDO_TRY(cardo_realize(self->system, self->with, CARDO_STAGE_VELOCITY, error));
    CARDO_TRY(cardo_constraint_velocity_errors(self->system, self->with, self->errors, error));
    *out = false;
    for (int r = 0; r < info.nvelocity; ++r)
        *out = *out || fabs(self->errors[info.first_velocity + r]) > level;
done:
    return status;
}

/* Switches on what touches, does not move apart, and presses. most: the largest rate before an impact, of which 1e-9 is none; less than 0: there was
 * none, and what is on does not move apart. */
static cardo_status settle(cardo_impacts *self, cardo_state *state, double most, cardo_error *error)
{
    cardo_status status;
    const bool struck = most >= 0;
    CARDO_TRY(look(self, state, true, error));
    for (int i = 0; i < self->n; ++i) {
        const cardo_unilateral *c = &self->contacts[i];
        self->wanted[i] =
            self->gaps[i] <= self->touching &&
            ((!struck && holds(self, state, i)) || self->rates[i] <= 1e-9 * fmax(most, 0) + 1e-14);
        self->touches[i] = self->wanted[i];
        self->may_stick[i] = false;
        if (!self->wanted[i] || c->stiction < 0)
            continue;
        bool slipping = false;
        if (!cardo_state_has_constraint(state, c->stiction))
            CARDO_TRY(slips(self, state, i, 1e-9 * fmax(most, 0) + 1e-12, &slipping, error));
        self->may_stick[i] = !slipping;
    }
    for (bool gave = true; gave;) {
        CARDO_TRY(find_pressing(self, state, error));
        CARDO_TRY(give_way(self, &gave, error));
    }
    for (int i = 0; i < self->n; ++i) {
        const cardo_unilateral *c = &self->contacts[i];
        self->rests[i] = self->touches[i] && !self->wanted[i];
        CARDO_TRY(cardo_state_set_constraint(state, c->constraint, self->wanted[i], error));
        if (c->stiction >= 0)
            CARDO_TRY(cardo_state_set_constraint(state, c->stiction,
                                                 self->wanted[i] && self->may_stick[i], error));
    }
done:
    return status;
}

cardo_status cardo_impacts_happen(cardo_impacts *self, cardo_state *state, bool strikes,
                                  cardo_error *error)
{
    double most = -1;
    cardo_status status = CARDO_OK;
    if (strikes)
        status = strike_touching(self, state, NULL, &most, error);
    return status == CARDO_OK ? settle(self, state, most, error) : status;
}

cardo_status cardo_impacts_begin(cardo_impacts *self, cardo_state *state, cardo_error *error)
{
    cardo_status status;
    for (int i = 0; i < self->n; ++i) {
        self->rests[i] = false;
        CARDO_TRY(cardo_state_set_constraint(state, self->contacts[i].constraint, false, error));
        if (self->contacts[i].stiction >= 0)
            CARDO_TRY(cardo_state_set_constraint(state, self->contacts[i].stiction, false, error));
    }
    CARDO_TRY(look(self, state, false, error));
    for (int i = 0; i < self->n; ++i)
        if (!(self->gaps[i] >= -self->touching)) {
            char text[CARDO_CONSTRAINT_ROW_NAME];
            return CARDO_FAIL(
                error, CARDO_ERROR_INPUT, "contact %d, %s: surfaces overlap by %g at the start", i,
                cardo_constraint_row_name(self->system, self->row[i], text), -self->gaps[i]);
        }
    CARDO_TRY(cardo_impacts_happen(self, state, true, error));
done:
    return status;
}
