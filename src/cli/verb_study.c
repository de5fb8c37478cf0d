/* cardo study: from two structures to an answer, and a page. */
#include "cli/frame/home.h"
#include "cli/frame/reading.h"
#include "cli/frame/study_verb.h"
#include "cli/frame/version.h"
#include <cardo/fetch.h>
#include <cardo/report.h>
#include <cardo/result_fill.h>
#include <cardo/text.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAGE "page.html"

static const cardo_option options[] = {
    {"out", 'o', "FOLDER", "results folder (default: the first file's name with .study)"},
    {"continue", 'c', NULL,
     "go on where a study was stopped, with the options that it was begun with"},
    {"force", 'f', NULL, "start over although the folder holds a study"},
    {"time", 0, "MINUTES",
     "in which all is to be done (default 10): what would take longer is left out, and said",
     "time"},
    {"rung", 0, "WHICH",
     "the highest that is tried: coarse, rigid, flexible (default: as far as the time goes)",
     "rung"},
    {"symmetric", 0, NULL,
     "hinges that are copies of each other, as in a ring of equal chains, go by one coordinate",
     "symmetric=yes"},
    {"temperature", 0, "KELVIN", "of free energies and dynamics, such as 310 or 310K",
     "temperature"},
    {"seed", 0, "N", "seed of all random numbers", "seed"},
    {"url", 0, "ADDRESS",
     "of entries that are fetched: a mirror, as with cardo fetch (default: the RCSB)"},
    CARDO_IDENTITY_OPTION,
    {"json", 0, NULL, "print JSON"},
    {"quiet", 'q', NULL, "print nothing"},
    {0},
};

/* The page of all that was done, what the answer is from first. */
static cardo_status add_page(const char *folder, const cardo_result *result, cardo_error *error)
{
    enum { MOST = 64 };
    const cardo_result *parts = cardo_result_find(result, "page");
    char *path[MOST + 1] = {NULL};
    const char *const *read = (const char *const *)path;
    char page[4096];
    int n = 0;
    cardo_status status = CARDO_OK;
    char title[400];
    cardo_format(title, sizeof title, "%s to %s", cardo_result_text_at(result, "start"),
                 cardo_result_text_at(result, "end"));
    const cardo_report_options how = {
        .size = sizeof how, .title = title, .program = "cardo", .version = cardo_version_text()};
    for (int k = -1; k < cardo_result_count(parts) && n < MOST && status == CARDO_OK; ++k, ++n) {
        char *text = malloc(4096);
        if (!text)
            status = CARDO_FAIL(error, CARDO_ERROR_MEMORY, "no memory for a name");
        else if (k < 0)
            cardo_format(text, 4096, "%s", folder);
        else
            cardo_format(text, 4096, "%s/%s", folder,
                         cardo_result_as_texts(cardo_result_part(parts, k))[0]);
        path[n] = text;
    }
    cardo_format(page, sizeof page, "%s/" PAGE, folder);
    if (status == CARDO_OK)
        status = cardo_report_write(n, read, &how, page, NULL, error);
    for (int k = 0; k < n; ++k)
        free(path[k]);
    return status;
}

/* A word as a shell reads it. */
static void print_word(FILE *stream, const char *word)
{
    const bool plain = strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                    "_-./:=,+") == strlen(word);
    fputs(plain ? " " : " '", stream);
    for (const char *c = word; *c; ++c)
        if (*c == '\'')
            fputs("'\\''", stream);
        else
            fputc(*c, stream);
    if (!plain)
        fputc('\'', stream);
}

/* Options of the study as they are typed. */
static void print_options(FILE *stream, const char *study, const char *texts)
{
    char text[256], word[400];
    for (; *texts; texts += strspn(texts, " ")) {
        const int length = (int)strcspn(texts, " ");
        cardo_format(text, sizeof text, "%.*s", length, texts);
        texts += length;
        if (strncmp(text, "name=", 5) == 0)
            continue;
        if (strcmp(text, "motion=flexible") == 0)
            cardo_format(word, sizeof word, "--flexible");
        else if (strcmp(text, "clashes=yes") == 0)
            cardo_format(word, sizeof word, "--clashes");
        else if (strcmp(study, "domains") == 0)
            cardo_format(word, sizeof word, "--%s", text);
        else
            cardo_format(word, sizeof word, "--set=%s.%s", study, text);
        print_word(stream, word);
    }
}

static const char *cell(const cardo_result *steps, const char *name, long long row)
{
    const cardo_result *column = cardo_result_find(steps, name);
    return column && !cardo_result_is_absent(column, row) ? cardo_result_as_texts(column)[row]
                                                          : NULL;
}

static void print_command(FILE *stream, const cardo_command *command, const char *folder,
                          const cardo_result *steps, long long row)
{
    char word[4096];
    const char *study = cell(steps, "study", row), *model = cell(steps, "model", row),
               *start = cell(steps, "start", row), *step = cell(steps, "step", row);
    if (!study)
        return;
    fprintf(stream, "\n# %s\ncardo %s", cell(steps, "what", row), study);
    for (int k = 0; !model && k < command->nargument; ++k)
        print_word(stream, command->argument[k]);
    if (model)
        print_word(stream, model);
    print_options(stream, study, cell(steps, "options", row));
    if (start) {
        cardo_format(word, sizeof word, "--from=%s/%s/coordinates.csv", folder, start);
        print_word(stream, word);
    }
    if (strcmp(study, "info") != 0) {
        cardo_format(word, sizeof word, "--out=%s/%s%s", folder, step, model ? "" : "/model.xml");
        print_word(stream, word);
    }
    fputc('\n', stream);
}

/* What to type for each step. */
static cardo_status add_commands(const cardo_command *command, const char *folder,
                                 const cardo_result *result, cardo_error *error)
{
    char path[4096];
    const cardo_result *steps = cardo_result_find(result, "steps");
    cardo_format(path, sizeof path, "%s/commands.sh", folder);
    FILE *stream = fopen(path, "w");
    if (!stream)
        return CARDO_FAIL(error, CARDO_ERROR_FILE, "%s: cannot be written", path);
    fputs("#!/bin/sh\n# What was done, step by step, to go on from by hand. Models are files that "
          "may "
          "be edited.\n",
          stream);
    for (long long row = 0; row < cardo_result_rows(steps); ++row)
        print_command(stream, command, folder, steps, row);
    const bool failed = ferror(stream);
    return fclose(stream) == 0 && !failed
               ? CARDO_OK
               : CARDO_FAIL(error, CARDO_ERROR_FILE, "%s: cannot be written", path);
}

static cardo_status add_files(const cardo_command *command, const char *folder,
                              cardo_result *result, cardo_error *error)
{
    if (!cardo_result_find(result, "steps"))
        return CARDO_OK;
    cardo_status status = add_commands(command, folder, result, error);
    return status == CARDO_OK ? add_page(folder, result, error) : status;
}

/* Whether what is named, but for #CHAIN, is no file and looks like an entry of the PDB. */
static bool is_entry(const char *argument, char id[16])
{
    const size_t n = strcspn(argument, "#");
    if (n >= 16)
        return false;
    cardo_format(id, 16, "%.*s", (int)n, argument);
    return access(id, F_OK) != 0 && cardo_entry_id_check(id, NULL) == CARDO_OK;
}

/* Fetches an entry into this folder; *out: its file, with what followed the id. */
static cardo_status fetch(const cardo_command *command, const char *id, const char *rest,
                          char **out, cardo_error *error)
{
    const cardo_fetch_options how = {.size = sizeof how,
                                     .url = cardo_command_value(command, "url")};
    cardo_fetcher *fetcher = NULL;
    cardo_result *result = NULL;
    cardo_status status;
    CARDO_TRY(cardo_fetcher_create(&how, &fetcher, error));
    CARDO_TRY(cardo_result_create(&result, error));
    cardo_result *entries = cardo_result_list(result, "entries");
    CARDO_TRY(cardo_fetch(fetcher, id, entries, error));
    const char *file = cardo_result_text_at(result, "entries/0/file");
    const size_t size = (file ? strlen(file) : 0) + strlen(rest) + 1;
    *out = malloc(size);
    if (!file || !*out)
        CARDO_TRY(CARDO_FAIL(error, CARDO_ERROR_MEMORY, "no memory for a name"));
    snprintf(*out, size, "%s%s", file, rest);
done:
    cardo_fetcher_destroy(fetcher);
    cardo_result_destroy(result);
    return status;
}

/* Entries of the PDB among the arguments become files. */
static cardo_status run(const cardo_command *given, cardo_error *error)
{
    cardo_command command = *given;
    char *own[CARDO_MOST_GIVEN] = {NULL}, id[16];
    cardo_status status = CARDO_OK;
    for (int k = 0; k < given->nargument && status == CARDO_OK; ++k)
        if (is_entry(given->argument[k], id)) {
            status = fetch(given, id, given->argument[k] + strlen(id), &own[k], error);
            command.argument[k] = own[k];
        }
    if (status == CARDO_OK)
        status = cardo_study_verb_run(&command, error);
    for (int k = 0; k < given->nargument; ++k)
        free(own[k]);
    return status;
}

static const cardo_study_file files[] = {
    {PAGE, "all of it on one page: open it in a browser"},
    {"answer.txt", "these lines"},
    {"commands.sh", "what was done, step by step, to go on from by hand"},
    {NULL, NULL},
};

static cardo_status judge(const cardo_result *result, cardo_error *error)
{
    const cardo_result *interrupted = cardo_result_find(result, "interrupted");
    return interrupted && cardo_result_as_truths(interrupted)[0]
               ? CARDO_FAIL(error, CARDO_ERROR_INTERRUPTED,
                            "interrupted; cardo study --out %s --continue goes on",
                            cardo_result_text_at(result, "folder"))
               : CARDO_OK;
}

static const cardo_study_verb of_study = {
    .study = "transition",
    .wants = "two structure files are needed, or a file with several models",
    .suffix = ".study",
    .add_files = add_files,
    .files = files,
    .judge = judge,
};

const cardo_verb cardo_verb_study = {
    .name = "study",
    .synopsis = "FIRST SECOND ... | ENSEMBLE [-o FOLDER] [options]",
    .summary = "from two structures to how a protein moves between them, on one page",
    .description =
        "Finds domains and hinges between two structures of one protein, makes models of the "
        "motion, and computes what it costs: contacts along the path, minimum, modes, short "
        "dynamics, and the free energy along each hinge. Says beforehand what it will do and how "
        "long that takes, and ends with the answer in some ten lines, with its error and its "
        "doubts, and a page. Three rungs: coarse (C-alpha atoms and rigid domains; backbones do), "
        "rigid (all atoms, rigid domains), flexible (strands between domains and side chains give "
        "way). The answer is from the highest that is done in --time and makes its motion from the "
        "first structure to the second; of the others it is said what stops them. FILE#CHAIN and "
        "FILE#MODEL:CHAIN choose a chain and a model; what is no file and looks like an entry of "
        "the PDB, 4AKE or 4AKE#A, is fetched. A study that was stopped goes on with "
        "--continue.",
    .options = options,
    .tables = "transition",
    .study = &of_study,
    .run = run,
};
