/* cardo drive: a coordinate of a model led along a course of its own, and what that takes. */
#include "base/memory.h"
#include "base/number.h"
#include "cli/dynamics_run.h"
#include "cli/gnuplot.h"
#include "cli/opening.h"
#include "cli/session_report.h"
#include "cli/start.h"
#include "dynamics/drive.h"
#include "dynamics/minimization.h"
#include "io/plots/plot.h"
#include "multibody/mobilizers/descriptor.h"
#include "multibody/quantities/columns.h"
#include "multibody/tree/coordinate_names.h"
#include "multibody/tree/motion.h"
#include "multibody/tree/operators.h"
#include "study/session/hinge_loads.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DYNAMIC, QUASI_STATIC };
enum { WORDS = 2, PER_HINGE = CARDO_LOADS_PER_HINGE }; /* motive force and work, then the loads */

/* 1 kJ/mol/nm in pN. */
static const double piconewton = 1.66053906717;

typedef struct driven_options {
    char body[CARDO_FIELD_STRING_SIZE];
    int coordinate;
    int mode;
} driven_options;

static const char *const mode_choices[] = {"dynamic", "quasi-static", NULL};

static const cardo_field driven_fields[] = {
    {"body", CARDO_FIELD_STRING, offsetof(driven_options, body), "", "", 0, 0, NULL,
     "body whose mobilizer is driven; empty: the one that has a path"},
    {"coordinate", CARDO_FIELD_INT, offsetof(driven_options, coordinate), "", "1", 1, 6, NULL,
     "which of its coordinates, from 1; the others move with the rest of the model"},
    {"mode", CARDO_FIELD_CHOICE, offsetof(driven_options, mode), "", "dynamic", 0, 0, mode_choices,
     "the rest of the model moves by the integrator, or stands at the minimum of its energy"},
    {0},
};

/* What a hinge carried at most, over the rows of the table. */
typedef struct hinge {
    double torque, force;
} hinge;

typedef struct run {
    cardo_dynamics_run dynamics;
    driven_options driven;
    cardo_drive_options options;
    cardo_drive *drive;
    cardo_function functions[CARDO_MOBILIZER_MAX_U];
    int body; /* of the system */
    int q, u; /* the driven coordinate and its speed */
    cardo_recorder_columns more;
    cardo_column *columns;
    cardo_hinge_loads loads;
    hinge *hinges;   /* (loads.count) */
    double *motive;  /* (nu) */
    double range[2]; /* of the motive force, over the rows of the table */
    cardo_strain_view view;
    cardo_observer guard;
    double lowest_potential;
    bool impossible;         /* the motion was: from here on, and worst there */
    double first_q, worst_q; /* driven coordinate                             */
    cardo_strain first, worst;
} run;

static cardo_option_target *own_targets(run *r, cardo_option_target targets[2])
{
    targets[0] = (cardo_option_target){driven_fields, &r->driven};
    targets[1] = (cardo_option_target){cardo_drive_fields, &r->options};
    return targets;
}

/* The body that is meant, as the model counts. */
static cardo_status find_driven(const run *r, int *body, cardo_error *error)
{
    const cardo_model *model = r->dynamics.session->model;
    int found = 0;
    for (int b = 0; b < model->nbody; ++b)
        if (r->driven.body[0] ? strcmp(model->body[b].name, r->driven.body) == 0
                              : model->body[b].fit != NULL) {
            *body = b;
            ++found;
        }
    if (found == 1)
        return CARDO_OK;
    if (r->driven.body[0])
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: <drive> there is no body '%s' in the model; cardo info shows them",
                          model->path, r->driven.body);
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "%s: <drive> %d bodies have a path: say which one with body=\"NAME\"",
                      model->path, found);
}

/* Fills what was not said: from where the model starts, for as long as the course takes. */
static cardo_status complete_options(run *r, int body, cardo_error *error)
{
    cardo_dynamics_run *d = &r->dynamics;
    const cardo_model *model = d->session->model;
    r->options.statically = r->driven.mode == QUASI_STATIC;
    if (!cardo_study_value(model, "drive", "from"))
        r->options.from = model->body[body].fit ? model->body[body].start : 0;
    cardo_status status = cardo_drive_create(&r->options, &r->drive, error);
    if (status != CARDO_OK)
        return cardo_error_prefix(error, "%s: <drive> ", model->path);
    if (!cardo_study_value(model, "drive", "steps"))
        d->options.steps = llround(cardo_drive_length(r->drive) / d->options.timestep);
    if (d->integrator->traits & CARDO_INTEGRATOR_REJECTS)
        return CARDO_FAIL(
            error, CARDO_ERROR_INPUT,
            "%s: <drive> %s goes back to where it was, which a driven coordinate does "
            "not: choose another integrator",
            model->path, d->integrator->name);
    return CARDO_OK;
}

static cardo_status read_options(run *r, cardo_error *error)
{
    cardo_dynamics_run *d = &r->dynamics;
    cardo_option_target own[2];
    const char *mode = cardo_study_value(d->session->model, "drive", "mode");
    if (mode && strcmp(mode, mode_choices[QUASI_STATIC]) == 0)
        d->integrator = &cardo_integrator_quasi_static;
    return cardo_dynamics_options(d, 2, own_targets(r, own), error);
}

/* How many coordinates a body's joint has. */
static cardo_status count_coordinates(const cardo_model_body *body, int *n, cardo_error *error)
{
    cardo_joint joint;
    *n = 0;
    if (!body->mobilizer)
        return CARDO_OK;
    cardo_status status =
        cardo_joint_compile(body->mobilizer, body->parameters, false, &joint, error);
    if (status != CARDO_OK)
        return status;
    *n = joint.nu;
    cardo_joint_release(&joint);
    return CARDO_OK;
}

/* Reads model and options, and has the model built with the body's motion. */
static cardo_status build(const cardo_command *command, run *r, cardo_error *error)
{
    cardo_dynamics_run *d = &r->dynamics;
    cardo_status status;
    int body = 0, most;
    CARDO_TRY(cardo_command_begin(command, true, cardo_command_has(command, "quiet"), &d->session,
                                  error));
    CARDO_TRY(read_options(r, error));
    CARDO_TRY(find_driven(r, &body, error));
    CARDO_TRY(complete_options(r, body, error));
    cardo_model_body *driven = &d->session->model->body[body];
    CARDO_TRY(count_coordinates(driven, &most, error));
    if (r->driven.coordinate > most) {
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "%s: <drive> body '%s' has %d coordinate%s, so coordinate=%d is none",
                            d->session->model->path, driven->name, most, most == 1 ? "" : "s",
                            r->driven.coordinate);
        goto done;
    }
    r->functions[r->driven.coordinate - 1] = cardo_drive_function(r->drive);
    driven->motion = r->functions;
    driven->driven = 1U << (r->driven.coordinate - 1);
    CARDO_TRY(cardo_session_build(d->session, error));
    cardo_body_info info;
    cardo_system_body(d->session->system, body + 1, &info);
    r->body = body + 1;
    r->q = info.q_first + r->driven.coordinate - 1;
    r->u = info.u_first + r->driven.coordinate - 1;
done:
    return status;
}

static cardo_status measure(void *user, const cardo_frame *frame, double *values,
                            cardo_error *error)
{
    run *r = user;
    cardo_status status;
    CARDO_TRY(cardo_motive_forces(frame->system, frame->state, r->motive, error));
    CARDO_TRY(cardo_hinge_loads_moving(&r->loads, frame->state, values + WORDS, error));
    values[0] = r->motive[r->u];
    values[1] = frame->work;
    r->range[0] = fmin(r->range[0], values[0]);
    r->range[1] = fmax(r->range[1], values[0]);
    for (int h = 0; h < r->loads.count; ++h) {
        const double *load = values + WORDS + PER_HINGE * h;
        r->hinges[h].torque = fmax(r->hinges[h].torque, v3_norm(v3_load(load)));
        r->hinges[h].force = fmax(r->hinges[h].force, v3_norm(v3_load(load + 3)));
    }
done:
    return status;
}

static cardo_status make_columns(run *r, cardo_error *error)
{
    cardo_status status;
    const cardo_system *system = r->dynamics.session->system;
    CARDO_TRY(CARDO_ALLOCATE(&r->motive, cardo_system_nu(system), error));
    CARDO_TRY(cardo_hinge_loads_open(system, &r->loads, error));
    CARDO_TRY(CARDO_ALLOCATE(&r->hinges, r->loads.count, error));
    r->more = (cardo_recorder_columns){
        .count = WORDS + PER_HINGE * r->loads.count, .measure = measure, .user = r};
    CARDO_TRY(CARDO_ALLOCATE(&r->columns, r->more.count, error));
    char name[96];
    snprintf(r->columns[0].name, sizeof r->columns[0].name, "motive force %.48s",
             cardo_mobility_name(system, r->u, name));
    r->columns[0].unit = "kJ/mol per unit";
    r->columns[0].digits = 10;
    snprintf(r->columns[1].name, sizeof r->columns[1].name, "work");
    r->columns[1].unit = "kJ/mol";
    r->columns[1].digits = 12;
    cardo_hinge_load_columns(&r->loads, &r->columns[WORDS]);
    r->more.columns = r->columns;
    r->dynamics.columns = &r->more;
    r->range[0] = HUGE_VAL;
    r->range[1] = -HUGE_VAL;
done:
    return status;
}

static double highest_energy(const cardo_strain *strain)
{
    return strain->nlisted[CARDO_STRAIN_BETWEEN] ? strain->listed[CARDO_STRAIN_BETWEEN][0].energy
                                                 : 0;
}

static void keep_impossible(run *r, const cardo_strain *strain, double q)
{
    if (!r->impossible) {
        r->first = *strain;
        r->first_q = q;
    }
    if (!r->impossible || highest_energy(strain) > highest_energy(&r->worst)) {
        r->worst = *strain;
        r->worst_q = q;
    }
    r->impossible = true;
}

/* Looks where a row is written, at the end, and wherever the energy is higher than anything possible
 * would have it. Comes after the recorder, so that the row of such a step is there to look at. */
static cardo_status guard_step(void *user, const cardo_frame *frame, cardo_error *error)
{
    run *r = user;
    const cardo_dynamics_run *d = &r->dynamics;
    cardo_strain strain;
    char name[96], text[CARDO_STRAIN_TEXT];
    const bool row = frame->step % d->files.report_interval == 0 || frame->step == d->options.steps;
    r->lowest_potential = fmin(r->lowest_potential, frame->potential);
    if (!row && frame->potential < r->lowest_potential + cardo_strain_clash())
        return CARDO_OK;
    cardo_status status = cardo_strain_view_look(&r->view, frame->state, &strain, error);
    if (status != CARDO_OK || cardo_strain_judge(&strain) != CARDO_STRAIN_IMPOSSIBLE)
        return status;
    const double q = cardo_state_q(frame->state)[r->q];
    keep_impossible(r, &strain, q);
    if (d->strain.strain == CARDO_STRAIN_WARNED)
        return CARDO_OK;
    return CARDO_FAIL(
        error, CARDO_ERROR_NUMERICAL,
        "at %s = %.6g (step %lld, %g ps) the motion is impossible: %s. The files are kept up to "
        "there. Drive less far, let side chains and strands give way (<flexible>), or cut the "
        "domains elsewhere; drive.strain=warn goes on all the same",
        cardo_coordinate_name(d->session->system, r->q, name), q, frame->step, frame->time,
        cardo_strain_worst_text(d->session, &strain, text));
}

static cardo_status set_guard(run *r, cardo_error *error)
{
    r->lowest_potential = HUGE_VAL;
    r->guard = (cardo_observer){.user = r, .interval = 1, .observe = guard_step};
    r->dynamics.last = &r->guard;
    return cardo_strain_view_open(r->dynamics.session, &r->view, error);
}

/* What checkpoints keep, so that a run that is continued sums up all its parts. */
static void remember(run *r)
{
    cardo_dynamics_run *d = &r->dynamics;
    d->remembered[d->nremembered++] = (cardo_remembered){"motive", r->range, 2};
    d->remembered[d->nremembered++] = (cardo_remembered){
        "loads", (double *)r->hinges, r->loads.count * (int)(sizeof(hinge) / sizeof(double))};
}

/* What a checkpoint must agree with besides. */
static cardo_status describe_drive(run *r, cardo_error *error)
{
    char *text = NULL, value[CARDO_FIELD_STRING_SIZE];
    const char *before = r->dynamics.extra ? r->dynamics.extra : "";
    size_t size = strlen(before) + 4096, used;
    cardo_option_target own[2];
    cardo_status status = cardo_allocate((void **)&text, size, 1, error);
    if (status != CARDO_OK)
        return status;
    used = (size_t)snprintf(text, size, "%s", before);
    own_targets(r, own);
    for (int t = 0; t < 2; ++t)
        for (const cardo_field *field = own[t].fields; field->name && used < size; ++field) {
            cardo_field_print(field, own[t].object, value, sizeof value);
            used += (size_t)snprintf(text + used, size - used, "drive.%s %s\n", field->name, value);
        }
    cardo_free(r->dynamics.extra);
    r->dynamics.extra = text;
    return CARDO_OK;
}

static void announce(const run *r)
{
    char name[96];
    double first[3], last[3];
    const cardo_dynamics_run *d = &r->dynamics;
    cardo_drive_evaluate(r->drive, 0, first);
    cardo_drive_evaluate(r->drive, cardo_drive_length(r->drive) / r->options.passes, last);
    cardo_print(
        stdout, "driven: %s from %g to %g, %d pass%s of %g ps%s; %d degrees of freedom are left\n",
        cardo_coordinate_name(d->session->system, r->q, name), first[0], last[0], r->options.passes,
        r->options.passes == 1 ? "" : "es", cardo_drive_length(r->drive) / r->options.passes,
        r->options.statically ? ", without dynamics" : "", cardo_simulation_degrees(d->simulation));
    fflush(stdout);
}

/* Steps that end before the course does. */
static void warn_of_end(const run *r)
{
    const cardo_dynamics_run *d = &r->dynamics;
    const double length = cardo_drive_length(r->drive),
                 end = d->options.timestep * (double)d->options.steps;
    char name[96];
    double last[3];
    if (end >= length - 0.5 * d->options.timestep)
        return;
    cardo_drive_evaluate(r->drive, end, last);
    cardo_print(
        stderr,
        "warning: the course takes %g ps, %lld steps of %g ps, but %lld steps are asked for: "
        "they end at %g ps, at %s = %.4g. Leave steps out to go all the way\n",
        length, llround(length / d->options.timestep), d->options.timestep, d->options.steps, end,
        cardo_coordinate_name(d->session->system, r->q, name), last[0]);
}

static void print_load(const char *name, const hinge *load)
{
    cardo_print(stdout,
                "  load %-9s at most %.4g kJ/mol of torque and %.4g kJ/mol/nm (%.3g pN) of force\n",
                name, load->torque, load->force, load->force * piconewton);
}

/* Of torsions, which may be hundreds, the most that any of them carries. */
static void print_loads(const run *r)
{
    const cardo_dynamics_run *d = &r->dynamics;
    hinge most = {0};
    int ntorsion = 0;
    char name[48];
    for (int h = 0; h < r->loads.count; ++h) {
        const hinge *load = &r->hinges[h];
        const cardo_model_body *body = &d->session->model->body[r->loads.body[h] - 1];
        if (!body->torsion) {
            print_load(body->name, load);
            continue;
        }
        ++ntorsion;
        most.torque = fmax(most.torque, load->torque);
        most.force = fmax(most.force, load->force);
    }
    snprintf(name, sizeof name, "of any of %d torsion%s", ntorsion, ntorsion == 1 ? "" : "s");
    if (ntorsion)
        print_load(name, &most);
}

/* How far the course came, and whether anything can follow it. */
static void print_course(const run *r, const cardo_frame *frame)
{
    const cardo_dynamics_run *d = &r->dynamics;
    char name[96], text[CARDO_STRAIN_TEXT];
    const double length = cardo_drive_length(r->drive);
    cardo_coordinate_name(d->session->system, r->q, name);
    cardo_print(stdout, "  %-14s %s at %.6g after %g of %g ps%s\n", "course", name,
                cardo_state_q(frame->state)[r->q], frame->time, length,
                frame->time < length - 0.5 * d->options.timestep ? ": not to its end" : "");
    if (!r->impossible)
        return;
    cardo_print(stdout, "  %-14s no molecule moves like this. From %s = %.6g on: %s\n",
                "IMPOSSIBLE", name, r->first_q,
                cardo_strain_worst_text(d->session, &r->first, text));
    if (highest_energy(&r->worst) > highest_energy(&r->first))
        cardo_print(stdout, "  %-14s worst at %s = %.6g: %s\n", "", name, r->worst_q,
                    cardo_strain_worst_text(d->session, &r->worst, text));
}

static void conclude(const run *r, bool drawn)
{
    cardo_frame frame;
    const cardo_dynamics_run *d = &r->dynamics;
    cardo_dynamics_conclude(d, drawn);
    cardo_simulation_frame(d->simulation, &frame);
    printf(
        "columns of trajectory.csv besides: motive force, work, and the load of each hinge on its "
        "parent, in the hinge's frame F\n");
    print_course(r, &frame);
    cardo_print(stdout, "  %-14s %+.4f kJ/mol since the start\n", "work", frame.work);
    cardo_print(stdout, "  %-14s from %.4g to %.4g kJ/mol per unit of the coordinate\n",
                "motive force", r->range[0], r->range[1]);
    print_loads(r);
}

static cardo_status draw(const run *r, bool *drawn, cardo_error *error)
{
    const cardo_dynamics_run *d = &r->dynamics;
    cardo_column *q = NULL;
    cardo_status status = CARDO_ALLOCATE(&q, cardo_system_nq(d->session->system), error);
    if (status != CARDO_OK)
        return status;
    cardo_coordinate_columns(d->session->system, q);
    status = cardo_plot_write_drive(d->folder, d->session->model->name, q[r->q].name,
                                    r->columns[0].name, error);
    cardo_free(q);
    return status == CARDO_OK ? cardo_gnuplot_run(d->folder, drawn, error) : status;
}

static cardo_status drive(const cardo_command *command, run *r, cardo_error *error)
{
    cardo_status status;
    cardo_dynamics_run *d = &r->dynamics;
    cardo_option_target own[2];
    bool quiet = cardo_command_has(command, "quiet"), drawn = false;
    cardo_error ending = {0};
    CARDO_TRY(cardo_dynamics_claim(command, d, ".driven", error));
    CARDO_TRY(build(d->command, r, error));
    CARDO_TRY(make_columns(r, error));
    remember(r);
    CARDO_TRY(set_guard(r, error));
    warn_of_end(r);
    CARDO_TRY(cardo_dynamics_create(d, 2, own_targets(r, own), error));
    CARDO_TRY(describe_drive(r, error));
    if (!quiet)
        announce(r);
    const cardo_status ended = cardo_dynamics_perform(d, 2, own, &ending);
    if (r->impossible)
        d->outcome = "ended, of an impossible motion,";
    if (ended == CARDO_OK || r->impossible) {
        CARDO_TRY(draw(r, &drawn, error));
        if (!quiet)
            conclude(r, drawn);
    }
    if (ended != CARDO_OK) {
        if (error)
            *error = ending;
        status = ended;
        goto done;
    }
    CARDO_TRY(cardo_dynamics_interruption(d, error));
    if (r->impossible)
        status =
            CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                       "the course was gone, as strain=warn asks, and the files are whole, but "
                       "from %.6g on the motion is impossible",
                       r->first_q);
done:
    return status;
}

static cardo_status run_verb(const cardo_command *command, cardo_error *error)
{
    run r = {.dynamics = {.verb = "drive"}};
    cardo_status status = drive(command, &r, error);
    cardo_dynamics_clear(&r.dynamics);
    cardo_drive_destroy(r.drive);
    cardo_free(r.columns);
    cardo_free(r.hinges);
    cardo_free(r.motive);
    cardo_hinge_loads_clear(&r.loads);
    cardo_strain_view_clear(&r.view);
    return status;
}

static const cardo_option options[] = {
    CARDO_DYNAMICS_OPTIONS(".driven"),
    {0},
};

static const cardo_option_group groups[] = {
    {"<drive> options", driven_fields},
    {"<drive> options for the course", cardo_drive_fields},
    {"<drive> options for the rest of the model", cardo_simulation_fields},
    {"<drive> options of mode=quasi-static", cardo_minimization_fields},
    {"<drive> options for output", cardo_recorder_fields},
    {"<drive> options for what is impossible", cardo_strain_fields},
    {NULL, NULL},
};

const cardo_verb cardo_verb_drive = {
    .name = "drive",
    .synopsis = "MODEL.xml [options]",
    .summary = "lead a coordinate along a course and read off force, work and the load on hinges",
    .description =
        "Runs the model's <drive> study: one coordinate follows a given course q(t), all others "
        "move by the integrator (integrator=\"...\", as in simulate) or stand at the minimum of "
        "the energy (mode=\"quasi-static\"). The table gets, besides what simulate writes, the "
        "motive force that the course takes, the work done since the start, and the torque and "
        "force with which each hinge bears on its parent, at the hinge and in its frame. Without a "
        "thermostat the conserved energy is the total less the work. A course on which atoms clash "
        "or bonds between bodies tear ends there, with exit status 3 and the files so far; with "
        "strain=warn it goes on to its end, with the same exit status.",
    .options = options,
    .groups = groups,
    .run = run_verb,
};
