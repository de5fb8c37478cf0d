#include "study/dynamics/drive.h"

#include "base/memory.h"
#include "base/output.h"
#include "cardo/manifold.h"
#include "dynamics/coordinates/constrained.h"
#include "dynamics/motion_way.h"
#include "multibody/tree/coordinate_names.h"
#include "multibody/tree/motion.h"
#include "study/dynamics/drive_guard.h"
#include "study/dynamics/drive_loads.h"
#include "study/dynamics/driven_bodies.h"
#include "study/session/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const mode_choices[] = {"dynamic", "quasi-static", NULL};

const cardo_field cardo_driven_fields[] = {
    {"body", CARDO_FIELD_STRING, offsetof(cardo_driven_options, body), "", "", 0, 0, NULL,
     "body whose mobilizer is driven; empty: all that have a path, together"},
    {"coordinate", CARDO_FIELD_INT, offsetof(cardo_driven_options, coordinate), "", "1", 1, 6, NULL,
     "which of its coordinates, from 1; the others move with the rest of the model"},
    {"mode", CARDO_FIELD_CHOICE, offsetof(cardo_driven_options, mode), "", "dynamic", 0, 0,
     mode_choices,
     "the rest of the model moves by the integrator, or stands at the minimum of its energy"},
    {0},
};

typedef struct driving {
    cardo_session *session;
    cardo_drive_study_options options; /* with what was not said filled in */
    cardo_dynamics dynamics;
    cardo_drive *drive;
    cardo_driven_bodies bodies;
    int q; /* of the first that is driven; all others have its values */
    cardo_drive_loads loads;
    cardo_drive_guard guard;
    bool stuck; /* constraints let the driven coordinate go no farther than where the run ended */
} driving;

/* Fills what was not said: from where the model starts, for as long as the course takes. */
static cardo_status complete(driving *r, cardo_error *error)
{
    cardo_status status;
    const cardo_model *model = r->session->model;
    cardo_drive_study_options *o = &r->options;
    const bool still = o->driven.mode == CARDO_DRIVE_QUASI_STATIC;
    o->course.statically = still;
    if (still) {
        o->dynamics.integrator = &cardo_integrator_quasi_static;
        memcpy(o->dynamics.integrator_options.bytes, &o->rest, sizeof o->rest);
    }
    if (o->from_start)
        CARDO_TRY(cardo_driven_bodies_start(&r->bodies, &o->course.from, error));
    status = cardo_drive_create(&o->course, &r->drive, error);
    if (status != CARDO_OK)
        return cardo_error_prefix(error, "%s: <drive> ", model->path);
    if (o->to_its_end)
        o->dynamics.simulation.steps =
            llround(cardo_drive_length(r->drive) / o->dynamics.simulation.timestep);
    if (o->dynamics.integrator->traits & CARDO_INTEGRATOR_REJECTS)
        return CARDO_FAIL(
            error, CARDO_ERROR_INPUT,
            "%s: <drive> %s goes back to where it was, which a driven coordinate does "
            "not: choose another integrator",
            model->path, o->dynamics.integrator->name);
done:
    return status;
}

/* Onto the constraints with the driven coordinate at its beginning; how many degrees of freedom are left there. */
static cardo_status assemble(const driving *r, int *freedoms, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_session *session = r->session;
    *freedoms = cardo_system_nu(session->system) - r->bodies.n;
    if (cardo_constraint_row_count(session->system) == 0)
        return CARDO_OK;
    cardo_state_prescribe(session->system, session->state);
    CARDO_TRY(cardo_begin_on_constraints(session->system, session->state, error));
    CARDO_TRY(cardo_realize(session->system, session->state, CARDO_STAGE_DYNAMICS, error));
    return cardo_degrees_of_freedom(session->system, session->state, freedoms, error);
done:
    return cardo_error_prefix(error, "%s: <drive> where the course begins, ", session->model->path);
}

/* Chooses what is driven, and builds the session anew with its motion. */
static cardo_status prescribe(driving *r, cardo_error *error)
{
    cardo_status status;
    const cardo_driven_options *o = &r->options.driven;
    CARDO_TRY(cardo_driven_bodies_choose(r->session, o->body, o->coordinate, &r->bodies, error));
    CARDO_TRY(complete(r, error));
    CARDO_TRY(cardo_driven_bodies_prescribe(&r->bodies, r->drive, error));
    r->q = r->bodies.coordinate[0].q;
done:
    return status;
}

/* What a checkpoint must agree with besides. */
static cardo_status describe(driving *r, cardo_error *error)
{
    char *text = NULL;
    cardo_text_stream out;
    cardo_status status = cardo_text_stream_open(&out, error);
    if (status != CARDO_OK)
        return status;
    fputs(r->dynamics.extra ? r->dynamics.extra : "", out.stream);
    cardo_fields_identity(out.stream, "drive.", cardo_driven_fields, &r->options.driven);
    cardo_fields_identity(out.stream, "drive.", cardo_drive_fields, &r->options.course);
    status = cardo_text_stream_close(&out, CARDO_OK, &text, error);
    if (status != CARDO_OK)
        return status;
    cardo_free(r->dynamics.extra);
    r->dynamics.extra = text;
    return CARDO_OK;
}

static void fill_head(const driving *r, int freedoms, cardo_result *into)
{
    char name[CARDO_COORDINATE_NAME], with[CARDO_FIELD_STRING_SIZE] = "";
    size_t used = 0;
    double first[3], last[3];
    const double pass = cardo_drive_length(r->drive) / r->options.course.passes;
    cardo_drive_evaluate(r->drive, 0, first);
    cardo_drive_evaluate(r->drive, pass, last);
    cardo_result *driven = cardo_result_group(into, "driven");
    cardo_result_text(driven, &(cardo_quantity){"coordinate"},
                      cardo_coordinate_name(r->session->system, r->q, name));
    for (int i = 1; i < r->bodies.n && used < sizeof with; ++i)
        used += (size_t)cardo_format(
            with + used, sizeof with - used, "%s%s", i > 1 ? ", " : "",
            cardo_coordinate_name(r->session->system, r->bodies.coordinate[i].q, name));
    if (with[0])
        cardo_result_text(driven, &(cardo_quantity){"with"}, with);
    cardo_result_number(driven, &(cardo_quantity){"from"}, first[0]);
    cardo_result_number(driven, &(cardo_quantity){"to"}, last[0]);
    cardo_result_integer(driven, &(cardo_quantity){"passes"}, r->options.course.passes);
    cardo_result_number(driven, &(cardo_quantity){"pass_ps", "time of a pass", "ps"}, pass);
    cardo_result_truth(driven, &(cardo_quantity){"quasi_static"}, r->options.course.statically);
    cardo_result_integer(driven, &(cardo_quantity){"degrees_of_freedom_left"}, freedoms);
}

/* Steps that end before the course does. */
static void warn_of_end(const driving *r)
{
    const cardo_simulation_options *o = &r->options.dynamics.simulation;
    const double length = cardo_drive_length(r->drive), end = o->timestep * (double)o->steps;
    char name[CARDO_COORDINATE_NAME];
    double last[3];
    if (end >= length - 0.5 * o->timestep)
        return;
    cardo_drive_evaluate(r->drive, end, last);
    cardo_tell(&r->session->listener, CARDO_SAID_WARNING, "drive.steps",
               "the course takes %g ps, %lld steps of %g ps, but %lld steps are asked for: "
               "they end at %g ps, at %s = %.4g. Leave steps out to go all the way",
               length, llround(length / o->timestep), o->timestep, o->steps, end,
               cardo_coordinate_name(r->session->system, r->q, name), last[0]);
}

/* How far the course came, and what it took. */
static cardo_status fill(const driving *r, cardo_result *into, cardo_error *error)
{
    static const cardo_quantity work = {"work_kJ_per_mol", "work", "kJ/mol", "+.4f"};
    cardo_frame frame;
    const double length = cardo_drive_length(r->drive);
    cardo_dynamics_fill(&r->dynamics,
                        r->guard.impossible ? "ended, of an impossible motion,"
                        : r->stuck          ? "ended, held by constraints,"
                                            : NULL,
                        into);
    cardo_simulation_frame(r->dynamics.simulation, &frame);
    cardo_result *course = cardo_result_group(into, "course");
    cardo_result_number(course, &(cardo_quantity){"at", .style = ".6g"},
                        cardo_state_q(frame.state)[r->q]);
    cardo_result_number(course, &(cardo_quantity){"length_ps", "length", "ps"}, length);
    cardo_result_truth(course, &(cardo_quantity){"whole"},
                       frame.time >= length - 0.5 * r->options.dynamics.simulation.timestep);
    cardo_drive_guard_fill(&r->guard, into);
    cardo_result_number(into, &work, frame.work);
    cardo_drive_loads_fill(&r->loads, into);
    return cardo_result_status(into, error);
}

/* Whether constraints ended the run: from the last good step the way is followed somewhat further, and its end is told in the place of
 * what the integrator found there. */
static cardo_status look_for_end(driving *r, cardo_status ended, cardo_error *error)
{
    enum { STEPS = 10 };
    cardo_status status;
    cardo_state *state = NULL;
    cardo_error found = {0};
    const cardo_system *system = r->session->system;
    const double timestep = r->options.dynamics.simulation.timestep;
    if (ended != CARDO_ERROR_NUMERICAL || r->guard.impossible || !r->dynamics.simulation ||
        cardo_constraint_row_count(system) == 0)
        return ended;
    CARDO_TRY(cardo_state_create(system, &state, NULL));
    cardo_state_copy(state, cardo_simulation_state(r->dynamics.simulation));
    status =
        cardo_follow_motions(system, state, cardo_state_time(state) + STEPS * timestep, &found);
    r->stuck = status == CARDO_ERROR_NUMERICAL;
    if (r->stuck)
        CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                   "%s. The files are kept up to the last step before it. Drive less far, or "
                   "assemble the model on the other side",
                   found.message);
done:
    cardo_state_destroy(state);
    return ended;
}

static cardo_status conclude(driving *r, cardo_status ended, cardo_result *into, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    ended = look_for_end(r, ended, error);
    if (ended != CARDO_OK && !r->guard.impossible && !r->stuck)
        return ended;
    /* What ended it is the error that is told. */
    cardo_error *told = ended == CARDO_OK ? error : NULL;
    CARDO_TRY(fill(r, into, told));
    CARDO_TRY(cardo_writer_picture(r->options.dynamics.writer, "drive", into, told));
    if (ended == CARDO_OK && r->guard.impossible && r->dynamics.end != CARDO_END_INTERRUPTED)
        status =
            CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                       "the course was gone, as strain=warn asks, and the files are whole, but "
                       "from %.6g on the motion is impossible",
                       r->guard.first_q);
done:
    return ended == CARDO_OK ? status : ended;
}

static cardo_status drive(driving *r, cardo_result *into, cardo_error *error)
{
    cardo_status status;
    int freedoms;
    cardo_dynamics *d = &r->dynamics;
    CARDO_TRY(prescribe(r, error));
    CARDO_TRY(assemble(r, &freedoms, error));
    CARDO_TRY(cardo_drive_loads_open(&r->loads, r->session, &r->bodies, error));
    CARDO_TRY(cardo_drive_guard_open(&r->guard, d, r->q, error));
    d->columns = &r->loads.more;
    d->last = &r->guard.observer;
    d->remembered[d->nremembered++] = (cardo_remembered){"motive", r->loads.range, 2};
    d->remembered[d->nremembered++] =
        (cardo_remembered){"loads", (double *)r->loads.hinges,
                           r->loads.loads.count * (int)(sizeof(cardo_most_load) / sizeof(double))};
    warn_of_end(r);
    fill_head(r, freedoms, into);
    CARDO_TRY(cardo_dynamics_create(d, into, error));
    CARDO_TRY(describe(r, error));
    status = cardo_dynamics_perform(d, error);
    status = conclude(r, status, into, error);
done:
    return status;
}

static cardo_status run(cardo_session *session, const void *given, cardo_result *into,
                        cardo_error *error)
{
    driving r = {.session = session};
    r.options = *(const cardo_drive_study_options *)given;
    const cardo_record_options own[] = {{cardo_driven_fields, &r.options.driven},
                                        {cardo_drive_fields, &r.options.course}};
    r.dynamics = (cardo_dynamics){.session = session,
                                  .study = "drive",
                                  .options = &r.options.dynamics,
                                  .nown = 2,
                                  .own = own};
    cardo_status status = drive(&r, into, error);
    cardo_dynamics_clear(&r.dynamics);
    cardo_drive_loads_clear(&r.loads);
    cardo_drive_guard_clear(&r.guard);
    cardo_status released =
        cardo_driven_bodies_release(&r.bodies, status == CARDO_OK ? error : NULL);
    cardo_driven_bodies_clear(&r.bodies);
    cardo_drive_destroy(r.drive);
    return status == CARDO_OK ? released : status;
}

/* The options of the mode that is not chosen may stand in the model file unread. */
static int choose(void *given, const int *chosen, cardo_option_target *target)
{
    cardo_drive_study_options *options = given;
    options->dynamics.integrator = cardo_integrators[chosen[0]];
    target[0] = (cardo_option_target){cardo_driven_fields, &options->driven};
    target[1] = (cardo_option_target){cardo_drive_fields, &options->course};
    target[2] = (cardo_option_target){cardo_minimization_fields, &options->rest};
    return cardo_dynamics_targets(&options->dynamics, 3, target);
}

static void take_unsaid(const cardo_study_said *said, void *given)
{
    cardo_drive_study_options *options = given;
    options->from_start = !cardo_study_is_said(said, "from");
    options->to_its_end = !cardo_study_is_said(said, "steps");
}

static const cardo_option_choice *const choices[] = {&cardo_choice_of_integrator, NULL};

static const cardo_option_group groups[] = {
    {"<drive> options", cardo_driven_fields},
    {"<drive> options for the course", cardo_drive_fields},
    {"<drive> options for the rest of the model", cardo_simulation_fields},
    {"<drive> options of mode=quasi-static", cardo_minimization_fields},
    {"<drive> options for output", cardo_recorder_fields},
    {"<drive> options for clashes and torn bonds", cardo_strain_fields},
    {NULL, NULL},
};

const cardo_study cardo_study_drive = {
    .name = "drive",
    .doc = "lead a coordinate along a course and read off force, work and the load on hinges",
    .needs = CARDO_STUDY_NEEDS_FORCES,
    .options_size = sizeof(cardo_drive_study_options),
    .groups = groups,
    .options = {{cardo_driven_fields, offsetof(cardo_drive_study_options, driven)},
                {cardo_drive_fields, offsetof(cardo_drive_study_options, course)},
                {cardo_minimization_fields, offsetof(cardo_drive_study_options, rest)}},
    .writer =
        offsetof(cardo_drive_study_options, dynamics) + offsetof(cardo_dynamics_options, writer),
    .checkpoint = CARDO_CHECKPOINT_NAME,
    .choices = choices,
    .choose = choose,
    .take_unsaid = take_unsaid,
    .run = run,
};
