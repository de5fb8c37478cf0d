#include "study/domains/domains.h"

#include "analysis/domains/copies.h"
#include "analysis/domains/ensemble.h"
#include "base/memory.h"
#include "structure/atoms/superpose.h"
#include "structure/pdb/pdb.h"
#include "study/domains/by_errors.h"
#include "study/domains/giving.h"
#include "study/domains/inputs.h"
#include "study/domains/model.h"
#include "study/domains/reference.h"
#include "study/domains/result.h"
#include "study/domains/tried_model.h"
#include "study/session/strain.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const char *const joints[] = {"auto", "path", "hinge", "pin", "ball", "free", NULL};
static const char *const bases[] = {"free", "welded", NULL};
static const char *const motions[] = {"rigid", "flexible", NULL};
static const char *const ligand_joints[] = {"weld", "free", NULL};

#define HOW(member) offsetof(cardo_domains_choices, member)

static const cardo_field fields[] = {
    {"identity", CARDO_FIELD_DOUBLE, HOW(identity), "", "0", 0, 1, NULL,
     "share of equal residues, among those that pair, that is enough; 0: by their number"},
    {"stride", CARDO_FIELD_LONG, HOW(stride), "", "0", 0, 1e9, NULL,
     "of a trajectory, every so many frames; 0: so that 100 at most are looked at"},
    {"cutoff", CARDO_FIELD_DOUBLE, HOW(cutoff), "nm", "1.5", 0.4, 10, NULL,
     "of the elastic network, when there is one structure"},
    {"joint", CARDO_FIELD_CHOICE, HOW(joint), "", "auto", 0, 0, joints,
     "how domains hang on each other in the model; auto: path, or pin in a prediction"},
    {"base", CARDO_FIELD_CHOICE, HOW(base), "", "free", 0, 0, bases,
     "the root in the model: free or welded to ground"},
    {"motion", CARDO_FIELD_CHOICE, HOW(motion), "", "rigid", 0, 0, motions,
     "the model's domains are rigid throughout, or strands between them and side chains give way"},
    {"iterations", CARDO_FIELD_INT, HOW(iterations), "", "100", 1, 100000, NULL,
     "most iterations of L-BFGS at each place where a flexible model's motion is tried; twice as "
     "many of all atoms for both ends"},
    {"cycle-iterations", CARDO_FIELD_INT, HOW(cycle_iterations), "", "500", 1, 100000, NULL,
     "most where forces are left at a stop of a cycle, for what a cycle takes is known from minima "
     "alone"},
    {"heat", CARDO_FIELD_INT, HOW(heat), "", "250", 0, 1000000, NULL,
     "steps of 8 fs at 300 K where that trial turns back, which take what turns out of wells it is "
     "stuck in; 0: none"},
    {"rounds", CARDO_FIELD_INT, HOW(rounds), "", "12", 0, 1000, NULL,
     "of annealing there, most: so much heat from the lowest minimum so far, and minimization, of "
     "which the lowest is kept; where that comes to no whole motion a second attempt heats once, "
     "and the better model is kept; 0: heated once, and no second attempt"},
    {"reference", CARDO_FIELD_INT, HOW(reference), "", "150", 0, 100000, NULL,
     "most iterations of all atoms at every other place, each way, by which that trial judges the "
     "model's strain; 0: "
     "it does not, which takes half the time"},
    {"hold", CARDO_FIELD_DOUBLE, HOW(hold), "kJ/mol", "52", 0, 60, NULL,
     "residues that need not turn are held again, as long as the strain is expected to be no "
     "larger, or, many at once, no more than 15 above what it is, since a geometry takes that off; "
     "0: none are, for a model that costs more and rises less"},
    {"keep", CARDO_FIELD_TEXT, HOW(keep), "", "", 0, 0, NULL,
     "ligands, ions, or names of residues, commas between: molecules of the first structure, or of "
     "the second where the first has none of that name, that the model has as bodies"},
    {"ligand-joint", CARDO_FIELD_CHOICE, HOW(ligand_joint), "", "weld", 0, 0, ligand_joints,
     "how these hang on the domain that they touch most: welded, or free and held near their site"},
    {"prepare", CARDO_FIELD_BOOL, HOW(prepare), "", "yes", 0, 0, NULL,
     "prepare the first structure where the model's force field does not cover it"},
    {"allow-guesses", CARDO_FIELD_BOOL, HOW(allow_guesses), "", "no", 0, 0, NULL,
     "make an all-atom model although more than a quarter of its heavy atoms is guessed"},
    {"symmetric", CARDO_FIELD_BOOL, HOW(symmetric), "", "no", 0, 0, NULL,
     "hinges that are copies of each other, as in a ring of equal chains, go by one coordinate"},
    {"pae", CARDO_FIELD_TEXT, HOW(pae), "", "", 0, 0, NULL,
     "JSON file of the predicted errors of one structure (AlphaFold's database, ColabFold, "
     "AlphaFold 3), by which its domains are found"},
    {"name", CARDO_FIELD_TEXT, HOW(name), "", "", 0, 0, NULL,
     "of the model that is written: NAME.xml, NAME.domains.xml; a folder before it is not taken "
     "notice of"},
    {"forcefield", CARDO_FIELD_TEXT, HOW(forcefield), "", "", 0, 0, NULL,
     "file of the model's force field; none: the usual one for what the structures hold"},
    {0},
};

/* What the run works on. */
typedef struct search {
    const cardo_domains_options *options;
    cardo_domain_inputs inputs;
    cardo_domain_reference reference;
    cardo_domain_motions *motions; /* borrowed from prediction where there is one       */
    cardo_domain_prediction *prediction;
    cardo_hinge_state *state;
    int *lead; /* of hinges that are copies (nhinge), or NULL */
    cardo_kept kept;
    cardo_by_errors by_errors;            /* with how.pae */
    char left_out[2][CARDO_DROPPED_TEXT]; /* of the two structures           */
    const char *ending;                   /* of structures that are written  */
    char prepared[300];                   /* name for the reference          */
    char frame[2][300];                   /* names of frames that became files, or "" */
} search;

static void clear(search *s)
{
    if (!s->prediction && s->motions != s->by_errors.tree)
        cardo_domain_motions_destroy(s->motions);
    cardo_by_errors_clear(&s->by_errors);
    cardo_domain_prediction_destroy(s->prediction);
    cardo_domain_inputs_clear(&s->inputs);
    cardo_kept_clear(&s->kept);
    cardo_free(s->reference.prepared);
    cardo_free(s->state);
    cardo_free(s->lead);
}

static const char *joint_of(const search *s)
{
    return s->options->how.joint ? joints[s->options->how.joint] : NULL;
}

static cardo_status check_joint(const search *s, cardo_error *error)
{
    const char *joint = joint_of(s);
    if (s->options->how.pae[0] && s->inputs.n > 1)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                          "predicted errors are of one structure, and here are %d: leave out the "
                          "others, or the errors",
                          s->inputs.n);
    if (s->options->how.pae[0] && (joint || s->options->how.motion == CARDO_DOMAINS_FLEXIBLE))
        return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                          "by predicted errors domains hang on linkers whose phi and psi turn: "
                          "joint and motion have nothing to choose");
    if (s->options->how.symmetric && joint &&
        (strcmp(joint, "ball") == 0 || strcmp(joint, "free") == 0))
        return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                          "joint %s has no one coordinate by which copies could go: leave out "
                          "symmetric, or take path, hinge or pin",
                          joint);
    if (s->inputs.n > 1 || !joint || (strcmp(joint, "path") != 0 && strcmp(joint, "hinge") != 0))
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                      "joint %s needs two structures; a prediction has pin, ball or free", joint);
}

/* What is left out of the structures, as long as they are those of the files. */
static void keep_left_out(search *s)
{
    const char *list = s->options->how.keep;
    for (int k = 0; k < s->inputs.two->nstructure; ++k) {
        cardo_model_structure *entry = &s->inputs.two->structure[k];
        int n = 0;
        for (int d = 0; d < entry->ndropped; ++d)
            if (entry->dropped[d].water ||
                !cardo_kept_wants(list, entry->dropped[d].name.text, entry->dropped[d].natom))
                entry->dropped[n++] = entry->dropped[d];
        entry->ndropped = n;
        cardo_dropped_text(entry->dropped, entry->ndropped, s->left_out[k]);
    }
}

static cardo_status keep_frame(search *s, int which, cardo_error *error)
{
    const int member = s->inputs.pair[which];
    char *name = s->frame[which], *path = NULL;
    cardo_structure *structure = NULL;
    cardo_status status;
    snprintf(name, sizeof s->frame[which], "%.250s_frame%d.%s", s->options->name, which + 1,
             s->ending);
    CARDO_TRY(cardo_domain_inputs_read_frame(&s->inputs, member, &structure, error));
    CARDO_TRY(
        cardo_writer_structure(s->options->writer, name, structure, structure->position, error));
    CARDO_TRY(cardo_domain_place(s->options->writer, name, &path, error));
    status = cardo_domain_inputs_keep_frame(&s->inputs, member, path, error);
done:
    cardo_structure_destroy(structure);
    cardo_free(path);
    return status;
}

/* A model cannot name a frame of a trajectory: the two that are compared become files. */
static cardo_status keep_frames(search *s, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int k = 0; s->options->writer && k < 2 && k < s->inputs.n && status == CARDO_OK; ++k)
        if (cardo_domain_inputs_is_frame(&s->inputs, s->inputs.pair[k]))
            status = keep_frame(s, k, error);
    return status;
}

static cardo_status read_inputs(search *s, cardo_error *error)
{
    const cardo_domains_options *options = s->options;
    cardo_status status;
    s->inputs.identity = options->how.identity;
    s->inputs.reader = options->frames;
    CARDO_TRY(cardo_domain_reference_look(&s->reference, error));
    CARDO_TRY(cardo_domain_inputs_read(options->inputs.count, options->inputs.path,
                                       options->how.stride, &s->inputs, error));
    CARDO_TRY(check_joint(s, error));
    s->ending = !cardo_pdb_holds(s->inputs.two->structure[0].structure, NULL) ||
                        cardo_path_is_mmcif(s->inputs.definition[s->inputs.pair[0]].file)
                    ? "cif"
                    : "pdb";
    snprintf(s->prepared, sizeof s->prepared, "%.250s_start.%s", options->name ? options->name : "",
             s->ending);
    s->reference.file = s->prepared;
    CARDO_TRY(keep_frames(s, error));
    keep_left_out(s);
done:
    return status;
}

static cardo_status find(search *s, cardo_error *error)
{
    const cardo_model *two = s->inputs.two;
    if (two->nstructure == 2)
        return cardo_domain_motions_find(two->structure[0].structure, two->structure[1].structure,
                                         two->structure[1].match, &s->options->search, &s->motions,
                                         error);
    cardo_status status = cardo_domains_predict(two->structure[0].structure, s->options->how.cutoff,
                                                &s->options->search, &s->prediction, error);
    if (status == CARDO_OK)
        s->motions = s->prediction->motions;
    return status;
}

/* Where the other structures of an ensemble stand. One that lacks a domain is left out. */
static cardo_status place_members(search *s, cardo_error *error)
{
    const cardo_structure *reference = s->inputs.two->structure[0].structure;
    int nhinge = s->motions->nhinge;
    if (!s->inputs.all || nhinge == 0)
        return CARDO_OK;
    int *match;
    cardo_status status = CARDO_ALLOCATE(&s->state, s->inputs.n * nhinge, error);
    if (status == CARDO_OK)
        status = CARDO_ALLOCATE(&match, reference->nresidue, error);
    if (status != CARDO_OK)
        return status;
    for (int k = 0; k < s->inputs.n; ++k) {
        const cardo_structure *member = s->inputs.all->structure[k].structure;
        cardo_hinge_state *state = s->state + (size_t)k * (size_t)nhinge;
        const double least = s->inputs.identity > 0 ? s->inputs.identity : -1;
        if (cardo_match_alike(reference, member, least, match, NULL, NULL) != CARDO_OK ||
            cardo_hinge_states(reference, s->motions, member, match, state, NULL) != CARDO_OK)
            for (int h = 0; h < nhinge; ++h)
                state[h].angle = -1;
    }
    cardo_free(match);
    return CARDO_OK;
}

static cardo_status fill(const search *s, cardo_result *into, cardo_error *error)
{
    const cardo_domain_findings found = {.inputs = &s->inputs,
                                         .motions = s->motions,
                                         .prediction = s->prediction,
                                         .state = s->state,
                                         .lead = s->lead,
                                         .symmetric = s->options->how.symmetric,
                                         .left_out = {s->left_out[0], s->left_out[1]},
                                         .note = s->reference.note};
    return cardo_domains_fill(&found, into, error);
}

static const cardo_structure *reference_of(const search *s)
{
    return s->inputs.two->structure[0].structure;
}

static cardo_status find_and_tell(search *s, cardo_result *into, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(find(s, error));
    if (!s->prediction && s->motions->nhinge > 1) {
        CARDO_TRY(CARDO_ALLOCATE(&s->lead, s->motions->nhinge, error));
        cardo_hinge_copies(reference_of(s), s->motions, s->lead);
    }
    CARDO_TRY(place_members(s, error));
    status = fill(s, into, error);
done:
    return status;
}

static cardo_status tell_by_errors(search *s, cardo_result *into, cardo_error *error)
{
    const cardo_structure *now = reference_of(s);
    if (now->nresidue != s->by_errors.nresidue)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: has %d residues after its preparation and %d before, so that the "
                          "predicted errors are of others: prepare it first, or "
                          "take a force field that covers it",
                          now->source, now->nresidue, s->by_errors.nresidue);
    s->motions = s->by_errors.tree;
    return cardo_by_errors_fill(&s->by_errors, now, s->inputs.definition[s->inputs.pair[0]].id,
                                into, error);
}

static cardo_status add_file(const search *s, const char *name, const char *what,
                             cardo_result *into, cardo_error *error)
{
    static const cardo_quantity file = {"file", .style = "-24s"};
    char *path;
    cardo_status status = cardo_domain_place(s->options->writer, name, &path, error);
    if (status != CARDO_OK)
        return status;
    if (what) {
        cardo_result_row(into);
        cardo_result_text(into, &file, path);
        cardo_result_text(into, &(cardo_quantity){"what"}, what);
    } else {
        cardo_result_text(into, &(cardo_quantity){"model_file", .style = "-24s"}, path);
    }
    cardo_free(path);
    return CARDO_OK;
}

/* What was written, and where. */
static cardo_status add_files(const search *s, bool giving, cardo_result *into, cardo_error *error)
{
    static const struct {
        const char *ending, *what;
    } beside[] = {
        {".domains.xml", "domains and hinge residues"},
        {".pml", "PyMOL: domains in colour, axes as arrows"},
        {".cxc", "the same for ChimeraX"},
        {".places.csv", "places along the path: energies by term, and coordinates to begin from"},
        {".places.gp", "gnuplot's script for a picture of these energies"},
        {".xml", NULL}};
    cardo_result *table = cardo_result_table(into, "files", "file");
    cardo_status status = CARDO_OK;
    char name[300];
    for (int k = 0; k < 2; ++k)
        if (s->frame[k][0])
            CARDO_TRY(add_file(s, s->frame[k],
                               k ? "the frame that is the second structure"
                                 : "the frame that is the first structure",
                               table, error));
    if (s->reference.prepared)
        CARDO_TRY(add_file(s, s->prepared, "the first structure, prepared for the force field",
                           table, error));
    for (size_t k = 0; k < sizeof beside / sizeof *beside; ++k) {
        if (strncmp(beside[k].ending, ".places", 7) == 0 && !giving)
            continue;
        snprintf(name, sizeof name, "%.280s%s", s->options->name, beside[k].ending);
        CARDO_TRY(add_file(s, name, beside[k].what, beside[k].what ? table : into, error));
    }
done:
    return status;
}

/* Of the model that was written: what is strained at its start is told. */
static cardo_status look_at_strain(const char *path, const cardo_listener *listener,
                                   cardo_error *error)
{
    const cardo_session_options options = {
        .size = sizeof options, .forces_optional = true, .unevaluated = true};
    cardo_session *session = NULL;
    cardo_status status;
    CARDO_TRY(cardo_session_open(path, &options, listener, &session, error));
    status = cardo_strain_tell(session, "the model's start", false, error);
done:
    cardo_session_close(session);
    return status;
}

/* A motion without a hinge makes no model, which is no failure: all else is found. */
static cardo_status write_model(search *s, const cardo_listener *listener, cardo_result *into,
                                cardo_error *error)
{
    cardo_domain_model model = {.options = s->options,
                                .inputs = &s->inputs,
                                .reference = &s->reference,
                                .motions = s->motions,
                                .joint = joint_of(s),
                                .lead = s->options->how.symmetric ? s->lead : NULL,
                                .predicted = s->prediction != NULL || s->by_errors.tree,
                                .strands = s->by_errors.tree != NULL};
    cardo_status status = CARDO_OK;
    char text[400];
    bool *giving = NULL;
    if (!s->options->writer)
        return CARDO_OK;
    const char *none = !s->motions                ? "there are no two domains"
                       : s->motions->ndomain == 1 ? "one rigid domain"
                                                  : NULL;
    if (none) {
        snprintf(text, sizeof text,
                 "%.280s.xml is not written: %s, so that there is no hinge to make a model of",
                 s->options->name, none);
        cardo_result_remark(into, "not_written", CARDO_RESULT_WARNING, text, NULL);
        return CARDO_OK;
    }
    if (s->options->how.motion == CARDO_DOMAINS_FLEXIBLE && !s->prediction &&
        !s->reference.coarse) {
        CARDO_TRY(CARDO_ALLOCATE(&giving, s->inputs.two->structure[0].structure->nresidue, error));
        cardo_giving_choose(s->inputs.two, s->motions, giving);
        model.giving = giving;
    }
    if (s->by_errors.tree)
        model.giving = s->by_errors.found.loose;
    CARDO_TRY(cardo_kept_find(&s->reference, s->motions, &s->kept, into, error));
    model.kept = &s->kept;
    CARDO_TRY(cardo_domain_model_write(&model, error));
    CARDO_TRY(add_files(s, giving != NULL, into, error));
    CARDO_TRY(cardo_result_status(into, error));
    cardo_writer_keep(s->options->writer, true);
    if (!s->by_errors.tree)
        CARDO_TRY(cardo_domain_model_try(&model, cardo_result_text_at(into, "model_file"), listener,
                                         into, error));
    if (!giving)
        status = look_at_strain(cardo_result_text_at(into, "model_file"), listener, error);
done:
    cardo_free(giving);
    return status;
}

/* The model's name is the last part of a path, without .xml. */
static void take_names(cardo_domains_options *options)
{
    const char *slash = strrchr(options->how.name, '/');
    snprintf(options->model, sizeof options->model, "%s", slash ? slash + 1 : options->how.name);
    const size_t n = strlen(options->model);
    if (n > 4 && strcmp(options->model + n - 4, ".xml") == 0)
        options->model[n - 4] = '\0';
    options->name = options->model[0] ? options->model : NULL;
    options->forcefield = options->how.forcefield[0] ? options->how.forcefield : NULL;
}

static cardo_status run(cardo_session *session, const void *given, cardo_result *into,
                        cardo_error *error)
{
    cardo_domains_options *options = NULL;
    search s = {0};
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&options, 1, error));
    *options = *(const cardo_domains_options *)given;
    take_names(options);
    s.options = options;
    s.reference = (cardo_domain_reference){
        .listener = &session->listener, .options = options, .inputs = &s.inputs};
    if (options->writer && !options->name)
        CARDO_TRY(CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                             "domains needs a name for the model that is written"));
    CARDO_TRY(read_inputs(&s, error));
    if (options->how.pae[0]) /* before preparation, which has no use for pLDDT */
        CARDO_TRY(cardo_by_errors_find(options, reference_of(&s), &s.by_errors, error));
    CARDO_TRY(cardo_writer_claim(s.options->writer, error));
    CARDO_TRY(cardo_domain_reference_prepare(&s.reference, into, error));
    CARDO_TRY(options->how.pae[0] ? tell_by_errors(&s, into, error)
                                  : find_and_tell(&s, into, error));
    status = write_model(&s, &session->listener, into, error);
done:
    clear(&s);
    cardo_free(options);
    return status;
}

static const cardo_option_group groups[] = {
    {"Options of the search", cardo_domain_option_fields},
    {"With predicted errors", cardo_error_option_fields},
    {0},
};

const cardo_study cardo_study_domains = {
    .name = "domains",
    .doc = "rigid domains and hinges between structures, and a model that runs",
    .needs = CARDO_STUDY_TAKES_FILES,
    .options_size = sizeof(cardo_domains_options),
    .groups = groups,
    .options = {{cardo_domain_option_fields, offsetof(cardo_domains_options, search)},
                {cardo_error_option_fields, offsetof(cardo_domains_options, errors)},
                {fields, offsetof(cardo_domains_options, how)}},
    .inputs = offsetof(cardo_domains_options, inputs),
    .writer = offsetof(cardo_domains_options, writer),
    .frames = offsetof(cardo_domains_options, frames),
    .run = run,
};
