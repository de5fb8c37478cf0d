/* The study "check": does a force field cover a structure, and what is wrong where it does not. */
#include "base/memory.h"
#include "base/text.h"
#include "structure/pdb/pdb.h"
#include "study/check/uncovered.h"
#include "study/session/inputs.h"
#include "study/session/study.h"

#include <stddef.h>

typedef struct check_options {
    char forcefield[CARDO_FIELD_TEXT_SIZE];
    int numbering;
    bool full;
    cardo_study_inputs inputs;
} check_options;

static const cardo_field fields[] = {
    {"forcefield", CARDO_FIELD_TEXT, offsetof(check_options, forcefield), "", "ff14SB.xml", 0, 0,
     NULL, "files of the force field, with commas between"},
    {"numbering", CARDO_FIELD_CHOICE, offsetof(check_options, numbering), "", "author", 0, 0,
     cardo_numbering_words, "chains and residue numbers of mmCIF files"},
    {"full", CARDO_FIELD_BOOL, offsetof(check_options, full), "", "no", 0, 0, NULL,
     "an entry for each residue; else those of which the same is to be said share one"},
    {0},
};

/* What the run works on. */
typedef struct check {
    cardo_structure *structure;
    cardo_bonds *bonds;
    cardo_components components;
    cardo_forcefield *forcefield;
    cardo_coverage *coverage;
} check;

static void clear(check *c)
{
    cardo_coverage_destroy(c->coverage);
    cardo_forcefield_destroy(c->forcefield);
    cardo_bonds_destroy(c->bonds);
    cardo_structure_destroy(c->structure);
    cardo_components_clear(&c->components);
}

static cardo_status make(const cardo_session *session, const check_options *options, check *c,
                         cardo_error *error)
{
    cardo_status status;
    char *templates = NULL, *components = NULL;
    const cardo_read_options read = {.label_numbering = options->numbering == 1};
    CARDO_TRY(cardo_find_data("residues.xml", NULL, "topologies", &templates, error));
    CARDO_TRY(cardo_find_data("components.xml", NULL, "topologies", &components, error));
    CARDO_TRY(cardo_structure_read_as(options->inputs.path[0], &read, &c->structure, error));
    cardo_tell_remarks(&session->listener, c->structure);
    CARDO_TRY(cardo_normalise_names(c->structure, templates, error));
    CARDO_TRY(cardo_bonds_find(c->structure, templates, &c->bonds, error));
    CARDO_TRY(cardo_components_read(&c->components, components, error));
    CARDO_TRY(cardo_forcefield_read_list(options->forcefield, &c->forcefield, error));
    status = cardo_coverage_find(c->forcefield, c->structure, c->bonds, &c->coverage, error);
done:
    cardo_free(templates);
    cardo_free(components);
    return status;
}

static cardo_status run(cardo_session *session, const void *given, cardo_result *into,
                        cardo_error *error)
{
    const check_options *options = given;
    check c = {0};
    cardo_status status = make(session, options, &c, error);
    const cardo_uncovered uncovered = {options->inputs.path[0], options->forcefield, c.structure,
                                       &c.components, c.coverage};
    if (status == CARDO_OK)
        status = cardo_uncovered_fill(&uncovered, options->full, into, error);
    clear(&c);
    return status;
}

const cardo_study cardo_study_check = {
    .name = "check",
    .doc = "does a force field cover every residue of a structure, and if not, what is wrong",
    .needs = CARDO_STUDY_TAKES_FILES,
    .options_size = sizeof(check_options),
    .options = {{fields, 0}},
    .inputs = offsetof(check_options, inputs),
    .most_inputs = 1,
    .run = run,
};
