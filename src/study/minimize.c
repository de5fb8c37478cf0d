#include "study/minimize_options.h"

#include "base/memory.h"
#include "cardo/manifold.h"
#include "multibody/tree/coordinate_names.h"
#include "study/minimize_files.h"
#include "study/session/head.h"
#include "study/session/judge.h"
#include "study/session/result.h"
#include "study/session/soft_start.h"
#include "study/session/study.h"

#include <math.h>

typedef struct minimizing {
    cardo_session *session;
    const cardo_minimize_options *options;
    const cardo_minimize_observer *observer;
    int stage; /* 0: the true energy */
    bool softened;
    cardo_strain before, after;
    cardo_minimize_table table;
    long long iterations; /* of all stages so far */
    cardo_minimization_result result;
} minimizing;

static cardo_status observe(void *user, const cardo_minimization_frame *frame, cardo_error *error)
{
    minimizing *r = user;
    const cardo_listener *listener = &r->session->listener;
    cardo_status status = cardo_minimize_row(&r->table, r->stage, frame, error);
    if (listener->progress)
        listener->progress(listener->user, "iteration", ++r->iterations, 0);
    if (status == CARDO_OK && r->observer->frame)
        status = r->observer->frame(r->observer->user, r->stage, frame, error);
    return status;
}

static void note_stage(void *user, int stage, double softness, double bonded,
                       const cardo_minimization_result *result)
{
    minimizing *r = user;
    r->stage = stage;
    if (!result)
        return;
    cardo_tell(&r->session->listener, CARDO_SAID_NOTE, "minimize",
               "  soft %-4g bonds %-6g %.6g to %.6g kJ/mol in %d iterations", softness, bonded,
               result->first.potential, result->last.potential, result->last.iteration);
    if (r->observer->stage)
        r->observer->stage(r->observer->user, stage, softness, bonded, result);
}

static void note_start(const minimizing *r)
{
    char text[CARDO_STRAINED_TEXT];
    if (r->before.contact.natom)
        cardo_tell(&r->session->listener, CARDO_SAID_NOTE, "minimize",
                   "  worst contact        %s, at the start",
                   cardo_strained_text(r->session, &r->before.contact, text));
    if (r->observer->start)
        r->observer->start(r->observer->user, &r->before);
}

/* Whether to begin softly; an energy that cannot be evaluated at all is a clash too. */
static cardo_status choose_start(minimizing *r, bool *soft, cardo_error *error)
{
    *soft = false;
    if (!r->session->terms)
        return r->options->overlaps.soft_start == CARDO_SOFT_YES
                   ? CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                                "a soft start needs the force field's parameters, which a "
                                "serialized System does not give: set soft-start to no")
                   : CARDO_OK;
    cardo_status status = cardo_session_strain(r->session, &r->before, error);
    bool clash = r->before.contact.energy > r->options->overlaps.clash_energy;
    *soft = r->options->overlaps.soft_start == CARDO_SOFT_YES ||
            (r->options->overlaps.soft_start == CARDO_SOFT_AUTO && clash);
    return status;
}

static cardo_status descend(minimizing *r, cardo_error *error)
{
    cardo_status status;
    bool interrupted = false;
    cardo_session *session = r->session;
    const cardo_minimization_options *options = &r->options->minimization;
    const cardo_minimization_observer observer = {r, observe, session->listener.stop};
    CARDO_TRY(cardo_strain_tell(session, "the start", false, error));
    CARDO_TRY(choose_start(r, &r->softened, error));
    note_start(r);
    if (r->softened)
        CARDO_TRY(cardo_soft_start(session, options, &observer, note_stage, &interrupted, error));
    r->stage = 0;
    r->result.interrupted = interrupted;
    if (!interrupted)
        CARDO_TRY(cardo_minimization_run(session->system, session->state, session->evaluator,
                                         options, &observer, &r->result, error));
    if (session->terms)
        status = cardo_session_strain(session, &r->after, error);
done:
    return status;
}

static const char *ending(const minimizing *r)
{
    return r->result.converged     ? "converged"
           : r->result.interrupted ? "interrupted"
           : r->result.last.iteration >= r->options->minimization.iterations
               ? "iterations ran out"
               : "no lower energy is found within rounding";
}

/* Coordinates but those of orientations without angles; people see the first dozen. */
static void add_coordinates(const minimizing *r, cardo_result *into)
{
    enum { SHOWN = 12 };
    static const cardo_quantity coordinates = {"coordinates", "coordinate", .style = ".6g"};
    const cardo_system *system = r->session->system;
    cardo_body_info info;
    cardo_result *array;
    int n = 0;
    for (int b = 1; b < cardo_system_nbody(system); ++b) {
        cardo_system_body(system, b, &info);
        n += info.nq == info.nu ? info.nq : 0;
    }
    double *value =
        cardo_result_doubles(into, &coordinates, 1, &(cardo_axis){"coordinate", n}, &array);
    for (int b = 1, at = 0; value && b < cardo_system_nbody(system); ++b) {
        char name[CARDO_COORDINATE_NAME];
        const bool hidden = at >= SHOWN;
        cardo_system_body(system, b, &info);
        for (int k = info.q_first; info.nq == info.nu && k < info.q_first + info.nq; ++k, ++at) {
            value[at] = cardo_state_q(r->session->state)[k];
            cardo_result_label(array, 0, at, cardo_coordinate_name(system, k, name));
            if (hidden)
                cardo_result_hide(array, at);
        }
    }
}

static void add_contact(const minimizing *r, const char *name, const cardo_strained *contact,
                        cardo_result *into)
{
    char text[CARDO_STRAINED_TEXT];
    if (contact->natom)
        cardo_result_text(into, &(cardo_quantity){name},
                          cardo_strained_text(r->session, contact, text));
}

/* How well constraints are met, and what they leave. */
static cardo_status add_constraints(const minimizing *r, cardo_result *into, cardo_error *error)
{
    static const cardo_quantity violation = {"largest_violation", .style = ".1e",
                                             .meaning = "nm or radian"};
    cardo_status status;
    cardo_constraint_counts counts;
    double *errors, largest = 0;
    const cardo_system *system = r->session->system;
    cardo_state *state = r->session->state;
    cardo_system_constraint_counts(system, &counts);
    if (counts.nposition == 0)
        return CARDO_OK;
    status = CARDO_ALLOCATE(&errors, counts.nposition, error);
    if (status == CARDO_OK)
        status = cardo_realize(system, state, CARDO_STAGE_POSITION, error);
    if (status == CARDO_OK)
        status = cardo_constraint_position_errors(system, state, errors, error);
    for (int i = 0; i < counts.nposition && status == CARDO_OK; ++i)
        largest = fmax(largest, fabs(errors[i]));
    cardo_free(errors);
    cardo_result_number(into, &violation, largest);
    cardo_result_integer(into, &(cardo_quantity){"degrees_of_freedom"}, r->result.freedoms);
    return status;
}

static cardo_status fill(const minimizing *r, cardo_result *into, cardo_error *error)
{
    static const cardo_quantity begun = {"first_potential_kJ_per_mol", "potential at the start",
                                         "kJ/mol", ".4f"},
                                potential = {"potential_kJ_per_mol", "potential", "kJ/mol", ".4f"},
                                largest = {"largest_force", .style = ".4g",
                                           .meaning = "kJ/mol per unit of the coordinate"},
                                rms = {"rms_force", .style = ".4g"};
    char name[CARDO_COORDINATE_NAME];
    const cardo_minimization_frame *first = &r->result.first, *last = &r->result.last;
    cardo_result_text(into, &(cardo_quantity){"model"}, r->session->model->name);
    cardo_result_truth(into, &(cardo_quantity){"soft_start"}, r->softened);
    add_contact(r, "worst_contact_before", &r->before.contact, into);
    add_contact(r, "worst_contact", &r->after.contact, into);
    cardo_strain_fill(r->session, &r->after, into);
    cardo_result_truth(into, &(cardo_quantity){"converged"}, r->result.converged);
    cardo_result_truth(into, &(cardo_quantity){"interrupted"}, r->result.interrupted);
    if (last->system)
        cardo_result_remark(into, "ending", CARDO_RESULT_VERDICT, ending(r), NULL);
    cardo_result_number(into, &begun, first->potential);
    cardo_result_number(into, &potential, last->potential);
    cardo_result_number(into, &largest, last->largest_force);
    if (last->system)
        cardo_result_text(into, &(cardo_quantity){"largest_force_on"},
                          last->largest >= 0
                              ? cardo_mobility_name(r->session->system, last->largest, name)
                              : "nothing");
    cardo_result_number(into, &rms, last->rms_force);
    cardo_status status = add_constraints(r, into, error);
    cardo_result_integer(into, &(cardo_quantity){"iterations"}, last->iteration);
    cardo_result_integer(into, &(cardo_quantity){"evaluations"}, last->evaluations);
    add_coordinates(r, into);
    return status == CARDO_OK ? cardo_result_status(into, error) : status;
}

static cardo_status run(cardo_session *session, const void *given, cardo_result *into,
                        cardo_error *error)
{
    static const cardo_minimize_observer nobody = {0};
    const cardo_minimize_options *options = given;
    minimizing r = {.session = session,
                    .options = options,
                    .observer = options->observer ? options->observer : &nobody};
    cardo_status status;
    CARDO_TRY(cardo_judge(session, error));
    CARDO_TRY(cardo_minimize_begin(session, options, &r.table, error));
    CARDO_TRY(cardo_session_announce(session, NULL, NULL, error));
    CARDO_TRY(descend(&r, error));
    CARDO_TRY(cardo_strain_tell_change(session, "what minimizing came to", &r.before, error));
    CARDO_TRY(cardo_minimize_table_close(&r.table, error));
    CARDO_TRY(fill(&r, into, error));
    status = cardo_minimize_write(session, options->writer, into, error);
done:
    cardo_minimize_table_close(&r.table, NULL);
    return status;
}

static const cardo_option_group groups[] = {
    {"<minimize> options", cardo_minimization_fields},
    {"<minimize> options for overlaps", cardo_overlap_fields},
    {NULL, NULL},
};

const cardo_study cardo_study_minimize = {
    .name = "minimize",
    .doc = "go to the nearest minimum of the energy, out of overlaps first",
    .needs = CARDO_STUDY_NEEDS_FORCES,
    .options_size = sizeof(cardo_minimize_options),
    .groups = groups,
    .options = {{cardo_minimization_fields, offsetof(cardo_minimize_options, minimization)},
                {cardo_overlap_fields, offsetof(cardo_minimize_options, overlaps)}},
    .writer = offsetof(cardo_minimize_options, writer),
    .run = run,
};
