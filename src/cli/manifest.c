#include "cli/manifest.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/output.h"
#include "base/text.h"
#include "cli/session_report.h"
#include "cli/version.h"
#include "forces/openmm/openmm.h"
#include "multibody/quantities/description.h"
#include "study/session/forces.h"
#include "study/session/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void put_command(cardo_json *json, const cardo_command *command)
{
    char *text;
    if (cardo_command_text(command, &text, NULL) == CARDO_OK)
        cardo_json_string(json, "command", text);
    cardo_free(text);
}

static void put_hash(cardo_json *json, const cardo_session *session)
{
    char *text = NULL, *bytes = NULL, hash[32];
    size_t length;
    if (cardo_model_description(session->system, session->provider, &text, NULL) == CARDO_OK) {
        snprintf(hash, sizeof hash, "%016llx", cardo_hash(text, strlen(text), 0));
        cardo_json_string(json, "model_hash", hash);
    }
    if (cardo_read_file(session->model->path, 0, &bytes, &length, NULL) == CARDO_OK) {
        snprintf(hash, sizeof hash, "%016llx", cardo_hash(bytes, length, 0));
        cardo_json_string(json, "model_file_hash", hash);
    }
    cardo_free(text);
    cardo_free(bytes);
}

/* A hash of the bytes of all files that the force field is made of. */
static void put_files(cardo_json *json, const cardo_model_forcefield *f)
{
    char hash[32];
    unsigned long long sum = 0;
    cardo_json *files = cardo_json_array();
    for (int k = 0; k <= f->nfile; ++k) {
        const char *path = k < f->nfile ? f->file[k] : f->system;
        char *bytes = NULL;
        size_t length;
        if (!path)
            continue;
        cardo_json_string(files, NULL, path);
        if (cardo_read_file(path, 0, &bytes, &length, NULL) == CARDO_OK)
            sum = cardo_hash(bytes, length, sum);
        else /* an energy that is built in */
            sum = cardo_hash(path, strlen(path), sum);
        cardo_free(bytes);
    }
    snprintf(hash, sizeof hash, "%016llx", sum);
    cardo_json_put(json, "files", files);
    cardo_json_string(json, "files_hash", hash);
}

cardo_json *cardo_manifest_forcefield(const cardo_session *session)
{
    const cardo_model_forcefield *f = &session->model->forcefield;
    char tolerance[32];
    cardo_json *json = cardo_json_object();
    put_files(json, f);
    cardo_format(tolerance, sizeof tolerance, "%.17g", f->tolerance);
    cardo_json_string(json, "parameters", f->parameters);
    cardo_json_string(json, "tolerance", tolerance);
    cardo_json_string(json, "properties", f->properties);
    return json;
}

cardo_json *cardo_manifest_begin(const cardo_run_folder *folder, const cardo_session *session)
{
    char *openmm = NULL, *here = getcwd(NULL, 0);
    cardo_json *json = cardo_json_object();
    cardo_json_string(json, "program", "cardo");
    cardo_json_string(json, "version", cardo_version_text());
    cardo_json_string(json, "study", folder->command->verb->name);
    if (cardo_openmm_describe(&openmm, NULL) == CARDO_OK)
        cardo_json_string(json, "openmm", openmm);
    cardo_free(openmm);
    if (session->provider) {
        cardo_json_string(json, "platform", cardo_session_platform(session));
        if (session->judgement)
            cardo_json_put(json, "forces_judged", cardo_judgement_json(session));
        cardo_json_put(json, "forcefield", cardo_manifest_forcefield(session));
    }
    cardo_json_string(json, "study", folder->command->verb->name);
    cardo_json_string(json, "model", session->model->path);
    for (int k = 0; k < session->model->nstructure; ++k)
        if (session->model->structure[k].note)
            cardo_json_string(json, "note", session->model->structure[k].note);
    put_hash(json, session);
    put_command(json, folder->command);
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

void cardo_manifest_start(cardo_json *manifest, const cardo_run_folder *folder,
                          const cardo_session *session)
{
    const cardo_json *stored = folder->go_on ? folder->continuation.stored : NULL;
    const cardo_json *before = stored ? cardo_json_member(stored, "start") : NULL;
    cardo_json *start = cardo_json_array();
    const int n = before ? cardo_json_length(before) : cardo_system_nq(session->system);
    for (int k = 0; k < n; ++k)
        cardo_json_number(
            start, NULL, before ? cardo_json_element(before, k) : cardo_state_q(session->state)[k]);
    cardo_json_put(manifest, "start", start);
}

cardo_status cardo_manifest_write(const cardo_run_folder *folder, cardo_json *manifest,
                                  cardo_error *error)
{
    cardo_output output = {0};
    cardo_status status =
        cardo_run_folder_output(folder->path, CARDO_MANIFEST_NAME, &output, error);
    if (status != CARDO_OK)
        return status;
    cardo_json_print(manifest, output.stream);
    return cardo_output_commit(&output, error);
}

cardo_status cardo_manifest_verb(const char *folder, char verb[32], cardo_error *error)
{
    char *path = NULL;
    const char *command;
    verb[0] = '\0';
    cardo_status status = cardo_run_folder_path(folder, CARDO_MANIFEST_NAME, &path, error);
    if (status != CARDO_OK)
        return status;
    cardo_json *json = cardo_json_read(path, NULL);
    cardo_free(path);
    command = json ? cardo_json_text(json, "command") : NULL;
    if (command && strncmp(command, "cardo ", 6) == 0)
        snprintf(verb, 32, "%.*s", (int)strcspn(command + 6, " "), command + 6);
    cardo_json_free(json);
    return CARDO_OK;
}
