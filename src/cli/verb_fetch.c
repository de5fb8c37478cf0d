/* cardo fetch: entries of the Protein Data Bank as files. */
#include "cli/frame/progress.h"
#include "cli/frame/settings.h"
#include "cli/frame/verb.h"
#include <cardo/fetch.h>
#include <cardo/files.h>
#include <cardo/result_fill.h>
#include <cardo/result_text.h>
#include <cardo/text.h>

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BAR_WIDTH = 30 };
static const double redraw_seconds = 0.2;
static const double patience = 0.3; /* s: what takes no longer is over before it is read */
static const double longest_timeout = 86400, largest_limit = 1000;

/* A bar on a terminal, one line a decade of percent otherwise, for the entry under way. */
typedef struct meter {
    const char *id;
    double started, shown; /* s: when it began, and was last drawn */
    int decade;
    bool terminal, quiet, drawn;
} meter;

static void draw_bar(meter *m, long long received, long long expected)
{
    char bar[BAR_WIDTH + 1];
    int filled = expected > 0 ? (int)(BAR_WIDTH * received / expected) : 0;
    memset(bar, ' ', BAR_WIDTH);
    memset(bar, '#', (size_t)(filled < BAR_WIDTH ? filled : BAR_WIDTH));
    bar[BAR_WIDTH] = '\0';
    cardo_print(stderr, "\r%s [%s] %.0f kB\033[K", m->id, bar, 1e-3 * (double)received);
    fflush(stderr);
    m->drawn = true;
}

static void show(void *user, long long received, long long expected)
{
    meter *m = user;
    if (m->quiet || received == 0)
        return;
    double t = cardo_program_clock();
    int decade = expected > 0 ? (int)(10 * received / expected) : 0;
    if (t - m->started < patience)
        return;
    if (m->terminal ? t - m->shown < redraw_seconds : decade <= m->decade)
        return;
    if (m->terminal)
        draw_bar(m, received, expected);
    else
        cardo_print(stderr, "%s %3d %%  %.0f of %.0f kB\n", m->id, 10 * decade,
                    1e-3 * (double)received, 1e-3 * (double)expected);
    m->shown = t;
    m->decade = decade;
}

static void begin(meter *m, const char *id)
{
    m->id = id;
    m->decade = 0;
    m->started = cardo_program_clock();
    m->shown = 0;
}

static void wipe(meter *m)
{
    if (m->drawn)
        fprintf(stderr, "\r\033[K");
    m->drawn = false;
}

static void print_entry(const cardo_result *entry)
{
    cardo_result_say(stdout, entry, "{file}: {residues} residues, {atoms} atoms");
    if (cardo_result_number_at(entry, "models") > 1)
        cardo_result_say(stdout, entry, " in the first of {models} models");
    cardo_print(stdout, "; %.0f kB", 1e-3 * cardo_result_number_at(entry, "bytes"));
    cardo_result_say(stdout, entry, "{was_there?; it was there already (--force gets it again)}\n");
    const bool *confirmed = cardo_result_as_truths(cardo_result_find(entry, "confirmed"));
    if (!*confirmed)
        cardo_result_say(stderr, entry,
                         "cardo fetch: {file}: the file does not say which entry it is\n");
    fflush(stdout);
}

/* Ids are the same in capital and in small letters, whatever the locale calls a letter. */
static bool is_same(const char *one, const char *other)
{
    for (; *one && ((*one ^ *other) & ~('a' - 'A')) == 0; ++one)
        ++other;
    return *one == *other;
}

static bool came_before(const cardo_command *command, int k)
{
    for (int i = 0; i < k; ++i)
        if (is_same(command->argument[i], command->argument[k]))
            return true;
    return false;
}

/* One that fails does not keep the others from coming: its message is printed at once, and the last
 * one's is left in error. */
static cardo_status fetch_all(const cardo_command *command, cardo_fetcher *fetcher, meter *m,
                              cardo_result *entries, cardo_error *error)
{
    cardo_status result = CARDO_OK;
    const bool as_json = cardo_command_has(command, "json");
    for (int k = 0; k < command->nargument; ++k) {
        if (came_before(command, k))
            continue;
        cardo_error failure = {0};
        begin(m, command->argument[k]);
        cardo_status status = cardo_fetch(fetcher, command->argument[k], entries, &failure);
        wipe(m);
        if (status == CARDO_OK && !as_json)
            print_entry(cardo_result_part(entries, cardo_result_count(entries) - 1));
        if (status == CARDO_OK)
            continue;
        cardo_spell_options(command->verb, &failure);
        if (result != CARDO_OK)
            fprintf(stderr, "cardo fetch: %s\n", error->message);
        *error = failure;
        result = status;
    }
    if (as_json)
        cardo_result_print(entries, "json", stdout, NULL);
    return result;
}

/* An option's number, when it is given; beyond these bounds is CARDO_ERROR_USAGE. */
static cardo_status read_number(const cardo_command *command, const char *name, const char *unit,
                                double least, double most, double *value, cardo_error *error)
{
    const char *text = cardo_command_value(command, name);
    if (!text)
        return CARDO_OK;
    if (strlen(text) < INT_MAX && cardo_parse_double(text, (int)strlen(text), value) &&
        *value >= least && *value <= most)
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_USAGE, "--%s is a number of %s, from %g to %.0f, not '%s'",
                      name, unit, least, most, text);
}

/* Everything on the command line that is wrong is found before anything is asked of a server. */
static cardo_status read_command(const cardo_command *command, cardo_fetch_options *options,
                                 cardo_error *error)
{
    cardo_status status = CARDO_OK;
    if (command->nargument == 0)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                          "needs ids of PDB entries: cardo fetch 2LAO 1LST");
    CARDO_TRY(read_number(command, "timeout", "seconds", 0.001, longest_timeout, &options->timeout,
                          error));
    CARDO_TRY(
        read_number(command, "limit", "megabytes", 0.001, largest_limit, &options->limit, error));
    for (int k = 0; k < command->nargument; ++k)
        CARDO_TRY(cardo_entry_id_check(command->argument[k], error));
done:
    return status;
}

static cardo_status run(const cardo_command *command, cardo_error *error)
{
    cardo_status status;
    meter m = {.terminal = isatty(STDERR_FILENO) != 0,
               .quiet = cardo_command_has(command, "quiet")};
    cardo_fetch_options options = {.size = sizeof options,
                                   .format = cardo_command_value(command, "format"),
                                   .url = cardo_command_value(command, "url"),
                                   .out = cardo_command_value(command, "out"),
                                   .force = cardo_command_has(command, "force"),
                                   .progress = show,
                                   .user = &m};
    cardo_fetcher *fetcher = NULL;
    cardo_result *result = NULL;
    CARDO_TRY(read_command(command, &options, error));
    CARDO_TRY(cardo_fetcher_create(&options, &fetcher, error));
    CARDO_TRY(cardo_result_create(&result, error));
    status = fetch_all(command, fetcher, &m, cardo_result_list(result, "entries"), error);
done:
    cardo_fetcher_destroy(fetcher);
    cardo_result_destroy(result);
    return status;
}

static const cardo_option options[] = {
    {"format", 0, "FORMAT", "cif (mmCIF, the default) or pdb, which large entries do not have"},
    {"out", 'o', "FOLDER", "where the files go; it is made when it is not there (default: here)"},
    {"url", 'u', "ADDRESS",
     "a mirror: its folder, or an address with {ID} (2LAO), {id} (2lao), {middle} (la) and "
     "{format} (cif or pdb) in it (default: the RCSB)"},
    {"timeout", 't', "SECONDS",
     "an entry must have come whole within so long (default 600); a server that sends next to "
     "nothing for 30 s, or for this long when it is less, is given up too"},
    {"limit", 0, "MB",
     "give up beyond so many megabytes, as they come and unpacked (default 500; 1000 at most)"},
    {"force", 'f', NULL, "get files again that are there already"},
    {"quiet", 'q', NULL, "no progress"},
    {"json", 0, NULL, "print JSON"},
    {0},
};

const cardo_verb cardo_verb_fetch = {
    .name = "fetch",
    .synopsis = "ID... [options]",
    .summary = "download entries of the Protein Data Bank",
    .description =
        "Downloads entries from the RCSB, compressed where the server has them so, and writes each "
        "as ID.cif or ID.pdb, named as the id was typed. A file is kept only when it came whole, "
        "reads as a structure and says that it is that entry (where it does not say, that is "
        "reported). A file that is there already stays: it is fine where it is that entry, whole. "
        "An entry that cannot be had does not keep the others from coming; the exit status tells. "
        "Ids have four characters (2LAO) or are extended (pdb_00002lao). Proxies are taken from "
        "the environment: https_proxy, http_proxy, all_proxy, no_proxy.",
    .options = options,
    .run = run,
};
