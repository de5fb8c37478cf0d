#include "sampling/walkers/walker.h"

#include "base/memory.h"
#include "base/units.h"
#include "cardo/manifold.h"
#include "multibody/tree/operators.h"
#include "sampling/walkers/biased_provider.h"
#include "sampling/walkers/steer.h"

#include <math.h>
#include <string.h>

static int samples_per_round(const cardo_walk *walk)
{
    return walk->round / walk->interval;
}

int cardo_walk_slow_count(const cardo_walk *walk)
{
    return walk->slow ? walk->slow->n : 0;
}

/* Numbers of a sample. */
static size_t sample_size(const cardo_walk *walk)
{
    return 2 + (size_t)cardo_walk_slow_count(walk);
}

int cardo_walker_record_size(const cardo_walk *walk, int nsnapshot)
{
    return CARDO_RECORD_HEAD + nsnapshot + walk->ngather +
           (int)sample_size(walk) * samples_per_round(walk);
}

/* A snapshot begins with the time, then q, then u (dynamics/simulation.h). */
double *cardo_walker_record_q(const cardo_walker *self)
{
    return self->record + CARDO_RECORD_HEAD + 1;
}

double *cardo_walker_record_u(const cardo_walker *self)
{
    return cardo_walker_record_q(self) + cardo_system_nq(self->walk->system);
}

const double *cardo_walker_record_gathered(const cardo_walker *self, int nsnapshot)
{
    return self->record + CARDO_RECORD_HEAD + nsnapshot;
}

/* The unbiased potential and the variable where the frame stands. */
static cardo_status measure(const cardo_walker *self, const cardo_frame *frame, double *sample,
                            cardo_error *error)
{
    const int ensemble = self->walk->simulation.ensemble;
    double slope, log_det = 0, log_det_y = 0;
    cardo_status status =
        cardo_variable_value(self->walk->variable, frame->state, &sample[0], error);
    if (status == CARDO_OK &&
        (ensemble == CARDO_ENSEMBLE_FIXMAN || ensemble == CARDO_ENSEMBLE_FULL))
        status = cardo_log_det_m(frame->system, frame->state, &log_det, error);
    if (status == CARDO_OK &&
        (ensemble == CARDO_ENSEMBLE_CLOSURE || ensemble == CARDO_ENSEMBLE_FULL))
        status = cardo_log_det_y(frame->system, frame->state, &log_det_y, error);
    if (status == CARDO_OK)
        sample[1] = frame->potential - cardo_bias_evaluate(&self->bias, sample[0], &slope) -
                    0.5 * CARDO_BOLTZMANN * self->temperature * (log_det + log_det_y);
    if (self->walk->slow)
        cardo_slow_read(self->walk->slow, cardo_state_q(frame->state), sample + 2);
    return status;
}

static cardo_status take_sample(void *user, const cardo_frame *frame, cardo_error *error)
{
    cardo_walker *self = user;
    if (frame->step == 0)
        return CARDO_OK;
    return measure(self, frame, self->buffer + sample_size(self->walk) * (size_t)self->nbuffer++,
                   error);
}

static cardo_status gather(void *user, const cardo_frame *frame, cardo_error *error)
{
    cardo_walker *self = user;
    return frame->step == 0
               ? CARDO_OK
               : self->walk->gather(self->walk->gather_user, self, frame, self->gathered, error);
}

static cardo_status make_simulation(cardo_walker *self, cardo_error *error)
{
    const cardo_walk *walk = self->walk;
    const cardo_observer observers[] = {
        {.user = self, .interval = walk->interval, .observe = take_sample},
        {.user = self, .interval = 1, .observe = gather},
    };
    cardo_simulation_options options = walk->simulation;
    options.temperature = self->temperature;
    options.replica += self->number;
    cardo_status status =
        cardo_simulation_create(walk->system, self->state, self->provider, walk->integrator,
                                &options, walk->integrator_options, &self->simulation, error);
    for (int k = 0; k < (walk->ngather > 0 ? 2 : 1) && status == CARDO_OK; ++k)
        status = cardo_simulation_add_observer(self->simulation, &observers[k], error);
    return status;
}

cardo_status cardo_walker_open(cardo_walker *self, cardo_error *error)
{
    cardo_status status;
    const cardo_walk *walk = self->walk;
    CARDO_TRY(cardo_state_create(walk->system, &self->state, error));
    /* Which constraints are on is no part of a record. */
    cardo_state_copy(self->state, walk->start);
    CARDO_TRY(cardo_biased_provider_create(walk->provider, walk->variable, &self->bias, self->state,
                                           cardo_system_nu(walk->system), &self->provider, error));
    CARDO_TRY(
        CARDO_ALLOCATE(&self->buffer, sample_size(walk) * (size_t)samples_per_round(walk), error));
    CARDO_TRY(CARDO_ALLOCATE(&self->gathered, walk->ngather, error));
    CARDO_TRY(make_simulation(self, error));
done:
    return status;
}

void cardo_walker_clear(cardo_walker *self)
{
    cardo_simulation_destroy(self->simulation);
    cardo_force_provider_destroy(self->provider);
    cardo_state_destroy(self->state);
    cardo_bias_clear(&self->bias);
    cardo_free(self->xi);
    cardo_free(self->potential);
    cardo_free(self->slow);
    cardo_free(self->buffer);
    cardo_free(self->gathered);
    *self = (cardo_walker){0};
}

cardo_status cardo_walker_snapshot_size(const cardo_walk *walk, int *nsnapshot, cardo_error *error)
{
    cardo_walker probe = {.walk = walk, .temperature = walk->simulation.temperature};
    cardo_status status = cardo_bias_create(&probe.bias, &cardo_bias_none, 0, 0, error);
    if (status == CARDO_OK)
        status = cardo_walker_open(&probe, error);
    if (status == CARDO_OK)
        *nsnapshot = cardo_simulation_snapshot_size(probe.simulation);
    cardo_walker_clear(&probe);
    return status;
}

/* "walker 3, begun at lobe = 0.25: " in front of what went wrong. */
static cardo_status name_failure(const cardo_walker *self, cardo_status status, cardo_error *error)
{
    if (status != CARDO_OK)
        cardo_error_prefix(error, "walker %d, begun at %s = %.6g: ", self->number,
                           cardo_variable_name(self->walk->variable), self->place);
    return status;
}

/* Where the walker begins but for the variable's exact value. */
static void take_start(cardo_walker *self)
{
    const cardo_way *way = self->walk->way;
    int nearest = 0;
    double least = HUGE_VAL;
    cardo_state_copy(self->state, self->walk->start);
    for (int k = 0; way && k < way->n; ++k) {
        double left = fabs(cardo_periodic_difference(way->xi[k], self->place, self->bias.period));
        nearest = left < least ? k : nearest;
        least = fmin(least, left);
    }
    if (way)
        cardo_state_set_q(self->state, way->q + (size_t)nearest * (size_t)way->nq);
}

cardo_status cardo_walker_start(cardo_walker *self, cardo_error *error)
{
    cardo_status status;
    cardo_frame frame;
    take_start(self);
    CARDO_TRY(
        cardo_steer(self->walk->variable, self->walk->system, self->state, self->place, error));
    CARDO_TRY(cardo_simulation_start(self->simulation, error));
    cardo_simulation_frame(self->simulation, &frame);
    CARDO_TRY(measure(self, &frame, self->buffer, error));
    self->nbuffer = 1;
    cardo_walker_write(self);
done:
    return name_failure(self, status, error);
}

/* A snapshot whose values lie in the record. */
static cardo_snapshot snapshot_in(const cardo_walker *self)
{
    cardo_snapshot snapshot = {
        .step = (long long)self->record[CARDO_RECORD_STEP],
        .nvalue = cardo_simulation_snapshot_size(self->simulation),
        .values = self->record + CARDO_RECORD_HEAD,
    };
    memcpy(&snapshot.random_position, self->record + CARDO_RECORD_RANDOM,
           sizeof snapshot.random_position);
    return snapshot;
}

cardo_status cardo_walker_restore(cardo_walker *self, cardo_error *error)
{
    cardo_snapshot snapshot = snapshot_in(self);
    return name_failure(self, cardo_simulation_restore(self->simulation, &snapshot, error), error);
}

cardo_status cardo_walker_advance(cardo_walker *self, const volatile sig_atomic_t *interrupt,
                                  cardo_end *end, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_walk *walk = self->walk;
    self->nbuffer = 0;
    if (walk->ngather > 0)
        memset(self->gathered, 0, (size_t)walk->ngather * sizeof *self->gathered);
    if (self->moved)
        status = cardo_simulation_renew(self->simulation, cardo_walker_record_q(self),
                                        cardo_walker_record_u(self), error);
    if (status == CARDO_OK)
        status = cardo_simulation_run(self->simulation,
                                      cardo_simulation_step(self->simulation) + walk->round,
                                      interrupt, end, error);
    return name_failure(self, status, error);
}

void cardo_walker_write(cardo_walker *self)
{
    cardo_snapshot snapshot = snapshot_in(self);
    cardo_simulation_save(self->simulation, &snapshot);
    self->record[CARDO_RECORD_STEP] = (double)snapshot.step;
    memcpy(self->record + CARDO_RECORD_RANDOM, &snapshot.random_position,
           sizeof snapshot.random_position);
    self->record[CARDO_RECORD_SAMPLES] = self->nbuffer;
    double *gathered = self->record + CARDO_RECORD_HEAD + snapshot.nvalue;
    for (int k = 0; k < self->walk->ngather; ++k)
        gathered[k] = self->gathered[k];
    memcpy(gathered + self->walk->ngather, self->buffer,
           sample_size(self->walk) * (size_t)self->nbuffer * sizeof *self->buffer);
}

cardo_status cardo_walker_take_samples(cardo_walker *self, int nsnapshot, cardo_error *error)
{
    cardo_status status;
    const double *samples = self->record + CARDO_RECORD_HEAD + nsnapshot + self->walk->ngather;
    int n = (int)self->record[CARDO_RECORD_SAMPLES];
    CARDO_TRY(CARDO_RESERVE(&self->xi, &self->capacity[0], self->nsample + n, error));
    CARDO_TRY(CARDO_RESERVE(&self->potential, &self->capacity[1], self->nsample + n, error));
    const size_t size = sample_size(self->walk), nslow = size - 2;
    CARDO_TRY(
        CARDO_RESERVE(&self->slow, &self->capacity[2], (self->nsample + n) * (int)nslow, error));
    for (int k = 0; k < n; ++k, ++self->nsample, samples += size) {
        self->xi[self->nsample] = samples[0];
        self->potential[self->nsample] = samples[1];
        if (nslow > 0)
            memcpy(self->slow + (size_t)self->nsample * nslow, samples + 2,
                   nslow * sizeof *samples);
    }
done:
    return status;
}
