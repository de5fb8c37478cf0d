#include "study/domains/reference.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "forces/coarse/coarse.h"
#include "forces/ffxml/coverage.h"
#include "structure/pdb/pdb.h"
#include "topology/bonds.h"

#include <stdio.h>
#include <string.h>

cardo_status cardo_domain_place(const cardo_writer *writer, const char *name, char **out,
                                cardo_error *error)
{
    const char *place = writer->place && strcmp(writer->place, ".") != 0 ? writer->place : "";
    const size_t n = strlen(place) + strlen(name) + 2;
    cardo_status status = cardo_allocate((void **)out, n, 1, error);
    if (status == CARDO_OK)
        snprintf(*out, n, "%s%s%s", place, place[0] ? "/" : "", name);
    return status;
}

/* Files of a force field. Zero-initialise. */
enum { MOST_FILES = 16 };
typedef struct forcefield_files {
    int n;
    char *path[MOST_FILES];
} forcefield_files;

static void clear_files(forcefield_files *files)
{
    for (int k = 0; k < files->n; ++k)
        cardo_free(files->path[k]);
    files->n = 0;
}

/* Of names with commas or blanks between. */
static cardo_status find_files(const char *names, forcefield_files *files, cardo_error *error)
{
    char name[512];
    cardo_status status = CARDO_OK;
    for (const char *word = names; *(word += strspn(word, ", ")) && status == CARDO_OK;) {
        const size_t length = strcspn(word, ", ");
        if (files->n == MOST_FILES)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: more than %d force-field files", names,
                              MOST_FILES);
        snprintf(name, sizeof name, "%.*s", (int)length, word);
        status = cardo_find_data(name, NULL, "forcefields", &files->path[files->n], error);
        files->n += status == CARDO_OK;
        word += length;
    }
    return status;
}

cardo_status cardo_domain_reference_look(cardo_domain_reference *r, cardo_error *error)
{
    forcefield_files files = {0};
    if (!r->options->forcefield)
        return CARDO_OK;
    const cardo_status status = find_files(r->options->forcefield, &files, error);
    for (int k = 0; k < files.n; ++k)
        r->coarse = r->coarse || cardo_coarse_is_file(files.path[k]);
    clear_files(&files);
    return status;
}

/* Does the force field of that name (NULL: the usual one) cover the reference as it is? */
static cardo_status is_covered(const cardo_structure *given, const char *name, bool *covered,
                               cardo_error *error)
{
    cardo_status status;
    char *templates = NULL;
    forcefield_files files = {0};
    union {
        char **path;
        const char *const *read;
    } names = {files.path};
    cardo_structure *s = NULL;
    cardo_bonds *bonds = NULL;
    cardo_forcefield *forcefield = NULL;
    cardo_coverage *coverage = NULL;
    bool *keep = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&keep, given->natom, error));
    memset(keep, true, (size_t)given->natom * sizeof *keep);
    CARDO_TRY(cardo_structure_subset(given, keep, &s, error));
    CARDO_TRY(cardo_find_data("residues.xml", NULL, "topologies", &templates, error));
    CARDO_TRY(find_files(name ? name : cardo_usual_forcefield(s), &files, error));
    CARDO_TRY(cardo_normalise_names(s, templates, error));
    CARDO_TRY(cardo_bonds_find(s, templates, &bonds, error));
    CARDO_TRY(cardo_forcefield_read(files.n, names.read, &forcefield, error));
    CARDO_TRY(cardo_coverage_find(forcefield, s, bonds, &coverage, error));
    *covered = coverage->nproblem == 0;
done:
    cardo_coverage_destroy(coverage);
    cardo_forcefield_destroy(forcefield);
    cardo_bonds_destroy(bonds);
    cardo_structure_destroy(s);
    cardo_free(templates);
    clear_files(&files);
    cardo_free(keep);
    return status;
}

/* What to do in place of preparing, in words of our own or as the host's users do it. The coarse-grained energies are
 * for as many structures as there are. Returns text. */
static const char *advice(const cardo_domain_reference *r, cardo_advice which, char text[512])
{
    const cardo_listener *listener = r->listener;
    const char *coarse = r->inputs->n > 1
                             ? "elastic-network.xml (one well) or double-basin.xml (two)"
                             : "elastic-network.xml";
    snprintf(text, 512,
             which == CARDO_ADVISE_GUESSES
                 ? "a coarse-grained energy, which needs C-alpha atoms alone: forcefield %s; or go "
                   "on all the same with allow-guesses"
                 : "a coarse-grained energy needs C-alpha atoms alone: forcefield %s; without "
                   "preparation the file stays as it is, which is enough for modes and fits",
             coarse);
    if (listener->advise)
        listener->advise(listener->user, which, coarse, text, 512);
    return text;
}

/* A structure most of whose side chains are guesses makes no all-atom model unless one is told to, and then
 * the model says so. */
static cardo_status judge_guesses(cardo_domain_reference *r, const cardo_preparation *made,
                                  cardo_error *error)
{
    int guessed, heavy;
    char text[512];
    const double share = cardo_prepared_guesses(made, &guessed, &heavy);
    if (share > CARDO_GUESSES_TOLD)
        cardo_format(r->note, sizeof r->note,
                     "%d of %d heavy atoms (%.0f %%) are guesses of the preparation", guessed,
                     heavy, 100 * share);
    if (share <= CARDO_GUESSES_ALLOWED || r->options->how.allow_guesses)
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "%s: %s: that is hardly more than a backbone, and forces between all atoms "
                      "would be forces between guesses. Take a complete file; or %s",
                      r->inputs->two->structure[0].path, r->note,
                      advice(r, CARDO_ADVISE_GUESSES, text));
}

/* What is to be done with the reference. */
static cardo_wanted wanted_of(const cardo_domain_reference *r, bool relax, const char *output)
{
    const cardo_structure_definition *d = &r->inputs->definition[r->inputs->pair[0]];
    cardo_wanted wanted = {.options = cardo_prepare_options_default(),
                           .input = r->inputs->two->structure[0].path,
                           .output = output,
                           .read.model = d->model,
                           .relax = relax,
                           .forcefield = r->options->forcefield,
                           .listener = r->listener};
    wanted.options.chains = d->chains && d->chains[0] ? d->chains : NULL;
    return wanted;
}

/* Before anything is relaxed, which takes far longer than building it. */
static cardo_status try_guesses(cardo_domain_reference *r, cardo_error *error)
{
    cardo_prepared prepared = {0};
    const cardo_wanted wanted = wanted_of(r, false, NULL);
    cardo_status status = cardo_prepared_make(&wanted, &prepared, error);
    if (status == CARDO_OK)
        status = judge_guesses(r, prepared.preparation, error);
    cardo_prepared_clear(&prepared);
    return status;
}

static cardo_status write_structure(const cardo_domain_reference *r,
                                    const cardo_structure *structure, cardo_error *error)
{
    return cardo_writer_structure(r->options->writer, r->file, structure, structure->position,
                                  error);
}

static cardo_status prepare(cardo_domain_reference *r, cardo_result *into, cardo_error *error)
{
    cardo_status status;
    cardo_prepared prepared = {0};
    char *path = NULL;
    CARDO_TRY(cardo_domain_place(r->options->writer, r->file, &path, error));
    const cardo_wanted wanted = wanted_of(r, true, path);
    CARDO_TRY(try_guesses(r, error));
    CARDO_TRY(cardo_prepared_make(&wanted, &prepared, error));
    CARDO_TRY(write_structure(r, prepared.preparation->structure, error));
    CARDO_TRY(
        cardo_prepared_fill(&wanted, &prepared, cardo_result_group(into, "preparation"), error));
    r->prepared = path;
    path = NULL;
    status = cardo_domain_inputs_replace(r->inputs, r->prepared, error);
done:
    cardo_prepared_clear(&prepared);
    cardo_free(path);
    return status;
}

/* A reference that the force field covers stays as it is, but what preparing has to say of it is said. */
static cardo_status review(const cardo_domain_reference *r, cardo_result *into, cardo_error *error)
{
    cardo_prepared prepared = {0};
    const cardo_wanted wanted = wanted_of(r, false, NULL);
    cardo_status status = cardo_prepared_make(&wanted, &prepared, error);
    if (status == CARDO_ERROR_INPUT) /* it is covered all the same */
        status = CARDO_OK;
    else if (status == CARDO_OK)
        status =
            cardo_prepared_fill(&wanted, &prepared, cardo_result_group(into, "preparation"), error);
    cardo_prepared_clear(&prepared);
    return status;
}

cardo_status cardo_domain_reference_prepare(cardo_domain_reference *r, cardo_result *into,
                                            cardo_error *error)
{
    bool covered = false;
    char text[512];
    if (!r->options->writer || r->coarse || !r->options->how.prepare)
        return CARDO_OK;
    cardo_status status =
        is_covered(r->inputs->two->structure[0].structure, r->options->forcefield, &covered, error);
    if (status == CARDO_OK && covered)
        return review(r, into, error);
    if (status == CARDO_OK)
        status = prepare(r, into, error);
    if (status == CARDO_OK || r->note[0])
        return status;
    return cardo_error_prefix(
        error, "preparing %s for the model's force field (%s): ", r->inputs->two->structure[0].path,
        advice(r, CARDO_ADVISE_NO_PREPARATION, text));
}
