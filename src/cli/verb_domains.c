/* cardo domains: from two structures to domains, hinges and a model that runs. */
#include "analysis/domains/files.h"
#include "base/lock.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/output.h"
#include "base/text.h"
#include "cli/domain_report.h"
#include "cli/domain_result.h"
#include "cli/opening.h"
#include "cli/prepared_report.h"
#include "cli/reading.h"
#include "cli/session_report.h"
#include "cli/verb.h"
#include "forces/coarse/coarse.h"
#include "forces/ffxml/coverage.h"
#include "io/results/result_printer.h"
#include "structure/atoms/superpose.h"
#include "structure/pdb/pdb.h"
#include "study/session/strain.h"
#include "topology/bonds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const double DEFAULT_CUTOFF = 1.5; /* nm, of the elastic network */

/* What is written beside the model file. */
enum { ANNOTATION, PYMOL, CHIMERAX, PREPARED, FRAME, OTHER_FRAME, NBESIDE };
static const char *const endings[NBESIDE] = {".domains.xml", ".pml",     ".cxc",
                                             "_start.",      "_frame1.", "_frame2."};
/* With it, and with structures in either format. */
enum { NWRITTEN = 2 * NBESIDE - PREPARED + 1 };

/* What the run works on. */
typedef struct search {
    const cardo_command *command;
    cardo_domain_options options;
    cardo_domain_inputs inputs;
    cardo_domain_motions *motions; /* borrowed from prediction where there is one       */
    cardo_domain_prediction *prediction;
    cardo_hinge_state *state;
    const char *joint; /* of every hinge in the model, or NULL */
    bool welded;
    const char *out;     /* the model file, or NULL                           */
    char *stem;          /* of the files that are written: out without .xml   */
    char prepared[4096]; /* file that was made from the reference, or ""      */
    cardo_result *result;
    char left_out[2][CARDO_DROPPED_TEXT]; /* of the two structures             */
    char note[256];                       /* about the reference, for the model, or ""     */
    const char *forcefield;               /* as given, or NULL: the usual one              */
    bool coarse;                          /* it is a coarse-grained energy                 */
    bool mmcif;                           /* a PDB file has no room for the structures     */
    cardo_lock *lock;                     /* on the model file, and so on what is named after it */
    bool there[NWRITTEN];                 /* files that stood there before */
    bool done;
} search;

/* Structures are PDB files where those have room for the first one. */
static char *beside(const search *s, int which, char path[4096])
{
    snprintf(path, 4096, "%s%s%s", s->stem, endings[which],
             which < PREPARED ? ""
             : s->mmcif       ? "cif"
                              : "pdb");
    return path;
}

/* One of all names that a search may write. */
static const char *written(const search *s, int k, char path[4096])
{
    if (k == NWRITTEN - 1)
        return s->out;
    search other = {.stem = s->stem, .mmcif = k >= NBESIDE};
    return beside(&other, k < NBESIDE ? k : k - NBESIDE + PREPARED, path);
}

/* What a search that failed has left there. */
static void undo(const search *s)
{
    char path[4096];
    for (int k = 0; k < NWRITTEN; ++k)
        if (!s->there[k])
            unlink(written(s, k, path));
}

static void clear(search *s)
{
    if (s->lock && !s->done)
        undo(s);
    cardo_lock_release(s->lock);
    if (!s->prediction)
        cardo_domain_motions_destroy(s->motions);
    cardo_domain_prediction_destroy(s->prediction);
    cardo_domain_inputs_clear(&s->inputs);
    cardo_free(s->state);
    cardo_free(s->stem);
    cardo_result_destroy(s->result);
}

/* --set window=7 or --set domains.window=7 */
static cardo_status read_options(search *s, cardo_error *error)
{
    const char *given[CARDO_MOST_GIVEN];
    int n = cardo_command_values(s->command, "set", given);
    s->options = cardo_domain_options_default();
    for (int k = 0; k < n; ++k) {
        char name[64];
        const char *text = strncmp(given[k], "domains.", 8) == 0 ? given[k] + 8 : given[k];
        const char *equals = strchr(text, '=');
        if (!equals || equals - text >= (int)sizeof name)
            return CARDO_FAIL(error, CARDO_ERROR_USAGE, "--set %s is not NAME=VALUE", given[k]);
        snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
        cardo_status status =
            cardo_fields_set(cardo_domain_option_fields, &s->options, name, equals + 1, error);
        if (status != CARDO_OK)
            return cardo_error_prefix(error, "--set %s: ", given[k]);
    }
    return CARDO_OK;
}

static cardo_status check_outputs(search *s, cardo_error *error)
{
    char path[4096];
    s->out = cardo_command_value(s->command, "out");
    if (!s->out)
        return CARDO_OK;
    cardo_status status = cardo_copy_string(&s->stem, s->out, error);
    if (status != CARDO_OK)
        return status;
    size_t length = strlen(s->stem);
    if (length < 5 || strcmp(s->stem + length - 4, ".xml") != 0)
        return CARDO_FAIL(
            error, CARDO_ERROR_USAGE,
            "--out %s: the model file's name ends in .xml; the others are named after it", s->out);
    s->stem[length - 4] = '\0';
    status = cardo_lock_file(s->out, "cardo domains", &s->lock, error);
    if (status != CARDO_OK)
        return status;
    for (int k = 0; k < NWRITTEN; ++k)
        s->there[k] = cardo_file_exists(written(s, k, path));
    for (int k = 0; k < NWRITTEN; ++k) {
        const char *name = written(s, k, path);
        if (s->there[k] && !cardo_command_has(s->command, "force"))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "%s is there already: choose another name or overwrite with --force",
                              name);
    }
    return CARDO_OK;
}

static bool is_input(const search *s, const char *path)
{
    struct stat one, other;
    bool found = false;
    for (int k = 0; k < s->inputs.n && !found; ++k)
        found = stat(path, &one) == 0 && stat(s->inputs.definition[k].file, &other) == 0 &&
                one.st_dev == other.st_dev && one.st_ino == other.st_ino;
    return found;
}

/* With --force: what an earlier search wrote and this one did not. */
static void remove_stale(const search *s)
{
    char path[4096];
    for (int k = PREPARED; k < NWRITTEN - 1; ++k)
        if (s->there[k] && !is_input(s, written(s, k, path)) && strcmp(path, s->prepared) != 0)
            unlink(path);
}

/* The word of an option that knows a few, checked. */
static cardo_status read_word(const search *s, const char *option, const char *const *words,
                              const char **word, cardo_error *error)
{
    *word = cardo_command_value(s->command, option);
    int k = 0;
    while (*word && words[k] && strcmp(words[k], *word) != 0)
        ++k;
    if (!*word || words[k])
        return CARDO_OK;
    char known[128] = "";
    for (k = 0; words[k]; ++k)
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", k ? ", " : "",
                 words[k]);
    return CARDO_FAIL(error, CARDO_ERROR_USAGE, "--%s %s is none of %s", option, *word, known);
}

static cardo_status read_joints(search *s, cardo_error *error)
{
    static const char *const bases[] = {"free", "welded", NULL};
    const char *base;
    cardo_status status = read_word(s, "joint", cardo_domain_joints, &s->joint, error);
    if (status == CARDO_OK)
        status = read_word(s, "base", bases, &base, error);
    s->welded = status == CARDO_OK && base && strcmp(base, "welded") == 0;
    return status;
}

/* --forcefield and --identity. */
static cardo_status read_forcefield(search *s, cardo_error *error)
{
    char *path = NULL;
    double identity;
    cardo_status status = cardo_reading_identity(s->command, &identity, error);
    s->inputs.identity = identity > 0 ? identity : 0;
    s->forcefield = cardo_command_value(s->command, "forcefield");
    if (status == CARDO_OK && s->forcefield)
        status = cardo_find_data(s->forcefield, NULL, "forcefields", &path, error);
    if (path)
        s->coarse = cardo_coarse_is_file(path);
    cardo_free(path);
    return status;
}

/* What is left out of the structures, as long as they are those of the files. */
static void keep_left_out(search *s)
{
    for (int k = 0; k < s->inputs.two->nstructure; ++k) {
        const cardo_model_structure *entry = &s->inputs.two->structure[k];
        cardo_dropped_text(entry->dropped, entry->ndropped, s->left_out[k]);
    }
}

static bool has_path(const search *s)
{
    return s->joint && (strcmp(s->joint, "path") == 0 || strcmp(s->joint, "hinge") == 0);
}

/* Does the force field of that name (NULL: the usual one) cover the reference as it is? */
static cardo_status is_covered(const cardo_structure *given, const char *name, bool *covered,
                               cardo_error *error)
{
    cardo_status status;
    char *templates = NULL, *path = NULL;
    cardo_structure *s = NULL;
    cardo_bonds *bonds = NULL;
    cardo_forcefield *forcefield = NULL;
    cardo_coverage *coverage = NULL;
    bool *keep = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&keep, given->natom, error));
    memset(keep, true, (size_t)given->natom * sizeof *keep);
    CARDO_TRY(cardo_structure_subset(given, keep, &s, error));
    CARDO_TRY(cardo_find_data("residues.xml", NULL, "topologies", &templates, error));
    CARDO_TRY(cardo_find_data(name ? name : cardo_usual_forcefield(s), NULL, "forcefields", &path,
                              error));
    CARDO_TRY(cardo_normalise_names(s, templates, error));
    CARDO_TRY(cardo_bonds_find(s, templates, &bonds, error));
    CARDO_TRY(cardo_forcefield_read(1, (const char *const[]){path}, &forcefield, error));
    CARDO_TRY(cardo_coverage_find(forcefield, s, bonds, &coverage, error));
    *covered = coverage->nproblem == 0;
done:
    cardo_coverage_destroy(coverage);
    cardo_forcefield_destroy(forcefield);
    cardo_bonds_destroy(bonds);
    cardo_structure_destroy(s);
    cardo_free(templates);
    cardo_free(path);
    cardo_free(keep);
    return status;
}

static bool is_silent(const search *s)
{
    return cardo_command_has(s->command, "json") || cardo_command_has(s->command, "quiet");
}

/* The coarse-grained energies for as many structures as there are. */
static const char *coarse_choice(const search *s)
{
    return s->inputs.n > 1 ? "elastic-network.xml (one well) or double-basin.xml (two)"
                           : "elastic-network.xml";
}

/* A structure most of whose side chains are guesses makes no all-atom model unless one is told to, and then
 * the model says so. */
static cardo_status judge_guesses(search *s, const cardo_preparation *made, cardo_error *error)
{
    int guessed, heavy;
    const double share = cardo_prepared_guesses(made, &guessed, &heavy);
    if (share > CARDO_GUESSES_TOLD)
        cardo_format(s->note, sizeof s->note,
                     "%d of %d heavy atoms (%.0f %%) are guesses of cardo prepare", guessed, heavy,
                     100 * share);
    if (share <= CARDO_GUESSES_ALLOWED || cardo_command_has(s->command, "allow-guesses"))
        return CARDO_OK;
    return CARDO_FAIL(
        error, CARDO_ERROR_INPUT,
        "%s: %s: that is hardly more than a backbone, and forces between all atoms would be "
        "forces between guesses. Take a complete file; or a coarse-grained energy, which needs "
        "C-alpha atoms alone: --forcefield %s; or go on all the same with --allow-guesses",
        s->inputs.two->structure[0].path, s->note, coarse_choice(s));
}

/* What cardo prepare is to do with the reference. */
static cardo_wanted wanted_of(const search *s, bool relax, const char *output)
{
    const cardo_structure_definition *d = &s->inputs.definition[s->inputs.pair[0]];
    cardo_wanted wanted = {.options = cardo_prepare_options_default(),
                           .input = s->inputs.two->structure[0].path,
                           .output = output,
                           .read.model = d->model,
                           .relax = relax};
    wanted.options.chains = d->chains && d->chains[0] ? d->chains : NULL;
    if (s->forcefield) {
        wanted.nforcefield = 1;
        wanted.forcefield = &s->forcefield;
    }
    return wanted;
}

/* Before anything is relaxed, which takes far longer than building it. */
static cardo_status try_guesses(search *s, cardo_error *error)
{
    cardo_prepared prepared = {0};
    const cardo_wanted wanted = wanted_of(s, false, NULL);
    cardo_status status = cardo_prepared_make(&wanted, &prepared, error);
    if (status == CARDO_OK)
        status = judge_guesses(s, prepared.preparation, error);
    cardo_prepared_clear(&prepared);
    return status;
}

/* Writes the reference as cardo prepare would, and goes on with that. */
static cardo_status prepare(search *s, cardo_error *error)
{
    cardo_status status;
    cardo_prepared prepared = {0};
    char path[4096];
    cardo_wanted wanted = wanted_of(s, true, beside(s, PREPARED, path));
    CARDO_TRY(try_guesses(s, error));
    CARDO_TRY(cardo_prepared_make(&wanted, &prepared, error));
    CARDO_TRY(cardo_structure_write(wanted.output, prepared.preparation->structure, NULL, error));
    snprintf(s->prepared, sizeof s->prepared, "%s", wanted.output);
    if (cardo_command_has(s->command, "json"))
        status = cardo_prepared_fill(&wanted, &prepared,
                                     cardo_result_group(s->result, "preparation"), error);
    else if (!is_silent(s)) {
        printf("Prepared ");
        cardo_prepared_print(&wanted, &prepared, false);
        printf("\n");
    }
    CARDO_TRY(cardo_domain_inputs_replace(&s->inputs, s->prepared, error));
done:
    cardo_prepared_clear(&prepared);
    return status;
}

/* A reference that the force field covers stays as it is, but what cardo prepare has to say of it is said. */
static cardo_status review(search *s, cardo_error *error)
{
    cardo_prepared prepared = {0};
    cardo_wanted wanted = wanted_of(s, false, NULL);
    cardo_status status = cardo_prepared_make(&wanted, &prepared, error);
    if (status == CARDO_ERROR_INPUT) /* it is covered all the same */
        status = CARDO_OK;
    else if (status == CARDO_OK && cardo_command_has(s->command, "json"))
        status = cardo_prepared_fill(&wanted, &prepared,
                                     cardo_result_group(s->result, "preparation"), error);
    else if (status == CARDO_OK && !is_silent(s))
        cardo_prepared_print_review(&wanted, &prepared);
    cardo_prepared_clear(&prepared);
    return status;
}

/* A model cannot name a frame of a trajectory: the two that are compared become files. */
static cardo_status keep_frames(search *s, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    char path[4096];
    for (int k = 0; s->out && k < 2 && k < s->inputs.n && status == CARDO_OK; ++k)
        if (cardo_domain_inputs_is_frame(&s->inputs, s->inputs.pair[k]))
            status = cardo_domain_inputs_keep_frame(&s->inputs, s->inputs.pair[k],
                                                    beside(s, FRAME + k, path), error);
    return status;
}

static cardo_status read_stride(const search *s, long long *stride, cardo_error *error)
{
    const char *text = cardo_command_value(s->command, "stride");
    int given = 0;
    if (text && (!cardo_parse_int(text, (int)strlen(text), &given) || given < 1))
        return CARDO_FAIL(error, CARDO_ERROR_USAGE, "--stride %s is no number from 1", text);
    *stride = given;
    return CARDO_OK;
}

static cardo_status prepare_if_needed(search *s, cardo_error *error)
{
    bool covered = false;
    if (!s->out || s->coarse || cardo_command_has(s->command, "no-prepare"))
        return CARDO_OK;
    cardo_status status =
        is_covered(s->inputs.two->structure[0].structure, s->forcefield, &covered, error);
    if (status == CARDO_OK && covered)
        return review(s, error);
    if (status == CARDO_OK)
        status = prepare(s, error);
    if (status == CARDO_OK || s->note[0])
        return status;
    return cardo_error_prefix(
        error,
        "preparing %s for the model's force field (a coarse-grained energy needs C-alpha atoms "
        "alone: "
        "--forcefield %s; --no-prepare leaves the file as it is, which is enough for cardo "
        "modes and cardo fit): ",
        s->inputs.two->structure[0].path, coarse_choice(s));
}

static cardo_status read_cutoff(const search *s, double *cutoff, cardo_error *error)
{
    const char *text = cardo_command_value(s->command, "cutoff");
    *cutoff = DEFAULT_CUTOFF;
    if (text && (!cardo_parse_double(text, (int)strlen(text), cutoff) || !(*cutoff >= 0.4) ||
                 !(*cutoff <= 10)))
        return CARDO_FAIL(error, CARDO_ERROR_USAGE, "--cutoff %s is no distance from 0.4 to 10 nm",
                          text);
    return CARDO_OK;
}

static cardo_status find(search *s, cardo_error *error)
{
    const cardo_model *two = s->inputs.two;
    double cutoff;
    cardo_status status = read_cutoff(s, &cutoff, error);
    if (status != CARDO_OK)
        return status;
    if (two->nstructure == 2)
        return cardo_domain_motions_find(two->structure[0].structure, two->structure[1].structure,
                                         two->structure[1].match, &s->options, &s->motions, error);
    status = cardo_domains_predict(two->structure[0].structure, cutoff, &s->options, &s->prediction,
                                   error);
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

/* The file as it is found from the folder of the model file: as given where that is this folder. */
static const char *seen_from(const search *s, const char *file, char path[4096])
{
    const char *slash = strrchr(s->out, '/');
    if (strncmp(file, s->out, slash ? (size_t)(slash - s->out) + 1 : 0) == 0 && slash &&
        !strchr(file + (slash - s->out) + 1, '/'))
        return file + (slash - s->out) + 1;
    if (!slash || file[0] == '/')
        return file;
    char *whole = realpath(file, NULL);
    snprintf(path, 4096, "%s", whole ? whole : file);
    free(whole);
    return path;
}

static cardo_status write_files(search *s, cardo_error *error)
{
    cardo_status status;
    const cardo_model *two = s->inputs.two;
    char name[640], path[4096], seen[2][4096], annotation[4096];
    const cardo_structure_definition *d[2] = {&s->inputs.definition[s->inputs.pair[0]],
                                              &s->inputs.definition[s->inputs.pair[1]]};
    snprintf(name, sizeof name, s->prediction ? "%.300s, predicted hinges" : "%.300s to %.300s",
             d[0]->id, d[1]->id);
    cardo_domain_files files = {
        .name = name,
        .reference = two->structure[0].structure,
        .motions = s->motions,
        .forcefield =
            s->forcefield ? s->forcefield : cardo_usual_forcefield(two->structure[0].structure),
        .coarse = s->coarse,
        .predicted = s->prediction != NULL,
        .joint = s->joint,
        .welded = s->welded};
    for (int k = 0; k < two->nstructure; ++k)
        files.source[k] =
            (cardo_domain_source){.id = two->structure[k].id,
                                  .file = seen_from(s, two->structure[k].path, seen[k]),
                                  .chains = d[k]->chains,
                                  .model = d[k]->model,
                                  .identity = k ? s->inputs.identity : 0,
                                  .note = k == 0 && s->note[0] ? s->note : NULL};
    if (s->prepared[0]) {
        files.source[0].chains = NULL;
        files.source[0].model = 0;
    }
    CARDO_TRY(cardo_domain_annotation_write(&files, beside(s, ANNOTATION, path), error));
    CARDO_TRY(cardo_domain_model_write(&files, seen_from(s, path, annotation), s->out, error));
    CARDO_TRY(cardo_domain_pymol_write(&files, beside(s, PYMOL, path), error));
    CARDO_TRY(cardo_domain_chimerax_write(&files, beside(s, CHIMERAX, path), error));
done:
    return status;
}

static void print_written(const search *s)
{
    char path[4096];
    printf("\nWritten\n");
    for (int k = 0; k < 2 && k < s->inputs.n; ++k)
        if (strcmp(s->inputs.definition[s->inputs.pair[k]].file, beside(s, FRAME + k, path)) == 0)
            printf("  %-24s the frame that is the %s structure\n", path, k ? "second" : "first");
    if (s->prepared[0])
        printf("  %-24s the first structure, prepared for the force field\n", s->prepared);
    printf("  %-24s domains and hinge residues\n", beside(s, ANNOTATION, path));
    printf("  %-24s PyMOL: domains in colour, axes as arrows\n", beside(s, PYMOL, path));
    printf("  %-24s the same for ChimeraX\n", beside(s, CHIMERAX, path));
    printf("  %-24s the model: cardo info %s, cardo simulate %s\n", s->out, s->out, s->out);
}

static cardo_status report(search *s, cardo_error *error)
{
    const cardo_domain_findings found = {.inputs = &s->inputs,
                                         .motions = s->motions,
                                         .prediction = s->prediction,
                                         .state = s->state,
                                         .left_out = {s->left_out[0], s->left_out[1]},
                                         .note = s->note};
    cardo_status status = cardo_domains_fill(&found, s->result, error);
    if (status != CARDO_OK)
        return status;
    if (cardo_command_has(s->command, "json"))
        return cardo_printer_json.print(s->result, stdout, error);
    if (!cardo_command_has(s->command, "quiet"))
        cardo_domains_say(stdout, s->result);
    return CARDO_OK;
}

/* Of the model file that was written: what is strained at its start and, unless quiet, along its paths. */
static cardo_status tell_strain(const char *path, bool quiet, cardo_error *error)
{
    const cardo_session_options options = {.size = sizeof options, .forces_optional = true};
    cardo_session *session = NULL;
    cardo_ear ear = {.quiet = quiet};
    const cardo_listener listener = cardo_program_listener(&ear);
    cardo_status status = cardo_session_open(path, &options, &listener, &session, error);
    if (status == CARDO_OK)
        status = cardo_strain_tell(session, "the model's start", false, error);
    if (status == CARDO_OK && !quiet && session->terms)
        status = cardo_strain_print_course(session, error);
    cardo_session_close(session);
    return status;
}

static cardo_status run(const cardo_command *command, cardo_error *error)
{
    cardo_status status;
    long long stride = 0;
    search s = {.command = command};
    if (command->nargument < 1)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                          "two structure files are needed, or more, or one to predict from: cardo "
                          "domains %s",
                          command->verb->synopsis);
    CARDO_TRY(cardo_result_create(&s.result, error));
    CARDO_TRY(read_options(&s, error));
    CARDO_TRY(read_joints(&s, error));
    CARDO_TRY(read_forcefield(&s, error));
    CARDO_TRY(check_outputs(&s, error));
    CARDO_TRY(read_stride(&s, &stride, error));
    CARDO_TRY(
        cardo_domain_inputs_read(command->nargument, command->argument, stride, &s.inputs, error));
    s.mmcif = !cardo_pdb_holds(s.inputs.two->structure[0].structure, NULL) ||
              cardo_path_is_mmcif(s.inputs.definition[s.inputs.pair[0]].file);
    if (s.inputs.n == 1 && has_path(&s))
        CARDO_TRY(CARDO_FAIL(error, CARDO_ERROR_USAGE,
                             "--joint %s needs two structures; a prediction has pin, ball or free",
                             s.joint));
    CARDO_TRY(keep_frames(&s, error));
    keep_left_out(&s);
    CARDO_TRY(prepare_if_needed(&s, error));
    CARDO_TRY(find(&s, error));
    CARDO_TRY(place_members(&s, error));
    CARDO_TRY(report(&s, error));
    if (s.out && s.motions->ndomain == 1)
        CARDO_TRY(CARDO_FAIL(error, CARDO_ERROR_INPUT,
                             "%s is not written: one rigid domain has no hinge to make a model of",
                             s.out));
    if (s.out) {
        CARDO_TRY(write_files(&s, error));
        s.done = true;
        remove_stale(&s);
        if (!is_silent(&s))
            print_written(&s);
        CARDO_TRY(tell_strain(s.out, is_silent(&s), error));
    }
done:
    clear(&s);
    return status;
}

static const cardo_option options[] = {
    {"out", 'o', "MODEL.xml",
     "write a model that runs, its annotation, and scripts for PyMOL and ChimeraX; the first "
     "structure is prepared where the force field does not cover it"},
    {"force", 'f', NULL, "overwrite them"},
    {"no-prepare", 0, NULL, "write the model for the first structure as it is"},
    {"allow-guesses", 0, NULL,
     "write an all-atom model although more than a quarter of its heavy atoms is guessed, as of a "
     "backbone"},
    {"forcefield", 0, "FILE",
     "force field of the model (default: ff14SB.xml; with nucleic acids ff99SB.xml), or a "
     "coarse-grained energy, "
     "which needs no preparation and C-alpha atoms alone: double-basin.xml, elastic-network.xml, "
     "kim-hummer.xml"},
    CARDO_IDENTITY_OPTION,
    {"joint", 0, "KIND",
     "how domains hang on each other in the model: path (default), hinge (a path that may twist "
     "and "
     "bend too), pin about the found axis, ball, free"},
    {"base", 0, "HOW", "the root in the model: free (default) or welded to ground"},
    {"set", 's', "NAME=VALUE", "an option of the search, such as domains.smallest=30"},
    {"stride", 0, "N",
     "of a trajectory, take every N-th frame (default: so that 100 at most are looked at)"},
    {"cutoff", 0, "NM", "of the elastic network, when there is one structure (default 1.5)"},
    {"json", 'j', NULL, "print JSON"},
    {"quiet", 'q', NULL, "print nothing"},
    {0},
};

static const cardo_option_group groups[] = {
    {"Options of the search", cardo_domain_option_fields},
    {0},
};

const cardo_verb cardo_verb_domains = {
    .name = "domains",
    .synopsis = "FIRST SECOND ... | ENSEMBLE | TOPOLOGY TRAJECTORY | STRUCTURE [-o MODEL.xml] "
                "[options]",
    .summary = "find rigid domains and hinges between structures, and write a model that runs",
    .description =
        "Aligns the chains of two structures of one protein, finds the parts that move as rigid "
        "bodies, and describes how they do: screw axes, bending residues, the strands that cross, "
        "and what rigid domains leave unexplained, with a verdict in words. Two methods look: "
        "clustering of the rotations of short windows of backbone (Hayward & Berendsen 1998), and "
        "recursive rigid fitting; a hinge is what both see. FILE#CHAIN and FILE#MODEL:CHAIN choose "
        "a chain and a model. Of more than two structures, or the models of one file, the two that "
        "differ most are compared and all are placed between them. A trajectory (AMBER NetCDF, "
        "DCD) "
        "stands for its frames, with the atoms of the structure before it; FILE#N: chooses one. "
        "From one structure domains are "
        "predicted by the softest modes of its elastic network.",
    .options = options,
    .groups = groups,
    .run = run,
};
