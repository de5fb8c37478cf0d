#include "cli/dynamics_verb.h"

#include "base/memory.h"
#include "cli/gnuplot.h"
#include "cli/home.h"
#include "cli/interrupt.h"
#include "cli/opening.h"
#include "cli/progress.h"
#include "io/results/result_printer.h"
#include "io/results/result_text.h"

#include <limits.h>
#include <stdio.h>

/* A command on its way. */
typedef struct errand {
    const cardo_dynamics_verb *verb;
    cardo_home home;
    cardo_session *session;
    void *options; /* of the study */
    cardo_dynamics_options *dynamics;
    cardo_result *result;
    cardo_progress progress;
    bool started; /* the progress */
    bool hushed;  /* nothing is said on the way */
} errand;

static void announce(void *user, const cardo_result *head)
{
    const errand *e = user;
    if (e->hushed)
        return;
    cardo_result_say(stdout, head,
                     "{model}: {atoms} atoms in {bodies} bodies, {degrees_of_freedom} degrees of "
                     "freedom\n");
    cardo_result_say_rows(stdout, cardo_result_find(head, "notes"), "NOTE: {structure}: {note}\n",
                          LLONG_MAX);
    cardo_result_say(
        stdout, head,
        "forces: {engine}[, {solvent}], {method}; {integrator}, step {timestep_ps} ps, "
        "{steps} steps = {length_ns} ns[, {bath_K} K, seed {seed}]\n[{choice}\n]"
        "[{forces_judged/verdict}\n]"
        "{deterministic?|note: with several threads, a cutoff or a GPU the last bits of OpenMM's "
        "forces vary, so a continued run will not be bitwise the same\n}"
        "results go to {folder}/\n");
    if (e->verb->before)
        cardo_result_say(stdout, head, e->verb->before);
    fflush(stdout);
}

static void start(void *user, long long step, const cardo_simulation_options *options)
{
    errand *e = user;
    cardo_progress_start(&e->progress, step, options->steps, options->timestep, e->hushed);
    e->started = true;
}

static cardo_status observe(void *user, const cardo_frame *frame, cardo_error *error)
{
    errand *e = user;
    return cardo_progress_observe(&e->progress, frame, error);
}

static void say_end(const errand *e)
{
    const cardo_result *now = cardo_result_find(e->result, "steps_now");
    const bool idle = now && cardo_result_as_integers(now)[0] == 0 &&
                      !cardo_result_as_truths(cardo_result_find(e->result, "interrupted"))[0];
    cardo_result_say(
        stdout, e->result,
        idle ? "nothing was left to do: the run has its {steps_done} steps ({time_ps} ps); "
               "--continue --set {study}.steps=N goes on to N\n"
             : "{ending} after {steps_done} steps ({time_ps} ps)[, {steps_now} of them now]: "
               "{elapsed_s:.1f} s, {ns_per_day:.3g} ns/day, {ms_per_step:.3g} ms a step\n");
}

static void conclude(const errand *e, bool drawn)
{
    say_end(e);
    cardo_result_say(stdout, e->result,
                     "[  of the last {counted_steps} steps, as the checkpoint had nothing of those "
                     "before:\n]");
    cardo_result_say_rows(stdout, cardo_result_find(e->result, "coordinates"),
                          "  {coordinate:-14s} mean {mean:8.4f}, from {low:8.4f} to {high:8.4f}"
                          "[ ({low_degrees:.1f} to {high_degrees:.1f} degrees of "
                          "{degrees_per_unit:.1f})]\n",
                          LLONG_MAX);
    cardo_result_say(
        stdout, e->result,
        "[  {torsions/count} torsion{torsions/count#s} from {torsions/low:.2f} to "
        "{torsions/high:.2f} rad off the first structure's; each is in trajectory.csv\n]"
        "[  temperature    mean {temperature_K:8.1f} K over {thermal_degrees_of_freedom} degrees "
        "of "
        "freedom\n]"
        "[  potential      from {potential_kJ_per_mol/low:.2f} to {potential_kJ_per_mol/high:.2f} "
        "kJ/mol\n]"
        "[  conserved      changed by {conserved_change_kJ_per_mol:+.4g} kJ/mol\n]"
        "[  force table    {forces_outside_table} forces lay outside its range and were evaluated "
        "in full\n]"
        "[  {integrator:-14s} {integrator_report}\n]"
        "{folder}/\n");
    cardo_result_say_rows(stdout, cardo_result_find(e->result, "files"), "  {name:-18s} {what}\n",
                          LLONG_MAX);
    if (drawn)
        printf("  %-18s pictures (also .svg; drawn by plot.gp)\n", e->verb->picture);
    else
        printf("  plot.gp            makes the pictures where gnuplot is installed\n");
    cardo_result_say(
        stdout, e->result,
        "to go on: cardo {study} MODEL --out {folder} --continue --set {study}.steps=N\n");
    if (e->verb->after)
        e->verb->after(e->result);
}

static cardo_status report(const errand *e, cardo_error *error)
{
    bool drawn = false;
    cardo_status status = cardo_gnuplot_run(e->home.run.folder.path, &drawn, error);
    if (status != CARDO_OK)
        return status;
    if (cardo_command_has(e->home.command, "json"))
        return cardo_printer_json.print(e->result, stdout, error);
    if (!e->hushed)
        conclude(e, drawn);
    return CARDO_OK;
}

/* A study that fails may have come to a result all the same, which is printed; its own error is the one that is told. */
static cardo_status finish(const errand *e, cardo_status ended, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_result *interrupted = cardo_result_find(e->result, "interrupted");
    if (!interrupted)
        return ended;
    status = report(e, ended == CARDO_OK ? error : NULL);
    if (ended != CARDO_OK || status != CARDO_OK)
        return ended != CARDO_OK ? ended : status;
    if (!cardo_result_as_truths(interrupted)[0])
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_INTERRUPTED,
                      "interrupted at step %lld; a checkpoint is written, --continue goes on",
                      cardo_result_as_integers(cardo_result_find(e->result, "steps_done"))[0]);
}

static cardo_status perform(const cardo_command *command, errand *e, cardo_error *error)
{
    cardo_status status;
    const cardo_study *study = e->verb->study;
    const cardo_dynamics_watcher watcher = {e, announce, start, observe};
    CARDO_TRY(
        cardo_home_claim(&e->home, command, e->verb->suffix, CARDO_CHECKPOINT_NAME, true, error));
    e->hushed =
        cardo_command_has(e->home.command, "quiet") || cardo_command_has(e->home.command, "json");
    CARDO_TRY(cardo_command_open(e->home.command, true, &e->session, error));
    CARDO_TRY(cardo_allocate(&e->options, study->options_size, 1, error));
    e->dynamics = (cardo_dynamics_options *)(void *)((char *)e->options + e->verb->dynamics);
    CARDO_TRY(cardo_study_read_options(study, e->session, 0, NULL, e->options, error));
    CARDO_TRY(cardo_home_place(&e->home, e->session, error));
    e->dynamics->writer = &e->home.run.writer;
    e->dynamics->watcher = &watcher;
    CARDO_TRY(cardo_result_create(&e->result, error));
    cardo_interrupt_catch();
    status = cardo_study_run(study, e->session, e->options, e->result, error);
    if (e->started)
        cardo_progress_finish(&e->progress);
    status = finish(e, status, error);
done:
    return status;
}

cardo_status cardo_dynamics_verb_run(const cardo_command *command, const cardo_dynamics_verb *verb,
                                     cardo_error *error)
{
    errand e = {.verb = verb};
    cardo_status status = perform(command, &e, error);
    cardo_result_destroy(e.result);
    cardo_session_close(e.session);
    cardo_free(e.options);
    cardo_home_close(&e.home);
    return status;
}
