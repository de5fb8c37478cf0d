/* The study "handoff": what all-atom simulations elsewhere start from. */
#include "study/handoff/job.h"

#include "base/memory.h"
#include "base/units.h"
#include "study/session/facts.h"
#include "study/session/study.h"

#include <stddef.h>

typedef struct handoff_options {
    cardo_handoff_choices how;
    const cardo_writer *writer;
} handoff_options;

#define HOW(member) offsetof(cardo_handoff_choices, member)
static const cardo_field fields[] = {
    {"from", CARDO_FIELD_DOUBLE, HOW(from), "", "0", 0, 0, NULL,
     "q of all hinges in the first frame"},
    {"to", CARDO_FIELD_DOUBLE, HOW(to), "", "1", 0, 0, NULL, "and in the last"},
    {"places", CARDO_FIELD_INT, HOW(places), "", "11", 2, 1000, NULL, "how many frames"},
    {"iterations", CARDO_FIELD_INT, HOW(iterations), "", "200", 0, 1e6, NULL,
     "most, of relaxing a frame; 0: frames are as the model has them"},
    {"gradient", CARDO_FIELD_DOUBLE, HOW(gradient), "kJ/mol/nm", "100", 1e-6, 1e9, NULL,
     "the largest that relaxing leaves"},
    {0},
};
#undef HOW

/* Hinges whose q is an angle about one axis; of others it is said why not. */
static cardo_status find_hinges(cardo_handoff *h, cardo_result *into, cardo_error *error)
{
    cardo_status status;
    const cardo_model *model = h->session->model;
    cardo_result *left = cardo_result_list(into, "hinges_left_out");
    cardo_error own = {0};
    CARDO_TRY(CARDO_ALLOCATE(&h->hinge, model->nbody, error));
    for (int b = 0; b < model->nbody; ++b) {
        cardo_hinge_angle *hinge = &h->hinge[h->nhinge];
        if (!model->body[b].fit && !model->body[b].guide)
            continue;
        status = cardo_hinge_angle_find(model, b, hinge, &own);
        if (status == CARDO_OK) {
            ++h->nhinge;
            continue;
        }
        cardo_hinge_angle_clear(hinge);
        if (status != CARDO_ERROR_UNSUPPORTED) {
            if (error)
                *error = own;
            return status;
        }
        cardo_result_text(left, &(cardo_quantity){NULL}, own.message);
    }
    status = CARDO_OK;
done:
    return status;
}

static void fill_hinges(const cardo_handoff *h, cardo_result *into)
{
    static const cardo_quantity name = {"hinge", .style = "-16s"},
                                angle = {"angle_deg", "from q = 0 to 1", "degrees", ".2f"},
                                stands = {"standing", "C-alpha atoms of what stands",
                                          .style = ".0f"},
                                moves = {"moving", "of what moves", .style = ".0f"};
    cardo_result *table = cardo_result_table(into, "hinges", "hinge");
    for (int k = 0; k < h->nhinge; ++k) {
        cardo_result_row(table);
        cardo_result_text(table, &name, h->hinge[k].name);
        cardo_result_number(table, &angle, h->hinge[k].angle * 180 / CARDO_PI);
        cardo_result_integer(table, &stands, h->hinge[k].n[0]);
        cardo_result_integer(table, &moves, h->hinge[k].n[3]);
    }
}

static cardo_status begin(const cardo_handoff *h, cardo_error *error)
{
    cardo_result *facts = NULL;
    cardo_status status;
    const cardo_record_options options = {fields, h->how};
    CARDO_TRY(cardo_result_create(&facts, error));
    cardo_session_facts(h->session, facts);
    status = cardo_writer_begin(
        h->writer,
        &(cardo_record){.study = "handoff", .facts = facts, .noption = 1, .options = &options},
        error);
done:
    cardo_result_destroy(facts);
    return status;
}

static cardo_status work(cardo_handoff *h, cardo_result *into, cardo_error *error)
{
    cardo_status status;
    if (!h->session->terms)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "other programs are handed a force field's own terms for all atoms: a "
                          "coarse-grained energy or a serialized System has none");
    cardo_result_text(into, &(cardo_quantity){"model"}, h->session->model->name);
    CARDO_TRY(find_hinges(h, into, error));
    CARDO_TRY(begin(h, error));
    fill_hinges(h, into);
    CARDO_TRY(cardo_handoff_amber_look(h, error));
    CARDO_TRY(cardo_handoff_frames(h, into, error));
    cardo_result_truth(into, &(cardo_quantity){"interrupted"}, h->interrupted);
    cardo_writer_keep(h->writer, true);
    if (h->interrupted)
        return CARDO_OK;
    cardo_result *programs = cardo_result_table(into, "programs", "program");
    CARDO_TRY(cardo_handoff_openmm(h, programs, error));
    CARDO_TRY(cardo_handoff_plumed(h, programs, error));
    CARDO_TRY(cardo_handoff_gromacs(h, programs, error));
    CARDO_TRY(cardo_handoff_amber(h, programs, error));
    status = cardo_result_status(into, error);
done:
    return status;
}

static cardo_status run(cardo_session *session, const void *given, cardo_result *into,
                        cardo_error *error)
{
    const handoff_options *options = given;
    cardo_handoff h = {.session = session, .how = &options->how, .writer = options->writer};
    const cardo_status status = work(&h, into, error);
    for (int k = 0; k < h.nhinge; ++k)
        cardo_hinge_angle_clear(&h.hinge[k]);
    cardo_free(h.hinge);
    cardo_free(h.first);
    return status;
}

static const cardo_option_group groups[] = {{"<handoff> options", fields}, {NULL, NULL}};

const cardo_study cardo_study_handoff = {
    .name = "handoff",
    .doc =
        "relaxed frames of all atoms along q, and inputs of other programs that compute the same q",
    .needs = CARDO_STUDY_NEEDS_FORCES,
    .options_size = sizeof(handoff_options),
    .groups = groups,
    .options = {{fields, offsetof(handoff_options, how)}},
    .writer = offsetof(handoff_options, writer),
    .run = run,
};
