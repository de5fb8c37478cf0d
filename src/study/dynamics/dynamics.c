#include "study/dynamics/dynamics.h"

#include "base/clock.h"
#include "base/memory.h"
#include "multibody/tree/motion.h"
#include "study/ligands/ligands.h"
#include "study/session/facts.h"
#include "study/session/forces.h"
#include "study/session/head.h"
#include "study/session/judge.h"
#include "study/session/result.h"
#include "study/session/table.h"

#include <math.h>
#include <string.h>

enum { MOST_TABLES = 8 };

int cardo_dynamics_targets(cardo_dynamics_options *options, int n, cardo_option_target *target)
{
    target[n++] = (cardo_option_target){cardo_simulation_fields, &options->simulation};
    target[n++] = (cardo_option_target){cardo_recorder_fields, &options->files};
    target[n++] = (cardo_option_target){cardo_strain_fields, &options->strain};
    if (options->integrator->fields)
        target[n++] =
            (cardo_option_target){options->integrator->fields, options->integrator_options.bytes};
    return n;
}

/* How well the step has kept the constraints. */
static cardo_status count_errors(cardo_dynamics *self, const cardo_frame *frame, cardo_error *error)
{
    const cardo_system *system = self->session->system;
    cardo_constraint_counts counts;
    cardo_system_constraint_counts(system, &counts);
    if (counts.nposition == 0)
        return CARDO_OK;
    cardo_status status =
        cardo_constraint_position_errors(system, frame->state, self->errors, error);
    for (int k = 0; k < counts.nposition && status == CARDO_OK; ++k)
        self->constraint_error = fmax(self->constraint_error, fabs(self->errors[k]));
    return status;
}

static cardo_status count_step(void *user, const cardo_frame *frame, cardo_error *error)
{
    cardo_dynamics *self = user;
    cardo_tally *t = &self->tally;
    const double *q = cardo_state_q(frame->state);
    if (frame->step == 0)
        return CARDO_OK;
    bool first = t->count == 0;
    t->count += 1;
    if (first) {
        t->first_conserved = frame->conserved;
        t->lowest_potential = t->highest_potential = frame->potential;
    }
    t->last_conserved = frame->conserved;
    t->temperature += frame->temperature;
    t->lowest_potential = fmin(t->lowest_potential, frame->potential);
    t->highest_potential = fmax(t->highest_potential, frame->potential);
    for (int k = 0; k < self->ntallied; ++k) {
        double value = q[self->tallied[k]];
        t->low[k] = first ? value : fmin(t->low[k], value);
        t->high[k] = first ? value : fmax(t->high[k], value);
        t->sum[k] += value;
    }
    return count_errors(self, frame, error);
}

static void choose_coordinates(cardo_dynamics *self)
{
    const cardo_system *system = self->session->system;
    for (int b = 1; b < cardo_system_nbody(system); ++b) {
        cardo_body_info info;
        cardo_system_body(system, b, &info);
        for (int k = 0; k < info.nq && info.nq == info.nu && self->ntallied < CARDO_MOST_TALLIED;
             ++k)
            self->tallied[self->ntallied++] = info.q_first + k;
    }
}

/* What the run is begun with, as it stands now. */
static cardo_status tell_record(const cardo_dynamics *self,
                                cardo_status (*to)(const cardo_writer *writer,
                                                   const cardo_record *record, cardo_error *error),
                                cardo_error *error)
{
    const cardo_dynamics_options *o = self->options;
    cardo_result *facts;
    cardo_record_options tables[MOST_TABLES];
    int n = 0;
    cardo_status status = o->writer ? cardo_result_create(&facts, error) : CARDO_OK;
    if (status != CARDO_OK || !o->writer)
        return status;
    cardo_session_facts(self->session, facts);
    cardo_result_text(facts, &(cardo_quantity){"integrator"}, o->integrator->name);
    cardo_result_integer(facts, &(cardo_quantity){"seed"}, o->simulation.seed);
    tables[n++] = (cardo_record_options){cardo_simulation_fields, &o->simulation};
    tables[n++] = (cardo_record_options){cardo_recorder_fields, &o->files};
    tables[n++] = (cardo_record_options){cardo_strain_fields, &o->strain};
    for (int k = 0; k < self->nown; ++k)
        tables[n++] = self->own[k];
    tables[n++] = (cardo_record_options){o->integrator->fields, o->integrator_options.bytes};
    const cardo_record record = {
        .study = self->study, .facts = facts, .noption = n, .options = tables};
    status = to(o->writer, &record, error);
    cardo_result_destroy(facts);
    return status;
}

static cardo_status check_options(const cardo_dynamics *self, cardo_error *error)
{
    const cardo_dynamics_options *o = self->options;
    const cardo_model *model = self->session->model;
    if (o->integrator->options_size > sizeof o->integrator_options)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "the options of %s take more than %d bytes",
                          o->integrator->name, CARDO_MOST_INTEGRATOR_OPTIONS);
    cardo_status status = cardo_integrator_check_bath(o->integrator, o->integrator_options.bytes,
                                                      o->simulation.timestep, error);
    if (status != CARDO_OK)
        return cardo_error_prefix(error, "%s: <%s> ", model->path, self->study);
    return cardo_writer_goes_on(o->writer) ? tell_record(self, cardo_writer_check, error)
                                           : CARDO_OK;
}

/* A run that goes on began somewhere else. */
static cardo_status look_at_start(const cardo_dynamics *self, cardo_error *error)
{
    const cardo_dynamics_options *o = self->options;
    if (cardo_writer_goes_on(o->writer))
        return CARDO_OK;
    cardo_state_prescribe(self->session->system, self->session->state);
    /* Without dynamics the first thing that happens is a minimization. */
    const bool refuse = o->strain.strain == CARDO_STRAIN_REFUSED &&
                        !(o->integrator->traits & CARDO_INTEGRATOR_STATIC);
    return cardo_strain_tell(self->session, "the start", refuse, error);
}

static bool has_bath(const cardo_dynamics *self)
{
    return (self->options->integrator->traits & CARDO_INTEGRATOR_THERMOSTAT) != 0;
}

/* What depends on the temperature of the bath. */
static cardo_status fill_ligands(const cardo_dynamics *self, cardo_result *into, cardo_error *error)
{
    const double kelvin =
        has_bath(self) ? self->options->simulation.temperature : CARDO_LIGANDS_TEMPERATURE;
    cardo_ligands_tell(self->session, kelvin, self->study);
    if (has_bath(self))
        cardo_session_tell_salt(self->session, kelvin, self->study);
    return cardo_ligands_fill(self->session, kelvin, into, error);
}

static void fill_head(const cardo_dynamics *self, cardo_result *into)
{
    const cardo_simulation_options *o = &self->options->simulation;
    const cardo_integrator *integrator = self->options->integrator;
    cardo_result_text(into, &(cardo_quantity){"study"}, self->study);
    cardo_session_head(self->session, into);
    cardo_judgement_fill(self->session, into);
    cardo_result_text(into, &(cardo_quantity){"integrator"}, integrator->name);
    cardo_result_number(into, &(cardo_quantity){"timestep_ps", "time step", "ps"}, o->timestep);
    cardo_result_integer(into, &(cardo_quantity){"steps"}, o->steps);
    cardo_result_number(into, &(cardo_quantity){"length_ns", "length", "ns"},
                        1e-3 * o->timestep * (double)o->steps);
    if (self->masses && self->masses->masses == CARDO_MASSES_EQUALIZED)
        cardo_result_text(into, &(cardo_quantity){"time_is"}, "unphysical");
    if (has_bath(self)) {
        cardo_result_number(into, &(cardo_quantity){"bath_K", "temperature of the bath", "K"},
                            o->temperature);
        cardo_result_integer(into, &(cardo_quantity){"seed"}, o->seed);
    }
    if (self->options->writer)
        cardo_result_text(into, &(cardo_quantity){"folder"}, self->options->writer->place);
}

cardo_status cardo_dynamics_create(cardo_dynamics *self, cardo_result *into, cardo_error *error)
{
    cardo_status status;
    cardo_session *session = self->session;
    const cardo_dynamics_options *o = self->options;
    const cardo_writer *writer = o->writer;
    self->into = into;
    CARDO_TRY(check_options(self, error));
    CARDO_TRY(look_at_start(self, error));
    CARDO_TRY(cardo_judge(session, error));
    CARDO_TRY(cardo_describe_forces(session, &self->extra, error));
    fill_head(self, into);
    CARDO_TRY(fill_ligands(self, into, error));
    CARDO_TRY(cardo_result_status(into, error));
    if (session->listener.begin)
        session->listener.begin(session->listener.user, into);
    if (session->model->forcefield.table[0])
        CARDO_TRY(cardo_writer_claim(writer, error));
    CARDO_TRY(cardo_session_tabulate(session, self->extra, cardo_writer_goes_on(writer),
                                     writer ? writer->force_tables : NULL, error));
    if (self->masses)
        CARDO_TRY(cardo_masses_choose(session,
                                      &(cardo_masses_use){.options = self->masses,
                                                          .simulation = &o->simulation,
                                                          .integrator = o->integrator,
                                                          .about = "simulate",
                                                          .writer = writer},
                                      into, error));
    status = cardo_simulation_create(session->system, session->state, cardo_session_forces(session),
                                     o->integrator, &o->simulation, o->integrator_options.bytes,
                                     &self->simulation, error);
done:
    return status;
}

/* What checkpoints keep besides: a run that is continued sums up all its parts. */
static cardo_status remember(cardo_dynamics *self, cardo_error *error)
{
    bool restored;
    cardo_status status =
        cardo_recorder_remember(self->recorder, "tally", (double *)&self->tally,
                                (int)(sizeof self->tally / sizeof(double)), &restored, error);
    if (status == CARDO_OK && self->errors)
        status = cardo_recorder_remember(self->recorder, "constraint_error",
                                         &self->constraint_error, 1, &restored, error);
    for (int k = 0; k < self->nremembered && status == CARDO_OK; ++k)
        status = cardo_recorder_remember(self->recorder, self->remembered[k].name,
                                         self->remembered[k].values, self->remembered[k].count,
                                         &restored, error);
    return status;
}

/* The record of a run that goes on is written when it was seen that it can. */
static cardo_status go_on(cardo_dynamics *self, cardo_error *error)
{
    cardo_status status;
    const cardo_dynamics_options *o = self->options;
    const cardo_structure *structure = self->session->model->structure[0].structure;
    CARDO_TRY(cardo_recorder_continue(o->writer, self->simulation, structure, &o->files,
                                      self->columns, self->extra, &self->recorder, error));
    CARDO_TRY(remember(self, error));
    status = tell_record(self, cardo_writer_begin, error);
done:
    return status;
}

static cardo_status begin(cardo_dynamics *self, cardo_error *error)
{
    cardo_status status;
    const cardo_dynamics_options *o = self->options;
    const cardo_structure *structure = self->session->model->structure[0].structure;
    CARDO_TRY(tell_record(self, cardo_writer_begin, error));
    CARDO_TRY(cardo_masses_keep(self->session->system, o->writer, error));
    CARDO_TRY(cardo_recorder_open(o->writer, self->simulation, structure, &o->files, self->columns,
                                  self->extra, &self->recorder, error));
    CARDO_TRY(remember(self, error));
    status = cardo_simulation_start(self->simulation, error);
done:
    return status;
}

static void tell_progress(const cardo_dynamics *self, long long step)
{
    const cardo_listener *listener = &self->session->listener;
    if (listener->progress && self->first < self->options->simulation.steps)
        listener->progress(listener->user, "step", step, self->options->simulation.steps);
}

static cardo_status tell_step(void *user, const cardo_frame *frame, cardo_error *error)
{
    (void)error;
    const cardo_dynamics *self = user;
    const cardo_listener *listener = &self->session->listener;
    if (listener->frame)
        listener->frame(listener->user, frame);
    tell_progress(self, frame->step);
    return CARDO_OK;
}

/* Observers after the recorder. */
static cardo_status watch(cardo_dynamics *self, cardo_error *error)
{
    const cardo_observer teller = {.user = self, .interval = 1, .observe = tell_step};
    cardo_status status = cardo_simulation_add_observer(self->simulation, &teller, error);
    if (status == CARDO_OK && self->last)
        status = cardo_simulation_add_observer(self->simulation, self->last, error);
    return status;
}

cardo_status cardo_dynamics_perform(cardo_dynamics *self, cardo_error *error)
{
    cardo_status status;
    const cardo_writer *writer = self->options->writer;
    /* The tally is taken before the recorder looks, so that a checkpoint has the step that it was made after. */
    const cardo_observer tally = {.user = self, .interval = 1, .observe = count_step};
    cardo_constraint_counts counts;
    cardo_system_constraint_counts(self->session->system, &counts);
    self->end = CARDO_END_FAILED;
    choose_coordinates(self);
    CARDO_TRY(CARDO_ALLOCATE(&self->errors, counts.nposition, error));
    CARDO_TRY(cardo_simulation_add_observer(self->simulation, &tally, error));
    CARDO_TRY(cardo_writer_goes_on(writer) ? go_on(self, error) : begin(self, error));
    self->first = cardo_simulation_step(self->simulation);
    CARDO_TRY(watch(self, error));
    if (writer)
        cardo_recorder_fill(self->recorder, self->into);
    tell_progress(self, self->first);
    const double started = cardo_clock();
    status =
        cardo_simulation_run(self->simulation, -1, self->session->listener.stop, &self->end, error);
    self->seconds = cardo_clock() - started;
    /* A first step that fails is a failed start. */
    cardo_writer_keep(writer,
                      status == CARDO_OK || cardo_simulation_step(self->simulation) > self->first);

    /* The files are closed in any case; the first failure is the one that is told. */
    cardo_status finished =
        cardo_recorder_finish(self->recorder, status == CARDO_OK ? error : NULL);
    self->recorder = NULL;
    status = status == CARDO_OK ? finished : status;
done:
    return status;
}

void cardo_dynamics_clear(cardo_dynamics *self)
{
    cardo_recorder_destroy(self->recorder);
    cardo_simulation_destroy(self->simulation);
    cardo_free(self->extra);
    cardo_free(self->errors);
}
