#include "study/modes/modes.h"

#include "base/memory.h"
#include "study/modes/files.h"
#include "study/modes/find.h"
#include "study/modes/stiffness.h"
#include "study/session/facts.h"
#include "study/session/judge.h"
#include "study/session/strain.h"
#include "study/session/study.h"

/* Larger tables of correlations are made when they are asked for. */
enum { MOST_CORRELATED = 3000 };

typedef struct finding {
    cardo_session *session;
    cardo_mode_options options; /* as given, without "auto" */
    cardo_mode_set set;
    cardo_mode_comparison comparison;
    char (*label)[40];   /* (set.nca)                                    */
    cardo_result *facts; /* for the record: where the search began, too  */
} finding;

/* What "auto" means for this model. */
static cardo_status choose(finding *f, cardo_error *error)
{
    cardo_status status;
    const bool forces = f->options.stiffness == CARDO_MODES_FORCES;
    CARDO_TRY(cardo_mode_methods_check(&f->options, error));
    if (forces && !f->session->provider) {
        *error = f->session->no_forces;
        return error->code;
    }
    CARDO_TRY(cardo_choose_network_options(f->session, &f->options, error));
    if (forces)
        status = cardo_strain_tell(f->session, "the start", false, error);
done:
    return status;
}

/* The forces, where they make the modes; one member does it for all. */
static cardo_status judge(const finding *f, cardo_error *error)
{
    const bool wanted = f->options.stiffness == CARDO_MODES_FORCES &&
                        cardo_communicator_rank(f->session->communicator) == 0;
    return wanted ? cardo_judge(f->session, error) : CARDO_OK;
}

/* What every member does. */
static cardo_status find(finding *f, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(choose(f, error));
    CARDO_TRY(cardo_communicator_agree(f->session->communicator, judge(f, error), error));
    CARDO_TRY(cardo_force_provider_use_cores(
        f->session->provider,
        cardo_communicator_cores(f->session->communicator,
                                 cardo_communicator_size(f->session->communicator)),
        error));
    cardo_session_facts(f->session, f->facts);
    status = cardo_mode_set_make(f->session, &f->options, f->session->communicator, &f->set, error);
done:
    return status;
}

static cardo_status name_residues(finding *f, cardo_error *error)
{
    const cardo_structure *s = f->session->model->structure[0].structure;
    cardo_status status = CARDO_ALLOCATE(&f->label, f->set.nca, error);
    for (int i = 0; i < f->set.nca && status == CARDO_OK; ++i)
        cardo_residue_label(s, s->atom_residue[f->set.ca[i]], f->label[i]);
    return status;
}

/* What the first member does with the modes. */
static cardo_status tell(finding *f, const cardo_writer *writer, cardo_result *into,
                         cardo_error *error)
{
    cardo_status status;
    char members[64];
    const cardo_record_options options = {cardo_mode_fields, &f->options};
    const cardo_record record = {
        .study = "modes", .facts = f->facts, .noption = 1, .options = &options};
    CARDO_TRY(cardo_mode_compare(f->session, &f->options, &f->set, &f->comparison, error));
    CARDO_TRY(name_residues(f, error));
    const cardo_mode_findings findings = {
        .session = f->session,
        .options = &f->options,
        .set = &f->set,
        .comparison = &f->comparison,
        .label = (const char(*)[40])f->label,
        .members = cardo_communicator_describe(f->session->communicator, members),
        .correlations =
            f->options.correlations == CARDO_CORRELATIONS_YES ||
            (f->options.correlations == CARDO_CORRELATIONS_AUTO && f->set.nca <= MOST_CORRELATED)};
    CARDO_TRY(cardo_modes_fill(&findings, into, error));
    CARDO_TRY(cardo_writer_begin(writer, &record, error));
    CARDO_TRY(cardo_mode_files_write(&findings, writer, into, error));
    cardo_writer_keep(writer, true);
done:
    return status;
}

/* Every body free, where that is wanted. */
static cardo_status prepare(cardo_session *session, const void *given, cardo_error *error)
{
    const cardo_modes_options *options = given;
    return options->modes.joints ? cardo_session_free_joints(session, error) : CARDO_OK;
}

static cardo_status run(cardo_session *session, const void *given, cardo_result *into,
                        cardo_error *error)
{
    const cardo_modes_options *options = given;
    finding f = {.session = session, .options = options->modes};
    cardo_status status;
    CARDO_TRY(cardo_result_create(&f.facts, error));
    CARDO_TRY(cardo_writer_claim(options->writer, error));
    CARDO_TRY(find(&f, error));
    if (cardo_communicator_rank(session->communicator) == 0)
        status = tell(&f, options->writer, into, error);
done:
    cardo_result_destroy(f.facts);
    cardo_free(f.label);
    cardo_mode_comparison_clear(&f.comparison);
    cardo_mode_set_clear(&f.set);
    return status;
}

static const cardo_option_group groups[] = {
    {"<modes> options", cardo_mode_fields},
    {NULL, NULL},
};

const cardo_study cardo_study_modes = {
    .name = "modes",
    .doc = "normal modes in the model's coordinates",
    .options_size = sizeof(cardo_modes_options),
    .groups = groups,
    .options = {{cardo_mode_fields, offsetof(cardo_modes_options, modes)}},
    .writer = offsetof(cardo_modes_options, writer),
    .prepare = prepare,
    .run = run,
};
