#include "sampling/walkers/creep.h"

#include "base/memory.h"
#include "cardo/manifold.h"
#include "dynamics/coordinates/constrained.h"
#include "multibody/tree/operators.h"

#include <math.h>

/* Of the way; moves that short are rounding. */
static const double most_aside = 0.2, shortest = 1e-9;

cardo_status cardo_creeper_open(const cardo_system *system, cardo_state *state, cardo_creeper *out,
                                cardo_error *error)
{
    cardo_status status;
    const int nq = cardo_system_nq(system);
    *out = (cardo_creeper){.system = system, .state = state};
    CARDO_TRY(CARDO_ALLOCATE(&out->rate, nq, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->before, nq, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->aimed, nq, error));
done:
    return status;
}

void cardo_creeper_clear(cardo_creeper *self)
{
    cardo_free(self->rate);
    cardo_free(self->before);
    cardo_free(self->aimed);
    *self = (cardo_creeper){0};
}

static double apart(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int k = 0; k < n; ++k)
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(sum);
}

cardo_status cardo_creep_back(cardo_creeper *self, cardo_error *error)
{
    cardo_state_set_q(self->state, self->before);
    return cardo_realize(self->system, self->state, CARDO_STAGE_POSITION, error);
}

cardo_status cardo_creep(cardo_creeper *self, const double *speeds, double time, double *length,
                         bool *moved, cardo_error *error)
{
    const int nq = cardo_system_nq(self->system);
    cardo_state *state = self->state;
    *moved = false;
    *length = 0;
    cardo_status status = cardo_multiply_n(self->system, state, speeds, self->rate, error);
    if (status != CARDO_OK)
        return status;
    for (int k = 0; k < nq; ++k) {
        self->before[k] = cardo_state_q(state)[k];
        self->rate[k] = self->before[k] + self->rate[k] * time;
    }
    cardo_state_set_q(state, self->rate);
    for (int k = 0; k < nq; ++k)
        self->aimed[k] = cardo_state_q(state)[k];
    const double way = apart(self->aimed, self->before, nq);
    status = cardo_project_q(self->system, state, CARDO_POSITION_TOLERANCE, NULL);
    const double *q = cardo_state_q(state);
    if (status == CARDO_OK && apart(q, self->aimed, nq) <= most_aside * way + shortest) {
        *moved = true;
        *length = apart(q, self->before, nq);
        return cardo_realize(self->system, state, CARDO_STAGE_POSITION, error);
    }
    return status == CARDO_OK || status == CARDO_ERROR_NUMERICAL || status == CARDO_ERROR_SINGULAR
               ? cardo_creep_back(self, error)
               : status;
}
