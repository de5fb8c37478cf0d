#include "sampling/mixed/torsion_moves.h"

#include "base/memory.h"
#include "base/units.h"
#include "multibody/tree/operators.h"

#include <math.h>
#include <string.h>

cardo_status cardo_torsion_moves_open(cardo_torsion_moves *self, const cardo_system *system,
                                      cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&self->pin, cardo_system_nbody(system), error));
    CARDO_TRY(CARDO_ALLOCATE(&self->q, cardo_system_nq(system), error));
    self->npin = 0;
    for (int b = 1; b < cardo_system_nbody(system); ++b) {
        cardo_body_info info;
        cardo_system_body(system, b, &info);
        if (info.mobilizer == &cardo_mobilizer_pin)
            self->pin[self->npin++] = info.q_first;
    }
done:
    return status;
}

void cardo_torsion_moves_clear(cardo_torsion_moves *self)
{
    cardo_free(self->pin);
    cardo_free(self->q);
    *self = (cardo_torsion_moves){0};
}

static cardo_status place(const cardo_system *system, cardo_state *state, const double *q,
                          double *positions, cardo_error *error)
{
    cardo_state_set_q(state, q);
    cardo_status status = cardo_realize(system, state, CARDO_STAGE_POSITION, error);
    return status == CARDO_OK ? cardo_station_positions(system, state, positions, error) : status;
}

cardo_status cardo_torsion_moves_make(cardo_torsion_moves *self, const cardo_system *system,
                                      cardo_state *state, cardo_cartesian *atoms,
                                      cardo_error *error)
{
    const size_t bytes = 3 * (size_t)atoms->natom * sizeof(double);
    const double before = atoms->energy;
    double uniform[4];
    cardo_random_uniform(&self->random, 4, uniform);
    const int which = self->pin[(int)(uniform[0] * self->npin)];
    memcpy(atoms->old_positions, atoms->positions, bytes);
    memcpy(atoms->old_forces, atoms->forces, bytes);
    memcpy(self->q, cardo_state_q(state), (size_t)cardo_system_nq(system) * sizeof *self->q);
    const double from = self->q[which];
    self->q[which] += CARDO_PI * (2 * uniform[1] - 1);
    cardo_status status = place(system, state, self->q, atoms->positions, error);
    if (status == CARDO_OK)
        status = cardo_cartesian_evaluate(atoms, error);
    if (status != CARDO_OK && status != CARDO_RECOVERABLE && status != CARDO_ERROR_NUMERICAL)
        return status;
    self->moves += 1;
    const bool taken = status == CARDO_OK && uniform[2] < exp((before - atoms->energy) / atoms->kT);
    if (taken) {
        self->accepted += 1;
        return CARDO_OK;
    }
    memcpy(atoms->positions, atoms->old_positions, bytes);
    memcpy(atoms->forces, atoms->old_forces, bytes);
    atoms->energy = before;
    self->q[which] = from;
    cardo_state_set_q(state, self->q);
    return CARDO_OK;
}
