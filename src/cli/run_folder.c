#include "cli/run_folder.h"

#include "base/memory.h"
#include "base/output.h"
#include "base/text.h"
#include "cli/version.h"
#include "forcefield/openmm.h"
#include "io/checkpoint.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

cardo_status cardo_run_folder_name(const cardo_command *command, const cardo_model *model,
                                   const char *suffix, char **folder, cardo_error *error)
{
    const char *given = cardo_command_value(command, "out");
    if (given)
        return cardo_copy_string(folder, given, error);
    const char *slash = strrchr(model->path, '/');
    const char *name = slash ? slash + 1 : model->path;
    size_t n = strlen(name), size = n + strlen(suffix) + 1;
    if (n > 4 && strcmp(name + n - 4, ".xml") == 0)
        n -= 4;
    cardo_status status = cardo_allocate((void **)folder, size, 1, error);
    if (status == CARDO_OK)
        snprintf(*folder, size, "%.*s%s", (int)n, name, suffix);
    return status;
}

cardo_status cardo_run_folder_path(const char *folder, const char *name, char **out,
                                   cardo_error *error)
{
    size_t n = strlen(folder) + strlen(name) + 2;
    cardo_status status = cardo_allocate((void **)out, n, 1, error);
    if (status == CARDO_OK)
        snprintf(*out, n, "%s/%s", folder, name);
    return status;
}

static cardo_status is_there(const char *folder, const char *name, bool *there, cardo_error *error)
{
    char *path = NULL;
    *there = false;
    cardo_status status = name ? cardo_run_folder_path(folder, name, &path, error) : CARDO_OK;
    if (status == CARDO_OK && path)
        *there = cardo_file_exists(path);
    cardo_free(path);
    return status;
}

cardo_status cardo_run_folder_open(const cardo_command *command, const cardo_model *model,
                                   const char *suffix, const char *marker, const char *checkpoint,
                                   char **folder, cardo_error *error)
{
    bool ran, kept, go_on = checkpoint && cardo_command_has(command, "continue");
    cardo_status status;
    CARDO_TRY(cardo_run_folder_name(command, model, suffix, folder, error));
    CARDO_TRY(is_there(*folder, marker, &ran, error));
    CARDO_TRY(is_there(*folder, checkpoint, &kept, error));
    if (go_on && !kept)
        status =
            CARDO_FAIL(error, CARDO_ERROR_INPUT,
                       "%s: holds no checkpoint to continue from; run without --continue", *folder);
    else if ((ran || kept) && !go_on && !cardo_command_has(command, "force"))
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "%s: holds a run already; %s--force starts over, --out FOLDER goes "
                            "elsewhere",
                            *folder, checkpoint ? "--continue goes on with it, " : "");
    else if (!go_on)
        status = cardo_make_folder(*folder, error);
done:
    return status;
}

/* A word as a shell reads it back. */
static void put_word(FILE *stream, const char *word)
{
    const char *plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                        "_-./=:,+@%";
    if (*word && strspn(word, plain) == strlen(word)) {
        fputs(word, stream);
        return;
    }
    fputc('\'', stream);
    for (; *word; ++word)
        if (*word == '\'')
            fputs("'\\''", stream);
        else
            fputc(*word, stream);
    fputc('\'', stream);
}

static void put_command(cardo_json *json, const cardo_command *command)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return;
    fprintf(stream, "cardo %s", command->verb->name);
    for (int k = 0; k < command->nargument; ++k) {
        fputc(' ', stream);
        put_word(stream, command->argument[k]);
    }
    for (int k = 0; k < command->ngiven; ++k) {
        fprintf(stream, " --%s", command->given[k].option->name);
        if (command->given[k].value)
            fputc(' ', stream), put_word(stream, command->given[k].value);
    }
    if (fclose(stream) == 0)
        cardo_json_string(json, "command", text);
    free(text);
}

static void put_hash(cardo_json *json, const cardo_setup *setup)
{
    char *text = NULL, *bytes = NULL, hash[32];
    size_t length;
    if (cardo_model_description(setup->system, setup->provider, &text, NULL) == CARDO_OK) {
        snprintf(hash, sizeof hash, "%016llx", cardo_hash(text, strlen(text), 0));
        cardo_json_string(json, "model_hash", hash);
    }
    if (cardo_read_file(setup->model->path, 0, &bytes, &length, NULL) == CARDO_OK) {
        snprintf(hash, sizeof hash, "%016llx", cardo_hash(bytes, length, 0));
        cardo_json_string(json, "model_file_hash", hash);
    }
    cardo_free(text);
    cardo_free(bytes);
}

cardo_json *cardo_manifest_begin(const cardo_command *command, const cardo_setup *setup)
{
    char *openmm = NULL, *here = getcwd(NULL, 0);
    cardo_json *json = cardo_json_object();
    cardo_json_string(json, "program", "cardo");
    cardo_json_string(json, "version", cardo_version_text());
    if (cardo_openmm_describe(&openmm, NULL) == CARDO_OK)
        cardo_json_string(json, "openmm", openmm);
    cardo_free(openmm);
    if (setup->provider)
        cardo_json_string(json, "platform", cardo_setup_platform(setup));
    cardo_json_string(json, "model", setup->model->path);
    put_hash(json, setup);
    put_command(json, command);
    if (here)
        cardo_json_string(json, "command_folder", here);
    free(here);
    return json;
}

void cardo_manifest_options(cardo_json *options, const cardo_field *fields, const void *object)
{
    for (const cardo_field *field = fields; field && field->name; ++field) {
        char text[CARDO_FIELD_STRING_SIZE];
        cardo_field_print(field, object, text, sizeof text);
        cardo_json_string(options, field->name, text);
    }
}

const char *cardo_run_folder_structure(const char *folder, const char *stem)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/%s.cif", folder, stem);
    return cardo_file_exists(path) ? "cif" : "pdb";
}

cardo_status cardo_run_folder_output(const char *folder, const char *name, cardo_output *output,
                                     cardo_error *error)
{
    char *path = NULL;
    cardo_status status = cardo_run_folder_path(folder, name, &path, error);
    if (status == CARDO_OK)
        status = cardo_output_open(output, path, error);
    cardo_free(path);
    return status;
}

cardo_status cardo_manifest_write(const char *folder, cardo_json *manifest, cardo_error *error)
{
    cardo_output output = {0};
    cardo_status status = cardo_run_folder_output(folder, "run.json", &output, error);
    if (status != CARDO_OK)
        return status;
    cardo_json_print(manifest, output.stream);
    return cardo_output_commit(&output, error);
}

cardo_status cardo_describe_forces(const cardo_setup *setup, char **text, cardo_error *error)
{
    const cardo_model_forcefield *f = &setup->model->forcefield;
    size_t n = 2048;
    cardo_status status = cardo_allocate((void **)text, n, 1, error);
    if (status == CARDO_OK)
        snprintf(*text, n,
                 "platform %s\nsolvent %s\nmethod %s\ncutoff %.17g\ntable %s\n"
                 "table-error %.17g\ntable-relative %.17g\n%s%s%s%s",
                 cardo_setup_platform(setup), f->solvent[0] ? f->solvent : "none", f->method,
                 f->cutoff, f->table[0] ? f->table : "none", f->table_error, f->table_relative,
                 f->parameters[0] ? "parameters " : "", f->parameters, f->parameters[0] ? "\n" : "",
                 setup->coarse ? setup->coarse->summary : "");
    return status;
}
