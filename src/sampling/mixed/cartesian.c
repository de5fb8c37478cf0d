#include "sampling/mixed/cartesian.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

cardo_status cardo_cartesian_open(cardo_cartesian *self, cardo_error *error)
{
    cardo_status status;
    const size_t n = 3 * (size_t)self->natom;
    CARDO_TRY(CARDO_ALLOCATE(&self->positions, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->forces, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->velocities, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->old_positions, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->old_forces, n, error));
done:
    return status;
}

void cardo_cartesian_clear(cardo_cartesian *self)
{
    cardo_free(self->positions);
    cardo_free(self->forces);
    cardo_free(self->velocities);
    cardo_free(self->old_positions);
    cardo_free(self->old_forces);
    *self = (cardo_cartesian){0};
}

cardo_status cardo_cartesian_evaluate(cardo_cartesian *self, cardo_error *error)
{
    const cardo_transform ground = xform_identity();
    const size_t bytes = 3 * (size_t)self->natom * sizeof(double);
    cardo_spatial on_ground = {{0, 0, 0}, {0, 0, 0}};
    cardo_force_evaluation evaluation = {.nbody = 1,
                                         .X_GB = &ground,
                                         .nstation = self->natom,
                                         .station_positions = self->positions,
                                         .body_forces = &on_ground};
    ++self->evaluations;
    cardo_status status = self->provider->compute(self->provider, &evaluation, error);
    if (status != CARDO_OK)
        return status;
    if (!evaluation.station_forces)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "force provider %s gives no forces on single atoms",
                          self->provider->name);
    if (!isfinite(evaluation.energy))
        return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL, "the energy is %g", evaluation.energy);
    self->energy = evaluation.energy;
    memcpy(self->forces, evaluation.station_forces, bytes);
    return CARDO_OK;
}

static void draw_velocities(cardo_cartesian *self)
{
    cardo_random_normal(&self->random, 3 * self->natom, self->velocities);
    for (int i = 0; i < self->natom; ++i)
        for (int k = 0; k < 3; ++k)
            self->velocities[3 * i + k] *= sqrt(self->kT / self->mass[i]);
}

static double kinetic_energy(const cardo_cartesian *self)
{
    double sum = 0;
    for (int i = 0; i < self->natom; ++i) {
        const double *v = self->velocities + 3 * i;
        sum += self->mass[i] * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
    return 0.5 * sum;
}

static void kick(cardo_cartesian *self, double time)
{
    double *restrict v = self->velocities;
    const double *restrict f = self->forces;
    for (int i = 0; i < self->natom; ++i)
        for (int k = 0; k < 3; ++k)
            v[3 * i + k] += time / self->mass[i] * f[3 * i + k];
}

static cardo_status fly(cardo_cartesian *self, double h, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    double *restrict x = self->positions;
    const double *restrict v = self->velocities;
    for (int step = 0; step < self->options.flights && status == CARDO_OK; ++step) {
        kick(self, 0.5 * h);
        for (int j = 0; j < 3 * self->natom; ++j)
            x[j] += h * v[j];
        status = cardo_cartesian_evaluate(self, error);
        if (status == CARDO_OK)
            kick(self, 0.5 * h);
    }
    return status;
}

/* Books a move; in burn-in it moves the time step instead, ever less, to the mean of the second
 * half (Robbins & Monro 1951). */
static void book(cardo_cartesian *self, bool possible, double chance, bool accepted)
{
    cardo_cartesian_count *count = &self->count;
    const int burn_in = self->options.burn_in;
    if (count->burnt < burn_in) {
        count->burnt += 1;
        count->log_step += 2 * pow(count->burnt + 4, -0.6) * (chance - self->options.acceptance);
        if (2 * count->burnt > burn_in)
            count->sum += count->log_step;
        if (count->burnt >= burn_in)
            count->log_step = count->sum / (burn_in - burn_in / 2);
        return;
    }
    count->moves += 1;
    count->accepted += accepted;
    count->impossible += !possible;
}

cardo_status cardo_cartesian_move(cardo_cartesian *self, cardo_error *error)
{
    const size_t bytes = 3 * (size_t)self->natom * sizeof(double);
    const double old_energy = self->energy;
    double uniform[2];
    memcpy(self->old_positions, self->positions, bytes);
    memcpy(self->old_forces, self->forces, bytes);
    draw_velocities(self);
    cardo_random_uniform(&self->random, 2, uniform);
    const double before = self->energy + kinetic_energy(self);
    const double h = self->options.timestep * exp(self->count.log_step) *
                     (1 + self->options.jitter * (2 * uniform[0] - 1));
    const cardo_status status = fly(self, h, error);
    if (status != CARDO_OK && status != CARDO_RECOVERABLE && status != CARDO_ERROR_NUMERICAL)
        return status;
    const double after = self->energy + kinetic_energy(self);
    const bool possible = status == CARDO_OK && isfinite(after);
    const double chance = possible ? fmin(1, exp((before - after) / self->kT)) : 0;
    const bool accepted = uniform[1] < chance;
    book(self, possible, chance, accepted);
    if (!accepted) {
        memcpy(self->positions, self->old_positions, bytes);
        memcpy(self->forces, self->old_forces, bytes);
        self->energy = old_energy;
    }
    return CARDO_OK;
}
