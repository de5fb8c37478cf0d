#include "dynamics/coordinates/chart.h"

#include "base/memory.h"
#include "multibody/mobilizers/descriptor.h"
#include "multibody/tree/operators.h"

#include <math.h>
#include <string.h>

struct cardo_chart {
    const cardo_system *system;
    cardo_state *centre;
    int nq, nu;
    double *v; /* speeds of a move, and gradients by them (nu) */
    double *q; /* the last move's, before quaternions are normalised (nq) */
    double reach;
};

/* A mobilizer whose coordinates are not the integrals of its speeds. */
typedef struct curved {
    const cardo_joint *joint;
    int q_first, u_first, nquaternion;
} curved;

static bool is_curved(const cardo_system *system, int body, curved *out)
{
    const cardo_joint *joint = cardo_system_joint(system, body);
    cardo_body_info info;
    if (joint->nu == 0 || !joint->mobilizer->multiply_n)
        return false;
    cardo_system_body(system, body, &info);
    *out = (curved){joint, info.q_first, info.u_first,
                    joint->mobilizer->has_orientation && !joint->euler ? 4 : 0};
    return true;
}

cardo_status cardo_chart_create(const cardo_system *system, cardo_chart **out, cardo_error *error)
{
    cardo_status status;
    cardo_chart *self = NULL;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    self->system = system;
    self->nq = cardo_system_nq(system);
    self->nu = cardo_system_nu(system);
    CARDO_TRY(cardo_state_create(system, &self->centre, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->v, self->nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->q, self->nq, error));
    *out = self;
    self = NULL;
done:
    cardo_chart_destroy(self);
    return status;
}

void cardo_chart_destroy(cardo_chart *self)
{
    if (!self)
        return;
    cardo_state_destroy(self->centre);
    cardo_free(self->v);
    cardo_free(self->q);
    cardo_free(self);
}

cardo_status cardo_chart_centre(cardo_chart *self, cardo_state *state, cardo_error *error)
{
    cardo_status status = cardo_realize(self->system, state, CARDO_STAGE_DYNAMICS, error);
    if (status != CARDO_OK)
        return status;
    cardo_state_copy(self->centre, state);
    self->reach = 0;
    if (self->nq > 0)
        memcpy(self->q, cardo_state_q(state), (size_t)self->nq * sizeof *self->q);
    return CARDO_OK;
}

cardo_status cardo_chart_move(cardo_chart *self, const double *y, cardo_state *state,
                              cardo_error *error)
{
    const double *q0 = cardo_state_q(self->centre);
    cardo_status status = cardo_multiply_sqrt_minv(self->system, self->centre, y, self->v, error);
    if (status == CARDO_OK)
        status = cardo_multiply_n(self->system, self->centre, self->v, self->q, error);
    if (status != CARDO_OK)
        return status;
    self->reach = 0;
    for (int body = 1; body < cardo_system_nbody(self->system); ++body) {
        curved c;
        double square = 0;
        for (int k = 0; is_curved(self->system, body, &c) && k < 3 + (c.nquaternion > 0); ++k)
            square += self->q[c.q_first + k] * self->q[c.q_first + k];
        self->reach = fmax(self->reach, sqrt(square));
    }
    for (int k = 0; k < self->nq; ++k)
        self->q[k] += q0[k];
    cardo_state_set_q(state, self->q);
    return CARDO_OK;
}

/* The gradient of one curved mobilizer, in place: by its speeds at the place of the move, then by
 * its speeds at the centre. With q~ = q0 + N0 v and q = q~/|q~|, u dt = N^+(q) dq = N^+(q) N0 dv /
 * |q~|, since N^+ does not see changes along q. */
static void pull_back(const cardo_chart *self, const curved *c, double *gradient)
{
    const cardo_mobilizer *mobilizer = c->joint->mobilizer;
    const double *moved = self->q + c->q_first, *q0 = cardo_state_q(self->centre) + c->q_first;
    double q[CARDO_MOBILIZER_MAX_Q], by_q[CARDO_MOBILIZER_MAX_Q], size = 0;
    for (int k = 0; k < c->nquaternion; ++k)
        size += moved[k] * moved[k];
    size = c->nquaternion > 0 ? sqrt(size) : 1;
    for (int k = 0; k < c->joint->nq; ++k)
        q[k] = k < c->nquaternion ? moved[k] / size : moved[k];
    for (int k = 0; k < c->joint->nq; ++k) {
        double unit[CARDO_MOBILIZER_MAX_Q] = {0}, u[CARDO_MOBILIZER_MAX_U] = {0};
        unit[k] = k < c->nquaternion ? 1 / size : 1;
        mobilizer->multiply_n_inverse(c->joint, q, unit, u);
        by_q[k] = 0;
        for (int j = 0; j < c->joint->nu; ++j)
            by_q[k] += u[j] * gradient[j];
    }
    for (int j = 0; j < c->joint->nu; ++j) {
        double unit[CARDO_MOBILIZER_MAX_U] = {0}, rate[CARDO_MOBILIZER_MAX_Q] = {0};
        unit[j] = 1;
        mobilizer->multiply_n(c->joint, q0, unit, rate);
        gradient[j] = 0;
        for (int k = 0; k < c->joint->nq; ++k)
            gradient[j] += rate[k] * by_q[k];
    }
}

cardo_status cardo_chart_pull(cardo_chart *self, const double *gradient, double *by_y,
                              cardo_error *error)
{
    if (self->nu > 0)
        memcpy(self->v, gradient, (size_t)self->nu * sizeof *self->v);
    for (int body = 1; body < cardo_system_nbody(self->system); ++body) {
        curved c;
        if (is_curved(self->system, body, &c))
            pull_back(self, &c, self->v + c.u_first);
    }
    return cardo_multiply_sqrt_minv_transposed(self->system, self->centre, self->v, by_y, error);
}

double cardo_chart_reach(const cardo_chart *self)
{
    return self->reach;
}
