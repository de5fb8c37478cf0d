#include "io/run/record.h"

#include "base/memory.h"
#include "base/output.h"
#include "io/results/result_printer.h"
#include "io/run/folder_writer.h"
#include "io/run/run_files.h"

#include <string.h>

cardo_json *cardo_record_read(const char *folder)
{
    char *path = NULL;
    cardo_json *json = NULL;
    if (cardo_folder_path(folder, CARDO_RUN_RECORD, NULL, &path, NULL) == CARDO_OK)
        json = cardo_json_read(path, NULL);
    cardo_free(path);
    return json;
}

static void put_options(cardo_json *json, const cardo_record *record)
{
    char text[CARDO_FIELD_TEXT_SIZE];
    cardo_json *options = cardo_json_object();
    for (int t = 0; t < record->noption; ++t)
        for (const cardo_field *field = record->options[t].fields; field && field->name; ++field) {
            cardo_field_print(field, record->options[t].object, text, sizeof text);
            cardo_json_string(options, field->name, text);
        }
    cardo_json_put(json, "options", options);
}

static void put_word(cardo_json *json, const char *key, const char *text)
{
    if (text)
        cardo_json_string(json, key, text);
}

/* Where the run started, which one that goes on has left since. */
static void keep_start(cardo_json *json, const cardo_json *before)
{
    const cardo_json *start = before ? cardo_json_member(before, "start") : NULL;
    if (!start)
        return;
    cardo_json *copy = cardo_json_array();
    for (int k = 0; k < cardo_json_length(start); ++k)
        cardo_json_number(copy, NULL, cardo_json_element(start, k));
    cardo_json_put(json, "start", copy);
}

cardo_status cardo_record_write(const char *folder, const cardo_record *record,
                                const cardo_repetition *repetition, const cardo_json *before,
                                cardo_error *error)
{
    char *path = NULL;
    cardo_output output = {0};
    cardo_json *json = NULL;
    cardo_status status = cardo_result_status(record->facts, error);
    CARDO_TRY(status);
    CARDO_TRY(cardo_folder_path(folder, CARDO_RUN_RECORD, NULL, &path, error));
    CARDO_TRY(cardo_output_open(&output, path, error));
    json = cardo_result_to_json(record->facts);
    put_word(json, "program", repetition->program);
    put_word(json, "version", repetition->version);
    cardo_json_string(json, "study", record->study);
    put_word(json, "command", repetition->command);
    put_word(json, "command_folder", repetition->folder);
    put_options(json, record);
    keep_start(json, before);
    cardo_json_print(json, output.stream);
    status = cardo_output_commit(&output, error);
done:
    cardo_free(path);
    return status;
}

static cardo_status refuse(const char *element, const char *name, const char *before,
                           const char *present, const char *elsewhere, cardo_error *error)
{
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "%s.%s=\"%s\": the run that is continued has %s.%s=\"%s\", which cannot "
                      "change on the way: leave it out, or put the model file back, or begin "
                      "another run with %s",
                      element, name, present, element, name, before, elsewhere);
}

/* A text among the facts, or NULL. */
static const char *fact(const cardo_result *facts, const char *name)
{
    const cardo_result *found = facts ? cardo_result_find(facts, name) : NULL;
    const char *const *text = found ? cardo_result_as_texts(found) : NULL;
    return text ? text[0] : NULL;
}

static cardo_status check_words(const cardo_json *before, const cardo_record *record,
                                const char *elsewhere, cardo_error *error)
{
    static const char *const names[] = {"method", "integrator", NULL};
    for (int k = 0; names[k]; ++k) {
        const char *then = cardo_json_text(before, names[k]), *now = fact(record->facts, names[k]);
        if (then && now && strcmp(then, now) != 0)
            return refuse(record->study, names[k], then, now, elsewhere, error);
    }
    return CARDO_OK;
}

static cardo_status check_options(const cardo_json *before, const cardo_record *record,
                                  const char *elsewhere, cardo_error *error)
{
    char now[CARDO_FIELD_TEXT_SIZE];
    const cardo_json *options = cardo_json_member(before, "options");
    for (int t = 0; options && t < record->noption; ++t)
        for (const cardo_field *field = record->options[t].fields; field && field->name; ++field) {
            const char *then = cardo_json_text(options, field->name);
            if (!then || field->may_change)
                continue;
            cardo_field_print(field, record->options[t].object, now, sizeof now);
            if (strcmp(then, now) != 0)
                return refuse(record->study, field->name, then, now, elsewhere, error);
        }
    return CARDO_OK;
}

/* What the forces come from, as far as the checkpoint's own description does not say it. */
static cardo_status check_forces(const cardo_json *before, const cardo_record *record,
                                 const char *elsewhere, cardo_error *error)
{
    static const char *const names[] = {"files_hash", "parameters", "tolerance", "properties",
                                        NULL};
    const cardo_json *stored = cardo_json_member(before, "forcefield");
    const cardo_result *present =
        record->facts ? cardo_result_find(record->facts, "forcefield") : NULL;
    for (int k = 0; stored && names[k]; ++k) {
        const char *then = cardo_json_text(stored, names[k]), *now = fact(present, names[k]);
        if (!then || !now || strcmp(then, now) == 0)
            continue;
        return k > 0 ? refuse("forcefield", names[k], then, now, elsewhere, error)
                     : CARDO_FAIL(error, CARDO_ERROR_INPUT,
                                  "forcefield.files: they are not, or hold not, what the run "
                                  "that is continued was begun with: put them back, or begin "
                                  "another run with %s",
                                  elsewhere);
    }
    return CARDO_OK;
}

cardo_status cardo_record_check(const cardo_json *before, const cardo_record *record,
                                const char *elsewhere, cardo_error *error)
{
    cardo_status status = check_words(before, record, elsewhere, error);
    if (status == CARDO_OK)
        status = check_options(before, record, elsewhere, error);
    return status == CARDO_OK ? check_forces(before, record, elsewhere, error) : status;
}
