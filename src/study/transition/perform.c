#include "study/transition/perform.h"

#include "base/clock.h"
#include "base/memory.h"
#include "cardo/operators.h"
#include "study/motion/motion.h"
#include "study/reference/atom_forces.h"
#include "study/session/forces.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* By both clocks. */
typedef struct moment {
    double time, processor;
} moment;

static moment present(void)
{
    return (moment){cardo_clock(), cardo_processor_clock()};
}

/* What a step works with. */
typedef struct errand {
    cardo_transition *t;
    const cardo_step *step;
    const char *model; /* the step whose model it works on; NULL: files */
    const cardo_writer *part;
    const cardo_study *study;
    cardo_session *session;
    cardo_result *result;
} errand;

/* The host hears what makes results doubtful, once, however many steps meet it; notes are those of studies that stand in pages of
 * their own. */
static void tell_once(cardo_transition *t, cardo_severity severity, const char *about,
                      const char *text)
{
    if (!t->listener->say || cardo_step_text(&t->told, "", text))
        return;
    cardo_step_note_text(&t->told, "", text, about ? about : "");
    t->listener->say(t->listener->user, severity, about, text);
}

static void hear(void *user, cardo_severity severity, const char *about, const char *text)
{
    if (severity != CARDO_SAID_NOTE)
        tell_once(user, severity, about, text);
}

/* What the readers of the files remark upon is told by the step that reads them first. */
static void hear_warnings(void *user, cardo_severity severity, const char *about, const char *text)
{
    if (severity == CARDO_SAID_WARNING)
        tell_once(user, severity, about, text);
}

static void show_progress(void *user, const char *about, long long done, long long of)
{
    const cardo_transition *t = user;
    if (t->listener->progress)
        t->listener->progress(t->listener->user, about, done, of);
}

static cardo_listener listener_of(const errand *e)
{
    const bool first = e->step == cardo_steps;
    return (cardo_listener){.size = sizeof(cardo_listener),
                            .user = e->t,
                            .say = first ? hear : hear_warnings,
                            .progress = show_progress,
                            .stop = e->t->listener->stop};
}

/* Of a study without a record of its own. */
static cardo_status begin(const errand *e, cardo_error *error)
{
    cardo_result *facts = NULL;
    cardo_status status;
    CARDO_TRY(cardo_writer_claim(e->part, error));
    CARDO_TRY(cardo_result_create(&facts, error));
    status = cardo_writer_begin(e->part, &(cardo_record){.study = e->step->study, .facts = facts},
                                error);
done:
    cardo_result_destroy(facts);
    return status;
}

static bool keeps_no_record(const errand *e)
{
    return !e->model || !e->study->writer;
}

/* What gives way is sampled by masses with which all of it is about equally fast, which a model without constraints can have (study/dynamics/masses.h). */
static const char *const as_sampled[] = {"model.base=welded", "model.closure=bonded",
                                         "model.constraints=none"};

static cardo_status open_session(errand *e, cardo_error *error)
{
    const cardo_listener listener = listener_of(e);
    const bool sampled = e->step->rung == CARDO_RUNG_FLEXIBLE;
    const cardo_session_options options = {
        .size = sizeof options,
        .nsetting = sampled ? (int)(sizeof as_sampled / sizeof *as_sampled) : 0,
        .setting = as_sampled,
        .forces_optional = !(e->study->needs & CARDO_STUDY_NEEDS_FORCES)};
    return e->model ? cardo_session_open(CARDO_STEP_SAID(e->t, e->model, "model_file"), &options,
                                         &listener, &e->session, error)
                    : cardo_session_create(&listener, &e->session, error);
}

/* At the coordinates of the step that it begins from, as far as there are any. */
static cardo_status place(void *user, cardo_session *session, cardo_error *error)
{
    const errand *e = user;
    double *q;
    const int nq = session->system ? cardo_system_nq(session->system) : 0;
    if (!e->step->start || nq == 0)
        return CARDO_OK;
    cardo_status status = CARDO_ALLOCATE(&q, nq, error);
    if (status != CARDO_OK)
        return status;
    if (cardo_step_numbers(&e->t->notes, e->step->start, "coordinates", q, nq) == nq)
        status = cardo_session_set_coordinates(session, q, error);
    cardo_free(q);
    return status;
}

static cardo_status run(errand *e, cardo_error *error)
{
    cardo_status status;
    cardo_step_options options;
    const char *texts[CARDO_STEP_OPTIONS];
    cardo_step_set_options(e->t, e->step, &options);
    for (int k = 0; k < options.n; ++k)
        texts[k] = options.text[k];
    const cardo_run_options how = {.size = sizeof how,
                                   .noption = options.n,
                                   .option = texts,
                                   .ninput = e->model ? 0 : e->t->options->inputs.count,
                                   .input = e->t->options->inputs.path,
                                   .writer = e->part,
                                   .place = place,
                                   .user = e,
                                   .frames = e->t->options->frames};
    CARDO_TRY(open_session(e, error));
    if (keeps_no_record(e))
        CARDO_TRY(begin(e, error));
    CARDO_TRY(e->t->options->runner->run(e->session, e->step->study, &how, &e->result, error));
    if (!e->study->writer)
        CARDO_TRY(cardo_motion_write(e->session, e->result, e->part, error));
    cardo_writer_keep(e->part, true);
done:
    return status;
}

/* Of the reference, a residue on average. */
static double heavy_atoms(const cardo_model *model)
{
    const cardo_structure *s = model->structure[0].structure;
    int heavy = 0, residues = 0;
    for (int r = 0; r < s->nresidue; ++r)
        residues += !s->hetero[r];
    for (int a = 0; a < s->natom; ++a)
        heavy += s->element[a] != 1 && !s->hetero[s->atom_residue[a]];
    return residues > 0 ? (double)heavy / residues : 0;
}

typedef cardo_status (*evaluation)(void *context, cardo_error *error);

/* How long one takes where nobody else is at work, the least of several by either clock: what else the machine does makes others longer,
 * and what is planned is not to depend on it. */
static cardo_status time_evaluation(evaluation evaluate, void *context, double *seconds,
                                    cardo_error *error)
{
    enum { LEAST = 5, MOST = 2000 };
    static const double enough = 0.1; /* s */
    const moment begun = present();
    moment last = begun;
    *seconds = HUGE_VAL;
    for (int n = 0; n < LEAST || (last.time - begun.time < enough && n < MOST); ++n) {
        const cardo_status status = evaluate(context, error);
        if (status != CARDO_OK)
            return status;
        const moment now = present();
        *seconds = fmin(*seconds, fmin(now.time - last.time, now.processor - last.processor));
        last = now;
    }
    return CARDO_OK;
}

static cardo_status evaluate_bodies(void *context, cardo_error *error)
{
    cardo_session *session = context;
    const cardo_status status =
        cardo_session_set_coordinates(session, cardo_state_q(session->state), error);
    return status == CARDO_OK ? cardo_evaluate(session->evaluator, session->state, error) : status;
}

/* All atoms for themselves, as they stand. */
typedef struct loose_atoms {
    cardo_atom_forces forces;
    double *positions, *gradient;
} loose_atoms;

static cardo_status evaluate_atoms(void *context, cardo_error *error)
{
    const loose_atoms *atoms = context;
    double energy;
    return cardo_atom_forces_compute(&atoms->forces, atoms->positions, NULL, atoms->gradient,
                                     &energy, error);
}

/* What relaxing frames is made of. */
static cardo_status time_atoms(const cardo_session *session, double *seconds, cardo_error *error)
{
    cardo_status status;
    cardo_force_provider *provider = NULL;
    loose_atoms atoms = {{0}};
    const int natom = session->model->structure[0].structure->natom;
    CARDO_TRY(cardo_session_atoms_provider(session, &provider, error));
    CARDO_TRY(cardo_atom_forces_open(provider, natom, &atoms.forces, error));
    CARDO_TRY(CARDO_ALLOCATE(&atoms.positions, 3 * (size_t)natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&atoms.gradient, 3 * (size_t)natom, error));
    CARDO_TRY(cardo_station_positions(session->system, session->state, atoms.positions, error));
    status = time_evaluation(evaluate_atoms, &atoms, seconds, error);
done:
    cardo_atom_forces_clear(&atoms.forces);
    cardo_force_provider_destroy(provider);
    cardo_free(atoms.positions);
    cardo_free(atoms.gradient);
    return status;
}

/* How long evaluations of a model's forces take, and why there are none. */
static cardo_status time_model(errand *e, cardo_error *error)
{
    cardo_status status;
    cardo_step_notes *notes = &e->t->notes;
    const char *name = e->step->name;
    const cardo_listener listener = listener_of(e);
    const cardo_session_options options = {.size = sizeof options, .forces_optional = true};
    cardo_session *session = NULL;
    cardo_error own = {0};
    double seconds;
    CARDO_TRY(cardo_session_open(cardo_step_text(notes, name, "model_file"), &options, &listener,
                                 &session, error));
    cardo_step_note_number(notes, name, "heavy_atoms", heavy_atoms(session->model));
    if (!session->evaluator) {
        cardo_step_note_text(notes, name, "no_forces", session->no_forces.message);
        goto done;
    }
    if (cardo_evaluate(session->evaluator, session->state, &own) != CARDO_OK) {
        cardo_step_note_text(notes, name, "no_forces", own.message);
        goto done;
    }
    CARDO_TRY(time_evaluation(evaluate_bodies, session, &seconds, error));
    cardo_step_note_number(notes, name, "evaluation_s", seconds);
    /* Where that fails the step that needs it says why. */
    if (session->terms && time_atoms(session, &seconds, &own) == CARDO_OK)
        cardo_step_note_number(notes, name, "atoms_evaluation_s", seconds);
done:
    cardo_session_close(session);
    return status;
}

static bool ends_all(const cardo_transition *t, cardo_status status)
{
    return status == CARDO_ERROR_MEMORY || status == CARDO_ERROR_INTERRUPTED ||
           cardo_transition_stopped(t);
}

/* A part that tells why its study failed, for who reads the page. */
static cardo_status write_failure(const errand *e, const char *reason, cardo_error *error)
{
    cardo_result *result = NULL;
    cardo_status status;
    CARDO_TRY(begin(e, error));
    CARDO_TRY(cardo_result_create(&result, error));
    cardo_result_remark(result, "failed", CARDO_RESULT_WARNING, reason, NULL);
    CARDO_TRY(cardo_result_status(result, error));
    CARDO_TRY(cardo_writer_result(e->part, result, "result.json", error));
    cardo_writer_keep(e->part, true);
done:
    cardo_result_destroy(result);
    return status;
}

static cardo_status conclude(errand *e, const moment *begun, cardo_status status,
                             cardo_error *found, cardo_error *error)
{
    cardo_step_notes *notes = &e->t->notes;
    if (status != CARDO_OK && ends_all(e->t, status)) {
        if (error)
            *error = *found;
        return cardo_transition_stopped(e->t) ? CARDO_ERROR_INTERRUPTED : status;
    }
    if (cardo_transition_stopped(e->t))
        return CARDO_FAIL(error, CARDO_ERROR_INTERRUPTED, "interrupted");
    if (status != CARDO_OK && e->step == cardo_steps) { /* without it there is nothing */
        if (error)
            *error = *found;
        return status;
    }
    if (status == CARDO_OK) {
        cardo_step_take(e->t, e->step, e->session, e->result);
        if (cardo_step_text(notes, e->step->name, "prediction")) {
            cardo_writer_keep(e->part, false);
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "one structure was given, and its motion has no second end: give two "
                              "structures of the protein, or a file with several models of it");
        }
    } else {
        cardo_step_note_text(notes, e->step->name, "failed", found->message);
        status = write_failure(e, found->message, error);
        if (status != CARDO_OK)
            return status;
    }
    if (strcmp(e->step->study, "domains") == 0 &&
        cardo_step_text(notes, e->step->name, "model_file")) {
        status = time_model(e, found);
        if (status != CARDO_OK)
            cardo_step_note_text(notes, e->step->name, "no_forces", found->message);
    }
    const moment now = present();
    cardo_step_note_number(notes, e->step->name, "processor_s", now.processor - begun->processor);
    cardo_step_note_number(notes, e->step->name, "seconds", now.time - begun->time);
    return CARDO_OK;
}

cardo_status cardo_step_perform(cardo_transition *t, const cardo_step *step, cardo_error *error)
{
    const moment begun = present();
    cardo_error found = {0};
    errand e = {.t = t, .step = step};
    if (cardo_step_text(&t->notes, step->name, "seconds"))
        return CARDO_OK;
    e.model = cardo_step_model(t, step);
    e.study = t->options->runner->find(step->study);
    const cardo_part part = {.name = step->name,
                             .study = step->study,
                             .checkpoint = e.study->checkpoint,
                             .go_on = t->goes_on};
    cardo_status status = cardo_writer_open_part(t->options->writer, &part, &e.part, error);
    if (status != CARDO_OK)
        return status;
    status = run(&e, &found);
    status = conclude(&e, &begun, status, &found, error);
    if (status == CARDO_ERROR_INTERRUPTED)
        cardo_writer_keep(e.part, true);
    cardo_result_destroy(e.result);
    cardo_session_close(e.session);
    /* What is noted as done is not opened again, so that its part must be closed before: killed in between, nothing of it is left open. */
    cardo_writer_close_part(t->options->writer, e.part);
    return status == CARDO_OK
               ? cardo_step_notes_save(&t->notes, t->options->writer, CARDO_TRANSITION_PLAN, error)
               : status;
}
