/* cardo report: the page of runs. */
#include "cli/frame/verb.h"
#include "cli/frame/version.h"
#include <cardo/cardo.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cardo_option options[] = {
    {"output", 'o', "FILE.html", "the page (default: the first folder's name with .html)"},
    {"title", 0, "TEXT", "its title (default: the model's name)"},
    {"json", 0, NULL, "print JSON"},
    {0},
};

/* "runs/sim/" becomes "runs/sim.html". The caller frees it. */
static char *default_path(const char *folder)
{
    size_t n = strlen(folder);
    while (n > 1 && folder[n - 1] == '/')
        --n;
    char *path = malloc(n + sizeof ".html");
    if (path)
        snprintf(path, n + sizeof ".html", "%.*s.html", (int)n, folder);
    return path;
}

static cardo_status say(const cardo_command *command, const cardo_result *result,
                        cardo_error *error)
{
    if (cardo_command_has(command, "json"))
        return cardo_result_print(result, "json", stdout, error);
    cardo_result_say(stdout, result, "{file}: {runs} run{runs#s}, ");
    cardo_print(stdout, "%.0f kB\n", 1e-3 * cardo_result_number_at(result, "bytes"));
    const cardo_result *missing = cardo_result_find(result, "missing");
    if (missing && cardo_result_count(missing) > 0)
        fprintf(stderr,
                "cardo report: without 3Dmol.js and uPlot in Cardo's data folder \"report\" the "
                "page has no "
                "molecule, and curves as plain pictures: cmake/fetch-report-assets.sh gets them\n");
    return CARDO_OK;
}

static cardo_status run(const cardo_command *command, cardo_error *error)
{
    cardo_status status;
    cardo_result *result = NULL;
    char *own = NULL;
    const char *path = cardo_command_value(command, "output");
    const cardo_report_options how = {.size = sizeof how,
                                      .title = cardo_command_value(command, "title"),
                                      .program = "cardo",
                                      .version = cardo_version_text()};
    if (command->nargument == 0)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE, "needs the folder of a run: cardo report %s",
                          command->verb->synopsis);
    if (!path)
        path = own = default_path(command->argument[0]);
    if (!path)
        return CARDO_FAIL(error, CARDO_ERROR_MEMORY, "no memory for a name");
    status = cardo_result_create(&result, error);
    if (status == CARDO_OK)
        status =
            cardo_report_write(command->nargument, command->argument, &how, path, result, error);
    if (status == CARDO_OK)
        status = say(command, result, error);
    cardo_result_destroy(result);
    free(own);
    return status;
}

const cardo_verb cardo_verb_report = {
    .name = "report",
    .synopsis = "RUN... [FIT.csv] [-o PAGE.html]",
    .summary = "make one page of runs: molecule, curves and words",
    .description =
        "Makes one HTML file of what runs left in their folders. It opens from disk in any browser "
        "of "
        "today, asks nothing of any network, and prints. Verdicts and warnings come first; the "
        "molecule moves with a slider, with a run's frames and along modes; curves show their "
        "values "
        "and give CSV and SVG; versions, options, seeds, the commands that repeat the runs and "
        "citations stand at the end. Several runs of one model share a page. A table of cardo fit "
        "(--table FIT.csv) beside them puts its "
        "structures, frames of a trajectory or models of an NMR ensemble, on the free energy as "
        "ticks, with what is left of each.",
    .options = options,
    .run = run,
};
