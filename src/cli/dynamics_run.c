#include "cli/dynamics_run.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"
#include "cli/interrupt.h"
#include "cli/manifest.h"
#include "cli/progress.h"
#include "cli/session_report.h"
#include "cli/start.h"
#include "cli/tabulate.h"
#include "dynamics/tables/table_provider.h"
#include "forces/openmm/openmm.h"
#include "io/trajectory/trajectory.h"
#include "multibody/tree/coordinate_names.h"
#include "multibody/tree/motion.h"
#include "study/session/forces.h"
#include "study/session/judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_TARGETS = 8 };

static cardo_status count_step(void *user, const cardo_frame *frame, cardo_error *error)
{
    (void)error;
    cardo_dynamics_run *r = user;
    cardo_tally *t = &r->tally;
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
    for (int k = 0; k < r->ntallied; ++k) {
        double value = q[r->tallied[k]];
        t->low[k] = first ? value : fmin(t->low[k], value);
        t->high[k] = first ? value : fmax(t->high[k], value);
        t->sum[k] += value;
    }
    return CARDO_OK;
}

static void choose_coordinates(cardo_dynamics_run *r)
{
    const cardo_system *system = r->session->system;
    for (int b = 1; b < cardo_system_nbody(system); ++b) {
        cardo_body_info info;
        cardo_system_body(system, b, &info);
        for (int k = 0; k < info.nq && info.nq == info.nu && r->ntallied < CARDO_MOST_TALLIED; ++k)
            r->tallied[r->ntallied++] = info.q_first + k;
    }
}

cardo_status cardo_dynamics_claim(const cardo_command *command, cardo_dynamics_run *r,
                                  const char *suffix, cardo_error *error)
{
    char *path;
    cardo_status status = cardo_run_folder_name(command, suffix, &path, error);
    r->command = command;
    if (status != CARDO_OK)
        return status;
    status = cardo_run_folder_claim(&r->home, command, path, CARDO_CHECKPOINT_NAME, true, error);
    r->command = r->home.command;
    r->folder = r->home.path;
    return status;
}

/* Options of the integrators that were not chosen: they may stay in the model file, so that another
 * one can be tried with
 * --set alone. */
static void list_other_options(const char **names, int most)
{
    int n = 0;
    names[n++] = "integrator";
    for (const cardo_integrator *const *i = cardo_integrators; *i; ++i)
        for (const cardo_field *field = (*i)->fields; field && field->name && n < most - 1; ++field)
            names[n++] = field->name;
    names[n] = NULL;
}

static cardo_status choose_integrator(cardo_dynamics_run *r, cardo_error *error)
{
    const cardo_model *model = r->session->model;
    const char *name = cardo_study_value(model, r->verb, "integrator");
    if (!r->integrator)
        r->integrator = cardo_integrator_find(name ? name : "langevin");
    if (!r->integrator)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: there is no integrator '%s'; cardo list integrators shows them",
                          model->path, name);
    if (r->integrator->options_size > sizeof r->integrator_options)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "the options of %s take more than %d bytes",
                          r->integrator->name, CARDO_MOST_INTEGRATOR_OPTIONS);
    return CARDO_OK;
}

cardo_status cardo_dynamics_options(cardo_dynamics_run *r, int nown, const cardo_option_target *own,
                                    cardo_error *error)
{
    const char *skip[128];
    cardo_option_target targets[MOST_TARGETS] = {
        {cardo_simulation_fields, &r->options},
        {cardo_recorder_fields, &r->files},
        {cardo_strain_fields, &r->strain},
    };
    int n = 3;
    list_other_options(skip, 128);
    cardo_status status = choose_integrator(r, error);
    if (status != CARDO_OK)
        return status;
    for (int k = 0; k < nown; ++k)
        targets[n++] = own[k];
    if (r->integrator->fields)
        targets[n++] = (cardo_option_target){r->integrator->fields, r->integrator_options.bytes};
    status = cardo_study_options(r->session->model, r->verb, n, targets, skip, error);
    if (status != CARDO_OK)
        return status;
    status = cardo_integrator_check_bath(r->integrator, r->integrator_options.bytes,
                                         r->options.timestep, error);
    if (status != CARDO_OK)
        cardo_error_prefix(error, "%s: <%s> ", r->session->model->path, r->verb);
    return status;
}

static cardo_status write_manifest(const cardo_dynamics_run *r, int nown,
                                   const cardo_option_target *own, cardo_error *error)
{
    cardo_json *json = cardo_manifest_begin(&r->home, r->session), *options = cardo_json_object();
    cardo_json_string(json, "integrator", r->integrator->name);
    cardo_json_integer(json, "seed", r->options.seed);
    cardo_manifest_options(options, cardo_simulation_fields, &r->options);
    cardo_manifest_options(options, cardo_recorder_fields, &r->files);
    cardo_manifest_options(options, cardo_strain_fields, &r->strain);
    for (int k = 0; k < nown; ++k)
        cardo_manifest_options(options, own[k].fields, own[k].object);
    cardo_manifest_options(options, r->integrator->fields, r->integrator_options.bytes);
    cardo_json_put(json, "options", options);
    cardo_manifest_start(json, &r->home, r->session);
    return cardo_manifest_write(&r->home, json, error);
}

static void announce(const cardo_dynamics_run *r)
{
    char engine[64];
    cardo_print_size(r->session);
    cardo_print(stdout, "forces: %s%s%s, %s; %s, step %g ps, %lld steps = %g ns",
                cardo_session_engine(r->session, engine),
                r->session->model->forcefield.solvent[0] ? ", " : "",
                r->session->model->forcefield.solvent, r->session->model->forcefield.method,
                r->integrator->name, r->options.timestep, r->options.steps,
                1e-3 * r->options.timestep * (double)r->options.steps);
    if (r->integrator->traits & CARDO_INTEGRATOR_THERMOSTAT)
        cardo_print(stdout, ", %g K, seed %lld", r->options.temperature, r->options.seed);
    printf("\n");
    cardo_print_choice(r->session);
    cardo_judgement_print(r->session);
    if (!(r->session->provider->traits & CARDO_FORCE_DETERMINISTIC))
        printf("note: with several threads, a cutoff or a GPU the last bits of OpenMM's forces "
               "vary, so a "
               "continued run will not be bitwise the same\n");
    printf("results go to %s/\n", r->folder);
    fflush(stdout);
}

/* Where the run begins; one that goes on began somewhere else. */
static cardo_status place(cardo_dynamics_run *r, cardo_error *error)
{
    cardo_status status = cardo_run_folder_place(&r->home, r->session, error);
    if (status != CARDO_OK || r->home.go_on)
        return status;
    cardo_state_prescribe(r->session->system, r->session->state);
    /* Without dynamics the first thing that happens is a minimization. */
    const bool refuse = r->strain.strain == CARDO_STRAIN_REFUSED &&
                        !(r->integrator->traits & CARDO_INTEGRATOR_STATIC);
    return cardo_strain_tell(r->session, "the start", refuse, error);
}

/* Of a run that goes on: whether its options are those of before, but for what may change. */
static cardo_status check_continued(cardo_dynamics_run *r, int nown, const cardo_option_target *own,
                                    cardo_error *error)
{
    const cardo_continuation *before = &r->home.continuation;
    cardo_option_target targets[MOST_TARGETS] = {
        {cardo_simulation_fields, &r->options},
        {cardo_recorder_fields, &r->files},
        {r->integrator->fields, r->integrator_options.bytes},
    };
    int n = 3;
    if (!r->home.go_on)
        return CARDO_OK;
    for (int k = 0; k < nown; ++k)
        targets[n++] = own[k];
    cardo_status status =
        cardo_continuation_check_word(before, "integrator", r->integrator->name, error);
    return status == CARDO_OK ? cardo_continuation_check(before, r->session, n, targets, error)
                              : status;
}

cardo_status cardo_dynamics_create(cardo_dynamics_run *r, int nown, const cardo_option_target *own,
                                   cardo_error *error)
{
    cardo_status status;
    const bool quiet = cardo_command_has(r->command, "quiet");
    CARDO_TRY(check_continued(r, nown, own, error));
    CARDO_TRY(place(r, error));
    CARDO_TRY(cardo_judge(r->session, error));
    CARDO_TRY(cardo_describe_forces(r->session, &r->extra, error));
    if (!quiet)
        announce(r);
    cardo_interrupt_catch();
    if (r->session->model->forcefield.table[0])
        CARDO_TRY(cardo_run_folder_open(&r->home, error));
    CARDO_TRY(cardo_run_tabulate(r->session, r->folder, r->extra, r->home.go_on, error));
    status = cardo_simulation_create(r->session->system, r->session->state,
                                     cardo_session_forces(r->session), r->integrator, &r->options,
                                     r->integrator_options.bytes, &r->simulation, error);
done:
    return status;
}

/* What checkpoints keep besides: a run that is continued sums up all its parts. */
static cardo_status remember(cardo_dynamics_run *r, cardo_error *error)
{
    bool restored;
    cardo_status status =
        cardo_recorder_remember(r->recorder, "tally", (double *)&r->tally,
                                (int)(sizeof r->tally / sizeof(double)), &restored, error);
    for (int k = 0; k < r->nremembered && status == CARDO_OK; ++k)
        status =
            cardo_recorder_remember(r->recorder, r->remembered[k].name, r->remembered[k].values,
                                    r->remembered[k].count, &restored, error);
    return status;
}

static cardo_status go_on(cardo_dynamics_run *r, int nown, const cardo_option_target *own,
                          cardo_error *error)
{
    cardo_status status;
    const cardo_structure *structure = r->session->model->structure[0].structure;
    CARDO_TRY(cardo_recorder_continue(r->folder, r->simulation, structure, &r->files, r->columns,
                                      r->extra, &r->recorder, error));
    CARDO_TRY(remember(r, error));
    status = write_manifest(r, nown, own, error);
done:
    return status;
}

static cardo_status begin(cardo_dynamics_run *r, int nown, const cardo_option_target *own,
                          cardo_error *error)
{
    cardo_status status;
    const cardo_structure *structure = r->session->model->structure[0].structure;
    CARDO_TRY(write_manifest(r, nown, own, error));
    CARDO_TRY(cardo_recorder_open(r->folder, r->simulation, structure, &r->files, r->columns,
                                  r->extra, &r->recorder, error));
    CARDO_TRY(remember(r, error));
    status = cardo_simulation_start(r->simulation, error);
done:
    return status;
}

static cardo_status watch(cardo_dynamics_run *r, cardo_progress *progress, cardo_error *error)
{
    const cardo_observer observer = {
        .user = progress, .interval = 1, .observe = cardo_progress_observe};
    r->first = cardo_simulation_step(r->simulation);
    cardo_progress_start(progress, r->first, r->options.steps, r->options.timestep,
                         cardo_command_has(r->command, "quiet"));
    cardo_status status = cardo_simulation_add_observer(r->simulation, &observer, error);
    if (status == CARDO_OK && r->last)
        status = cardo_simulation_add_observer(r->simulation, r->last, error);
    return status;
}

/* The tally is taken before the recorder looks, so that a checkpoint has the step that it was made after. */
static cardo_status start(cardo_dynamics_run *r, int nown, const cardo_option_target *own,
                          cardo_error *error)
{
    cardo_status status;
    const cardo_observer observer = {.user = r, .interval = 1, .observe = count_step};
    choose_coordinates(r);
    CARDO_TRY(cardo_run_folder_begin(&r->home, r->session->table != NULL, error));
    CARDO_TRY(cardo_simulation_add_observer(r->simulation, &observer, error));
    status = r->home.go_on ? go_on(r, nown, own, error) : begin(r, nown, own, error);
done:
    return status;
}

cardo_status cardo_dynamics_perform(cardo_dynamics_run *r, int nown, const cardo_option_target *own,
                                    cardo_error *error)
{
    cardo_progress progress;
    r->end = CARDO_END_FAILED;
    cardo_status status = start(r, nown, own, error);
    if (status != CARDO_OK)
        return status;
    status = watch(r, &progress, error);
    if (status != CARDO_OK)
        return status;
    status = cardo_simulation_run(r->simulation, -1, &cardo_interrupted, &r->end, error);
    r->seconds = cardo_progress_finish(&progress);
    r->steps = cardo_simulation_step(r->simulation) - r->first;
    /* A first step that fails is a failed start. */
    r->home.begun = status == CARDO_OK || r->steps > 0;

    /* The files are closed in any case; the first failure is the one that is told. */
    cardo_status finished = cardo_recorder_finish(r->recorder, status == CARDO_OK ? error : NULL);
    r->recorder = NULL;
    return status == CARDO_OK ? finished : status;
}

/* The angle by which a unit of this coordinate turns its body, where it runs along one screw; else 0. */
static double path_turn(const cardo_dynamics_run *r, int coordinate)
{
    for (int b = 0; b < r->session->model->nbody; ++b) {
        const cardo_model_body *body = &r->session->model->body[b];
        cardo_body_info info;
        cardo_system_body(r->session->system, b + 1, &info);
        const cardo_path *path = body->parameters;
        if (body->fit && info.q_first == coordinate && path->kind == CARDO_PATH_SCREW)
            return body->fit->angle;
    }
    return 0;
}

static bool is_torsion(const cardo_dynamics_run *r, int coordinate)
{
    for (int b = 0; b < r->session->model->nbody; ++b) {
        cardo_body_info info;
        cardo_system_body(r->session->system, b + 1, &info);
        if (info.q_first == coordinate && info.nq > 0)
            return r->session->model->body[b].torsion != 0;
    }
    return false;
}

static void print_end(const cardo_dynamics_run *r, const cardo_frame *frame)
{
    if (r->home.go_on && r->steps == 0 && r->end == CARDO_END_DONE) {
        cardo_print(stdout,
                    "nothing was left to do: the run has its %lld steps (%g ps); --continue --set "
                    "%s.steps=N goes on to N\n",
                    frame->step, frame->time, r->verb);
        return;
    }
    cardo_print(stdout, "%s after %lld steps (%g ps)",
                r->end == CARDO_END_INTERRUPTED ? "interrupted"
                : r->end == CARDO_END_EVENT     ? "ended by an event"
                : r->end == CARDO_END_FAILED    ? "stopped"
                : r->outcome                    ? r->outcome
                                                : "done",
                frame->step, frame->time);
    if (r->home.go_on)
        printf(", %lld of them now", r->steps);
    cardo_print(stdout, ": %.1f s, %.3g ns/day, %.3g ms a step\n", r->seconds,
                cardo_ns_per_day(r->steps, r->options.timestep, r->seconds),
                r->steps > 0 ? 1e3 * r->seconds / (double)r->steps : 0.0);
}

static void print_coordinates(const cardo_dynamics_run *r)
{
    const cardo_tally *t = &r->tally;
    double least = HUGE_VAL, most = -HUGE_VAL;
    int ntorsion = 0;
    for (int k = 0; k < r->ntallied; ++k) {
        char name[96];
        if (is_torsion(r, r->tallied[k])) {
            ++ntorsion;
            least = fmin(least, t->low[k]);
            most = fmax(most, t->high[k]);
            continue;
        }
        cardo_print(stdout, "  %-14s mean %8.4f, from %8.4f to %8.4f",
                    cardo_coordinate_name(r->session->system, r->tallied[k], name),
                    t->sum[k] / t->count, t->low[k], t->high[k]);
        double turn = path_turn(r, r->tallied[k]) / CARDO_DEGREE;
        if (turn > 0)
            cardo_print(stdout, " (%.1f to %.1f degrees of %.1f)", turn * t->low[k],
                        turn * t->high[k], turn);
        printf("\n");
    }
    if (ntorsion)
        cardo_print(stdout,
                    "  %d torsion%s from %.2f to %.2f rad off the first structure's; each is in "
                    "trajectory.csv\n",
                    ntorsion, ntorsion == 1 ? " is" : "s are", least, most);
}

/* Of all steps that the run has, or, where a checkpoint of an older version did not keep what came before, of those
 * that were counted. Nothing of none. */
static void print_tally(const cardo_dynamics_run *r, long long steps)
{
    const cardo_tally *t = &r->tally;
    if (!(t->count > 0))
        return;
    if (t->count != (double)steps)
        cardo_print(stdout,
                    "  of the last %.0f steps, as the checkpoint had nothing of those before:\n",
                    t->count);
    print_coordinates(r);
    cardo_print(stdout, "  %-14s mean %8.1f K over %d degrees of freedom\n", "temperature",
                t->temperature / t->count, cardo_simulation_degrees(r->simulation));
    cardo_print(stdout, "  %-14s from %.2f to %.2f kJ/mol\n", "potential", t->lowest_potential,
                t->highest_potential);
    cardo_print(stdout, "  %-14s changed by %+.4g kJ/mol\n", "conserved",
                t->last_conserved - t->first_conserved);
}

void cardo_dynamics_conclude(const cardo_dynamics_run *r, bool drawn)
{
    cardo_frame frame;
    cardo_simulation_frame(r->simulation, &frame);
    print_end(r, &frame);
    print_tally(r, frame.step);
    if (r->session->table && cardo_table_provider_outside(r->session->table) > 0)
        printf("  %-14s %lld forces lay outside its range and were evaluated in full\n",
               "force table", cardo_table_provider_outside(r->session->table));
    char report[256];
    if (cardo_simulation_report(r->simulation, report, sizeof report))
        printf("  %-14s %s\n", r->integrator->name, report);
    const char *extension = cardo_trajectory_formats[r->files.trajectory]
                                ? cardo_trajectory_formats[r->files.trajectory]->extension
                                : NULL;
    printf("%s/\n  trajectory.csv     every coordinate, energy and force against time\n",
           r->folder);
    if (cardo_simulation_events(r->simulation))
        printf("  events.csv         passages of the watched coordinates, at their times\n");
    if (extension)
        printf("  trajectory.%-7s the motion; open it with topology.%s in VMD, PyMOL or ChimeraX\n",
               extension, cardo_run_folder_structure(r->folder, "topology"));
    printf("  checkpoint.cardo   to go on: cardo %s MODEL --out %s --continue --set %s.steps=N\n",
           r->verb, r->folder, r->verb);
    printf("  run.json           versions and options of this run\n");
    if (drawn)
        printf("  trajectory.png     pictures (also .svg; drawn by plot.gp)\n");
    else
        printf("  plot.gp            makes the pictures where gnuplot is installed\n");
}

cardo_status cardo_dynamics_interruption(const cardo_dynamics_run *r, cardo_error *error)
{
    if (r->end != CARDO_END_INTERRUPTED)
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_INTERRUPTED,
                      "interrupted at step %lld; a checkpoint is written, --continue goes on",
                      cardo_simulation_step(r->simulation));
}

void cardo_dynamics_clear(cardo_dynamics_run *r)
{
    cardo_recorder_destroy(r->recorder);
    cardo_simulation_destroy(r->simulation);
    cardo_session_close(r->session);
    cardo_free(r->extra);
    cardo_run_folder_close(&r->home);
}
