/* cardo fetch: entries of the Protein Data Bank as files. */
#include "base/letters.h"
#include "base/memory.h"
#include "cli/progress.h"
#include "cli/verb.h"
#include "io/fetch/entry.h"
#include "io/results/json.h"
#include <cardo/text.h>

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BAR_WIDTH = 30, MEGABYTE = 1000000, DEFAULT_LIMIT = 500, LARGEST_LIMIT = 1000 };
static const double redraw_seconds = 0.2;
static const double patience = 0.3; /* s: what takes no longer is over before it is read */
static const double default_timeout = 600, longest_timeout = 86400;
static const double longest_stall = 30; /* s without a byte, after which no more will come */

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

static cardo_json *entry_json(const char *id, const cardo_entry *entry)
{
    const cardo_structure *s = entry->structure;
    cardo_json *one = cardo_json_object();
    cardo_json_string(one, "id", id);
    cardo_json_string(one, "file", entry->path);
    if (entry->url)
        cardo_json_string(one, "url", entry->url);
    cardo_json_bool(one, "was_there", entry->was_there);
    cardo_json_bool(one, "confirmed", entry->confirmed);
    cardo_json_integer(one, "bytes", entry->nbyte);
    cardo_json_integer(one, "atoms", s->natom);
    cardo_json_integer(one, "residues", s->nresidue);
    cardo_json_integer(one, "models", s->nmodel);
    return one;
}

static void print_entry(const cardo_entry *entry)
{
    const cardo_structure *s = entry->structure;
    printf("%s: %d residues, %d atoms", entry->path, s->nresidue, s->natom);
    if (s->nmodel > 1)
        printf(" in the first of %d models", s->nmodel);
    cardo_print(stdout, "; %.0f kB%s\n", 1e-3 * entry->nbyte,
                entry->was_there ? "; it was there already (--force gets it again)" : "");
    if (!entry->confirmed)
        fprintf(stderr, "cardo fetch: %s: the file does not say which entry it is\n", entry->path);
    fflush(stdout);
}

static bool came_before(const cardo_command *command, int k)
{
    for (int i = 0; i < k; ++i)
        if (cardo_same_letters(command->argument[i], command->argument[k]))
            return true;
    return false;
}

/* One that fails does not keep the others from coming: its message is printed at once, and the last
 * one's is left in error. */
static cardo_status fetch_all(const cardo_command *command, cardo_entry_request *request,
                              cardo_downloader *downloader, meter *m, cardo_error *error)
{
    cardo_status result = CARDO_OK;
    bool as_json = cardo_command_has(command, "json");
    cardo_json *list = as_json ? cardo_json_array() : NULL;
    for (int k = 0; k < command->nargument; ++k) {
        if (came_before(command, k))
            continue;
        cardo_entry entry = {0};
        cardo_error failure = {0};
        request->id = command->argument[k];
        begin(m, request->id);
        cardo_status status = cardo_entry_fetch(downloader, request, &entry, &failure);
        wipe(m);
        if (status == CARDO_OK && as_json)
            cardo_json_put(list, NULL, entry_json(request->id, &entry));
        else if (status == CARDO_OK)
            print_entry(&entry);
        cardo_entry_destroy(&entry);
        if (status == CARDO_OK)
            continue;
        if (result != CARDO_OK)
            fprintf(stderr, "cardo fetch: %s\n", error->message);
        *error = failure;
        result = status;
    }
    if (as_json)
        cardo_json_print(list, stdout);
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
static cardo_status read_command(const cardo_command *command, cardo_entry_request *request,
                                 cardo_download_options *options, cardo_error *error)
{
    const char *format = cardo_command_value(command, "format");
    const char *place = cardo_command_value(command, "url");
    double megabytes = DEFAULT_LIMIT;
    cardo_status status;
    *request = (cardo_entry_request){.format = format ? format : "cif",
                                     .place = place ? place : cardo_entry_archive,
                                     .folder = cardo_command_value(command, "out"),
                                     .overwrite = cardo_command_has(command, "force")};
    if (command->nargument == 0)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                          "needs ids of PDB entries: cardo fetch 2LAO 1LST");
    if (strcmp(request->format, "cif") != 0 && strcmp(request->format, "pdb") != 0)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE, "--format is cif or pdb, not '%s'", format);
    CARDO_TRY(read_number(command, "timeout", "seconds", 0.001, longest_timeout, &options->timeout,
                          error));
    CARDO_TRY(read_number(command, "limit", "megabytes", 0.001, LARGEST_LIMIT, &megabytes, error));
    options->most_bytes = request->most_bytes = (int)(megabytes * MEGABYTE);
    for (int k = 0; k < command->nargument; ++k)
        CARDO_TRY(cardo_entry_id_check(command->argument[k], error));
    char *url;
    status = cardo_entry_url(request->place, command->argument[0], request->format, 0, &url, error);
    cardo_free(url);
done:
    return status;
}

static cardo_status run(const cardo_command *command, cardo_error *error)
{
    meter m = {.terminal = isatty(STDERR_FILENO) != 0,
               .quiet = cardo_command_has(command, "quiet")};
    cardo_download_options options = {
        .timeout = default_timeout, .patience = longest_stall, .progress = show, .user = &m};
    cardo_entry_request request;
    cardo_downloader *downloader;
    cardo_status status = read_command(command, &request, &options, error);
    if (status != CARDO_OK)
        return status;
    status = cardo_downloader_create(&options, &downloader, error);
    if (status != CARDO_OK)
        return status;
    status = fetch_all(command, &request, downloader, &m, error);
    cardo_downloader_destroy(downloader);
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
     "nothing "
     "for 30 s, or for this long when it is less, is given up too"},
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
        "reads as a structure and says that it is that entry (where it says nothing, that is "
        "told). A "
        "file that is there already stays: it is fine where it is that entry, whole. An entry that "
        "cannot be had does not keep the others from "
        "coming; the exit status tells. Ids have four characters (2LAO) or are extended "
        "(pdb_00002lao). Proxies are taken from the environment: https_proxy, http_proxy, "
        "all_proxy, no_proxy.",
    .options = options,
    .run = run,
};
